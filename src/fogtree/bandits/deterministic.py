"""Deterministic UCT: the first of the best (Briedoň 2015, 3.3, as in the library that the thesis used).

    score_i = mean_i + c * sqrt(ln n / n_i)    untried first, in random order; then the highest, the first if tied

Against itself it can fall into step and cycle for ever: that is what the thesis is about. Memory as in counting.py.
"""

import math
from typing import NamedTuple

from ..text.parameters import accepts
from . import counting
from .counting import EXPLORATION, bound, untried
from .sharing import as_it_is, shares


@accepts(c=EXPLORATION)
@shares(*counting.METHODS, reward=as_it_is)
class DeterministicUCT(NamedTuple):
    c: float = 2.0

    def choose(self, memory, k, random):
        if memory[0] < k:
            return untried(memory, k, random), 1.0
        log = math.log(memory[0])
        best, chosen = -math.inf, 0
        for i in range(k):
            score = bound(memory, i, self.c, log)
            if score > best:
                best, chosen = score, i
        return chosen, 1.0
