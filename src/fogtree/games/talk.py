"""Talk: each player gets a signal that the other does not see; then both speak in turn, aloud. Rules version 1.

Chance draws a pair of signals by a table of odds. Then player 0 says one of the words, player 1 says one, and so on, as
often as there are turns. payoffs[signal 0, signal 1, course] goes to player 0 from player 1, where a course is the number
that the words spell, the first word in front. So all that was said is public, and what the signals are is not: the smallest
shape of poker and of its like. `random_games.py` draws such games.

The default is a game of two signals and two turns, in which player 1 wins by guessing player 0's signal from what was said.
"""

from typing import NamedTuple

import numpy as np

from ..game import CHANCE, OVER, REFEREE, Shape
from ..text.parameters import accepts, matrix

SIGNAL, COUNT, COURSE, WORDS = (
    0,
    2,
    3,
    4,
)  # state: two signals, 0 before chance has drawn them, else from 1 on | how often
# somebody has spoken | a 1 and then the words said, as digits
GUESS = np.array([[[-1.0, 1.0, -1.0, 1.0]], [[1.0, -1.0, 1.0, -1.0]]])
EVEN = matrix([[0.5], [0.5]])


def table(value):
    """a table of payoffs [signals of player 0, signals of player 1, courses]"""
    found = np.array(value, np.float64)
    if found.ndim != 3 or not found.size or not np.isfinite(found).all():
        raise ValueError
    return found


@accepts(
    payoffs=(table, "what player 0 gets, by the two signals and what was said"),
    chances=(matrix, "the odds of each pair of signals"),
    words=(range(2, 65), "words to choose from"),
    turns=(range(1, 11), "how often somebody speaks"),
)
class Talk(NamedTuple):
    payoffs: np.ndarray = GUESS  # [signals of player 0, signals of player 1, words^turns]
    chances: np.ndarray = EVEN  # [signals of player 0, signals of player 1]
    words: int = 2
    turns: int = 2

    def problem(self):
        need = (*self.chances.shape, self.words**self.turns)
        if self.payoffs.shape != need:
            return f"payoffs must be {' x '.join(map(str, need))}, not {self.payoffs.shape}"
        fine = (self.chances > 0).all() and abs(self.chances.sum() - 1) <= 1e-9
        return "" if fine else "the odds of the signals must be positive and sum to 1"

    def shape(self):
        low, high = self.payoffs.min(), self.payoffs.max()
        most = max(self.words, self.chances.size)
        return Shape(2, WORDS, most, 1 + self.turns, min(low, -high), max(high, -low))

    def start(self, state):
        state[SIGNAL] = state[SIGNAL + 1] = state[COUNT] = 0
        state[COURSE] = 1

    def player(self, state):
        if state[SIGNAL] == 0:
            return CHANCE
        return OVER if state[COUNT] == self.turns else state[COUNT] & 1

    def actions(self, state, out):
        count = self.words if state[SIGNAL] else self.chances.size
        for a in range(count):
            out[a] = a
        return count

    def odds(self, state, out):
        columns = self.chances.shape[1]
        for pair in range(self.chances.size):
            out[pair] = self.chances[pair // columns, pair % columns]

    def step(self, state, action):
        if state[SIGNAL] == 0:
            columns = self.chances.shape[1]
            state[SIGNAL], state[SIGNAL + 1] = action // columns + 1, action % columns + 1
        else:
            state[COURSE] = state[COURSE] * self.words + action
            state[COUNT] += 1

    def payoff(self, state, player):
        course = state[COURSE] - self.words**self.turns
        value = self.payoffs[state[SIGNAL] - 1, state[SIGNAL + 1] - 1, course]
        return value if player == 0 else -value

    def view(self, state, player):
        return state[SIGNAL + player] * 2 * self.words**self.turns + state[COURSE]

    def public(self, state):
        return state[COURSE]

    def version(self):
        return 1

    def show(self, state, player):
        lines = []
        for who in (0, 1):
            if player in (who, REFEREE):
                signal = str(state[SIGNAL + who]) if state[SIGNAL] else "not drawn"
                lines.append(f"{'your' if player == who else f'player {who}'} signal: {signal}")
        said = np.base_repr(int(state[COURSE]), self.words)[1:] if self.words <= 36 else str(int(state[COURSE]))
        return "\n".join([*lines, f"said: {' '.join(said) or 'nothing yet'}"])
