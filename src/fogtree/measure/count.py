"""How large a game is: its histories, ends and information sets, counted by walking the whole tree.

The counts are the first test of a game's rules, as perft is in chess: they are published, and nearly every mistake
changes them.
"""

from typing import Any, NamedTuple

import numpy as np

from ..clock import clock
from ..game import CHANCE, OVER
from ..kernels.engines import chosen
from ..kernels.lanes import CPU, CUDA
from ..text import markup
from ..text.naming import as_game
from ..walk import table as tables
from ..walk.estimate import FAR, HOPELESS, TooLarge, surely_more
from ..walk.slices import whole
from ..walk.tallying import CHANCES, DECISIONS, ENDS, count_layers
from ..walk.whole import walk_through


class Count(NamedTuple):
    """What a walk found, to the depth asked for. A history is a sequence of moves from the root, the root included."""

    histories: int
    ends: int
    chance: int
    infosets: tuple[int, ...]  # [player] at which the player decides
    by_depth: np.ndarray  # [depth, 3] ends, chance nodes, decisions
    seconds: float

    def _repr_html_(self) -> str:
        rows = [
            ("histories", f"{self.histories:,}"),
            ("ends", f"{self.ends:,}"),
            ("chance nodes", f"{self.chance:,}"),
            *((f"information sets of player {player}", f"{sets:,}") for player, sets in enumerate(self.infosets)),
        ]
        return markup.table(("count", ""), rows)


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


def count(game: Any, depth: int | None = None, *, device: str = CPU, progress=None) -> Count:
    """Count a game's histories, to a depth or to the end, on a device: the counts are the same on each. `progress` is called
    after each slice."""
    depth = None if depth is None else whole(depth, "a depth")
    game = as_game(game)
    if depth is None and surely_more(game, FAR * HOPELESS, surely=1):
        raise TooLarge(
            f"{type(game).__name__} has more than {HOPELESS:.0e} histories, too many to count: give a depth, such as 4"
        )
    shape = game.shape()
    limit = shape.moves if depth is None else min(depth, shape.moves)
    if chosen(device) == CUDA:
        start = clock()
        found = count_layers(game, limit, CUDA, progress=progress)
        return _count(found.by_depth, found.infosets, limit, clock() - start)
    infosets, tally = np.zeros(shape.players, np.int64), np.zeros((shape.moves + 1, 3), np.int64)
    start = clock()
    counter = Counter(tables.empty(), limit, infosets, tally)
    walk_through(game, counter, lambda full: full._replace(table=full.table.grown()), progress)
    return _count(tally, tuple(map(int, infosets)), limit, clock() - start)


def _count(tally: np.ndarray, infosets: tuple[int, ...], limit: int, seconds: float) -> Count:
    ends, chance, decisions = (int(n) for n in tally.sum(axis=0))
    return Count(ends + chance + decisions, ends, chance, infosets, tally[: limit + 1], seconds)
