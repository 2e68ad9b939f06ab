"""A simple evaluation of Go positions (see evaluation.py), for searches that look ahead instead of playing out.

`Nearness` gives every empty point to the colour that is stronger around it: the stones among its eight neighbours count 2 on
its sides and 1 at its corners. Stones count as alive. The lead in points, with komi, is divided by the size of the board, so
that it lies between -1 and 1, as payoffs do; where payoffs are points, it is not.
"""

from typing import NamedTuple

import numpy as np

from .board import BLACK, CODE, DIAGONAL, EMPTIES, FOUR, WHITE, at, listed, stones_lead

SIDE, CORNER = 2, 1  # how much a stone beside an empty point counts


def _lead() -> np.ndarray:
    """[code of four neighbours] black stones minus white ones."""
    lead = np.zeros(256, np.int8)
    for code in range(256):
        stones = [code >> shift & 3 for shift in (0, 2, 4, 6)]
        lead[code] = stones.count(BLACK) - stones.count(WHITE)
    return lead


LEAD = _lead()


class Nearness(NamedTuple):
    def value(self, game, state):
        lead = np.float64(stones_lead(state))
        for place in range(state[EMPTIES]):
            spot = state[at(listed(state, place))]
            near = SIDE * LEAD[at(spot >> CODE & FOUR)] + CORNER * LEAD[at(spot >> DIAGONAL & FOUR)]
            if near > 0:
                lead += 1
            elif near < 0:
                lead -= 1
        lead -= game.komi
        return lead if game.points else lead / (game.side * game.side + abs(game.komi))
