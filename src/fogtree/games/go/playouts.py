from typing import NamedTuple

import numpy as np

from ... import dice
from .board import BLACK, EMPTIES, NUMBER, TURN, at, is_eye, listed

TRIES = 12


class NoEyes(NamedTuple):
    def draw(self, game, state, player, room, random):
        """By rejection from the list of empty points; where that fails too often, from the list of all that are left."""
        stone, empties = state[TURN] + BLACK, state[EMPTIES]
        if empties > 0:
            for _ in range(TRIES):
                point = listed(state, dice.below(random, empties))
                if not is_eye(state, point, stone) and game.may_play(state, point):
                    return state[at(point)] >> NUMBER
        count = 0
        for place in range(empties):
            point = listed(state, place)
            if not is_eye(state, point, stone) and game.may_play(state, point):
                room.choice[count] = state[at(point)] >> NUMBER
                count += 1
        if count == 0:
            return np.int64(game.side * game.side)
        return room.choice[dice.below(random, count)]
