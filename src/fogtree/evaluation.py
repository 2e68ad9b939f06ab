"""An evaluation: what a state is worth before the game is over. A `NamedTuple` with

    value(game, state)      a number in the unit of payoffs, for player 0 and those who play with player 0

A linear evaluation is a sum of features, so that learning can move its weights. Its features are another `NamedTuple`:

    size()                              how many features there are
    active(game)                        how many of them a state may have at once, at most
    find(game, state, which, worth)     writes the features of a state: their numbers and how much of each; returns how many

    total(game, state, weight, scratch)
                                        optional: the sum of weight times worth over these features, without listing them;
                                        `scratch` is as long as `worth`

A game with such features gives them by the optional method `features()`. `Linear(features, weight, ...)` is made by
`linear(game, features)`.
"""

from typing import Any, NamedTuple

import numpy as np

from .errors import Invalid
from .game import OVER


class AtEnd(NamedTuple):
    """The payoff if the game is over, and 0 otherwise: what is known without any evaluation."""

    def value(self, game, state):
        return game.payoff(state, 0) if game.player(state) == OVER else 0.0


class Linear(NamedTuple):
    """The sum of the weights of a state's features."""

    features: Any
    weight: np.ndarray  # [features]
    which: np.ndarray  # [active] scratch, so each thread needs an evaluation of its own
    worth: np.ndarray  # [active] scratch

    def value(self, game, state):
        total = 0.0
        for k in range(self.features.find(game, state, self.which, self.worth)):
            total += self.weight[self.which[k]] * self.worth[k]
        return total


class Summed(Linear):
    """The same sum, by features that add it up themselves."""

    def value(self, game, state):
        return self.features.total(game, state, self.weight, self.worth)


def linear(game: Any, features: Any, weight: Any = None) -> Linear:
    """A linear evaluation with these weights, or with weights of 0."""
    count, active = int(features.size()), int(features.active(game))
    given = np.zeros(count) if weight is None else np.array(weight, np.float64)
    if given.shape != (count,) or not np.isfinite(given).all():
        raise Invalid(f"{type(features).__name__} has {count} features, so it needs {count} finite weights")
    kind = Summed if hasattr(features, "total") else Linear
    return kind(features, given, np.zeros(active, np.int64), np.zeros(active))


def features_of(game: Any) -> Any:
    """The features that a game gives by its method `features`."""
    if not hasattr(game, "features"):
        name = type(game).__name__
        raise Invalid(
            f"{name} has no features to learn with: give it a method features(), as fogtree.evaluation describes"
        )
    return game.features()


def as_evaluation(given: Any) -> Any:
    """The evaluation itself; a sentence for anything else."""
    if isinstance(given, tuple) and callable(getattr(given, "value", None)):
        return given
    what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
    raise Invalid(f"an evaluation is a NamedTuple with a method `value` (see fogtree.evaluation), not {what}")
