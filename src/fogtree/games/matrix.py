"""Matrix games: each player chooses once, in secret. Rules version 1.

`MatrixGame(payoffs)` is zero-sum: player 0 chooses a row, player 1 a column, and payoffs[row, column] goes to player 0
from player 1. `BimatrixGame(first, second)` is the general-sum variant, one matrix of payoffs a player. The choices are
played one after the other, the second without a sight of the first.
"""

from typing import NamedTuple

import numpy as np

from ..game import NONE, OVER, REFEREE, Shape
from ..shapes import BOARD, FIRST, MARKED, PAPER, SECOND, Cell, Disc
from ..text.parameters import accepts, matrix

CHOICE, WORDS = 0, 2  # state: the two choices


ROCK_PAPER_SCISSORS = matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
PRISONERS_DILEMMA = matrix([[-1, -3], [0, -2]])


class Choices:
    """What both kinds of games share: each player chooses once. `size()` is how many rows and columns there are, and
    `matrices()`, for Python, what each player gets by the row of player 0 and the column of player 1; `printed()` are those
    of them that people are shown."""

    __slots__ = ()

    def start(self, state):
        state[CHOICE] = state[CHOICE + 1] = NONE

    def player(self, state):
        if state[CHOICE] == NONE:
            return 0
        return 1 if state[CHOICE + 1] == NONE else OVER

    def actions(self, state, out):
        rows, columns = self.size()
        count = rows if state[CHOICE] == NONE else columns
        for i in range(count):
            out[i] = i
        return count

    def step(self, state, action):
        state[CHOICE if state[CHOICE] == NONE else CHOICE + 1] = action

    def view(self, state, player):
        return state[CHOICE + player] + 1

    def simultaneous(self):
        return True

    def version(self):
        return 1

    def show(self, state, player):
        matrices = self.printed()
        lines = []
        for row in range(matrices[0].shape[0]):
            cells = ("/".join(f"{m[row, column]:g}" for m in matrices) for column in range(matrices[0].shape[1]))
            lines.append(f"row {row}:" + "".join(f"{cell:>8}" for cell in cells))
        for who, word in ((0, "row"), (1, "column")):
            if player in (who, REFEREE) and state[CHOICE + who] != NONE:
                lines.append(f"player {who} chose {word} {state[CHOICE + who]}")
        if player in (0, 1) and state[CHOICE + player] == NONE:
            lines.append(f"you choose a {('row', 'column')[player]}")
        return "\n".join(lines)

    def draw(self, state, player):
        """The payoffs as a table. Its headers are the actions: rows of player 0, columns of player 1. Choices are marked."""
        matrices = self.printed()
        rows, columns = matrices[0].shape
        mover = self.player(state) if player == REFEREE else player
        chosen = [state[CHOICE + who] if player in (who, REFEREE) else NONE for who in (0, 1)]
        made = [
            Cell(1.3 * (c + 1), 0, f"column {c}", SECOND, c if mover == 1 else None, width=1.3, height=0.8)
            for c in range(columns)
        ]
        for r in range(rows):
            made.append(Cell(0, 0.8 * (r + 1), f"row {r}", FIRST, r if mover == 0 else None, width=1.3, height=0.8))
            for c in range(columns):
                text = " / ".join(f"{matrix[r, c]:g}" for matrix in matrices)
                hits = (chosen[0] == r) + (chosen[1] == c)
                tone = MARKED if (hits and NONE in chosen) or hits == 2 else BOARD if hits else PAPER
                made.append(Cell(1.3 * (c + 1), 0.8 * (r + 1), text, tone, width=1.3, height=0.8))
        if chosen[0] != NONE:
            made.append(Disc(-0.9, 0.8 * (chosen[0] + 1), tone=FIRST, place=f"row {chosen[0]}", radius=0.16))
        return made


class MatrixGameParameters(NamedTuple):
    payoffs: np.ndarray = ROCK_PAPER_SCISSORS  # [rows, columns]


@accepts(payoffs=(matrix, "what player 0 gets; each row is a choice of player 0"))
class MatrixGame(MatrixGameParameters, Choices):
    __slots__ = ()

    def size(self):
        return self.payoffs.shape

    def shape(self):
        low, high = self.payoffs.min(), self.payoffs.max()
        return Shape(2, WORDS, max(self.payoffs.shape[0], self.payoffs.shape[1]), 2, min(low, -high), max(high, -low))

    def payoff(self, state, player):
        value = self.payoffs[state[CHOICE], state[CHOICE + 1]]
        return value if player == 0 else -value

    def hidden_choices(self):
        return 1, *self.payoffs.shape

    def matrices(self):
        return self.payoffs, -self.payoffs

    def printed(self):
        return [self.payoffs]


class BimatrixGameParameters(NamedTuple):
    first: np.ndarray = PRISONERS_DILEMMA  # [rows, columns], what player 0 gets
    second: np.ndarray = matrix(PRISONERS_DILEMMA.T)  # [rows, columns], what player 1 gets


@accepts(first=(matrix, "what player 0 gets"), second=(matrix, "what player 1 gets"))
class BimatrixGame(BimatrixGameParameters, Choices):
    __slots__ = ()

    def problem(self):
        if self.first.shape != self.second.shape:
            return f"the matrices must have the same size, not {self.first.shape} and {self.second.shape}"
        return ""

    def size(self):
        return self.first.shape

    def shape(self):
        low = min(self.first.min(), self.second.min())
        high = max(self.first.max(), self.second.max())
        return Shape(2, WORDS, max(self.first.shape[0], self.first.shape[1]), 2, low, high, False)

    def payoff(self, state, player):
        payoffs = self.first if player == 0 else self.second
        return payoffs[state[CHOICE], state[CHOICE + 1]]

    def matrices(self):
        return self.first, self.second

    def printed(self):
        return [self.first, self.second]
