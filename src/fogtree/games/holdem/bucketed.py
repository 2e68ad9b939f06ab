"""Hold'em's deck with hands sorted into sequences of buckets, for all hands of a board at once."""

from typing import Any, NamedTuple

import numpy as np

from ...kernels import kernel
from .cards import bit
from .deck import Deck


@kernel
def sequences(bucketing, boards, stage, number, scratch, out):
    """The sequences of all hands in a round, in the order of a deck: out[i] is that of hand number[i]; 0 for a hand that
    holds a card of the board. boards[s] is the board of round s."""
    for h in range(scratch.shape[0]):
        scratch[h] = bucketing.bucket(0, 0, bucketing.strengths.value[0, h])
    for s in range(1, stage + 1):
        bucketing.follow(s, boards[s], scratch, scratch)
    for i in range(out.shape[0]):
        out[i] = max(scratch[number[i]], 0)


class BucketHands(NamedTuple):
    """Hands whose types are their sequences of buckets, for lanes."""

    plain: Any  # the same hands without buckets
    bucketing: Any
    number: np.ndarray  # [hands] of the bucketing

    def join(self, board, card):
        return self.plain.join(board, card)

    def blocked(self, board, hand):
        return self.plain.blocked(board, hand)

    def follow(self, stage, board, before, hand):
        value = self.bucketing.strengths.look(board, np.int64(self.number[hand]))
        return self.bucketing.k * before + self.bucketing.bucket(stage, before, value)

    def strength(self, board, hand):
        return self.plain.strength(board, hand)


class BucketTypes:
    """The types of a deck by buckets (`buckets.py`): types(stage, board) is the sequence of buckets of each hand."""

    def __init__(self, buckets: Any):
        self.game, self.buckets = buckets.game, buckets
        deck = Deck(self.game)
        place = {int(word): at for at, word in enumerate(buckets.bucketing.hands.word)}
        # [hand of the deck] its number in the bucketing
        self.number = np.array([place[int(word)] for word in deck.sets])
        self.scratch, self.out = np.zeros(len(place), np.int64), np.zeros(len(place), np.int64)
        self.boards = np.zeros(self.game.rounds, np.int64)
        self.sizes = np.cumsum(deck.dealt)

    def __call__(self, stage: int, board: tuple[int, ...]) -> np.ndarray:
        """The array is written anew at the next call."""
        word, at = np.int64(0), 0
        for s in range(stage + 1):
            while at < self.sizes[s]:
                word |= bit(board[at], self.game.suits)
                at += 1
            self.boards[s] = word
        sequences(self.buckets.bucketing, self.boards, stage, self.number, self.scratch, self.out)
        return self.out

    def in_lanes(self, plain: Any) -> BucketHands:
        """The same for one hand at a time."""
        return BucketHands(plain, self.buckets.bucketing, self.number)
