"""Tic-Tac-Toe: three in a row, everything in the open. Rules version 1.

Two players, X first, mark an empty cell of a 3 x 3 board in turn. Three own marks in a row, column or diagonal win; a
full board is a draw. Payoffs 1, 0, -1. An action is a cell:

    0 1 2
    3 4 5
    6 7 8
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import OVER, Shape, seen
from ..shapes import BOARD, FAINT, FIRST, SECOND, Cell, Text
from ..text.parameters import accepts

MARKS, COUNT, WINNER, VIEW, WORDS = 0, 2, 3, 4, 5  # state: two bit boards | marks made | winner + 1 | the moves
ALL_CELLS = 0b111_111_111
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
TURNED = tuple(3 * (cell % 3) + 2 - cell // 3 for cell in range(9))  # [cell] where a quarter turn takes it
MIRRORED = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in range(9))
WINS = np.array([any(marks & line == line for line in LINES) for marks in range(ALL_CELLS + 1)])  # [marks]


def symmetries() -> list[tuple[int, ...]]:
    """The eight ways to lay the board on itself, each as [cell] where it goes. The first leaves all as it is."""
    turns = [tuple(range(9))]
    for _ in range(3):
        turns.append(tuple(TURNED[cell] for cell in turns[-1]))
    return turns + [tuple(MIRRORED[cell] for cell in turn) for turn in turns]


@accepts()
class TicTacToe(NamedTuple):
    def shape(self):
        return Shape(2, WORDS, 9, 9, -1.0, 1.0, open=True)

    def start(self, state):
        state[:] = 0
        state[VIEW] = 1

    def player(self, state):
        if state[WINNER] or state[COUNT] == 9:
            return OVER
        return state[COUNT] & 1

    def actions(self, state, out):
        taken = state[MARKS] | state[MARKS + 1]
        count = 0
        for cell in range(9):
            out[count] = cell  # the next overwrites it if taken; a branch would be mispredicted
            count += 1 - ((taken >> cell) & 1)
        return count

    def step(self, state, action):
        me = state[COUNT] & 1
        state[MARKS + me] |= 1 << action
        state[VIEW] = seen(state[VIEW], action, 9)
        state[COUNT] += 1
        if WINS[state[MARKS + me]]:
            state[WINNER] = me + 1

    def payoff(self, state, player):
        if state[WINNER] == 0:
            return 0.0
        return 1.0 if state[WINNER] == player + 1 else -1.0

    def view(self, state, player):
        return state[VIEW]

    def position(self, state):
        return state[MARKS] << 9 | state[MARKS + 1]

    def version(self):
        return 1

    def show(self, state, player):
        return board(state[MARKS], state[MARKS + 1])

    def draw(self, state, player):
        return cells(state[MARKS], state[MARKS + 1])

    def who(self, player):
        return "XO"[player]

    def ending(self, state):
        return "three in a row" if self.payoff(state, 0) else "the board is full"


def board(x: int, o: int) -> str:
    """Two bit boards as a picture; free cells show their number."""
    cells = ["X" if (x >> cell) & 1 else "O" if (o >> cell) & 1 else str(cell) for cell in range(9)]
    return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


def cells(x: int, o: int) -> list[Any]:
    """Two bit boards as shapes; each cell carries its action."""
    made: list[Any] = []
    for cell in range(9):
        mark, tone = ("X", FIRST) if (x >> cell) & 1 else ("O", SECOND) if (o >> cell) & 1 else ("", BOARD)
        made.append(Cell(cell % 3, cell // 3, mark, tone, cell, str(cell)))
        if not mark:
            made.append(Text(cell % 3 - 0.36, cell // 3 - 0.36, str(cell), FAINT, 0.18))
    return made
