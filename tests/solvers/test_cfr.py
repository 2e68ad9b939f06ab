"""Counterfactual regret minimisation over the sequence form, against the book's recursion (plain.py)."""

import functools
import math

import numpy as np
import pytest

import fogtree
import plain
from fogtree import CFR, Invalid, Rounds, exploitability, sequence_form
from fogtree.solvers.regret import cfr as module
from fogtree.solvers.regret.cfr import RULES, iterate
from fogtree.strategy import read_npz, write_npz
from fogtree.walk.slices import Progress

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

LEDUC_VALUE = -0.0856064241  # by the linear program, OpenSpiel's and ours


@functools.cache
def form_of(text):
    return sequence_form(fogtree.load(text))


@functools.cache
def tree_of(text):
    return plain.tree(fogtree.load(text))


def ran(text, rule, iterations, **options):
    cfr = CFR(form_of(text), rule, **options)
    cfr.run(iterations=iterations)
    return cfr


def arrays(cfr):
    return [getattr(learner, field) for learner in cfr.learners for field in ("regret", "mix", "plan", "summed")]


def assert_same(one, other):
    assert one.iterations == other.iterations
    for a, b in zip(arrays(one), arrays(other), strict=True):
        assert (a == b).all()


# --- the book ---


@pytest.mark.parametrize("rule, plus, gamma", [("cfr", False, 0), ("cfr+", True, 1)])
@pytest.mark.parametrize("text", ["kuhn", "goofspiel:cards=3,lowest=1", "liars-dice:faces=2", "rounds"])
def test_every_iteration_is_that_of_the_book(text, rule, plus, gamma):
    ours, theirs = CFR(form_of(text), rule), plain.PlainCFR(tree_of(text), plus, gamma)
    for t in range(1, 9):
        ours.run(iterations=1)
        theirs.iterate()
        found, expected = plain.rows(ours.strategy()), theirs.average()
        for key, row in found.items():  # sets without a choice are not among them
            assert row == pytest.approx(expected[key], abs=1e-9), f"iteration {t}, player {key[0]}, view {key[1]}"


def test_so_it_is_in_leduc():
    for rule, plus, gamma in (("cfr", False, 0), ("cfr+", True, 1)):
        theirs = plain.PlainCFR(tree_of("leduc"), plus, gamma)
        for _ in range(3):
            theirs.iterate()
        found = exploitability(form_of("leduc"), ran("leduc", rule, 3).strategy())
        assert found.total == pytest.approx(plain.total(tree_of("leduc"), theirs.average()), abs=1e-9)


PREDICTIVE = {"pcfr+": (None, 2.0), "pdcfr+": (2.3, 5.0), "hs-pcfr+": (None, 30.0, 5.0)}  # alpha, gamma, fall


@pytest.mark.parametrize("rule", PREDICTIVE)
@pytest.mark.parametrize("text, iterations", [("kuhn", 30), ("goofspiel:cards=3,lowest=1", 8), ("leduc", 3)])
def test_every_predictive_iteration_is_that_of_its_paper(text, iterations, rule):
    ours, theirs = CFR(form_of(text), rule), plain.PlainPredictive(tree_of(text), *PREDICTIVE[rule])
    for t in range(1, iterations + 1):
        ours.run(iterations=1)
        theirs.iterate()
        found, expected = plain.rows(ours.strategy()), theirs.average()
        for key, row in found.items():
            assert row == pytest.approx(expected[key], abs=1e-12), f"iteration {t}, player {key[0]}, view {key[1]}"


def test_two_steps_by_hand():
    # Row 0 pays 1 and -1, row 1 pays 0 and 1. Uniform play at first: rows are worth 0 and 1/2, so regrets -1/4 and 1/4,
    # and row 1 is played. Columns, as player 1 sees them, are then worth 0 and -1: column 0.
    game = Rounds(np.array([[1.0, -1.0], [0.0, 1.0]]), rounds=1)
    cfr = CFR(sequence_form(game), "cfr+")
    cfr.run(iterations=1)
    first, second = cfr.learners
    assert first.regret.tolist() == [0, -0.25, 0.25] and first.plan.tolist() == [1, 0, 1]
    assert second.regret.tolist() == [0, 0.5, -0.5] and second.plan.tolist() == [1, 1, 0]
    # Against column 0 the rows are worth 1 and 0, against row 1's 0: regrets max(-1/4, 0) + 1 and 1/4 + 0, mix 4/5 and 1/5;
    # the columns are worth -4/5 and 3/5, the first was played: regrets 1/2 + 0 and max(-1/2, 0) + 7/5. It weighs twice.
    cfr.run(iterations=1)
    assert first.regret.tolist() == [0, 1.0, 0.25] and first.plan == pytest.approx([1, 0.8, 0.2])
    assert second.regret == pytest.approx([0, 0.5, 1.4])
    x, y = cfr.plans()
    assert x == pytest.approx([1, 1.6 / 3, 1.4 / 3])
    assert y == pytest.approx([1, (1 + 2 * 0.5 / 1.9) / 3, 2 * 1.4 / 1.9 / 3])


@pytest.mark.parametrize(
    "rule, regret, summed",
    [
        # the second iteration of the game above, row 0 and row 1: old regrets -1/4 and 1/4, gains 1 and 0. The first plan,
        # row 1, is kept by ((2 - 1) / 2)^gamma and the second is added
        ("cfr", [0.75, 0.25], [0.75, 1.25]),
        ("linear", [1 - 0.125, 0.125], [0.875, 1 / 2 + 0.125]),  # after t = 1 both signs are halved
        ("dcfr", [1 - 0.125, 0.125], [0.875, 1 / 4 + 0.125]),  # the same factors at t = 1
        ("pcfr+", [1.0, 0.25], [2 / 2.25, 1 / 4 + 0.25 / 2.25]),  # aims at 1 + 1 and 1/4 + 0
        # regrets 1 and 1/4 / 2; at t = 2 they count 2^2.3 / (2^2.3 + 1) = 0.831212, so it aims at 1.831212 and 0.103901
        ("pdcfr+", [1.0, 0.125], [0.946307, 1 / 32 + 0.053693]),
        ("hs-pcfr+", [1.0, 0.25], [2 / 2.25, 0.5**29.99 + 0.25 / 2.25]),  # 30 - 5 * 2 / 1000
    ],
)
def test_the_rules_differ_as_their_papers_say(rule, regret, summed):
    game = Rounds(np.array([[1.0, -1.0], [0.0, 1.0]]), rounds=1)
    cfr = CFR(sequence_form(game), rule)
    cfr.run(iterations=2)
    kept = [max(r, 0.0) if cfr.rule.beta == -math.inf else r for r in cfr.learners[0].regret[1:]]
    assert kept == pytest.approx(regret)
    assert cfr.learners[0].summed[1:] == pytest.approx(summed, abs=1e-6)


def test_discounts_are_those_of_brown_and_sandholm():
    # t^alpha / (t^alpha + 1) for positive regrets, t^beta / (t^beta + 1) for negative ones, t^gamma in the average
    dcfr = RULES["dcfr"]
    assert (dcfr.alpha, dcfr.beta, dcfr.gamma) == (1.5, 0, 2)
    assert dcfr.positive(4.0) == 8 / 9 and dcfr.negative(4.0) == 1 / 2 and dcfr.keep(4.0) == (3 / 4) ** 2
    assert (RULES["cfr"].positive(4.0), RULES["cfr"].negative(4.0), RULES["cfr"].keep(4.0)) == (1, 1, 1)
    assert (RULES["cfr+"].positive(4.0), RULES["cfr+"].negative(4.0), RULES["cfr+"].keep(4.0)) == (1, 0, 3 / 4)
    assert (RULES["linear"].positive(4.0), RULES["linear"].negative(4.0)) == (4 / 5, 4 / 5)


def test_a_falling_exponent_stops_at_the_horizon():
    # 30 at the start, 27.5 after 500 iterations, 25 from 1,000 on
    keep = RULES["hs-pcfr+"].keep
    assert keep(1.0) == 0 and keep(500.0) == pytest.approx((499 / 500) ** 27.5)
    assert keep(1000.0) == pytest.approx(0.999**25) and keep(4000.0) == pytest.approx((3999 / 4000) ** 25)


# --- convergence ---


@pytest.mark.parametrize(
    "rule, most",
    [
        ("cfr", 0.01),
        ("cfr+", 0.001),
        ("linear", 0.002),
        ("dcfr", 0.001),
        ("pcfr+", 1e-5),
        ("pdcfr+", 1e-11),
        ("hs-pcfr+", 1e-12),
    ],
)
def test_every_rule_finds_the_value_of_kuhn(rule, most):
    cfr = ran("kuhn", rule, 1_000)
    low, value, high = cfr.bounds()
    assert low <= -1 / 18 + 1e-12 and high >= -1 / 18 - 1e-12 and low - 1e-12 <= value <= high + 1e-12
    assert high - low < most


@pytest.mark.parametrize(
    "rule, most",
    [
        ("cfr", 0.1),
        ("cfr+", 0.01),
        ("linear", 0.03),
        ("dcfr", 0.01),
        ("pcfr+", 0.005),
        ("pdcfr+", 0.005),
        ("hs-pcfr+", 0.005),
    ],
)
def test_every_rule_finds_the_value_of_leduc(rule, most):
    low, value, high = ran("leduc", rule, 1_000).bounds()
    assert low <= LEDUC_VALUE + 1e-9 and high >= LEDUC_VALUE - 1e-9 and low <= value <= high
    assert high - low < most


def test_goofspiel_is_even():
    low, _, high = ran("goofspiel:cards=5", "cfr+", 500).bounds()
    assert low <= 1e-12 and high >= -1e-12 and high - low < 0.01


def test_the_bounds_are_the_exploitability_of_the_strategy():
    cfr = ran("leduc", "cfr+", 50)
    low, value, high = cfr.bounds()
    found = exploitability(form_of("leduc"), cfr.strategy())
    assert found.values == pytest.approx((high, -low), abs=1e-12) and found.value == pytest.approx(value, abs=1e-12)


# --- the same, however it is run ---


@pytest.mark.parametrize("rule", RULES)
def test_runs_add_up(rule):
    twice = ran("leduc", rule, 3)
    twice.run(iterations=4)
    assert_same(twice, ran("leduc", rule, 7))


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(monkeypatch, threads):
    single = ran("goofspiel:cards=5", "pcfr+", 20)
    monkeypatch.setattr(module, "MANY", 0)
    several = CFR(form_of("goofspiel:cards=5"), "pcfr+", threads=threads)
    assert several.threads == threads and single.threads == 1
    several.run(iterations=20)
    assert_same(several, single)


def test_interpreted_and_compiled_agree():
    form = form_of("kuhn")
    compiled, plain_python = ran("kuhn", "cfr+", 5), CFR(form, "cfr+")
    iterate.interpreted(plain_python.rule, *plain_python.learners, form.rows, form.columns, 1, 5)
    for a, b in zip(arrays(compiled), arrays(plain_python), strict=True):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-15)


def test_time_limits_and_progress():
    cfr, seen = CFR(form_of("goofspiel:cards=5")), []
    cfr.run(seconds=0.2, progress=seen.append)
    assert seen == sorted(set(seen)) and seen[-1] == Progress("iterations", cfr.iterations) and cfr.iterations > 10
    cfr.run(iterations=0)
    assert cfr.iterations == seen[-1].done

    def stop(iterations):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cfr.run(iterations=10**9, progress=stop)
    assert cfr.iterations > seen[-1].done and cfr.bounds()[0] <= 0  # what was done is done


# --- checkpoints ---


@pytest.mark.parametrize("rule", RULES)
def test_a_checkpoint_goes_on_as_if_nothing_had_been(tmp_path, rule):
    ran("leduc", rule, 5).save(tmp_path / "five.npz")
    resumed = CFR(form_of("leduc"), rule)
    resumed.resume(tmp_path / "five.npz")
    assert_same(resumed, ran("leduc", rule, 5))
    resumed.run(iterations=4)
    assert_same(resumed, ran("leduc", rule, 9))


def test_a_checkpoint_of_another_game_or_rule_is_refused(tmp_path):
    ran("kuhn", "cfr+", 2).save(tmp_path / "kuhn.npz")
    whose = r"kuhn.npz is a checkpoint of Kuhn\(cards=3\), rules version 1 by cfr\+, not of "
    with pytest.raises(Invalid, match=whose + r"Leduc\("):
        CFR(form_of("leduc"), "cfr+").resume(tmp_path / "kuhn.npz")
    with pytest.raises(Invalid, match=whose + r"Kuhn\(cards=3\), rules version 1 by dcfr"):
        CFR(form_of("kuhn"), "dcfr").resume(tmp_path / "kuhn.npz")


@pytest.mark.parametrize(
    "changed",
    [
        {"regret1": np.zeros(3)},
        {"mix1": np.zeros(13, np.int64)},
        {"summed1": np.full(13, np.nan)},
        {"iterations": np.array(-1)},
        {"iterations": np.array([1, 2])},
        {"iterations": np.array(1.5)},
        {"iterations": np.array("many")},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_checkpoint_that_does_not_fit_changes_nothing(tmp_path, changed):
    ran("kuhn", "cfr+", 2).save(tmp_path / "good.npz")
    fields = {f"{field}{p}" for p in (0, 1) for field in ("regret", "mix", "summed")}
    stored = read_npz(tmp_path / "good.npz", {"about", "iterations", *fields})
    write_npz(tmp_path / "bad.npz", **(stored | changed))
    cfr = ran("kuhn", "cfr+", 7)
    with pytest.raises(Invalid, match=r"bad\.npz does not fit the game: it was cut short or changed"):
        cfr.resume(tmp_path / "bad.npz")
    assert_same(cfr, ran("kuhn", "cfr+", 7))


def test_a_strategy_is_no_checkpoint(tmp_path):
    ran("kuhn", "cfr+", 2).strategy().save(tmp_path / "strategy.npz")
    with pytest.raises(Invalid, match=r"strategy\.npz is not what is wanted here: it is a strategy"):
        CFR(form_of("kuhn")).resume(tmp_path / "strategy.npz")


def test_a_checkpoint_is_no_strategy(tmp_path):
    ran("kuhn", "cfr+", 2).save(tmp_path / "checkpoint.npz")
    with pytest.raises(Invalid, match=r"checkpoint\.npz is not what is wanted here: it is a checkpoint of solve$"):
        fogtree.Strategy.load(tmp_path / "checkpoint.npz")


# --- bad input ---


def test_a_rule_that_is_not_there_is_refused():
    with pytest.raises(
        Invalid, match=r"there is no rule 'cfr\+\+': valid are cfr, cfr\+, linear, dcfr, pcfr\+, pdcfr\+, hs-pcfr\+"
    ):
        CFR(form_of("kuhn"), "cfr++")


def test_a_run_needs_an_end():
    cfr = CFR(form_of("kuhn"))
    with pytest.raises(Invalid, match="give a number of iterations or of seconds"):
        cfr.run()
    for iterations in (2.5, -1, float("inf"), float("nan")):
        with pytest.raises(Invalid, match="iterations must be a whole number of 0 or more, not"):
            cfr.run(iterations=iterations)


def test_a_run_returns_the_work_itself():
    cfr = CFR(form_of("kuhn"))
    assert cfr.run(iterations=3) is cfr and cfr.iterations == 3


def test_there_are_no_bounds_before_the_first_iteration():
    with pytest.raises(Invalid, match="run some iterations first"):
        CFR(form_of("kuhn")).bounds()
