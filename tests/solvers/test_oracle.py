"""Double oracle, against the linear program on the whole game."""

import functools

import numpy as np
import pytest
import scipy.sparse

import fogtree
from fogtree import BimatrixGame, Invalid, Rounds
from fogtree.game import NONE
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.exact.lp import normal_form, solve_lp
from fogtree.solvers.exact.oracle import by_cfr, by_lp, by_simplex, double_oracle, restricted
from fogtree.solvers.exact.simplex import solve_matrix
from fogtree.solvers.forms.infosets import EMPTY, write_plan
from fogtree.solvers.forms.response import value_of
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.walk.slices import Ended, Progress

VALUES = {
    "kuhn": -1 / 18,  # Kuhn 1950
    "leduc": -0.0856064240780,  # OpenSpiel's LP on leduc_poker
    "goofspiel:cards=4": 0.0,  # by symmetry
    "goofspiel:cards=5": 0.0,
    "phantom-ttt:rules=forced-centre,winning_first=on": 13 / 22,  # Lisý 2014, 4.2: 0.5909
    "rounds": 1.1,  # Briedoň 2015
}


@functools.cache
def form_of(name):
    return sequence_form(fogtree.load(name))


@pytest.fixture
def leduc():
    return form_of("leduc")


def whole(form):
    size = tuple(int(tree.sequences()) for tree in form.trees)
    return scipy.sparse.csr_array((form.rows.value, form.rows.column, form.rows.start), shape=size)


def random_plan(tree, random):
    probability, plan = np.ones(tree.sequences()), np.empty(tree.sequences())
    for low, high in zip(tree.first[:-1], tree.first[1:], strict=True):
        probability[low:high] = random.dirichlet(np.ones(high - low))
    write_plan(tree, probability, plan)
    return plan


# --- the restricted game ---


def test_with_everything_admitted_it_is_the_whole_game(leduc):
    admitted = [np.ones(tree.sequences(), np.bool_) for tree in leduc.trees]
    small, homes = restricted(leduc, whole(leduc), admitted)
    for mine, tree, home in zip(small.trees, leduc.trees, homes, strict=True):
        np.testing.assert_array_equal(home, np.arange(tree.sequences()))
        for field, array in zip(mine, tree, strict=True):
            np.testing.assert_array_equal(field, array)
    for mine, matrix in ((small.rows, leduc.rows), (small.columns, leduc.columns)):
        np.testing.assert_array_equal(mine.start, matrix.start)
        np.testing.assert_array_equal(mine.column, matrix.column)
        np.testing.assert_allclose(mine.value * mine.unit, matrix.value * matrix.unit)


def test_with_one_action_a_set_nothing_is_left_to_decide(leduc):
    admitted = [np.zeros(tree.sequences(), np.bool_) for tree in leduc.trees]
    for mask, tree in zip(admitted, leduc.trees, strict=True):
        mask[EMPTY], mask[tree.first[:-1]] = True, True
    small, _ = restricted(leduc, whole(leduc), admitted)
    assert [(tree.infosets(), int(tree.sequences())) for tree in small.trees] == [(0, 1), (0, 1)]
    # each plays the first action everywhere: nobody bets, and the better hand wins the ante, both as often
    assert (small.rows.value * small.rows.unit).sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["leduc", "goofspiel:cards=5", "rounds"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_restricted_plan_is_worth_the_same_in_the_whole_game(name, seed):
    form, random = form_of(name), np.random.default_rng(seed)
    admitted = []
    for tree in form.trees:
        mask = random.random(tree.sequences()) < 0.5
        mask[EMPTY] = True
        mask[random.integers(tree.first[:-1], tree.first[1:])] = True  # one action at least in each set
        admitted.append(mask)
    small, homes = restricted(form, whole(form), admitted)
    plans = [random_plan(tree, random) for tree in small.trees]
    spread = [np.where(home == NONE, 0.0, plan[home]) for home, plan in zip(homes, plans, strict=True)]
    for tree, plan, mask in zip(form.trees, spread, admitted, strict=True):
        np.testing.assert_allclose(np.add.reduceat(plan, tree.first[:-1]), plan[tree.parent], atol=1e-12)
        assert not plan[~mask].any()
    assert value_of(form, *spread) == pytest.approx(value_of(small, *plans), abs=1e-12)


# --- the loop ---


@pytest.mark.parametrize("name", VALUES)
def test_the_value_is_the_known_one_and_certified(name):
    found = double_oracle(form_of(name))
    assert found.note == ""
    assert found.bounds() == pytest.approx((VALUES[name],) * 3, abs=1e-7)
    assert found.value == pytest.approx(solve_lp(form_of(name)).value, abs=1e-7)
    assert exploitability(form_of(name), found.strategy()).total == pytest.approx(found.high - found.low, abs=1e-9)


def test_six_cards_need_one_sequence_in_a_hundred():
    found = double_oracle(fogtree.load("goofspiel:cards=6"))
    assert found.bounds() == pytest.approx((0, 0, 0), abs=1e-7)  # by symmetry
    assert sum(found.rounds[-1].sequences) < sum(found.sequences()) / 100


def test_the_rounds_tell_how_it_went(leduc):
    seen = []
    found = double_oracle(leduc, progress=seen.append)
    assert seen == [Progress("rounds", n, None, each) for n, each in enumerate(found.rounds, 1)]
    sizes = [sum(round.sequences) for round in found.rounds]
    assert sizes == sorted(set(sizes))  # it grows
    assert sizes[0] == 2 and sizes[-1] < sum(found.sequences())
    for round in found.rounds:
        assert round.low - 1e-12 <= VALUES["leduc"] <= round.high + 1e-12
        assert round.low - 1e-12 <= round.value <= round.high + 1e-12
    assert found.low == max(round.low for round in found.rounds)
    assert found.high == min(round.high for round in found.rounds)


def test_it_stops_at_the_target(leduc):
    loose, tight = double_oracle(leduc, target=0.5), double_oracle(leduc)
    assert loose.note == "" and loose.high - loose.low <= 0.5
    assert len(loose.rounds) < len(tight.rounds)


def test_it_stops_when_the_time_is_up_and_says_so(leduc):
    found = double_oracle(leduc, seconds=1e-9)
    assert len(found.rounds) == 1
    assert found.note.startswith("stopped early: all that is sure is a value from") and found.ended == Ended.SECONDS
    assert found.low <= VALUES["leduc"] <= found.high


def test_a_side_keeps_its_best_plan_whatever_round_it_comes_from():
    form = form_of("liars-dice:faces=3")
    lower, higher = 0, 0
    for iterations in (2, 3, 7, 12):
        found = double_oracle(form, iterations=iterations)
        assert found.low == max(each.low for each in found.rounds)
        assert found.high == min(each.high for each in found.rounds)
        measured = exploitability(form, found.strategy())
        assert measured.values == pytest.approx((found.high, -found.low), abs=1e-9)
        lower, higher = lower + (found.rounds[-1].low < found.low), higher + (found.rounds[-1].high > found.high)
    assert lower and higher  # the last round is not always the best, for either side


def test_a_round_is_an_iteration_and_their_number_is_kept(leduc):
    found = double_oracle(leduc, iterations=3)
    assert len(found.rounds) == 3 and found.ended == Ended.ITERATIONS and found.note
    for iterations in (0, 2.5):
        with pytest.raises(Invalid, match="iterations must be a whole number of 1 or more, not"):
            double_oracle(leduc, iterations=iterations)


def test_ctrl_c_ends_with_the_rounds_that_are_finished(leduc):
    def stop(now):
        if now.done == 3:
            raise KeyboardInterrupt

    found = double_oracle(leduc, progress=stop)
    assert len(found.rounds) == 3 and found.ended == Ended.STOPPED
    assert found.low <= VALUES["leduc"] <= found.high
    assert exploitability(leduc, found.strategy()).total == pytest.approx(found.high - found.low, abs=1e-9)

    def at_once(form):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # there is nothing yet
        double_oracle(leduc, solve=at_once)


@pytest.mark.parametrize("name", ["kuhn", "goofspiel:cards=5", "phantom-ttt:rules=forced-centre,winning_first=on"])
def test_restricted_games_may_be_solved_by_cfr_plus(name):
    found = double_oracle(form_of(name), target=0.005, solve=by_cfr)
    assert found.note == ""
    assert found.low <= VALUES[name] + 1e-9 and VALUES[name] - 1e-9 <= found.high


# --- matrix games ---


@pytest.mark.parametrize("solve", [by_simplex, by_lp])
@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 5), (5, 1), (12, 9)])
def test_matrix_games_agree_with_the_simplex(rows, columns, solve):
    payoffs = np.random.default_rng(rows).normal(size=(rows, columns))
    found = double_oracle(normal_form(payoffs), solve=solve)
    assert found.value == pytest.approx(solve_matrix(payoffs).value, abs=1e-7)
    assert found.high - found.low < 1e-7


def test_a_large_matrix_of_low_rank_needs_few_rows_and_columns():
    random = np.random.default_rng(5)
    payoffs = random.normal(size=(400, 3)) @ random.normal(size=(3, 300))
    found = double_oracle(normal_form(payoffs))
    assert found.value == pytest.approx(solve_matrix(payoffs).value, abs=1e-7)
    assert max(found.rounds[-1].sequences) < 20


def test_the_rounds_of_a_hidden_game_and_its_matrix_are_worth_the_same():
    game = Rounds()
    assert double_oracle(game).value == pytest.approx(double_oracle(normal_form(game.payoffs)).value, abs=1e-7)


def test_what_is_not_zero_sum_is_refused():
    with pytest.raises(Invalid, match="zero-sum"):
        double_oracle(BimatrixGame())
