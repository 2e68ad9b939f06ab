"""Dominance by pure and mixed strategies, once and iterated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from test_simplex import TABLE_4_1

import fogtree
from fogtree import BimatrixGame, Invalid, MatrixGame
from fogtree.solvers.exact.dominance import KINDS, ORDERS, STRICT, WEAK, dominated, iterated_dominance
from fogtree.solvers.exact.simplex import solve_matrix

FIG_4_1 = MatrixGame([[-4, 0], [3, -3], [0, -2]])  # Briedoň 2015
# a mix of the first two rows is as good as the third where that is good, and better in the last column
HALVES = BimatrixGame([[2, 0, 1], [0, 2, 1], [1, 1, 0]], np.zeros((3, 3)))


def brief(found):
    return [(one.round, one.player, one.action, one.kind) for one in found]


# --- once ---


def test_the_third_action_of_figure_4_1_is_dominated_by_a_mix_and_by_no_action():
    # Briedoň 2015, 4.4.2: "the 3rd action is dominated by the mix of 1st and 2nd actions"
    (one,) = dominated(FIG_4_1, STRICT)
    assert (one.player, one.action, one.kind) == (0, 2, STRICT)
    assert one.by.keys() == {0, 1} and sum(one.by.values()) == pytest.approx(1)
    assert (one.by[0] * FIG_4_1.payoffs[0] + one.by[1] * FIG_4_1.payoffs[1] > FIG_4_1.payoffs[2]).all()


def test_prisoners_betray():
    found = dominated(BimatrixGame())
    assert brief(found) == [(1, 0, 0, STRICT), (1, 1, 0, STRICT)]
    assert all(one.by == {1: 1.0} for one in found)


def test_nothing_is_dominated_in_rock_paper_scissors():
    assert dominated(MatrixGame()) == []


def test_equal_actions_do_not_dominate_each_other():
    assert dominated(BimatrixGame([[1, 2], [1, 2]], [[5, 5], [3, 3]])) == []


def test_a_weak_dominator_may_be_mixed():
    (one,) = dominated(HALVES, WEAK)
    assert (one.player, one.action, one.kind) == (0, 2, WEAK)
    assert one.by == pytest.approx({0: 0.5, 1: 0.5}, abs=1e-9)
    assert dominated(HALVES, STRICT) == []


@pytest.mark.parametrize("little", [1e-2, 1e-5, 1e-7])
def test_a_little_is_enough_to_dominate_and_to_save_from_it(little):
    # the spread of the payoffs is 1; row 0 is better everywhere, or better but for one column
    better = np.array([[1 + little, little], [1, 0]])
    assert brief(dominated(BimatrixGame(better, np.zeros((2, 2))))) == [(1, 0, 1, STRICT)]
    mixed = np.array([[1 + little, 0], [1, little]])
    assert dominated(BimatrixGame(mixed, np.zeros((2, 2)))) == []


@pytest.mark.parametrize("little", [1e-2, 1e-5, 1e-6])
def test_a_little_is_enough_for_a_mix_to_dominate_and_to_save_from_it(little):
    # as in HALVES the mix ties in two columns; in the third it gains this much, or loses it
    for gain, found in ((little, [(1, 0, 2, WEAK)]), (-little, [])):
        payoffs = np.array([[2, 0, 0.5 + gain], [0, 2, 0.5 + gain], [1, 1, 0.5]])
        assert brief(dominated(BimatrixGame(payoffs, np.zeros((3, 3))))) == found


@pytest.mark.parametrize("rounding", [1e-10, 1e-12])
def test_rounding_neither_dominates_nor_saves(rounding):
    tie = np.array([[1 + rounding, rounding], [1, 0]])
    assert dominated(BimatrixGame(tie, np.zeros((2, 2)))) == []
    spoiled = np.array([[2, 1], [1, 1 + rounding]])
    assert brief(dominated(BimatrixGame(spoiled, np.zeros((2, 2))))) == [(1, 0, 1, WEAK)]


def test_a_removal_says_what_happened():
    assert str(dominated(BimatrixGame())[1]) == "round 1: action 0 of player 1 is strictly dominated by action 1"
    text = "round 1: action 2 of player 0 is weakly dominated by 0.5 of 0 + 0.5 of 1"
    assert str(dominated(HALVES)[0]) == text


# --- iterated ---


def test_table_4_1_is_solved_in_the_rounds_that_briedon_tells():
    # Briedoň 2015, 4.3: first columns 2 and 3 and a row (printed: the 1st; it is the 4th), then column 1, then rows 2 and 3.
    # Row 2 goes a round earlier: without columns 2 and 3 a mix of rows 1 and 3 beats it.
    found = iterated_dominance(MatrixGame(TABLE_4_1), order="together")
    assert brief(found.removed) == [
        (1, 0, 3, WEAK),
        (1, 1, 1, WEAK),
        (1, 1, 2, WEAK),
        (2, 0, 1, STRICT),
        (2, 1, 0, WEAK),
        (3, 0, 2, STRICT),
    ]
    assert found.actions == ([0], [3]) and found.game.payoffs.tolist() == [[2.0]]


def test_players_in_turn_come_to_the_same_end_sooner():
    found = iterated_dominance(MatrixGame(TABLE_4_1))
    assert brief(found.removed) == [
        (1, 0, 3, WEAK),
        (1, 1, 0, WEAK),  # dominated once row 4 has gone
        (1, 1, 1, WEAK),
        (1, 1, 2, WEAK),
        (2, 0, 1, STRICT),
        (2, 0, 2, STRICT),
    ]
    assert found.actions == ([0], [3])
    assert str(found).endswith("left of player 0: [0], of player 1: [3] (weak dominance, order: turns)")


def test_nothing_in_table_4_1_is_strictly_dominated():
    found = iterated_dominance(MatrixGame(TABLE_4_1), STRICT)
    assert found.removed == [] and found.actions == ([0, 1, 2, 3], [0, 1, 2, 3])


def test_what_weak_dominance_leaves_depends_on_the_order():
    game = MatrixGame([[0, 1], [1, 1]])
    assert iterated_dominance(game, order="together").actions == ([1], [0])
    assert iterated_dominance(game, order="turns").actions == ([1], [0, 1])  # without row 0 the columns are equal


def test_a_general_sum_game_is_reduced_for_both():
    # Osborne and Rubinstein 1994, figure 63.1: the order decides between T, L and B, R; at once, T and B go and a tie is left
    game = BimatrixGame([[1, 0], [1, 2], [0, 2]], [[1, 0], [1, 1], [0, 1]])
    found = iterated_dominance(game)
    assert brief(found.removed) == [(1, 0, 0, WEAK), (1, 0, 2, WEAK)]
    assert isinstance(found.game, BimatrixGame)
    assert (found.game.first.tolist(), found.game.second.tolist()) == ([[1, 2]], [[1, 1]])


GAMES = arrays.arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(-2, 2))
MANY = settings(deadline=None, max_examples=50)


@MANY
@given(GAMES, st.sampled_from(list(ORDERS)), st.sampled_from(KINDS))
def test_the_value_of_a_zero_sum_game_stays(payoffs, order, kind):
    found = iterated_dominance(MatrixGame(payoffs), kind, order)
    assert solve_matrix(found.game.payoffs).value == pytest.approx(solve_matrix(payoffs).value, abs=1e-9)
    assert dominated(found.game, kind) == []


@MANY
@given(GAMES)
def test_strict_dominance_ends_the_same_in_any_order(payoffs):
    first, second = (iterated_dominance(MatrixGame(payoffs), STRICT, order) for order in ORDERS)
    assert first.actions == second.actions


@MANY
@given(GAMES, st.randoms(use_true_random=False), st.sampled_from(list(ORDERS)))
def test_every_reason_holds_in_the_game_as_it_was_then(first, random, order):
    second = np.array([[random.randint(-2, 2) for _ in row] for row in first])
    found = iterated_dominance(BimatrixGame(first, second), WEAK, order)
    payoffs, left = (first, second.T), [set(range(count)) for count in first.shape]
    for number in range(1, 1 + max((one.round for one in found.removed), default=0)):
        for players in ORDERS[order]:
            gone = [one for one in found.removed if one.round == number and one.player in players]
            answers = [sorted(left[1 - player]) for player in (0, 1)]  # before anybody's actions go
            for one in gone:
                left[one.player].remove(one.action)
            for one in gone:
                u = payoffs[one.player][:, answers[one.player]]
                gain = sum(p * u[action] for action, p in one.by.items()) - u[one.action]
                assert gain.min() > (0 if one.kind == STRICT else -1e-8) and gain.max() > 1e-8
                assert one.by.keys() <= left[one.player]  # the reason stays in the game
    assert found.actions == (sorted(left[0]), sorted(left[1]))


# --- limits ---


def test_other_games_and_words_are_refused():
    with pytest.raises(Invalid, match="dominance is looked for in matrix and bimatrix games, not in kuhn"):
        dominated(fogtree.Kuhn())
    with pytest.raises(Invalid, match="there is no dominance called 'mild': valid are strict, weak"):
        iterated_dominance(MatrixGame(), "mild")
    with pytest.raises(Invalid, match="there is no order 'random': valid are turns, together"):
        iterated_dominance(MatrixGame(), order="random")
