"""UCB-Risk: the mean of an action, less what it risks (Zhang and Wang 2014, formulas 5, 6 and 8).

The simulations of a search are made in t worlds. With E_i^m the mean reward of action m in world i, and E the mean of
all E_i^m,

    risk_m  = 1/t * sqrt(sum over worlds i of (E_i^m - E)^2)
    score_m = mean_m - R * risk_m            untried actions first; then the highest, ties at random

and the action of the highest score is also the one to play: the strategy to output. Rewards are payoffs as they are,
and both terms have their unit, so R means the same whatever the payoffs are.

The paper leaves much open. These are its readings, as parameters:

    norm     literal: 1/t, as printed.
             rms: 1/sqrt(t), the root of the mean square, which does not shrink with more worlds
    centre   all: E is the mean over all actions, as printed, so that an action far better than the others is a risk too.
             action: each action is compared with its own mean, so that risk is spread alone
    form     added: as printed, where R = 1 still has the mean.
             convex: (1 - R) * mean_m - R * risk_m, where R = 1 is the "pure risk dominance" that the text speaks of
    epsilon, decay
             the share of simulations that try any action, as in greedy.py. The paper says that R = 0 is epsilon-greedy,
             and so it is here, by default; with epsilon = 0 it is the formula as printed, which is greedy

Pairs of an action and a world that no simulation has met are left out of both sums, and t is the number of worlds in
which the action was tried.

A search that has worlds says which one a simulation is in, by `in_world`.

Memory: as in counting.py, then for each action in how many worlds it was tried, the sum of its E_i and the sum of their
squares, then for each action and world how often it was tried there, and its mean.
"""

import enum
import math
from typing import NamedTuple

from .. import dice
from ..text.parameters import accepts, real
from . import counting
from .counting import HEAD, MEAN, STRIDE, TIMES, credit, highest, take_in, untried
from .greedy import faded
from .sharing import as_it_is, shares

SEEN, SUM, SQUARES, OWN = 0, 1, 2, 3  # of an action, after the memory of counting.py; OWN words each


class Norm(enum.IntEnum):
    LITERAL = 0
    RMS = 1


class Centre(enum.IntEnum):
    ALL = 0
    ACTION = 1


class Form(enum.IntEnum):
    ADDED = 0
    CONVEX = 1


@accepts(
    r=real(0, 1e9),
    norm=Norm,
    centre=Centre,
    form=Form,
    epsilon=real(0, 1),
    decay=real(0, 1e12),
    worlds=range(1, 2**20),
    world=range(2**20),
)
@shares(*counting.METHODS, reward=as_it_is)
class Risk(NamedTuple):
    r: float = 0.4
    norm: Norm = Norm.LITERAL
    centre: Centre = Centre.ALL
    form: Form = Form.ADDED
    epsilon: float = 0.1
    decay: float = 0.0
    worlds: int = 20  # of the search
    world: int = 0  # of this simulation

    def in_world(self, world):
        """The same bandit in a simulation of this world."""
        return Risk(self.r, self.norm, self.centre, self.form, self.epsilon, self.decay, self.worlds, world)

    def slots(self, k):
        return HEAD + STRIDE * k + OWN * k + 2 * k * self.worlds

    def begin(self, memory, k, depth, prior):
        """Nothing to prepare; `in_world` makes a tuple of this class, which interpreted code does not complete."""

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        epsilon = faded(self, memory, k)
        if epsilon > 0.0 and dice.unit(random) < epsilon:
            return dice.below(random, k), 1.0
        return highest(self, memory, k, self.middle(memory, k), random), 1.0

    def learn(self, memory, k, chosen, probability, reward):
        credit(memory, chosen, reward)
        own = HEAD + STRIDE * k + OWN * chosen
        here = HEAD + STRIDE * k + OWN * k + 2 * (chosen * self.worlds + self.world)
        before = memory[here + MEAN]  # 0 if this is the first time
        memory[own + SEEN] += memory[here + TIMES] == 0.0
        take_in(memory, here, reward)
        memory[own + SUM] += memory[here + MEAN] - before
        memory[own + SQUARES] += memory[here + MEAN] ** 2 - before**2

    def policy(self, memory, k, out):
        """The actions of the highest score, equally often. Actions that were not tried have none."""
        middle = self.middle(memory, k)
        best, ties = -math.inf, 0
        for i in range(k):
            out[i] = self.score(memory, k, i, middle) if memory[HEAD + STRIDE * i + TIMES] > 0.0 else -math.inf
            ties = ties + 1 if out[i] == best else 1 if out[i] > best else ties
            best = max(best, out[i])
        for i in range(k):
            out[i] = 1.0 / ties if out[i] == best else 0.0

    def middle(self, memory, k):
        """The mean of all E_i^m that are known."""
        seen, total = 0.0, 0.0
        for i in range(k):
            own = HEAD + STRIDE * k + OWN * i
            seen += memory[own + SEEN]
            total += memory[own + SUM]
        return total / seen if seen > 0.0 else 0.0

    def score(self, memory, k, i, middle):
        """What formula (8) gives an action that was tried."""
        own = HEAD + STRIDE * k + OWN * i
        seen, total = memory[own + SEEN], memory[own + SUM]
        if self.centre == Centre.ACTION:
            middle = total / seen
        square = max(memory[own + SQUARES] - 2.0 * middle * total + seen * middle * middle, 0.0)
        risk = math.sqrt(square / seen) if self.norm == Norm.RMS else math.sqrt(square) / seen
        mean = memory[HEAD + STRIDE * i + MEAN]
        return (1.0 - self.r) * mean - self.r * risk if self.form == Form.CONVEX else mean - self.r * risk
