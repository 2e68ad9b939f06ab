"""The kinds of flops: those that differ only by an exchange of suits are one kind, and there are 1,755.

`kinds()` lists them with how many flops each stands for, 22,100 in all. `subset(count)` takes a part of them that has the
textures in their true shares: the kinds are put in order by

    no pair, a pair, three of a rank | three suits, two, one | the highest rank | how far the ranks are apart | the others

and the list is cut into `count` parts of equal weight. The kind in the middle of each part stands for it, so all have the
same weight. A kind that is the middle of several parts is taken once, with the weight of all these.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from ...errors import Invalid
from ..holdem.cards import spelled
from .ranges import CARDS, SUITS, held

KINDS, FLOPS = 1755, 22_100


class Flop(NamedTuple):
    """A kind of flops, or one that stands for others."""

    board: str  # one of them: AsKs2d
    weight: float  # for how many of the 22,100 it stands


@functools.cache
def kinds() -> tuple[Flop, ...]:
    """All kinds, in the order of their textures."""
    counted: dict[tuple[int, ...], int] = {}
    orders = [np.array(order) for order in itertools.permutations(range(SUITS))]
    met: dict[tuple[int, ...], tuple[int, ...]] = {}
    for cards in itertools.combinations(range(CARDS), 3):
        if cards not in met:
            rank, suit = np.array(cards) // SUITS, np.array(cards) % SUITS
            for order in orders:
                met[tuple(sorted((rank * SUITS + order[suit]).tolist()))] = cards
        counted[met[cards]] = counted.get(met[cards], 0) + 1
    ordered = sorted(counted, key=_texture)
    return tuple(Flop(spelled_board(cards), float(counted[cards])) for cards in ordered)


def subset(count: int) -> list[Flop]:
    """So many kinds that have the textures in their true shares, each with its weight; at most all."""
    if not 1 <= count <= KINDS:
        raise Invalid(f"there are {KINDS:,} kinds of flops: take 1 to {KINDS:,} of them, not {count:,}")
    if count == KINDS:
        return list(kinds())
    ends = np.cumsum([flop.weight for flop in kinds()])
    part = FLOPS / count
    middle = np.searchsorted(ends, (np.arange(count) + 0.5) * part)
    return [Flop(kinds()[i].board, part * int((middle == i).sum())) for i in np.unique(middle)]


def alike(weights: np.ndarray) -> bool:
    """Whether a range has the same weight for all hands that differ only by an exchange of suits."""
    low, high = held()[:, 0], held()[:, 1]
    suited = low % SUITS == high % SUITS
    kind = (low // SUITS * 13 + high // SUITS) * 2 + suited
    first = np.full(kind.max() + 1, np.nan)
    first[kind] = weights
    return bool((weights == first[kind]).all())


def kind_of(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The first of the flops of one kind, which stands for them."""
    return min(
        tuple(sorted(card // SUITS * SUITS + order[card % SUITS] for card in cards))
        for order in itertools.permutations(range(SUITS))
    )


def spelled_board(cards: tuple[int, ...]) -> str:
    """The cards of a flop as a text, the highest first."""
    return "".join(spelled(card, 13, SUITS) for card in sorted(cards, reverse=True))


def _texture(cards: tuple[int, ...]) -> tuple:
    ranks = sorted((card // SUITS for card in cards), reverse=True)
    suits = [card % SUITS for card in cards]
    return (-len(set(ranks)), -len(set(suits)), -ranks[0], ranks[0] - ranks[2], -ranks[1], -ranks[2], cards)
