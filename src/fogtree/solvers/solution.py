"""`solve(game)`: an equilibrium, its value, and a certificate.

The certificate is a pair of best responses. Against player 0's strategy the other can hold them down to `low` and no
further; against player 1's strategy player 0 gets `high` and no more; so the value of the game lies between, and the two
strategies together are exploitable by `total` = high - low. Every method is judged by it, whatever it claims itself.

Only methods that sample have none, because they are for games that are too large to enumerate. There `certified` is false,
the value is not known, and low and high are no more than the bounds of the payoffs. (A sequence form that was made before
gives them a certificate too.)
"""

import math
import os
import time
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import identity
from ..looks import looks
from ..strategy import Strategy
from ..text import markup
from ..text.naming import as_game
from ..walk.estimate import Huge, unless_huge
from ..walk.slices import Ended, Progress, Watcher, number, whole
from .forms.expected import expected
from .forms.reduction import form_and_forced, lifted, reduced
from .forms.response import average, behaviour, bounds_of, plan_of, value_of
from .forms.sequence import SequenceForm, sequence_form
from .regret.cfr import CFR, RULES
from .regret.mccfr import MCCFR, External, Outcome
from .regret.race import Race
from .streamed.streamed_oracle import Round, streamed_oracle
from .until import Limits, iterate_until

SCHEMES = {"external": External(), "outcome": Outcome()}
METHODS = ("auto", "lp", "oracle", "streamed-oracle", *RULES, *SCHEMES)
SMALL = 4_000  # sequences of both players up to which the linear program is the quickest
HOPELESS = 1e13  # histories: a game with more is not streamed either
SHORT = 100_000  # histories: an enumeration of so many is finished even if the time is up, for it takes no time
LEAST_SECONDS = 0.1  # that a sampling method gets, if compiling has taken all of them


class Bounds(NamedTuple):
    """What a method had proved at some time: the value of the game lies between low and high."""

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
    course: list[Bounds]
    reached: bool  # the target, where there was one
    ended: Ended  # why the work ended: by the target, a limit, Ctrl-C, or because nothing was left to do
    certified: bool = True  # whether best responses have proved low and high
    note: str = ""  # a warning about the result

    @property
    def total(self) -> float:
        """The exploitability of the strategy: the sum of both players' gains."""
        return self.high - self.low

    def policy_of(self, game: Any) -> Any:
        """This solution as a policy of the game."""
        return self.strategy.policy_of(game)

    def plot(self, ax: Any = None) -> Any:
        """Draw how the bounds of the value closed in, by Matplotlib, into these axes or into new ones; returns the axes."""
        return looks().plot_bounds(self, ax)

    def _repr_html_(self) -> str:
        rows = [
            ("value of player 0", f"{self.value:.6f}"),
            ("certified between", f"{self.low:.6f} and {self.high:.6f}"),
            ("total exploitability", f"{self.total:.2g}"),
            ("method", self.method),
            ("iterations", f"{self.iterations:,}"),
            ("seconds", f"{self.seconds:.1f}"),
            ("information sets", f"{len(self.strategy):,}"),
        ]
        return markup.table(("equilibrium", ""), rows, self.game)

    def __str__(self) -> str:
        if not self.certified:
            spent = f"{self.iterations} iterations, {self.seconds:.1f} s"
            return f"{self.game}: no certificate, sampled by {self.method}, {spent}"
        return (
            f"{self.game}: value {self.value:.6f} in [{self.low:.6f}, {self.high:.6f}], total exploitability "
            f"{self.total:.2g} by {self.method}, {self.iterations} iterations, {self.seconds:.1f} s"
        )


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended the work of `solve`; `solution` is what it had found."""

    def __init__(self, solution: Any):
        super().__init__(f"stopped; what was found so far is in `solution`: {solution}")
        self.solution = solution


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
    partial: bool = False,
    progress: Watcher | None = None,
) -> Solution:
    """Solve a two-player zero-sum game until its total exploitability is below the target (0.001 of the range of payoffs by
    default), or for so many seconds or iterations.

    `progress` is called with the number of histories while the game is enumerated, and then with the number of iterations;
    its detail is `Bounds` if the method has some before its end. A checkpoint is saved every 30 s and at the end. If the
    file exists, the work is resumed from it, and its iterations count among those asked for. Ctrl-C ends the work
    and raises `Interrupted`, which holds the result so far as its `solution`; with `partial` that result is returned, and
    its `ended` says so. The linear program has no result before its end, so it takes no number of iterations.

    The seconds count from the call. They end the enumeration too, with an error, for there is no result before its end; what
    is being compiled, and the last step of a method, are finished first. `memory` is a limit in bytes.
    """
    if method not in METHODS:
        raise Invalid(f"there is no method '{method}': valid are {', '.join(METHODS)}")
    target = None if target is None else number(target, "target", above=0)
    seconds = None if seconds is None else number(seconds, "seconds", above=0)
    iterations = None if iterations is None else whole(iterations, "iterations", 1)
    if method == "lp" and iterations is not None:
        others = ", ".join(other for other in METHODS if other not in ("auto", "lp"))
        raise Invalid(f"lp takes no number of iterations: limit its seconds, or use one of {others}")
    if checkpoint is not None and method not in ("auto", *RULES):
        raise Invalid(f"there are no checkpoints for {method}: use one of {', '.join(RULES)}")
    if checkpoint is not None and not os.access(os.path.dirname(os.path.abspath(checkpoint)), os.W_OK):
        raise Invalid(f"{checkpoint} cannot be written: there is no such folder, or no right to write there")
    form = game if isinstance(game, SequenceForm) else None
    game = form.game if form else as_game(game)
    shape = game.shape()
    if method in SCHEMES and form is None:
        if seconds is None and iterations is None:
            raise Invalid(
                f"{method} samples the game and has no certificate, so a target cannot end it: limit its seconds or "
                "its iterations"
            )
        return _sampled(game, method, target, seconds, iterations, memory, partial, progress)
    if target is None and seconds is None and iterations is None:
        target = 0.001 * (shape.high - shape.low)
    start = time.perf_counter()
    stop = math.inf if seconds is None else start + seconds
    if method == "streamed-oracle" and form is None:
        return _streamed(game, start, target, seconds, iterations, memory, threads, partial, progress)
    small, forced = game if form else reduced(game), None
    enumerating = in_time(stop, seconds, progress)
    if method == "auto" and checkpoint is None:
        enumerating = unless_huge(small, enumerating, HOPELESS)
    try:
        if small is not game:  # what lifting needs is noted on the same walk
            form, forced = form_and_forced(small, memory=memory, progress=enumerating)
        form = form or sequence_form(small, memory=memory, progress=enumerating)
    except Huge:
        return _streamed(game, start, target, seconds, iterations, memory, threads, partial, progress)
    size = int(form.trees[0].sequences() + form.trees[1].sequences())
    if method == "auto":
        unlimited = checkpoint is None and seconds is None and iterations is None
        method = "lp" if size <= SMALL and unlimited else "auto"
    if method == "lp":
        found = _by_lp(form, start, target, seconds, progress)
    elif method == "oracle":
        found = _by_oracle(form, start, target, seconds, iterations, progress)
    else:
        work: Any = None
        if method == "auto":  # the game itself decides by which rule
            work = Race(form, threads=threads)
        elif method in RULES:
            work = CFR(form, method, threads=threads)
        else:
            work = _Sampled(form, method)
        found = _by_regret(work, start, target, seconds, iterations, checkpoint, progress)
        method = work.name
    best = found.best
    strategy = best.strategy(form)
    solution = Solution(
        game=identity(game),
        strategy=strategy if forced is None else lifted(strategy, game, forced),
        value=value_of(form, best.x, best.y),
        low=best.low,
        high=best.high,
        method=method if small is game else f"{method} on {identity(small)}",
        iterations=found.iterations,
        seconds=time.perf_counter() - start,
        parameters={"target": target, "seconds": seconds, "iterations": iterations},
        course=found.course,
        reached=target is None or best.high - best.low <= target,
        ended=found.ended,
    )
    if solution.ended == Ended.STOPPED and not partial:
        raise Interrupted(solution)
    return solution


def in_time(stop: float, seconds: float | None, progress: Watcher | None) -> Watcher | None:
    """The progress function of an enumeration, which ends it with a sentence when the time is up."""
    if seconds is None:
        return progress

    def look(now: Progress) -> None:
        if progress:
            progress(now)
        if time.perf_counter() >= stop and now.done > SHORT:
            raise Invalid(
                f"the time limit of {seconds:g} s ended while the game was being enumerated, after {now.done:,} histories: "
                f"give it more seconds, or use a method that samples ({', '.join(SCHEMES)})"
            )

    return look


def _streamed(game, start, target, seconds, iterations, memory, threads, partial, progress) -> Solution:
    """By the double oracle that never enumerates the game."""
    before, low, high, course = time.perf_counter() - start, -math.inf, math.inf, list[Bounds]()

    def tell(now: Progress) -> None:
        nonlocal low, high
        if isinstance(now.detail, Round):
            low, high = max(low, now.detail.low), min(high, now.detail.high)
            course.append(Bounds(now.done, before + now.detail.seconds, low, high))
        if progress:
            progress(now._replace(detail=course[-1] if course else None))

    found = streamed_oracle(
        game,
        target=0.0 if target is None else target,
        iterations=iterations,
        seconds=None if seconds is None else max(seconds - before, LEAST_SECONDS),
        memory=memory,
        threads=threads,
        progress=tell,
    )
    allowed = math.inf if seconds is None else time.perf_counter() + max(seconds, LEAST_SECONDS)  # as long again

    def writing(now: Progress) -> None:
        if progress:
            progress(now)
        if time.perf_counter() >= allowed:
            raise Invalid(
                f"the value lies between {found.low:.6g} and {found.high:.6g}, but the strategy that proves it gets to too "
                f"many histories to be written down in {seconds:g} s: give it more seconds"
            )

    strategy = found.strategy(writing)
    solution = Solution(
        game=identity(game),
        strategy=strategy,
        value=expected(game, strategy)[0],
        low=found.low,
        high=found.high,
        method="streamed-oracle",
        iterations=len(found.rounds),
        seconds=time.perf_counter() - start,
        parameters={"target": target, "seconds": seconds, "iterations": iterations},
        course=course,
        reached=target is None or found.high - found.low <= target,
        ended=found.ended,
    )
    if solution.ended == Ended.STOPPED and not partial:
        raise Interrupted(solution)
    return solution


def _sampled(game, method, target, seconds, iterations, memory, partial, progress) -> Solution:
    """What a sampling method has learned. The game is never enumerated, so that nothing is proved."""
    start, shape = time.perf_counter(), game.shape()
    work = MCCFR(game, SCHEMES[method], **({} if memory is None else {"memory": memory}))
    ended = Ended.SECONDS
    try:
        work.run(iterations=0)  # compiles it
        left = None if seconds is None else max(start + seconds - time.perf_counter(), LEAST_SECONDS)
        work.run(iterations=iterations, seconds=left, progress=progress)
        if iterations is not None and work.iterations >= iterations:
            ended = Ended.ITERATIONS
    except KeyboardInterrupt:
        if not work.iterations:
            raise
        ended = Ended.STOPPED
    solution = Solution(
        game=identity(game),
        strategy=work.strategy(),
        value=math.nan,
        low=shape.low,
        high=shape.high,
        method=method,
        iterations=work.iterations,
        seconds=time.perf_counter() - start,
        parameters={"target": target, "seconds": seconds, "iterations": iterations},
        course=[],
        reached=target is None,
        ended=ended,
        certified=False,
        note=work.note,
    )
    if ended == Ended.STOPPED and not partial:
        raise Interrupted(solution)
    return solution


class _Best(NamedTuple):
    """The best plan of each side so far: a certificate holds for whichever iteration it comes from."""

    x: np.ndarray
    y: np.ndarray
    low: float
    high: float

    def strategy(self, form) -> Strategy:
        return behaviour(form, {0: average(form, 0, self.x), 1: average(form, 1, self.y)})

    def improved(self, form, x, y) -> "_Best":
        low, high = bounds_of(form, x, y)
        best = self if low <= self.low else self._replace(x=x, low=low)
        return best if high >= best.high else best._replace(y=y, high=high)


class _Found(NamedTuple):
    """What a method comes back with."""

    best: _Best
    course: list[Bounds]
    iterations: int
    ended: Ended


def _by_lp(form, start, target, seconds, progress) -> _Found:
    from .exact.lp import solve_lp  # HiGHS and SciPy take a quarter of a second to load, and only the LP needs them

    result = solve_lp(form, seconds=seconds, progress=progress)
    x, y = result.plans
    best = _Best(x, y, -math.inf, math.inf).improved(form, x, y)
    enough = target is not None and best.high - best.low <= target
    course = [Bounds(result.iterations, time.perf_counter() - start, best.low, best.high)]
    return _Found(best, course, result.iterations, Ended.TARGET if enough else Ended.FINISHED)


def _by_oracle(form, start, target, seconds, iterations, progress) -> _Found:
    from .exact.oracle import double_oracle  # it solves by the LP

    before, rounds = time.perf_counter() - start, list[Any]()

    def tell(now: Progress) -> None:
        rounds.append(now.detail)
        progress(Progress("iterations", now.done, now.goal, _course(rounds, before)[-1]))

    result = double_oracle(
        form, target=target, iterations=iterations, seconds=seconds, progress=tell if progress else None
    )
    x, y = result.plans
    best = _Best(x, y, -math.inf, math.inf).improved(form, x, y)
    return _Found(best, _course(result.rounds, before), len(result.rounds), result.ended)


def _course(rounds, before) -> list[Bounds]:
    """The best bounds after each round of the double oracle; `before` are the seconds before the first."""
    low = np.maximum.accumulate([each.low for each in rounds]).tolist()
    high = np.minimum.accumulate([each.high for each in rounds]).tolist()
    return [Bounds(n + 1, before + each.seconds, low[n], high[n]) for n, each in enumerate(rounds)]


class _Sampled:
    """MCCFR on a game that was enumerated before, judged as CFR is."""

    least = 1000  # iterations between two certificates: one costs as much as that many samples

    def __init__(self, form: SequenceForm, name: str):
        self.form, self.name, self.work = form, name, MCCFR(form.game, SCHEMES[name])

    @property
    def iterations(self) -> int:
        return self.work.iterations

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> "_Sampled":
        self.work.run(iterations=iterations, seconds=seconds, progress=progress)
        return self

    def plans(self) -> tuple[np.ndarray, np.ndarray]:
        strategy = self.work.strategy()
        return plan_of(self.form, strategy, 0)[0], plan_of(self.form, strategy, 1)[0]


class _Judge:
    """The best plans of both sides so far, and how they came about."""

    def __init__(self, work: Any):
        x, y = work.plans()
        self.work, self.best, self.course = work, _Best(x, y, -math.inf, math.inf), list[Bounds]()

    def renew(self, seconds: float) -> float:
        self.best = self.best.improved(self.work.form, *self.work.plans())
        self.course.append(Bounds(self.work.iterations, seconds, self.best.low, self.best.high))
        return self.best.high - self.best.low

    def detail(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.best.low, self.best.high)


def _by_regret(work, start, target, seconds, iterations, checkpoint, progress) -> _Found:
    judge, limits = _Judge(work), Limits(start, target, iterations, seconds)
    ended = iterate_until(work, judge, limits, checkpoint=checkpoint, progress=progress)
    return _Found(judge.best, judge.course, work.iterations, ended)
