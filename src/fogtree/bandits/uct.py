"""UCT: the upper confidence bound on the mean reward (Kocsis and Szepesvari 2006; Lisý 2014, Algorithm 2).

    score_i = mean_i + c * sqrt(2 ln n / n_i)    untried actions first; then the highest, ties at random

First-play urgency (Wang and Gelly 2007): with a finite `urgency`, an untried action has that score, in the unit of payoffs. A
tried action that scores higher is taken again before all others were tried once.

Rewards are payoffs as they are. The strategy to output is how often each action was taken. The code behind Lisý 2014 leaves
out the 2 under the root: that is `c / sqrt(2)` here.

Memory as in counting.py.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts
from . import counting
from .counting import EXPLORATION, HEAD, STRIDE, TIMES, URGENCY, bound, highest, untried
from .sharing import as_it_is, shares


@accepts(c=EXPLORATION, urgency=URGENCY)
@shares(*counting.METHODS, reward=as_it_is)
class UCT(NamedTuple):
    c: float = 2.0
    urgency: float = math.inf

    def plays_best(self):
        return True  # how often actions were taken is no mix to draw from

    def choose(self, memory, k, random):
        if memory[0] < k and self.urgency == math.inf:
            return untried(memory, k, random), 1.0
        return highest(self, memory, k, 2.0 * math.log(max(memory[0], 1.0)), random), 1.0

    def score(self, memory, k, i, log):
        if memory[HEAD + STRIDE * i + TIMES] == 0.0:
            return self.urgency
        return bound(memory, i, self.c, log)
