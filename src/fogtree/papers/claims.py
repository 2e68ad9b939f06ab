"""A printed number beside ours, and a verdict: do they agree?

A number agrees with the printed one if it lies within a tolerance of it, or within the joint 95 % interval of both. The
tolerance depends on the kind of the number alone, so that the same kind of claim is always judged alike:

    exact      what follows from print by arithmetic: only the rounding of print is allowed
    percent    3 points, but at most half of the printed number and half of the way to 100
    rate       0.03, but at most half of the printed number and half of the way to 1
    amount     a tenth of the printed number: exploitabilities and ratios
    duration   a factor of 2 up or down: seconds, numbers of simulations

A joint interval that is wider than twice the tolerance holds right and wrong answers alike. A number inside such an interval
neither agrees nor differs: we cannot tell.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..measure.intervals import wilson_half

AGREES, DIFFERS, CANNOT_TELL, NEW = "agrees", "differs", "cannot tell", "new"
POINTS, TENTH, FACTOR = 3.0, 0.1, 2.0
END = 0.5  # points that are allowed beside a printed 0 or 100
WIDE = 2.0  # an interval of more tolerances than this cannot tell right from wrong
SLACK = 1e-9  # of floating-point numbers


def _share(printed: float, whole: float) -> float:
    """The tolerance of a share of a whole."""
    near_0 = abs(printed) / 2 if printed else END / 100 * whole
    near_1 = max((whole - printed) / 2, END / 100 * whole)
    return min(POINTS / 100 * whole, near_0, near_1)


KINDS: dict[str, tuple[Callable[[float], float], str]] = {  # the tolerance of a printed number, and the rule in words
    "exact": (lambda printed: 0.0, "the rounding of print for what follows from print by arithmetic"),
    "percent": (
        lambda printed: _share(printed, 100.0),
        f"{POINTS:g} points for percentages, but at most half of the printed number or half of the way to 100 ({END:g} "
        "beside a printed 0 or 100)",
    ),
    "rate": (
        lambda printed: _share(printed, 1.0),
        f"{POINTS / 100:g} for probabilities and shares, but at most half of the printed number or half of the way to 1 "
        f"({END / 100:g} beside a printed 0 or 1)",
    ),
    "amount": (lambda printed: TENTH * abs(printed), "a tenth of the printed number for exploitabilities and ratios"),
    "duration": (lambda printed: FACTOR, f"a factor of {FACTOR:g} for times and numbers of simulations"),
}


class Claim(NamedTuple):
    """A printed number beside ours. A printed None means that the number is ours alone."""

    what: str
    printed: float | None
    ours: float
    half: float = 0.0  # half the width of our 95 % interval; of a duration the factor up and down, 0 if there is none
    printed_half: float = 0.0  # the same of the printed number
    kind: str = "exact"
    rounding: float = 0.0  # half a unit of the last printed digit: no tolerance is smaller
    note: str = ""

    @property
    def difference(self) -> float:
        """Ours less the printed number; of a duration the ratio."""
        if self.printed is None:
            return math.nan
        return self.ours / self.printed if self.kind == "duration" else self.ours - self.printed

    @property
    def tolerance(self) -> float:
        """The difference that counts as none, whatever the intervals; of a duration a factor."""
        return math.nan if self.printed is None else max(self.rounding, KINDS[self.kind][0](self.printed))

    def verdict(self) -> str:
        if self.printed is None:
            return NEW
        apart, tolerance, spread = self._widths()
        if not apart <= max(tolerance, spread) + SLACK:
            return DIFFERS
        return AGREES if spread <= WIDE * tolerance + SLACK else CANNOT_TELL

    @property
    def excess(self) -> float:
        """How many tolerances or intervals, whichever is wider, the two numbers are apart."""
        apart, tolerance, spread = self._widths()
        return apart / max(tolerance, spread, SLACK)

    def _widths(self) -> tuple[float, float, float]:
        """How far the two numbers are apart, the tolerance, and half the joint interval, all on one scale."""
        apart, tolerance, spread = abs(self.difference), self.tolerance, math.hypot(self.half, self.printed_half)
        if self.kind == "duration":  # factors are compared by their logarithms
            apart, tolerance = (abs(math.log(factor)) if factor > 0 else math.inf for factor in (apart, tolerance))
            spread = math.hypot(*(math.log(max(factor, 1.0)) for factor in (self.half, self.printed_half)))
        return apart, tolerance, spread


def unjudged(claims: Sequence[Claim]) -> list[Claim]:
    """Claims of a run that is too short to be held against the paper."""
    return [claim._replace(printed=None, note="too short to judge") for claim in claims]


def inside(
    what: str, printed: float | None, ours: np.ndarray, kind: str = "amount", rounding: float = 0.0, note: str = ""
) -> Claim:
    """A number of a single printed run beside those of our runs: the middle of the range that holds 95 % of them, and half of
    that range. Print rounds, so the range is that much wider."""
    low, middle, high = np.quantile(ours, [0.025, 0.5, 0.975]) + np.array([-rounding, 0.0, rounding])
    words = f"{len(ours)} runs, median {middle:.4g}"
    half = float(high - low) / 2
    told = f"{words}; {note}" if note else words
    return Claim(what, printed, float(low + high) / 2, half, kind=kind, rounding=rounding, note=told)


def likely(what: str, near: Any, note: str = "") -> Claim:
    """The share of runs of which something is true."""
    share, runs = float(np.mean(near)), len(near)
    return Claim(what, None, share, wilson_half(share, runs), kind="rate", note=note)


def counted(claims: Sequence[Claim]) -> str:
    """How many printed numbers agree, differ or cannot be told, in a sentence; nothing if none is printed."""
    verdicts = [claim.verdict() for claim in claims if claim.printed is not None]
    if not verdicts:
        return ""
    agree, differ, open_ = (verdicts.count(word) for word in (AGREES, DIFFERS, CANNOT_TELL))
    numbers = f"{len(verdicts)} printed number{'s' if len(verdicts) > 1 else ''}"
    judged = f"{agree} agree{'s' if agree == 1 else ''} and {differ} differ{'s' if differ == 1 else ''}"
    return f"Of {numbers} {judged}{f'; of {open_} we cannot tell' if open_ else ''}."
