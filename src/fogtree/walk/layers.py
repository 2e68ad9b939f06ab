"""The walk over a whole game tree breadth first: the histories of one depth stand side by side, a layer, and lanes
(`kernels/lanes.py`) step from them to the next.

A lane takes some histories of a layer, one after the other. It plays each of their actions and shows a visitor where that
leads; what goes on from there is written into the next layer. All lanes do the same at the same time, which is what a GPU is
good at. A layer may be wider than any memory, so it is taken in batches: what a batch leads to is followed to the end before
the next batch is taken, and each depth needs room for the children of one batch.

A visitor is a `NamedTuple` with these methods:

    notes()                            how many whole numbers a lane notes; only Python calls this
    loads()                            the numbers that the first history carries for the visitor; only Python calls this
    begin(note)                        a lane begins: `note` is its row of them, with arbitrary content
    enter(game, state, player, choice, count, own)
                                       the actions of a history are about to be followed: `choice` lists them; returns a whole
                                       number of the visitor's own. `own.load` is what the history carries, `own.odds` scratch
    descend(number, player, a, own)    writes what the child after action `a` carries into `own.bears`, which holds what its
                                       parent does; `number` is what `enter` returned
    meet(game, state, player, own)     sees a history, each once, and `own.bears`, what it carries
    end(number, note)                  a lane ends: adds what was noted to the visitor's `tally`

`tally` is an array of zeros at the start of a batch, and Python is given it after each. In which order histories are met is
left open; what is found must not depend on it. Histories are met again where a batch turns out to be too long: what a visitor
writes beside its `tally` must bear that.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..game import OVER
from ..kernels.atomic import add
from ..kernels.engines import empty, on

PARTS = 1024  # of a layer, each with its own count: lanes that write at the same time seldom wait for each other
ROW, ACTION, SHIFT = 40503, 30011, 5  # these say which part a child goes to, so that all parts get about as many
SPARE = 4  # rows of a part more than it would need if all children of a history were spread evenly
AGAIN = "again"  # says that a batch was too long
FULLER = 0.4  # a batch that fills less than this of the next layer may be twice as long


class Layer(NamedTuple):
    """Histories of one depth. Row n belongs to part n % PARTS, and is in use if n // PARTS is below what that part uses."""

    state: Any  # [rows, words]
    load: Any  # [rows, loads] what histories carry for the visitor
    used: Any  # [PARTS] rows in use, or, where that is more than there are, rows that were needed


class Own(NamedTuple):
    """The scratch of a lane."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    note: np.ndarray
    load: np.ndarray  # [loads] of the parent
    bears: np.ndarray  # [loads] of the child
    odds: np.ndarray  # [actions]


class Widening(NamedTuple):
    """Work: lanes meet what follows the histories in rows `first` to `last - 1` of a layer, and write the next layer."""

    game: Any
    visitor: Any
    here: Layer
    following: Layer
    depth: int  # of the histories that are met; at depth 0 that is the one in `here`
    limit: int  # the depth at which to stop
    first: int
    last: int
    lanes: int  # lane n takes rows first + n, first + n + lanes, ...

    def lane(self, number, own):
        self.visitor.begin(own.note)
        for row in range(self.first + number, self.last, self.lanes):
            if row // PARTS < self.here.used[row % PARTS]:
                self.widen(row, own)
        self.visitor.end(number, own.note)

    def widen(self, row, own):
        """Meet the children of a history."""
        game, visitor, parent, child = self.game, self.visitor, self.here.state[row], own.state
        count, number, mover, loads = 1, 0, OVER, self.here.load.shape[1]
        for word in range(loads):
            own.load[word] = self.here.load[row, word]
        if self.depth > 0:
            count, mover = game.actions(parent, own.choice), game.player(parent)
            number = visitor.enter(game, parent, mover, own.choice, count, own)
        live = game.live(parent)
        for a in range(count):
            for word in range(live):
                child[word] = parent[word]
            for word in range(loads):
                own.bears[word] = own.load[word]
            if self.depth > 0:
                game.step(child, own.choice[a])
                visitor.descend(number, mover, a, own)
            player = game.player(child)
            visitor.meet(game, child, player, own)
            if player != OVER and self.depth < self.limit:
                self.keep(child, own.bears, ((row * ROW + a * ACTION) >> SHIFT) % PARTS)

    def keep(self, child, bears, part):
        """Write a history into a part of the next layer."""
        row = add(self.following.used, part, 1) * PARTS + part
        if row < self.following.state.shape[0]:
            for word in range(self.game.live(child)):
                self.following.state[row, word] = child[word]
            for word in range(self.following.load.shape[1]):
                self.following.load[row, word] = bears[word]


class Left(NamedTuple):
    """What is left of a layer."""

    layer: Any
    first: int  # rows
    last: int


def walk_layers(
    game: Any,
    visitor: Any,
    limit: int,
    device: str,
    after: Callable[[int, np.ndarray], Any],
    *,
    memory: float,
    cores: int | None = 1,
) -> None:
    """Walk all histories to a depth. `after(depth, tally)` is called after each batch; what it raises ends the walk, and if
    it returns AGAIN, the batch is taken again in shorter ones. The layers take about `memory` bytes, more only if the
    children of a single history do."""
    shape, carried = game.shape(), np.array(visitor.loads(), np.float64)
    loads = len(carried)
    start, used = np.zeros((PARTS, shape.words), np.int64), np.zeros(PARTS, np.int64)
    game.start(start[0])
    used[0] = 1
    first = Layer(start, np.tile(carried, (PARTS, 1)), used)
    whole, real = (shape.words, shape.actions, visitor.notes()), (max(loads, 1), max(loads, 1), shape.actions)
    own = Own(*(np.zeros(size, np.int64) for size in whole), *map(np.zeros, real))
    lanes = on(device, Widening(game, visitor, first, first, 0, limit, 0, 1, 1), own, cores=cores)
    evenly = int(memory / (limit + 1) / (8 * (shape.words + loads) * PARTS))
    most = max(math.ceil(shape.actions / PARTS) + SPARE, evenly)  # rows of a part
    layers, rows = dict[int, Layer](), dict[int, int]()  # by depth: the next layer | how many rows a batch has
    left = [Left(lanes.there.here, 0, 1)]
    while left:
        depth, (here, at, last) = len(left) - 1, left[-1]
        if at >= last:
            left.pop()
            continue
        upto = min(last, at + rows.setdefault(depth, max(1, most // shape.actions * PARTS)))
        layers[depth] = following = _roomy(layers.pop(depth, None), upto - at, most, shape, loads, device)
        lanes.clear(following.used)
        lanes.clear(lanes.there.visitor.tally)
        side_by_side = min(upto - at, lanes.width)
        lanes.change(here=here, following=following, depth=depth, first=at, last=upto, lanes=side_by_side)
        lanes.run(0, side_by_side)
        deepest, room = int(np.array(following.used).max()), following.state.shape[0] // PARTS
        if deepest > room or after(depth, np.array(lanes.there.visitor.tally)) is AGAIN:
            # nothing was lost: what was met is met again, in shorter batches
            rows[depth] = max(1, (upto - at) // 2)
            continue
        if deepest < FULLER * room and upto - at == rows[depth]:
            rows[depth] *= 2
        left[-1] = Left(here, upto, last)
        if deepest:
            left.append(Left(following, 0, deepest * PARTS))


def _roomy(layer: Layer | None, parents: int, most: int, shape: Any, loads: int, device: str) -> Layer:
    """A layer with room for all children of so many histories, or with the most rows of a part that there may be. The old one
    if it is large enough; what stands in it is not needed any more."""
    rows = PARTS * min(most, shape.actions * math.ceil(parents / PARTS) + SPARE)
    if layer is not None and layer.state.shape[0] >= rows:
        return layer
    return Layer(empty(device, (rows, shape.words)), empty(device, (rows, loads), np.float64), empty(device, PARTS))
