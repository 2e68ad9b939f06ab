"""IS-MCTS with regret matching on hidden Goofspiel, written by hand for this one game and this one bandit: no seams.

It shows what the general search (`search/trees/ismcts.py`) pays for taking any game, bandit, prior and judge. It is the same
search: with the same seed it draws the same random numbers and has the same strategy in the end, which `check` proves.
"""

import numba
import numpy as np

import fogtree
from fogtree import dice
from fogtree.bandits import RegretMatching
from fogtree.search.trees.ismcts import ISMCTS

CARDS, GAMMA = 6, 0.1
WIDE = 2 * CARDS  # words of a set: regrets, then sums of strategies
SETS = 1 << 17  # the game has fewer; twice as many slots
SPREAD = np.uint64(0x9E3779B97F4A7C15)
draw = numba.njit(inline="always")(dice.draw)


@numba.njit(inline="always")
def below(random, count):
    """As `dice.below`; a number below 7 never has to be drawn again, or once in hundreds of millions."""
    return np.int64(((draw(random) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@numba.njit(inline="always")
def card_at(hand, position):
    """The card at a position of a hand."""
    for _ in range(position):
        hand &= hand - 1
    return size((hand & -hand) - 1)


@numba.njit(inline="always")
def size(hand):
    """The number of cards."""
    hand = hand - ((hand >> 1) & 0x55)
    hand = (hand & 0x33) + ((hand >> 2) & 0x33)
    return (hand + (hand >> 4)) & 0xF


@numba.njit
def search(iterations, key, number, memory, used, random):
    """So many iterations from the start of the game."""
    path, position, odds = np.empty(2 * CARDS, np.int64), np.empty(2 * CARDS, np.int64), np.empty(2 * CARDS)
    hand, view, mask = np.empty(2, np.int64), np.empty(2, np.int64), np.int64(key.shape[0] - 1)
    for _ in range(iterations):
        hand[0] = hand[1] = (1 << CARDS) - 1
        view[0], view[1], lead, length, inside, first = 2, 3, 0, 0, True, 0
        for turn in range(2 * CARDS):
            player = turn & 1
            k = CARDS - (turn >> 1)
            if inside and k > 1:
                slot = np.int64((np.uint64(view[player]) * SPREAD) >> np.uint64(40)) & mask
                while key[slot] != 0 and key[slot] != view[player]:
                    slot = (slot + 1) & mask
                if key[slot] == 0:
                    key[slot], number[slot], inside = view[player], used[0], False
                    used[0] += 1
                base, mass = number[slot] * WIDE, 0.0
                for i in range(k):
                    mass += max(memory[base + i], 0.0)
                scale, even = (1.0 / mass, 0.0) if mass > 0.0 else (0.0, 1.0 / k)
                left, chosen, drawn = np.float64(draw(random) >> np.uint64(11)) * 2.0**-53, 0, 0.0
                for i in range(k):
                    p = max(memory[base + i], 0.0) * scale + even
                    memory[base + CARDS + i] += p
                    q = (1.0 - GAMMA) * p + GAMMA / k
                    if left >= 0.0:
                        chosen, drawn = i, q
                    left -= q
                path[length], position[length], odds[length] = base, chosen, drawn
                length += 1
            else:
                chosen = below(random, k) if not inside else 0
            card = card_at(hand[player], chosen)
            hand[player] ^= 1 << card
            view[player] = view[player] << 5 | card << 2
            if player == 0:
                first = card
            else:
                result = (first > card) - (first < card)
                lead += result * (k - 1)
                view[0] |= result + 1
                view[1] |= result + 1
        won = 0.5 + 0.5 * ((lead > 0) - (lead < 0))
        for step in range(length - 1, -1, -1):
            base, reward, k = path[step], won if step & 1 == 0 else 1.0 - won, CARDS - (step >> 1)
            for i in range(k):
                memory[base + i] -= reward
            memory[base + position[step]] += reward / odds[step]


def plain(seed=1, batch=50_000):
    """A search that goes on; and what it keeps."""
    key, number = np.zeros(2 * SETS, np.int64), np.zeros(2 * SETS, np.int64)
    memory, used, random = np.zeros(SETS * WIDE), np.zeros(1, np.int64), dice.seeded(seed)

    def work():
        search(batch, key, number, memory, used, random)
        return batch

    return work, (memory, used, random)


def check(iterations=20_000):
    """Both searches draw the same numbers, meet as many sets and have the same strategy at the first one."""
    work, (memory, used, random) = plain(1, iterations)
    work()
    ours = ISMCTS(fogtree.Goofspiel(cards=CARDS), RegretMatching(GAMMA), 1).run(iterations=iterations)
    mean = memory[CARDS:WIDE] / memory[CARDS:WIDE].sum()
    assert ours.infosets == used[0] and ours.searchers[0].random.tolist() == random.tolist()
    assert np.array_equal(list(ours.policy(0, 1).values()), mean)


if __name__ == "__main__":
    check()
