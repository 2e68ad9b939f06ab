"""Equity: the share of the pot that a hand would win if nobody bet any more, against the hands that the other holds.

down = CheckedDown(form)
down.equity(board, reach)      of all hands on a board of the form, when the players hold their hands so often
"""

from typing import Any

import numpy as np

from ...game import NONE
from .cards import hands_of
from .hand_sweeps import Expect, nothing_kept, sweep
from .public_form import PublicForm, checked_down
from .vector_cfr import VectorCFR

NOTHING = 1e-12  # a share of the whole reach that is only rounding


class CheckedDown:
    """The cards of a form without any betting, on which hands are met from any board on."""

    def __init__(self, form: PublicForm):
        self.form = checked_down(form)
        self.cfr = VectorCFR(self.form, dtype=np.float64)

    def equity(self, board: int, reach: Any) -> tuple[float, np.ndarray, np.ndarray]:
        """The share of player 0 on average, and [hand] that of each hand of each player; NaN for hands that meet none.
        `reach` is [player][hand] how often the players hold the hands of the board."""
        found = []
        for me in (0, 1):
            met = met_by(self.form, me, board, reach[1 - me])
            value = self._values(board, me, reach[1 - me])
            possible = met > 0
            weight = met * self.form.chance[self.form.boards.stage[board]]
            found.append(np.where(possible, value / np.where(possible, weight, 1.0), np.nan))
        both = reach[0] * met_by(self.form, 0, board, reach[1])
        total = both.sum()
        mean = float(np.nansum(both * found[0]) / total) if total > 0 else float("nan")
        return mean, found[0], found[1]

    def _values(self, board: int, me: int, reach: np.ndarray) -> np.ndarray:
        """[hand] the counterfactual values of a player's hands on a board."""
        cfr, betting, boards = self.cfr, self.cfr.betting, self.form.boards
        entry, other, hold = int(boards.stage[board]), cfr.hold[1 - me], cfr.hold  # a stage has one entry here
        gate = int(betting.gate[entry])
        if gate == NONE:
            other = other._replace(weight=reach.astype(cfr.dtype))
            hold = (hold[0], other) if me == 0 else (other, hold[1])
        else:  # as if it came from the board before
            begin = int(other.start[board])
            row = int(betting.source[me, gate])
            cfr.rows.reach[row, other.up[begin : begin + int(other.width[board])]] = reach
        sweep(
            betting,
            boards,
            Expect(),
            me,
            cfr.stores,
            hold,
            cfr.rows,
            board,
            int(boards.after[board]),
            nothing_kept(cfr.dtype),
        )
        row, width = int(betting.entry[entry]), int(hold[me].width[board])
        return cfr.rows.value[row, :width] / cfr.unit


def met_by(form: PublicForm, me: int, board: int, reach: np.ndarray) -> np.ndarray:
    """[hand] the reach of the other's hands that each own hand on a board can meet."""
    hands, mass = hands_of(form.cards), np.zeros(form.cards.cards + 2)
    mine, other = form.hands[me][board], form.hands[1 - me][board]
    np.add.at(mass, hands.low[other], reach)
    np.add.at(mass, hands.high[other], reach)
    own = np.zeros(len(hands.low))
    own[other] = reach
    met = reach.sum() - mass[hands.low[mine]] - mass[hands.read[mine]] + own[mine]
    return np.where(met > NOTHING * reach.sum(), met, 0.0)
