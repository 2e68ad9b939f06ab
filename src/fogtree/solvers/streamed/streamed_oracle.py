"""Double oracle for games that do not fit in memory: a small game is grown inside a large one by streamed best responses.

Most equilibria use few of a game's sequences, however large the game is. So each player starts with one action at every
information set, the first, and a book (`restricted.py`) lists what is admitted beside it. Then, until the bounds meet:

    1. enumerate the restricted game, and solve it by predictive CFR as exactly as the bounds so far make worthwhile (by the
       linear program if the last round admitted nothing, for then only exactness is missing)
    2. answer each side of the solution as well as possible in the whole game, streamed (`stream.py`): this bounds the value
    3. admit what the answers do, at the sets that they get to

Nothing is ever held of the whole game but the path of the stream. The opponent of a streamed answer plays a few actions a
set, so the walk meets a vanishing part of the histories: abrupt Phantom Tic-Tac-Toe has 27 billion of them, and an answer
meets 20 million.

A solution is made sparse before it is answered, because each action costs walks: those of small probability are left out as
long as the restricted game hardly notices. The answers are to exactly the policy that is handed out in the end, so the
certificate is exact all the same.

`oracle.py` is the same idea for games whose sequence form is at hand.
"""

import contextlib
import math
from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...errors import Invalid
from ...strategy import Strategy
from ...transforms.restricted import (
    AdmittedFirst,
    Rehearsed,
    Restricted,
    admit,
    copy_of,
    new_book,
    rehearsed,
    with_room,
)
from ...walk.slices import Progress, Watcher
from ..forms.certificates import Bounds, better_of_each, certified
from ..forms.expected import expected, listed
from ..forms.infosets import planned
from ..forms.reduction import reduced
from ..forms.response import average
from ..forms.sequence import SequenceForm, require_zero_sum, sequence_form
from ..regret.cfr import CFR
from ..until import EACH
from .stream import Streamed, stream_response

CLOSER = 16.0  # a restricted game is solved so many times more exactly than the bounds of the whole game are
SMALL = 6_000  # sequences of a restricted game that the linear program may solve, where CFR comes no nearer
SHORT = 100_000  # histories: a first round of so many is finished even if the time is up, for it takes no time
IDLE = 4  # rounds that admit nothing before the work is finished
RULE = "pdcfr+"
FIRST_ITERATIONS, MOST_ITERATIONS = 128, 1 << 17  # of CFR
TRIMS = (0.03, 0.01, 0.003, 0.001, 0.0001, 0.0)  # probabilities below which an action is left out, the boldest first


class StreamedRound(NamedTuple):
    """One round: how large the restricted game was, and what its solution guarantees in the whole game."""

    histories: int  # of the restricted game
    sequences: tuple[int, int]  # [player]
    low: float
    high: float
    admitted: int  # actions that were new
    answered: int  # histories that the two answers met
    seconds: float  # since the start


class _TimeUp(Exception):
    pass


class PolicyPair(NamedTuple):
    """The certificate of a policy of each player."""

    game: Any
    x: Rehearsed  # player 0's
    y: Rehearsed  # player 1's
    low: float  # what player 0 gets at least by x
    high: float  # what player 0 gets at most against y
    note: str = ""

    @property
    def total(self) -> float:
        return self.high - self.low

    def improved_by(self, later: "PolicyPair") -> "PolicyPair":
        return better_of_each(self, later)

    def point(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.low, self.high)

    def strategy(self, progress: Watcher | None = None) -> Strategy:
        """The policies as one strategy, which lists every set that they can get to, whatever the other does."""
        return listed(self.game, (self.x, self.y), progress)

    def value(self, strategy: Strategy, progress: Watcher | None = None) -> float:
        """What player 0 expects when both follow the strategy."""
        return expected(self.game, strategy, progress=progress)[0]


class StreamedOracle:
    """The rounds, one after the other: a work of the driver (`until.py`), whose iterations are rounds.

    Restricted games are solved as exactly as a total of `target` makes worthwhile. `limit` is the number of seconds that
    an error names, where they end before the first round does.
    """

    name, pace = "streamed-oracle", EACH

    def __init__(
        self,
        game: Any,
        target: float = 0.0,
        *,
        memory: float | None = None,
        threads: int | None = None,
        limit: float | None = None,
    ):
        require_zero_sum(game)
        self.game, self.base, self.target = game, reduced(game), target
        self.memory, self.threads, self.limit = memory, threads, limit
        self.began, self.book, self.idle = clock(), new_book(game.shape().actions), 0
        self.rounds = list[StreamedRound]()
        self.best: PolicyPair | None = None

    @property
    def iterations(self) -> int:
        return len(self.rounds)

    @property
    def finished(self) -> bool:
        """Whether some rounds have admitted nothing, or the bounds have met."""
        return self.idle >= IDLE or (self.best is not None and self.best.total <= 0.0)

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> "StreamedOracle":
        """So many rounds, or until the time is up: then the round that was begun is forgotten. Before the end of the first
        round there is no result, and the seconds end the work with an error. `progress` is called while answers are
        streamed."""
        stop = math.inf if seconds is None else clock() + seconds

        def look(now: Progress) -> None:
            if progress:
                progress(Progress("iterations", len(self.rounds), None, now.detail))
            if clock() >= stop:
                self._give_up(now)

        with contextlib.suppress(_TimeUp):
            for _ in range(iterations):
                self._play_round(look)
        return self

    def certificate(self) -> PolicyPair:
        assert self.best is not None
        return self.best

    def _give_up(self, now: Progress) -> None:
        if self.rounds:
            raise _TimeUp
        if now.what == "histories" and now.done > SHORT:
            raise Invalid(
                f"the time limit of {self.limit:g} s ended before the first round did, after {now.done:,} histories: give "
                "it more seconds, or use a method that samples (external, outcome)"
            )

    def _play_round(self, look: Watcher) -> None:
        small = Restricted(self.base, copy_of(self.book))
        form = sequence_form(small, memory=self.memory, progress=look)
        aim = self._aim()
        sizes = int(form.trees[0].sequences()), int(form.trees[1].sequences())
        exactly = self.idle > 0 and sum(sizes) <= SMALL
        plans = _by_lp(form) if exactly else by_cfr(form, aim, look)
        policy = rehearsed(small, form.trees, sparse(form, plans, aim))
        answers = [self._answer(policy, me, look) for me in (0, 1)]
        found = PolicyPair(self.game, policy, policy, -answers[1].value, answers[0].value)
        admitted = sum(self._admit(me, answer) for me, answer in enumerate(answers))
        self.idle = 0 if admitted else self.idle + 1
        self.best = found if self.best is None else self.best.improved_by(found)
        met, spent = sum(answer.histories for answer in answers), clock() - self.began
        self.rounds.append(StreamedRound(form.histories, sizes, found.low, found.high, admitted, met, spent))

    def _aim(self) -> float:
        """How exactly the next restricted game is solved."""
        shape = self.game.shape()
        spread = shape.high - shape.low
        gap = spread if self.best is None else min(self.best.total, spread)
        return max(self.target / 4.0, gap / CLOSER)

    def _answer(self, policy: Rehearsed, me: int, look: Watcher) -> Streamed:
        order = AdmittedFirst(self.base, policy.small.book)
        return stream_response(self.game, policy, me, order=order, threads=self.threads, progress=look)

    def _admit(self, me: int, answer: Streamed) -> int:
        """Admit what an answer plays; returns how many actions are new."""
        self.book = with_room(self.book, len(answer.view))
        return admit(self.book, me, answer.view, answer.action)


# --- the solution of a restricted game -----------------------------------------------------------------------------


def _by_lp(form: SequenceForm) -> tuple[np.ndarray, np.ndarray]:
    from ..exact.lp import solve_lp  # HiGHS takes a quarter of a second to load, and few games need it

    return solve_lp(form).plans


def by_cfr(form: SequenceForm, aim: float, look: Watcher) -> tuple[np.ndarray, np.ndarray]:
    """The plans of a solution that is exact to `aim`, or as near as a good many iterations come."""
    work = CFR(form, RULE)
    work.run(iterations=FIRST_ITERATIONS, progress=look)
    while work.certificate().total > aim and work.iterations < MOST_ITERATIONS:
        work.run(iterations=work.iterations, progress=look)
    return work.plans()


def sparse(form: SequenceForm, plans: Any, aim: float) -> list[np.ndarray]:
    """[player] the probabilities by sequence of these plans, without the actions that they hardly play: as many are left out
    as cost no more than about `aim`."""
    mixes = [average(form, player, plan) for player, plan in enumerate(plans)]
    allowed, trimmed = 2.0 * max(aim, certified(form, *plans).total), mixes
    for least in TRIMS:
        trimmed = [_trimmed(form, player, mix, least) for player, mix in enumerate(mixes)]
        if certified(form, *map(planned, form.trees, trimmed)).total <= allowed:
            break
    return trimmed


def _trimmed(form, player, mix, least) -> np.ndarray:
    """The mixes without the actions of a probability below `least`. The likeliest action of a set always stays."""
    first, width = form.trees[player].first, np.diff(form.trees[player].first)
    if not len(width):
        return mix
    own = mix[1:]
    most = np.maximum.reduceat(own, first[:-1] - 1)
    kept = np.where(own >= np.minimum(least, np.repeat(most, width)), own, 0.0)
    total = np.add.reduceat(kept, first[:-1] - 1)
    return np.concatenate([mix[:1], kept / np.repeat(total, width)])
