"""Regret matching on estimated regrets (Hart and Mas-Colell 2001; Lisý 2014, Algorithm 4), and its plus variant.

    p_i = R_i+ / sum_j R_j+ , uniform if no regret is positive        q_i = (1 - gamma) p_i + gamma / k
    draw I from q;  R_i -= reward for all i;  R_I += reward / q_I

R_i is the regret for not having always played i. A reward counts 1 / (the probability of its action) times. Rewards are
scaled to [0, 1]. The strategy to output is the mean of p over all visits, without the exploration. With decay > 0 the
exploration shrinks with the visits n: gamma_n = gamma * n^-decay. `RegretMatchingPlus` keeps no negative regrets.

Memory: for each action R | the sum of p.
"""

from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, meaning, real
from .exp3 import explored, mean_strategy


@accepts(gamma=real(0, 1, open_low=True), decay=real(0, 1))
@meaning(
    gamma="share of the exploration",
    decay="how fast the exploration shrinks with the visits n: gamma * n^-decay",
)
class RegretMatching(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def slots(self, k):
        return 2 * k

    def reward(self, payoff, low, high):
        return (payoff - low) / (high - low) if high > low else 0.0

    def choose(self, memory, k, random):
        return match(memory, k, explored(self.gamma, self.decay, memory, k), random)

    def learn(self, memory, k, chosen, probability, reward):
        for i in range(k):
            memory[i] -= reward
        memory[chosen] += reward / probability

    def policy(self, memory, k, out):
        mean_strategy(memory, k, out)


@accepts(gamma=real(0, 1, open_low=True), decay=real(0, 1))
@meaning(
    gamma="share of the exploration",
    decay="how fast the exploration shrinks with the visits n: gamma * n^-decay",
)
class RegretMatchingPlus(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def slots(self, k):
        return 2 * k

    def reward(self, payoff, low, high):
        return (payoff - low) / (high - low) if high > low else 0.0

    def choose(self, memory, k, random):
        return match(memory, k, explored(self.gamma, self.decay, memory, k), random)

    def learn(self, memory, k, chosen, probability, reward):
        for i in range(k):
            gain = reward / probability if i == chosen else 0.0
            memory[i] = max(0.0, memory[i] - reward + gain)

    def policy(self, memory, k, out):
        mean_strategy(memory, k, out)


def match(memory, k, gamma, random):
    """Draw by regret matching with exploration and count the strategy; returns the position and its probability."""
    mass = 0.0
    for i in range(k):
        mass += max(memory[i], 0.0)
    scale = 1.0 / mass if mass > 0.0 else 0.0
    even = 0.0 if mass > 0.0 else 1.0 / k
    left, chosen, drawn = dice.unit(random), 0, 0.0
    for i in range(k):
        p = max(memory[i], 0.0) * scale + even
        memory[k + i] += p
        q = (1.0 - gamma) * p + gamma / k
        if left >= 0.0:  # the last of which this is true is drawn
            chosen, drawn = i, q
        left -= q
    return chosen, drawn
