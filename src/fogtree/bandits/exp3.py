"""Exp3: exponential weights for exploration and exploitation (Auer et al. 2003; Lisý 2014, Algorithm 3).

    p_i = exp(gamma X_i / k) / sum_j exp(gamma X_j / k)        q_i = (1 - gamma) p_i + gamma / k
    draw I from q;  X_I += reward / q_I

Only differences of the X count, so the largest is taken from all before exponentiating, and nothing overflows; exponents
below LEAST count as that, where q is the exploration alone. Rewards are scaled to [0, 1]. The strategy to output is the mean
of p over all visits, without the exploration. With decay > 0 the exploration shrinks with the visits n: gamma_n = gamma *
n^-decay (Auger 2011 uses n^-0.3).

Memory: for each action X | the sum of p.
"""

import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, meaning, real

LEAST = -700.0  # below exp(-708) numbers lose their precision, and a processor much of its speed


@accepts(gamma=real(0, 1, open_low=True), decay=real(0, 1))
@meaning(
    gamma="share of the exploration",
    decay="how fast the exploration shrinks with the visits n: gamma * n^-decay",
)
class Exp3(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def slots(self, k):
        return 2 * k

    def reward(self, payoff, low, high):
        return (payoff - low) / (high - low) if high > low else 0.0

    def choose(self, memory, k, random):
        gamma = explored(self.gamma, self.decay, memory, k)
        top = memory[0]
        for i in range(1, k):
            top = max(top, memory[i])
        rate, mass = gamma / k, 0.0
        for i in range(k):
            mass += math.exp(max(rate * (memory[i] - top), LEAST))
        left, chosen, drawn = dice.unit(random), 0, 0.0
        for i in range(k):
            p = math.exp(max(rate * (memory[i] - top), LEAST)) / mass
            memory[k + i] += p
            q = (1.0 - gamma) * p + gamma / k
            if left >= 0.0:  # the last of which this is true is drawn
                chosen, drawn = i, q
            left -= q
        return chosen, drawn

    def learn(self, memory, k, chosen, probability, reward):
        memory[chosen] += reward / probability

    def policy(self, memory, k, out):
        mean_strategy(memory, k, out)


def explored(gamma, decay, memory, k):
    """The share of exploration at this visit; the sums of p add up to the visits before it."""
    if decay == 0.0:
        return gamma
    visits = 1.0
    for i in range(k):
        visits += memory[k + i]
    return gamma * visits**-decay


def mean_strategy(memory, k, out):
    """The mean of the strategies played, whose sums stand in the second k words; uniform where there was no visit."""
    total = 0.0
    for i in range(k):
        total += memory[k + i]
    for i in range(k):
        out[i] = memory[k + i] / total if total > 0.0 else 1.0 / k
