"""`solve_general(game)`: a profile of strategies of any number of players, zero-sum or not, and what each could still gain.

A two-player zero-sum game has a value, and `solve` proves it. Other games have none: they may have many Nash equilibria
that pay differently, and no regret minimiser is sure to come close to one. So the result is judged by the gains alone:
`gains[i]` is what player i wins more by the best response to all others, computed exactly, and `total`, their sum, is
the NashConv. A total of 0 is a Nash equilibrium, however it was found.

Methods: the rules of CFR and the schemes of MCCFR, which run on any game and promise nothing there; `lemke-howson` and
`support`, which find exact equilibria of two-player games whose pure strategies can be listed (`bimatrix.py`). `auto`
takes `lemke-howson` where there are few pure strategies, else PDCFR+.
"""

import math
import time
from typing import Any, NamedTuple

from ..errors import Invalid
from ..game import identity
from ..strategy import Strategy
from ..text.naming import as_game
from ..walk.slices import Ended, Watcher, number, whole
from .exact.bimatrix import Mixes, lemke_howson, support_equilibria
from .forms.general import GeneralForm, Plans, general_form, plans_of
from .forms.strategic import strategic_form
from .regret.cfr import RULES
from .regret.general_cfr import GeneralCFR, strategy_of_plans
from .regret.mccfr import MCCFR
from .solution import SCHEMES, Interrupted, in_time
from .until import Limits, iterate_until

AUTO, LEMKE_HOWSON, SUPPORT = "auto", "lemke-howson", "support"
GENERAL_METHODS = (AUTO, LEMKE_HOWSON, SUPPORT, *RULES, *SCHEMES)
FEW = 900  # pairs of pure strategies up to which `auto` takes the exact path
RULE = "pdcfr+"  # what `auto` takes otherwise


class Measured(NamedTuple):
    """What a profile was worth at some time."""

    iterations: int
    seconds: float
    total: float  # NashConv


class Profile(NamedTuple):
    """A strategy of each player, and how far it is from a Nash equilibrium."""

    game: str
    strategy: Strategy
    values: tuple[float, ...]  # [player] what each gets when all follow the strategy
    gains: tuple[float, ...]  # [player] what the best response gets more
    method: str
    iterations: int
    seconds: float
    parameters: dict[str, Any]
    course: list[Measured]
    reached: bool  # the target, where there was one
    ended: Ended
    equilibria: tuple[Mixes, ...] = ()  # all that were found, if the method finds several

    @property
    def total(self) -> float:
        """The NashConv: the sum of the gains of all players."""
        return sum(self.gains)

    def policy_of(self, game: Any) -> Any:
        """This profile as a policy of the game."""
        return self.strategy.policy_of(game)

    def __str__(self) -> str:
        values = ", ".join(f"{value:.6f}" for value in self.values)
        return (
            f"{self.game}: values {values}, NashConv {self.total:.2g} by {self.method}, {self.iterations} iterations, "
            f"{self.seconds:.1f} s"
        )


def is_general(game: Any) -> bool:
    """Whether a game is none of two players and zero sum, so that it has no value."""
    shape = game.shape()
    return shape.players != 2 or not shape.zero_sum


def solve_general(
    game: Any,
    method: str = AUTO,
    *,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    memory: float | None = None,
    partial: bool = False,
    progress: Watcher | None = None,
) -> Profile:
    """Look for a Nash equilibrium until the NashConv is below the target (0.001 of the range of payoffs by default), or
    for so many seconds or iterations. Nothing promises that a target is reached unless the method is exact.

    `progress` is called with the number of histories while the game is enumerated, and then with the number of iterations;
    its detail is a `Measured`. The seconds count from the call and end the enumeration too. Ctrl-C ends the work and
    raises `Interrupted`, which holds the best profile so far as its `solution`; with `partial` that profile is returned.
    Whatever samples is measured as well, so the game must fit in memory: for a larger one use `MCCFR`.
    """
    if method not in GENERAL_METHODS:
        raise Invalid(f"there is no method '{method}' here: valid are {', '.join(GENERAL_METHODS)}")
    target = None if target is None else number(target, "target", above=0)
    seconds = None if seconds is None else number(seconds, "seconds", above=0)
    iterations = None if iterations is None else whole(iterations, "iterations", 1)
    start = time.perf_counter()
    enumerating = in_time(math.inf if seconds is None else start + seconds, seconds, progress)
    form = game if isinstance(game, GeneralForm) else general_form(as_game(game), memory=memory, progress=enumerating)
    shape = form.game.shape()
    limited = seconds is not None or iterations is not None
    if target is None and not limited:
        target = 0.001 * (shape.high - shape.low)
    wanted = {"target": target, "seconds": seconds, "iterations": iterations}
    if method == AUTO:
        method = LEMKE_HOWSON if not limited and _is_small(form) else RULE
    if method in (LEMKE_HOWSON, SUPPORT):
        return _exact(form, method, start, wanted)
    work: Any = GeneralCFR(form, method) if method in RULES else _Sampled(form, method)
    found = _by_regret(work, start, wanted, progress)
    if found.ended == Ended.STOPPED and not partial:
        raise Interrupted(found)
    return found


def _is_small(form: GeneralForm) -> bool:
    if form.players != 2:
        return False
    try:
        return bool(strategic_form(form, limit=FEW))
    except Invalid:
        return False


def _exact(form: GeneralForm, method: str, start: float, wanted: dict[str, Any]) -> Profile:
    if form.players != 2:
        raise Invalid(f"{method} is for two players, and this game has {form.players}: use one of {', '.join(RULES)}")
    strategic = strategic_form(form)
    first, second = strategic.payoffs
    found = [lemke_howson(first, second)] if method == LEMKE_HOWSON else support_equilibria(first, second)
    if not found:
        raise Invalid(
            f"no equilibrium has two supports of the same size, which happens in degenerate games: use {LEMKE_HOWSON}"
        )
    best = max(found, key=lambda mixes: sum(mixes.payoffs))  # of several, the one that pays most in all
    plans = strategic.mixed((best.x, best.y))
    course = [Measured(1, time.perf_counter() - start, sum(plans.gains()))]
    return _profile(plans, method, course, wanted, Ended.FINISHED, tuple(found))


class _Sampled:
    """MCCFR, measured as CFR is."""

    least = 1000  # iterations between two measurements

    def __init__(self, form: GeneralForm, scheme: str):
        self.form, self.name, self.work = form, scheme, MCCFR(form.game, SCHEMES[scheme])

    @property
    def iterations(self) -> int:
        return self.work.iterations

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> "_Sampled":
        self.work.run(iterations=iterations, seconds=seconds, progress=progress)
        return self

    def average(self) -> Plans:
        return plans_of(self.form, self.work.strategy())[0]


class _Judge:
    """The best profile so far, and how it came about."""

    def __init__(self, work: Any):
        self.work, self.best, self.least, self.course = work, work.average(), math.inf, list[Measured]()

    def renew(self, seconds: float) -> float:
        plans = self.work.average()
        total = sum(plans.gains())
        if total < self.least:
            self.best, self.least = plans, total
        self.course.append(Measured(self.work.iterations, seconds, self.least))
        return self.least

    def detail(self, iterations: int, seconds: float) -> Measured:
        return Measured(iterations, seconds, self.least)


def _by_regret(work: Any, start: float, wanted: dict[str, Any], progress: Watcher | None) -> Profile:
    judge = _Judge(work)
    ended = iterate_until(work, judge, Limits(start, **wanted), progress=progress)
    return _profile(judge.best, work.name, judge.course, wanted, ended)


def _profile(plans, method, course, wanted, ended, equilibria=()) -> Profile:
    gains, target = plans.gains(), wanted["target"]
    return Profile(
        game=identity(plans.form.game),
        strategy=strategy_of_plans(plans),
        values=plans.values(),
        gains=gains,
        method=method,
        iterations=course[-1].iterations,
        seconds=course[-1].seconds,
        parameters=wanted,
        course=course,
        reached=target is None or sum(gains) <= target,
        ended=ended,
        equilibria=equilibria,
    )
