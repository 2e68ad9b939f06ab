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

from ..errors import Invalid
from ..game import OVER
from ..kernels import kernel
from .betting import NONE, BettingTree

GATE = -5  # the kind of a node where the next stage begins; others are players, FOLD and SHOW
FOLD, SHOW = -3, -4
SIDE_BY_SIDE = 8  # lines whose ends are summed together

Board = tuple[int, ...]


class Cards(Protocol):
    """What the public tree must know of the cards."""

    cards: int  # in the deck, numbered from 0
    hole: int  # private cards of a player: 1 or 2
    dealt: tuple[int, ...]  # [stage] public cards that are dealt before the betting of a stage
    symmetries: Sequence[Sequence[int]]  # permutations of the cards that change nothing; the first is the identity

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
    """The betting of a stage, line by line. A line begins where chance has dealt; its nodes follow breadth first."""

    start: np.ndarray  # [lines + 1] the line's nodes
    kind: np.ndarray  # [nodes] a player, FOLD, SHOW or GATE
    arg: np.ndarray  # [nodes] the number of a fold, of a showdown, or of the line behind a gate
    first: np.ndarray  # [nodes] the first child; the others follow
    count: np.ndarray  # [nodes] children
    scale: np.ndarray  # [nodes] payoffs of player 0
    fold: np.ndarray  # [lines + 1] the numbers of the line's folds
    show: np.ndarray  # [lines + 1] the numbers of the line's showdowns


class Reach(NamedTuple):
    """A plan at the ends of a stage."""

    fold: np.ndarray  # [types, folds]
    show: np.ndarray  # [types, showdowns]


class Hands(NamedTuple):
    """The hands of a deck, and scratch. A hand of one card has a second one that nothing reads: the sum of its only card,
    taken away twice and added once, is the hand's own reach."""

    low: np.ndarray  # [hands] a card
    high: np.ndarray  # [hands] the other
    read: np.ndarray  # [hands] the other as it is read: the first again if there is no second
    mass: np.ndarray  # [cards + 2, lanes] T in row 0, then C of each card
    lane: np.ndarray  # [hands, lanes]
    value: np.ndarray  # [nodes of a line, hands]


@kernel
def climb(lines, reach, hands, live, group, types, deeper, me, sign, weight, out):
    """The values of all lines of a stage on one board, for the hands that are live on it, weakest first: out[line, hand].
    group[i] is where the hands that are as strong as live[i] end."""
    total = lines.start.shape[0] - 1
    for begin in range(0, total, SIDE_BY_SIDE):
        end = min(begin + SIDE_BY_SIDE, total)
        fold_low, fold_high = lines.fold[begin], lines.fold[end]
        fold_masses(reach.fold, hands, live, types, fold_low, fold_high - fold_low, 0)
        show_low, show_high = lines.show[begin], lines.show[end]
        show_masses(reach.show, hands, live, group, types, show_low, show_high - show_low, fold_high - fold_low)
        for line in range(begin, end):
            base = lines.start[line]
            for n in range(lines.start[line + 1] - 1, base - 1, -1):
                settle(lines, hands, live, deeper, me, sign, weight, n, base, fold_low, fold_high - fold_low - show_low)
            for i in range(live.shape[0]):
                out[line, live[i]] = hands.value[0, i]


def settle(lines, hands, live, deeper, me, sign, weight, n, base, fold_low, show_shift):
    """The values of one node for all live hands."""
    kind, value, row = lines.kind[n], hands.value, n - base
    count = live.shape[0]
    if kind == FOLD or kind == SHOW:
        lane = lines.arg[n] - fold_low if kind == FOLD else lines.arg[n] + show_shift
        factor = lines.scale[n] * weight * (sign if kind == FOLD else 1.0)  # a showdown's masses are the responder's
        for i in range(count):
            value[row, i] = factor * hands.lane[i, lane]
    elif kind == GATE:
        for i in range(count):
            value[row, i] = deeper[lines.arg[n], live[i]]
    else:
        child = lines.first[n] - base
        for i in range(count):
            value[row, i] = value[child, i]
        for k in range(1, lines.count[n]):
            if kind == me:
                for i in range(count):
                    value[row, i] = max(value[row, i], value[child + k, i])
            else:
                for i in range(count):
                    value[row, i] += value[child + k, i]


def fold_masses(reach, hands, live, types, low, width, to):
    """lane[i, to + z]: how much of the other's reach can meet the i-th live hand, at `width` folds."""
    mass, lane = hands.mass, hands.lane
    clear(mass, width)
    for i in range(live.shape[0]):
        add(mass, reach, hands, live[i], types[live[i]], low, width)
    for i in range(live.shape[0]):
        h = live[i]
        a, b, row = hands.low[h], hands.read[h], types[h]
        for z in range(width):
            lane[i, to + z] = mass[0, z] - mass[a, z] - mass[b, z] + reach[row, low + z]


def show_masses(reach, hands, live, group, types, low, width, to):
    """lane[i, to + z]: the reach that the i-th live hand beats less what beats it, at `width` showdowns."""
    if width == 0:
        return
    mass, lane = hands.mass, hands.lane
    clear(mass, width)
    i = 0
    while i < live.shape[0]:
        after = group[i]
        for j in range(i, after):  # what is weaker
            a, b = hands.low[live[j]], hands.read[live[j]]
            for z in range(width):
                lane[j, to + z] = mass[0, z] - mass[a, z] - mass[b, z]
        for j in range(i, after):
            add(mass, reach, hands, live[j], types[live[j]], low, width)
        for j in range(i, after):  # what is not stronger
            h = live[j]
            a, b, row = hands.low[h], hands.read[h], types[h]
            for z in range(width):
                lane[j, to + z] += mass[0, z] - mass[a, z] - mass[b, z] + reach[row, low + z]
        i = after
    for j in range(live.shape[0]):  # less all: weaker - stronger = weaker + (all - stronger) - all
        h = live[j]
        a, b, row = hands.low[h], hands.read[h], types[h]
        for z in range(width):
            lane[j, to + z] -= mass[0, z] - mass[a, z] - mass[b, z] + reach[row, low + z]


def clear(mass, width):
    for x in range(mass.shape[0]):
        for z in range(width):
            mass[x, z] = 0.0


def add(mass, reach, hands, h, row, low, width):
    a, b = hands.low[h], hands.high[h]
    for z in range(width):
        more = reach[row, low + z]
        mass[0, z] += more
        mass[a, z] += more
        mass[b, z] += more


@kernel
def add_permuted(total, part, moved):
    """total[line, moved[hand]] += part[line, hand]."""
    for line in range(part.shape[0]):
        for h in range(part.shape[1]):
            total[line, moved[h]] += part[line, h]


# --- the tree as lines ---------------------------------------------------------------------------------------------


def lines_of(tree: BettingTree) -> tuple[list[Lines], list[np.ndarray], list[np.ndarray]]:
    """[stage] the lines, and the nodes that are the folds and the showdowns in the order of their numbers."""
    entries = [[0], *([] for _ in range(tree.stages - 1))]
    for n in range(1, len(tree.player)):
        if tree.stage[n] > tree.stage[tree.parent[n]]:
            entries[tree.stage[n]].append(n)
    behind = [{n: at for at, n in enumerate(stage)} for stage in entries]
    shown = np.zeros(len(tree.player), bool)
    for low, high in tree.showdowns:
        shown[low:high] = True
    found, folds, shows = [], [], []
    for s in range(tree.stages):
        made: dict[str, list] = {field: [] for field in Lines._fields}
        ends: dict[int, list[int]] = {FOLD: [], SHOW: []}
        for entry in entries[s]:
            _add_line(tree, s, entry, shown, behind, made, ends)
        made["start"].append(len(made["kind"]))
        made["fold"].append(len(ends[FOLD]))
        made["show"].append(len(ends[SHOW]))
        kinds = {"scale": np.float64}
        found.append(Lines(**{field: np.array(made[field], kinds.get(field, np.int64)) for field in Lines._fields}))
        folds.append(np.array(ends[FOLD], np.int64))
        shows.append(np.array(ends[SHOW], np.int64))
    return found, folds, shows


def _add_line(tree, s, entry, shown, behind, made, ends) -> None:
    base = len(made["kind"])
    made["start"].append(base)
    made["fold"].append(len(ends[FOLD]))
    made["show"].append(len(ends[SHOW]))
    queue = [entry]
    for n in queue:  # it grows
        below = tree.child[tree.first[n] : tree.first[n + 1]].tolist() if tree.stage[n] == s else []
        if tree.stage[n] > s:
            kind, arg = GATE, behind[s + 1][n]
        elif tree.player[n] == OVER:
            kind = SHOW if shown[n] else FOLD
            arg = len(ends[kind])
            ends[kind].append(n)
        else:
            kind, arg = int(tree.player[n]), NONE
        made["kind"].append(kind)
        made["arg"].append(arg)
        made["first"].append(base + len(queue))
        made["count"].append(len(below))
        made["scale"].append(tree.scale[n])
        queue += below


def reach_of(plan: Plan, player: int, folds: Any, shows: Any, dtype: Any = np.float64) -> list[Reach]:
    """[stage] a player's own reach at the ends of the tree."""
    tree = plan.tree
    owner = [np.zeros(0, np.int64)]
    for s in range(1, tree.stages):
        owner.append(np.searchsorted(plan.cuts[s - 1], plan.cuts[s][:-1], side="right") - 1)
    rows: list[np.ndarray | None] = [None] * len(tree.player)
    rows[0] = np.ones(len(plan.cuts[0]) - 1, dtype)
    for n in range(len(tree.player)):
        if tree.player[n] == OVER:
            continue
        odds = plan.table(n) if tree.player[n] == player else None
        for k, c in enumerate(tree.child[tree.first[n] : tree.first[n + 1]].tolist()):
            row = rows[n] if odds is None else (rows[n] * odds[k]).astype(dtype)
            rows[c] = row if tree.stage[c] == tree.stage[n] else row[owner[tree.stage[c]]]
        rows[n] = None  # its children have it
    types = [len(cut) - 1 for cut in plan.cuts]

    def table(nodes, s):
        return np.ascontiguousarray(np.array([rows[n] for n in nodes], dtype).reshape(len(nodes), types[s]).T)

    return [Reach(table(folds[s], s), table(shows[s], s)) for s in range(tree.stages)]


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
        self.lines, folds, shows = lines_of(plan.tree)
        self.reach = reach_of(plan, 1 - player, folds, shows, dtype)
        self.hands = new_hands(cards, self.lines, dtype)
        self.symmetries = [np.array(symmetry) for symmetry in cards.symmetries]
        self.count = len(self.hands.low)
        self.dtype = dtype

    def value(self, progress: Callable[[int, int], Any] | None = None) -> float:
        """What the best response gets, from all boards."""
        if self.tree.stages == 1:
            return self.root(np.zeros((0, self.count), self.dtype))
        boards = list(self.first_boards())
        total = np.zeros((len(self.lines[1].start) - 1, self.count), np.float64)
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

    def _values(self, stage: int, board: Board, symmetries: list[np.ndarray]) -> np.ndarray:
        if stage + 1 == self.tree.stages:
            return self._climbed(stage, board, np.zeros((0, self.count), self.dtype))
        deeper = np.zeros((len(self.lines[stage + 1].start) - 1, self.count), self.dtype)
        left = [card for card in range(self.cards.cards) if card not in board]
        for more, images, kept in orbits(left, self.cards.dealt[stage + 1], symmetries):
            self._add_images(deeper, self._values(stage + 1, board + more, kept), images)
        return self._climbed(stage, board, deeper)

    def _add_images(self, total: np.ndarray, part: np.ndarray, images: list[np.ndarray]) -> None:
        for symmetry in images:
            add_permuted(total, part, moved_hands(self.hands, symmetry))

    def _climbed(self, stage: int, board: Board, deeper: np.ndarray) -> np.ndarray:
        live, group = self.live_hands(stage, board)
        out = np.zeros((len(self.lines[stage].start) - 1, self.count), self.dtype)
        types = np.ascontiguousarray(self.cards.types(stage, board), np.int64)
        sign = 1.0 if self.player == 0 else -1.0
        weight = 1.0 / deals(self.cards, stage)
        climb(
            self.lines[stage], self.reach[stage], self.hands, live, group, types, deeper, self.player, sign, weight, out
        )
        return out

    def live_hands(self, stage: int, board: Board) -> tuple[np.ndarray, np.ndarray]:
        """The hands that share no card with the board, weakest first where there is a showdown, and where groups end."""
        blocked = np.zeros(self.cards.cards + 2, bool)
        blocked[[card + 1 for card in board]] = True
        live = np.flatnonzero(~blocked[self.hands.low] & ~blocked[self.hands.high])
        if not len(self.reach[stage].show[0]):
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
    widest = max((int(np.diff(stage.start).max()) for stage in lines), default=0)
    lanes = max((_widest(stage.fold) + _widest(stage.show) for stage in lines), default=0)
    return Hands(
        low,
        high,
        read,
        np.zeros((cards.cards + 2, lanes), dtype),
        np.zeros((len(low), lanes), dtype),
        np.zeros((widest, len(low)), dtype),
    )


def _widest(starts: np.ndarray) -> int:
    """The most ends of lines that are summed together."""
    begins = np.arange(0, len(starts) - 1, SIDE_BY_SIDE)
    return int((starts[np.minimum(begins + SIDE_BY_SIDE, len(starts) - 1)] - starts[begins]).max())


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
