"""UCT: the upper confidence bound on the mean reward (Kocsis and Szepesvari 2006; Lisý 2014, Algorithm 2).

    score_i = mean_i + c * sqrt(2 ln n / n_i)    untried actions first; then the highest, ties at random

First-play urgency (Wang and Gelly 2007): with a finite `urgency`, an untried action has that score, in the unit of payoffs. A
tried action that scores higher is taken again before all others were tried once.

Rewards are payoffs as they are. The strategy to output is how often each action was taken. The code behind Lisý 2014 leaves
out the 2 under the root: that is `c / sqrt(2)` here.

Memory: how often the set was visited | for each action how often it was taken, and the mean of its rewards.
"""

import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, meaning, real

HEAD, TIMES, MEAN, STRIDE = 1, 0, 1, 2  # the actions come after HEAD words, STRIDE words each


@accepts(c=real(0, 1e9), urgency=real(-1e9, math.inf))
@meaning(
    c="weight of the exploration, in the unit of the rewards",
    urgency="score of an untried action; infinite: untried actions come first",
)
class UCT(NamedTuple):
    c: float = 2.0
    urgency: float = math.inf

    def slots(self, k):
        return HEAD + STRIDE * k

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        if memory[0] < k and self.urgency == math.inf:
            return untried(memory, k, random), 1.0
        log = 2.0 * math.log(max(memory[0], 1.0))
        best, chosen, ties = -math.inf, 0, 1
        for i in range(k):
            if memory[HEAD + STRIDE * i + TIMES] == 0.0:
                score = self.urgency
            else:
                score = bound(memory, i, self.c, log)
            if score > best:
                best, chosen, ties = score, i, 1
            elif score == best:
                ties += 1
                if dice.below(random, ties) == 0:  # each of the ties ends up with the same chance
                    chosen = i
        return chosen, 1.0

    def learn(self, memory, k, chosen, probability, reward):
        credit(memory, chosen, reward)

    def policy(self, memory, k, out):
        frequencies(memory, k, out)

    def means(self, memory, k, out):
        mean_rewards(memory, k, out)


def bound(memory, i, c, log):
    """The upper confidence bound of a tried action."""
    at = HEAD + STRIDE * i
    return memory[at + MEAN] + c * math.sqrt(log / memory[at + TIMES])


def untried(memory, k, random):
    """One of the actions that were not tried yet, at random; there is one as long as the visits are fewer than k."""
    skip = dice.below(random, k - int(memory[0]))
    for i in range(k):
        if memory[HEAD + STRIDE * i + TIMES] == 0.0:
            if skip == 0:
                return i
            skip -= 1
    return 0


def credit(memory, chosen, reward):
    """Count a visit and take the reward into the action's mean."""
    at = HEAD + STRIDE * chosen
    memory[0] += 1.0
    memory[at + TIMES] += 1.0
    memory[at + MEAN] += (reward - memory[at + MEAN]) / memory[at + TIMES]


def frequencies(memory, k, out):
    """How often each action was taken, as a share; uniform where there was no visit."""
    for i in range(k):
        out[i] = memory[HEAD + STRIDE * i + TIMES] / memory[0] if memory[0] > 0.0 else 1.0 / k


def mean_rewards(memory, k, out):
    """The mean reward of each action; 0 where it was not tried."""
    for i in range(k):
        out[i] = memory[HEAD + STRIDE * i + MEAN]
