"""The walk over a whole game tree in lanes: a lane walks all that lies below one history.

The first histories are made breadth first, until there are PREFIXES of them; each of these is a lane's. What is found is
added up in whole numbers, so the counts are the same on every engine, and the same as those of a walk in one piece
(`whole.py`)."""

from typing import Any, NamedTuple

import numpy as np

from ..game import CHANCE, OVER
from ..kernels import kernel
from ..kernels.atomic import add
from ..kernels.engines import on
from ..kernels.lanes import CUDA
from .slices import Budget, Progress, Watcher, in_slices
from .views import FULL_UP, NEW, Views, new_views
from .whole import Walk, walk_slice

PREFIXES = {CUDA: 1 << 20}  # histories at which lanes begin, by the engine
FEW = 1 << 12  # on other engines
FIRST_CAPACITY = 1 << 24  # views of a player; a set that is full is made again, four times as large
STEPS = np.int64(1) << np.int64(62)  # of a walk that is not sliced
ENDS, CHANCES, DECISIONS = 0, 1, 2  # columns of the tally: kinds of history


class Tallying(NamedTuple):
    """The visitor that counts histories by depth and kind, and information sets."""

    views: Views
    first: int  # the depth at which the walk begins
    limit: int  # the depth at which to stop
    tally: np.ndarray  # [rows * 3]
    infosets: np.ndarray  # [players + 1] new ones; the last word counts those for which there was no room

    def room(self):
        return True

    def enter(self, game, state, player, action, count, depth):
        if player == OVER:
            self.tally[3 * depth + ENDS] += 1
            return 0
        if player == CHANCE:
            self.tally[3 * depth + CHANCES] += 1
        else:
            self.tally[3 * depth + DECISIONS] += 1
            found = self.views.add(game.view(state, player), player)
            if found == NEW:
                self.infosets[player] += 1
            elif found == FULL_UP:
                self.infosets[self.infosets.shape[0] - 1] += 1
        return count if self.first + depth < self.limit else 0

    def descend(self, depth, position):
        pass


class Own(NamedTuple):
    """The scratch of a lane that walks."""

    state: np.ndarray  # [rows, words]
    action: np.ndarray  # [rows, actions]
    left: np.ndarray  # [rows]
    depth: np.ndarray  # [1]
    tally: np.ndarray  # [rows * 3]
    infosets: np.ndarray  # [players + 1]


class Below(NamedTuple):
    """Work: a lane counts what lies below its history."""

    game: Any
    views: Views
    prefix: np.ndarray  # [lanes, words]
    first: int
    limit: int
    tally: np.ndarray  # [(moves + 1) * 3] by depth
    infosets: np.ndarray  # [players + 1]

    def writes(self):
        return ("tally", "infosets")

    def threads(self):
        return 256  # measured: a third faster than 2,048

    def lane(self, number, own):
        own.tally[:] = 0
        own.infosets[:] = 0
        for word in range(self.prefix.shape[1]):
            own.state[0, word] = self.prefix[number, word]
        own.depth[0] = 0
        visitor = Tallying(self.views, self.first, self.limit, own.tally, own.infosets)
        walk_slice(self.game, visitor, Walk(own.state, own.action, own.left, own.depth), STEPS)
        for place in range(min(own.tally.shape[0], self.tally.shape[0] - 3 * self.first)):
            if own.tally[place]:
                add(self.tally, 3 * self.first + place, own.tally[place])
        for player in range(own.infosets.shape[0]):
            if own.infosets[player]:
                add(self.infosets, player, own.infosets[player])


@kernel
def _widen(game, states, wider, choice):
    """Write the children of histories of one depth; returns how many."""
    made = 0
    for n in range(states.shape[0]):
        state = states[n]
        if game.player(state) != OVER:
            for a in range(game.actions(state, choice)):
                if made < wider.shape[0]:
                    for word in range(states.shape[1]):
                        wider[made, word] = state[word]
                    game.step(wider[made], choice[a])
                made += 1
    return made


class Found(NamedTuple):
    """What lanes have counted."""

    by_depth: np.ndarray  # [moves + 1, 3] ends, chance nodes, decisions
    infosets: tuple[int, ...]  # [player]


def count_below(game: Any, limit: int, device: str, *, cores: int | None = 1, progress: Watcher | None = None) -> Found:
    """Count all histories to a depth, at most the game's moves, in lanes on a device."""
    shape, capacity = game.shape(), FIRST_CAPACITY if device == CUDA else FEW
    levels = list(_levels(game, limit, PREFIXES.get(device, FEW)))
    rows = limit - len(levels) + 2
    own = Own(
        np.zeros((rows, shape.words), np.int64),
        np.zeros((rows, shape.actions), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(1, np.int64),
        np.zeros(3 * rows, np.int64),
        np.zeros(shape.players + 1, np.int64),
    )
    while True:  # it ends: the capacity grows, and the memory does not
        tally, infosets = np.zeros(3 * (shape.moves + 1), np.int64), np.zeros(shape.players + 1, np.int64)
        work = Below(game, new_views(shape.players, capacity), levels[0], 0, 0, tally, infosets)
        lanes = on(device, work, own, cores=cores)
        for depth, states in enumerate(levels):
            last = depth + 1 == len(levels)
            lanes.change(prefix=states, first=depth, limit=limit if last else depth)
            _run(lanes, len(states), tally, progress)
        if not infosets[-1]:
            return Found(tally.reshape(-1, 3), tuple(map(int, infosets[:-1])))
        capacity *= 4


def _levels(game: Any, limit: int, wanted: int) -> Any:
    """The histories of depth 0, 1, ... until there are as many as wanted, or the limit is reached, or all are over."""
    states, shape = np.zeros((1, game.shape().words), np.int64), game.shape()
    game.start(states[0])
    choice = np.zeros(shape.actions, np.int64)
    for depth in range(limit + 1):
        yield states
        if len(states) >= wanted or depth == limit:
            return
        wider = np.zeros((len(states) * shape.actions, shape.words), np.int64)
        states = wider[: _widen(game, states, wider, choice)]
        if not len(states):
            return


def _run(lanes: Any, count: int, tally: np.ndarray, progress: Watcher | None) -> None:
    done = 0

    def work(asked: int) -> int:
        nonlocal done
        lanes.run(done, asked)
        lanes.fetch()
        done += asked
        return asked

    def tell() -> None:
        if progress:
            progress(Progress("histories", int(tally.sum())))

    in_slices(work, Budget(iterations=count), tell=tell, first=lanes.start, pace=lanes.pace)
