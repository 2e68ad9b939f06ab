"""Hold'em's cards as the machinery of public cards asks for them (`solvers/public/cards.py`): all hands of a board at once.

`Deck(game)` knows the strengths of all hands on a board, and which permutations of the cards change nothing: those of the
suits. `types` tells how a player sorts hands: a function of the round and of the board that gives the type of each hand. With
buckets it is the number of their sequence (`buckets.py`); without, each hand is a type of its own, whatever the board is.
"""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...kernels import kernel
from ...kernels.lanes import CPU
from ...walk.slices import Watcher
from .cards import bit, strength

Types = Callable[[int, tuple[int, ...]], np.ndarray]


class Deck:
    """The cards of a game of hold'em, and how a player sorts hands into types."""

    earlier = (1,)  # version 2 of the rules has other views, and the same cards and betting

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

    def buckets(self, k: int, progress: Watcher | None = None, device: str = CPU) -> Any:
        """The hands in k buckets a round; tables and cuts come from the cache folder or are made and kept there."""
        from .buckets import Buckets  # not on top: it is made of decks

        return Buckets(self.game, k, progress=progress, device=device)

    def types(self, stage: int, board: tuple[int, ...]) -> np.ndarray:
        """[hands] the types at a stage."""
        return np.arange(len(self.sets)) if self.sort is None else self.sort(stage, board)

    def in_lanes(self) -> Any:
        """The same for one hand at a time, as lanes ask for it (`LaneCards` in `solvers/public/cards.py`)."""
        plain = PlainHands(self.game.suits, self.sets)
        return plain if self.sort is None else self.sort.in_lanes(plain)  # type: ignore[attr-defined]

    def strength(self, board: tuple[int, ...]) -> np.ndarray:
        """[hands] the strengths on a whole board; a hand that shares a card with it gets a number that means nothing. The
        array is written anew at the next call."""
        public = np.int64(0)
        for card in board:
            public |= bit(card, self.game.suits)
        strengths(self.sets, public, self._strength)
        return self._strength


class PlainHands(NamedTuple):
    """Hands of which each is a type of its own, for lanes. A board is a set of cards as one word."""

    suits: int
    sets: np.ndarray  # [hands]

    def join(self, board, card):
        return board | bit(card, self.suits)

    def blocked(self, board, hand):
        return board & self.sets[hand] != 0

    def follow(self, stage, board, before, hand):
        return hand

    def strength(self, board, hand):
        return strength(board | self.sets[hand])


@kernel
def strengths(sets, public, out):
    for h in range(sets.shape[0]):
        out[h] = strength(sets[h] | public)
