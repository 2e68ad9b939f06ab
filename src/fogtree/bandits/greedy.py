"""Epsilon-greedy: mostly the best mean, sometimes any action (Auer, Cesa-Bianchi and Fischer 2002; used by Zhang 2014).

It tries untried actions first. Then, with probability epsilon, it takes an action at random, and otherwise one with the
highest mean. With decay > 0 epsilon shrinks with the visits n as min(1, epsilon * k * decay / n), the epsilon_n of the
paper with c / d^2 = epsilon * decay. The strategy to output is how often each action was taken. Memory as in uct.py.
"""

import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, meaning, real
from .uct import HEAD, MEAN, STRIDE, credit, frequencies, mean_rewards, untried


@accepts(epsilon=real(0, 1), decay=real(0, 1e12))
@meaning(
    epsilon="probability of an action drawn at random",
    decay="if positive, epsilon shrinks with the visits n as epsilon * k * decay / n",
)
class EpsilonGreedy(NamedTuple):
    epsilon: float = 0.1
    decay: float = 0.0

    def slots(self, k):
        return HEAD + STRIDE * k

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        epsilon = self.epsilon if self.decay == 0.0 else min(1.0, self.epsilon * k * self.decay / memory[0])
        if dice.unit(random) < epsilon:
            return dice.below(random, k), 1.0
        best, chosen, ties = -math.inf, 0, 1
        for i in range(k):
            mean = memory[HEAD + STRIDE * i + MEAN]
            if mean > best:
                best, chosen, ties = mean, i, 1
            elif mean == best:
                ties += 1
                if dice.below(random, ties) == 0:
                    chosen = i
        return chosen, 1.0

    def learn(self, memory, k, chosen, probability, reward):
        credit(memory, chosen, reward)

    def policy(self, memory, k, out):
        frequencies(memory, k, out)

    def means(self, memory, k, out):
        mean_rewards(memory, k, out)
