"""Regret matching on estimated regrets (Hart and Mas-Colell 2001; Lisý 2014, Algorithm 4), and its plus variant.

    p_i = R_i+ / sum_j R_j+ , uniform if no regret is positive        q_i = (1 - gamma) p_i + gamma / k
    draw I from q;  R_i -= reward for all i;  R_I += reward / q_I

R_i is the regret for not having always played i. A reward counts 1 / (the probability of its action) times. Rewards are
scaled to [0, 1]. The strategy to output is the mean of p over all visits, without the exploration. With decay > 0 the
exploration shrinks with the visits n: gamma_n = gamma * n^-decay. `RegretMatchingPlus` keeps no negative regrets.

Memory: for each action R | the sum of p.
"""

from typing import NamedTuple

from .averaging import averaging, draw, explored
from .sharing import shares


def choose(bandit, memory, k, random):
    """Draw by regret matching with exploration."""
    mass = 0.0
    for i in range(k):
        mass += max(memory[i], 0.0)
    scale = 1.0 / mass if mass > 0.0 else 0.0
    even = 0.0 if mass > 0.0 else 1.0 / k
    return draw(bandit, memory, k, explored(bandit, memory, k), (scale, even), random)


def share(bandit, memory, i, known):
    scale, even = known
    return max(memory[i], 0.0) * scale + even


@averaging
@shares(choose, share)
class RegretMatching(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def learn(self, memory, k, chosen, probability, reward):
        gain = reward / probability
        for i in range(k):  # no word is named by what was chosen: a GPU keeps them all in registers
            memory[i] = memory[i] - reward + (gain if i == chosen else 0.0)


@averaging
@shares(choose, share)
class RegretMatchingPlus(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def learn(self, memory, k, chosen, probability, reward):
        gain = reward / probability
        for i in range(k):
            memory[i] = max(0.0, memory[i] - reward + (gain if i == chosen else 0.0))
