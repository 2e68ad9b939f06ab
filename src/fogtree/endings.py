"""Endings: sets of positions of an open game that are numbered, so that a table can keep what perfect play makes of each.

A game numbers positions by a `NamedTuple`, its places:

    number(game, state)         the number of a state in which somebody is to move, or OUTSIDE. States that are worth the same
                                by a symmetry of the game may share a number.
    place(game, number, state)  writes a state that has this number, as it stands when nothing has happened before; returns
                                False where no state has it.
    patience(game, state)       optional: how many moves the course of the game still allows (the clock of chess). A win that
                                takes longer may be none. Without it, any number.

Only Python calls `stages()`, which lists (name, count): the numbers 0 to count - 1 are those of the first stage, and so on.
Every move leads to the end of the game, into the same stage or into an earlier one. `version()` is raised when positions get
other numbers.

`EndgameTable(places, outcome)` answers for every state that has a number. `solvers/exact/retrograde.py` makes it; `judges.py`
ends simulations in it. A game that has endings says so by the Python-only method `endings(which)`, which returns
places; the word `all` stands for every ending that it can number.
"""

from typing import Any, NamedTuple

import numpy as np

from .game import CHANCE, OVER, legal, sides
from .kernels import kernel, optional

OUTSIDE = -1  # no number of a position
DRAWN = 0  # an outcome: nobody can force a win
ABSENT = -(1 << 15)  # an outcome: no position has this number, or the game is over there
UNKNOWN = 1 << 15  # no outcome: the table does not know the state
LONGEST = (1 << 15) - 2  # moves until the end, at most


optional("patience", lambda places, game, state: LONGEST)


class EndgameTable(NamedTuple):
    """What perfect play makes of the positions that have a number."""

    places: Any
    outcome: np.ndarray  # [number] n: the mover wins with the n-th move from here, of both; -n: loses so

    def find(self, game, state):
        """The outcome of a state in which somebody is to move, or UNKNOWN."""
        number = self.places.number(game, state)
        if number == OUTSIDE:
            return np.int64(UNKNOWN)
        outcome = np.int64(self.outcome[number])
        if outcome == ABSENT or abs(outcome) > self.places.patience(game, state):
            return np.int64(UNKNOWN)
        return outcome


@kernel
def look_up(game, table, state):
    """The outcome of one state, or UNKNOWN."""
    player = game.player(state)
    if player == OVER or player == CHANCE:
        return np.int64(UNKNOWN)
    return table.find(game, state)


def outcome_of(game: Any, table: EndgameTable, state: np.ndarray) -> int | None:
    """n where the mover wins with the n-th move from here, -n where the mover loses so, 0 in a draw; None where the table
    does not know the state."""
    found = int(look_up(game, table, state))
    return None if found == UNKNOWN else found


def best_action(game: Any, table: EndgameTable, state: np.ndarray) -> int | None:
    """The quickest way to win, or to draw, or else the longest resistance; the first of several. None where the table does
    not know all that can happen next."""
    if outcome_of(game, table, state) is None:
        return None
    me, ranked = sides(game)[game.player(state)], []
    with np.errstate(over="ignore"):
        for action in legal(game, state):
            child = state.copy()
            game.step(child, action)
            worth = _worth(game, table, child, me)
            if worth is None:
                return None
            ranked.append((worth, action))
    return max(ranked, key=lambda pair: pair[0])[1]


def _worth(game: Any, table: EndgameTable, state: np.ndarray, me: int) -> float | None:
    """How much a side likes a state: above 0 a win, the sooner the better; below 0 a loss, the later the better."""
    player, shape, side = int(game.player(state)), game.shape(), sides(game)
    if player == OVER:
        value = float(game.payoff(state, side.index(me))) - (shape.low + shape.high) / 2
        return float(np.sign(value))
    outcome = outcome_of(game, table, state)
    if outcome is None:
        return None
    if outcome == DRAWN:
        return 0.0
    wins = (outcome > 0) == (side[player] == me)
    return 1.0 / (1 + abs(outcome)) if wins else -1.0 / (1 + abs(outcome))
