"""Judges: a playout by any policy, a simulation that is cut and evaluated, and what they write where something is wrong."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import OVER, Broken, Invalid, Leduc, Shape, TicTacToe, dice
from fogtree.bandits import UCT, UniformRandom
from fogtree.evaluation import AtEnd, linear
from fogtree.game import new_state
from fogtree.judges import CutOff, Playout, new_room
from fogtree.kernels import kernel
from fogtree.policy import Uniform
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mcts import MCTS, flat
from fogtree.search.trees.mmcts import MMCTS
from fogtree.trouble import ENDLESS, FOREIGN

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose


class First(NamedTuple):
    """Always the first legal action."""

    def weigh(self, game, state, player, choice, odds):
        game.actions(state, choice)
        odds[0] = 1.0
        return 1


class Wrong(NamedTuple):
    """Says that it would play what the player does not have."""

    def weigh(self, game, state, player, choice, odds):
        return FOREIGN


class Corners(NamedTuple):
    """Corners that X holds less those that O holds, each worth a tenth."""

    def value(self, game, state):
        worth = 0.0
        for cell in (0, 2, 6, 8):
            worth += 0.1 * ((state[0] >> cell) & 1) - 0.1 * ((state[1] >> cell) & 1)
        return worth


class Endless(NamedTuple):
    """Two players pass for ever, though shape() says that it takes 6 moves."""

    def shape(self):
        return Shape(2, 1, 1, 6, -1.0, 1.0)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[0] & 1

    def actions(self, state, out):
        out[0] = 0
        return 1

    def step(self, state, action):
        state[0] += 1

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return state[0]


@kernel
def judged(judge, game, state, payoff, room, random):
    return judge.finish(game, state, payoff, room, random)


def finish(judge, game, state, run=judged, seed=1):
    payoff = np.full(2, np.nan)
    said = run(judge, game, state, payoff, new_room(game.shape()), dice.seeded(seed))
    return int(said), payoff.tolist()


def board(*moves):
    state = new_state(TicTacToe())
    for move in moves:
        TicTacToe().step(state, move)
    return state


def test_a_playout_follows_its_policy():
    # first cells first: X takes 0 2 4 6 and has the diagonal 6 4 2, before O's 1 3 5 is a line
    state = board()
    assert finish(Playout(First()), TicTacToe(), state) == (0, [1.0, -1.0])
    assert int(state[0]) == 0b001010101 and TicTacToe().player(state) == OVER


def test_a_playout_is_uniform_unless_said_otherwise():
    assert Playout() == Playout(Uniform())
    wins = sum(finish(Playout(), TicTacToe(), board(), seed=seed)[1][0] for seed in range(2_000)) / 2_000
    assert wins == pytest.approx(0.585 - 0.288, abs=0.08)  # random play: X wins 58.5 %, O 28.8 % of the games


@pytest.mark.parametrize("judge", [Playout(), CutOff(3), CutOff(2, Corners())], ids=str)
def test_interpreted_and_compiled_judge_alike(judge):
    for seed in range(20):
        one, other = board(4), board(4)
        compiled, plain = (
            finish(judge, TicTacToe(), one, judged, seed),
            finish(judge, TicTacToe(), other, judged.interpreted, seed),
        )
        assert compiled == plain and one.tolist() == other.tolist()


def test_a_cut_simulation_is_evaluated_for_each_side():
    assert finish(CutOff(0, Corners()), TicTacToe(), board(0, 4, 8)) == (0, [0.2, -0.2])
    assert finish(CutOff(2, Corners(), First()), TicTacToe(), board(4, 1)) == (0, [0.0, 0.0])  # X takes 0, O takes 2
    assert finish(CutOff(1, Corners(), First()), TicTacToe(), board(4, 1)) == (0, [0.1, -0.1])
    assert finish(CutOff(0), TicTacToe(), board(0, 4, 8)) == (0, [0.0, 0.0])  # without an evaluation nothing is known


def test_where_the_game_is_over_the_payoff_counts_and_not_the_evaluation():
    over = board(0, 3, 1, 4, 2)
    assert finish(CutOff(5, Corners()), TicTacToe(), over) == (0, [1.0, -1.0])
    assert AtEnd().value(TicTacToe(), over) == 1.0 and AtEnd().value(TicTacToe(), board()) == 0.0


def test_what_is_wrong_is_said_and_never_hangs():
    assert finish(Playout(), Endless(), np.zeros(1, np.int64))[0] == ENDLESS
    assert finish(Playout(Wrong()), TicTacToe(), board())[0] == FOREIGN
    assert finish(CutOff(4, policy=Wrong()), TicTacToe(), board())[0] == FOREIGN


@pytest.mark.parametrize("search", [ISMCTS, MMCTS])
def test_a_game_that_never_ends_is_a_sentence_in_every_search(search, interpreted):
    with pytest.raises(Broken, match=r"Endless goes on after 6 moves, the most that shape\(\) allows"):
        search(Endless(), UCT()).run(iterations=10)
    with pytest.raises(Invalid, match="lists an action that the game does not have"):
        search(Leduc(), UCT(), judge=Playout(Wrong())).run(iterations=100)


def test_a_search_believes_its_judge():
    # X at 4, O to move. By Corners O's best reply is a corner, and X's best after it: with no simulation at all the search
    # is a minimax of corners
    search = MCTS(TicTacToe(), seed=1, judge=CutOff(0, Corners())).think(board(4), iterations=3_000)
    assert search.best(board(4)) in (0, 2, 6, 8)
    found = flat(TicTacToe(), board(4), judge=CutOff(0, Corners()), iterations=800, seed=1)
    assert found == pytest.approx({0: 0.1, 1: 0.0, 2: 0.1, 3: 0.0, 5: 0.0, 6: 0.1, 7: 0.0, 8: 0.1})


def test_multiple_trees_take_a_judge_too(interpreted):
    search = MMCTS(TicTacToe(), UniformRandom(), 1, judge=CutOff(0, Corners())).run(iterations=200)
    assert search.iterations == 200 and abs(search.searchers[0].extra.total[0]) < 200 * 0.4


def test_the_default_judge_changes_nothing():
    # the same as handing in uniform playouts, to the last bit
    one, other = ISMCTS(Leduc(), UCT(), 3), ISMCTS(Leduc(), UCT(), 3, judge=Playout(Uniform()))
    found = [search.run(iterations=500).strategy().probability.tolist() for search in (one, other)]
    assert found[0] == found[1]


class Lines(NamedTuple):
    """Features of Tic-Tac-Toe: 0 the centre, 1 a corner; each 1 for X and -1 for O."""

    def size(self):
        return 2

    def active(self, game):
        return 5

    def find(self, game, state, which, worth):
        found = 0
        for cell in (4, 0, 2, 6, 8):
            holder = ((state[0] >> cell) & 1) - ((state[1] >> cell) & 1)
            if holder != 0:
                which[found], worth[found] = (0 if cell == 4 else 1), holder
                found += 1
        return found


@kernel
def valued(evaluation, game, state):
    return evaluation.value(game, state)


def test_a_linear_evaluation_is_the_sum_of_its_features():
    evaluation = linear(TicTacToe(), Lines(), [0.5, 0.25])
    for run in (valued, valued.interpreted):
        assert run(evaluation, TicTacToe(), board(4, 0, 8, 2, 6)) == 0.5 + 0.25 * (2 - 2)
        assert run(evaluation, TicTacToe(), board(0, 4, 8)) == 0.25 * 2 - 0.5
    assert valued(linear(TicTacToe(), Lines()), TicTacToe(), board(4)) == 0.0
    with pytest.raises(Invalid, match="Lines has 2 features, so it needs 2 finite weights"):
        linear(TicTacToe(), Lines(), [1.0])
    with pytest.raises(Invalid, match="Lines has 2 features, so it needs 2 finite weights"):
        linear(TicTacToe(), Lines(), [1.0, np.inf])


def test_a_playout_of_a_game_that_is_over_is_its_payoff():
    assert finish(Playout(), TicTacToe(), board(0, 3, 1, 4, 2)) == (0, [1.0, -1.0])
