"""The two matrices of a betting form (`betting.py`), counted board by board.

On one board all pairs of hands are counted at once. With n[t] the number of hands of type t, and n_x[t] of those with card x,
the hands that can meet {a, b} are n - n_a - n_b, and {a, b} itself, which was taken away twice, once more. For the joint
matrix that is added to the row of the type of {a, b}. For the edge the same is done with the hands that are weaker, which are
counted while the hands are gone through from the weakest on. So a board costs two additions of rows a hand, and not one
addition for each of the half million pairs of hands. Rows are as long as the board has types.

Boards are drawn at random (`random_boards`), or one of each kind is counted as often as there are such boards (`all_boards`):
then the matrices are exact.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...kernels import kernel
from .cards import Board, PublicCards, hands_of, orbits, ranked_hands


class Scratch(NamedTuple):
    """Room for one board."""

    number: np.ndarray  # [types] the number of a type on this board
    seen: np.ndarray  # [hands] the types of this board by number
    mine: np.ndarray  # [hands] the number of a hand's type
    count: np.ndarray  # type: ignore[assignment]  # [cards + 2, hands] how many hands, in row 0, and with each card, by number of the type
    joint: np.ndarray  # [hands, hands] of this board
    edge: np.ndarray  # [hands, hands]


@kernel
def count_board(hands, live, group, types, weight, scratch, joint, edge):
    """Add the pairs of hands of one board to the matrices, of the edge those that the first hand wins. Hands in `live` are
    sorted, weakest first."""
    number, seen, mine, count = scratch.number, scratch.seen, scratch.mine, scratch.count
    size = 0
    for i in range(live.shape[0]):
        t = types[live[i]]
        if number[t] < 0:
            number[t] = size
            seen[size] = t
            size += 1
        mine[i] = number[t]
    for i in range(size):
        number[seen[i]] = -1  # for the next board
        for j in range(size):
            scratch.joint[i, j] = 0.0
            scratch.edge[i, j] = 0.0
    clear_rows(count, size)
    i = 0
    while i < live.shape[0]:
        after = group[i]
        for j in range(i, after):
            h = live[j]
            add_rows(scratch.edge, count, mine[j], hands.low[h], hands.read[h], size)
        for j in range(i, after):
            h, m = live[j], mine[j]
            count[0, m] += 1.0
            count[hands.low[h], m] += 1.0
            count[hands.high[h], m] += 1.0
        i = after
    for i in range(live.shape[0]):
        h, m = live[i], mine[i]
        add_rows(scratch.joint, count, m, hands.low[h], hands.read[h], size)
        scratch.joint[m, m] += 1.0
    for i in range(size):
        for j in range(size):
            joint[seen[i], seen[j]] += weight * scratch.joint[i, j]
            edge[seen[i], seen[j]] += weight * scratch.edge[i, j]


def clear_rows(count, size):
    for x in range(count.shape[0]):
        for j in range(size):
            count[x, j] = 0.0


def add_rows(to, count, m, a, b, size):
    for j in range(size):
        to[m, j] += count[0, j] - count[a, j] - count[b, j]


class Tally:
    """Pairs of types, counted board by board."""

    def __init__(self, cards: PublicCards, types: int):
        self.cards, self.hands = cards, hands_of(cards)
        hands = len(self.hands.low)
        most = min(hands, types)
        self.scratch = Scratch(
            number=np.full(types, -1),
            seen=np.zeros(hands, np.int64),
            mine=np.zeros(hands, np.int64),
            count=np.zeros((cards.cards + 2, most), np.float32),
            joint=np.zeros((most, most), np.float32),
            edge=np.zeros((most, most), np.float32),
        )
        self.joint, self.edge = np.zeros((types, types)), np.zeros((types, types))  # of the edge, what the first wins

    def add(self, boards: Iterable[tuple[Board, float]]) -> None:
        """Count all pairs of hands on some boards, each as many times as its weight says."""
        for board, weight in boards:
            live, group = ranked_hands(self.cards, self.hands, board)
            kinds = np.ascontiguousarray(self.cards.types(len(self.cards.dealt) - 1, board), np.int64)
            count_board(self.hands, live, group, kinds, float(weight), self.scratch, self.joint, self.edge)

    def fetch(self) -> None:
        """Nothing to do: `joint` and `edge` hold what was counted."""


def matrices_of(tally: Any, dtype: Any = np.float64) -> tuple[np.ndarray, np.ndarray]:
    """Joint and edge of what a tally has counted."""
    total = tally.joint.sum()
    edge = tally.edge - tally.edge.T
    edge /= total
    return (tally.joint / total).astype(dtype, copy=False), edge.astype(dtype, copy=False)


def count_matrices(
    cards: PublicCards, types: int, boards: Iterable[tuple[Board, float]]
) -> tuple[np.ndarray, np.ndarray]:
    """Joint and edge of the types of the last stage, from boards with their weights."""
    tally = Tally(cards, types)
    tally.add(boards)
    return matrices_of(tally)


def random_boards(cards: PublicCards, number: int, seed: Any) -> Iterator[tuple[Board, float]]:
    """Boards drawn at random, each with weight 1. The cards of one deal are sorted."""
    chooser = np.random.default_rng(seed)
    size = sum(cards.dealt)
    for _ in range(number):
        drawn = chooser.choice(cards.cards, size, replace=False)
        parts = np.split(drawn, np.cumsum(cards.dealt)[:-1])
        yield tuple(int(card) for part in parts for card in np.sort(part)), 1.0


def all_boards(cards: PublicCards) -> Iterator[tuple[Board, float]]:
    """A board of each kind, with the number of boards of its kind."""
    symmetries = [np.array(symmetry) for symmetry in cards.symmetries]

    def below(stage: int, board: Board, weight: int, kept: list[np.ndarray]) -> Iterator[tuple[Board, float]]:
        if stage == len(cards.dealt):
            yield board, float(weight)
            return
        left = [card for card in range(cards.cards) if card not in board]
        for more, images, still in orbits(left, cards.dealt[stage], kept):
            yield from below(stage + 1, board + more, weight * len(images), still)

    yield from below(0, (), 1, symmetries)
