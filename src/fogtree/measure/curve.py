"""Exploitability against iterations and time: how a search approaches equilibrium, or does not.

Each run has its own seed and is measured exactly at the same, logarithmically spaced iterations; a curve is the mean over the
runs with its 95 % band (Student's t). Runs are independent and share the cores by threads, which the kernels leave free.
"""

import concurrent.futures
import csv
import functools
import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..bandits import load_bandit
from ..errors import Invalid
from ..files import appearing, refusing
from ..looks import looks
from ..search.trees.ismcts import ISMCTS
from ..solvers.forms.general import GeneralForm
from ..solvers.forms.sequence import SequenceForm, sequence_form
from ..solvers.regret.cfr import CFR, RULES
from ..solvers.regret.mccfr import MCCFR
from ..solvers.regret.sampled import SCHEMES
from ..text.naming import load
from ..walk.slices import Progress, Watcher, number, whole
from .exploitability import exploitability, form_of
from .intervals import student

PER_DECADE = 4  # points
FIRST = 100  # iterations


class Curve(NamedTuple):
    """One algorithm's runs; a run that was out of time has NaN at the points that it did not reach."""

    name: str
    iterations: np.ndarray  # [points]
    seconds: np.ndarray  # [runs, points] of search alone
    total: np.ndarray  # [runs, points] the sum of all players' gains

    def mean(self) -> np.ndarray:
        return self._over_runs(np.nanmean, self.total)

    def band(self) -> np.ndarray:
        """Half the width of the 95 % interval of the mean, at each point; 0 for a single run."""
        runs = (~np.isnan(self.total)).sum(axis=0)
        many = np.maximum(runs, 2)
        spread = self._over_runs(lambda a, axis: np.nanstd(a, axis=axis), self.total) * np.sqrt(many / (many - 1))
        return np.where(runs > 1, student(many) * spread / np.sqrt(many), 0.0)

    def mean_seconds(self) -> np.ndarray:
        return self._over_runs(np.nanmean, self.seconds)

    def reached_by(self, share: float) -> "Curve":
        """The curve, cut after the last point that a given share of its runs has reached. Runs without any point do not
        count. It is a copy, for the runs may go on."""
        runs = (~np.isnan(self.total)).sum(axis=0)
        points = int((runs >= max(1, share * runs[0])).sum()) if len(runs) else 0
        return Curve(
            self.name, self.iterations[:points], self.seconds[:, :points].copy(), self.total[:, :points].copy()
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the curve with its band by Matplotlib, into these axes or into new ones; returns the axes."""
        return looks().plot_curve(self, ax)

    def _repr_svg_(self) -> str:
        return looks().curve_svg(self)

    def _over_runs(self, reduce, values):
        reached = ~np.isnan(values).all(axis=0)
        out = np.full(values.shape[1], np.nan)
        out[reached] = reduce(values[:, reached], axis=0)
        return out


def points(iterations: int, first: int | None = None) -> list[int]:
    """Logarithmically spaced iterations from the first up to the given one, which is the last."""
    iterations, first = whole(iterations, "iterations", 1), first or FIRST
    marks = (round(first * 10 ** (i / PER_DECADE)) for i in itertools.count())
    return [*itertools.takewhile(lambda mark: mark < iterations, marks), iterations]


def curves(
    game: Any,
    bandits: Sequence[tuple[str, Any]],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    runs: int = 20,
    seed: int = 0,
    threads: int | None = None,
    progress: Watcher | None = None,
) -> list[Curve]:
    """A curve for each (name, bandit): `runs` searches to so many iterations, or each for so many seconds.

    `progress` is called in this thread with the number of points that the runs have reached; its detail is the curves so far.
    Ctrl-C stops all runs at once.
    """
    if (iterations is None) == (seconds is None):
        raise Invalid("give either a number of iterations or a number of seconds a run")
    runs = whole(runs, "runs", 1)
    if seconds is not None:
        seconds = number(seconds, "seconds", above=0)
    marks = points(iterations if iterations is not None else 10**12)
    goal = None if iterations is None else len(bandits) * runs * len(marks)
    form = game if isinstance(game, SequenceForm | GeneralForm) else form_of(game)
    found = [Curve(name, np.array(marks), *np.full((2, runs, len(marks)), np.nan)) for name, _ in bandits]
    stop: list[bool] = []

    def run(which: int, row: int) -> None:
        search = ISMCTS(form.game, bandits[which][1], seed + row)
        reached = course(search, form, marks, seconds=seconds, progress=lambda _: _leave_if(stop))
        for point, (spent, total) in enumerate(reached):
            found[which].total[row, point], found[which].seconds[row, point] = total, spent

    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        work = {pool.submit(run, which, row) for row in range(runs) for which in range(len(bandits))}
        try:
            while work:
                done, work = concurrent.futures.wait(work, timeout=0.2, return_when="FIRST_COMPLETED")
                for future in done:
                    future.result()
                if progress:
                    so_far = [curve.reached_by(0.0) for curve in found]
                    reached = sum(int((~np.isnan(curve.total)).sum()) for curve in so_far)
                    progress(Progress("points", reached, goal, so_far))
        except BaseException:
            stop.append(True)
            pool.shutdown(cancel_futures=True)
            raise
    return [curve.reached_by(0.0) for curve in found]


def course(
    search: Any,
    form: Any,
    marks: Sequence[int],
    *,
    seconds: float | None = None,
    progress: Watcher | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[tuple[float, float]]:
    """(seconds of search, total exploitability) at each of the iterations that a search or a solver reaches in time."""
    search.run(iterations=0)
    spent = 0.0
    for mark in marks:
        began = clock()
        left = None if seconds is None else max(seconds - spent, 0.0)
        search.run(iterations=mark - search.iterations, seconds=left, progress=progress)
        spent += clock() - began
        if search.iterations < mark:
            return
        yield spent, exploitability(form, search.strategy()).total


def follow(game: str, algorithm: str, iterations: int, seed: int) -> dict[str, list[float]]:
    """One run as a piece of a longer work. The algorithm is named: a bandit, or a variant of CFR or MCCFR. It is measured at
    several points on its way.

    Its seconds are processor time, so that other work on the machine does not change them.
    """
    form = _form(game)
    marks = points(iterations, 1 if algorithm in RULES else None)
    _learner(form, algorithm, seed).run(iterations=1)  # compiles it
    spent, total = zip(*course(_learner(form, algorithm, seed), form, marks, clock=time.process_time), strict=True)
    return {"iterations": marks, "seconds": list(spent), "total": list(total)}


def gathered(name: str, runs: Sequence[dict[str, list[float]]]) -> Curve:
    """The curve of runs that `follow` found; they may differ in length."""
    longest = max(runs, key=lambda run: len(run["iterations"]))["iterations"]
    seconds, total = np.full((2, len(runs), len(longest)), np.nan)
    for row, run in enumerate(runs):
        places = [longest.index(mark) for mark in run["iterations"] if mark in longest]
        kept = [i for i, mark in enumerate(run["iterations"]) if mark in longest]
        seconds[row, places] = np.array(run["seconds"])[kept]
        total[row, places] = np.array(run["total"])[kept]
    return Curve(name, np.array(longest), seconds, total)


@functools.lru_cache(maxsize=1)  # a worker's pieces mostly belong to one game
def _form(game: str) -> SequenceForm:
    return sequence_form(load(game))


def _learner(form: SequenceForm, algorithm: str, seed: int) -> Any:
    if algorithm in RULES:
        return CFR(form, algorithm, threads=1)
    if algorithm in SCHEMES:
        return MCCFR(form.game, SCHEMES[algorithm], seed)
    return ISMCTS(form.game, load_bandit(algorithm), seed)


def write_csv(curves: Sequence[Curve], path: str | os.PathLike) -> None:
    """All runs at all points, as a file."""
    with refusing(path), appearing(path, "t") as file:
        csv.writer(file).writerows(csv_rows(curves))


def csv_rows(curves: Sequence[Curve]) -> Iterator[list[Any]]:
    """All runs at all points: a header, then algorithm, run, iterations, seconds, total exploitability."""
    yield ["algorithm", "run", "iterations", "seconds", "total"]
    for curve in curves:
        for run, point in np.argwhere(~np.isnan(curve.total)).tolist():
            mark, spent = int(curve.iterations[point]), curve.seconds[run, point]
            yield [curve.name, run, mark, f"{spent:.6g}", f"{curve.total[run, point]:.9g}"]


def rows(curves: Sequence[Curve]) -> tuple[list[str], list[list[Any]]]:
    """A header, and a row for each point of each curve: means over the runs."""
    found = []
    for curve in curves:
        mean, band, seconds = curve.mean(), curve.band(), curve.mean_seconds()
        runs = (~np.isnan(curve.total)).sum(axis=0)
        for at, mark in enumerate(curve.iterations.tolist()):
            numbers = (f"{seconds[at]:.4g}", f"{mean[at]:.5g}", f"{band[at]:.3g}")
            found.append([curve.name, mark, int(runs[at]), *numbers])
    return ["algorithm", "iterations", "runs", "seconds", "total", "half of 95 %"], found


def _leave_if(stop: list[bool]) -> None:
    if stop:
        raise concurrent.futures.CancelledError
