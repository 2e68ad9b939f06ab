"""Leduc hold'em's cards as solvers ask for them (`solvers/public/cards.py`), and its game without suits.

`ByRank` is a bucketing (`transforms/abstraction.py`): its players forget the suits, which decide nothing.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..kernels.bits import highest
from .leduc import BET_RADIX, LINE, PRIVATE, PUBLIC, UNDEALT

RANKS = 13  # at most; the radix of a rank in views, whose keys all differ, as those of leduc.py do


class LeducCards:
    """The deck; types are all that a player sees of the cards."""

    hole, dealt = 1, (0, 1)

    def __init__(self, game: Any):
        self.ranks, self.suits, self.cards = game.ranks, game.suits, game.ranks * game.suits
        orders = itertools.permutations(range(self.suits))
        self.symmetries = [
            [card // self.suits * self.suits + order[card % self.suits] for card in range(self.cards)]
            for order in orders
        ]

    def types(self, stage: int, board: tuple[int, ...]) -> np.ndarray:
        """[hands] the private card, then the private and the public card."""
        card = np.arange(self.cards)
        return card if stage == 0 else card * (self.cards - 1) + board[0] - (board[0] > card)

    def strength(self, board: tuple[int, ...]) -> np.ndarray:
        """[hands] a pair beats all else, then the rank counts."""
        rank = np.arange(self.cards) // self.suits
        return np.where(rank == board[0] // self.suits, rank + self.ranks, rank)


class ByRank(NamedTuple):
    """Leduc hold'em without suits: the same game with 288 information sets in place of 936."""

    def view(self, game, state, player):
        key, line = np.int64(1), state[LINE]
        if state[PRIVATE + player] != UNDEALT:
            key = key * RANKS + state[PRIVATE + player] // game.suits
        for shift in range(highest(line) - 2, -1, -2):
            word = line >> shift & 3
            if word:
                key = key * BET_RADIX + word - 1
            elif state[PUBLIC] != UNDEALT:
                key = key * RANKS + state[PUBLIC] // game.suits
        return key
