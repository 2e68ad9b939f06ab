"""MCCFR as a work of the driver (`until.py`), judged by whatever can judge it.

Where the game was enumerated, best responses do. Games that are too large for that have no judge: nothing is proved, and the
bounds of the value are those of the payoffs.
"""

import math
from collections.abc import Callable
from typing import Any

from ...kernels.lanes import CPU
from ...strategy import Strategy
from ...walk.slices import Watcher
from ..until import Pace
from .mccfr import MCCFR, External, Outcome
from .mccfr_lanes import LanesMCCFR

Sampler = MCCFR | LanesMCCFR
SCHEMES = {"external": External(), "outcome": Outcome()}
JUDGED = Pace(least=1000)  # a certificate costs as much as that many samples


class Sampled:
    """A scheme of MCCFR. `judge` makes a certificate of it."""

    finished = False

    def __init__(self, mccfr: Sampler, name: str, judge: Callable[[Any], Any], pace: Pace = JUDGED):
        self.mccfr, self.name, self.judge, self.pace, self.run = mccfr, name, judge, pace, mccfr.run
        self.device = getattr(mccfr, "device", CPU)

    @property
    def iterations(self) -> int:
        return self.mccfr.iterations

    def certificate(self) -> Any:
        return self.judge(self.mccfr)


class Unproved:
    """In place of a certificate: what is known of a strategy that nobody has judged. Its bounds are those of the payoffs."""

    total = math.inf

    def __init__(self, mccfr: Sampler):
        self.mccfr, self.low, self.high = mccfr, mccfr.game.shape().low, mccfr.game.shape().high

    @property
    def note(self) -> str:
        return self.mccfr.note

    def improved_by(self, later: "Unproved") -> "Unproved":
        return later

    def point(self, iterations: int, seconds: float) -> None:
        """Nothing is proved."""

    def strategy(self, progress: Watcher | None = None) -> Strategy:
        return self.mccfr.strategy()

    def value(self, strategy: Any, progress: Watcher | None = None) -> float:
        return math.nan
