"""What a benchmark reports, and how two programs are timed fairly: side by side in one run, on one core."""

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

ROUNDS = 7  # odd, so that a median is a measurement
SECONDS = 0.5  # a contestant a round


class Row(NamedTuple):
    """One line of the table. What is judged by the bar is the ratio, or, where there is no peer, our own number."""

    name: str
    ours: float
    theirs: float | None = None
    ratio: float | None = None  # how many times better than the peer
    bar: float | None = None  # None: shown for information
    unit: str = ""
    peer: str = ""
    at_most: bool = False  # the bar is an upper bound

    @property
    def reached(self) -> bool | None:
        if self.bar is None:
            return None
        judged = self.ours if self.ratio is None else self.ratio
        return judged <= self.bar if self.at_most else judged >= self.bar


def rates(
    contestants: dict[str, Callable[[], int]], rounds: int = ROUNDS, seconds: float = SECONDS
) -> dict[str, float]:
    """How much each contestant does in a second: medians over rounds in which they take turns.

    A contestant does a batch of work when called and returns how much that was; it is called until it has had its
    seconds. Taking turns, all of them meet the same weather. The seconds are the processor's, of all threads of this
    process, so that what else runs on the machine takes little from either side.
    """
    found: dict[str, list[float]] = {name: [] for name in contestants}
    with one_core():
        for work in contestants.values():
            work()  # compile, load, fill the caches
        for _ in range(rounds):
            for name, work in contestants.items():
                done, start = 0, time.process_time()
                while (spent := time.process_time() - start) < seconds:
                    done += work()
                found[name].append(done / spent)
    return {name: statistics.median(rate) for name, rate in found.items()}


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process and those that it starts on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
