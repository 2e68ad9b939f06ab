"""The tables of hand strength (`strength.py`) and the cuts of buckets (`buckets.py`) made in lanes, on any device.

A lane does one hand on one board, or on all that may follow. On a whole board it goes through all other hands; counts of
values are added up by all lanes together. The numbers are those of the CPU to the last digit.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ...game import NONE
from ...kernels import atomic
from ...kernels.engines import empty, on, sent, zeros
from .cards import strength
from .strength import (
    UNIT,
    Hands,
    Meant,
    Squared,
    Strengths,
    all_hands,
    all_sets,
    canonical_boards,
    new_strengths,
    public_cards,
)

DEAD = -1


class Strong(NamedTuple):
    """A lane finds how strong one hand is on one whole board."""

    board: Any  # [boards]
    hands: Hands
    found: Any  # [boards, hands] DEAD where a hand holds a card of the board

    def writes(self):
        return ("found",)

    def lane(self, number, own):
        size = self.hands.word.shape[0]
        r, h = number // size, number % size
        word = self.hands.word[h]
        self.found[r, h] = DEAD if word & self.board[r] else strength(word | self.board[r])


class Beaten(NamedTuple):
    """A lane counts 2 * wins + ties of one hand on one whole board."""

    hands: Hands
    found: Any  # of `Strong`
    base: int  # the row of the first board
    value: Any  # [rows, hands]

    def writes(self):
        return ("value",)

    def lane(self, number, own):
        size = self.hands.word.shape[0]
        r, h = number // size, number % size
        mine, word, total = self.found[r, h], self.hands.word[h], 0
        if mine != DEAD:
            for other in range(size):
                theirs = self.found[r, other]
                if theirs != DEAD and not word & self.hands.word[other]:
                    total += 2 if mine > theirs else 1 if mine == theirs else 0
        self.value[self.base + r, h] = total


class Averaged(NamedTuple):
    """A lane finds the mean of what is to come for one hand on one board."""

    board: Any  # [boards]
    more: np.ndarray  # the sets of cards that may come next
    strengths: Strengths
    later: Any  # Squared or Meant
    ways: float
    zero: np.ndarray  # [1]
    mean: Any  # [boards, hands]

    def writes(self):
        return ("mean",)

    def lane(self, number, own):
        size = self.mean.shape[1]
        r, h = number // size, number % size
        board, total = self.board[r], self.zero[0]
        for e in range(self.more.shape[0]):
            if not self.more[e] & board:
                row, exchange = self.strengths.row(board | self.more[e])
                total += self.later.worth(self.strengths, row, self.strengths.turned[exchange, h])
        self.mean[r, h] = total / self.ways


class Counted(NamedTuple):
    """A lane counts the values of one hand in a round, after one flop, or one flop and turn."""

    bucketing: Any
    stage: int
    flop: np.ndarray
    weight: np.ndarray  # [flops]
    single: np.ndarray  # [cards]
    values: int
    tally: Any  # [sequences before x values]

    def writes(self):
        return ("tally",)

    def lane(self, number, own):
        hands, cards = self.bucketing.hands.word.shape[0], self.single.shape[0]
        h, rest = number % hands, number // hands
        turn, f = (rest % cards, rest // cards) if self.stage > 1 else (0, rest)
        board, weight, known = (
            self.flop[f],
            self.weight[f],
            self.bucketing.bucket(0, 0, self.bucketing.strengths.value[0, h]),
        )
        if self.stage == 1:
            self.count_on(board, known, h, weight)
            return
        known = self.followed(1, board, known, h)
        if known == NONE or self.single[turn] & board:
            return
        board |= self.single[turn]
        if self.stage == 2:
            self.count_on(board, known, h, weight)
            return
        known = self.followed(2, board, known, h)
        if known == NONE:
            return
        for c in range(cards):
            if not self.single[c] & board:
                self.count_on(board | self.single[c], known, h, weight)

    def followed(self, stage, board, known, h):
        """The sequence after one more round; NONE for a hand that holds a card of the board."""
        if self.bucketing.hands.word[h] & board:
            return np.int64(NONE)
        value = self.bucketing.strengths.look(board, h)
        return np.int64(self.bucketing.k * known + self.bucketing.bucket(stage, known, value))

    def count_on(self, board, known, h, weight):
        if not self.bucketing.hands.word[h] & board:
            value = np.int64(self.bucketing.strengths.look(board, h))
            atomic.add(self.tally, known * self.values + value, weight)


class Nothing(NamedTuple):
    """No scratch."""


def strengths_in_lanes(game: Any, device: str) -> Strengths:
    """The tables of a game, made anew."""
    boards, hands = canonical_boards(game), all_hands(game)
    words, size = np.concatenate(boards), len(hands.word)
    first = np.concatenate([[0], np.cumsum([len(part) for part in boards])])
    value = empty(device, (len(words), size), np.uint16)
    made = new_strengths(game, words, np.zeros((len(words), size), np.uint16))
    there = sent(device, made._replace(value=value))
    last = game.rounds - 1
    found = empty(device, (len(boards[last]), size), np.int64)
    strong, beaten = Strong(boards[last], hands, found), Beaten(hands, found, int(first[last]), value)
    for work in (strong, beaten):
        on(device, work, Nothing()).run(0, len(boards[last]) * size)
    later: Any = Squared((np.arange(made.top + 1) / made.top).astype(np.float32) ** 2)
    means = {}
    for stage in range(last - 1, -1, -1):
        cards = public_cards(game, stage)
        more = public_cards(game, stage + 1) - cards
        ways = float(math.comb(game.deck() - cards - game.hole, more))
        mean = empty(device, (len(boards[stage]), size), np.float32)
        zero = np.zeros(1, np.float32)
        on(device, Averaged(boards[stage], all_sets(game, more), there, later, ways, zero, mean), Nothing()).run(
            0, len(boards[stage]) * size
        )
        means[stage] = np.asarray(mean)
        later = Meant(mean, int(first[stage]))
    made.value[...] = np.asarray(value)
    for stage, mean in means.items():
        made.value[first[stage] : first[stage + 1]] = np.rint(mean * UNIT)
    return made


def tallied(game: Any, bucketing: Any, stage: int, flop: Any, weight: Any, values: int, device: str) -> np.ndarray:
    """[sequences before, values] how often each value comes in a round after the first."""
    sequences, cards, hands = bucketing.k**stage, game.deck(), len(bucketing.hands.word)
    tally = zeros(device, sequences * values)
    work = Counted(bucketing, stage, flop, weight, all_sets(game, 1), values, tally)
    on(device, work, Nothing()).run(0, len(flop) * hands * (cards if stage > 1 else 1))
    return np.array(np.asarray(tally)).reshape(sequences, values)
