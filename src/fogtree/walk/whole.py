"""The walk over a whole game tree, depth first, that counting and the sequence form share.

A visitor says what is done at each history. It is a `NamedTuple` with three methods:

    room()                                          false when its arrays are full: the walk returns to Python to grow them
    enter(game, state, player, actions, count, depth)
                                                    sees a history; returns how many of its actions to follow
    descend(depth, position)                        about to follow an action of the history at this depth, by its position

The stack is explicit, so that the walk can stop anywhere and continue later: for progress, for Ctrl-C, to grow its tables.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import OVER
from ..kernels import kernel
from ..trouble import ENDLESS, require_fine
from .slices import Budget, Progress, Watcher, in_slices, telling

FIRST_SLICE = 1 << 16  # histories
LITTLE = 100  # histories of a slice that is walked interpreted


class Walk(NamedTuple):
    """The present place of a walk. Row d belongs to the history of d moves on the present path."""

    state: np.ndarray  # [moves + 1, words]
    action: np.ndarray  # [moves + 1, actions]
    left: np.ndarray  # [moves + 1] actions still to follow; they are followed from the last to the first
    depth: np.ndarray  # [1] of the history to enter next, below 0 when all is done


def new_walk(game) -> Walk:
    shape = game.shape()
    rows = shape.moves + 1
    walk = Walk(
        np.zeros((rows, shape.words), np.int64),
        np.zeros((rows, shape.actions), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(1, np.int64),
    )
    game.start(walk.state[0])
    return walk


@kernel
def walk_slice(game, visitor, walk, steps):
    """Enter up to `steps` histories while the visitor has room; returns how many were entered, or ENDLESS."""
    depth, entered = walk.depth[0], 0
    while depth >= 0 and entered < steps and visitor.room():
        entered += 1
        state, action = walk.state[depth], walk.action[depth]
        player = game.player(state)
        count = 0 if player == OVER else game.actions(state, action)
        walk.left[depth] = visitor.enter(game, state, player, action, count, depth)
        while depth >= 0 and walk.left[depth] == 0:
            depth -= 1
        if depth >= 0:
            if depth + 1 == walk.left.shape[0]:
                return ENDLESS
            position = walk.left[depth] - 1
            walk.left[depth] = position
            child, parent = walk.state[depth + 1], walk.state[depth]
            for word in range(game.live(parent)):
                child[word] = parent[word]
            game.step(child, walk.action[depth, position])
            visitor.descend(depth, position)
            depth += 1
    walk.depth[0] = depth
    return entered


class Both(NamedTuple):
    """Two visitors on one walk. The first says how many actions to follow."""

    first: Any
    second: Any

    def room(self):
        return self.first.room() and self.second.room()

    def enter(self, game, state, player, action, count, depth):
        follow = self.first.enter(game, state, player, action, count, depth)
        self.second.enter(game, state, player, action, count, depth)
        return follow

    def descend(self, depth, position):
        self.first.descend(depth, position)
        self.second.descend(depth, position)


def walk_through(game: Any, visitor: Any, grow: Any, progress: Watcher | None = None) -> tuple[Any, int]:
    """Walk a whole game; returns the visitor at the end and the number of histories.

    `grow(visitor)` gives a visitor with more room. `progress` is called after each slice with the number of histories.
    """
    walk, done = new_walk(game), 0

    def work(steps: int) -> int:
        nonlocal done
        place = game, visitor, walk
        entered = walk_slice.at_first((*place, min(steps, LITTLE)), (*place, steps))  # many a game is small
        require_fine(entered, game)
        done += entered
        return entered

    def over() -> bool:
        return walk.depth[0] < 0

    def make_room() -> None:
        nonlocal visitor
        if not over() and not visitor.room():
            visitor = grow(visitor)

    tell = telling(progress, lambda: Progress("histories", done))
    in_slices(work, Budget(), tell=tell, grow=make_room, finished=over, first=FIRST_SLICE)
    return visitor, done
