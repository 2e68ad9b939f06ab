"""What best responses prove of a result.

In a two-player zero-sum game a plan of each player gives a pair of bounds: against player 0's plan the other can hold them
down to `low` and no further; against player 1's plan player 0 gets `high` and no more; so the value lies between. Each plan
has its own bound, so the best plans of the two players may come from different iterations. Other games have no value,
and there a profile of plans is judged as a whole, by what each player could still gain.
"""

from typing import Any, NamedTuple

import numpy as np

from ...strategy import Strategy
from ...walk.slices import Watcher
from .general import Plans
from .response import bounds_of, plan_of, strategy_of_plans, value_of
from .sequence import SequenceForm


class Bounds(NamedTuple):
    """What a method had proved at some time: the value of the game lies between low and high."""

    iterations: int
    seconds: float
    low: float
    high: float


class PlanPair(NamedTuple):
    """The certificate of a plan of each player in a sequence form."""

    form: SequenceForm
    x: np.ndarray  # player 0's plan
    y: np.ndarray  # player 1's
    low: float
    high: float
    note: str = ""

    @property
    def total(self) -> float:
        return self.high - self.low

    def improved_by(self, later: "PlanPair") -> "PlanPair":
        return better_of_each(self, later)

    def point(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.low, self.high)

    def strategy(self, progress: Watcher | None = None) -> Strategy:
        """The plans as a strategy of both players, uniform where they never go."""
        return strategy_of_plans(self.form, (self.x, self.y))

    def value(self, strategy: Any = None, progress: Watcher | None = None) -> float:
        """What player 0 expects when both follow their plans."""
        return value_of(self.form, self.x, self.y)


def better_of_each(before: Any, later: Any) -> Any:
    """Of two certificates with x, y, low and high, the better x and the better y, each with its own bound."""
    best = before if later.low <= before.low else before._replace(x=later.x, low=later.low)
    return best if later.high >= before.high else best._replace(y=later.y, high=later.high)


def certified(form: SequenceForm, x: np.ndarray, y: np.ndarray) -> PlanPair:
    """The certificate of these plans."""
    return PlanPair(form, x, y, *bounds_of(form, x, y))


def certified_strategy(form: SequenceForm, strategy: Strategy) -> PlanPair:
    """The certificate of a strategy of both players."""
    return certified(form, plan_of(form, strategy, 0)[0], plan_of(form, strategy, 1)[0])


class Measured(NamedTuple):
    """What a profile was worth at some time."""

    iterations: int
    seconds: float
    total: float  # NashConv


class Gains(NamedTuple):
    """The certificate of a profile: what each player could still gain."""

    plans: Plans
    gains: tuple[float, ...]  # [player]

    @property
    def total(self) -> float:
        """The NashConv."""
        return sum(self.gains)

    def improved_by(self, later: "Gains") -> "Gains":
        return later if later.total < self.total else self

    def point(self, iterations: int, seconds: float) -> Measured:
        return Measured(iterations, seconds, self.total)


def gains_of(plans: Plans) -> Gains:
    """The certificate of a profile of plans."""
    return Gains(plans, plans.gains())
