"""Limit hold'em: evaluations a second, tables of hand strength, chance-sampled CFR on 5 buckets.

Hands are evaluated in two ways: all sevens that begin with the same two cards, one after the other, as tables do; and random
hands, where no branch can be foreseen. The peer evaluates the same random hands one call at a time, from Python, as it is
meant to be used. The seconds are the processor's.
"""

import time

import numpy as np

from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.games.holdem.cards import bit, strength
from fogtree.games.holdem.strength import make_strengths
from fogtree.kernels import kernel
from fogtree.solvers.public.betting import betting_tree, nested
from fogtree.solvers.public.chance_sampled import ChanceSampled
from row import Row, one_core, rates

LONG = True  # the tables of the full deck and the cuts between buckets take minutes
EVALUATIONS = 100e6  # bar, a second
TABLES = 180  # bar, seconds
ITERATIONS = 30_000  # bar, a second
SETTLED = 2_000_000  # iterations before the clock starts: by then most of the tree is left out
HANDS = 200_000


@kernel
def enumerate_hands(word, a, b):
    """The sum of the strengths of all seven-card hands with these two highest cards."""
    total, pair = 0, word[a] | word[b]
    for c in range(b):
        for d in range(c):
            four = pair | word[c] | word[d]
            for e in range(d):
                for f in range(e):
                    six = four | word[e] | word[f]
                    for g in range(f):
                        total += strength(six | word[g])
    return total


@kernel
def evaluate(hands):
    total = 0
    for i in range(hands.shape[0]):
        total += strength(hands[i])
    return total


def beside(ours: float, theirs: float) -> Row:
    return Row("  beside eval7, called from Python", ours, theirs, ours / theirs, None, "hands/s", "eval7, C")


def measure() -> list[Row]:
    import eval7

    word = np.array([bit(card, 4) for card in range(52)])
    cards = np.random.default_rng(1).random((HANDS, 52)).argsort(axis=1)[:, :7]
    hands = np.bitwise_or.reduce(word[cards], axis=1)
    deck = [eval7.Card("23456789TJQKA"[card // 4] + "cdhs"[card % 4]) for card in range(52)]
    theirs = [[deck[card] for card in hand] for hand in cards[:20_000].tolist()]

    def enumerating():
        enumerate_hands(word, 40, 39)
        return 39 * 38 * 37 * 36 * 35 // 120  # the sets of five cards below the second

    def at_random():
        evaluate(hands)
        return HANDS

    def peer():
        for hand in theirs:
            eval7.evaluate(hand)
        return len(theirs)

    found = rates({"enumerating": enumerating, "random": at_random, "peer": peer})
    rows = [
        Row("evaluations, enumerating", found["enumerating"], bar=EVALUATIONS, unit="hands/s"),
        Row("evaluations, random hands", found["random"], bar=EVALUATIONS, unit="hands/s"),
        beside(found["random"], found["peer"]),
    ]
    game = Holdem()
    with one_core():
        make_strengths(Holdem(5, 4))  # compiles
        start = time.process_time()
        make_strengths(game)
        rows.append(Row("tables of hand strength", time.process_time() - start, bar=TABLES, unit="s", at_most=True))
    buckets = Buckets(game, 5)
    cfr = ChanceSampled(betting_tree(game), nested(5, game.rounds), buckets.dealer(), seed=1)
    cfr.run(iterations=SETTLED)

    def sampling():
        cfr.run(iterations=5_000)
        return 5_000

    rate = rates({"ours": sampling})["ours"]
    rows.append(Row("chance-sampled CFR, 5 buckets", rate, bar=ITERATIONS, unit="iterations/s"))
    return rows
