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

from .averaging import averaging, draw, explored

LEAST = -700.0  # below exp(-708) numbers lose their precision, and a processor much of its speed


@averaging
class Exp3(NamedTuple):
    gamma: float = 0.1
    decay: float = 0.0

    def choose(self, memory, k, random):
        gamma = explored(self, memory, k)
        top = memory[0]
        for i in range(1, k):
            top = max(top, memory[i])
        rate, mass = gamma / k, 0.0
        for i in range(k):
            mass += math.exp(max(rate * (memory[i] - top), LEAST))
        return draw(self, memory, k, gamma, (rate, top, mass), random)

    def share(self, memory, i, known):
        rate, top, mass = known
        return math.exp(max(rate * (memory[i] - top), LEAST)) / mass

    def learn(self, memory, k, chosen, probability, reward):
        memory[chosen] += reward / probability
