"""Pairs of matches: sides exchanged, a limit of moves, resigning, and forfeits that are no result."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.arena.pairs import match, play_pair, points
from fogtree.arena.referee import Forfeit, play
from fogtree.arena.sight import Resigned
from fogtree.evaluation import AtEnd
from fogtree.game import new_state
from fogtree.games import TicTacToe
from fogtree.text.notation import Course

GAME = TicTacToe()


class Plays:
    """Takes the first of these cells that is free."""

    def __init__(self, *cells):
        self.cells = cells

    def act(self, sight):
        return next(cell for cell in self.cells if cell in sight.actions)


class Gives:
    def act(self, sight):
        raise Resigned


LINE, LATE = Plays(0, 1, 2, *range(9)), Plays(8, 7, 5, *range(9))


def test_each_agent_has_the_first_side_once_and_points_are_the_first_agents():
    # who moves first completes a line of three and wins; LATE takes 8, 7 and 5, and then the other's cells
    pair = play_pair(GAME, LINE, LATE)
    assert [played.moves[0].action for played in pair] == [0, 8]
    assert points(GAME, pair) == (1.0, 1.0)  # as second LINE has 0, 1, 2 after three moves, and LATE 8, 7, 5
    assert points(GAME, play_pair(GAME, LATE, LINE)) == (0.0, 0.0)


def test_a_pair_begins_where_it_is_told_to():
    state = new_state(GAME)
    for action in (0, 3, 1, 4):  # who moves now has 0 and 1
        GAME.step(state, action)
    pair = play_pair(GAME, Plays(2, *range(9)), Plays(5, *range(9)), start=Course(state))
    assert [[move.action for move in played.moves][:2] for played in pair] == [[2], [5, 2]]


def test_a_match_that_is_too_long_is_left_and_is_a_draw():
    (played, _) = play_pair(GAME, LINE, LATE, longest=4)
    assert played.unfinished and len(played.moves) == 4 and played.payoffs == (0.0, 0.0)
    assert points(GAME, play_pair(GAME, LINE, LATE, longest=4)) == (0.5, 0.5)
    start = Course(np.array(new_state(GAME)), ())
    assert not play(GAME, [LINE, LATE], longest=5, start=start).unfinished, "it is over after five moves"


def test_who_resigns_loses_and_the_referee_says_so():
    played = play(GAME, [LINE, Gives()])
    assert played.payoffs == (1.0, -1.0) and played.forfeit == Forfeit(1, "Gives resigned", True)
    with pytest.raises(Invalid, match="a match was forfeited, so the pair would mean nothing: Gives resigned"):
        play_pair(GAME, LINE, Gives())


def test_a_match_of_evaluations_tells_of_each_pair():
    told = []
    score = match(GAME, AtEnd(), AtEnd(), pairs=3, depth=1, progress=lambda step: told.append((step.done, step.goal)))
    assert told == [(1, 3), (2, 3), (3, 3)] and score.games == 6
