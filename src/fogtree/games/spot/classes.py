"""What poker players call a hand on a board: what it has made, and what it draws to.

**Made**, the first that fits. Below a straight, what lies on the board alone is nobody's: on a board with a pair, a hand is
called by what its own cards add.

    straight flush, four of a kind, full house, flush, straight
    set, trips          three of a kind with a pair in the hand, or with one card of the hand
    two pair            both cards of the hand pair the board
    overpair            a pair in the hand above all cards of the board
    top pair, middle pair, low pair     one card of the hand pairs the highest card of the board, one between, the lowest
    underpair           a pair in the hand below the highest card of the board
    ace high, nothing

**Draws**, before the river, of hands below a flush, or below a straight:

    flush draw          four cards of one suit, at least one of them in the hand
    open-ended          two or more ranks make a straight that the board alone would not have; so do double gutshots
    gutshot             one rank does
    combo draw          a flush draw and a straight draw
    no draw
"""

from typing import NamedTuple

import numpy as np

from ..holdem.cards import CATEGORY, FLUSH, FOUR, FULL_HOUSE, STRAIGHT, STRAIGHT_FLUSH, straights
from .ranges import HANDS, SUITS, class_of, held

RANKS, ACE = 13, 12
BEST = {
    STRAIGHT_FLUSH: "straight flush",
    FOUR: "four of a kind",
    FULL_HOUSE: "full house",
    FLUSH: "flush",
    STRAIGHT: "straight",
}
MADE = (
    *BEST.values(),
    "set",
    "trips",
    "two pair",
    "overpair",
    "top pair",
    "middle pair",
    "underpair",
    "low pair",
    "ace high",
    "nothing",
)
DRAWS = ("combo draw", "flush draw", "open-ended", "gutshot", "no draw")
RIVER = 5


class Sorts(NamedTuple):
    """The hands of a board, sorted."""

    names: tuple[str, ...]  # the best first
    number: (
        np.ndarray
    )  # [hands] of the sort; what stands there for hands that share a card with the board does not matter


def made_hands(board: tuple[int, ...], strength: np.ndarray) -> Sorts:
    """What the hands have made; `strength` is that of each hand with the board."""
    number = np.zeros(HANDS, np.int64)
    for hand in _possible(board):
        number[hand] = MADE.index(_made(held()[hand].tolist(), board, int(strength[hand]) >> CATEGORY))
    return Sorts(MADE, number)


def draws(board: tuple[int, ...], strength: np.ndarray) -> Sorts:
    """What the hands draw to. On a river there are no draws."""
    number = np.full(HANDS, DRAWS.index("no draw"))
    if len(board) < RIVER:
        for hand in _possible(board):
            number[hand] = DRAWS.index(_draw(held()[hand].tolist(), board, int(strength[hand]) >> CATEGORY))
    return Sorts(DRAWS, number)


def starting_hands() -> Sorts:
    """The 169 kinds: AA, AKs, T9o."""
    called = [class_of(hand) for hand in range(HANDS)]
    names = tuple(sorted(set(called)))
    place = {name: i for i, name in enumerate(names)}
    return Sorts(names, np.array([place[name] for name in called]))


def _possible(board: tuple[int, ...]) -> list[int]:
    return np.flatnonzero(~np.isin(held(), board).any(axis=1)).tolist()


def _made(hand: list[int], board: tuple[int, ...], category: int) -> str:
    if category in BEST:
        return BEST[category]
    first, second = (card // SUITS for card in hand)
    lying = [card // SUITS for card in board]
    top, low = max(lying), min(lying)
    if first == second:
        return "set" if first in lying else "overpair" if first > top else "underpair"
    paired = [rank for rank in (first, second) if rank in lying]
    if any(lying.count(rank) == 2 for rank in paired):
        return "trips"
    if len(paired) == 2:
        return "two pair"
    if paired:
        return "top pair" if paired[0] == top else "low pair" if paired[0] == low else "middle pair"
    return "ace high" if ACE in (first, second) else "nothing"


def _draw(hand: list[int], board: tuple[int, ...], category: int) -> str:
    suits = [card % SUITS for card in (*hand, *board)]
    flush = category < FLUSH and any(suits.count(suit) == 4 for suit in {card % SUITS for card in hand})
    straight = _straightening(hand, board) if category < STRAIGHT else 0
    if flush:
        return "combo draw" if straight else "flush draw"
    return "open-ended" if straight > 1 else "gutshot" if straight else "no draw"


def _straightening(hand: list[int], board: tuple[int, ...]) -> int:
    """How many ranks make a straight that the board with this rank would not have, or a higher one."""
    lying = sum({1 << card // SUITS for card in board})
    both = lying | sum({1 << card // SUITS for card in hand})
    return sum(_highest(both | 1 << rank) > _highest(lying | 1 << rank) for rank in range(RANKS))


def _highest(ranks: int) -> int:
    """How high the highest straight among some ranks is; 0 for none."""
    return int(straights(ranks)).bit_length()
