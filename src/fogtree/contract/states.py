"""States that a user hands over: whether a game can go on from them, looked at before compiled code does.

A row of the right length need not be a state. In plain Python an index out of bounds is an error; in machine code it reads
and writes somewhere else, and ends the process. So random games are played from the rows first, interpreted, by the rules of
`rules.py`, for a moment: from each row one, or from some of many, then more as far as the time goes. A row that passes is
perhaps no state that the game can reach, but the game knows how to go on from it.
"""

from typing import Any, NoReturn

import numpy as np

from .. import dice
from ..clock import clock
from ..errors import Invalid
from ..game import OVER
from .asking import Asked
from .entry import is_off
from .history import History
from .rules import Rules
from .watchdog import Watchdog

MOST = 256  # rows that are looked at
GAMES = 4  # random games from each
SECONDS = 0.05  # after which no move is made, except for the first of the first row


class _Given(Asked):
    """A game that is asked about rows of somebody's own: what fails is the row's fault."""

    def __init__(self, game: Any, dog: Watchdog):
        super().__init__(game, dog)
        self.game, self.row_type = game, np.ndarray  # the game itself was checked before
        self.row_number = 0

    def broken(self, history: History, verb: str, rule: str, cause: BaseException | None = None) -> NoReturn:
        moves = len(history.moves)
        after = f" after {moves} random move{'s' if moves > 1 else ''}" if moves else ""
        raise Invalid(f"row {self.row_number} is no state of {self.kind}: {verb} {rule}{after}") from cause


def require_states(game: Any, states: np.ndarray) -> None:
    """Raise `Invalid` where a game cannot go on from a row [rows, words], as far as a moment shows."""
    if is_off():
        return
    end, random = clock() + SECONDS, dice.seeded(0)
    with np.errstate(all="ignore"), Watchdog() as dog:
        asked = _Given(game, dog)
        rules = Rules(asked)
        for _ in range(GAMES):
            for number in range(0, len(states), max(1, len(states) // MOST)):
                asked.row_number = number
                _play(asked, rules, states[number], random, end)
                if clock() >= end:
                    return


def _play(asked: Asked, rules: Rules, row: np.ndarray, random: np.ndarray, end: float) -> None:
    """A random game from a row, until it is over or the time is up."""
    at = History(row.astype(np.int64))
    while True:
        player = rules.mover(at)
        for seat in range(rules.shape.players):
            asked.word(at, "view", asked.call(at, "view", at.state, seat))
        if player == OVER:
            rules.payoffs(at)
            return
        actions = rules.actions(at)
        rules.odds(at, player, len(actions))
        if at.moves and clock() >= end:
            return
        action = actions[dice.below(random, len(actions))]
        at = History(asked.step(at, action), (*at.moves, action))
