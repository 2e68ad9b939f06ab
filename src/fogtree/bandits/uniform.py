"""Uniform random choice: the baseline that learns nothing."""

from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts


@accepts()
class UniformRandom(NamedTuple):
    def slots(self, k):
        return 1

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        return dice.below(random, k), 1.0 / k

    def learn(self, memory, k, chosen, probability, reward):
        pass

    def policy(self, memory, k, out):
        for i in range(k):
            out[i] = 1.0 / k
