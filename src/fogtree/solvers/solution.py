"""`solve(game)`: an equilibrium, its value, and a certificate.

The certificate is a pair of best responses. Against player 0's strategy the other can hold them down to `low` and no
further; against player 1's strategy player 0 gets `high` and no more; so the value of the game lies between, and the two
strategies together are exploitable by `total` = high - low. Every method is judged by it, whatever it claims itself.
"""

import math
import os
import time
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import identity
from ..strategy import Strategy
from .cfr import CFR, RULES
from .mccfr import MCCFR, External, Outcome
from .reduction import lifted, reduced
from .response import average, behaviour, best_answer, plan_of, value_of
from .sequence import EMPTY, SequenceForm, sequence_form

SCHEMES = {"external": External(), "outcome": Outcome()}
METHODS = ("auto", "lp", "oracle", *RULES, *SCHEMES)
SMALL = 4_000  # sequences of both players up to which the linear program is the quickest
PATIENCE = 1.15  # the certificate is renewed when the iterations have grown by this factor
CHECKPOINT_SECONDS = 30.0


class Point(NamedTuple):
    """How far a method had come at some time."""

    iterations: int
    seconds: float
    low: float
    high: float


class Solution(NamedTuple):
    """An equilibrium up to `total`, and how it was found."""

    game: str
    strategy: Strategy
    value: float  # of player 0 when both follow the strategy
    low: float  # the value of the game lies between low and high
    high: float
    method: str
    iterations: int
    seconds: float
    parameters: dict[str, Any]
    course: list[Point]
    reached: bool  # the target, where there was one

    @property
    def total(self) -> float:
        """The exploitability of the strategy: the sum of both players' gains."""
        return self.high - self.low

    def __str__(self) -> str:
        return (
            f"{self.game}: value {self.value:.6f} in [{self.low:.6f}, {self.high:.6f}], total exploitability "
            f"{self.total:.2g} by {self.method}, {self.iterations} iterations, {self.seconds:.1f} s"
        )


def solve(
    game: Any,
    method: str = "auto",
    *,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    memory: float | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike | None = None,
    progress=None,
) -> Solution:
    """Solve a two-player zero-sum game until its total exploitability is below the target (0.001 of the payoffs' range if
    nothing else is asked), or for so many seconds or iterations.

    `progress(point)` looks on and `progress(histories)` while the game is enumerated. A checkpoint file is written every
    half minute and at the end, and gone on from if it is there; its iterations count among those asked for. Ctrl-C ends the
    work with what it has.
    """
    if method not in METHODS:
        raise Invalid(f"there is no method '{method}': valid are {', '.join(METHODS)}")
    for limit, word in ((target, "target"), (seconds, "seconds"), (iterations, "iterations")):
        if limit is not None and not limit > 0:
            raise Invalid(f"{word} must be above 0, not {limit}")
    if iterations is not None and iterations % 1 != 0:
        raise Invalid(f"iterations must be a whole number, not {iterations}")
    if checkpoint is not None and not os.access(os.path.dirname(os.path.abspath(checkpoint)), os.W_OK):
        raise Invalid(f"{checkpoint} cannot be written: there is no such folder, or no right to write there")
    form = game if isinstance(game, SequenceForm) else None
    game = form.game if form else game
    shape = game.shape()
    if target is None and seconds is None and iterations is None:
        target = 0.001 * (shape.high - shape.low)
    start = time.perf_counter()
    small = game if form else reduced(game)
    form = form or sequence_form(small, memory=memory, progress=progress)
    size = int(form.trees[0].sequences() + form.trees[1].sequences())
    if method == "auto":
        method = "lp" if size <= SMALL and checkpoint is None and seconds is None else "pcfr+"
    if checkpoint is not None and method not in RULES:
        raise Invalid(f"there are no checkpoints for {method}: use one of {', '.join(RULES)}")
    if method == "lp":
        best, course, count = _by_lp(form, start, seconds)
    elif method == "oracle":
        best, course, count = _by_oracle(form, start, target, seconds)
    else:
        work = CFR(form, method, threads=threads) if method in RULES else _Sampled(form, SCHEMES[method])
        best, course = _by_regret(work, start, target, seconds, iterations, checkpoint, progress)
        count = work.iterations
    return Solution(
        game=identity(game),
        strategy=lifted(best.strategy(form), game) if small is not game else best.strategy(form),
        value=value_of(form, best.x, best.y),
        low=best.low,
        high=best.high,
        method=method if small is game else f"{method} on {identity(small)}",
        iterations=count,
        seconds=time.perf_counter() - start,
        parameters={"target": target, "seconds": seconds, "iterations": iterations},
        course=course,
        reached=target is None or best.high - best.low <= target,
    )


class _Best(NamedTuple):
    """The best plan of each side so far: a certificate holds for whichever iteration it comes from."""

    x: np.ndarray
    y: np.ndarray
    low: float
    high: float

    def strategy(self, form) -> Strategy:
        return behaviour(form, {0: average(form, 0, self.x), 1: average(form, 1, self.y)})

    def improved(self, form, x, y) -> "_Best":
        low, high = -float(best_answer(form, x, 1)[1][EMPTY]), float(best_answer(form, y, 0)[1][EMPTY])
        best = self if low <= self.low else self._replace(x=x, low=low)
        return best if high >= best.high else best._replace(y=y, high=high)


def _by_lp(form, start, seconds):
    from .lp import solve_lp  # HiGHS and SciPy take a quarter of a second to load, and only the LP needs them

    result = solve_lp(form, seconds=seconds)
    x, y = result.plans
    best = _Best(x, y, -math.inf, math.inf).improved(form, x, y)
    return best, [Point(result.iterations, time.perf_counter() - start, best.low, best.high)], result.iterations


def _by_oracle(form, start, target, seconds):
    from .oracle import double_oracle  # it solves by the LP

    result = double_oracle(form, target=target, seconds=seconds)
    x, y = result.plans
    best = _Best(x, y, -math.inf, math.inf).improved(form, x, y)
    return best, [Point(len(result.rounds), time.perf_counter() - start, best.low, best.high)], len(result.rounds)


class _Sampled:
    """MCCFR, judged as CFR is."""

    least = 1000  # iterations between two certificates: one costs as much as that many samples

    def __init__(self, form: SequenceForm, scheme: Any):
        self.form, self.work = form, MCCFR(form.game, scheme)

    @property
    def iterations(self) -> int:
        return self.work.iterations

    def run(self, *, iterations: int, seconds: float | None) -> None:
        self.work.run(iterations=iterations, seconds=seconds)

    def plans(self) -> tuple[np.ndarray, np.ndarray]:
        strategy = self.work.strategy()
        return plan_of(self.form, strategy, 0)[0], plan_of(self.form, strategy, 1)[0]


def _by_regret(work, start, target, seconds, iterations, checkpoint, progress):
    if checkpoint is not None and os.path.exists(checkpoint):
        work.resume(checkpoint)
    goal = math.inf if iterations is None else iterations
    stop = math.inf if seconds is None else start + seconds
    best, course, saved = _Best(*work.plans(), -math.inf, math.inf), [], time.perf_counter()
    try:
        while True:
            if work.iterations:
                best = best.improved(work.form, *work.plans())
                course.append(Point(work.iterations, time.perf_counter() - start, best.low, best.high))
                if progress:
                    progress(course[-1])
                enough = target is not None and best.high - best.low <= target
                if enough or work.iterations >= goal or time.perf_counter() >= stop:
                    break
            if checkpoint is not None and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                work.save(checkpoint)
                saved = time.perf_counter()
            more = min(math.ceil(max(work.least, (PATIENCE - 1) * work.iterations)), goal - work.iterations)
            left = max(stop - time.perf_counter(), 1e-3)
            work.run(iterations=more, seconds=None if seconds is None else left)
    except KeyboardInterrupt:
        if not course:
            raise
    if checkpoint is not None:
        work.save(checkpoint)
    return best, course
