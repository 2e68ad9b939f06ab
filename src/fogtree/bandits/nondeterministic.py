"""Nondeterministic UCT: any of those nearly as good as the best (Briedoň 2015, 3.3.3).

    score_i = mean_i + c * sqrt(ln n / n_i)          one of the actions with score >= highest - epsilon, at random

An epsilon below the gap between actions inside and outside the support lets UCT leave its cycles; the thesis tries 0.0001 to
0.1. Memory as in counting.py.
"""

import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, real
from . import counting
from .counting import EXPLORATION, bound, untried
from .sharing import as_it_is, shares

NEAR = (real(0, 1e9), "actions that score so little below the best are drawn alike")


@accepts(c=EXPLORATION, epsilon=NEAR)
@shares(*counting.METHODS, reward=as_it_is)
class NondeterministicUCT(NamedTuple):
    c: float = 2.0
    epsilon: float = 0.01

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        return near_best(memory, k, self.c, self.epsilon, math.log(memory[0]), random), 1.0


def near_best(memory, k, c, epsilon, log, random):
    """One of the actions whose bound is at most epsilon below the highest, each equally likely."""
    best, second, chosen = -math.inf, -math.inf, 0
    for i in range(k):
        score = bound(memory, i, c, log)
        if score > best:
            best, second, chosen = score, best, i
        else:
            second = max(second, score)
    if second < best - epsilon:  # mostly: nothing to draw
        return chosen
    near = 0
    for i in range(k):
        if bound(memory, i, c, log) >= best - epsilon:
            near += 1
            if near == 1 or dice.below(random, near) == 0:
                chosen = i
    return chosen
