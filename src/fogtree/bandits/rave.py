"""RAVE: rapid action value estimation (Gelly and Silver 2007, 2011). Simulations that tried other actions here count as well.

Each action has two means. `mean_i` is over the simulations in which it was taken here, n_i times. `overheard_i` is over all
simulations through this set in which this player took it here or later, before anybody else did, m_i times: soon known, but
biased. The bandit takes the highest

    score_i = (1 - beta_i) mean_i + beta_i overheard_i + c sqrt(ln n / n_i)        ties at random

and beta falls from 1 to 0 as n_i grows. There are two schedules, each a bandit of its own:

    RAVE                beta_i = m_i / (n_i + m_i + 4 b^2 n_i m_i)      least squared error, if overheard means are wrong by b
    HandSelectedRAVE    beta = sqrt(k / (3 n + k))                      n visits of the set; at n = k both means count alike

An action that was neither tried nor overheard comes first. With RAVE the best c was 0, the default.

Priors are visits that were never made. A set begins with `confidence` of them for each action, of the value

    prior_i = w_i / (w_i + mean of all w)

by the weights w of the search's prior. If weights are strengths as Bradley and Terry understand them, that is how probably
action i is better than an average one; with even weights it is 1/2. They count in n_i and in mean_i, but not in n.

Rewards are scaled to [0, 1]. The strategy to output is how often each action was really taken.

Memory: how often the set was visited | for each action how often it was really taken, mean_i, m_i, m_i overheard_i. Sums of
overheard rewards are kept, not means: most simulations change many of them, and few are read.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts, real
from .counting import MEAN, TIMES, frequencies, highest, mean_rewards
from .sharing import scaled, shares

HEAD, STRIDE = 1, 4  # the actions come after HEAD words, STRIDE words each
HEARD, OVERHEARD = 2, 3  # of an action, after TIMES and MEAN

WEIGHT = (real(0, 1e9), "weight of the exploration")
CONFIDENCE = (real(0, 1e9), "visits that the prior of an action counts for")


def slots(bandit, k):
    return HEAD + STRIDE * k


def begin(bandit, memory, k, depth, prior):
    """Enter the value of the visits that were never made."""
    total = 0.0
    for i in range(k):
        total += prior[i]
    for i in range(k):
        memory[HEAD + STRIDE * i + MEAN] = prior[i] / (prior[i] + total / k)


def choose(bandit, memory, k, random):
    return highest(bandit, memory, k, bandit.c * math.sqrt(math.log(max(memory[0], 1.0))), random), 1.0


def score(bandit, memory, k, i, wide):
    at = HEAD + STRIDE * i
    times, heard, value = memory[at + TIMES] + bandit.confidence, memory[at + HEARD], memory[at + MEAN]
    if heard > 0.0:
        value += bandit.share(memory[0], times, heard) * (memory[at + OVERHEARD] - heard * value)
    elif times == 0.0:
        value = math.inf
    if wide > 0.0:
        value += wide / math.sqrt(times) if times > 0.0 else math.inf
    return value


def learn(bandit, memory, k, chosen, probability, reward):
    at = HEAD + STRIDE * chosen
    memory[0] += 1.0
    memory[at + TIMES] += 1.0
    memory[at + MEAN] += (reward - memory[at + MEAN]) / (bandit.confidence + memory[at + TIMES])


def overhear(bandit, memory, k, heard, reward):
    """Add a reward to what was overheard. Whether an action was heard is as good as random, so there is no branch for it."""
    for i in range(k):
        at, once = HEAD + STRIDE * i, 1.0 if heard[i] else 0.0
        memory[at + HEARD] += once
        memory[at + OVERHEARD] += once * reward


def policy(bandit, memory, k, out):
    """How often each action was really taken, as a share."""
    frequencies(memory, k, out, HEAD, STRIDE)


def means(bandit, memory, k, out):
    """The mean of each action, with the visits that were never made."""
    mean_rewards(memory, k, out, HEAD, STRIDE)


METHODS = (slots, begin, choose, score, learn, overhear, policy, means)


@accepts(bias=(real(0, 1), "how far overheard means are wrong"), c=WEIGHT, confidence=CONFIDENCE)
@shares(*METHODS, reward=scaled)
class RAVE(NamedTuple):
    """With the schedule of least squared error."""

    bias: float = 0.01
    c: float = 0.0
    confidence: float = 10.0

    def share(self, visits, times, heard):
        """beta / m: how much of the score is each overheard reward; there is one, so heard > 0."""
        return 1.0 / (times + heard + 4.0 * self.bias * self.bias * times * heard)


@accepts(k=(real(0, 1e9), "visits at which both means count alike"), c=WEIGHT, confidence=CONFIDENCE)
@shares(*METHODS, reward=scaled)
class HandSelectedRAVE(NamedTuple):
    """With the schedule that was selected by hand."""

    k: float = 1000.0
    c: float = 0.0
    confidence: float = 10.0

    def share(self, visits, times, heard):
        return (math.sqrt(self.k / (3.0 * visits + self.k)) if times > 0.0 else 1.0) / heard
