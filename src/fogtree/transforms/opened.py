"""Any game with open cards: the same rules, and everybody sees everything.

`opened(Kuhn())` is Kuhn poker with both cards on the table; as a text it is `open:kuhn`. All that searches, solves or
measures an open game works on it: MCTS, alpha-beta, exact solvers. The difference between the two games is what hiding
is worth. A move is still made at its turn: moves that the rules call simultaneous are made one after the other, and the
later one is seen.

State: that of the game, then one word, the key of all moves so far, chance's included. It is everybody's view, so
nobody forgets. `deal(state)` makes a state of this game from one of the hidden game; where two of these must not be
taken for the same course, `deal(state, number)` gives each a number.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import REFEREE, seen

ALPHABET = 1 << 31  # actions are numbers below it


class Opened(NamedTuple):
    game: Any

    def shape(self):
        return self.game.shape()._replace(words=self.game.shape().words + 1, open=True)

    def start(self, state):
        self.game.start(state[:-1])
        state[-1] = 1

    def player(self, state):
        return self.game.player(state[:-1])

    def actions(self, state, out):
        return self.game.actions(state[:-1], out)

    def odds(self, state, out):
        self.game.odds(state[:-1], out)

    def step(self, state, action):
        self.game.step(state[:-1], action)
        state[-1] = seen(state[-1], action, ALPHABET)

    def payoff(self, state, player):
        return self.game.payoff(state[:-1], player)

    def view(self, state, player):
        return state[-1]

    def public(self, state):
        return state[-1]

    # --- for Python ---

    def version(self):
        return self.game.version() if hasattr(self.game, "version") else 0

    def show(self, state, player):
        return self.game.show(state[:-1], REFEREE) if hasattr(self.game, "show") else f"state: {state[:-1].tolist()}"

    def draw(self, state, player):
        """As the referee sees the hidden game, where that can be drawn."""
        return self.game.draw(state[:-1], REFEREE) if hasattr(self.game, "draw") else None

    def path(self, state, action):
        return self.game.path(state[:-1], action) if hasattr(self.game, "path") else None

    def label(self, state, action):
        return self.game.label(state[:-1], action) if hasattr(self.game, "label") else str(action)

    def deal(self, state: np.ndarray, number: int = 0) -> np.ndarray:
        """A state of the hidden game with its cards on the table."""
        return np.append(np.asarray(state, np.int64), number + 1)


class OpenedWithSides(Opened):
    """A game that has partners."""

    def side_of(self, player):
        return self.game.side_of(player)


def opened(game: Any) -> Opened:
    """The game with open cards."""
    return OpenedWithSides(game) if hasattr(game, "side_of") else Opened(game)


class WithOpenCards(NamedTuple):
    """An evaluation of the hidden game, for the opened one."""

    evaluation: Any

    def value(self, game, state):
        return self.evaluation.value(game.game, state[:-1])
