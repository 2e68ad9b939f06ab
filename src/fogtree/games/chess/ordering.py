"""What a search should try first in chess, and what it may leave out.

Chess has the optional verbs `promise`, `by_course` and `skip` from here (see `game.py`).
"""

import numpy as np

from .boards import ONE
from .moves import (
    CLOCK,
    KEY,
    KEYS,
    NO_MAN,
    NOWHERE,
    PASSING,
    PASSING_KEY,
    PAWNS,
    PLY,
    QUEENS,
    QUIET,
    REPEATED,
    RESULT,
    SIDE,
    TURN,
    TURN_KEY,
    board,
    look,
)

WORTH = np.array([1.0, 3.0, 3.0, 5.0, 9.0, 0.0, 0.0])  # by kind of man; nobody takes a king


def man_on(state, square):
    """The kind of man on a square, or NO_MAN."""
    found = np.int64(0)
    there = np.uint64(square)
    for kind in range(6):
        found += (NO_MAN - kind) * np.int64((board(state, kind) >> there) & ONE)
    return NO_MAN - found


def promise(state, action):
    """The most valuable man taken first, by the least valuable man; promotion to a queen as a capture of what is gained; all
    other promotions last."""
    target = action & 63
    if action >= 4096:
        return WORTH[QUEENS] + WORTH[man_on(state, target)] if action >> 12 == QUEENS else -1.0
    if (board(state, SIDE + 1 - state[TURN]) >> np.uint64(target)) & ONE:
        return WORTH[man_on(state, target)] - WORTH[man_on(state, (action >> 6) & 63)] / 16
    if target == state[PASSING] and man_on(state, (action >> 6) & 63) == PAWNS:
        return WORTH[PAWNS] - WORTH[PAWNS] / 16
    return 0.0


def by_course(state):
    """Whether a repetition or the clock ended the game."""
    return state[RESULT] == REPEATED or state[RESULT] == QUIET


def skip(state):
    """Let the mover pass. It is no good in check, nor with pawns alone, where having to move is often what hurts."""
    me = state[TURN]
    men = board(state, SIDE + me)
    if men & (board(state, 1) | board(state, 2) | board(state, 3) | board(state, 4)) == np.uint64(0):
        return False
    state[KEY] = np.int64(board(state, KEY) ^ TURN_KEY ^ PASSING_KEY[state[PASSING]])
    state[PASSING], state[TURN] = NOWHERE, 1 - me
    state[CLOCK] = 0  # what came before cannot be repeated
    state[KEYS] = state[KEY]
    state[PLY] += 1
    look(state)
    return True
