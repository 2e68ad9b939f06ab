"""Features of small open games, for evaluations that learn; and which features a game has.

All features are differences, player 0's minus those of player 1 seen from the other side. So a position with the players
exchanged has the same value with the other sign. A class of features is described in `evaluation.py`.
"""

from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..kernels.bits import lowest
from . import breakthrough, connect_four
from .breakthrough import Breakthrough
from .chess import Chess
from .chess.features import ChessFeatures
from .connect_four import ConnectFour

ONE = np.uint64(1)


class BreakthroughFeatures(NamedTuple):
    """A man on each cell; on each row, men that another one guards and men that can be taken; and whose move it is."""

    rows: int = 8
    columns: int = 8

    def size(self):
        return self.rows * self.columns + 2 * self.rows + 1

    def active(self, game):
        return 3 * self.rows * self.columns + 1

    def find(self, game, state, which, worth):
        found, cells = 0, self.rows * self.columns
        for player in range(2):
            sign = 1.0 if player == 0 else -1.0
            own, foe = np.uint64(state[breakthrough.MEN + player]), np.uint64(state[breakthrough.MEN + 1 - player])
            left = own
            while left:
                cell = lowest(left)
                left &= left - ONE
                row, column = cell // self.columns, cell % self.columns
                forward = self.columns if player == 0 else -self.columns
                guarded = attacked = False
                for side in (-1, 1):
                    if 0 <= column + side < self.columns:
                        back, ahead = cell - forward + side, cell + forward + side
                        if 0 <= back < cells:
                            guarded = guarded or (own >> np.uint64(back)) & ONE != np.uint64(0)
                        if 0 <= ahead < cells:
                            attacked = attacked or (foe >> np.uint64(ahead)) & ONE != np.uint64(0)
                row = row if player == 0 else self.rows - 1 - row
                which[found], worth[found] = row * self.columns + column, sign
                found += 1
                if guarded:
                    which[found], worth[found] = cells + row, sign
                    found += 1
                if attacked:
                    which[found], worth[found] = cells + self.rows + row, sign
                    found += 1
        which[found], worth[found] = cells + 2 * self.rows, 1.0 if state[breakthrough.TURN] == 0 else -1.0
        return found + 1


class ConnectFourFeatures(NamedTuple):
    """A disc on each cell, the rows of four (or so) cells that belong to one player alone, by how many discs lie there and by
    the height of their lowest empty cell, and whose move it is."""

    rows: int = 6
    columns: int = 7
    line: int = 4

    def size(self):
        return self.rows * self.columns + (self.line + 1) * self.rows + 1

    def active(self, game):
        return 5 * self.rows * self.columns + 1

    def find(self, game, state, which, worth):
        found, cells, height = 0, self.rows * self.columns, self.rows + 1
        first, second = state[connect_four.DISCS], state[connect_four.DISCS + 1]
        for column in range(self.columns):
            for row in range(self.rows):
                at = column * height + row
                if (first | second) >> at & 1:
                    which[found] = column * self.rows + row
                    worth[found] = 1.0 if first >> at & 1 else -1.0
                    found += 1
                for direction in range(4):
                    across, up = (0, 1, 1, 1)[direction], (1, -1, 0, 1)[direction]
                    last_column, last_row = column + across * (self.line - 1), row + up * (self.line - 1)
                    if last_column >= self.columns or last_row < 0 or last_row >= self.rows:
                        continue
                    mine = yours = 0
                    lowest_empty = self.rows
                    for k in range(self.line):
                        cell = (column + k * across) * height + row + k * up
                        mine += first >> cell & 1
                        yours += second >> cell & 1
                        if ((first | second) >> cell & 1) == 0:
                            lowest_empty = min(lowest_empty, row + k * up)
                    if (mine == 0) != (yours == 0) and lowest_empty < self.rows:
                        which[found] = cells + (mine + yours) * self.rows + lowest_empty
                        worth[found] = 1.0 if mine else -1.0
                        found += 1
        which[found] = cells + (self.line + 1) * self.rows
        worth[found] = 1.0 if state[connect_four.COUNT] & 1 == 0 else -1.0
        return found + 1


def features_of(game: Any) -> Any:
    """The features of a game: its own, where it has a method `features`, or those that we know for it."""
    if hasattr(game, "features"):
        return game.features()
    if isinstance(game, Breakthrough):
        return BreakthroughFeatures(game.rows, game.columns)
    if isinstance(game, ConnectFour):
        return ConnectFourFeatures(game.rows, game.columns, game.line)
    if isinstance(game, Chess):
        return ChessFeatures()
    raise Invalid(
        f"{type(game).__name__} has no features to learn with: give it a method features(), as fogtree.evaluation describes"
    )
