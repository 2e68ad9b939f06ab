"""The linear program over the sequence form, against published values, best responses and CFR+."""

import functools

import numpy as np
import pytest
from test_simplex import TABLE_4_1, THESIS

import fogtree
from fogtree import BimatrixGame, Invalid, MatrixGame, Rounds
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.exact import lp
from fogtree.solvers.exact.lp import exact_plan, normal_form, solve_lp, solve_normal_form
from fogtree.solvers.exact.simplex import Unsolved, solve_matrix
from fogtree.solvers.forms.infosets import EMPTY
from fogtree.solvers.forms.response import best_answer
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.cfr import CFR

VALUES = {
    "kuhn": -1 / 18,  # Kuhn 1950
    "leduc": -0.0856064240780,  # OpenSpiel's LP on leduc_poker
    "goofspiel:cards=4": 0.0,  # by symmetry
    "goofspiel:cards=5": 0.0,
    "phantom-ttt:rules=forced-centre,winning_first=on": 13 / 22,  # Lisý 2014, 4.2: 0.5909
    "liars-dice": -7 / 258,  # Neller and Lanctot 2013, one die against one
}
# Briedoň 2015, 4.5.3 and later: games reconstructed from printed numbers. Values by the 2x2 and 3x3 supports.
TWO_STAGE = [
    ([[-7, -1, -1, 2], [5, -5, 7, -8], [-1, 6, -2, 6], [-1, 2, -1, -8]], 1.1),
    ([[-7, 5, 5, -8], [8, 8, 3, 4], [0, -5, 0, 0], [-6, -7, -7, -8]], 22 / 7),
    ([[2, 5, -8, -1], [-8, 1, 8, -5], [4, -6, -3, -8], [5, -3, 6, 6]], 0.96),
]
form_of = functools.cache(lambda name: sequence_form(fogtree.load(name)))


def assert_plan(tree, plan):
    assert plan[EMPTY] == 1 and plan.min() >= 0
    out = np.add.reduceat(plan, tree.first[:-1])
    np.testing.assert_allclose(out, plan[tree.parent], rtol=1e-14, atol=0)


# --- values ---


@pytest.mark.parametrize("name", VALUES)
def test_the_value_is_the_known_one_and_certified(name):
    found = solve_lp(form_of(name))
    assert found.note == ""
    assert found.bounds() == pytest.approx((VALUES[name],) * 3, abs=1e-10)
    assert found.objective == pytest.approx(VALUES[name], abs=1e-10)
    assert found.low <= found.high + 1e-12


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel:cards=4", "rounds"])
def test_the_strategy_is_not_exploitable(name):
    game = fogtree.load(name)
    assert exploitability(game, solve_lp(game).strategy()).total == pytest.approx(0, abs=1e-12)


def test_player_1_plays_kuhn_poker_in_the_only_right_way():
    # Kuhn 1950: bluff with the jack and call with the queen a third of the time, and the rest is certain
    strategy = solve_lp(form_of("kuhn")).strategy()
    surest = np.maximum.reduceat(strategy.probability, strategy.first[:-1])[strategy.player == 1]
    assert np.sort(surest) == pytest.approx([2 / 3, 2 / 3, 1, 1, 1, 1], abs=1e-12)


@pytest.mark.parametrize("payoffs, value", TWO_STAGE)
def test_the_two_stage_games_of_the_thesis(payoffs, value):
    rounds = solve_lp(Rounds(payoffs))
    assert rounds.bounds() == pytest.approx((value,) * 3, abs=1e-12)
    assert solve_normal_form(payoffs).value == pytest.approx(value, abs=1e-12)  # nobody learns anything on the way


@pytest.mark.parametrize("game", THESIS)
def test_the_matrix_games_of_the_thesis(game):
    payoffs, value, x, y = THESIS[game]
    found = solve_normal_form(payoffs)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.x == pytest.approx(x, abs=1e-12)
    assert found.y == pytest.approx(y, abs=1e-12)


def test_table_4_1_is_worth_2():
    assert solve_normal_form(TABLE_4_1).value == pytest.approx(2, abs=1e-12)


# --- two ways to the same number ---


@pytest.mark.parametrize("name, iterations", [("kuhn", 2000), ("leduc", 500)])
def test_the_value_lies_within_the_bounds_of_cfr_plus(name, iterations):
    form = form_of(name)
    cfr = CFR(form, "cfr+")
    cfr.run(iterations=iterations)
    low, _, high = cfr.bounds()
    assert low <= solve_lp(form).value <= high
    assert high - low < 0.02


def test_interior_points_end_where_the_simplex_does():
    found = solve_lp(form_of("leduc"), method="ipm")
    assert found.bounds() == pytest.approx((VALUES["leduc"],) * 3, abs=1e-10) and found.iterations > 0


def test_the_normal_form_is_the_sequence_form_of_the_matrix_game():
    payoffs = np.random.default_rng(1).normal(size=(5, 7))
    made, walked = normal_form(payoffs), sequence_form(MatrixGame(payoffs))
    for mine, other in zip(made.trees, walked.trees, strict=True):
        for field, array in zip(mine, other, strict=True):
            np.testing.assert_array_equal(field, array)
    for mine, other in ((made.rows, walked.rows), (made.columns, walked.columns)):
        for field, array in zip(mine[:3], other[:3], strict=True):
            np.testing.assert_array_equal(field, array)
    assert made.histories == walked.histories


def test_random_games_agree_with_the_compiled_simplex():
    random = np.random.default_rng(3)
    for rows, columns in ((1, 1), (1, 4), (4, 1), (3, 3), (8, 5), (40, 40)):
        payoffs = random.integers(-5, 6, (rows, columns))
        assert solve_normal_form(payoffs).value == pytest.approx(solve_matrix(payoffs).value, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_value_follows_the_scale_of_the_payoffs(scale):
    payoffs = scale * np.array(TWO_STAGE[2][0])
    found = solve_lp(Rounds(payoffs))
    assert found.note == "" and found.value == pytest.approx(0.96 * scale, rel=1e-9)
    assert solve_normal_form(payoffs + 1e3 * scale).value == pytest.approx(1000.96 * scale, rel=1e-9)


# --- plans ---


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_plans_are_exact(name):
    form = form_of(name)
    found = solve_lp(form)
    for tree, plan in zip(form.trees, found.plans, strict=True):
        assert_plan(tree, plan)


def test_rounding_is_cleaned_from_a_plan():
    plan = solve_lp(form_of("leduc")).plans[0]
    noise = np.random.default_rng(1).uniform(-1e-13, 1e-13, len(plan))
    cleaned = exact_plan(form_of("leduc"), 0, plan + noise)
    assert_plan(form_of("leduc").trees[0], cleaned)
    assert best_answer(form_of("leduc"), cleaned, 1)[1][EMPTY] == pytest.approx(-VALUES["leduc"], abs=1e-9)


def test_a_result_whose_sides_do_not_agree_says_so(monkeypatch):
    monkeypatch.setattr(lp, "exact_plan", lambda form, player, plan: exact_plan(form, player, np.ones(len(plan))))
    note = solve_lp(form_of("kuhn")).note  # uniform play instead, whose total is OpenSpiel's NashConv of 11/12
    assert note == "primal and dual do not agree: all that is sure is a value from -0.416666667 to 0.5"
    with pytest.raises(Unsolved, match="primal and dual do not agree"):
        solve_normal_form([[3, 1], [0, 0]])


# --- limits ---


def test_what_is_not_zero_sum_is_refused():
    with pytest.raises(Invalid, match="zero-sum"):
        solve_lp(BimatrixGame())


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": "magic"}, "no method 'magic': valid are simplex, ipm"),
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(Invalid, match=message):
        solve_lp(form_of("kuhn"), **options)


def test_what_is_no_matrix_is_refused():
    with pytest.raises(Invalid, match="payoffs must be a matrix of finite numbers"):
        solve_normal_form([[1, float("nan")]])


def test_time_runs_out_with_a_sentence_and_progress_may_stop_the_work():
    form = sequence_form(fogtree.load("goofspiel:cards=6"))
    with pytest.raises(Unsolved, match=r"goofspiel was not solved within 0.01 s: give more, or use cfr\+"):
        solve_lp(form, seconds=0.01)

    def stop(now):
        assert now.what == "iterations"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_lp(form, progress=stop)
