"""Long work in short slices: budgets, progress, Ctrl-C.

Compiled code cannot be interrupted, so long work returns to Python about twenty times a second. There the clock is read,
`progress` is called, Ctrl-C takes effect, and full tables grow. All anytime work goes through `in_slices`. Seconds count
everything but compiling.
"""

import enum
import math
import numbers
import operator
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from ..clock import clock
from ..errors import Invalid

SLICE_SECONDS = 0.05


class Progress(NamedTuple):
    """How far some work is. This is what every `progress` function is called with, after each slice."""

    what: str  # the things that are counted: iterations, histories, games, matches
    done: int
    goal: int | None = None  # where the count will end, if that is known
    detail: Any = None  # more, depending on the work: a solver's bounds, a run's last piece


Watcher = Callable[[Progress], Any]


class Ended(enum.StrEnum):
    """Why long work ended."""

    TARGET = "target"  # the target is reached
    FINISHED = "finished"  # nothing is left to do, and a target, where there was one, is reached
    STUCK = "stuck"  # nothing is left to do, and the target is not reached
    ITERATIONS = "iterations"  # the limit of iterations is reached
    SECONDS = "seconds"  # the time limit is reached
    STOPPED = "stopped"  # by Ctrl-C


class Budget(NamedTuple):
    """How much work is allowed: this many more iterations, or this many seconds from the start, whichever ends first."""

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
    """A real number of 0 or more, or above a bound. Infinity is allowed unless `finite` is set."""
    fits = isinstance(value, numbers.Real) and not isinstance(value, bool) and not math.isnan(value)
    if not fits or value < 0 or (above is not None and value <= above) or (finite and math.isinf(value)):
        kind = "a finite number" if finite else "a number"
        raise Invalid(f"{what} must be {kind} {'of 0 or more' if above is None else f'above {above:g}'}, not {value!r}")
    return float(value)


def memory_cap(memory: Any = None) -> float:
    """A limit in bytes. Where none is given it is half of the machine's memory, or none if the system does not say."""
    if memory is not None:
        return number(memory, "memory")
    if not hasattr(os, "sysconf"):
        return math.inf
    return 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def sized(count: float) -> str:
    """An amount of memory, in the unit in which it is easy to read."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count:.0f} bytes"


def in_slices(
    work: Callable[[int], int],
    spend: Budget,
    *,
    tell: Callable[[], Any] | None = None,
    grow: Callable[[], Any] | None = None,
    finished: Callable[[], bool] = lambda: False,
    first: int = 64,
    least: int = 1,
    pace: float = SLICE_SECONDS,
) -> None:
    """Call `work(count)` until the budget is spent or the work is finished.

    `work` returns how many iterations it did. If that is less than `count`, its tables are full, and `grow` is called to
    enlarge them. `finished` is called before each slice and says whether the work has come to its own end. `tell` is called
    after each slice and may raise to stop the work. The first slice does `first` iterations. Later ones take about `pace`
    seconds each, the last one no longer than what is left, but do at least `least` iterations. The budget's seconds are those
    of `clock`, which stands still while the work is compiled.
    """
    left, size, stop = spend.iterations, first, clock() + spend.seconds
    while not finished() and left > 0 and (began := clock()) < stop:
        asked = int(min(size, left))
        done = work(asked)
        left -= done
        if done == asked:
            now = clock()
            size = max(least, next_slice(asked, now - began, min(pace, max(0.0, stop - now))))
        elif grow:
            grow()
        if tell:
            tell()


def telling(progress: Watcher | None, now: Callable[[], Progress]) -> Callable[[], Any] | None:
    """The function that `in_slices` calls after each slice: it calls `progress` with `now()`. None if `progress` is None."""
    return None if progress is None else lambda: progress(now())


def next_slice(size: int, seconds: float, pace: float = SLICE_SECONDS) -> int:
    """The size of the next slice, if a slice of this size took this many seconds. It at most doubles."""
    return max(1, min(2 * size, int(size * pace / max(seconds, 1e-9))))
