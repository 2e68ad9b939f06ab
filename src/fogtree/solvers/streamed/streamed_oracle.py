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

A solution is made sparse before it is answered: actions of small probability are left out as long as the restricted game
hardly notices. The answers are to exactly the policy that is handed out in the end, so the certificate is exact all the same.

A game may know its symmetries (`images`, see `game.py`). Then the images of an admitted action are admitted with it, and
fewer rounds are needed. They are no more than suggestions: nothing rests on them.

`oracle.py` is the same idea for games whose sequence form is at hand.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from ...errors import Broken, Invalid
from ...game import OVER
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
from ...walk import table as tables
from ...walk.slices import Ended, Progress, Watcher
from ...walk.whole import walk_through
from ..forms.infosets import write_plan
from ..forms.reduction import reduced
from ..forms.response import average, bounds_of
from ..forms.sequence import SequenceForm, require_zero_sum, sequence_form
from ..regret.cfr import CFR
from .stream import stream_response

RULE = "pdcfr+"
FIRST_ITERATIONS, MOST_ITERATIONS = 128, 1 << 17  # of CFR on a restricted game
CLOSER = 16.0  # a restricted game is solved so many times more exactly than the bounds of the whole game are
TRIMS = (0.03, 0.01, 0.003, 0.001, 0.0001, 0.0)  # probabilities below which an action is left out, the boldest first
SMALL = 6_000  # sequences of a restricted game that the linear program may solve, where CFR comes no nearer
SHORT = 100_000  # histories: a first round of so many is finished even if the time is up, for it takes no time
IDLE = 4  # rounds that admit nothing before the work is finished


class Round(NamedTuple):
    """One round: how large the restricted game was, and what its solution guarantees in the whole game."""

    histories: int  # of the restricted game
    sequences: tuple[int, int]  # [player]
    low: float
    high: float
    admitted: int  # actions that were new
    answered: int  # histories that the two answers met
    seconds: float  # since the start


class StreamedResult(NamedTuple):
    """The best policy of each side, what it guarantees, and how it went."""

    game: Any
    policies: tuple[Rehearsed, Rehearsed]  # [player]
    low: float  # what player 0 gets at least by policies[0]
    high: float  # what player 0 gets at most against policies[1]
    rounds: list[Round]
    ended: Ended

    def strategy(self, progress: Watcher | None = None) -> Strategy:
        """The policies as one strategy, which lists every set that they can get to, whatever the other does."""
        rows = [_listed(self.game, policy, player, progress) for player, policy in enumerate(self.policies)]
        width = np.concatenate([np.diff(first) for _, first, _, _ in rows])
        return Strategy(
            self.game,
            np.concatenate([np.full(len(view), player) for player, (view, *_) in enumerate(rows)]),
            np.concatenate([view for view, *_ in rows]),
            np.concatenate([[0], np.cumsum(width)]),
            np.concatenate([action for _, _, action, _ in rows]),
            np.concatenate([probability for *_, probability in rows]),
        )


class _TimeUp(Exception):
    pass


def streamed_oracle(
    game: Any,
    *,
    target: float,
    iterations: int | None = None,
    seconds: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    progress: Watcher | None = None,
) -> StreamedResult:
    """Grow a restricted game until high - low <= target, or for so many seconds or iterations, which are rounds.

    `progress` is called after each round with the `Round`, and while answers are streamed. Ctrl-C ends the work, and the
    result has the rounds that were finished. The seconds do so too; before the end of the first round there is no result, and
    they end the work with an error.
    """
    require_zero_sum(game)
    began, base, shape = time.perf_counter(), reduced(game), game.shape()
    stop = math.inf if seconds is None else began + seconds
    book, rounds = new_book(shape.actions), list[Round]()
    best: list[Any] = [None, None]
    low, high, idle = -math.inf, math.inf, 0

    def look(now: Progress) -> None:
        if progress:
            progress(Progress("iterations", len(rounds), iterations, now.detail))
        if time.perf_counter() >= stop:
            if rounds:
                raise _TimeUp
            if now.what == "histories" and now.done > SHORT:
                raise Invalid(
                    f"the time limit of {seconds:g} s ended before the first round did, after {now.done:,} histories: give "
                    "it more seconds, or use a method that samples (external, outcome)"
                )

    ended: Ended | None = None
    try:
        while ended is None:
            small = Restricted(base, copy_of(book))
            form = sequence_form(small, memory=memory, progress=look)
            aim = max(target / 4.0, min(high - low, shape.high - shape.low) / CLOSER)
            sizes = int(form.trees[0].sequences()), int(form.trees[1].sequences())
            exactly = idle > 0 and sum(sizes) <= SMALL
            plans = _by_lp(form) if exactly else _by_cfr(form, aim, look)
            policy = rehearsed(small, form.trees, _sparse(form, plans, aim))
            answers = []
            for me in (0, 1):
                order = AdmittedFirst(base, small.book)
                answers.append(stream_response(game, policy, me, order=order, threads=threads, progress=look))
            admitted = 0
            for me, answer in enumerate(answers):
                view, action = _with_images(game, me, answer.view, answer.action)
                book = with_room(book, len(view))
                admitted += admit(book, me, view, action)
            if -answers[1].value > low:
                low, best[0] = -answers[1].value, policy
            if answers[0].value < high:
                high, best[1] = answers[0].value, policy
            met, spent = sum(answer.histories for answer in answers), time.perf_counter() - began
            bounds = -answers[1].value, answers[0].value
            rounds.append(Round(form.histories, sizes, *bounds, admitted, met, spent))
            idle = 0 if admitted else idle + 1
            if high - low <= target:
                ended = Ended.TARGET
            elif idle == IDLE:
                ended = Ended.FINISHED
            elif iterations is not None and len(rounds) >= iterations:
                ended = Ended.ITERATIONS
            elif time.perf_counter() >= stop:
                ended = Ended.SECONDS
            if progress:
                progress(Progress("iterations", len(rounds), iterations, rounds[-1]))
    except _TimeUp:
        ended = Ended.SECONDS
    except KeyboardInterrupt:
        if not rounds:
            raise
        ended = ended or Ended.STOPPED
    return StreamedResult(game, (best[0], best[1]), low, high, rounds, ended)


def _by_lp(form: SequenceForm) -> tuple[np.ndarray, np.ndarray]:
    from ..exact.lp import solve_lp  # HiGHS takes a quarter of a second to load, and few games need it

    return solve_lp(form).plans


def _by_cfr(form: SequenceForm, aim: float, look: Watcher) -> tuple[np.ndarray, np.ndarray]:
    """The plans of a solution that is exact to `aim`, or as near as a good many iterations come."""
    work = CFR(form, RULE)
    work.run(iterations=FIRST_ITERATIONS, progress=look)
    while _gap(form, work.plans()) > aim and work.iterations < MOST_ITERATIONS:
        work.run(iterations=work.iterations, progress=look)
    return work.plans()


def _sparse(form: SequenceForm, plans: Any, aim: float) -> list[np.ndarray]:
    """[player] the probabilities by sequence of these plans, without the actions that they hardly play: as many are left out
    as cost no more than about `aim`."""
    mixes = [average(form, player, plan) for player, plan in enumerate(plans)]
    allowed, trimmed = 2.0 * max(aim, _gap(form, plans)), mixes
    for least in TRIMS:
        trimmed = [_trimmed(form, player, mix, least) for player, mix in enumerate(mixes)]
        if _gap(form, [_plan(form, player, mix) for player, mix in enumerate(trimmed)]) <= allowed:
            break
    return trimmed


def _gap(form, plans) -> float:
    low, high = bounds_of(form, *plans)
    return high - low


def _plan(form, player, mix) -> np.ndarray:
    plan = np.empty(len(mix))
    write_plan(form.trees[player], mix, plan)
    return plan


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


def _with_images(game, me, view, action) -> tuple[np.ndarray, np.ndarray]:
    """What a response plays, and the same on the turned or mirrored board where the game knows how that looks."""
    if not hasattr(game, "images"):
        return view, action
    pairs = []
    for pair in zip(view.tolist(), action.tolist(), strict=True):
        pairs += [pair, *game.images(me, *pair)]
    try:
        views, actions = np.array(pairs, np.int64).reshape(-1, 2).T
    except (TypeError, ValueError, OverflowError):
        raise Broken(
            f"{type(game).__name__}.images must return pairs of a view and an action, both whole numbers"
        ) from None
    return np.ascontiguousarray(views), np.ascontiguousarray(actions)


# --- what a policy plays, written down ------------------------------------------------------------------------------


class _Listing(NamedTuple):
    """The visitor that notes what a policy plays at each set that its player can get to."""

    policy: Any
    who: int
    table: tables.Table
    view: np.ndarray  # [sets]
    first: np.ndarray  # [sets + 1]
    action: np.ndarray  # [pairs]
    probability: np.ndarray  # [pairs]
    odds: np.ndarray  # [actions]

    def room(self):
        used = self.table.used[0]
        pairs = self.first[used] + self.odds.shape[0]
        return not self.table.full() and used + 1 < self.first.shape[0] and pairs <= self.action.shape[0]

    def enter(self, game, state, player, action, count, depth):
        if player == OVER or player != self.who:
            return count
        count = self.policy.weigh(game, state, player, action, self.odds)
        view, known = game.view(state, player), self.table.used[0]
        if self.table.add(view, player) == known:
            self.view[known], at = view, self.first[known]
            for a in range(count):
                self.action[at + a], self.probability[at + a] = action[a], self.odds[a]
            self.first[known + 1] = at + count
        return count

    def descend(self, depth, position):
        pass


def _listed(game, policy, player, progress) -> tuple[np.ndarray, ...]:
    actions = game.shape().actions
    arrays = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64), np.zeros(actions << 10, np.int64)
    visitor = _Listing(policy, player, tables.empty(), *arrays, np.zeros(actions << 10), np.zeros(actions))
    visitor, _ = walk_through(game, visitor, _more_lists, progress)
    sets = int(visitor.table.used[0])
    pairs = int(visitor.first[sets])
    return visitor.view[:sets], visitor.first[: sets + 1], visitor.action[:pairs], visitor.probability[:pairs]


def _more_lists(visitor: _Listing) -> _Listing:
    table = visitor.table.grown() if visitor.table.full() else visitor.table
    fields = ("view", "first", "action", "probability")
    twice: dict[str, Any] = {f: np.concatenate([a, np.zeros_like(a)]) for f in fields for a in [getattr(visitor, f)]}
    return visitor._replace(table=table, **twice)
