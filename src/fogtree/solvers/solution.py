"""`solve(game)`: an equilibrium, its value, and a certificate.

The certificate is a pair of best responses (`forms/certificates.py`), which prove that the value of the game lies between
`low` and `high`, and that the two strategies together are exploitable by `total` = high - low. Every method is judged by it.

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
from ..kernels.lanes import CPU
from ..looks import looks
from ..text import markup
from ..walk.slices import Ended, Progress, Watcher
from .forms.certificates import Bounds
from .forms.reduction import lifted, told
from .tasks import AUTO, Task, prepared, request
from .until import Limits, Worked, iterate_until, limits_from_now, unless_stopped

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
    device: str = CPU  # that computed it
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
    device: str = CPU,
    whole: bool = False,
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

    `device` "cuda" enumerates the game on a GPU and solves it there by a rule of regret minimisation; "auto" does so where
    there is a GPU and the game is large. A game of more than 10^10 histories is streamed on the CPU all the same, unless a
    rule is named. A game that names an equal one with fewer actions is solved there; with `whole` all
    actions stay. One that knows its symmetries is solved up to them.

    In place of a game, its `sequence_form` is taken, or another form that has solvers of its own (`Form` in `until.py`).
    """
    limits = limits_from_now(target, seconds, iterations)
    options: Any = {"memory": memory, "threads": threads, "checkpoint": checkpoint, "progress": progress}
    asked = request(game, method, limits, **options, device=device, whole=whole)
    task = prepared(asked)
    found = iterate_until(task.work, asked.limits, checkpoint=checkpoint, progress=progress)
    return unless_stopped(_solution(task, asked.limits, found, progress), partial)


def _solution(task: Task, limits: Limits, found: Worked, progress: Watcher | None) -> Solution:
    best, writing, method = found.best, _as_long_again(limits, found.best, progress), task.work.name
    whole = strategy = best.strategy(writing)
    if task.small is not None:
        whole = lifted(strategy, task.game, task.forced, small=task.small)
        method = f"{method} on {told(task.small)}"
    return Solution(
        game=identity(task.game),
        strategy=whole,
        value=best.value(strategy, writing),
        low=best.low,
        high=best.high,
        method=method,
        iterations=task.work.iterations,
        seconds=limits.spent(),
        parameters=limits.parameters(),
        course=found.course,
        reached=limits.target is None or best.total <= limits.target,
        ended=found.ended,
        certified=bool(found.course),
        note=best.note,
        device=getattr(task.work, "device", CPU),
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
