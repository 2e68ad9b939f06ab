"""How large a game is: its histories, ends and information sets, counted by walking the whole tree.

The counts are the first test of a game's rules, as perft is in chess: they are published, and nearly every mistake
changes them.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER
from ..text.naming import as_game
from ..walk import table as tables
from ..walk.whole import walk_through

ENDS, CHANCES, DECISIONS = 0, 1, 2  # columns of the tally: kinds of history


class Count(NamedTuple):
    """What a walk found, to the depth asked for. A history is a sequence of moves from the root, the root included."""

    histories: int
    ends: int
    chance: int
    infosets: tuple[int, ...]  # [player] at which the player decides
    by_depth: np.ndarray  # [depth, 3] ends, chance nodes, decisions
    seconds: float


class Counter(NamedTuple):
    """The visitor that counts."""

    table: Any
    limit: int  # the depth at which to stop
    infosets: np.ndarray  # [player]
    tally: np.ndarray  # [depth, 3]

    def room(self):
        return not self.table.full()

    def enter(self, game, state, player, action, count, depth):
        if player == OVER:
            self.tally[depth, ENDS] += 1
            return 0
        if player == CHANCE:
            self.tally[depth, CHANCES] += 1
        else:
            self.tally[depth, DECISIONS] += 1
            known = self.table.used[0]
            if self.table.add(game.view(state, player), player) == known:
                self.infosets[player] += 1
        return count if depth < self.limit else 0

    def descend(self, depth, position):
        pass


def count(game: Any, depth: int | None = None, *, progress=None) -> Count:
    """Count a game's histories, to a depth or to the end. `progress` is called after each slice."""
    if depth is not None and depth < 0:
        raise Invalid(f"a depth is 0 or more, not {depth}")
    game = as_game(game)
    shape = game.shape()
    limit = shape.moves if depth is None else min(depth, shape.moves)
    infosets, tally = np.zeros(shape.players, np.int64), np.zeros((shape.moves + 1, 3), np.int64)
    start = time.perf_counter()
    _, histories = walk_through(
        game,
        Counter(tables.empty(), limit, infosets, tally),
        lambda counter: counter._replace(table=counter.table.grown()),
        progress,
    )
    ends, chance, _ = (int(n) for n in tally.sum(axis=0))
    seconds = time.perf_counter() - start
    return Count(histories, ends, chance, tuple(map(int, infosets)), tally[: limit + 1], seconds)
