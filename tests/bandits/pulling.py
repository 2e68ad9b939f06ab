"""Pulling the arms of a bandit by hand, interpreted and in memory of the exact size; and bandits that play themselves."""

import itertools

import numpy as np

from fogtree import MatrixGame, dice
from fogtree.search.trees.ismcts import ISMCTS

# The matrix games of Briedoň 2015 by their figures. Their equilibria: (1, 10, 5) / 16 for both players, not uniform as the
# thesis says of 3.2; (.6, .4, 0) and (.3, .7); (.4, .4, .2) for both.
FIGURE_3_2 = MatrixGame([[0.5, 0.75, 0], [0.25, 0.5, 0.55], [1, 0.45, 0.5]])
FIGURE_4_1 = MatrixGame([[-4, 0], [3, -3], [0, -2]])
FIGURE_4_9 = MatrixGame([[0, 1, -1], [1, -1, 1], [-1, 1, 1]])
ROCK_PAPER_SCISSORS = MatrixGame()


def memory_of(bandit, k):
    """What a search hands to a bandit at a new information set; an index beyond it raises."""
    return np.zeros(bandit.slots(k))


def choose(bandit, memory, k, random):
    with np.errstate(over="ignore"):  # random bits wrap round
        chosen, probability = bandit.choose(memory, k, random)
    return int(chosen), float(probability)


def take(bandit, memory, k, action, reward):
    """Throw dice after dice until they fall on the action, then learn; returns the action's probability."""
    for seed in itertools.count():
        trial = memory.copy()
        chosen, probability = choose(bandit, trial, k, dice.seeded(seed))
        if chosen == action:
            memory[:] = trial
            bandit.learn(memory, k, chosen, probability, reward)
            return probability
        assert seed < 1_000, f"action {action} is never chosen"


def choices(bandit, memory, k, throws=300):
    """The actions that dice fall on, and how often; the memory stays as it is."""
    fallen = [choose(bandit, memory.copy(), k, dice.seeded(seed))[0] for seed in range(throws)]
    return {action: fallen.count(action) for action in sorted(set(fallen))}


def policy(bandit, memory, k):
    out = np.full(k, np.nan)
    bandit.policy(memory, k, out)
    return out


def self_play(game, bandit, iterations, seed=1):
    """The strategies of a matrix game, rows and columns, that a bandit comes to against itself."""
    mix = ISMCTS(game, bandit, seed).run(iterations=iterations).strategy()
    return tuple(np.array(list(mix[player, 0].values())) for player in (0, 1))


def half_gains(payoffs, rows, columns):
    """Half of what best responses gain from both players: the thesis' exploitability."""
    return float(np.max(payoffs @ columns) - np.min(rows @ payoffs)) / 2
