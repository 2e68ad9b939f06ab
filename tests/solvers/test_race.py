"""A race of rules: the certificate decides, the same way every time, and the winner's work is not lost."""

import functools

import pytest

import fogtree
from fogtree import CFR, Invalid, sequence_form, solve
from fogtree.kernels.lanes import CUDA
from fogtree.solvers.forms.form_lanes import form_in_lanes
from fogtree.solvers.forms.response import bounds_of
from fogtree.solvers.regret import race as module
from fogtree.solvers.regret.cfr_lanes import LaneCFR
from fogtree.solvers.regret.race import LONGEST, RACERS, Race


@functools.cache
def form_of(text):
    return sequence_form(fogtree.load(text))


def total(work):
    leader = work.leader() if isinstance(work, Race) else work
    low, high = bounds_of(work.form, *leader.plans())
    return high - low


@pytest.mark.parametrize("text, winner", [("leduc", "dcfr"), ("goofspiel:cards=5", "hs-pcfr+")])
def test_the_rule_that_is_exploitable_least_wins_and_goes_on_as_if_it_had_run_alone(text, winner):
    race = Race(form_of(text)).run(iterations=LONGEST)
    alone = {rule: CFR(form_of(text), rule).run(iterations=LONGEST) for rule in RACERS}
    assert min(alone, key=lambda rule: total(alone[rule])) == winner == race.name
    assert race.iterations == LONGEST and total(race) == total(alone[winner])
    race.run(iterations=10)
    assert total(race) == total(alone[winner].run(iterations=10)) and race.iterations == LONGEST + 10


def test_before_its_end_the_plans_are_those_of_the_leader():
    race = Race(form_of("goofspiel:cards=5")).run(iterations=16)
    assert total(race) == min(total(CFR(form_of("goofspiel:cards=5"), rule).run(iterations=16)) for rule in RACERS)


def test_of_equals_the_first_is_taken():
    assert Race(form_of("kuhn"), ("dcfr", "dcfr")).leader().name == "dcfr"
    race = Race(form_of("leduc"), ("pcfr+", "pcfr+")).run(iterations=LONGEST - 1)
    first = race.racers[0]
    assert race.run(iterations=1).racers == [first]


def test_a_game_in_which_a_second_is_not_enough_is_not_raced(monkeypatch):
    form = form_of("leduc")
    monkeypatch.setattr(module, "WORK", 3 * 32 * len(form.rows.column))
    assert Race(form).length == 32 and len(Race(form).racers) == 3
    monkeypatch.setattr(module, "WORK", 3 * 32 * len(form.rows.column) - 1)
    assert [racer.name for racer in Race(form).racers] == ["hs-pcfr+"]
    assert Race(form).run(iterations=40).iterations == 40


def test_time_that_is_up_ends_a_run_and_not_the_race():
    race = Race(form_of("leduc")).run(iterations=100, seconds=0.0)
    assert race.iterations == 0 and len(race.racers) == 3
    race.run(iterations=100, seconds=1e-3)
    assert {racer.iterations for racer in race.racers} == {race.iterations} and race.iterations < 100


def test_a_checkpoint_goes_on_with_the_rule_that_led(tmp_path):
    race = Race(form_of("leduc")).run(iterations=100)
    race.save(tmp_path / "work.npz")
    again = Race(form_of("leduc"))
    again.resume(tmp_path / "work.npz")
    assert (again.name, again.iterations, total(again)) == ("dcfr", 100, total(race)) and len(again.racers) == 1
    CFR(form_of("leduc"), "linear").run(iterations=3).save(tmp_path / "linear.npz")
    assert solve(form_of("leduc"), iterations=5, checkpoint=tmp_path / "linear.npz").method == "linear"
    with pytest.raises(Invalid, match=r"work\.npz is a checkpoint of Leduc"):
        Race(form_of("kuhn")).resume(tmp_path / "work.npz")


def test_solve_names_the_winner_and_reproduces():
    first, again = (solve(form_of("leduc"), iterations=300) for _ in range(2))
    assert first.method == "dcfr" and first.iterations == 300
    assert (first.low, first.high) == (again.low, again.high)
    alone = solve(form_of("leduc"), "dcfr", iterations=300)
    assert [point.iterations for point in first.course] == [point.iterations for point in alone.course]
    assert first.total <= alone.total  # a bound that the other rule proved while it led stays valid


@pytest.mark.parametrize("numbering", ["depth first", "in lanes"])
def test_the_race_of_a_gpu_takes_a_rule_that_gets_to_small_targets(numbering, monkeypatch):
    # its rules and its rounds, in lanes on the CPU: in Goofspiel hs-pcfr+ gets to 1e-12 soon, whatever order sums have
    monkeypatch.setattr(module, "minimiser", lambda form, rule, threads, device, like: LaneCFR(form, rule, like=like))
    text = "goofspiel:cards=5"
    form = form_of(text) if numbering == "depth first" else form_in_lanes(text, "cpu")[0]
    race = Race(form, device=CUDA).run(iterations=150)
    assert race.iterations == 150 and len(race.racers) == 3
    assert race.certificate().total < 1e-6 and [racer.name for racer in race.racers] == ["hs-pcfr+"]
    race.run(iterations=150)
    assert race.certificate().total < 1e-12 and race.iterations == 300


def test_rules_are_given_up_when_they_are_far_behind_and_not_before():
    race = Race(form_of("goofspiel:cards=5")).run(iterations=module.SHORTEST - 1)
    race.certificate()
    assert len(race.racers) == 3
    race.run(iterations=33)
    totals = {racer.name: racer.certificate().total for racer in race.racers}
    assert race.certificate().total == min(totals.values())
    assert {racer.name for racer in race.racers} == {"hs-pcfr+", "pdcfr+"}
    assert totals["dcfr"] > module.LEAD * min(totals.values()) > max(totals["hs-pcfr+"], totals["pdcfr+"])
    race = Race(form_of("leduc")).run(iterations=64)
    race.certificate()
    assert len(race.racers) == 3
