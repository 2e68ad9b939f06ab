"""The matrices of a betting form (`deal_matrices.py`) counted in lanes, on any device: all pairs of hands of many boards.

With the hands of a board sorted into runs (`sorted_boards.py`), a lane takes one run and goes through the hands of all runs
up to it. How many pairs of hands of two runs share no card is one number, which is added to the cell of their types. Counts
are whole numbers, so the matrices are those of the CPU to the last digit, in whatever order lanes add.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...kernels import atomic
from ...kernels.engines import on, zeros
from .cards import Board, PublicCards
from .sorted_boards import BYTE, GROUPS, HAND, LOW, READ, RUNS, TYPE, Listed, Nothing, SortedBoards

ROOM = 4000  # boards that are counted side by side


class Pairs(NamedTuple):
    """A lane counts the pairs of one run with all runs up to it."""

    listed: Listed
    hands: int
    types: int
    weight: np.ndarray  # [boards] how many times each is counted
    pair: Any  # [types x types] pairs of hands, each once: the row is that of the stronger hand, or of the later run
    won: Any  # [types x types] those of unequal strength

    def writes(self):
        return ("pair", "won")

    def lane(self, number, own):
        b, r = number // self.hands, number % self.hands
        if r >= self.listed.size[b, RUNS]:
            return
        run, hand, group = self.listed.run[b], self.listed.hand[b], self.listed.group[b]
        equal = np.int64(0)  # the first run that is as strong
        for g in range(self.listed.size[b, GROUPS]):
            if group[g, TYPE] <= r:
                equal = np.int64(group[g, TYPE])
        row, weight = np.int64(run[r, TYPE]) * self.types, self.weight[b]
        begin, end = np.int64(run[r, HAND]), np.int64(run[r + 1, HAND])
        for other in range(r + 1):
            first, last, count = np.int64(run[other, HAND]), np.int64(run[other + 1, HAND]), np.int64(0)
            for i in range(begin, end):
                mine = cards_of(hand[i])
                for j in range(first, min(last, i)):  # within a run each pair is counted once
                    count += np.int64(mine & cards_of(hand[j]) == 0)
            place = row + np.int64(run[other, TYPE])
            if count > 0:
                atomic.add(self.pair, place, weight * count)
                if other < equal:
                    atomic.add(self.won, place, weight * count)


def cards_of(hand):
    """The cards of a listed hand as a set."""
    return np.uint64(1) << (hand >> LOW & BYTE) | np.uint64(1) << (hand >> READ & BYTE)


class LaneTally:
    """Pairs of types, counted in lanes: the members of `deal_matrices.Tally`."""

    def __init__(self, cards: PublicCards, types: int, device: str, *, room: int = ROOM, cores: int | None = 1):
        self.boards = SortedBoards(cards, len(cards.dealt) - 1, room, device, cores=cores)
        pair, won = (zeros(device, types * types) for _ in range(2))
        self.weight = np.zeros(room, np.int64)
        work = Pairs(self.boards.listed, self.boards.hands, types, self.weight, pair, won)
        self.lanes = on(device, work, Nothing(), cores=cores)
        self.joint, self.edge = np.zeros((types, types)), np.zeros((types, types))

    def add(self, boards: Sequence[tuple[Board, float]]) -> None:
        """Count all pairs of hands on some boards, each as many times as its weight says."""
        for first in range(0, len(boards), self.boards.room):
            part = boards[first : first + self.boards.room]
            count = self.boards.sort(np.array([board for board, _ in part]))
            self.weight[:count] = [weight for _, weight in part]
            self.lanes.put("weight", self.weight)
            self.lanes.run(0, count * self.boards.hands)

    def fetch(self) -> None:
        """What was counted so far, into `joint` and `edge`."""
        there = self.lanes.there
        pair, won = (np.asarray(array).reshape(self.joint.shape) for array in (there.pair, there.won))
        self.joint += pair
        self.joint += pair.T
        self.edge += won
        for array in (there.pair, there.won):
            self.lanes.clear(array)
