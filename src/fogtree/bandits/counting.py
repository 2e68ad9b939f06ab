"""What bandits share that count how often each action was taken and keep the mean of its rewards.

Memory: how often the set was visited | for each action how often it was taken, and the mean of its rewards. The strategy to
output is how often each action was taken.
"""

import math

from .. import dice
from ..kernels import inlined
from ..text.parameters import real

HEAD, TIMES, MEAN, STRIDE = 1, 0, 1, 2  # the actions come after HEAD words, STRIDE words each
EXPLORATION = (real(0, 1e9), "weight of the exploration, in the unit of the rewards")  # the parameter c of several
URGENCY = (real(-1e9, math.inf), "score of an untried action; infinite: untried actions come first")


def slots(bandit, k):
    return HEAD + STRIDE * k


def learn(bandit, memory, k, chosen, probability, reward):
    credit(memory, chosen, reward)


def policy(bandit, memory, k, out):
    frequencies(memory, k, out, HEAD, STRIDE)


def means(bandit, memory, k, out):
    mean_rewards(memory, k, out, HEAD, STRIDE)


METHODS = (slots, learn, policy, means)


@inlined
def highest(bandit, memory, k, known, random):
    """The position of the highest `bandit.score(memory, k, i, known)`, ties at random. `known` is what the scores of all
    actions have in common."""
    best, chosen, ties = -math.inf, 0, 1
    for i in range(k):
        score = bandit.score(memory, k, i, known)
        if score > best:
            best, chosen, ties = score, i, 1
        elif score == best:
            ties += 1
            if dice.below(random, ties) == 0:  # each of the ties ends up with the same chance
                chosen = i
    return chosen


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
    memory[0] += 1.0
    take_in(memory, HEAD + STRIDE * chosen, reward)


def take_in(memory, at, reward):
    """Count a reward, and take it into the mean that stands beside the count."""
    memory[at + TIMES] += 1.0
    memory[at + MEAN] += (reward - memory[at + MEAN]) / memory[at + TIMES]


def frequencies(memory, k, out, head, stride):
    """How often each action was taken, as a share of the visits in the first word; uniform where there was no visit."""
    for i in range(k):
        out[i] = memory[head + stride * i + TIMES] / memory[0] if memory[0] > 0.0 else 1.0 / k


def mean_rewards(memory, k, out, head, stride):
    """The mean reward of each action; 0 where it was not tried."""
    for i in range(k):
        out[i] = memory[head + stride * i + MEAN]
