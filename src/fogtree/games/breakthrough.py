"""Breakthrough: a race of pawns, everything in the open (D. Troyka 2000). Rules version 1.

Each player begins with some full rows of men at their own end of the board; player 0 (x), at the bottom, moves first. A man
goes one step straight ahead or slanting ahead to an empty cell, or takes a man of the other player one step slanting ahead.
Whoever brings a man to the far end, or takes the last man of the other, wins. There are no draws, and there is always a move:
nobody of one's own stands before the foremost man. Payoffs 1 and -1.

Cells are numbered by rows from the bottom left, which is 0. An action is 3 * cell + direction: 0 slanting to the left, 1
straight ahead, 2 slanting to the right, as seen from the bottom. People write a2b3, or a2xb3 for a capture.
"""

import re
from typing import NamedTuple

import numpy as np

from .. import dice
from ..game import NONE, OVER, Shape, seen
from ..kernels.bits import count, lowest, times
from ..shapes import DARK, FIRST, LIGHT, SECOND, Cell, Disc, coordinates
from ..text.parameters import accepts

MEN, TURN, WINNER, VIEW, LEFT, WORDS = 0, 2, 3, 4, 5, 6
# state: two bit boards | who moves | winner + 1 | the moves | the left column as a bit board
STEP = re.compile("([a-u])([1-9][0-9]?)[x*-]?([a-u])([1-9][0-9]?)")
ONE, ZERO = np.uint64(1), np.uint64(0)
# Odd, so that nothing is lost.
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95)


@accepts(
    rows=(range(3, 33), "rows of the board"),
    columns=(range(2, 22), "columns of the board; rows x columns is at most 64"),
    men=(range(1, 9), "rows of men that each player begins with"),
)
class Breakthrough(NamedTuple):
    rows: int = 8
    columns: int = 8
    men: int = 2  # rows of men that each player begins with

    def problem(self):
        if self.rows * self.columns > 64:
            return f"a board of {self.rows} x {self.columns} does not fit: rows x columns is at most 64"
        if self.rows <= 2 * self.men:
            return f"{self.rows} rows leave no room between {self.men} rows of men at each end"
        return ""

    def shape(self):
        men = self.men * self.columns  # each makes at most rows - 1 steps
        return Shape(2, WORDS, 3 * men, 2 * men * (self.rows - 1), -1.0, 1.0, open=True)

    def start(self, state):
        state[:] = 0
        for cell in range(self.men * self.columns):
            state[MEN] |= np.int64(ONE << np.uint64(cell))
            state[MEN + 1] |= np.int64(ONE << np.uint64(self.rows * self.columns - 1 - cell))
        for row in range(self.rows):
            state[LEFT] |= np.int64(ONE << np.uint64(row * self.columns))
        state[VIEW] = 1

    def player(self, state):
        return OVER if state[WINNER] else state[TURN]

    def actions(self, state, out):
        return self.find(state, ~ZERO, out)

    def any_action(self, state, out, random):
        me, columns, left = state[TURN], np.uint64(self.columns), np.uint64(state[LEFT])
        own, right = np.uint64(state[MEN + me]), left << (columns - ONE)
        free, empty = ~own, ~(own | np.uint64(state[MEN + 1 - me]))
        # the men who can go slanting to the left, straight ahead, and slanting to the right
        to_left = self.behind((free & ~right) << ONE, me) & own & ~left
        straight = self.behind(empty, me) & own
        to_right = self.behind((free & ~left) >> ONE, me) & own & ~right
        number, cell = dice.below(random, count(to_left) + count(straight) + count(to_right)), 0
        for width in (32, 16, 8, 4, 2, 1):  # whose it is: in the lower half of the cells that are left, or beyond them
            low = ((ONE << np.uint64(width)) - ONE) << np.uint64(cell)
            below = count(to_left & low) + count(straight & low) + count(to_right & low)
            beyond = number >= below
            number -= below if beyond else 0
            cell += width if beyond else 0
        man = ONE << np.uint64(cell)
        first, second = to_left & man != ZERO, straight & man != ZERO
        if number == 0:
            return 3 * cell + (0 if first else 1 if second else 2)
        return 3 * cell + (1 if number == 1 and first and second else 2)

    def behind(self, cells, me):
        """The cells from which one step straight ahead leads to these."""
        return cells >> np.uint64(self.columns) if me == 0 else cells << np.uint64(self.columns)

    def noisy(self, state, out):
        """Captures, and steps to the far end."""
        me = state[TURN]
        return self.find(state, np.uint64(state[MEN + 1 - me]) | self.far_end(me), out)

    def far_end(self, me):
        """The row where a player wins."""
        row = (ONE << np.uint64(self.columns)) - ONE
        return row << np.uint64((self.rows - 1) * self.columns) if me == 0 else row

    def find(self, state, wanted, out):
        """Write the actions that lead to a set of cells."""
        me, columns = state[TURN], np.uint64(self.columns)
        own, left = np.uint64(state[MEN + me]), np.uint64(state[LEFT])
        right = left << (columns - ONE)
        free = wanted & ~own
        empty = free & ~np.uint64(state[MEN + 1 - me])
        men, found = own, 0
        while men:
            cell = lowest(men)
            man = ONE << np.uint64(cell)
            men ^= man
            ahead = man << columns if me == 0 else man >> columns
            out[found] = 3 * cell  # the next overwrites it if not possible; a branch would be mispredicted
            found += ((ahead & ~left) >> ONE) & free != ZERO
            out[found] = 3 * cell + 1
            found += ahead & empty != ZERO
            out[found] = 3 * cell + 2
            found += ((ahead & ~right) << ONE) & free != ZERO
        return found

    def target(self, cell, direction, me):
        """The cell to which a step leads."""
        return cell + direction - 1 + (self.columns if me == 0 else -self.columns)

    def step(self, state, action):
        me, cell, direction = state[TURN], action // 3, action % 3
        there = ONE << np.uint64(self.target(cell, direction, me))
        state[MEN + me] ^= np.int64((ONE << np.uint64(cell)) | there)
        state[MEN + 1 - me] = np.int64(np.uint64(state[MEN + 1 - me]) & ~there)
        state[VIEW] = seen(seen(state[VIEW], cell, self.rows * self.columns), direction, 3)
        state[TURN] = 1 - me
        if there & self.far_end(me) or state[MEN + 1 - me] == 0:
            state[WINNER] = me + 1

    def payoff(self, state, player):
        return 1.0 if state[WINNER] == player + 1 else -1.0

    def view(self, state, player):
        return state[VIEW]

    def position(self, state):
        key = times(np.uint64(state[MEN]), FIRST_FACTOR)
        key = times((key ^ (key >> np.uint64(32))) ^ np.uint64(state[MEN + 1]), SECOND_FACTOR)
        key ^= key >> np.uint64(29)
        return np.int64(~key if state[TURN] else key)  # after the mixing, where no cell can be mistaken for it

    def features(self):
        """What learned evaluations are made of."""
        return BreakthroughFeatures(self.rows, self.columns)

    def version(self):
        return 1

    def show(self, state, player):
        lines = []
        for row in range(self.rows - 1, -1, -1):
            cells = range(row * self.columns, (row + 1) * self.columns)
            men = ["x" if state[MEN] >> c & 1 else "o" if state[MEN + 1] >> c & 1 else "." for c in cells]
            lines.append(f"{row + 1:>2} {' '.join(men)}")
        lines.append("   " + " ".join(chr(ord("a") + column) for column in range(self.columns)))
        return "\n".join(lines)

    def draw(self, state, player):
        """The board from the side of player 1 for them, and from the other side for everybody else."""
        turned, made = player == 1, []
        for cell in range(self.rows * self.columns):
            row, column = divmod(cell, self.columns)
            tone = LIGHT if (row + column) % 2 else DARK
            x, y = (self.columns - 1 - column, row) if turned else (column, self.rows - 1 - row)
            made.append(Cell(x, y, tone=tone, place=self.called(cell)))
            if (state[MEN] | state[MEN + 1]) >> cell & 1:
                tone = FIRST if state[MEN] >> cell & 1 else SECOND
                made.append(Disc(x, y, tone=tone, place=self.called(cell), radius=0.36))
        step = 1 if turned else -1
        columns = [chr(ord("a") + column) for column in range(self.columns)][::-step]
        return made + coordinates(columns, [str(row + 1) for row in range(self.rows)][::step])

    def path(self, state, action):
        cell = int(action) // 3
        return self.called(cell), self.called(self.target(cell, int(action) % 3, int(state[TURN])))

    def label(self, state, action):
        me, cell = int(state[TURN]), int(action) // 3
        target = self.target(cell, int(action) % 3, me)
        takes = "x" if state[MEN + 1 - me] >> target & 1 else ""
        return f"{self.called(cell)}{takes}{self.called(target)}"

    def called(self, cell):
        return f"{chr(ord('a') + cell % self.columns)}{cell // self.columns + 1}"

    def read(self, state, text):
        if not (said := STEP.fullmatch(text.lower())):
            return NONE
        cell, target = (
            self.columns * (int(row) - 1) + ord(column) - ord("a")
            for column, row in (said.group(1, 2), said.group(3, 4))
        )
        direction = target - self.target(cell, 0, state[TURN])
        return int(3 * cell + direction) if 0 <= direction < 3 else NONE


class BreakthroughFeatures(NamedTuple):
    """A man on each cell; on each row, men that another one guards and men that can be taken; and whose move it is.

    Each is player 0's minus player 1's seen from the other side, so that a position with the players exchanged has the same
    value with the other sign."""

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
            own, foe = np.uint64(state[MEN + player]), np.uint64(state[MEN + 1 - player])
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
        which[found], worth[found] = cells + 2 * self.rows, 1.0 if state[TURN] == 0 else -1.0
        return found + 1
