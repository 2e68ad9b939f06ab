"""UCT with progressive widening: few actions at first, the more the longer a set is searched (Coulom 2007).

Actions are opened in the order of the search's prior, the first of equal weights first. The first is open from the beginning,
and one more is opened when the visits n of the set reach

    t_j = start + start growth + ... + start growth^(j - 1)        j = 1, 2, ...

so that after n visits 1 + floor(log(1 + n (growth - 1) / start) / log growth) are open. Among those the choice is UCT's,
untried ones first:

    score_i = mean_i + c sqrt(2 ln n / n_i)                        of equal scores the first

On large boards most moves are bad, and a good prior opens the good ones early. Without a prior the order is that of the list
of actions, which means nothing. Rewards are scaled to [0, 1]. The strategy to output is how often each action was taken.

Memory: visits, actions open | for each action how often it was taken, its mean, and its weight, or OPENED.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts, real
from .counting import EXPLORATION, MEAN, TIMES, frequencies, mean_rewards, take_in
from .sharing import scaled, shares

VISITS, WIDTH = 0, 1
HEAD, STRIDE = 2, 3  # the actions come after HEAD words, STRIDE words each
WEIGHT = 2  # of an action, after TIMES and MEAN
OPENED = -1.0


@accepts(
    c=EXPLORATION,
    start=(real(0, 1e9, open_low=True), "visits before the second action is opened"),
    growth=(real(1, 1e3, open_low=True), "each further action waits so many times longer"),
)
@shares(reward=scaled)
class WideningUCT(NamedTuple):
    c: float = 0.5
    start: float = 40.0
    growth: float = 1.4

    def slots(self, k):
        return HEAD + STRIDE * k

    def begin(self, memory, k, depth, prior):
        for i in range(k):
            memory[HEAD + STRIDE * i + WEIGHT] = prior[i]

    def wide(self, visits, k):
        """How many of k actions are open after so many visits."""
        more = math.log(1.0 + visits * (self.growth - 1.0) / self.start) / math.log(self.growth)
        return 1 + int(min(more + 1e-9, k - 1.0))  # a sum that is reached exactly must not be missed by rounding

    def choose(self, memory, k, random):
        while memory[WIDTH] < self.wide(memory[VISITS], k):
            memory[HEAD + STRIDE * heaviest(memory, k) + WEIGHT] = OPENED
            memory[WIDTH] += 1.0
        log = 2.0 * math.log(max(memory[VISITS], 1.0))
        best, chosen = -math.inf, 0
        for i in range(k):
            at = HEAD + STRIDE * i
            if memory[at + WEIGHT] == OPENED:
                times = memory[at + TIMES]
                score = memory[at + MEAN] + self.c * math.sqrt(log / times) if times > 0.0 else math.inf
                if score > best:
                    best, chosen = score, i
        return chosen, 1.0

    def learn(self, memory, k, chosen, probability, reward):
        memory[VISITS] += 1.0
        take_in(memory, HEAD + STRIDE * chosen, reward)

    def policy(self, memory, k, out):
        frequencies(memory, k, out, HEAD, STRIDE)

    def means(self, memory, k, out):
        mean_rewards(memory, k, out, HEAD, STRIDE)


def heaviest(memory, k):
    """The position of the largest weight that is not open yet, the first of several."""
    best, found = OPENED, 0
    for i in range(k):
        weight = memory[HEAD + STRIDE * i + WEIGHT]
        if weight > best:
            best, found = weight, i
    return found
