"""Hold'em solved on its buckets, from the cards to a plan that plays.

The matrices of the abstract game are counted on sampled boards, or on all of them in small games (`deal_matrices.py`), and
CFR runs on them (`matrix_cfr.py`). Two certificates are given. The first holds for the matrices that were used. The second
holds for matrices of fresh boards: what the solver learned about its sample and not about the game shows there. Neither
says how exploitable the plan is in the real game, whose players see their cards.
"""

import math
import time
from typing import Any, NamedTuple

from ..errors import Invalid
from ..game import identity
from ..games.holdem.bucketed import bucketed_deck
from ..games.holdem.buckets import Buckets
from ..games.holdem.rules import Holdem
from ..walk.slices import Ended, Progress, Watcher, number, whole
from .betting import BettingForm, betting_tree, infosets, nested
from .bucket_plan import BucketPlan
from .cfr import RULES
from .deal_matrices import all_boards, count_matrices, random_boards
from .infosets import TooLarge
from .matrix_cfr import MatrixCFR, bytes_of_sizes, half_of_memory

BOARDS = 200_000  # that are sampled for the matrices; 20,000 are too few for 5 buckets
FEW = 100_000  # decks with at most so many courses of the board are counted whole
MILLI = 500.0  # thousandths of a small bet in a unit of payoff
PATIENCE = 1.3  # the certificate is renewed when the iterations have grown by this factor


class BucketSolution(NamedTuple):
    """A plan, and what it is worth inside the abstraction, in units of payoff to player 0."""

    plan: BucketPlan
    value: float  # when both follow the plan
    low: float  # inside the abstraction the value lies between low and high
    high: float
    fresh_low: float  # the same on fresh boards
    fresh_high: float
    infosets: int
    boards: int  # that were sampled; 0: all of them
    method: str
    iterations: int
    seconds: float
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
    method: str = "cfr+",
    *,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    boards: int = BOARDS,
    seed: int = 0,
    progress: Watcher | None = None,
) -> BucketSolution:
    """Solve hold'em with k buckets a round until its total exploitability inside the abstraction is below the target (0.001
    of the range of payoffs by default), or for so many iterations or seconds. Tables and matrices are made before the
    clock starts."""
    if not isinstance(game, Holdem):
        raise Invalid(f"buckets are for holdem, not for {identity(game)}")
    if method not in RULES:
        raise Invalid(f"there is no method '{method}' for buckets: valid are {', '.join(RULES)}")
    target = None if target is None else number(target, "target", above=0)
    if target is None and seconds is None and iterations is None:
        target = 0.001 * (game.shape().high - game.shape().low)
    goal = math.inf if iterations is None else whole(iterations, "iterations", 1)
    limit = math.inf if seconds is None else number(seconds, "seconds", above=0)
    tree, k = betting_tree(game), whole(k, "the number of buckets", least=1)
    need = bytes_of_sizes(tree, [[k ** (s + 1) for s in range(game.rounds)]] * 2)
    if need > half_of_memory():
        raise TooLarge(f"{k} buckets need {need / 2**30:.2f} GiB, more than half of this machine's memory")
    buckets = Buckets(game, k, progress=progress)
    own, fresh, sampled = _forms(game, buckets, tree, boards, seed, progress)
    cfr, began, due = MatrixCFR(own, method), time.perf_counter(), 1.0
    ended: Ended | None = None
    while ended is None:
        due = min(max(due * PATIENCE, cfr.iterations + 1.0), goal)
        left = max(limit - (time.perf_counter() - began), 1e-3)
        try:
            cfr.run(iterations=math.ceil(due) - cfr.iterations, seconds=None if seconds is None else left)
        except KeyboardInterrupt:
            if not cfr.iterations:
                raise
            ended = Ended.STOPPED
        low, value, high = cfr.bounds()
        spent = time.perf_counter() - began
        if progress:
            progress(Progress("iterations", cfr.iterations, iterations, (low, high)))
        if target is not None and high - low <= target:
            ended = Ended.TARGET
        elif cfr.iterations >= goal:
            ended = ended or Ended.ITERATIONS
        elif spent >= limit:
            ended = ended or Ended.SECONDS
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
        seconds=spent,
        reached=target is None or high - low <= target,
        ended=ended,
    )


def _forms(game, buckets, tree, boards, seed, progress) -> tuple[BettingForm, BettingForm | None, int]:
    """The abstract game on the boards that are used, and on fresh ones where these are not all that there are; and how many
    were sampled."""
    deck: Any = bucketed_deck(buckets)
    k = buckets.k
    cuts = nested(k, game.rounds)

    def form(drawn, goal, which) -> BettingForm:
        joint, edge = count_matrices(deck, k**game.rounds, drawn, progress=progress, goal=goal)
        return BettingForm(f"{identity(game)}, {k} buckets, {which}", tree, joint, edge, (cuts, cuts))

    courses = math.prod(math.comb(game.deck() - sum(deck.dealt[:s]), deck.dealt[s]) for s in range(game.rounds))
    if courses <= FEW:
        return form(all_boards(deck), None, "all boards"), None, 0
    boards = whole(boards, "boards", 1)
    both = [form(random_boards(deck, boards, [seed, part]), boards, f"{boards} boards, seed {seed}") for part in (1, 2)]
    return both[0], both[1], boards
