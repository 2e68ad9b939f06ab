"""Boards with their hands sorted, made in lanes: for the public tree and for matrices on any device.

The hands that are live on a board are sorted by strength, weakest first, and hands of equal strength by type. Hands of equal
strength and type are a *run*: what the other does with them is the same, so whatever is added up over hands is looked up
once a run. Runs of equal strength are a *group*. How often each card occurs in a run is listed too, two cards at a time: sums
by card take one addition for each card of a run, and not two for each hand. On a river board of the full deck 1,081 hands are
some 70 groups, 200 runs and 1,000 cards of runs.

A hand's place is the number of hands before it, so that all hands of all boards find theirs side by side, without sorting.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...kernels.engines import empty, on
from .cards import PublicCards, all_hands, hands_of

HAND_BITS, TYPE_BITS = 12, 17  # of the keys that are compared, below the strength
DEAD = -1  # the key of a hand that shares a card with the board
TYPE, HAND, PAIR = 0, 1, 2  # of a run: its type | its first hand. Of a group: its first hand and pair
LIVE, RUNS, GROUPS = 0, 1, 2  # how many a board has
AHEAD = 2  # words behind the last ones, which those who read ahead may read
BYTE, WORD = np.uint64(255), np.uint64(65_535)
OFTEN, SECOND, SECOND_OFTEN, KIND = (
    np.uint64(8),
    np.uint64(16),
    np.uint64(24),
    np.uint64(32),
)  # where parts of a pair begin
LOW, READ = np.uint64(16), np.uint64(24)  # where parts of a hand begin


class Listed(NamedTuple):
    """Sorted boards, where the lanes of a device have them. A word has all that is read of one thing at a time."""

    hand: Any  # [boards, hands + AHEAD] number + low << LOW + read << READ (of `Hands`) + type << KIND, in their order
    pair: Any  # [boards, 2 * hands + AHEAD] two cards of a run, each with how often: 8 bits each; and type << KIND
    run: Any  # [boards, hands + 1, 2] TYPE and HAND, and those behind the last
    group: Any  # [boards, hands + 1, 3] its first run, HAND and PAIR, and those behind the last
    size: Any  # [boards, 3]


class Keyed(NamedTuple):
    """A lane finds the key of one hand on one board: strength, type and number."""

    table: Any  # LaneCards
    hands: int
    dealt: np.ndarray  # [stages] cards
    stages: int  # that the boards have
    shown: bool  # whether strengths are asked for
    card: Any  # [boards, cards of a whole board]
    key: Any  # [boards, hands]

    def writes(self):
        return ("key",)

    def lane(self, number, own):
        b, h = number // self.hands, number % self.hands
        board, at, kind = np.int64(0), 0, np.int64(0)
        for s in range(self.stages):
            for _ in range(self.dealt[s]):
                board = self.table.join(board, self.card[b, at])
                at += 1
            if self.table.blocked(board, h):
                self.key[b, h] = DEAD
                return
            kind = np.int64(self.table.follow(s, board, kind, h))
        strength = np.int64(self.table.strength(board, h)) if self.shown else np.int64(0)
        self.key[b, h] = (strength << TYPE_BITS | kind) << HAND_BITS | h


class Ranked(NamedTuple):
    """A lane finds the place of one hand on one board."""

    hands: int
    key: Any  # [boards, hands]
    order: Any  # [boards, hands] the keys of live hands, ascending

    def writes(self):
        return ("order",)

    def lane(self, number, own):
        b, h = number // self.hands, number % self.hands
        mine, place = self.key[b, h], 0
        if mine == DEAD:
            return
        for other in range(self.hands):
            key = self.key[b, other]
            place += (key != DEAD) & (key < mine)
        self.order[b, place] = mine


class Listing(NamedTuple):
    """A lane lists the runs and groups of one board."""

    live: int  # hands of a board
    low: np.ndarray  # [hands] of `Hands`
    high: np.ndarray
    read: np.ndarray
    order: Any  # [boards, hands]
    listed: Listed

    def writes(self):
        return ()

    def lane(self, b, own):
        listed, met, often = self.listed, own.met, own.often
        for c in range(often.shape[0]):
            often[c] = 0
        runs, groups, pairs, cards = 0, 0, 0, 0
        before = np.int64(DEAD)
        for i in range(self.live):
            key = self.order[b, i]
            h, run = key & (1 << HAND_BITS) - 1, key >> HAND_BITS
            kind = run & (1 << TYPE_BITS) - 1
            if run != before:
                pairs = self.paired(b, before, cards, pairs, own)
                cards = 0
                if before == DEAD or run >> TYPE_BITS != before >> TYPE_BITS:
                    self.begin(b, groups, runs, i, pairs)
                    groups += 1
                listed.run[b, runs, TYPE] = kind
                listed.run[b, runs, HAND] = i
                runs += 1
                before = run
            listed.hand[b, i] = word_of(h, self.low[h], self.read[h], kind)
            for c in (self.low[h], self.high[h]):
                if often[c] == 0:
                    met[cards] = c
                    cards += 1
                often[c] += 1
        pairs = self.paired(b, before, cards, pairs, own)
        self.begin(b, groups, runs, self.live, pairs)
        listed.run[b, runs, HAND] = self.live
        for n in range(AHEAD):
            listed.hand[b, self.live + n] = 0
            listed.pair[b, pairs + n] = 0
        listed.size[b, LIVE] = self.live
        listed.size[b, RUNS] = runs
        listed.size[b, GROUPS] = groups

    def begin(self, b, g, run, hand, pair):
        """Where a group begins."""
        self.listed.group[b, g, TYPE] = run
        self.listed.group[b, g, HAND] = hand
        self.listed.group[b, g, PAIR] = pair

    def paired(self, b, run, cards, pairs, own):
        """List the cards of a run, two at a time, the last one perhaps with a card that is none; returns how many pairs there
        are then."""
        met, often, kind = own.met, own.often, run & (1 << TYPE_BITS) - 1
        for n in range(0, cards, 2):
            first, second = met[n], met[n + 1] if n + 1 < cards else 0
            word = first | often[first] << 8 | second << 16 | often[second] << 24 | kind << 32
            self.listed.pair[b, pairs] = word
            pairs += 1
            often[first] = 0
            often[second] = 0
        return pairs


def word_of(h, low, read, kind):
    """A hand as it is listed."""
    return np.int64(h) | np.int64(low) << 16 | np.int64(read) << 24 | np.int64(kind) << 32


class Nothing(NamedTuple):
    """No scratch."""


class ListOwn(NamedTuple):
    met: np.ndarray  # [cards + 2] the cards of a run in the order in which they came
    often: np.ndarray  # [cards + 2] how often


class SortedBoards:
    """Sorts the boards of a stage, up to `room` at a time.

    sorted_boards = SortedBoards(cards, stage=3, room=2000, device="cuda")
    sorted_boards.sort(boards)         [boards, cards of a board], in the order in which they were dealt
    sorted_boards.listed               what lanes of other work read
    """

    def __init__(self, cards: PublicCards, stage: int, room: int, device: str, *, cores: int | None = 1):
        if not hasattr(cards, "in_lanes"):
            raise Invalid(
                "these cards do not tell types and strengths hand by hand: they have no method `in_lanes` "
                "(LaneCards in fogtree.solvers.public.cards)"
            )
        hands = hands_of(cards)
        count, size = len(hands.low), cards.cards + 2
        left = cards.cards - sum(cards.dealt[: stage + 1])
        self.hands, self.live, self.room = count, len(all_hands(left, cards.hole)), room
        self.listed = Listed(
            empty(device, (room, count + AHEAD), np.uint64),
            empty(device, (room, 2 * count + AHEAD), np.uint64),
            empty(device, (room, count + 1, 2), np.uint32),
            empty(device, (room, count + 1, 3), np.uint32),
            empty(device, (room, 3), np.uint32),
        )
        key, order = (empty(device, (room, count), np.int64) for _ in range(2))
        card = np.zeros((room, max(1, sum(cards.dealt))), np.int64)
        shown, dealt = stage + 1 == len(cards.dealt), np.array(cards.dealt)
        keyed = Keyed(cards.in_lanes(), count, dealt, stage + 1, shown, card, key)
        listing = Listing(self.live, hands.low, hands.high, hands.read, order, self.listed)
        own = ListOwn(np.zeros(size, np.int64), np.zeros(size, np.int64))
        self.card, self.key = card, key
        self.keyed = on(device, keyed, Nothing(), cores=cores)
        self.ranked = on(device, Ranked(count, key, order), Nothing(), cores=cores)
        self.listing = on(device, listing, own, cores=cores)

    def sort(self, boards: np.ndarray) -> int:
        """Sort these boards; returns how many there are."""
        count = len(boards)
        if count > self.room:
            raise Invalid(f"there is room for {self.room} boards, not for {count}")
        self.card[:count, : boards.shape[1]] = boards
        self.keyed.put("card", self.card)
        for lanes, number in (
            (self.keyed, count * self.hands),
            (self.ranked, count * self.hands),
            (self.listing, count),
        ):
            lanes.run(0, number)
        return count
