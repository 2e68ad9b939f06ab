"""EXP3 as multiple-tree search uses it (Auger 2011, Algorithm 2): exploration fades, and deep decisions learn faster.

    p_m = (1 - gamma(n)) w_m / sum w + gamma(n) / k            draw m from p
    w_m *= exp(f(d) reward / p_m)                              gamma(n) = gamma n^-decay,   f(d) = base^(d - depth)

n counts simulations, or visits of the set; d counts the player's own decisions before this one. Rewards are payoffs scaled
to [-1, 1], or 1 for a win and else 0.

The weights grow without limit, so their logarithms are kept. Beside each stands its exponential relative to a reference,
which is moved before anything overflows: an update takes one exponential, not one for each action. Weights more than
exp(700) below the reference count as 0 until they return, where p is the exploration alone.

The strategy to output is by frequencies: how often each move was drawn. The final mixture is nearly pure and no solution.

We differ from the paper in one point: it divides by the probability of the move that led to a set, which is no EXP3 and
degenerates; here we divide by that of the move chosen there.

Memory: the reference | f(d) | for each action log w | w / reference | times drawn.
"""

import enum
import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, real

REFERENCE, WEIGHT, HEAD = 0, 1, 2
HIGH, LEAST = 500.0, -700.0  # exponents beyond which the reference moves, or a weight counts as 0
MOST = 230.0  # of the exponent of f(d), so that nothing overflows: it is at most 1e100
SMALL = 1e-200  # a mass below which the reference moves


class Clock(enum.IntEnum):
    """What n is in gamma(n): simulations, or visits of the set."""

    SIMULATION = 0
    NODE = 1


class Aim(enum.IntEnum):
    """What is learned from: payoffs scaled to [-1, 1]; or 1 for a win, that is more than the middle of them, and else 0."""

    ZERO_SUM = 0
    WIN = 1


@accepts(
    gamma=(real(0, 1, open_low=True), "share of the exploration at first"),
    decay=(real(0, 1), "how fast the exploration shrinks: gamma * n^-decay"),
    clock=(Clock, "what n counts: simulations, or visits of the set"),
    base=(real(0, 100, open_low=True), "rewards count base^(d - depth) at depth d"),
    depth=(real(-1e6, 1e6), "the depth at which rewards count once"),
    aim=(Aim, "the reward: the payoff scaled to [-1, 1], or 1 for a win and else 0"),
)
class DeepExp3(NamedTuple):
    gamma: float = 1.0
    decay: float = 0.3
    clock: Clock = Clock.SIMULATION
    base: float = 1.7
    depth: float = 9.0
    aim: Aim = Aim.ZERO_SUM

    def slots(self, k):
        return HEAD + 3 * k

    def reward(self, payoff, low, high):
        if self.aim == Aim.WIN:
            return 1.0 if payoff > 0.5 * (low + high) else 0.0
        return (2.0 * payoff - low - high) / (high - low) if high > low else 0.0

    def at(self, iteration):
        """In simulation n exploration has faded to gamma(n), and fades no more."""
        if self.clock == Clock.SIMULATION:
            return DeepExp3(self.gamma * iteration**-self.decay, 0.0, self.clock, self.base, self.depth, self.aim)
        return DeepExp3(self.gamma, self.decay, self.clock, self.base, self.depth, self.aim)

    def begin(self, memory, k, depth, prior):
        steps = depth - self.depth
        memory[WEIGHT] = self.base**steps if steps * math.log(self.base) < MOST else math.exp(MOST)
        for i in range(k):
            memory[HEAD + k + i] = 1.0

    def choose(self, memory, k, random):
        mass = 0.0
        for i in range(k):
            mass += memory[HEAD + k + i]
        if mass < SMALL:
            mass = refer(memory, k)
        share = self.gamma
        if self.clock == Clock.NODE:
            share = self.gamma * (1.0 + visits(memory, k)) ** -self.decay
        left, chosen = dice.unit(random), 0
        if left < share:
            chosen = min(int(left / share * k), k - 1)
        else:
            left = (left - share) / (1.0 - share) * mass
            for i in range(k - 1):
                left -= memory[HEAD + k + i]
                chosen += left >= 0.0  # once below 0 it stays there
        return chosen, (1.0 - share) * memory[HEAD + k + chosen] / mass + share / k

    def learn(self, memory, k, chosen, probability, reward):
        memory[HEAD + 2 * k + chosen] += 1.0
        if reward != 0.0:
            memory[HEAD + chosen] += memory[WEIGHT] * reward / probability
            above = memory[HEAD + chosen] - memory[REFERENCE]
            if above > HIGH:
                refer(memory, k)
            else:
                memory[HEAD + k + chosen] = math.exp(above) if above > LEAST else 0.0

    def policy(self, memory, k, out):
        total = visits(memory, k)
        for i in range(k):
            out[i] = memory[HEAD + 2 * k + i] / total if total > 0.0 else 1.0 / k

    def mixture(self, memory, k, out):
        """The weights as they are now, without exploration."""
        mass = refer(memory, k)
        for i in range(k):
            out[i] = memory[HEAD + k + i] / mass


def refer(memory, k):
    """Make the largest weight the reference; returns the sum of the weights relative to it."""
    top = memory[HEAD]
    for i in range(1, k):
        top = max(top, memory[HEAD + i])
    memory[REFERENCE] = top
    mass = 0.0
    for i in range(k):
        above = memory[HEAD + i] - top
        memory[HEAD + k + i] = math.exp(above) if above > LEAST else 0.0
        mass += memory[HEAD + k + i]
    return mass


def visits(memory, k):
    """How often the set was visited."""
    total = 0.0
    for i in range(k):
        total += memory[HEAD + 2 * k + i]
    return total
