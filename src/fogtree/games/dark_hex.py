"""Dark Hex: Hex against stones that one cannot see. Rules version 1.

Two players put stones on the cells of a rhombus of hexagons, player 0 (x) first. x wins by joining the top and the bottom
edge with a chain of stones, o by joining left and right; one of them always succeeds. A player tries a cell that they have
neither taken nor found taken. If it is empty the stone is placed and the turn ends; if it holds the other's stone only the
trying player is told, and tries again (classical) or loses the turn (abrupt). Payoffs 1 and -1.

An action is a cell, numbered by rows; a cell's neighbours are those beside it, the two above (straight and to the right)
and the two below (straight and to the left):

    0 1 2
     3 4 5
      6 7 8
"""

from typing import NamedTuple

import numpy as np

from ..game import OVER, REFEREE, Shape, seen
from ..kernels import bits, inlined
from ..shapes import BOARD, FAINT, FIRST, ROW, SECOND, Hexagon, Line, Text
from ..text.parameters import accepts

STONES, TRIED, TURN, WINNER, LEFT, VIEW, WORDS = 0, 2, 4, 5, 6, 7, 9
LISTED = 3  # the longest side with which all of a view fits in a word
MOST = LISTED * LISTED  # cells of such a board
BACKWARDS = np.array(
    [int(f"{stones:0{MOST}b}"[::-1], 2) for stones in range(1 << MOST)]
)  # the bits the other way round
# state: two bit boards of stones | of tries | who moves | winner + 1 | the left column as a bit board | two views


@accepts(side=(range(2, 8), "cells along an edge"), abrupt=(None, "a failed try loses the turn"))
class DarkHex(NamedTuple):
    side: int = 3
    abrupt: bool = False

    def shape(self):
        cells = self.side * self.side
        return Shape(2, WORDS, cells, 2 * cells, -1.0, 1.0)

    def start(self, state):
        state[:] = 0
        for row in range(self.side):
            state[LEFT] |= 1 << (row * self.side)
        state[VIEW] = state[VIEW + 1] = 1

    def player(self, state):
        return OVER if state[WINNER] else state[TURN]

    def actions(self, state, out):
        tried = state[TRIED + state[TURN]]
        count = 0
        for cell in range(self.side * self.side):
            out[count] = cell  # the next overwrites it if tried; a branch would be mispredicted
            count += 1 - ((tried >> cell) & 1)
        return count

    def step(self, state, action):
        me = state[TURN]
        blocked = (state[STONES + 1 - me] >> action) & 1
        state[TRIED + me] |= 1 << action
        state[VIEW + me] = seen(seen(state[VIEW + me], action, self.side * self.side), blocked, 2)
        if not blocked:
            state[STONES + me] |= 1 << action
            if self.joined(state, me):
                state[WINNER] = me + 1
        if not blocked or self.abrupt:
            state[TURN] = 1 - me

    def joined(self, state, me):
        n, left, stones = self.side, state[LEFT], state[STONES + me]
        right = left << (n - 1)
        chain = stones & (left if me else (1 << n) - 1)
        goal = right if me else ((1 << n) - 1) << (n * (n - 1))
        while True:
            if chain & goal:
                return True
            beside = ((chain & ~right) << 1) | ((chain & ~left) >> 1) | (chain << n) | (chain >> n)
            slanted = ((chain & ~left) << (n - 1)) | ((chain & ~right) >> (n - 1))
            grown = chain | (stones & (beside | slanted))
            if grown == chain:
                return False
            chain = grown

    def payoff(self, state, player):
        return 1.0 if state[WINNER] == player + 1 else -1.0

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        # nothing but which turn it is
        if self.abrupt:
            return bits.count(state[TRIED]) + bits.count(state[TRIED + 1])
        return bits.count(state[STONES]) + bits.count(state[STONES + 1])

    def version(self):
        return 1

    def reduced(self):
        # A try that would complete a chain wins at once or costs nothing, unless it loses the turn.
        return self if self.abrupt else DarkHexWinningFirst(*self)

    def symmetries(self):
        # Half a turn, where views are lists of tries and no hashes.
        return 2 if self.side <= LISTED else 1

    def turn(self, state, which):
        if which == 0:
            return
        for word in (STONES, STONES + 1, TRIED, TRIED + 1):
            state[word] = BACKWARDS[state[word]] >> (MOST - self.side * self.side)
        for player in range(2):
            state[VIEW + player] = self.turned(state[VIEW + player], player, which)

    def turned(self, view, player, which):
        if which == 0:
            return view
        # division by a number that the compiler knows is a multiplication: on a GPU ten times faster
        return half_turned(view, 18) if self.side == LISTED else half_turned(view, 8)

    def moved(self, action, which):
        return self.side * self.side - 1 - action if which else action

    def known(self, state, player):
        """The stones of both players that a player knows of."""
        stones = [state[STONES], state[STONES + 1]]
        if player != REFEREE:
            stones[1 - player] = state[TRIED + player] & ~stones[player]
        return stones

    def show(self, state, player):
        stones, lines = self.known(state, player), []
        for row in range(self.side):
            cells = range(row * self.side, (row + 1) * self.side)
            marks = ["x" if (stones[0] >> c) & 1 else "o" if (stones[1] >> c) & 1 else str(c) for c in cells]
            lines.append("  " * row + " ".join(f"{mark:>2}" for mark in marks))
        return "\n".join(lines)

    def draw(self, state, player):
        stones, n = self.known(state, player), self.side
        cells = []
        for cell in range(n * n):
            row, column = divmod(cell, n)
            tone = FIRST if (stones[0] >> cell) & 1 else SECOND if (stones[1] >> cell) & 1 else BOARD
            cells.append(
                Hexagon(
                    column + row / 2,
                    row * ROW,
                    "xo "[(FIRST, SECOND, BOARD).index(tone)].strip(),
                    tone,
                    cell,
                    str(cell),
                )
            )
            if tone == BOARD:
                cells.append(Text(column + row / 2, row * ROW - 0.34, str(cell), FAINT, 0.18))
        left, right, foot = -0.85, n - 0.15, (n - 1) * ROW  # the edges that x and o want to join
        slant = (n - 1) / 2
        return [
            Line(0, -0.8, n - 1, -0.8, FIRST, 0.12),
            Line(slant, foot + 0.8, n - 1 + slant, foot + 0.8, FIRST, 0.12),
            Line(left, 0, left + slant, foot, SECOND, 0.12),
            Line(right, 0, right + slant, foot, SECOND, 0.12),
            *cells,
        ]

    def who(self, player):
        return "XO"[player]

    def ending(self, state):
        return "the two sides are joined"


@inlined
def half_turned(view, radix):
    """The view after half a turn of a board of radix / 2 cells. A symbol of it is a try: twice the cell, plus 1 if it was
    taken; the last one is the lowest digit."""
    image, power = np.int64(0), np.int64(1)
    while view > 1:
        symbol = view % radix
        image += power * (radix - 2 - symbol + 2 * (symbol % 2))
        view //= radix
        power *= radix
    return image + power


class DarkHexWinningFirst(DarkHex):
    """The same game, but if an untried cell would complete the mover's own chain, trying it is the only action (the first
    such cell by number). In the classical game this is never worse, so the value stays, and the tree of the 3 x 3 board
    becomes two hundred times smaller. It is a class of its own, so that Dark Hex itself keeps its parameters."""

    __slots__ = ()

    def symmetries(self):
        return 1  # the first such cell is another one on the turned board

    def actions(self, state, out):
        me = state[TURN]
        stones, tried = state[STONES + me], state[TRIED + me]
        count = 0
        for cell in range(self.side * self.side):
            if not (tried >> cell) & 1:
                state[STONES + me] = stones | (1 << cell)
                winning = self.joined(state, me)
                state[STONES + me] = stones
                if winning:
                    out[0] = cell
                    return 1
                out[count] = cell
                count += 1
        return count
