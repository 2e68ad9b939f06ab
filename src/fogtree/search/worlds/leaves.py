"""What a leaf of a tree of histories is worth, for player 0, if from there on everybody saw everything.

AtOnce(evaluation)     the evaluation of the state
Settled(...)           what is left after captures and other noisy moves: alpha-beta's quiescence (`open/alphabeta.py`), for
                       at most so many plies and nodes, after which the evaluation stands
"""

from typing import Any, NamedTuple

from ...game import Shape
from ..open.descent import Stack, look_on, new_stack
from ..open.pruning import Sound
from ..open.scores import DECIDED, largest
from ..open.transpositions import Transpositions, new_transpositions

NODES = 64  # of the quiescence below one leaf


class AtOnce(NamedTuple):
    evaluation: Any

    def value(self, game, state):
        return self.evaluation.value(game, state)


class Settled(NamedTuple):
    evaluation: Any
    quiet: int  # plies
    most: float  # the largest payoff
    stack: Stack
    table: Transpositions  # none, for a quiescence needs no table

    def value(self, game, state):
        value = look_on(game, self.evaluation, Sound(), self.stack, self.table, self.most, state, self.quiet, NODES)
        if value > DECIDED:
            return self.most
        return -self.most if value < -DECIDED else value


def settled(shape: Shape, evaluation: Any, quiet: int) -> Settled:
    return Settled(evaluation, quiet, largest(shape), new_stack(shape, 1, quiet), new_transpositions(0))
