"""A game on buckets of its hands, from the cards to a plan that plays: `solve(OnBuckets(game, 5))`.

The matrices of the abstract game are counted on sampled boards, or on all of them in small games (`deal_matrices.py`), and
CFR runs on them (`matrix_cfr.py`). Two certificates are given. The first holds for the matrices that were used. The second
holds for matrices of fresh boards: what the solver learned about its sample and not about the game shows there. Neither
says how exploitable the plan is in the real game, whose players see their cards.
"""

from typing import Any, NamedTuple

from ...clock import clock
from ...kernels.lanes import CPU, CUDA
from ...walk.slices import Watcher, memory_cap, whole
from ..forms.certificates import Bounds
from ..forms.infosets import TooLarge
from ..regret.cfr import RULES
from ..until import Pace
from .betting import BettingForm, BettingTree, betting_tree
from .bucket_forms import ALL, all_are_fewer, bucket_form
from .bucket_plan import BucketPlan
from .cards import Buckets, bucketed, require_buckets
from .matrix_cfr import MatrixCFR, bytes_of_sizes

BOARDS = 200_000  # that are sampled for the matrices; 20,000 are too few for 5 buckets
FRESH = 60_000  # that the result is measured on
SHARE = 1e-4  # of the range of payoffs: the target unless told; on the full deck 2.4 thousandths of a small bet a hand
TALLIED = 32  # bytes that counting takes for a pair of types, beside what the solver needs


class OnBuckets:
    """A game with k buckets a round, which `solve` takes in place of the game (`Form` in `until.py`).

    Tables and matrices are kept in the cache folder, the matrices while they are counted, so that whatever stops the work
    loses little of it.
    """

    methods = ("dcfr", *(rule for rule in RULES if rule != "dcfr"))
    devices = (CUDA,)  # that solve it, beside the CPU
    share = SHARE

    def __init__(self, game: Any, k: int, *, boards: int = BOARDS, seed: int = 0):
        require_buckets(game)
        self.game, self.k = game, whole(k, "the number of buckets", least=1)
        self.boards, self.seed = whole(boards, "boards", 1), seed

    def work(
        self,
        method: str,
        *,
        memory: float | None,
        threads: int | None,
        progress: Watcher | None,
        device: str = CPU,
    ) -> "BucketWork":
        """Prepare everything. On a GPU boards are counted and products and sweeps are done there."""
        began, need, cap = clock(), bytes_for(betting_tree(self.game), self.k), memory_cap(memory)
        if need > cap:
            raise TooLarge(
                f"{self.k} buckets need {need / 2**30:.2f} GiB, and {cap / 2**30:.2f} are allowed: take fewer buckets"
            )
        buckets = bucketed(self.game, self.k, progress, device)
        if all_are_fewer(buckets, self.boards):
            own, fresh, sampled = bucket_form(buckets, ALL, progress=progress, device=device)[0], None, ALL
        else:
            own, fresh = (
                bucket_form(buckets, number, (self.seed, part), progress=progress, device=device)[0]
                for part, number in ((1, self.boards), (2, min(self.boards, FRESH)))
            )
            sampled = self.boards
        return BucketWork(
            MatrixCFR(own, method, memory=memory, device=device), buckets, fresh, sampled, clock() - began
        )


def bytes_for(tree: BettingTree, k: int) -> int:
    """What solving takes at most: the solver, fresh matrices, and counting them."""
    cells = k ** (2 * tree.stages)
    return bytes_of_sizes(tree, [[k ** (s + 1) for s in range(tree.stages)]] * 2) + TALLIED * cells


class BucketWork:
    """Matrix CFR on the matrices of some boards as a work of the driver, judged on those of fresh boards as well."""

    pace, finished = Pace(factor=1.3), False  # certificates cost more than elsewhere

    def __init__(self, cfr: MatrixCFR, buckets: Buckets, fresh: BettingForm | None, boards: int, preparing: float):
        self.cfr, self.buckets, self.fresh, self.boards, self.preparing = cfr, buckets, fresh, boards, preparing
        self.name, self.run, self.save, self.resume = cfr.name, cfr.run, cfr.save, cfr.resume
        self.device = cfr.device

    @property
    def iterations(self) -> int:
        return self.cfr.iterations

    def certificate(self) -> "InsideBuckets":
        return InsideBuckets(self)


class InsideBuckets:
    """What best responses prove of the average plan inside the abstraction. Plans of earlier iterations are not kept, so the
    plan that is written down is measured once more: after Ctrl-C it is a little further than the last certificate."""

    note = ""

    def __init__(self, work: BucketWork):
        self.work, (self.low, self.middle, self.high) = work, work.cfr.bounds()

    @property
    def total(self) -> float:
        return self.high - self.low

    def improved_by(self, later: "InsideBuckets") -> "InsideBuckets":
        return later

    def point(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.low, self.high)

    def strategy(self, progress: Watcher | None = None) -> BucketPlan:
        self.low, self.middle, self.high = self.work.cfr.bounds()
        return BucketPlan.from_tables(self.work.buckets.game, self.work.buckets.k, self.work.cfr.table)

    def value(self, strategy: BucketPlan, progress: Watcher | None = None) -> float:
        return self.middle

    def detail(self, strategy: BucketPlan) -> "Abstraction":
        work = self.work
        low, _, high = (self.low, 0.0, self.high) if work.fresh is None else work.cfr.bounds(work.fresh)
        facts = (work.buckets.bet, self.middle, self.total)
        return Abstraction(work.buckets.k, len(strategy), work.boards, work.preparing, *facts, high - low)


class Abstraction(NamedTuple):
    """What else there is to know of a game solved on buckets."""

    k: int
    infosets: int
    boards: int  # that were sampled; ALL: every board
    preparing: float  # seconds that tables and matrices took
    bet: float  # the small bet in units of payoff
    value: float  # of player 0 when both follow the plan
    total: float  # the exploitability inside the abstraction
    fresh: float  # the same on fresh boards

    def rows(self) -> list[tuple[str, str]]:
        """The facts in words, each with a heading."""
        parts = f"{self.k} bucket{'s' if self.k > 1 else ''} a round, {self.infosets:,} information sets"
        boards = f"{self.boards:,} sampled boards" if self.boards else "all boards"
        small, fresh = 1000.0 / self.bet, ""
        rows = [("abstraction", f"{parts}, matrices from {boards}; tables and matrices took {self.preparing:.1f} s")]
        if self.boards:
            rows.append(("fresh boards", f"{self.fresh:.6g} exploitability in all"))
            fresh = f", {small * self.fresh / 2:.2f} on fresh boards"
        mean = f"{small * self.total / 2:.2f} exploitability on average{fresh}"
        rows.append(("small bets", f"value {small * self.value:.1f}, {mean}, in thousandths of a small bet a hand"))
        return rows
