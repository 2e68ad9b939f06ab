"""Sliding-window UCT: only the last visits of a set count (Briedoň 2015, 3.3.1; Garivier and Moulines 2011).

    score_i = mean_i + c * sqrt(ln n / n_i)    over the last `window` visits; one within epsilon of the highest

An action that has dropped out of the window is tried again, the first of several; at the start the order is random. The
strategy to output is the share of each action in the window.

Memory: as in counting.py, then where the next visit is written, then the visits: action and reward, `window` times.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts
from . import counting
from .counting import EXPLORATION, HEAD, MEAN, STRIDE, TIMES, credit, untried
from .nondeterministic import NEAR, near_best
from .sharing import as_it_is, shares


@accepts(c=EXPLORATION, window=(range(1, 10**9), "visits that count"), epsilon=NEAR)
@shares(*counting.METHODS, reward=as_it_is)
class SlidingWindowUCT(NamedTuple):
    c: float = 2.0
    window: int = 1000
    epsilon: float = 0.0

    def slots(self, k):
        return HEAD + STRIDE * k + 1 + 2 * self.window

    def choose(self, memory, k, random):
        for i in range(k):
            if memory[HEAD + STRIDE * i + TIMES] == 0.0:
                return untried(memory, k, random) if memory[0] < k else i, 1.0
        return near_best(memory, k, self.c, self.epsilon, math.log(memory[0]), random), 1.0

    def learn(self, memory, k, chosen, probability, reward):
        next_at = HEAD + STRIDE * k
        visit = next_at + 1 + 2 * int(memory[next_at])
        if memory[0] == self.window:
            self.forget(memory, int(memory[visit]), memory[visit + 1])
        credit(memory, chosen, reward)
        memory[visit], memory[visit + 1] = chosen, reward
        memory[next_at] = (int(memory[next_at]) + 1) % self.window

    def forget(self, memory, action, reward):
        at = HEAD + STRIDE * action
        memory[0] -= 1.0
        memory[at + TIMES] -= 1.0
        if memory[at + TIMES] == 0.0:
            memory[at + MEAN] = 0.0  # exactly, so that rounding does not pile up
        else:
            memory[at + MEAN] -= (reward - memory[at + MEAN]) / memory[at + TIMES]
