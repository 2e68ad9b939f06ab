"""Poker hands: the counts of their categories, and their order beside that of other evaluators."""

import itertools
from collections import Counter

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.games.holdem.cards import bit, card_of, category, spelled, strength
from fogtree.kernels import kernel

WORD = np.array([bit(card, 4) for card in range(52)])
# straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, a pair, high card
OF_FIVE = (40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
OF_SEVEN = (41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)


def hand_of(text, ranks=13, suits=4):
    """The set of the cards that a text names, as in "Ah Kd 9c"."""
    return np.bitwise_or.reduce([bit(card_of(word, ranks, suits), suits) for word in text.split()])


@kernel
def all_fives(word, out):
    n = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = word[a] | word[b] | word[c] | word[d]
                    for e in range(d):
                        out[n] = strength(four | word[e])
                        n += 1


@kernel
def all_sevens(word, count):
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = word[a] | word[b] | word[c] | word[d]
                    for e in range(d):
                        for f in range(e):
                            six = four | word[e] | word[f]
                            for g in range(f):
                                count[strength(six | word[g]) >> 26] += 1


@kernel
def each(word, out):
    for n in range(word.shape[0]):
        out[n] = strength(word[n])


def strengths(cards):
    """[hands] of cards [hands, 5 to 7]"""
    word = np.bitwise_or.reduce(WORD[cards], axis=1)
    out = np.zeros_like(word)
    each(word, out)
    return out


def test_five_cards_make_7462_different_hands_in_nine_categories():
    # the counts are in every book on poker, and 7,462 is Cactus Kev's number of classes
    out = np.zeros(2_598_960, np.int64)
    all_fives(WORD, out)
    assert len(np.unique(out)) == 7_462
    assert tuple(np.bincount(out >> 26)[::-1]) == OF_FIVE


@pytest.mark.slow  # seconds here, but a minute where many programs run
def test_all_seven_card_hands_fall_into_the_known_categories():
    count = np.zeros(9, np.int64)
    all_sevens(WORD, count)
    assert tuple(count[::-1]) == OF_SEVEN


def plain(cards):
    """A slow evaluator of another kind: the best of all sets of five, by counting ranks."""
    return max(map(plain_five, itertools.combinations(cards, 5)))


def plain_five(cards):
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda pair: (-pair[1], -pair[0]))
    shape, order = tuple(count for _, count in groups), tuple(rank for rank, _ in groups)
    flush = len({card % 4 for card in cards}) == 1
    wheel = ranks == [12, 3, 2, 1, 0]
    run = wheel or (len(groups) == 5 and ranks[0] - ranks[4] == 4)
    order = (3,) if wheel else order
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 8 if flush and run else 5 if flush else 4 if run else kinds[shape]
    return kind, order


def deals(count, cards, seed):
    return np.random.default_rng(seed).random((count, 52)).argsort(axis=1)[:, :cards]


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_hands_are_ordered_as_by_a_plain_evaluator(cards):
    dealt = deals(3_000, cards, seed=cards)
    ours, theirs = strengths(dealt), [plain(hand) for hand in dealt.tolist()]
    assert [value >> 26 for value in ours.tolist()] == [kind for kind, _ in theirs]
    for i in range(0, 3_000, 2):
        assert (ours[i] > ours[i + 1]) == (theirs[i] > theirs[i + 1])
        assert (ours[i] == ours[i + 1]) == (theirs[i] == theirs[i + 1])


def test_a_hundred_thousand_pairs_are_ordered_as_by_phevaluator():
    evaluate = pytest.importorskip("phevaluator").evaluate_cards
    board = deals(100_000, 9, seed=3)
    first, second = board[:, [0, 1, 4, 5, 6, 7, 8]], board[:, 2:]
    ours = np.sign(strengths(first) - strengths(second))
    assert set(ours.tolist()) == {-1, 0, 1}
    theirs = [evaluate(*b) - evaluate(*a) for a, b in zip(first.tolist(), second.tolist(), strict=True)]  # 1 is best
    assert ours.tolist() == np.sign(theirs).tolist()


@pytest.mark.parametrize(
    "better, worse",
    [
        ("Ah 2c 3d 4s 5h", "As Ac Ad Kh 2c"),  # the wheel is a straight, above three aces
        ("2c 3d 4s 5h 6h", "Ah 2c 3d 4s 5h"),  # and the lowest of straights
        ("Ah Kh Qh Jh 9h", "As Kc Qd Jh Tc"),
        ("2h 2c 2d 3s 3h", "Ah Kh Qh Jh 9h"),
        ("Ah Ac Kd Ks Qh Qc Jd", "Ah Ac Kd Ks Jh Tc 9d"),  # of three pairs the third gives the fifth card
        ("Ah Ac Ad Ks Kh Kc 2d", "Ah Ac Ad Qs Qh Kc 2d"),  # three and three make a full house
        ("9h 9c 9d 9s Kh Kc Kd", "9h 9c 9d 9s Qh Qc Qd"),
        ("Ah Ac", "Kh Ks"),  # fewer than five cards
        ("2h 2c", "Ah Kh"),
        ("Ah Ac Kd Kc", "Ah Ac Qd Qc"),
    ],
)
def test_the_better_hand_is_stronger(better, worse):
    assert strength(hand_of(better)) > strength(hand_of(worse))


def test_cards_that_do_not_count_make_no_difference():
    board = "Ah Kh Qh Jh Th"
    assert strength(hand_of(f"{board} 2c 2d")) == strength(hand_of(f"{board} As Ac"))
    assert strength(hand_of("Ac Ad Kh Ks Qc Qd 3h")) == strength(hand_of("Ac Ad Kh Ks Qc 4d 5c"))  # a third pair
    assert strength(hand_of("Ac Ad Kh Ks Qc 2d 3h")) == strength(hand_of("Ac Ad Kh Ks Qd 4d 5c"))


def test_a_short_deck_has_no_straight_from_the_ace_up():
    # nine to ace: in a deck without deuces the ace is high only
    assert category(strength(hand_of("As 9c Td Jh Qs", 6, 4))) == "high card"
    assert category(strength(hand_of("9c Td Jh Qs Kc", 6, 4))) == "a straight"


def test_a_card_is_read_as_it_is_written():
    for ranks, suits in ((13, 4), (3, 2), (5, 4)):
        for card in range(ranks * suits):
            assert card_of(spelled(card, ranks, suits), ranks, suits) == card
    assert (spelled(0, 13, 4), spelled(51, 13, 4), spelled(0, 3, 2)) == ("2c", "As", "Qc")
    with pytest.raises(Invalid, match="'2c' is no card of this deck: write one of QKA and one of cd, as in 9h"):
        card_of("2c", 3, 2)


def test_interpreted_and_compiled_agree():
    for hand in deals(200, 7, seed=5):
        word = np.bitwise_or.reduce(WORD[hand])
        assert strength(int(word)) == strengths(hand[None])[0]
