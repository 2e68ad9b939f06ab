"""Resetting UCT: when an action's value changes its direction, counts are reset and means kept (Briedoň 2015, Figure 5.1).

At growing intervals (after `first` visits, then 1.5 times as many, and so on) the values of the actions are compared with
those at the last look. If any value now moves in another direction than it did then (up, down, or not at all), the counts
of all actions are set to `restart` and their means are kept. The strategy is these counts plus the play since then. Between
looks it is nondeterministic UCT. The thesis does not say when the first look comes and what a reset does to the directions;
here they are forgotten.

Memory: as in counting.py, then visits in all | the next look | looks since the last reset | for each action its value at the
last look and its direction then.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts, real
from . import counting
from .counting import EXPLORATION, HEAD, MEAN, STRIDE, TIMES, credit, untried
from .nondeterministic import NEAR, near_best
from .sharing import as_it_is, shares

VISITS, LOOK, LOOKS, MORE = 0, 1, 2, 3  # after the actions; then two words an action


@accepts(
    c=EXPLORATION,
    epsilon=NEAR,
    first=(range(1, 10**9), "visits before the first look"),
    growth=(real(1, 100, open_low=True), "each interval between looks is so many times the last"),
    restart=(range(1, 10**9), "what all counts are set to by a reset"),
)
@shares(*counting.METHODS, reward=as_it_is)
class ResettingUCT(NamedTuple):
    c: float = 2.0
    epsilon: float = 0.0001
    first: int = 100
    growth: float = 1.5
    restart: int = 100

    def slots(self, k):
        return HEAD + STRIDE * k + MORE + 2 * k

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        if memory[HEAD + STRIDE * k + VISITS] >= max(memory[HEAD + STRIDE * k + LOOK], float(self.first)):
            self.look(memory, k)
        return near_best(memory, k, self.c, self.epsilon, math.log(memory[0]), random), 1.0

    def look(self, memory, k):
        own = HEAD + STRIDE * k
        turned = False
        for i in range(k):
            value, old = memory[HEAD + STRIDE * i + MEAN], own + MORE + 2 * i
            direction = 1.0 if value > memory[old] else (-1.0 if value < memory[old] else 0.0)
            turned = turned or (memory[own + LOOKS] >= 2.0 and direction != memory[old + 1])
            memory[old], memory[old + 1] = value, direction
        last = max(memory[own + LOOK], float(self.first))
        memory[own + LOOK] = max(math.floor(self.growth * last), last + 1.0)  # rounded down, it might stand still
        memory[own + LOOKS] += 1.0
        if turned:
            for i in range(k):
                memory[HEAD + STRIDE * i + TIMES] = float(self.restart)
            memory[0] = float(self.restart * k)
            memory[own + LOOKS] = 0.0

    def learn(self, memory, k, chosen, probability, reward):
        credit(memory, chosen, reward)
        memory[HEAD + STRIDE * k + VISITS] += 1.0
