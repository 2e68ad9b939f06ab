"""IS-MCTS with regret matching on hidden Goofspiel, written by hand for this one search: no seams.

It shows what the general search (`search/trees/ismcts.py`) pays for taking any game, bandit, prior, judge and limit. There
are two of them, and both are the same search as ours: with the same seed they draw the same random numbers and have the same
strategy in the end, which `check` proves.

    general_rules     asks the game by its verbs, as ours does: the difference is the price of the search's seams
    own_rules         knows the rules of the game as well: what is left is the price of the game's verbs

Both have a table that is nearly empty and room for every set from the start.
"""

import numba
import numpy as np

import fogtree
from fogtree import dice
from fogtree.bandits import RegretMatching
from fogtree.judges import new_room
from fogtree.kernels import kernel
from fogtree.search.trees.ismcts import ISMCTS

CARDS, GAMMA = 6, 0.1
GAME = fogtree.Goofspiel(cards=CARDS)
WIDE = 2 * CARDS  # words of a set: regrets, then sums of strategies
SETS = 1 << 17  # the game has fewer; twice as many slots
SPREAD = np.uint64(0x9E3779B97F4A7C15)


@kernel
def general_rules(game, iterations, key, number, memory, used, state, choice, path, position, odds, random):
    """So many iterations from the start of the game, whose verbs are called."""
    mask = np.int64(key.shape[0] - 1)
    for _ in range(iterations):
        game.start(state)
        length, inside = 0, True
        for _ in range(2 * CARDS):
            player = game.player(state)
            k = game.actions(state, choice)
            if inside and k > 1:
                view = 2 * game.view(state, player) + player
                slot = np.int64((np.uint64(view) * SPREAD) >> np.uint64(40)) & mask
                while key[slot] != 0 and key[slot] != view:
                    slot = (slot + 1) & mask
                if key[slot] == 0:
                    key[slot], number[slot], inside = view, used[0], False
                    used[0] += 1
                base, mass = number[slot] * WIDE, 0.0
                for i in range(k):
                    mass += max(memory[base + i], 0.0)
                scale = 1.0 / mass if mass > 0.0 else 0.0
                even = 0.0 if mass > 0.0 else 1.0 / k
                left, chosen, drawn = dice.unit(random), 0, 0.0
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
                chosen = 0 if inside else dice.below(random, k)
            game.step(state, choice[chosen])
        won = 0.5 + 0.5 * game.payoff(state, 0)
        for step in range(length - 1, -1, -1):
            base, reward, k = path[step], won if step & 1 == 0 else 1.0 - won, CARDS - (step >> 1)
            for i in range(k):
                memory[base + i] -= reward
            memory[base + position[step]] += reward / odds[step]


@numba.njit
def own_rules(iterations, key, number, memory, used, random):
    """So many iterations from the start of the game, whose state is a few local variables."""
    path, position, odds = np.empty(2 * CARDS, np.int64), np.empty(2 * CARDS, np.int64), np.empty(2 * CARDS)
    hand, view, mask = np.empty(2, np.int64), np.empty(2, np.int64), np.int64(key.shape[0] - 1)
    for _ in range(iterations):
        hand[0] = hand[1] = (1 << CARDS) - 1
        view[0], view[1], lead, length, inside, first = 2, 3, 0, 0, True, 0
        for turn in range(2 * CARDS):
            player, k = turn & 1, CARDS - (turn >> 1)
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
                chosen = 0 if inside else below(random, k)
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


draw = numba.njit(inline="always")(dice.draw)


@numba.njit(inline="always")
def below(random, count):
    """As `dice.below`, which draws again once in hundreds of millions of times."""
    return np.int64(((draw(random) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@numba.njit(inline="always")
def card_at(hand, position):
    """The card at a position of a hand."""
    for _ in range(position):
        hand &= hand - 1
    card = 0
    while not (hand >> card) & 1:
        card += 1
    return card


def plain(rules, seed=1, batch=50_000):
    """A search that goes on, by one of the two; and what it keeps."""
    tree = np.zeros(2 * SETS, np.int64), np.zeros(2 * SETS, np.int64), np.zeros(SETS * WIDE), np.zeros(1, np.int64)
    random, shape, room = dice.seeded(seed), GAME.shape(), new_room(GAME.shape())
    path = np.zeros(shape.moves, np.int64), np.zeros(shape.moves, np.int64), np.zeros(shape.moves)

    def work():
        if rules is own_rules:
            own_rules(batch, *tree, random)
        else:
            general_rules(GAME, batch, *tree, np.zeros(shape.words, np.int64), room.choice, *path, random)
        return batch

    return work, (*tree[2:], random)


def check(iterations=20_000):
    """All three searches draw the same numbers, meet as many sets and have the same strategy at the first one."""
    ours = ISMCTS(GAME, RegretMatching(GAMMA), 1).run(iterations=iterations)
    for rules in (general_rules, own_rules):
        work, (memory, used, random) = plain(rules, 1, iterations)
        work()
        mean = memory[CARDS:WIDE] / memory[CARDS:WIDE].sum()
        assert ours.infosets == used[0] and ours.searchers[0].random.tolist() == random.tolist()
        assert np.array_equal(list(ours.policy(0, 1).values()), mean)
