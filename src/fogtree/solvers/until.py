"""Iterations until a certificate is good enough.

A method that minimises regrets can be stopped after any iteration, and its result is judged by a certificate: best
responses, which cost as much as some iterations. So the certificate is renewed whenever the iterations have grown by a
factor. In between a checkpoint is saved every SAVED seconds, and `progress` is called with the certificate that was found
last. The work ends at the target, at a limit, or by Ctrl-C, which keeps what was found.
"""

import contextlib
import math
import os
import time
from typing import Any, NamedTuple, Protocol

from ..walk.slices import Ended, Progress, Watcher

PATIENCE = 1.15  # the certificate is renewed when the iterations have grown by this factor
SAVED = 30.0  # seconds between two checkpoints
BUSY = 20  # and at least so many times as long as writing one takes
LEAST_SECONDS = 1e-3  # that a run gets


class Work(Protocol):
    """A method that goes on for more iterations. `save` and `resume` are needed for checkpoints only."""

    iterations: int  # so far
    least: int  # iterations between two certificates: one costs as much as that many

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> Any: ...
    def save(self, path: str | os.PathLike) -> None: ...
    def resume(self, path: str | os.PathLike) -> None: ...


class Judge(Protocol):
    """Who knows how good the present result is."""

    def renew(self, seconds: float) -> float:
        """Judge what the work has by now, so many seconds after the start, and return what the target is a bound on."""

    def detail(self, iterations: int, seconds: float) -> Any:
        """The last certificate as the detail of a progress, which is some iterations later."""


class Limits(NamedTuple):
    """When the work ends. None is no limit."""

    start: float  # when the seconds began, by `time.perf_counter`
    target: float | None = None
    iterations: int | None = None  # in all, with those of a checkpoint
    seconds: float | None = None

    def reason(self, iterations: int, total: float) -> Ended | None:
        """Why the work ends here, if it does."""
        if self.target is not None and total <= self.target:
            return Ended.TARGET
        if self.iterations is not None and iterations >= self.iterations:
            return Ended.ITERATIONS
        return Ended.SECONDS if self.seconds is not None and self.spent() >= self.seconds else None

    def spent(self) -> float:
        return time.perf_counter() - self.start

    def left(self) -> float | None:
        """Seconds."""
        return None if self.seconds is None else max(self.seconds - self.spent(), LEAST_SECONDS)


def iterate_until(
    work: Any,
    judge: Judge,
    limits: Limits,
    *,
    patience: float = PATIENCE,
    checkpoint: str | os.PathLike | None = None,
    progress: Watcher | None = None,
) -> Ended:
    """Go on to the target or to a limit, and say why it ended. If the checkpoint exists, the work is resumed from it. Ctrl-C
    before the first certificate is passed on."""
    keeper, judged, ended = _Keeper(work, checkpoint), False, None

    def tell() -> None:
        if progress and judged:
            detail = judge.detail(work.iterations, limits.spent())
            progress(Progress("iterations", work.iterations, limits.iterations, detail))

    def look(now: Progress) -> None:
        if now.done != now.goal:  # there the certificate is renewed, and told
            tell()
        keeper.save_if_due()

    try:
        while ended is None:  # it ends: each round adds iterations, and Ctrl-C is heard
            if work.iterations:
                total = judge.renew(limits.spent())
                judged, ended = True, limits.reason(work.iterations, total)
                tell()
            if ended is None:
                more = math.ceil(max(work.least, (patience - 1) * work.iterations))
                goal = math.inf if limits.iterations is None else limits.iterations
                work.run(iterations=min(more, goal - work.iterations), seconds=limits.left(), progress=look)
    except KeyboardInterrupt:
        if not judged:
            raise
        ended = ended or Ended.STOPPED
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C here costs the checkpoint, not the result
        keeper.save()
    return ended


class _Keeper:
    """Writes checkpoints, seldom enough that the work goes on."""

    def __init__(self, work: Work, path: str | os.PathLike | None):
        self.work, self.path, self.due = work, path, time.perf_counter() + SAVED
        if path is not None and os.path.exists(path):
            work.resume(path)

    def save(self) -> None:
        if self.path is None:
            return
        began = time.perf_counter()
        self.work.save(self.path)
        now = time.perf_counter()
        self.due = now + max(SAVED, BUSY * (now - began))

    def save_if_due(self) -> None:
        if time.perf_counter() >= self.due:
            self.save()
