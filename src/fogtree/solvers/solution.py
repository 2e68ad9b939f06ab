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
from typing import Any, NamedTuple

from ..clock import clock
from ..errors import Invalid
from ..game import identity
from ..looks import looks
from ..text import markup
from ..text.naming import as_game
from ..walk.estimate import Huge, unless_huge
from ..walk.slices import Ended, Progress, Watcher
from .forms.certificates import Bounds, certified_strategy
from .forms.reduction import form_and_forced, lifted, reduced
from .forms.sequence import SequenceForm, sequence_form
from .regret.cfr import CFR, RULES
from .regret.mccfr import DEFAULT_MEMORY, MCCFR
from .regret.race import Race
from .regret.sampled import SCHEMES, Sampled, unproved
from .streamed.streamed_oracle import StreamedOracle
from .until import Found, Limits, Pace, iterate_until, limits_from_now, unless_stopped

AUTO, LP, ORACLE, STREAMED = "auto", "lp", "oracle", "streamed-oracle"
METHODS = (AUTO, LP, ORACLE, STREAMED, *RULES, *SCHEMES)
SHARE = 0.001  # of the range of payoffs: the target where the user gives no limit
SMALL = 4_000  # sequences of both players up to which the linear program is the quickest
HOPELESS = 1e13  # histories: a game with more is not streamed either
SHORT = 100_000  # histories: an enumeration of so many is finished even if the time is up, for it takes no time
LEAST_SECONDS = 0.1  # that writing a strategy down gets


class Solution(NamedTuple):
    """An equilibrium up to `total`, and how it was found."""

    game: str
    strategy: Any  # a `StoredStrategy`: a table, if the game was not abstracted
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
    detail: Any = None  # what this method alone tells; its `rows()` are headings and facts in words

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


def solve(
    game: Any,
    method: str = AUTO,
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

    The seconds count from the call, without compiling. They end the enumeration too, with an error, for there is no result
    before its end; the last step of a method is finished first. `memory` is a limit in bytes.

    In place of a game, its `sequence_form` is taken, or another form that has solvers of its own (`Form` in `until.py`).
    """
    limits = limits_from_now(target, seconds, iterations)
    played = _game_of(game)
    _require_sense(game, method, limits, checkpoint)
    if limits.open():
        shape = played.shape()
        limits = limits._replace(target=getattr(game, "share", SHARE) * (shape.high - shape.low))
    task = _prepared(game, played, method, limits, memory, threads, checkpoint, progress)
    found = iterate_until(task.work, limits, checkpoint=checkpoint, progress=progress)
    return unless_stopped(_solution(task, limits, found, progress), partial)


def _game_of(game: Any) -> Any:
    return game.game if isinstance(game, SequenceForm) or _has_solvers(game) else as_game(game)


def _has_solvers(game: Any) -> bool:
    """Whether this is a `Form` with solvers of its own."""
    return hasattr(game, "work")


def _require_sense(game: Any, method: str, limits: Limits, checkpoint: Any) -> None:
    """Raise `Invalid` for what makes no sense, before any work."""
    methods = (AUTO, *game.methods) if _has_solvers(game) else METHODS
    if method not in methods:
        raise Invalid(f"there is no method '{method}': valid are {', '.join(methods)}")
    if method == LP and limits.iterations is not None:
        others = ", ".join(other for other in METHODS if other not in (AUTO, LP))
        raise Invalid(f"lp takes no number of iterations: limit its seconds, or use one of {others}")
    if checkpoint is not None and method not in (AUTO, *RULES):
        raise Invalid(f"there are no checkpoints for {method}: use one of {', '.join(RULES)}")
    if checkpoint is not None and not os.access(os.path.dirname(os.path.abspath(checkpoint)), os.W_OK):
        raise Invalid(f"{checkpoint} cannot be written: there is no such folder, or no right to write there")
    if (
        method in SCHEMES
        and not isinstance(game, SequenceForm)
        and limits.seconds is None
        and limits.iterations is None
    ):
        raise Invalid(
            f"{method} samples the game and has no certificate, so a target cannot end it: limit its seconds or "
            "its iterations"
        )


# --- from a game to the work that solves it ------------------------------------------------------------------------


class _Task(NamedTuple):
    """What is solved, and by what."""

    game: Any
    work: Any  # see `until.Work`
    small: Any = None  # the equal game with fewer actions that the work solves, if it solves one
    forced: Any = None  # what lifting a strategy from there needs

    def method(self) -> str:
        return self.work.name if self.small is None else f"{self.work.name} on {identity(self.small)}"

    def lift(self, strategy: Any) -> Any:
        return strategy if self.small is None else lifted(strategy, self.game, self.forced)


def _prepared(game, played, method, limits, memory, threads, checkpoint, progress) -> _Task:
    if isinstance(game, SequenceForm) and method != STREAMED:
        return _Task(played, _work(game, method, limits, threads, checkpoint))
    preparing = in_time(limits, progress)
    if _has_solvers(game):
        name = game.methods[0] if method == AUTO else method
        return _Task(played, game.work(name, memory=memory, threads=threads, progress=preparing))
    if method in SCHEMES:  # the game is never enumerated, so that nothing is proved
        mccfr = MCCFR(played, SCHEMES[method], memory=DEFAULT_MEMORY if memory is None else memory)
        return _Task(played, Sampled(mccfr, method, unproved, Pace()))
    if method != STREAMED:
        if method == AUTO and checkpoint is None:
            preparing = unless_huge(reduced(played), preparing, HOPELESS)
        try:
            return _enumerated(played, method, limits, memory, threads, checkpoint, preparing)
        except Huge:
            pass
    work = StreamedOracle(played, limits.target or 0.0, memory=memory, threads=threads, limit=limits.seconds)
    return _Task(played, work)


def _enumerated(game, method, limits, memory, threads, checkpoint, preparing) -> _Task:
    small = reduced(game)
    if small is game:
        form = sequence_form(game, memory=memory, progress=preparing)
        return _Task(game, _work(form, method, limits, threads, checkpoint))
    form, forced = form_and_forced(small, memory=memory, progress=preparing)  # what lifting needs, on the same walk
    return _Task(game, _work(form, method, limits, threads, checkpoint), small, forced)


def _work(form: SequenceForm, method: str, limits: Limits, threads: int | None, checkpoint: Any) -> Any:
    """The method on a sequence form, as the driver wants it."""
    if method == AUTO:
        size = int(form.trees[0].sequences() + form.trees[1].sequences())
        unlimited = checkpoint is None and limits.seconds is None and limits.iterations is None
        if size > SMALL or not unlimited:
            return Race(form, threads=threads)  # the game itself decides by which rule
    if method in (AUTO, LP):
        from .exact.lp import (
            LinearProgram,  # HiGHS and SciPy take a quarter of a second to load, and only the LP needs them
        )

        return LinearProgram(form, limits.seconds)
    if method == ORACLE:
        from .exact.oracle import DoubleOracle  # it solves by the LP

        return DoubleOracle(form)
    if method in RULES:
        return CFR(form, method, threads=threads)
    mccfr = MCCFR(form.game, SCHEMES[method])
    return Sampled(mccfr, method, lambda work: certified_strategy(form, work.strategy()))


def in_time(limits: Limits, progress: Watcher | None) -> Watcher | None:
    """The progress function of a preparation, which ends it with a sentence when the time is up."""
    seconds = limits.seconds
    if seconds is None:
        return progress

    def look(now: Progress) -> None:
        if progress:
            progress(now)
        if limits.spent() < seconds:
            return
        if now.what != "histories":
            raise Invalid(
                f"the time limit of {seconds:g} s ended while the game was being prepared, after {now.done:,} "
                f"{now.what}: give it more seconds"
            )
        if now.done > SHORT:
            raise Invalid(
                f"the time limit of {seconds:g} s ended while the game was being enumerated, after {now.done:,} "
                f"histories: give it more seconds, or use a method that samples ({', '.join(SCHEMES)})"
            )

    return look


# --- from what was found to a solution -----------------------------------------------------------------------------


def _solution(task: _Task, limits: Limits, found: Found, progress: Watcher | None) -> Solution:
    best, writing = found.best, _as_long_again(limits, found.best, progress)
    strategy = best.strategy(writing)
    return Solution(
        game=identity(task.game),
        strategy=task.lift(strategy),
        value=best.value(strategy, writing),
        low=best.low,
        high=best.high,
        method=task.method(),
        iterations=task.work.iterations,
        seconds=limits.spent(),
        parameters=limits.asked(),
        course=found.course,
        reached=limits.target is None or best.total <= limits.target,
        ended=found.ended,
        certified=bool(found.course),
        note=best.note,
        detail=best.detail(strategy) if hasattr(best, "detail") else None,
    )


def _as_long_again(limits: Limits, best: Any, progress: Watcher | None) -> Watcher:
    """The progress function of writing a strategy down and of measuring it, which may take as long as the work did."""
    allowed = math.inf if limits.seconds is None else clock() + max(limits.seconds, LEAST_SECONDS)

    def look(now: Progress) -> None:
        if progress:
            progress(now)
        if clock() >= allowed:
            raise Invalid(
                f"the value lies between {best.low:.6g} and {best.high:.6g}, but the strategy that proves it gets to too "
                f"many histories to be written down in {limits.seconds:g} s: give it more seconds"
            )

    return look
