"""The open twin of Phantom Tic-Tac-Toe, for the Belief Sampler (`search/worlds/sampler.py`): what a player knows, and the
positions of Tic-Tac-Toe that agree with it."""

import itertools
from typing import NamedTuple

import numpy as np

from .tic_tac_toe import ALL_CELLS, COUNT, MARKS, VIEW, WINS, WORDS, TicTacToe

BOARDS = ALL_CELLS + 1


class PhantomTwin(NamedTuple):
    """Phantom Tic-Tac-Toe as Tic-Tac-Toe. A key is the own marks and those found, as two bit boards; how many marks the other
    has follows from whose turn it is."""

    open: TicTacToe = TicTacToe()

    def keys(self):
        return BOARDS * BOARDS

    def key(self, view):
        own, found = 0, 0
        while view > 1:
            own |= (1 - view % 2) << (view % 18) // 2
            found |= view % 2 << (view % 18) // 2
            view //= 18
        return own * BOARDS + found

    def worlds(self, key, player):
        own, found = divmod(key, BOARDS)
        if own & found:
            return []
        marks = own.bit_count() + player - found.bit_count()  # of the other, not yet found
        free = [cell for cell in range(9) if not (own | found) >> cell & 1]
        if WINS[own] or not 0 <= marks <= len(free):
            return []
        states = []
        for cells in itertools.combinations(free, marks):
            other = found | sum(1 << cell for cell in cells)
            if not WINS[other] and own | other != ALL_CELLS:
                state = np.zeros(WORDS, np.int64)
                state[MARKS + player], state[MARKS + 1 - player] = own, other
                state[COUNT], state[VIEW] = (own | other).bit_count(), 1
                states.append(state)
        return states

    def position(self, state):
        return int(state[MARKS]), int(state[MARKS + 1])
