"""A game solved on buckets of its hands, from the cards to a plan that plays.

The matrices of the abstract game are counted on sampled boards, or on all of them in small games (`deal_matrices.py`), and
CFR runs on them (`matrix_cfr.py`). Two certificates are given. The first holds for the matrices that were used. The second
holds for matrices of fresh boards: what the solver learned about its sample and not about the game shows there. Neither
says how exploitable the plan is in the real game, whose players see their cards.
"""

import os
from typing import Any, NamedTuple

from ...clock import clock
from ...errors import Invalid
from ...walk.slices import Ended, Watcher, memory_cap, number, whole
from ..forms.infosets import TooLarge
from ..regret.cfr import RULES
from ..until import Limits, Pace, iterate_until
from .betting import BettingForm, BettingTree, betting_tree, infosets
from .bucket_forms import ALL, all_are_fewer, bucket_form
from .bucket_plan import BucketPlan
from .cards import Buckets, bucketed, require_buckets
from .matrix_cfr import MatrixCFR, bytes_of_sizes

BOARDS = 200_000  # that are sampled for the matrices; 20,000 are too few for 5 buckets
FRESH = 60_000  # that the result is measured on
SHARE = 1e-4  # of the range of payoffs: the target unless told; on the full deck 2.4 thousandths of a small bet a hand
MILLI = 500.0  # thousandths of a small bet in a unit of payoff
PACE = Pace(factor=1.3)  # of certificates, which cost more than elsewhere
TALLIED = 32  # bytes that counting takes for a pair of types, beside what the solver needs


class BucketSolution(NamedTuple):
    """A plan, and what it is worth inside the abstraction, in units of payoff to player 0."""

    plan: BucketPlan
    value: float  # when both follow the plan
    low: float  # inside the abstraction the value lies between low and high
    high: float
    fresh_low: float  # the same on fresh boards
    fresh_high: float
    infosets: int
    boards: int  # that were sampled; ALL: every board
    method: str
    iterations: int
    seconds: float  # in all
    preparing: float  # those of them that tables and matrices took
    target: float | None
    reached: bool  # the target
    ended: Ended

    @property
    def total(self) -> float:
        """The exploitability inside the abstraction: the sum of both players' gains."""
        return self.high - self.low

    @property
    def fresh(self) -> float:
        """The same on fresh boards."""
        return self.fresh_high - self.fresh_low


def solve_buckets(
    game: Any,
    k: int,
    method: str = "dcfr",
    *,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    boards: int = BOARDS,
    seed: int = 0,
    checkpoint: str | os.PathLike | None = None,
    progress: Watcher | None = None,
) -> BucketSolution:
    """Solve a game with k buckets a round until its total exploitability inside the abstraction is below the target (SHARE
    of the range of payoffs by default), or for so many iterations or seconds, of making tables and matrices too. These are
    kept in the cache folder while they are counted; a checkpoint of the iterations is saved every 30 s, and resumed
    if the file exists. Ctrl-C ends the work with what was found so far."""
    start = clock()
    if method not in RULES:
        raise Invalid(f"there is no method '{method}' for buckets: valid are {', '.join(RULES)}")
    target = None if target is None else number(target, "target", above=0)
    if target is None and seconds is None and iterations is None:
        target = SHARE * (game.shape().high - game.shape().low)
    iterations = None if iterations is None else whole(iterations, "iterations", 1)
    seconds = None if seconds is None else number(seconds, "seconds", above=0)
    require_buckets(game)
    tree, k = betting_tree(game), whole(k, "the number of buckets", least=1)
    need = bytes_for(tree, k)
    if need > memory_cap():
        raise TooLarge(f"{k} buckets need {need / 2**30:.2f} GiB, more than half of this machine's memory")
    own, fresh, sampled = _forms(bucketed(game, k, progress), boards, seed, progress)
    cfr, prepared = MatrixCFR(own, method), clock()
    limits = Limits(start, target, iterations, seconds)
    cfr.pace = PACE
    ended = iterate_until(cfr, limits, checkpoint=checkpoint, progress=progress).ended
    low, value, high = cfr.bounds()
    fresh_low, _, fresh_high = (low, value, high) if fresh is None else cfr.bounds(fresh)
    return BucketSolution(
        plan=BucketPlan.from_tables(game, k, cfr.table),
        value=value,
        low=low,
        high=high,
        fresh_low=fresh_low,
        fresh_high=fresh_high,
        infosets=infosets(tree, k),
        boards=sampled,
        method=method,
        iterations=cfr.iterations,
        seconds=clock() - start,
        preparing=prepared - start,
        target=target,
        reached=target is None or high - low <= target,
        ended=ended,
    )


def bytes_for(tree: BettingTree, k: int) -> int:
    """What solving takes at most: the solver, fresh matrices, and counting them."""
    cells = k ** (2 * tree.stages)
    return bytes_of_sizes(tree, [[k ** (s + 1) for s in range(tree.stages)]] * 2) + TALLIED * cells


def _forms(
    buckets: Buckets, boards: int, seed: int, progress: Watcher | None
) -> tuple[BettingForm, BettingForm | None, int]:
    """The abstract game on the boards that are used, and on fresh ones where these are not all that there are; and how many
    were sampled."""
    boards = whole(boards, "boards", 1)
    if all_are_fewer(buckets, boards):
        return bucket_form(buckets, ALL, progress=progress)[0], None, ALL
    own, fresh = (
        bucket_form(buckets, number_of, (seed, part), progress=progress)[0]
        for part, number_of in ((1, boards), (2, min(boards, FRESH)))
    )
    return own, fresh, boards
