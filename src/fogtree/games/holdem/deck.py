"""Hold'em's cards as the public tree and the counting of boards see them: all hands of a board at once.

`Deck(game)` knows the strengths of all hands on a board, and which permutations of the cards change nothing: those of the
suits. `types` tells how a player sorts hands: a function of the round and of the board that gives the type of each hand. With
buckets it is their number (`buckets.py`); `every_hand` is one type for each hand before the flop.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernels import kernel
from .cards import bit, strength

Board = tuple[int, ...]
Types = Callable[[int, Board], np.ndarray]


class Deck:
    """The cards of a game of hold'em, and how a player sorts hands into types."""

    def __init__(self, game: Any, types: Types | None = None):
        self.game, self.sort = game, types
        self.cards, self.hole = int(game.deck()), int(game.hole)
        self.dealt = tuple(int(game.due(stage) - game.due(stage - 1)) if stage else 0 for stage in range(game.rounds))
        orders = itertools.permutations(range(game.suits))
        self.symmetries = [
            [c // game.suits * game.suits + order[c % game.suits] for c in range(self.cards)] for order in orders
        ]
        hands = np.array(list(itertools.combinations(range(self.cards), self.hole)))
        self.sets = np.zeros(len(hands), np.int64)  # each hand as a set of cards
        for cards in hands.T:
            self.sets |= np.array([bit(card, game.suits) for card in cards.tolist()], np.int64)
        self._strength = np.zeros(len(hands), np.int64)

    def types(self, stage: int, board: Board) -> np.ndarray:
        """[hands] the types at a stage."""
        if self.sort is None:
            return every_hand(self)(stage, board)
        return self.sort(stage, board)

    def strength(self, board: Board) -> np.ndarray:
        """[hands] the strengths on a whole board; a hand that shares a card with it gets a number that means nothing. The
        array is written anew at the next call."""
        public = np.int64(0)
        for card in board:
            public |= bit(card, self.game.suits)
        strengths(self.sets, public, self._strength)
        return self._strength


@kernel
def strengths(sets, public, out):
    for h in range(sets.shape[0]):
        out[h] = strength(sets[h] | public)


def every_hand(deck: Deck) -> Types:
    """Each hand is a type of its own, whatever the board is."""
    numbers = np.arange(len(deck.sets))
    return lambda stage, board: numbers
