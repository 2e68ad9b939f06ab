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
vector operation for several ends.

**Suits.** Where the strategy does not tell suits apart, boards that differ only by a permutation of suits have the same
values for permuted hands: `Cards.symmetries` lists the permutations of cards that may be used, and only one board of each
kind is walked. Values are in the units of the game, and all boards of the first deal are independent pieces (`board_values`).
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...errors import Invalid
from ...game import OVER
from ...kernels import inlined, kernel
from .betting import NONE, BettingTree

GATE = -5  # the kind of a node where the next stage begins; others are players, FOLD and SHOW
FOLD, SHOW = -3, -4
LANES = 32  # lines that are gone through together
BLOCK = 64  # hands, so that the values of a bunch stay in the cache

Board = tuple[int, ...]


class Cards(Protocol):
    """What the public tree must know of the cards."""

    @property
    def cards(self) -> int:
        """How many are in the deck. They are numbered from 0."""

    @property
    def hole(self) -> int:
        """How many private cards a player has: 1 or 2."""

    @property
    def dealt(self) -> tuple[int, ...]:
        """[stage] how many public cards are dealt before the betting of a stage."""

    @property
    def symmetries(self) -> Sequence[Sequence[int]]:
        """Permutations of the cards that change nothing; the first is the identity."""

    def types(self, stage: int, board: Board) -> np.ndarray:
        """[hands] the types at a stage; what stands there for hands that share a card with the board does not matter."""

    def strength(self, board: Board) -> np.ndarray:
        """[hands] the larger number wins."""


class Plan(NamedTuple):
    """How a player plays: the types that the tables distinguish, and the probabilities [action, type] at each own node."""

    tree: BettingTree
    cuts: tuple[np.ndarray, ...]  # [stage][types + 1] as in a BettingForm
    table: Callable[[int], np.ndarray]


class Lines(NamedTuple):
    """The betting of a stage. A line begins where chance has dealt. Lines of the same shape are gone through together, a
    bunch of at most LANES at a time, so that one vector operation does a node of several of them."""

    start: np.ndarray  # [bunches + 1] the nodes of a bunch, breadth first
    line: np.ndarray  # [bunches, LANES] the numbers of its lines, NONE where there are fewer
    folds: np.ndarray  # [bunches] how many folds a line has
    shows: np.ndarray  # [bunches] how many showdowns
    kind: np.ndarray  # [nodes] a player, FOLD, SHOW or GATE
    arg: np.ndarray  # [nodes] which of its folds, or showdowns, an end is
    first: np.ndarray  # [nodes] the first child, counted from the first node of the bunch; the others follow
    count: np.ndarray  # type: ignore[assignment]  # [nodes] children
    gate: np.ndarray  # [nodes, LANES] the line behind a gate
    scale: np.ndarray  # [nodes, LANES] an end's payoff to the responder, times the probability of a deal


class Reach(NamedTuple):
    """A plan at the ends of a stage, bunch by bunch, so that what is used together lies together."""

    fold: np.ndarray  # [bunches, types, folds of a line x LANES]
    show: np.ndarray  # [bunches, types, showdowns of a line x LANES]


class Hands(NamedTuple):
    """The hands of a deck, and scratch. A hand of one card has a second one that nothing reads: the sum of its only card,
    taken away twice and added once, is the hand's own reach."""

    low: np.ndarray  # [hands] a card, from 1
    high: np.ndarray  # [hands] the other
    read: np.ndarray  # [hands] the other as it is read: the first again if there is no second
    mass: np.ndarray  # [cards + 2, ends] T in row 0, then C of each card
    fold: np.ndarray  # [hands, ends] what comes out
    show: np.ndarray  # [hands, ends]
    value: np.ndarray  # [nodes of a line, BLOCK x LANES]


@kernel
def climb(lines, reach, hands, live, group, types, deeper, me, out):
    """The values of all lines of a stage on one board, for the hands that are live on it, weakest first: out[line, hand].
    group[i] is where the hands that are as strong as live[i] end."""
    value = hands.value
    for bunch in range(lines.folds.shape[0]):
        fold_masses(reach.fold, bunch, hands, live, types, lines.folds[bunch] * LANES)
        show_masses(reach.show, bunch, hands, live, group, types, lines.shows[bunch] * LANES)
        base = lines.start[bunch]
        for begin in range(0, live.shape[0], BLOCK):
            end = min(begin + BLOCK, live.shape[0])
            for n in range(lines.start[bunch + 1] - 1, base - 1, -1):
                settle(lines, hands, live, deeper, me, n, n - base, begin, end)
            for i in range(begin, end):
                for z in range(LANES):
                    if lines.line[bunch, z] != NONE:
                        out[lines.line[bunch, z], live[i]] = value[0, (i - begin) * LANES + z]


@inlined
def settle(lines, hands, live, deeper, me, n, row, begin, end):
    """The values of a node in the lines of a bunch, for some hands. The loops are functions of plain arrays, which the
    compiler turns into vector operations."""
    kind, value, lanes = lines.kind[n], hands.value, lines.line.shape[1]
    child, size, at = lines.first[n], (end - begin) * lanes, lines.arg[n] * lanes
    if kind == FOLD:
        scale_rows(value, row, lines.scale, n, hands.fold, at, begin, end, lanes)
    elif kind == SHOW:
        scale_rows(value, row, lines.scale, n, hands.show, at, begin, end, lanes)
    elif kind == GATE:
        for i in range(begin, end):
            for z in range(lanes):
                value[row, (i - begin) * lanes + z] = deeper[lines.gate[n, z], live[i]]
    elif lines.count[n] == 1:
        copy_row(value, row, child, size)
    elif kind == me:
        best_row(value, row, child, child + 1, size)
        for k in range(2, lines.count[n]):
            best_row(value, row, row, child + k, size)
    else:
        sum_row(value, row, child, child + 1, size)
        for k in range(2, lines.count[n]):
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


def fold_masses(reach, bunch, hands, live, types, width):
    """fold[i, z]: how much of the other's reach can meet the i-th live hand, at the folds of a bunch."""
    mass, out = hands.mass, hands.fold
    clear(mass, width)
    for i in range(live.shape[0]):
        add(mass, reach, bunch, hands.low[live[i]], hands.high[live[i]], types[live[i]], width)
    for i in range(live.shape[0]):
        h = live[i]
        a, b, row = hands.low[h], hands.read[h], types[h]
        for z in range(width):
            out[i, z] = mass[0, z] - mass[a, z] - mass[b, z] + reach[bunch, row, z]


def show_masses(reach, bunch, hands, live, group, types, width):
    """show[i, z]: the reach that the i-th live hand beats less what beats it, at the showdowns of a bunch."""
    if width == 0:
        return
    mass, out = hands.mass, hands.show
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


masses = kernel(fold_masses)


@kernel
def add_permuted(total, part, moved):
    """total[line, moved[hand]] += part[line, hand]."""
    for line in range(part.shape[0]):
        for h in range(part.shape[1]):
            total[line, moved[h]] += part[line, h]


# --- the tree as lines ---------------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """The nodes of a line, breadth first: the tree's numbers, and what shape they have."""

    nodes: list[int]
    shape: tuple[tuple[int, int], ...]  # [node] kind and number of children


def _entries(tree: BettingTree) -> list[list[int]]:
    """[stage] the nodes where lines begin."""
    entries: list[list[int]] = [[0], *([] for _ in range(tree.stages - 1))]
    for n in range(1, len(tree.player)):
        if tree.stage[n] > tree.stage[tree.parent[n]]:
            entries[tree.stage[n]].append(n)
    return entries


def _line(tree: BettingTree, entry: int, shown: np.ndarray) -> _Line:
    stage, queue, shape = tree.stage[entry], [entry], []
    for n in queue:  # it grows
        below = tree.child[tree.first[n] : tree.first[n + 1]].tolist() if tree.stage[n] == stage else []
        end = SHOW if shown[n] else FOLD
        kind = GATE if tree.stage[n] > stage else end if tree.player[n] == OVER else int(tree.player[n])
        shape.append((kind, len(below)))
        queue += below
    return _Line(queue, tuple(shape))


class Bunches(NamedTuple):
    """A stage's lines, and which nodes of the tree are the ends of a bunch, by lane."""

    lines: Lines
    folds: list[np.ndarray]  # [bunch][folds of a line, LANES]
    shows: list[np.ndarray]  # [bunch][showdowns of a line, LANES]


def bunches_of(tree: BettingTree, player: int, weights: Sequence[float], dtype: Any) -> list[Bunches]:
    """[stage] the lines as the responder sees them."""
    entries, shown = _entries(tree), np.zeros(len(tree.player), bool)
    for low, high in tree.showdowns:
        shown[low:high] = True
    found = []
    for s in range(tree.stages):
        behind = {n: at for at, n in enumerate(entries[s + 1])} if s + 1 < tree.stages else {}
        by_shape: dict[Any, list[tuple[int, _Line]]] = {}
        for number, entry in enumerate(entries[s]):
            line = _line(tree, entry, shown)
            by_shape.setdefault(line.shape, []).append((number, line))
        alike = [lines[at : at + LANES] for lines in by_shape.values() for at in range(0, len(lines), LANES)]
        found.append(_bunched(tree, alike, behind, player, weights[s], dtype))
    return found


def _bunched(tree, alike, behind, player, weight, dtype) -> Bunches:
    rows: dict[str, list] = {field: [] for field in Lines._fields}
    folds, shows = [], []
    sign = {FOLD: 1.0 if player == 0 else -1.0, SHOW: 1.0}  # a showdown's masses are the responder's
    for bunch in alike:
        full = [
            bunch[min(z, len(bunch) - 1)][1].nodes for z in range(LANES)
        ]  # the last line stands in for missing ones
        rows["start"].append(len(rows["kind"]))
        rows["line"].append([bunch[z][0] if z < len(bunch) else NONE for z in range(LANES)])
        ends: dict[int, list[list[int]]] = {FOLD: [], SHOW: []}
        first = 1
        for at, (kind, count) in enumerate(bunch[0][1].shape):
            same = [nodes[at] for nodes in full]
            rows["kind"].append(kind)
            rows["arg"].append(len(ends[kind]) if kind in ends else 0)
            rows["first"].append(first)
            rows["count"].append(count)
            rows["gate"].append([behind.get(n, 0) for n in same])
            rows["scale"].append([weight * sign.get(kind, 0.0) * float(tree.scale[n]) for n in same])
            if kind in ends:
                ends[kind].append(same)
            first += count
        rows["folds"].append(len(ends[FOLD]))
        rows["shows"].append(len(ends[SHOW]))
        folds.append(np.array(ends[FOLD], np.int64).reshape(-1, LANES))
        shows.append(np.array(ends[SHOW], np.int64).reshape(-1, LANES))
    rows["start"].append(len(rows["kind"]))
    lines = Lines(**{field: np.array(rows[field], dtype if field == "scale" else np.int64) for field in Lines._fields})
    return Bunches(lines, folds, shows)


def reach_of(plan: Plan, player: int, bunches: Sequence[Bunches], dtype: Any = np.float64) -> list[Reach]:
    """[stage] a player's own reach at the ends of the tree."""
    tree = plan.tree
    owner = [np.zeros(0, np.int64)]
    for s in range(1, tree.stages):
        owner.append(np.searchsorted(plan.cuts[s - 1], plan.cuts[s][:-1], side="right") - 1)
    rows: list[Any] = [None] * len(tree.player)
    rows[0] = np.ones(len(plan.cuts[0]) - 1, dtype)
    for n in range(len(tree.player)):
        if tree.player[n] == OVER:
            continue
        odds = plan.table(n) if tree.player[n] == player else None
        for k, c in enumerate(tree.child[tree.first[n] : tree.first[n + 1]].tolist()):
            row = rows[n] if odds is None else (rows[n] * odds[k]).astype(dtype)
            rows[c] = row if tree.stage[c] == tree.stage[n] else row[owner[tree.stage[c]]]
        rows[n] = None  # its children have it

    def table(ends: list[np.ndarray], types: int) -> np.ndarray:
        most = max(len(end) for end in ends) * LANES
        out = np.zeros((len(ends), types, most), dtype)
        for bunch, nodes in enumerate(ends):
            for at, n in enumerate(nodes.ravel().tolist()):
                out[bunch, :, at] = rows[n]
        return out

    return [
        Reach(table(bunch.folds, len(cut) - 1), table(bunch.shows, len(cut) - 1))
        for bunch, cut in zip(bunches, plan.cuts, strict=True)
    ]


# --- the response --------------------------------------------------------------------------------------------------


class PublicResponse:
    """The best response of `player` to a plan of the other.

    response = PublicResponse(cards, plan, player=0)
    response.value()                                        exact: all boards
    response.board_values(board)                            a piece: one board of the first deal
    """

    def __init__(self, cards: Cards, plan: Plan, player: int, *, dtype: Any = np.float64):
        if player not in (0, 1):
            raise Invalid(f"a player is 0 or 1, not {player}")
        if len(cards.dealt) != plan.tree.stages:
            raise Invalid(f"the betting has {plan.tree.stages} stages and the cards have {len(cards.dealt)}")
        self.cards, self.tree, self.player = cards, plan.tree, player
        weights = [1.0 / deals(cards, stage) for stage in range(plan.tree.stages)]
        bunches = bunches_of(plan.tree, player, weights, dtype)
        self.lines, self.folds = [bunch.lines for bunch in bunches], bunches[0].folds
        self.counts = [len(entries) for entries in _entries(plan.tree)]  # [stage] lines
        self.reach = reach_of(plan, 1 - player, bunches, dtype)
        self.hands = new_hands(cards, self.lines, dtype)
        self.symmetries = [np.array(symmetry) for symmetry in cards.symmetries]
        self.count = len(self.hands.low)
        self.dtype = dtype

    def value(self, progress: Callable[[int, int], Any] | None = None) -> float:
        """What the best response gets, from all boards."""
        if self.tree.stages == 1:
            return self.root(np.zeros((0, self.count), self.dtype))
        boards = list(self.first_boards())
        total = np.zeros((self.counts[1], self.count), np.float64)
        for at, (board, images) in enumerate(boards):
            self._add_images(total, self.board_values(board), images)
            if progress:
                progress(at + 1, len(boards))
        return self.root(total)

    def first_boards(self) -> Iterator[tuple[Board, list[np.ndarray]]]:
        """A board of each kind of the first deal, and a symmetry to each board of its kind."""
        for board, images, _ in orbits(range(self.cards.cards), self.cards.dealt[1], self.symmetries):
            yield board, images

    def board_values(self, board: Board) -> np.ndarray:
        """[line, hand] what the best response gets on one board of the first deal, as a part of the sum over all boards."""
        kept = [symmetry for symmetry in self.symmetries if {int(symmetry[c]) for c in board} == set(board)]
        return self._values(1, tuple(sorted(board)), kept)

    def root(self, deeper: np.ndarray) -> float:
        """What the best response gets in all, from the sums [line, hand] over the boards of the first deal."""
        return float(self._climbed(0, (), deeper.astype(self.dtype))[0].sum(dtype=np.float64))

    def fold_values(self) -> dict[int, np.ndarray]:
        """[hand] what a fold before the first deal is worth, by node."""
        live, _ = self.live_hands(0, ())
        types = np.ascontiguousarray(self.cards.types(0, ()), np.int64)
        found: dict[int, np.ndarray] = {}
        for bunch, nodes in enumerate(self.folds):
            masses(self.reach[0].fold, bunch, self.hands, live, types, nodes.size)
            for at, n in enumerate(nodes[:, 0].tolist()):
                sign = 1.0 if self.player == 0 else -1.0
                scale = sign * self.tree.scale[n] / deals(self.cards, 0)
                found[n] = scale * self.hands.fold[:, at * LANES].astype(np.float64)
        return found

    def _values(self, stage: int, board: Board, symmetries: list[np.ndarray]) -> np.ndarray:
        if stage + 1 == self.tree.stages:
            return self._climbed(stage, board, np.zeros((0, self.count), self.dtype))
        deeper = np.zeros((self.counts[stage + 1], self.count), self.dtype)
        left = [card for card in range(self.cards.cards) if card not in board]
        for more, images, kept in orbits(left, self.cards.dealt[stage + 1], symmetries):
            self._add_images(deeper, self._values(stage + 1, board + more, kept), images)
        return self._climbed(stage, board, deeper)

    def _add_images(self, total: np.ndarray, part: np.ndarray, images: list[np.ndarray]) -> None:
        for symmetry in images:
            add_permuted(total, part, moved_hands(self.hands, symmetry))

    def _climbed(self, stage: int, board: Board, deeper: np.ndarray) -> np.ndarray:
        live, group = self.live_hands(stage, board)
        out = np.zeros((self.counts[stage], self.count), self.dtype)
        types = np.ascontiguousarray(self.cards.types(stage, board), np.int64)
        climb(self.lines[stage], self.reach[stage], self.hands, live, group, types, deeper, self.player, out)
        return out

    def live_hands(self, stage: int, board: Board) -> tuple[np.ndarray, np.ndarray]:
        """The hands that share no card with the board, weakest first where there is a showdown, and where groups end."""
        blocked = np.zeros(self.cards.cards + 2, bool)
        blocked[[card + 1 for card in board]] = True
        live = np.flatnonzero(~blocked[self.hands.low] & ~blocked[self.hands.high])
        if not self.reach[stage].show.shape[2]:
            return live, np.zeros(0, np.int64)
        strength = self.cards.strength(board)[live]
        order = np.argsort(strength, kind="stable")
        return live[order], np.searchsorted(strength[order], strength[order], side="right")


def deals(cards: Cards, stage: int) -> int:
    """How many deals there are of both hands and of the boards up to a stage, boards in their order."""
    left = cards.cards - 2 * cards.hole
    count = math.comb(cards.cards, cards.hole) * math.comb(cards.cards - cards.hole, cards.hole)
    for number in cards.dealt[1 : stage + 1]:
        count *= math.comb(left, number)
        left -= number
    return count


def all_hands(cards: int, hole: int) -> np.ndarray:
    """[hands, hole] the hands in the order of `Cards.types` and `Cards.strength`."""
    return np.array(list(itertools.combinations(range(cards), hole)))


def new_hands(cards: Cards, lines: list[Lines], dtype: Any) -> Hands:
    pairs = all_hands(cards.cards, cards.hole) + 1  # row 0 of `mass` is T
    low = np.ascontiguousarray(pairs[:, 0])
    two = cards.hole == 2
    high = np.ascontiguousarray(pairs[:, 1]) if two else np.full(len(low), cards.cards + 1)
    read = high if two else low
    nodes = max((int(np.diff(stage.start).max()) for stage in lines), default=0)
    folds = max((int(stage.folds.max()) * LANES for stage in lines), default=0)
    shows = max((int(stage.shows.max()) * LANES for stage in lines), default=0)
    return Hands(
        low,
        high,
        read,
        np.zeros((cards.cards + 2, max(folds, shows)), dtype),
        np.zeros((len(low), folds), dtype),
        np.zeros((len(low), shows), dtype),
        np.zeros((nodes, BLOCK * LANES), dtype),
    )


def moved_hands(hands: Hands, symmetry: np.ndarray) -> np.ndarray:
    """[hands] where a permutation of the cards takes each hand."""
    cards = len(symmetry)
    if hands.read is hands.low:
        return np.ascontiguousarray(symmetry[hands.low - 1])
    first, second = symmetry[hands.low - 1], symmetry[hands.high - 1]
    low, high = np.minimum(first, second), np.maximum(first, second)
    return low * (2 * cards - low - 1) // 2 + high - low - 1  # the number of a pair in `all_hands`


def orbits(
    cards: Any, number: int, symmetries: list[np.ndarray]
) -> Iterator[tuple[Board, list[np.ndarray], list[np.ndarray]]]:
    """One set of cards of each kind; a symmetry to each set of its kind; the symmetries that keep the set."""
    met: set[Board] = set()
    for chosen in itertools.combinations(cards, number):
        if chosen in met:
            continue
        images: dict[Board, np.ndarray] = {}
        kept = []
        for symmetry in symmetries:
            image = tuple(sorted(int(symmetry[card]) for card in chosen))
            images.setdefault(image, symmetry)
            if image == chosen:
                kept.append(symmetry)
        met |= set(images)
        yield chosen, list(images.values()), kept
