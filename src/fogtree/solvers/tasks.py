"""From what the user asks of `solve` to a work that the driver can run (`until.py`).

A game is enumerated, or an equal one in its place: with fewer actions, up to symmetry, or both. Games that turn out to be
huge are streamed instead, and methods that sample play the game itself.
"""

import os
from typing import Any, NamedTuple

from ..errors import Invalid
from ..kernels import engines
from ..kernels.engines import sent
from ..kernels.lanes import CPU, CUDA
from ..text.naming import as_game
from ..transforms.symmetric import symmetric
from ..walk.estimate import HOPELESS, Huge, TooLarge, estimated_histories, unless_huge
from ..walk.slices import Progress, Watcher
from .forms.certificates import certified_strategy
from .forms.form_lanes import form_in_lanes
from .forms.reduction import NO_SINGLES, form_and_forced, smallest_equal
from .forms.sequence import SequenceForm, sequence_form
from .regret.cfr import CFR, RULES
from .regret.cfr_lanes import minimiser
from .regret.mccfr import DEFAULT_MEMORY, MCCFR
from .regret.mccfr_lanes import LanesMCCFR
from .regret.race import Race
from .regret.sampled import SCHEMES, Sampled, Unproved
from .streamed.streamed_oracle import StreamedOracle
from .until import Limits, Pace

AUTO, LP, ORACLE, STREAMED = "auto", "lp", "oracle", "streamed-oracle"
METHODS = (AUTO, LP, ORACLE, STREAMED, *RULES, *SCHEMES)
SHARE = 0.001  # of the range of payoffs: the target where the user gives no limit
SMALL = 4_000  # sequences of both players up to which the linear program is the quickest
WORTH = 1_000_000  # histories, or entries of a matrix, from which on a GPU is faster
HUGE_THERE = (
    1e10  # histories from which on a game is better streamed, also where there is a GPU: its form has 10^10 entries
)
SHORT = 100_000  # histories: an enumeration of so many is finished even if the time is up, for it takes no time


class Request(NamedTuple):
    """What the user asks for."""

    game: Any
    form: Any  # a sequence form, or a form with solvers of its own, where one was given in place of the game
    method: str
    limits: Limits
    memory: float | None
    threads: int | None
    checkpoint: str | os.PathLike | None
    progress: Watcher | None
    device: str
    whole: bool  # whether all actions of the game stay, also where an equal one with fewer is known

    def by_itself(self) -> bool:
        """Whether the form has solvers of its own (`until.Form`)."""
        return self.form is not None and not isinstance(self.form, SequenceForm)

    def endless(self) -> bool:
        """Whether only a certificate can end the work."""
        return self.limits.seconds is None and self.limits.iterations is None

    def require_sense(self) -> None:
        """Raise `Invalid` for what makes no sense, before any work."""
        methods, path = (AUTO, *self.form.methods) if self.by_itself() else METHODS, self.checkpoint
        if self.method not in methods:
            raise Invalid(f"there is no method '{self.method}': valid are {', '.join(methods)}")
        if self.method == LP and self.limits.iterations is not None:
            others = ", ".join(other for other in METHODS if other not in (AUTO, LP))
            raise Invalid(f"lp takes no number of iterations: limit its seconds, or use one of {others}")
        if path is not None and self.method not in (AUTO, *RULES):
            raise Invalid(f"there are no checkpoints for {self.method}: use one of {', '.join(RULES)}")
        if path is not None and not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise Invalid(f"{path} cannot be written: there is no such folder, or no right to write there")
        there = (AUTO, *RULES, *(SCHEMES if self.form is None else ()))
        able = self.device in getattr(self.form, "devices", ()) if self.by_itself() else self.method in there
        if self.device != CPU and not able:
            others = "" if self.by_itself() else f", or use one of {', '.join(there[1:])}"
            raise Invalid(f"{self.method} runs on the CPU here: leave the device out{others}")
        if self.method in SCHEMES and self.form is None and self.endless():
            raise Invalid(
                f"{self.method} samples the game and has no certificate, so a target cannot end it: limit its seconds or "
                "its iterations"
            )


def request(game: Any, method: str, limits: Limits, **options: Any) -> Request:
    """A request that makes sense. `game` may be a form. Without any limit, it gets a target."""
    form = game if isinstance(game, SequenceForm) or hasattr(game, "work") else None
    played = as_game(game) if form is None else form.game
    limits = limits.or_target(getattr(form, "share", SHARE), played.shape())
    device = _device(options.pop("device"), form, played, method)
    asked = Request(played, form, method, limits, **options, device=device)
    asked.require_sense()
    return asked


def _device(device: str, form: Any, game: Any, method: str) -> str:
    """The engine for a request: where any will do, the GPU if there is one, the method runs there and the game is large."""
    if device != engines.AUTO or engines.chosen(device) == CPU or method not in (AUTO, *RULES) or hasattr(form, "work"):
        return CPU if device == engines.AUTO else engines.chosen(device)
    if form is not None:
        return CUDA if form.rows.column.shape[0] >= WORTH else CPU
    return CUDA if estimated_histories(smallest_equal(game, False)) >= WORTH else CPU


class Task(NamedTuple):
    """What is solved, and by what."""

    game: Any
    work: Any  # see `until.Work`
    small: Any = None  # the equal game that the work solves, if it solves another one
    forced: Any = None  # what lifting a strategy from there needs


def prepared(asked: Request) -> Task:
    """The task, with everything done that comes before the first iteration."""
    if asked.by_itself():
        method = asked.form.methods[0] if asked.method == AUTO else asked.method
        watch = in_time(asked.limits, asked.progress)
        where = {} if asked.device == CPU else {"device": asked.device}
        work = asked.form.work(method, memory=asked.memory, threads=asked.threads, progress=watch, **where)
        return Task(asked.game, work)
    if asked.method == STREAMED:
        return _streamed(asked)
    if asked.form is not None:
        return Task(asked.game, _work(asked.form, asked))
    if asked.method in SCHEMES:  # the game is never enumerated, so that nothing is proved
        memory = DEFAULT_MEMORY if asked.memory is None else asked.memory
        sampler = MCCFR if asked.device == CPU else LanesMCCFR  # on the device of its own: a GPU
        mccfr = sampler(asked.game, SCHEMES[asked.method], memory=memory)
        return Task(asked.game, Sampled(mccfr, asked.method, Unproved, Pace()))
    try:
        return _enumerated(asked)
    except Huge:
        return _streamed(asked)


def _streamed(asked: Request) -> Task:
    target, limit = asked.limits.target or 0.0, asked.limits.seconds
    small = symmetric(asked.game, asked.game)
    work = StreamedOracle(small, target, memory=asked.memory, threads=asked.threads, limit=limit)
    return Task(asked.game, work) if small is asked.game else Task(asked.game, work, small, NO_SINGLES)


def _enumerated(asked: Request) -> Task:
    small = smallest_equal(asked.game, asked.whole)
    watch = in_time(asked.limits, asked.progress)
    if asked.device == CUDA:
        if asked.method == AUTO and asked.checkpoint is None and HUGE_THERE < estimated_histories(small) < HOPELESS:
            raise Huge
        try:
            singles = small is not asked.game  # what lifting needs
            made, single = form_in_lanes(small, CUDA, singles=singles, memory=asked.memory, progress=watch)
        except TooLarge:
            if asked.method == AUTO and asked.checkpoint is None:
                raise Huge from None
            raise
        return Task(asked.game, _work(made, asked), *(() if small is asked.game else (small, single)))
    if asked.method == AUTO and asked.checkpoint is None:
        watch = unless_huge(small, watch, HOPELESS)
    if small is asked.game:
        return Task(small, _work(sequence_form(small, memory=asked.memory, progress=watch), asked))
    form, forced = form_and_forced(small, memory=asked.memory, progress=watch)  # what lifting needs, on the same walk
    return Task(asked.game, _work(form, asked), small, forced)


def _work(form: SequenceForm, asked: Request) -> Any:
    """The method on a sequence form, as the driver wants it."""
    method = asked.method
    if asked.device == CUDA:
        form = form._replace(rows=sent(CUDA, form.rows), columns=sent(CUDA, form.columns))
        return Race(form, device=CUDA) if method == AUTO else minimiser(form, method, device=CUDA)
    if method == AUTO:
        size = int(form.trees[0].sequences() + form.trees[1].sequences())
        if size > SMALL or asked.checkpoint is not None or not asked.endless():
            return Race(form, threads=asked.threads)  # the game itself decides by which rule
    if method in (AUTO, LP):
        from .exact.lp import LinearProgram  # not on top: HiGHS and SciPy take a quarter of a second to load

        return LinearProgram(form, asked.limits.seconds)
    if method == ORACLE:
        from .exact.oracle import DoubleOracle  # it solves by the LP

        return DoubleOracle(form)
    if method in RULES:
        return CFR(form, method, threads=asked.threads)
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
