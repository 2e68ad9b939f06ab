"""What each of the 169 kinds of starting hands wins against each other when both are all in before the flop: exactly.

The table comes with the package as `all_in.npz`, and is made again in 15 seconds of one core by

    python -m fogtree.games.preflop.all_in FILE.npz

**How it is made.** Of the 2,598,960 boards one of each kind is taken, with how many it stands for: boards that differ only by
an exchange of suits give the same counts by kinds of hands. On a board the hands are gone through from the weakest on, with
T[j] the hands of kind j so far and C[x, j] those of them with card x. Then the hand {x, y} beats T - C[x] - C[y] of each
kind.

Kinds are numbered as in the grid that players know, row by row: pairs on the diagonal, suited hands above it.
"""

import functools
import itertools
import pathlib
import sys

import numpy as np

from ...files import appearing
from ...kernels import kernel
from ..holdem.cards import bit, strength
from ..spot.ranges import CARDS, HANDS, SUITS, class_of, held

KINDS, RANKS = 169, 13
BOARDS = 1_712_304  # that leave two given hands: 48 cards, five of them
FILE = pathlib.Path(__file__).parent / "all_in.npz"
LANES, LANE = 4, 16  # of a set of cards as a word


def kind_of() -> np.ndarray:
    """[hands] the number of a hand's kind."""
    low, high = held()[:, 0], held()[:, 1]
    first, second = RANKS - 1 - high // SUITS, RANKS - 1 - low // SUITS  # rows and columns begin with the ace
    suited = low % SUITS == high % SUITS
    return np.where(suited, first * RANKS + second, second * RANKS + first)


@functools.cache
def names() -> tuple[str, ...]:
    """[kinds] AA, AKs, ..."""
    found = [""] * KINDS
    for hand, kind in enumerate(kind_of().tolist()):
        found[kind] = class_of(hand)
    return tuple(found)


@functools.cache
def pairs() -> np.ndarray:
    """[kinds, kinds] how many pairs of hands of these kinds share no card."""
    kind, cards, found = kind_of(), held(), np.zeros((KINDS, KINDS), np.int64)
    for a in range(HANDS):
        apart = ~np.isin(cards, cards[a]).any(axis=1)
        found[kind[a]] += np.bincount(kind[apart], minlength=KINDS)
    return found


@functools.cache
def equity() -> np.ndarray:
    """[kinds, kinds] the share of the pot that the kind of the row wins on average."""
    won = np.load(FILE)["won"].astype(np.int64)
    whole = pairs() * BOARDS
    tied = whole - won - won.T
    return (won + 0.5 * tied) / np.maximum(whole, 1)


def counted() -> np.ndarray:
    """[kinds, kinds] how many pairs of hands and boards the kind of the row wins."""
    single = np.array([int(bit(card, SUITS)) for card in range(CARDS)], np.int64)
    orders = np.array(list(itertools.permutations(range(SUITS))), np.int64)
    cards = held()
    won = np.zeros((KINDS, KINDS), np.int64)
    sets = single[cards[:, 0]] | single[cards[:, 1]]
    for first in range(CARDS - 4):
        count_boards(first, single, orders, sets, cards, kind_of(), won)
    return won


@kernel
def count_boards(first, single, orders, sets, cards, kind, won):
    """The boards whose lowest card is `first`. `won` is added to."""
    order, value = np.zeros(sets.shape[0], np.int64), np.zeros(sets.shape[0], np.int64)
    live = np.zeros(sets.shape[0], np.int64)
    total, by_card = np.zeros(KINDS, np.int32), np.zeros((CARDS, KINDS), np.int32)
    for b in range(first + 1, CARDS):
        for c in range(b + 1, CARDS):
            for d in range(c + 1, CARDS):
                for e in range(d + 1, CARDS):
                    board = single[first] | single[b] | single[c] | single[d] | single[e]
                    weight = stands_for(board, orders)
                    if weight > 0:
                        count = 0
                        for h in range(sets.shape[0]):
                            if sets[h] & board == 0:
                                live[count] = h
                                value[count] = strength(sets[h] | board)
                                count += 1
                        order[:count] = np.argsort(value[:count])
                        count_hands(order, value, live, count, cards, kind, weight, total, by_card, won)


def stands_for(board, orders):
    """How many boards this one stands for: 0 unless it is the least of its kind."""
    same = 0
    for o in range(orders.shape[0]):
        moved = np.int64(0)
        for suit in range(LANES):
            moved |= (board >> (LANE * suit) & 0x1FFF) << (LANE * orders[o, suit])
        if moved < board:
            return 0
        same += moved == board
    return orders.shape[0] // same


def count_hands(order, value, live, count, cards, kind, weight, total, by_card, won):
    for j in range(KINDS):
        total[j] = 0
    for x in range(by_card.shape[0]):
        for j in range(KINDS):
            by_card[x, j] = 0
    i = 0
    while i < count:
        end = i
        while end < count and value[order[end]] == value[order[i]]:
            h = live[order[end]]
            beaten(won, kind[h], total, by_card, cards[h, 0], cards[h, 1], weight)
            end += 1
        for k in range(i, end):
            h = live[order[k]]
            total[kind[h]] += 1
            by_card[cards[h, 0], kind[h]] += 1
            by_card[cards[h, 1], kind[h]] += 1
        i = end


def beaten(won, mine, total, by_card, x, y, weight):
    for j in range(KINDS):
        won[mine, j] += weight * (total[j] - by_card[x, j] - by_card[y, j])


def main(path: str) -> None:
    """Make the table and write it."""
    won = counted()
    with appearing(path) as file:
        np.savez_compressed(file, won=won.astype(np.int32))


if __name__ == "__main__":
    main(sys.argv[1])
