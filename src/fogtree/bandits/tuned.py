"""UCB1-Tuned: confidence bounds that know the variance (Auer, Cesa-Bianchi and Fischer 2002).

    V_i     = mean of squares_i - mean_i^2 + sqrt(2 ln n / n_i)
    score_i = mean_i + width * sqrt(min(1/4, V_i) * ln n / n_i)  untried actions first; ties at random

The paper has width 1; MoGo tuned it. With a finite `urgency` an untried action has that score, as in uct.py.

Rewards are scaled to [0, 1], where 1/4 is the largest variance. The strategy to output is how often each action was taken.

Memory: as in counting.py, then for each action the sum of its squared rewards.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts, real
from . import counting
from .counting import HEAD, MEAN, STRIDE, TIMES, URGENCY, credit, highest, untried
from .sharing import scaled, shares


@accepts(width=(real(0, 1e9), "weight of the exploration; 1 in the paper"), urgency=URGENCY)
@shares(*counting.METHODS, reward=scaled)
class UCB1Tuned(NamedTuple):
    width: float = 1.0
    urgency: float = math.inf

    def slots(self, k):
        return HEAD + STRIDE * k + k

    def choose(self, memory, k, random):
        if memory[0] < k and self.urgency == math.inf:
            return untried(memory, k, random), 1.0
        return highest(self, memory, k, math.log(max(memory[0], 1.0)), random), 1.0

    def score(self, memory, k, i, log):
        times, mean = memory[HEAD + STRIDE * i + TIMES], memory[HEAD + STRIDE * i + MEAN]
        if times == 0.0:
            return self.urgency
        spread = memory[HEAD + STRIDE * k + i] / times - mean * mean + math.sqrt(2.0 * log / times)
        return mean + self.width * math.sqrt(log / times * min(0.25, max(spread, 0.0)))

    def learn(self, memory, k, chosen, probability, reward):
        credit(memory, chosen, reward)
        memory[HEAD + STRIDE * k + chosen] += reward * reward
