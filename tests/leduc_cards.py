"""Leduc hold'em's cards for tests of the public tree."""

import itertools

import numpy as np


class LeducCards:
    """Leduc's cards, with a type for each private and public card."""

    hole, dealt = 1, (0, 1)

    def __init__(self, game, symmetries=None):
        self.game, self.cards = game, game.ranks * game.suits
        self.symmetries = symmetries or [range(self.cards)]

    def types(self, stage, board):
        card = np.arange(self.cards)
        return card if stage == 0 else card * (self.cards - 1) + board[0] - (board[0] > card)

    def strength(self, board):
        rank = np.arange(self.cards) // self.game.suits
        return np.where(rank == board[0] // self.game.suits, rank + self.game.ranks, rank)


def swaps(game):
    """The permutations of Leduc's suits."""
    suits, cards = game.suits, range(game.ranks * game.suits)
    orders = itertools.permutations(range(suits))
    return [[card // suits * suits + order[card % suits] for card in cards] for order in orders]
