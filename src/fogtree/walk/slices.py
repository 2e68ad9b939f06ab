"""Long work in short slices: budgets, progress, Ctrl-C.

Compiled code cannot be interrupted, so long work returns to Python about twenty times a second. There the clock is read,
whoever watches is told, Ctrl-C takes effect, and tables that are full grow. All anytime work goes through `in_slices`.
"""

import enum
import math
import numbers
import operator
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ..errors import Invalid

SLICE_SECONDS = 0.05


class Progress(NamedTuple):
    """How far some work is. This is what every `progress` function is called with, after each slice."""

    what: str  # that is counted: iterations, histories, games, matches
    done: int
    goal: int | None = None  # where the count will end, if that is known
    detail: Any = None  # more, for those who know the work: a solver's bounds, a run's last piece


Watcher = Callable[[Progress], Any]


class Ended(enum.StrEnum):
    """Why long work ended."""

    TARGET = "target"  # what was wanted is reached
    FINISHED = "finished"  # nothing is left to do
    ITERATIONS = "iterations"  # so many were allowed
    SECONDS = "seconds"  # so many were allowed
    STOPPED = "stopped"  # by Ctrl-C


class Budget(NamedTuple):
    """How much may be done: so many iterations more, or so many seconds from the start, whichever comes first."""

    iterations: float = math.inf
    seconds: float = math.inf


def budget(iterations: Any = None, seconds: Any = None, *, what: str = "iterations") -> Budget:
    """A valid budget. At least one of the two must be given."""
    if iterations is None and seconds is None:
        raise Invalid(f"give a number of {what} or of seconds")
    return Budget(
        math.inf if iterations is None else whole(iterations, what),
        math.inf if seconds is None else number(seconds, "seconds"),
    )


def whole(value: Any, what: str, least: int = 0) -> int:
    """A count of something: a whole number that is not too small."""
    try:
        count = operator.index(value)
    except TypeError:
        count = int(value) if isinstance(value, float) and value.is_integer() else least - 1
    if isinstance(value, bool) or count < least:
        raise Invalid(f"{what} must be a whole number of {least} or more, not {value!r}")
    return count


def number(value: Any, what: str, *, above: float | None = None, finite: bool = False) -> float:
    """A real number of 0 or more, or above a bound; infinity is one unless it must be finite."""
    fits = isinstance(value, numbers.Real) and not isinstance(value, bool) and not math.isnan(value)
    if not fits or value < 0 or (above is not None and value <= above) or (finite and math.isinf(value)):
        kind = "a finite number" if finite else "a number"
        raise Invalid(f"{what} must be {kind} {'of 0 or more' if above is None else f'above {above:g}'}, not {value!r}")
    return float(value)


def in_slices(
    work: Callable[[int], int],
    spend: Budget,
    *,
    tell: Callable[[], Any] | None = None,
    grow: Callable[[], Any] | None = None,
    finished: Callable[[], bool] = lambda: False,
    first: int = 64,
) -> None:
    """Call `work(count)` until the budget is spent or the work is finished.

    `work` returns how much of the count it did. Where it did less than it was asked for, it lacks room, and `grow` makes
    some. `finished` is asked before each slice, for work that knows its own end. `tell` is called after each slice and may
    raise to stop the work. The first slice does `first` iterations, and later ones take about SLICE_SECONDS each. Call
    `work(0)` before this to compile outside of the budget's seconds.
    """
    left, size, stop = spend.iterations, first, time.perf_counter() + spend.seconds
    while not finished() and left > 0 and (began := time.perf_counter()) < stop:
        asked = int(min(size, left))
        done = work(asked)
        left -= done
        if done == asked:
            size = next_slice(asked, time.perf_counter() - began)
        elif grow:
            grow()
        if tell:
            tell()


def telling(progress: Watcher | None, now: Callable[[], Progress]) -> Callable[[], Any] | None:
    """What `in_slices` calls to tell a watcher how far the work is now; nothing where nobody watches."""
    return None if progress is None else lambda: progress(now())


def next_slice(size: int, seconds: float) -> int:
    """How much to do in the next slice, when this much took so long; it at most doubles."""
    return max(1, min(2 * size, int(size * SLICE_SECONDS / max(seconds, 1e-9))))
