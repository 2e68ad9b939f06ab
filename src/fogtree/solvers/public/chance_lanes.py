"""Chance-sampled CFR in lanes (`kernels/lanes.py`): many deals at the same time, on a GPU or on the cores of a CPU.

A lane is one iteration: it deals by the dice of its own number and walks the betting tree by the text of `chance_sampled.py`.
All lanes learn in one memory, to which they add without waiting for each other, so no update is lost. Each looks at regrets
that may lack what others are about to add. A deal meets only one type of each player at each stage, so lanes seldom meet at
the same information set but near the root. Slices begin short, so that the first mixes, which are uniform, are not those of
a million deals.

The order of the sums is open: two runs with the same seed may differ in the last digits, and then in more, but for a single
lane at a time.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...kernels.atomic import add
from ...kernels.engines import chosen, on, zeros
from ...kernels.lanes import CUDA
from ...walk.slices import Watcher
from ..until import run_slices
from .betting import BettingTree
from .chance_sampled import Cuts, Decisions, Queue, layout, walk

TOGETHER = 128  # lanes of a multiprocessor at a time: each has a queue of half a megabyte in limit hold'em
FIRST_SLICE = 1 << 8  # iterations


class Together(NamedTuple):
    """What is learned, by many walks at a time."""

    memory: Any  # [sets * row] of each set its regrets, then the sums of mixes
    actions: int  # where the sums begin
    row: int

    def soon(self, i):
        pass

    def number(self, i, column):
        return self.memory[i * self.row + column]

    def add(self, i, column, amount):
        add(self.memory, i * self.row + column, amount)


class Own(NamedTuple):
    """The scratch of a lane: the fields of a `Queue`, and dice."""

    node: np.ndarray
    reach: np.ndarray
    mix: np.ndarray
    below: np.ndarray
    value: np.ndarray
    place: np.ndarray
    deal: np.ndarray
    random: np.ndarray


class Dealing(NamedTuple):
    """Work: lane n is deal n."""

    tree: Decisions
    dealer: Any
    store: Together
    seed: np.ndarray  # [4]

    def writes(self):
        return ()

    def threads(self):
        return TOGETHER

    def lane(self, number, own):
        dice.of_lane(self.seed, number, own.random)
        self.dealer.deal(own.random, own.deal)
        walk(self.tree, self.store, Queue(own.node, own.reach, own.mix, own.below, own.value, own.place, own.deal))


class LanesChanceSampled:
    """Chance-sampled CFR by many lanes at once, which can be stopped and continued: `ChanceSampled` on a device.

    buckets = Buckets(game, 5, device="cuda")
    cfr = LanesChanceSampled(betting_tree(game), nested(5, game.rounds), buckets.dealer(), device="cuda")
    cfr.run(seconds=10)
    cfr.table(node)
    """

    def __init__(
        self,
        tree: BettingTree,
        cuts: Cuts,
        dealer: Any,
        seed: int = 0,
        *,
        memory: float | None = None,
        device: str = CUDA,
        cores: int | None = None,
    ):
        self.layout, self.iterations = layout(tree, cuts, memory), 0
        device = chosen(device)
        learned = zeros(device, self.layout.sets * self.layout.row, np.float64)
        store = Together(learned, self.layout.actions, self.layout.row)
        own = Own(*self.layout.queue(), np.zeros(4, np.uint64))
        self._fetched: tuple[int, np.ndarray] | None = None  # after how many iterations, and what was learned
        self.lanes = on(device, Dealing(self.layout.walked, dealer, store, dice.seeded(seed)), own, cores=cores)

    @property
    def memory(self) -> np.ndarray:
        """[sets, row] what was learned, on this machine: it is fetched once after each run, not for each table."""
        if self._fetched is None or self._fetched[0] != self.iterations:
            learned = np.array(self.lanes.there.store.memory).reshape(self.layout.sets, self.layout.row)
            self._fetched = self.iterations, learned
        return self._fetched[1]

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "LanesChanceSampled":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        return run_slices(
            self, iterations=iterations, seconds=seconds, progress=progress, first=FIRST_SLICE, pace=self.lanes.pace
        )

    def _iterate(self, count: int) -> int:
        self.lanes.run(self.iterations, count)
        self.iterations += count
        return count

    def table(self, node: int) -> np.ndarray:
        """[action, type] the average strategy at a decision node; uniform where it never goes."""
        return self.layout.table(self.memory, node)
