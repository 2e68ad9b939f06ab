"""The driver of all solvers: iterations until a certificate is good enough.

A solver is handed in as a `Work`: something that can be run for more iterations, stopped after any of them, and judged by a
certificate. A certificate costs as much as some iterations, so it is renewed whenever the iterations have grown by a factor.
In between a checkpoint is saved every SAVED seconds, and `progress` is called with the certificate that was found last.
The work ends at the target, at a limit, because nothing is left to do, or by Ctrl-C, which keeps what was found. Seconds
count everything but compiling.

`solve` and `solve_general` make a Work of what they are given. Whoever has a game in a form of its own (hold'em on buckets)
gives `solve` an object with the methods of `Form`.
"""

import contextlib
import math
import os
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from ..clock import clock
from ..errors import Invalid
from ..game import Shape
from ..strategy import read_npz
from ..walk.slices import SLICE_SECONDS, Ended, Progress, Watcher, budget, in_slices, number, telling, whole

Whatever = TypeVar("Whatever", bound=Any)
SAVED = 30.0  # seconds between two checkpoints
BUSY = 20  # and at least so many times as long as writing one takes
LEAST_SECONDS = 1e-3  # that a run gets


class Pace(NamedTuple):
    """When a certificate is renewed: after `least` more iterations, but not before they have grown by `factor`."""

    least: int = 1
    factor: float = 1.15

    def more(self, iterations: int) -> int:
        return math.ceil(max(self.least, (self.factor - 1) * iterations))


EACH = Pace(factor=1.0)  # a certificate after each iteration


class Certificate(Protocol):
    """How good a result is, proved, and the result itself."""

    @property
    def total(self) -> float:
        """What the target is a bound on."""

    def improved_by(self, later: Any) -> Any:
        """The best of this certificate and a later one of the same work."""

    def point(self, iterations: int, seconds: float) -> Any:
        """What it says, as an entry of the course and as the detail of a progress. None if nothing is proved."""


class Work(Protocol):
    """A method that goes on for more iterations. `save` and `resume` are needed for checkpoints only."""

    name: str  # of the method
    pace: Pace
    iterations: int  # so far
    finished: bool  # whether more iterations would change nothing

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> Any: ...
    def certificate(self) -> Certificate: ...
    def save(self, path: str | os.PathLike) -> None: ...
    def resume(self, path: str | os.PathLike) -> None: ...


class Form(Protocol):
    """A two-player zero-sum game in a form that has solvers of its own. `solve` takes one in place of a game.

    The certificates of its work have `low` and `high`, the bounds of the value, `note`, a warning or an empty text,
    `strategy(progress)`, a `StoredStrategy`, `value(strategy, progress)`, and perhaps `detail(strategy)`.
    """

    game: Any
    methods: tuple[str, ...]  # the first is what "auto" means
    share: float  # of the range of payoffs: the target unless the user gives a limit

    def work(self, method: str, *, memory: float | None, threads: int | None, progress: Watcher | None) -> Work:
        """Prepare everything. `progress` is called now and then, and raises when the time is up."""


class Limits(NamedTuple):
    """When the work ends. None is no limit."""

    start: float  # when the seconds began, by `clock`
    target: float | None = None
    iterations: int | None = None  # in all, with those of a checkpoint
    seconds: float | None = None

    def reason(self, work: Any, total: float) -> Ended | None:
        """Why the work ends here, if it does."""
        if self.target is not None and total <= self.target:
            return Ended.TARGET
        if work.finished:
            return Ended.FINISHED if self.target is None else Ended.STUCK
        if self.iterations is not None and work.iterations >= self.iterations:
            return Ended.ITERATIONS
        return Ended.SECONDS if self.seconds is not None and self.spent() >= self.seconds else None

    def parameters(self) -> dict[str, Any]:
        """What the user asked for, as results list it among their parameters."""
        return {"target": self.target, "seconds": self.seconds, "iterations": self.iterations}

    def or_target(self, share: float, shape: Shape) -> "Limits":
        """These limits. If nothing was asked for that would end the work, a target does: a share of the range of payoffs."""
        if any(limit is not None for limit in self[1:]):
            return self
        return self._replace(target=share * (shape.high - shape.low))

    def spent(self) -> float:
        return clock() - self.start

    def left(self) -> float | None:
        """Seconds."""
        return None if self.seconds is None else max(self.seconds - self.spent(), LEAST_SECONDS)


def limits_from_now(target: Any, seconds: Any, iterations: Any) -> Limits:
    """Valid limits, of which the seconds begin now."""
    return Limits(
        clock(),
        None if target is None else number(target, "target", above=0),
        None if iterations is None else whole(iterations, "iterations", 1),
        None if seconds is None else number(seconds, "seconds", above=0),
    )


class Worked(NamedTuple):
    """What the work has come to."""

    best: Any  # certificate
    course: list[Any]  # the points of the certificates
    ended: Ended


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended the work of a solver; `solution` is what it had found."""

    def __init__(self, solution: Any):
        super().__init__(f"stopped; what was found so far is in `solution`: {solution}")
        self.solution = solution


def unless_stopped(solution: Any, partial: bool) -> Any:
    """A result that is returned, or raised as `Interrupted` if Ctrl-C has ended the work and no partial one was asked for."""
    if solution.ended == Ended.STOPPED and not partial:
        raise Interrupted(solution)
    return solution


def iterate_until(
    work: Any, limits: Limits, *, checkpoint: str | os.PathLike | None = None, progress: Watcher | None = None
) -> Worked:
    """Go on to the target or to a limit. If the checkpoint exists, the work is resumed from it. Ctrl-C before the first
    certificate is passed on, after a checkpoint."""
    keeper, best, judged, course = _Keeper(work, checkpoint), None, 0, list[Any]()
    ended: Ended | None = None

    def tell(done: int, point: Any) -> None:
        if progress:
            progress(Progress("iterations", done, limits.iterations, point))

    def look(now: Progress) -> None:
        if now.done != now.goal:  # there the certificate is renewed, and told
            tell(now.done, None if best is None else best.point(now.done, limits.spent()))
        keeper.save_if_due()

    try:
        while ended is None:  # it ends: each round adds iterations or takes the last seconds, and Ctrl-C is heard
            if work.iterations > judged or (work.finished and best is None):
                found, judged = work.certificate(), work.iterations
                best = found if best is None else best.improved_by(found)
                point = best.point(judged, limits.spent())
                course += [] if point is None else [point]
                ended = limits.reason(work, best.total)
                tell(judged, point)
            elif best is not None:  # the seconds ended before the next iteration did
                ended = limits.reason(work, best.total)
            if ended is None:
                goal = math.inf if limits.iterations is None else limits.iterations
                more = min(work.pace.more(work.iterations), goal - work.iterations)
                work.run(iterations=more, seconds=limits.left(), progress=look)
    except KeyboardInterrupt:
        if best is None:
            if work.iterations:
                keeper.save()
            raise
        ended = ended or Ended.STOPPED
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C here costs the checkpoint, not the result
        keeper.save()
    return Worked(best, course, ended)


def run_slices(
    work: Whatever,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Watcher | None = None,
    iterate: Callable[[int], int] | None = None,
    first: int = 1,
    pace: float = SLICE_SECONDS,
) -> Whatever:
    """The usual `run` of a Work: run for so many more iterations or seconds, in slices; returns the work. `progress` is
    called after each slice and may raise. What is run is `iterate(count)`, or by default the work's method `_iterate`. The
    first slice has `first` iterations, and each takes about `pace` seconds."""
    spend = budget(iterations, seconds)
    goal = None if iterations is None else work.iterations + int(spend.iterations)
    tell = telling(progress, lambda: Progress("iterations", work.iterations, goal))
    in_slices(iterate or work._iterate, spend, tell=tell, first=first, pace=pace)
    return work


# --- checkpoints ---------------------------------------------------------------------------------------------------


class _Keeper:
    """Writes checkpoints, seldom enough that the work goes on."""

    def __init__(self, work: Work, path: str | os.PathLike | None):
        self.work, self.path, self.due = work, path, clock() + SAVED
        if path is not None and os.path.exists(path):
            work.resume(path)

    def save(self) -> None:
        if self.path is None:
            return
        began = clock()
        self.work.save(self.path)
        now = clock()
        self.due = now + max(SAVED, BUSY * (now - began))

    def save_if_due(self) -> None:
        if clock() >= self.due:
            self.save()


def resumed(
    path: str | os.PathLike,
    about: list[str],
    arrays: dict[str, np.ndarray],
    count: str = "iterations",
    called: str | None = None,
) -> int:
    """Fill the arrays of a work from a checkpoint, if it is of the same game and rule, which are `about`; returns how many
    iterations it had done, which the file holds as `count`. `called` is what an error calls the game where the identity in
    `about` is no text for people."""
    stored = read_npz(path, {"about", count, *arrays})
    if stored["about"].tolist() != about:
        found, wanted = [str(word) for word in stored["about"].ravel().tolist()], about
        if called is not None:
            found = ["this game" if word == about[0] else "another game" for word in found[:1]] + found[1:]
            wanted = [called, *about[1:]]
        raise Invalid(f"{path} is a checkpoint of {' by '.join(found)}, not of {' by '.join(wanted)}")
    done = stored[count]
    fits = done.shape == () and done.dtype.kind == "i" and bool(done >= 0)
    for field, ours in arrays.items():
        array = stored[field]
        fits = fits and array.shape == ours.shape and array.dtype == ours.dtype and bool(np.isfinite(array).all())
    if not fits:
        raise Invalid(f"{path} does not fit the game: it was cut short or changed")
    for field, ours in arrays.items():
        ours[:] = stored[field]
    return int(done)
