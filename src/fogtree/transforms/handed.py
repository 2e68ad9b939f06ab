"""The verbs that a game made of another hands on as they are. Such a game is a `NamedTuple` with a field `game`:

@handed.hands_on(handed.start, handed.player, handed.odds, handed.step, handed.payoff)
class Abstract(NamedTuple): ...
"""

from collections.abc import Callable
from typing import Any


def hands_on(*verbs: Callable) -> Callable[[Any], Any]:
    """Class decorator: give the class these methods."""

    def decorate(cls: Any) -> Any:
        for verb in verbs:
            setattr(cls, verb.__name__, verb)
        return cls

    return decorate


def start(self, state):
    self.game.start(state)


def player(self, state):
    return self.game.player(state)


def actions(self, state, out):
    return self.game.actions(state, out)


def odds(self, state, out):
    self.game.odds(state, out)


def step(self, state, action):
    self.game.step(state, action)


def payoff(self, state, player):
    return self.game.payoff(state, player)


def view(self, state, player):
    return self.game.view(state, player)


def version(self):
    return self.game.version() if hasattr(self.game, "version") else 0
