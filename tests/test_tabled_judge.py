"""A judge that ends simulations where an endgame table knows the outcome."""

import numpy as np
import pytest

from fogtree import dice
from fogtree.bandits import UCT
from fogtree.endings import best_action
from fogtree.game import new_state
from fogtree.games.chess import Chess
from fogtree.games.chess.endings import endings_of
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.judges import CutOff, Playout, Tabled, new_room
from fogtree.kernels import kernel
from fogtree.search.trees.mcts import MCTS
from fogtree.solvers.exact.retrograde import tabulate

GAME = Chess()
WON = "8/8/8/5k2/8/8/8/QK6 w - - 0 1"
LOST = "8/8/8/5k2/8/8/8/QK6 b - - 0 1"
DRAWN = "8/8/8/8/4k3/8/4p3/4K3 w - - 0 1"


@pytest.fixture(scope="module")
def table():
    return tabulate(GAME, endings_of("three"), keep=False)


@kernel
def judged(judge, game, state, payoff, room, random):
    return judge.finish(game, state, payoff, room, random)


def finish(judge, fen, run=judged, seed=1):
    state, payoff = new_state(GAME), np.full(2, np.nan)
    GAME.from_notation(fen, state)
    assert run(judge, GAME, state, payoff, new_room(GAME.shape()), dice.seeded(seed)) == 0
    return payoff.tolist(), state


@pytest.mark.parametrize("fen, payoffs", [(WON, [1.0, -1.0]), (LOST, [1.0, -1.0]), (DRAWN, [0.0, 0.0])])
def test_a_known_state_is_worth_what_the_table_says(table, fen, payoffs):
    found, state = finish(Tabled(table), fen)
    assert found == payoffs
    assert GAME.notation(state) == fen  # nothing was played


def test_a_simulation_ends_as_soon_as_the_table_knows(table):
    # Where a man was taken, that was the last move: three men are not played on.
    for seed in range(20):
        _, state = finish(Tabled(table), "8/8/3r4/5k2/8/8/8/QK6 w - - 0 1", seed=seed)
        pieces = sum(letter.isalpha() for letter in GAME.notation(state).split()[0])
        assert pieces == 4 or (pieces == 3 and GAME.notation(state).split()[4] == "0")


def test_without_moves_another_judge_takes_over_at_once(table):
    fen = "8/8/3r4/5k2/8/8/8/QK6 w - - 0 1"
    with_table, state = finish(Tabled(table, CutOff(0, PieceSquares()), moves=0), fen)
    alone, _ = finish(CutOff(0, PieceSquares()), fen)
    assert with_table == alone
    assert GAME.notation(state) == fen


def test_interpreted_and_compiled_agree(table):
    fen = "8/8/8/4k3/8/8/q7/1K5R w - - 0 1"
    for judge in (Tabled(table), Tabled(table, CutOff(0, PieceSquares()), moves=3)):
        compiled, interpreted = (finish(judge, fen, run) for run in (judged, judged.interpreted))
        assert compiled[0] == interpreted[0]
        assert np.array_equal(compiled[1][:18], interpreted[1][:18])


def test_a_search_with_the_table_finds_the_only_move_that_wins(table):
    # The pawn is a move from the queen, and all other moves lose it.
    state = new_state(GAME)
    GAME.from_notation("8/2P5/1k6/8/8/8/8/K7 w - - 0 1", state)
    search = MCTS(GAME, UCT(), seed=1, judge=Tabled(table, Playout())).think(state, iterations=300)
    assert GAME.label(state, search.best(state)) in ("c8=Q", "c8=R")
    assert best_action(GAME, table, state) in (search.best(state), GAME.read(state, "c8=Q"))
