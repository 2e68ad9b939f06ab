"""The visitor of a walk in layers (`layers.py`) that counts histories by their kind, and information sets."""

from typing import Any, NamedTuple

import numpy as np

from ..game import CHANCE, OVER
from ..kernels.atomic import add
from ..kernels.engines import empty, free
from ..kernels.lanes import CUDA
from .layers import walk_layers
from .slices import Progress, Watcher
from .views import FULL_UP, Distinct, NoRoom, new_views, until_room

ENDS, CHANCES, DECISIONS = 0, 1, 2  # kinds of history
# notes: ends | chance nodes | views without room | decisions by player | views met last, by player
FULL, DECIDES = 2, 3
ROWS = 64  # of the tally, to which lanes add
MEMORY = {CUDA: 1 << 35}  # bytes of the layers, by the engine, or half of what is free
FEW_BYTES = 1 << 26  # on other engines
FIRST_CAPACITY = {CUDA: 1 << 24}  # views of a player; a set that is full is made again, four times as large
FEW_VIEWS = 1 << 12


class Tallying(NamedTuple):
    views: Any
    players: int
    tally: Any  # [ROWS * (DECIDES + players)]

    def notes(self):
        return DECIDES + 2 * self.players

    def loads(self):
        return ()

    def begin(self, note):
        for each in range(note.shape[0]):
            note[each] = 0

    def enter(self, game, state, player, choice, count, own):
        return 0

    def descend(self, number, player, a, own):
        pass

    def meet(self, game, state, player, own):
        note = own.note
        if player == OVER:
            note[ENDS] += 1
        elif player == CHANCE:
            note[CHANCES] += 1
        else:
            note[DECIDES + player] += 1
            if self.views.met(game.view(state, player), player, note, DECIDES + self.players + player) == FULL_UP:
                note[FULL] += 1

    def end(self, number, note):
        width = DECIDES + self.players
        for each in range(width):
            if note[each]:
                add(self.tally, number % ROWS * width + each, note[each])


class Found(NamedTuple):
    """What lanes have counted."""

    by_depth: np.ndarray  # [moves + 1, 3] ends, chance nodes, decisions
    infosets: tuple[int, ...]  # [player]


def count_layers(
    game: Any, limit: int, device: str, *, cores: int | None = 1, progress: Watcher | None = None
) -> Found:
    """Count all histories to a depth, at most the game's moves, in lanes on a device."""
    first = FIRST_CAPACITY.get(device, FEW_VIEWS)
    return until_room(lambda capacity: _counted(game, limit, device, capacity, cores, progress), first)


def _counted(game: Any, limit: int, device: str, capacity: int, cores: int | None, progress: Watcher | None) -> Found:
    shape = game.shape()
    by_depth, decisions = np.zeros((shape.moves + 1, 3), np.int64), np.zeros(shape.players, np.int64)
    views = Distinct() if shape.open else new_views(shape.players, capacity, device)
    tally = empty(device, ROWS * (DECIDES + shape.players))

    def after(depth: int, tally: np.ndarray) -> None:
        sums = tally.reshape(ROWS, -1).sum(axis=0)
        if sums[FULL]:
            raise NoRoom
        by_depth[depth] += (sums[ENDS], sums[CHANCES], sums[DECIDES:].sum())
        decisions[:] += sums[DECIDES:]
        if progress:
            progress(Progress("histories", int(by_depth.sum())))

    memory = min(MEMORY.get(device, FEW_BYTES), free(device) / 2)
    walk_layers(game, Tallying(views, shape.players, tally), limit, device, after, memory=memory, cores=cores)
    return Found(by_depth, tuple(map(int, views.sizes(decisions))))
