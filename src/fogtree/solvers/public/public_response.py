"""The exact best response in poker by its public tree (Johanson, Waugh, Bowling and Zinkevich 2011).

A best response must weigh all the hands that the other may hold. Walking all histories would do that one pair of hands at a
time. But all pairs of hands share the public tree, betting and boards, so it is walked once, with vectors over hands:

    at an end           for each own hand, what it is worth against all hands of the other that reach this end
    at one's own node   for each own hand, the best of the actions
    at the other's node the sum over the actions: the other's probabilities are in the reach already
    at a deal           the sum over the boards that may follow

**The other's reach** at an end is a product of probabilities along the betting. A strategy that sees the cards through types
(`betting.py`) has the same product for all hands of a type, so it is computed once for all boards, reach[type, end], and a
hand on a board only looks up its type. A strategy without any abstraction has a type for each hand and board.

**Ends in linear time.** Two hands that share a card cannot meet. With T the reach of all hands and C[x] of those with card x,
the hands that can meet {a, b} weigh T - C[a] - C[b] + reach of {a, b}, which both C have counted. At a showdown the hands are
gone through from the weakest on, T and C are those of the hands so far, and the sums before and after the hands of equal
strength are the ones that a hand beats, and those that do not beat it. The sums of many ends are taken side by side, in one
vector operation for several ends (`lines.py`).

**Suits.** Where the strategy does not tell suits apart, boards that differ only by a permutation of suits have the same
values for permuted hands: `PublicCards.symmetries` lists the permutations of cards that may be used, and only one board of
each kind is walked. Values are in the units of the game, and all boards of the first deal are independent pieces
(`board_values`).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE
from ...kernels import inlined, kernel
from .cards import Board, PublicCards, deals, hands_of, live_hands, moved_hands, orbits, ranked_hands
from .lines import FOLD, GATE, LANES, SHOW, Lines, TypePlan, entries_of, reach_of, stages_of

BLOCK = 64  # hands, so that the values of a bunch stay in the cache


class Sums(NamedTuple):
    """Scratch for one bunch of lines on one board."""

    mass: np.ndarray  # [cards + 2, ends] T in row 0, then C of each card
    fold: np.ndarray  # [hands, ends] what comes out
    show: np.ndarray  # [hands, ends]
    value: np.ndarray  # [nodes of a line, BLOCK x LANES]


# --- at an end ---


def fold_masses(reach, bunch, hands, sums, live, types, width):
    """fold[i, z]: how much of the other's reach can meet the i-th live hand, at the folds of a bunch."""
    mass, out = sums.mass, sums.fold
    clear(mass, width)
    for i in range(live.shape[0]):
        add(mass, reach, bunch, hands.low[live[i]], hands.high[live[i]], types[live[i]], width)
    for i in range(live.shape[0]):
        h = live[i]
        a, b, row = hands.low[h], hands.read[h], types[h]
        for z in range(width):
            out[i, z] = mass[0, z] - mass[a, z] - mass[b, z] + reach[bunch, row, z]


def show_masses(reach, bunch, hands, sums, live, group, types, width):
    """show[i, z]: the reach that the i-th live hand beats less what beats it, at the showdowns of a bunch."""
    if width == 0:
        return
    mass, out = sums.mass, sums.show
    clear(mass, width)
    i = 0
    while i < live.shape[0]:
        after = group[i]
        for j in range(i, after):  # what is weaker
            a, b = hands.low[live[j]], hands.read[live[j]]
            for z in range(width):
                out[j, z] = mass[0, z] - mass[a, z] - mass[b, z]
        for j in range(i, after):
            add(mass, reach, bunch, hands.low[live[j]], hands.high[live[j]], types[live[j]], width)
        for j in range(i, after):  # and what is not stronger
            h = live[j]
            a, b, row = hands.low[h], hands.read[h], types[h]
            for z in range(width):
                out[j, z] += mass[0, z] - mass[a, z] - mass[b, z] + reach[bunch, row, z]
        i = after
    for j in range(live.shape[0]):  # less all: weaker - stronger = weaker + (all - stronger) - all
        h = live[j]
        a, b, row = hands.low[h], hands.read[h], types[h]
        for z in range(width):
            out[j, z] -= mass[0, z] - mass[a, z] - mass[b, z] + reach[bunch, row, z]


def clear(mass, width):
    for x in range(mass.shape[0]):
        for z in range(width):
            mass[x, z] = 0.0


@inlined
def add(mass, reach, bunch, a, b, row, width):
    for z in range(width):
        mass[0, z] += reach[bunch, row, z]
    for z in range(width):
        mass[a, z] += reach[bunch, row, z]
    for z in range(width):
        mass[b, z] += reach[bunch, row, z]


# --- at a node. The loops are functions of plain arrays, which the compiler turns into vector operations ---


@inlined
def settle(lines, sums, live, deeper, me, n, row, begin, end):
    """The values of a node in the lines of a bunch, for some hands."""
    kind, value, lanes = lines.kind[n], sums.value, lines.line.shape[1]
    child, count, size, at = lines.first[n], lines.count[n], (end - begin) * lanes, lines.arg[n] * lanes
    if kind == FOLD:
        scale_rows(value, row, lines.scale, n, sums.fold, at, begin, end, lanes)
    elif kind == SHOW:
        scale_rows(value, row, lines.scale, n, sums.show, at, begin, end, lanes)
    elif kind == GATE:
        for i in range(begin, end):
            for z in range(lanes):
                value[row, (i - begin) * lanes + z] = deeper[lines.gate[n, z], live[i]]
    elif count == 1:
        copy_row(value, row, child, size)
    elif kind == me:
        best_row(value, row, child, child + 1, size)
        for k in range(2, count):
            best_row(value, row, row, child + k, size)
    else:
        sum_row(value, row, child, child + 1, size)
        for k in range(2, count):
            sum_row(value, row, row, child + k, size)


def scale_rows(value, row, scale, n, mass, at, begin, end, lanes):
    """Offsets are unsigned: signed ones may count from the end of an array, which vector operations cannot."""
    of = np.uint64(at)
    for i in range(begin, end):
        to = np.uint64((i - begin) * lanes)
        for z in range(np.uint64(lanes)):
            value[row, to + z] = scale[n, z] * mass[i, of + z]


def copy_row(value, to, one, size):
    for j in range(size):
        value[to, j] = value[one, j]


def best_row(value, to, one, other, size):
    for j in range(size):
        value[to, j] = max(value[one, j], value[other, j])


def sum_row(value, to, one, other, size):
    for j in range(size):
        value[to, j] = value[one, j] + value[other, j]


# --- on a board, and over boards ---


@kernel
def climb(lines, reach, hands, sums, live, group, types, deeper, me, out):
    """The values of all lines of a stage on one board, for the hands that are live on it, weakest first: out[line, hand].
    group[i] is where the hands that are as strong as live[i] end; deeper[line, hand] are the values behind the gates."""
    for bunch in range(lines.folds.shape[0]):
        fold_masses(reach.fold, bunch, hands, sums, live, types, lines.folds[bunch] * LANES)
        show_masses(reach.show, bunch, hands, sums, live, group, types, lines.shows[bunch] * LANES)
        base = lines.start[bunch]
        for begin in range(0, live.shape[0], BLOCK):
            end = min(begin + BLOCK, live.shape[0])
            for n in range(lines.start[bunch + 1] - 1, base - 1, -1):  # children come after parents
                settle(lines, sums, live, deeper, me, n, n - base, begin, end)
            for i in range(begin, end):
                for z in range(LANES):
                    if lines.line[bunch, z] != NONE:
                        out[lines.line[bunch, z], live[i]] = sums.value[0, (i - begin) * LANES + z]


@kernel
def add_permuted(total, part, moved):
    """total[line, moved[hand]] += part[line, hand]."""
    for line in range(part.shape[0]):
        for h in range(part.shape[1]):
            total[line, moved[h]] += part[line, h]


masses_of_folds = kernel(fold_masses)


class PublicResponse:
    """The best response of `player` to a plan of the other.

    response = PublicResponse(cards, plan, player=0)
    response.value()                                        exact: all boards
    response.board_values(board)                            a piece: one board of the first deal
    """

    def __init__(self, cards: PublicCards, plan: TypePlan, player: int, *, dtype: Any = np.float64):
        if player not in (0, 1):
            raise Invalid(f"a player is 0 or 1, not {player}")
        if len(cards.dealt) != plan.tree.stages:
            raise Invalid(f"the betting has {plan.tree.stages} stages and the cards have {len(cards.dealt)}")
        self.cards, self.tree, self.player, self.dtype = cards, plan.tree, player, dtype
        weights = [1.0 / deals(cards, stage) for stage in range(plan.tree.stages)]
        self.stages = stages_of(plan.tree, player, weights, dtype)
        self.lines, self.folds = [stage.lines for stage in self.stages], self.stages[0].folds
        self.reach = reach_of(plan, 1 - player, self.stages, dtype)
        self.counts = [len(entries) for entries in entries_of(plan.tree)]  # [stage] lines
        self.hands = hands_of(cards)
        self.count = len(self.hands.low)
        self.sums = _new_sums(cards, self.count, self.lines, dtype)
        self.symmetries = [np.array(symmetry) for symmetry in cards.symmetries]

    def value(self) -> float:
        """What the best response gets, from all boards."""
        if self.tree.stages == 1:
            return self.root(np.zeros((0, self.count), self.dtype))
        total = np.zeros((self.counts[1], self.count), np.float64)
        for board, images in self.first_boards():
            self.add_images(total, self.board_values(board), images)
        return self.root(total)

    def first_boards(self) -> Iterator[tuple[Board, list[np.ndarray]]]:
        """A board of each kind of the first deal, and a symmetry to each board of its kind."""
        for board, images, _ in orbits(range(self.cards.cards), self.cards.dealt[1], self.symmetries):
            yield board, images

    def board_values(self, board: Board) -> np.ndarray:
        """[line, hand] what the best response gets on one board of the first deal, as a part of the sum over all boards."""
        kept = [symmetry for symmetry in self.symmetries if {int(symmetry[c]) for c in board} == set(board)]
        return self._values(1, tuple(sorted(board)), kept)

    def add_images(self, total: np.ndarray, part: np.ndarray, images: list[np.ndarray]) -> None:
        """Add the values [line, hand] on a board to a total, once for each board of its kind."""
        for symmetry in images:
            add_permuted(total, part, moved_hands(self.hands, symmetry))

    def root(self, deeper: np.ndarray) -> float:
        """What the best response gets in all, from the sums [line, hand] over the boards of the first deal."""
        return float(self._climbed(0, (), deeper.astype(self.dtype))[0].sum(dtype=np.float64))

    def fold_values(self) -> dict[int, np.ndarray]:
        """[hand] what a fold before the first deal is worth, by node."""
        live = live_hands(self.cards, self.hands, ())
        types = np.ascontiguousarray(self.cards.types(0, ()), np.int64)
        found: dict[int, np.ndarray] = {}
        for bunch, nodes in enumerate(self.folds):
            masses_of_folds(self.reach[0].fold, bunch, self.hands, self.sums, live, types, nodes.size)
            for at, n in enumerate(nodes[:, 0].tolist()):
                sign = 1.0 if self.player == 0 else -1.0
                scale = sign * self.tree.scale[n] / deals(self.cards, 0)
                found[n] = scale * self.sums.fold[:, at * LANES].astype(np.float64)
        return found

    def _values(self, stage: int, board: Board, symmetries: list[np.ndarray]) -> np.ndarray:
        """[line, hand] the values of a stage on a board; `symmetries` are those that keep the board."""
        if stage + 1 == self.tree.stages:
            return self._climbed(stage, board, np.zeros((0, self.count), self.dtype))
        deeper = np.zeros((self.counts[stage + 1], self.count), self.dtype)
        left = [card for card in range(self.cards.cards) if card not in board]
        for more, images, kept in orbits(left, self.cards.dealt[stage + 1], symmetries):
            self.add_images(deeper, self._values(stage + 1, board + more, kept), images)
        return self._climbed(stage, board, deeper)

    def _climbed(self, stage: int, board: Board, deeper: np.ndarray) -> np.ndarray:
        if self.reach[stage].show.size:
            live, group = ranked_hands(self.cards, self.hands, board)
        else:
            live, group = live_hands(self.cards, self.hands, board), np.zeros(0, np.int64)
        out = np.zeros((self.counts[stage], self.count), self.dtype)
        types = np.ascontiguousarray(self.cards.types(stage, board), np.int64)
        climb(self.lines[stage], self.reach[stage], self.hands, self.sums, live, group, types, deeper, self.player, out)
        return out


def _new_sums(cards: PublicCards, hands: int, stages: list[Lines], dtype: Any) -> Sums:
    nodes = max(int(np.diff(lines.start).max()) for lines in stages)
    folds = max(int(lines.folds.max()) * LANES for lines in stages)
    shows = max(int(lines.shows.max()) * LANES for lines in stages)
    return Sums(
        np.zeros((cards.cards + 2, max(folds, shows)), dtype),
        np.zeros((hands, folds), dtype),
        np.zeros((hands, shows), dtype),
        np.zeros((nodes, BLOCK * LANES), dtype),
    )
