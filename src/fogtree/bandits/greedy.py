"""Epsilon-greedy: mostly the best mean, sometimes any action (Auer, Cesa-Bianchi and Fischer 2002; used by Zhang 2014).

It tries untried actions first. Then, with probability epsilon, it takes an action at random, and otherwise one with the
highest mean. With decay > 0 epsilon shrinks with the visits n as min(1, epsilon * k * decay / n), the epsilon_n of the
paper with c / d^2 = epsilon * decay. The strategy to output is how often each action was taken. Memory as in counting.py.
"""

from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, real
from . import counting
from .counting import HEAD, MEAN, STRIDE, highest, untried
from .sharing import as_it_is, shares


@accepts(
    epsilon=(real(0, 1), "probability of an action drawn at random"),
    decay=(real(0, 1e12), "if positive, epsilon shrinks with the visits n as epsilon * k * decay / n"),
)
@shares(*counting.METHODS, reward=as_it_is)
class EpsilonGreedy(NamedTuple):
    epsilon: float = 0.1
    decay: float = 0.0

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        if dice.unit(random) < faded(self, memory, k):
            return dice.below(random, k), 1.0
        return highest(self, memory, k, 0.0, random), 1.0

    def score(self, memory, k, i, nothing):
        return memory[HEAD + STRIDE * i + MEAN]


def faded(bandit, memory, k):
    """The epsilon of this visit."""
    return bandit.epsilon if bandit.decay == 0.0 else min(1.0, bandit.epsilon * k * bandit.decay / memory[0])
