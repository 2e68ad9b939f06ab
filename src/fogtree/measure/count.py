"""How large a game is: its histories, ends and information sets, counted by walking the whole tree.

The counts are the first test of a game's rules, as perft is in chess: they are published, and nearly every mistake
changes them. The walk is depth first over an explicit stack, so that it can stop and go on between slices.
"""

import time
from typing import NamedTuple

import numpy as np

from .. import table as tables
from ..game import CHANCE, OVER
from ..kernel import kernel
from ..search.playout import next_slice

ENDS, CHANCES, DECISIONS = 0, 1, 2  # columns of the tally: kinds of history


class Count(NamedTuple):
    """What a walk found, to the depth asked for. A history is a sequence of moves from the root, the root included."""

    histories: int
    terminals: int
    chance: int
    infosets: tuple[int, ...]  # [player] at which the player decides
    by_depth: np.ndarray  # [depth, 3] terminals, chance nodes, decisions
    seconds: float


class Walk(NamedTuple):
    """Where a depth-first walk stands. Row d belongs to the history of d moves on the present path."""

    state: np.ndarray  # [moves + 1, words]
    action: np.ndarray  # [moves + 1, actions]
    left: np.ndarray  # [moves + 1] actions still to try; they are tried from the last to the first
    depth: np.ndarray  # [1] of the history to visit next, below 0 when done


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
def count_slice(game, walk, depth_limit, steps, table, infosets, tally):
    """Visit up to `steps` histories; stops early when the table is full. Adds to infosets [player], tally [depth, 3]."""
    depth = walk.depth[0]
    while depth >= 0 and steps > 0 and not table.full():
        steps -= 1
        state = walk.state[depth]
        player = game.player(state)
        walk.left[depth] = 0
        if player == OVER:
            tally[depth, ENDS] += 1
        else:
            tally[depth, CHANCES if player == CHANCE else DECISIONS] += 1
            if player != CHANCE:
                known = table.used[0]
                if table.add(game.view(state, player), player) == known:
                    infosets[player] += 1
            if depth < depth_limit:
                walk.left[depth] = game.actions(state, walk.action[depth])
        while depth >= 0 and walk.left[depth] == 0:
            depth -= 1
        if depth >= 0:
            walk.left[depth] -= 1
            child = walk.state[depth + 1]
            child[:] = walk.state[depth]
            game.step(child, walk.action[depth, walk.left[depth]])
            depth += 1
    walk.depth[0] = depth


def count(game, depth: int | None = None, *, progress=None) -> Count:
    """Count a game's histories, to a depth or to the end. `progress(histories)` is called after each slice."""
    shape = game.shape()
    limit = shape.moves if depth is None else min(depth, shape.moves)
    walk, table = new_walk(game), tables.empty()
    infosets = np.zeros(shape.players, np.int64)
    tally = np.zeros((shape.moves + 1, 3), np.int64)
    start, steps = time.perf_counter(), 1 << 16
    while walk.depth[0] >= 0:
        if table.full():
            table = table.grown()
        began, before = time.perf_counter(), tally.sum()
        count_slice(game, walk, limit, steps, table, infosets, tally)
        done = int(tally.sum())
        if progress:
            progress(done)
        if done - before == steps:
            steps = next_slice(steps, time.perf_counter() - began)
    ends, chance, _ = (int(n) for n in tally.sum(axis=0))
    return Count(done, ends, chance, tuple(map(int, infosets)), tally[: limit + 1], time.perf_counter() - start)
