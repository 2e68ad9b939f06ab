"""MCCFR in lanes (`kernels/lanes.py`): many iterations at the same time, on a GPU or on the cores of a CPU.

A lane is one iteration: it updates all players in turn by the traversal of `mccfr.py`, the same text, with the dice of its
own number. All lanes learn in one store. They add to its regrets and sums without waiting for each other: no update is lost,
and each looks at regrets that may lack what others are about to add. A sample is unbiased for the mix by which it was drawn,
whoever else learns meanwhile; the regrets are only some updates behind, as if some thousand iterations were one. In small
games that costs as much as lanes gain, unless samples are noisy (outcome sampling); in large ones lanes seldom meet. Slices
begin short, so that the first mixes, which are uniform, are not those of a million iterations.

The order of the sums is open: two runs with the same seed draw by the same dice and may differ all the same, but for a single
lane at a time.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import NONE
from ...kernels.atomic import add
from ...kernels.engines import chosen, on, zeros
from ...kernels.lanes import CUDA, NOTHING
from ...strategy import Strategy
from ...text.naming import as_game
from ...trouble import UNEQUAL, require_fine
from ...walk.slices import Watcher, number
from ...walk.views import FULL_UP, LEAST, Views, new_views
from ..until import run_slices
from .mccfr import CLOSED, DEFAULT_MEMORY, DONE, ROW, UPDATES, External, match_regrets, new_path, traverse

ENDED = 0  # word of Learning.note
FIRST_SETS = {CUDA: 1 << 16}  # of a player
FEW_SETS = 1 << 10
FULLEST = 0.3  # of the sets of a player that are in use, before there is room for four times as many
FIRST_SLICE = 1 << 8  # iterations
LONG = np.iinfo(np.int64).max  # histories of an update


class Shared(NamedTuple):
    """What is learned, by all lanes at once. Set n (`walk/views.py`) holds the numbers from n * actions on."""

    views: Views
    width: Any  # [sets] how many actions it has
    action: Any  # [sets * actions]
    regret: Any  # [sets * actions]
    total: Any  # [sets * actions] the sum of mixes
    actions: int

    def place(self, view, player, action, count):
        """Where a set's numbers begin; the set is entered if it is new. Or CLOSED or UNEQUAL."""
        n = self.views.number(view, player)
        if n == FULL_UP:
            return CLOSED
        if self.width[n] == 0:  # whoever meets it first writes the same
            for a in range(count):
                self.action[n * self.actions + a] = action[a]
            self.width[n] = count
        if self.width[n] != count:
            return UNEQUAL
        return n * self.actions

    def match(self, place, count, mix):
        """Regret matching: write the present mix of a set."""
        match_regrets(self.regret, place, count, mix)

    def remember(self, place, count, mix, weight):
        """Add the mix to the sum of which the average is made."""
        for a in range(count):
            if mix[a] > 0.0:
                add(self.total, place + a, weight * mix[a])

    def learn(self, place, count, mix, worth, weight):
        """Add to the regrets; returns what the mix was worth."""
        value = 0.0
        for a in range(count):
            value += mix[a] * worth[a]
        for a in range(count):
            add(self.regret, place + a, weight * (worth[a] - value))
        return value


class Learning(NamedTuple):
    """Work: lane n is iteration n. The scratch of a lane is a `Path`."""

    game: Any
    scheme: Any
    store: Shared
    players: int
    power: float
    seed: np.ndarray  # [4]
    note: Any  # [1] why some traversal ended, if something was wrong

    def threads(self):
        return 512

    def lane(self, number, own):
        dice.of_lane(self.seed, number, own.random)
        own.at[UPDATES], own.at[ROW], goal = number * self.players, NONE, (number + 1) * self.players
        ended = traverse(self.game, self.scheme, self.store, own, self.players, self.power, goal, LONG)
        if ended != DONE:
            self.note[ENDED] = ended


class Moving(NamedTuple):
    """Work: lanes take what was learned into a larger store."""

    old: Shared
    new: Shared
    lanes: int

    def lane(self, number, own):
        actions = self.old.actions
        for n in range(number, self.old.width.shape[0], self.lanes):
            if self.old.width[n] > 0:
                to = self.new.views.number(self.old.views.view_at(n), self.old.views.owner_at(n))
                self.new.width[to] = self.old.width[n]
                for a in range(actions):
                    self.new.action[to * actions + a] = self.old.action[n * actions + a]
                    self.new.regret[to * actions + a] = self.old.regret[n * actions + a]
                    self.new.total[to * actions + a] = self.old.total[n * actions + a]


class LanesMCCFR:
    """Sampled regret minimisation by many lanes at once, which can be stopped and continued: `MCCFR` on a device.

    mccfr = LanesMCCFR(game, Outcome(), device="cuda")
    mccfr.run(seconds=10)
    exploitability(game, mccfr.strategy(), device="cuda")
    """

    def __init__(
        self,
        game: Any,
        scheme: Any = External(),  # noqa: B008  (a tuple cannot change)
        seed: int = 0,
        *,
        power: float = 0.0,
        memory: float = DEFAULT_MEMORY,
        device: str = CUDA,
        cores: int | None = None,
    ):
        game = as_game(game)
        if not (isinstance(scheme, tuple) and hasattr(scheme, "choose")):
            raise Invalid(f"a sampling scheme is External() or Outcome(), not {scheme!r}")
        self.game, self.scheme, self.seed, self.device, self.cores = game, scheme, seed, chosen(device), cores
        self.cap, self.shape, self.closed = number(memory, "memory"), game.shape(), False
        self.capacity, self.iterations = FIRST_SETS.get(self.device, FEW_SETS), 0
        while _bytes(self.shape, self.capacity) > self.cap and self.capacity > LEAST:
            self.capacity //= 2
        work = Learning(
            game,
            scheme,
            new_shared(self.shape, self.capacity, self.device),
            self.shape.players,
            number(power, "power", finite=True),
            dice.seeded(seed),
            zeros(self.device, 1),
        )
        self.lanes = on(self.device, work, new_path(self.shape, 0), cores=cores)

    @property
    def store(self) -> Shared:
        return self.lanes.there.store

    @property
    def infosets(self) -> int:
        """How many information sets with a choice have been met."""
        return int(self._sizes().sum())

    @property
    def memory(self) -> int:
        """Bytes."""
        return _bytes(self.shape, self.capacity)

    @property
    def note(self) -> str:
        """A warning about the result, or an empty text."""
        if not self.closed:
            return ""
        sets = f"{self.infosets:,} information sets"
        return f"the memory cap of {self.cap:.3g} bytes was reached at {sets}: the others are played uniformly"

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "LanesMCCFR":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        return run_slices(
            self, iterations=iterations, seconds=seconds, progress=progress, first=FIRST_SLICE, pace=self.lanes.pace
        )

    def _iterate(self, count: int) -> int:
        self.lanes.run(self.iterations, count)
        self.iterations += count
        require_fine(int(np.array(self.lanes.there.note)[ENDED]), self.game)
        if not self.closed and self._sizes().max() > FULLEST * self.capacity:
            self._grow()
        return count

    def strategy(self) -> Strategy:
        """The average strategy of all players, at the sets where they have been sampled."""
        store, actions, width = self.store, self.shape.actions, np.array(self.store.width)
        action, total = (np.array(array).reshape(-1, actions) for array in (store.action, store.total))
        kept = np.flatnonzero(width)
        mass = np.where(np.arange(actions) < width[kept, None], total[kept], 0.0).sum(axis=1)
        kept, mass = kept[mass > 0.0], mass[mass > 0.0]
        views = store.views._replace(slot=np.array(store.views.slot))
        player, view = views.owner_at(kept), views.view_at(kept)
        order = np.lexsort((view, player))
        kept, mass, listed = kept[order], mass[order], np.arange(actions) < width[kept[order], None]
        first = np.append(0, np.cumsum(width[kept]))
        probability = (total[kept] / mass[:, None])[listed]
        return Strategy(self.game, player[order], view[order], first, action[kept][listed], probability)

    def _sizes(self) -> np.ndarray:
        """[player] how many sets are in use."""
        return self.store.views.sizes(None)

    def _grow(self) -> None:
        """Room for four times as many sets, or for none that is new once that would break the cap."""
        if _bytes(self.shape, self.capacity) + _bytes(self.shape, 4 * self.capacity) > self.cap:
            self.closed = True  # the sets that still find a place are learned
            return
        new = new_shared(self.shape, 4 * self.capacity, self.device)
        mover = on(self.device, Moving(self.store, new, 1), NOTHING, cores=self.cores)
        mover.change(lanes=mover.width)
        mover.run(0, mover.width)
        self.lanes.change(store=mover.there.new)
        self.capacity *= 4


def new_shared(shape: Any, capacity: int, device: str) -> Shared:
    """An empty store with room for so many sets of a player, a power of two."""
    sets = shape.players * (capacity + 1)
    wide = sets * shape.actions
    numbers = zeros(device, wide, np.float64), zeros(device, wide, np.float64)
    return Shared(
        new_views(shape.players, capacity, device),
        zeros(device, sets),
        zeros(device, wide, np.int32),
        *numbers,
        shape.actions,
    )


def _bytes(shape: Any, capacity: int) -> int:
    """Of a store."""
    return math.ceil(shape.players * (capacity + 1) * (16 + 20 * shape.actions))
