"""What a Go player thinks at first sight: weights on drawn positions, worked out by hand."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.bandits import UCT
from fogtree.game import new_state
from fogtree.games.go import Go, MoGo
from fogtree.games.go.priors import FirstSight
from fogtree.judges import Playout
from fogtree.search.trees.mcts import MCTS

PLAIN = dict.fromkeys(("save", "capture", "pattern", "close", "atari", "edge"), 1.0)


def strengths(written, policy, side=5):
    """{vertex: strength}, where passing has 1."""
    game = Go(side)
    state, choice, odds = new_state(game), np.zeros(side * side + 1, np.int64), np.zeros(side * side + 1)
    with np.errstate(over="ignore"):
        game.from_notation(written, state)
        count = policy._replace(passing=1.0).weigh(game, state, 0, choice, odds)
    assert odds[:count].sum() == pytest.approx(1) and (np.diff(choice[:count]) > 0).all()
    return {game.label(state, int(choice[i])): odds[i] / odds[count - 1] for i in range(count)}


def only(written, side=5, **factor):
    """The vertices whose strength is the one factor that is not 1, and nothing else is."""
    found = strengths(written, FirstSight(**PLAIN | factor), side)
    (value,) = factor.values()
    assert set(np.round(list(found.values()), 9)) <= {1.0, value}
    return {vertex for vertex, strength in found.items() if strength == pytest.approx(value)}


def test_the_first_line_is_weak_where_nobody_is_near():
    first_line = {f"{column}{row}" for column in "ABCDE" for row in range(1, 6)} - {
        f"{column}{row}" for column in "BCD" for row in range(2, 5)
    }
    assert only("5/5/5/5/5 b", edge=0.5) == first_line
    assert only("5/5/5/1X3/5 w", edge=0.5) == first_line - {"A1", "B1", "C1", "A2", "A3"}


def test_taking_stones():
    # white's stone in the corner has one liberty, B1
    assert only("5/5/5/X4/O4 b", capture=3) == {"B1"}
    assert only("5/5/5/X4/O4 w", capture=3) == set()


def test_saving_stones():
    # the stone on C3 has one liberty, C2, and after it two
    assert only("5/2X2/1XOX1/5/5 w", save=3) == {"C2"}
    assert only("5/2X2/1XOX1/5/5 b", save=3) == set()
    # on the first line the way out has one liberty alone: that saves nothing
    assert "A1" not in only("5/5/X4/O4/1X3 w", save=3)


def test_a_stone_in_atari():
    assert only("5/5/5/1X3/X4 w", atari=0.5) == {"A2", "B1"}  # one liberty each, A3 and C1
    assert only("5/5/X4/1X3/5 w", atari=0.5) == {"A2"}  # A1 alone is left to it


def test_near_the_last_move():
    near = only("5/5/5/5/5 b C3", close=2)
    assert len(near) == 24  # two rows and columns to each side are the whole board
    assert only("9/9/9/9/9/9/9/9/9 b A1", side=9, close=2) == {"A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"}
    assert only("5/5/5/5/5 b C3 pass", close=2) == set()  # a pass is nowhere


def test_patterns():
    # hane 1: X O X in a row, and the point below the middle is empty to both sides
    assert "C3" in only("5/1XOX1/5/5/5 b", pattern=2)
    assert only("5/5/5/5/5 b", pattern=2) == set()


def test_own_eyes_are_pruned():
    found = strengths("5/5/5/XX3/1X3 b", FirstSight())
    assert "A1" not in found and "C1" in found
    assert "A1" not in strengths("5/5/5/XX3/1X3 w", FirstSight())  # suicide


def test_where_nothing_is_left_there_is_the_pass():
    assert strengths("XXXXX/X1XXX/XXXXX/XXX1X/XXXXX b", FirstSight()) == {"pass": 1.0}


def test_far_points_are_pruned_on_a_board_with_stones():
    few, many = "9/9/9/9/9/9/9/XOX6/X1O6 b", "9/9/9/9/9/9/X8/XOX6/X1OXO4 b"  # 5 stones and 8
    assert len(strengths(few, FirstSight(distance=2), 9)) > 70
    found = strengths(many, FirstSight(distance=2), 9)
    # E1 reaches G3, C2 reaches E4, and A3 reaches C5
    assert {"G1", "G3", "E4", "C5", "pass"} <= set(found) and not {"H1", "G4", "F4", "D5", "A6"} & set(found)
    found = strengths("X1OXO4/XOX6/X8/9/9/9/9/9/9 b", FirstSight(distance=2), 9)  # the same from above
    assert {"G9", "G7", "E6", "C5", "pass"} <= set(found) and not {"H9", "G6", "F6", "D5", "A4"} & set(found)


def test_factors_are_multiplied():
    found = strengths("5/5/5/X4/O4 b", FirstSight(**PLAIN | {"capture": 3, "atari": 0.5, "edge": 0.25}))
    assert found["B1"] == pytest.approx(3.0) and found["E5"] == pytest.approx(0.25)


def test_parameters_are_checked():
    with pytest.raises(Invalid, match=r"save must be a number in \(0, 1000\]"):
        FirstSight(save=0)


def test_a_search_with_the_prior_takes_what_is_in_atari(interpreted):
    game = Go(3, komi=0.5)
    state = new_state(game)
    with np.errstate(over="ignore"):
        game.from_notation("3/X2/O2 b", state)
        search = MCTS(game, UCT(), 1, judge=Playout(MoGo()), prior=FirstSight()).think(state, iterations=30)
    assert search.best(state) in range(10)
