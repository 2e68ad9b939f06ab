"""Which moves of chess a search should try first: the optional verb `promise` (see `game.py`)."""

import numpy as np

from .boards import ONE
from .moves import NO_MAN, PASSING, PAWNS, QUEENS, SIDE, TURN, board

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
