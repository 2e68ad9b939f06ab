"""Regret matching on estimated regrets (Hart and Mas-Colell 2001; Lisý 2014, Algorithm 4), and its plus variant.

    p_i = R_i+ / sum_j R_j+ , uniform if no regret is positive        q_i = (1 - gamma) p_i + gamma / k
    draw I from q;  R_i -= reward for all i;  R_I += reward / q_I

R_i is the regret for not having always played i. A reward counts 1 / (the probability of its action) times. Rewards are
scaled to [0, 1]. The strategy to output is the mean of p over all visits, without the exploration. With decay > 0 the
exploration shrinks with the visits n: gamma_n = gamma * n^-decay. `RegretMatchingPlus` keeps no negative regrets.

Memory: for each action R | the sum of p.
"""

from typing import NamedTuple

from ..kernels import inlined
from .averaging import averaging, draw, explored
from .sharing import shares


@inlined
def matched(memory, k):
    """What the shares of all actions have in common: a factor of the positive regrets, and a share that all have."""
    mass = 0.0
    for i in range(k):
        mass += max(memory[i], 0.0)
    scale = 1.0 / mass if mass > 0.0 else 0.0
    even = 0.0 if mass > 0.0 else 1.0 / k
    return scale, even


def choose(bandit, memory, k, random):
    """Draw by regret matching with exploration."""
    return draw(bandit, memory, k, explored(bandit, memory, k), matched(memory, k), random)


def mixture(bandit, memory, k, out):
    """What it would play next, without exploration."""
    known = matched(memory, k)
    for i in range(k):
        out[i] = bandit.share(memory, i, known)


def learn(bandit, memory, k, chosen, probability, reward):
    bandit.regret(memory, k, chosen, reward / probability, reward)


def share(bandit, memory, i, known):
    scale, even = known
    return max(memory[i], 0.0) * scale + even


@averaging
@shares(choose, share, mixture, learn)
class RegretMatching(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def regret(self, memory, k, chosen, gain, value):
        for i in range(k):  # no word is named by what was chosen: a GPU keeps them all in registers
            memory[i] = memory[i] - value + (gain if i == chosen else 0.0)


@averaging
@shares(choose, share, mixture, learn)
class RegretMatchingPlus(NamedTuple):
    """Regret matching plus: no regret is kept below zero."""

    gamma: float = 0.1
    decay: float = 0.0

    def regret(self, memory, k, chosen, gain, value):
        for i in range(k):
            memory[i] = max(0.0, memory[i] - value + (gain if i == chosen else 0.0))
