"""Rounds: sequences of hidden simultaneous choices. Moves alternate between player 0 and player 1."""

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs
from scipy.optimize import linprog

import fogtree
from fogtree import OVER, REFEREE, Invalid, Rounds
from fogtree.game import legal
from fogtree.games.rounds import random_rounds

GAME = Rounds()
UNEVEN = Rounds(np.arange(8 * 27).reshape(8, 27), rounds=3, rows=2, columns=3)


def test_two_rounds_of_two_actions_have_three_information_sets_a_player():
    # the first choice, and the second after either of the own first ones
    count = fogtree.count(GAME)
    assert (count.histories, count.ends, count.infosets) == (1 + 2 + 4 + 8 + 16, 16, (3, 3))


def test_information_sets_are_the_own_choices_so_far():
    count = fogtree.count(UNEVEN)
    assert count.ends == 2**3 * 3**3
    assert count.infosets == (1 + 2 + 4, 1 + 3 + 9)


def test_the_two_stage_game_of_briedon_2015_is_worth_1_1():
    # nobody learns anything, so the plans are the pure strategies and the payoffs the normal form: its linear program
    rows, columns = GAME.payoffs.shape
    # maximise v with x >= 0, sum x = 1, and x A >= v against every column
    solved = linprog(
        np.append(np.zeros(rows), -1),
        A_ub=np.hstack([-GAME.payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    assert -solved.fun == pytest.approx(1.1, abs=1e-9)


def test_random_play_is_worth_the_mean_of_the_payoffs():
    assert expectation(GAME) == pytest.approx(GAME.payoffs.mean(), abs=1e-12)
    assert expectation(UNEVEN) == pytest.approx(UNEVEN.payoffs.mean(), abs=1e-9)


def test_a_plan_is_the_number_that_the_choices_spell():
    # player 0 plays 1 then 0, player 1 plays 0 then 1: plans 2 and 1
    assert payoffs(GAME, after(GAME, 1, 0, 0, 1)) == (6, -6)
    assert payoffs(GAME, after(GAME, 0, 0, 0, 0)) == (-7, 7)
    # plans 0b101 = 5 and 2 * 9 + 0 * 3 + 1 = 19
    assert payoffs(UNEVEN, after(UNEVEN, 1, 2, 0, 0, 1, 1)) == (5 * 27 + 19, -5 * 27 - 19)


def test_players_choose_in_turn_among_their_own_actions():
    assert UNEVEN.player(after(UNEVEN)) == 0 and legal(UNEVEN, after(UNEVEN)) == [0, 1]
    assert UNEVEN.player(after(UNEVEN, 1)) == 1 and legal(UNEVEN, after(UNEVEN, 1)) == [0, 1, 2]
    assert UNEVEN.player(after(UNEVEN, 1, 2, 0, 0, 1, 1)) == OVER


def test_nobody_ever_sees_the_others_choices():
    assert indistinct(GAME, 0, (0, 0, 1), (0, 1, 1))
    assert indistinct(GAME, 1, (0, 1, 0), (1, 1, 1))
    assert not indistinct(GAME, 0, (0, 1), (1, 1))
    assert not indistinct(GAME, 1, (0, 0), (0, 1))


def test_own_choices_alone_are_shown():
    state = after(UNEVEN, 1, 2, 0, 1, 1)
    assert UNEVEN.show(state, 0) == "you chose: 1 0 1"
    assert UNEVEN.show(state, 1) == "you chose: 2 1"
    assert UNEVEN.show(state, REFEREE) == "player 0 chose: 1 0 1\nplayer 1 chose: 2 1"
    assert UNEVEN.show(after(UNEVEN, 1), 1) == "you chose: nothing yet"


def test_a_seed_makes_the_same_random_game_again():
    game = random_rounds(7, rounds=3, rows=2, columns=3, low=-2, high=5)
    assert game.payoffs.shape == (8, 27) and (game.rounds, game.rows, game.columns) == (3, 2, 3)
    np.testing.assert_array_equal(game.payoffs, random_rounds(7, 3, 2, 3, -2, 5).payoffs)
    assert set(game.payoffs.ravel()) == set(range(-2, 6))  # both ends included
    assert not np.array_equal(game.payoffs, random_rounds(8, 3, 2, 3, -2, 5).payoffs)


def test_a_name_carries_the_payoffs():
    assert fogtree.name(GAME) == "rounds"
    one = Rounds([[1, 2], [3, 4]], rounds=1)
    assert fogtree.name(one) == "rounds:payoffs=[[1.0,2.0],[3.0,4.0]],rounds=1"
    again = fogtree.load(fogtree.name(one))
    np.testing.assert_array_equal(again.payoffs, one.payoffs)
    assert again[1:] == one[1:]


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"rounds": 3}, "payoffs must be 8 x 8, not (4, 4)"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 10, not 0"),
        ({"columns": 65}, "columns must be a whole number from 1 to 64, not 65"),
        ({"rows": 0}, "rows must be a whole number from 1 to 64, not 0"),
        ({"payoffs": 5}, "payoffs must be a matrix of finite numbers, written [[1,-1],[-1,1]], not 5"),
    ],
)
def test_wrong_rounds_are_refused_with_the_valid_ones(wrong, sentence):
    with pytest.raises(Invalid) as refusal:
        Rounds(**wrong)
    assert str(refusal.value) == f"Rounds: {sentence}"
