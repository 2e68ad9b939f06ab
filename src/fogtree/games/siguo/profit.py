"""What a position of army chess is worth: the profit of zhang2014, from material.

Every man in the game has a value (those of the program JunQi), and an army that is out has none. The worth of a state
for a side is

    (own - theirs) / (own + theirs)

in the unit of payoffs: times 100, it is a profit from -100 to 100.
"""

from typing import NamedTuple

import numpy as np

from ...game import OVER
from ...kernels.bits import lowest
from ...policy import Uniform
from .board import BITS, WORDS
from .rules import HEAD, STANDS, kinds_from

# [kind] of pfysw/JunQi, which gives the flag no value of its own: here it counts as much as a commander
VALUE = np.array([210.0, 190.0, 150.0, 100.0, 85.0, 50.0, 40.0, 30.0, 90.0, 110.0, 100.0, 210.0])


class Profit(NamedTuple):
    """The share of the material by which the side of player 0 is ahead."""

    def value(self, game, state):
        if game.player(state) == OVER:
            return game.payoff(state, 0)
        kinds, own, theirs = kinds_from(game), 0.0, 0.0
        for who in range(game.seats()):
            worth = 0.0
            for word in range(WORDS):
                men = state[STANDS + who * WORDS + word]
                while men:
                    worth += VALUE[state[kinds + state[HEAD + word * BITS + lowest(men)] - 1]]
                    men &= men - 1
            if game.side_of(who) == game.side_of(0):
                own += worth
            else:
                theirs += worth
        return (own - theirs) / (own + theirs) if own + theirs > 0.0 else 0.0


def evaluation(game):
    return Profit()


def playout_policy(game):
    return Uniform()
