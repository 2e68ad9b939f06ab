"""Connect Four: drop discs, four in a row win, everything in the open. Rules version 1.

Two players, player 0 (x) first, drop a disc of theirs into a column that is not full; it falls on the discs that lie there.
Whoever gets enough discs in a row, upright, level or slanting, wins; a full board is a draw. Payoffs 1, 0, -1. An action is a
column, 0 being the leftmost.

The board is a word for each player. A column takes one bit more than it has cells, so that no row runs on into the next
column; cell (row, column) is bit column * (rows + 1) + row, row 0 at the bottom. The discs of player 0 plus all discs plus a
bit below each column is a number that no other position has (J. Tromp), and serves as its key.
"""

from typing import NamedTuple

from ..game import OVER, Shape, seen
from ..shapes import BOARD, FIRST, PAPER, SECOND, Cell, Disc, Text
from ..text.parameters import accepts

DISCS, COUNT, WINNER, VIEW, WORDS = 0, 2, 3, 4, 5  # state: two bit boards | discs dropped | winner + 1 | the moves


@accepts(
    rows=(range(2, 9), "rows of the board"),
    columns=(range(2, 16), "columns of the board; (rows + 1) x columns is at most 63"),
    line=(range(2, 9), "so many in a row win"),
)
class ConnectFour(NamedTuple):
    rows: int = 6
    columns: int = 7
    line: int = 4  # so many in a row win

    def problem(self):
        if (self.rows + 1) * self.columns > 63:
            return f"{self.columns} columns of {self.rows} rows do not fit: (rows + 1) x columns is at most 63"
        if self.line > max(self.rows, self.columns):
            return f"{self.line} in a row do not fit on a board of {self.columns} columns and {self.rows} rows"
        return ""

    def shape(self):
        return Shape(2, WORDS, self.columns, self.rows * self.columns, -1.0, 1.0, open=True)

    def start(self, state):
        state[:] = 0
        state[VIEW] = 1

    def player(self, state):
        if state[WINNER] or state[COUNT] == self.rows * self.columns:
            return OVER
        return state[COUNT] & 1

    def actions(self, state, out):
        taken = state[DISCS] | state[DISCS + 1]
        count = 0
        for column in range(self.columns):
            out[count] = column  # the next overwrites it if full; a branch would be mispredicted
            count += 1 - ((taken >> (column * (self.rows + 1) + self.rows - 1)) & 1)
        return count

    def step(self, state, action):
        me = state[COUNT] & 1
        state[DISCS + me] |= self.landing(state, action)
        state[VIEW] = seen(state[VIEW], action, self.columns)
        state[COUNT] += 1
        if self.joined(state[DISCS + me]):
            state[WINNER] = me + 1

    def landing(self, state, column):
        """The cell where a disc dropped into a column comes to rest."""
        bottom = 1 << (column * (self.rows + 1))
        cells = bottom * ((1 << self.rows) - 1)
        return ((state[DISCS] | state[DISCS + 1]) & cells) + bottom

    def joined(self, discs):
        """Whether enough of these discs are in a row."""
        height = self.rows + 1
        for step in (1, height - 1, height, height + 1):
            row = discs
            for _ in range(self.line - 1):
                row = discs & (row >> step)
            if row:
                return True
        return False

    def payoff(self, state, player):
        if state[WINNER] == 0:
            return 0.0
        return 1.0 if state[WINNER] == player + 1 else -1.0

    def view(self, state, player):
        return state[VIEW]

    def position(self, state):
        key = state[DISCS] + (state[DISCS] | state[DISCS + 1])
        for column in range(self.columns):
            key += 1 << (column * (self.rows + 1))
        return key

    def noisy(self, state, out):
        """Drops that win at once, and drops where the other would win at once."""
        count = 0
        for i in range(self.actions(state, out)):
            cell = self.landing(state, out[i])
            if self.joined(state[DISCS] | cell) or self.joined(state[DISCS + 1] | cell):
                out[count] = out[i]
                count += 1
        return count

    def features(self):
        """What learned evaluations are made of."""
        return ConnectFourFeatures(self.rows, self.columns, self.line)

    def version(self):
        return 1

    def show(self, state, player):
        lines = []
        for row in range(self.rows - 1, -1, -1):
            cells = [column * (self.rows + 1) + row for column in range(self.columns)]
            lines.append(" ".join("x" if state[0] >> c & 1 else "o" if state[1] >> c & 1 else "." for c in cells))
        lines.append(" ".join(str(column % 10) for column in range(self.columns)))
        return "\n".join(lines)

    def draw(self, state, player):
        """The board; the cell where a disc would come to rest carries its column."""
        wide, high = self.columns, self.rows
        made = [Cell((wide - 1) / 2, (high - 1) / 2, tone=BOARD, width=wide, height=high)]
        for column in range(wide):
            made.append(Text(column, high - 0.2, str(column)))
            for row in range(high):
                bit = 1 << (column * (high + 1) + row)
                tone = FIRST if state[DISCS] & bit else SECOND if state[DISCS + 1] & bit else PAPER
                action = column if self.landing(state, column) == bit else None
                made.append(Disc(column, high - 1 - row, tone=tone, action=action, place=f"{column}:{row}"))
        return made

    def ending(self, state):
        return f"{self.line} in a row" if self.payoff(state, 0) else "the board is full"


class ConnectFourFeatures(NamedTuple):
    """A disc on each cell, the rows of four (or so) cells that belong to one player alone, by how many discs lie there and by
    the height of their lowest empty cell, and whose move it is.

    Each is player 0's minus player 1's seen from the other side, so that a position with the players exchanged has the same
    value with the other sign."""

    rows: int = 6
    columns: int = 7
    line: int = 4

    def size(self):
        return self.rows * self.columns + (self.line + 1) * self.rows + 1

    def active(self, game):
        return 5 * self.rows * self.columns + 1

    def find(self, game, state, which, worth):
        found, cells, height = 0, self.rows * self.columns, self.rows + 1
        first, second = state[DISCS], state[DISCS + 1]
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
        worth[found] = 1.0 if state[COUNT] & 1 == 0 else -1.0
        return found + 1
