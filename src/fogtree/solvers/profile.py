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
from typing import Any, NamedTuple

from ..errors import Invalid
from ..game import identity
from ..strategy import Strategy
from ..text.naming import as_game
from ..walk.slices import Ended, Watcher
from .exact.bimatrix import Mixes, lemke_howson, support_equilibria
from .forms.certificates import Measured, gains_of
from .forms.general import GeneralForm, general_form, plans_of
from .forms.strategic import pure_strategies, strategic_form
from .regret.cfr import RULES
from .regret.general_cfr import GeneralCFR
from .regret.mccfr import MCCFR
from .regret.sampled import SCHEMES, Sampled
from .tasks import AUTO, SHARE, in_time
from .until import Limits, Worked, iterate_until, limits_from_now, unless_stopped

LEMKE_HOWSON, SUPPORT = "lemke-howson", "support"
GENERAL_METHODS = (AUTO, LEMKE_HOWSON, SUPPORT, *RULES, *SCHEMES)
FEW = 900  # pairs of pure strategies up to which `auto` takes the exact path
RULE = "pdcfr+"  # what `auto` takes otherwise


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
    limits = limits_from_now(target, seconds, iterations)
    form = game
    if not isinstance(game, GeneralForm):
        form = general_form(as_game(game), memory=memory, progress=in_time(limits, progress))
    limited = limits.seconds is not None or limits.iterations is not None
    limits = limits.or_target(SHARE, form.game.shape())
    if method == AUTO:
        few = not limited and form.players == 2 and math.prod(pure_strategies(form)) <= FEW
        method = LEMKE_HOWSON if few else RULE
    if method in (LEMKE_HOWSON, SUPPORT):
        return _exact(form, method, limits)
    found = iterate_until(_work(form, method), limits, progress=progress)
    return unless_stopped(_profile(found, method, limits), partial)


def _work(form: GeneralForm, method: str) -> Any:
    """The method as the driver wants it."""
    if method in RULES:
        return GeneralCFR(form, method)
    mccfr = MCCFR(form.game, SCHEMES[method])
    return Sampled(mccfr, method, lambda work: gains_of(plans_of(form, work.strategy())[0]))


def _exact(form: GeneralForm, method: str, limits: Limits) -> Profile:
    if form.players != 2:
        raise Invalid(f"{method} is for two players, and this game has {form.players}: use one of {', '.join(RULES)}")
    strategic = strategic_form(form)
    first, second = strategic.payoffs
    found = [lemke_howson(first, second)] if method == LEMKE_HOWSON else support_equilibria(first, second)
    if not found:
        raise Invalid(
            f"no equilibrium has two supports of the same size, which happens in degenerate games: use {LEMKE_HOWSON}"
        )
    most = max(found, key=lambda mixes: sum(mixes.payoffs))  # of several, the one that pays most in all
    best = gains_of(strategic.mixed((most.x, most.y)))
    course = [best.point(1, limits.spent())]
    return _profile(Worked(best, course, Ended.FINISHED), method, limits, tuple(found))


def _profile(found: Worked, method: str, limits: Limits, equilibria: tuple[Mixes, ...] = ()) -> Profile:
    best, last = found.best, found.course[-1]
    return Profile(
        game=identity(best.plans.form.game),
        strategy=best.plans.strategy(),
        values=best.plans.values(),
        gains=best.gains,
        method=method,
        iterations=last.iterations,
        seconds=last.seconds,
        parameters=limits.parameters(),
        course=found.course,
        reached=limits.target is None or best.total <= limits.target,
        ended=found.ended,
        equilibria=equilibria,
    )
