"""CFR in lanes against CFR in one loop: the same iterations, up to the order of sums; the same certificates."""

import functools
import itertools

import numpy as np
import pytest

import fogtree
from fogtree import CFR, Invalid, sequence_form
from fogtree.kernels.lanes import CPU
from fogtree.solvers.forms.certificates import certified
from fogtree.solvers.forms.form_lanes import form_in_lanes
from fogtree.solvers.forms.levels import Times, crew_of, levels_of
from fogtree.solvers.regret.cfr import RULES
from fogtree.solvers.regret.cfr_lanes import LaneCFR, minimiser


@functools.cache
def form_of(text):
    return sequence_form(fogtree.load(text))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", ["kuhn", "goofspiel:cards=4", "liars-dice:faces=2"])
def test_lanes_iterate_by_every_rule_as_the_loop_does(text, rule):
    ours, theirs = LaneCFR(form_of(text), rule), CFR(form_of(text), rule)
    for more in (1, 2, 20):
        ours.run(iterations=more)
        theirs.run(iterations=more)
        for mine, other in zip(ours.plans(), theirs.plans(), strict=True):
            assert mine == pytest.approx(other, abs=1e-9)
    assert ours.iterations == theirs.iterations == 23


def test_factors_are_written_anew_when_they_are_used_up(monkeypatch):
    from fogtree.solvers.regret import cfr_lanes as module

    monkeypatch.setattr(module, "AT_ONCE", 7)
    ours, theirs = LaneCFR(form_of("kuhn"), "dcfr"), CFR(form_of("kuhn"), "dcfr")
    ours.run(iterations=30)
    theirs.run(iterations=30)
    assert ours.plans()[0] == pytest.approx(theirs.plans()[0], abs=1e-12)


def test_after_ctrl_c_no_factors_are_read_behind_those_that_were_written(monkeypatch):
    from fogtree.solvers.regret import cfr_lanes as module

    monkeypatch.setattr(module, "AT_ONCE", 7)
    cfr = LaneCFR(form_of("kuhn"), "dcfr")
    play = cfr._loop.run

    def interrupted(times):
        play(times)
        monkeypatch.setattr(cfr._loop, "run", play)
        raise KeyboardInterrupt

    monkeypatch.setattr(cfr._loop, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cfr.run(iterations=7)
    schedule, most = cfr._turning.there.schedule, 0
    for _ in range(20):
        cfr.run(iterations=1)
        most = max(most, schedule.due[0])
    assert most < 7 and cfr.certificate().total < 0.5


@pytest.mark.parametrize("text", ["kuhn", "leduc"])
def test_a_certificate_in_lanes_is_that_of_the_loop(text):
    cfr = LaneCFR(form_of(text), "pdcfr+").run(iterations=10)
    found = cfr.certificate()
    here = found.here()
    again = certified(form_of(text), here.x, here.y)
    assert (found.low, found.high) == pytest.approx((again.low, again.high), abs=1e-12)
    assert found.value() == pytest.approx(again.value(), abs=1e-12)
    assert found.total > 0 and fogtree.exploitability(text, found.strategy()).total == pytest.approx(
        found.total, abs=1e-9
    )


def test_the_better_plan_of_each_player_is_kept():
    cfr = LaneCFR(form_of("leduc"), "cfr").run(iterations=3)
    first = cfr.certificate()
    before = np.array(first.x)
    cfr.run(iterations=200)
    later = cfr.certificate()
    assert (np.array(first.x) == before).all()  # the plans of a certificate stay when the work goes on
    best = first.improved_by(later)
    assert (best.low, best.high) == (max(first.low, later.low), min(first.high, later.high))


def test_a_checkpoint_is_resumed_on_either_engine(tmp_path):
    path, form = tmp_path / "half.npz", form_of("leduc")
    half = LaneCFR(form, "pcfr+").run(iterations=5)
    half.save(path)
    half.run(iterations=5)
    for again in (LaneCFR(form, "pcfr+"), CFR(form, "pcfr+")):
        again.resume(path)
        assert again.iterations == 5
        again.run(iterations=5)
        assert again.plans()[1] == pytest.approx(half.plans()[1], abs=1e-10)
    with pytest.raises(Invalid, match="is a checkpoint of"):
        LaneCFR(form_of("kuhn"), "pcfr+").resume(path)


def test_there_is_no_certificate_before_the_first_iteration():
    with pytest.raises(Invalid, match="run some iterations first"):
        LaneCFR(form_of("kuhn")).certificate()


def test_levels_hold_each_set_once_after_those_that_lead_to_it():
    for tree in (*form_of("leduc").trees, *form_in_lanes("leduc", "cpu")[0].trees):
        levels, begin = levels_of(tree)
        owner = np.repeat(np.arange(tree.infosets()), np.diff(tree.first))
        level = np.zeros(tree.infosets(), int)
        for depth, (low, high) in enumerate(itertools.pairwise(begin)):
            level[levels.order[low:high]] = depth
        for i, parent in enumerate(tree.parent):
            assert level[i] == (0 if parent == 0 else level[owner[parent - 1]] + 1)
            assert i in levels.child[levels.first[parent] : levels.first[parent + 1]]
        assert sorted(levels.order) == sorted(levels.child) == list(range(tree.infosets()))


def test_a_team_is_as_large_as_a_row_is_long():
    def matrix(rows, entries):
        return form_of("kuhn").rows._replace(start=np.zeros(rows + 1), column=np.zeros(entries))

    assert [crew_of(matrix(10, entries)) for entries in (0, 79, 80, 160, 640, 10_000)] == [1, 1, 2, 4, 16, 32]
    assert Times(matrix(10, 20), 1.0, None, None, 8).team() == 8


def test_small_work_on_the_cpu_runs_in_one_loop():
    assert type(minimiser(form_of("kuhn"), "cfr", device=CPU)) is CFR


def test_methods_that_a_gpu_does_not_have_are_refused():
    with pytest.raises(Invalid, match="lp runs on the CPU here: leave the device out, or use one of cfr"):
        fogtree.solve("kuhn", "lp", device="cuda")
    with pytest.raises(Invalid, match="there is no device 'gpu'"):
        fogtree.solve("kuhn", device="gpu")


def test_auto_keeps_small_games_on_the_cpu():
    assert fogtree.solve("kuhn", device="auto").device == CPU


def test_all_actions_stay_where_that_is_asked_for():
    text = "dark-hex:side=2"
    small, whole = (fogtree.solve(text, "pdcfr+", target=1e-3, whole=whole) for whole in (False, True))
    assert "WinningFirst" in small.method and "WinningFirst" not in whole.method
    assert small.value == pytest.approx(whole.value, abs=2e-3)
