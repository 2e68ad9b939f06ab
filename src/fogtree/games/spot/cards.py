"""A spot's cards, ranges and betting as solvers ask for them (`solvers/public/cards.py`)."""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ...game import NONE, OVER
from ..holdem.cards import bit
from ..holdem.deck import strengths
from .classes import Sorts, draws, made_hands, starting_hands
from .ranges import CARDS, SUITS, hand_number, held, read_cards

RIVER = 5


class Told(NamedTuple):
    """The betting as `solvers/public/betting.py` orders it. Stages are streets."""

    player: np.ndarray  # [nodes]
    stage: np.ndarray
    parent: np.ndarray
    action: np.ndarray
    shown: np.ndarray  # [nodes] whether it is a showdown
    scale: np.ndarray  # [nodes] player 0's payoff at a fold, the stake at a showdown, without a rake
    pay: (
        np.ndarray
    )  # [nodes, player, 3] what an end pays by what is weaker, by what is not stronger, and by all that is met


class SpotCards:
    """The deck of a spot."""

    hole, cards = 2, CARDS

    def __init__(self, game: Any):
        self.game = game
        self.board = tuple(int(card) for card in game.board if card >= 0)
        self.dealt = (0, *[1] * (RIVER - len(self.board)))
        self.ranges, self.pot = game.weight, float(game.pot)
        self.symmetries = [order for order in _orders() if self._alike(order)]
        single = np.array([bit(card, SUITS) for card in range(CARDS)], np.int64)
        self.sets = single[held()[:, 0]] | single[held()[:, 1]]
        self._strength = np.zeros(len(self.sets), np.int64)
        self._sorts: dict[tuple[int, ...], dict[str, Sorts]] = {}

    def _alike(self, order: list[int]) -> bool:
        """Whether an exchange of suits changes neither the board nor the ranges."""
        moved = np.sort(np.array(order)[held()], axis=1)
        moved = moved[:, 0] * (2 * CARDS - moved[:, 0] - 1) // 2 + moved[:, 1] - moved[:, 0] - 1
        same = {order[card] for card in self.board[:3]} == set(self.board[:3])
        same &= all(order[card] == card for card in self.board[3:])
        return same and all(np.array_equal(row[moved], row) for row in self.ranges)

    def types(self, stage: int, board: tuple[int, ...]) -> np.ndarray:
        """[hands] all differ."""
        return np.arange(len(self.sets))

    def strength(self, board: tuple[int, ...]) -> np.ndarray:
        """[hands] the strengths on a whole board. The array is written anew at the next call."""
        public = np.int64(0)
        for card in board:
            public |= bit(card, SUITS)
        strengths(self.sets, public, self._strength)
        return self._strength

    def sorts(self, board: tuple[int, ...]) -> dict[str, Sorts]:
        """What players call the hands on a board: what they have made, what they draw to, what they were at first."""
        if board not in self._sorts:
            strength = self.strength(board)
            found = {"made": made_hands(board, strength), "draw": draws(board, strength), "start": starting_hands()}
            self._sorts = {board: found}  # the last board is asked for again and again
        return self._sorts[board]

    def where(self, state: Any) -> tuple[list[int], list[int], list[int]]:
        """The betting so far, the cards that were dealt, and the hands."""
        line, lying, hands = self.game.where(state)
        return line, lying[len(self.board) :], hands

    def read(self, text: str) -> list[int]:
        """The cards that a text names."""
        return read_cards(text)

    def deal(self, hands: Any, public: list[int]) -> list[int]:
        """The actions of chance that deal these hands and the rest of the board."""
        return [hand_number(*hand) for hand in hands] + list(public)

    def betting(self) -> Told:
        """The betting of the game."""
        game = self.game
        over, shown = game.mover == OVER, (game.mover == OVER) & (game.folded == NONE)
        stage = np.minimum(game.need, RIVER) - len(self.board)
        for n in np.flatnonzero(over):  # an end belongs to the street of what was done last
            stage[n] = stage[game.parent[n]]
        stake = 0.5 * game.pot + game.paid
        taken = np.minimum(2 * stake * game.rake, game.cap)
        pay = np.zeros((len(stake), 2, 3))
        for player in (0, 1):
            win, tie, lose = stake - taken, -0.5 * taken, -stake
            folded = np.where(game.folded == player, lose, win)
            pay[:, player, 0] = np.where(shown, win - tie, 0.0)
            pay[:, player, 1] = np.where(shown, tie - lose, 0.0)
            pay[:, player, 2] = np.where(shown, lose, folded)
        pay[~over] = 0.0
        scale = np.where(shown, stake, np.where(game.folded == 0, -stake, stake)) * over
        numbers = np.arange(len(stake))
        action = np.where(game.parent == NONE, NONE, numbers - game.first[game.parent])
        return Told(game.mover, stage, game.parent, action, shown, scale, pay)


def _orders() -> list[list[int]]:
    """The exchanges of suits, as permutations of the cards; the first is the identity."""
    return [
        [card // SUITS * SUITS + order[card % SUITS] for card in range(CARDS)]
        for order in itertools.permutations(range(SUITS))
    ]
