"""Sets of cards as one word, and which of two poker hands is better.

A card is a number, rank * suits + suit, from the lowest rank up. A set of cards is a 64-bit word of four lanes of 16 bits,
one for each suit: a card is bit 16 * suit + rank. Two sets are joined by `|`, so a hand grows card by card.

**Strength.** Ranks that the hand has once, twice, three times and four times are found by a few operations on the lanes, all
ranks at once; the highest and the lowest bit of a word are one instruction each. So no table is needed, and nothing pushes
the data of a search out of the cache. The strength of a hand is a number

    category << 26  |  the ranks that make the category << 13  |  the other ranks that count

with ranks as bits, so the larger number is the better hand, and equal numbers split the pot. Of more than five cards the best
five count; fewer cards may be compared as well. The ace also counts as the rank below the deuce in a straight. A deck with
fewer than thirteen ranks keeps the highest ones, has no deuce, and so has no such straight.

With at most seven cards, a flush leaves room neither for four of a kind nor for a full house. Where a hand has one pair,
three of a kind or neither, each card beyond the fifth is one rank too many, and the lowest ranks go.
"""

import numpy as np

from ...errors import Invalid
from ...kernels.bits import count, highest

LANE, RANKS = 16, 0x1FFF  # bits of a lane | the thirteen ranks in it
CATEGORY, MAIN = 26, 13  # where these parts of a strength begin
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
CATEGORIES = (
    "high card",
    "a pair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
    "a straight flush",
)
RANK_LETTERS, SUIT_LETTERS = "23456789TJQKA", "cdhs"


def bit(card, suits):
    """The set of one card."""
    return np.int64(1) << (LANE * (card % suits) + card // suits)


def best(ranks):
    """The highest of some ranks, as a bit; nothing of nothing."""
    return (np.int64(1) << highest(ranks | 1)) & ranks


def without_lowest(ranks, spare):
    """Some ranks without the lowest one or two."""
    fewer = ranks & (ranks - 1)
    fewest = fewer & (fewer - 1)
    return fewest if spare > 1 else fewer if spare > 0 else ranks


def straights(ranks):
    """The straights among some ranks: the lowest rank of each as a bit, one place higher than usual."""
    low = ranks << 1 | ranks >> 12  # the ace stands at both ends
    low &= low >> 1
    return low & low >> 2 & low >> 3


def strength(hand):
    """How good a set of at most seven cards is: the larger, the better."""
    a, b, c, d = hand & RANKS, hand >> LANE & RANKS, hand >> 2 * LANE & RANKS, hand >> 3 * LANE
    once = a | b | c | d
    twice = a & b | c & d | (a | b) & (c | d)
    thrice = a & b & (c | d) | c & d & (a | b)
    suited = (count(a) > 4) | (count(b) > 4) | (count(c) > 4) | (count(d) > 4)
    spare = count(hand) - 5
    if suited | (straights(once) > 0) | (thrice > 0):  # one hand of seven, so that this branch is seldom mispredicted
        return rare(a, b, c, d, once, twice, thrice, spare)
    # none, one or two pairs, without a branch: the three differ in how many ranks make the category and how many others count
    pairs = count(twice)
    main = twice & (twice - 1) if pairs > 2 else twice
    rest = once ^ main
    others = best(rest) if pairs > 1 else without_lowest(rest, spare)
    return min(pairs, 2) << CATEGORY | main << MAIN | others


def rare(a, b, c, d, once, twice, thrice, spare):
    """The strength of a hand with three of a kind, a straight, a flush or better."""
    suited = a if count(a) > 4 else b if count(b) > 4 else c if count(c) > 4 else d if count(d) > 4 else 0
    if suited:
        run = best(straights(suited))
        return (
            STRAIGHT_FLUSH << CATEGORY | run if run else FLUSH << CATEGORY | without_lowest(suited, count(suited) - 5)
        )
    if thrice:
        four = a & b & c & d
        if four:
            return FOUR << CATEGORY | four << MAIN | best(once ^ four)
        three = best(thrice)
        if twice ^ three:
            return FULL_HOUSE << CATEGORY | three << MAIN | best(twice ^ three)
    run = best(straights(once))
    if run:
        return STRAIGHT << CATEGORY | run
    return THREE << CATEGORY | thrice << MAIN | without_lowest(once ^ thrice, spare)


# --- for people ---


def category(value: int) -> str:
    """What a hand of this strength is called."""
    return CATEGORIES[int(value) >> CATEGORY]


def spelled(card: int, ranks: int, suits: int) -> str:
    """A card as people write it: 9h, As."""
    rank, suit = divmod(int(card), suits)
    return RANK_LETTERS[rank - ranks] + SUIT_LETTERS[suit]


def card_of(text: str, ranks: int, suits: int) -> int:
    """The card that a text names."""
    letters = RANK_LETTERS[-ranks:]
    if len(text) == 2 and text[0].upper() in letters and text[1].lower() in SUIT_LETTERS[:suits]:
        return letters.index(text[0].upper()) * suits + SUIT_LETTERS.index(text[1].lower())
    raise Invalid(
        f"'{text}' is no card of this deck: write one of {letters} and one of {SUIT_LETTERS[:suits]}, as in 9h"
    )
