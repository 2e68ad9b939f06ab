"""A set of information sets, (view, player), that many lanes fill at once (`kernels/lanes.py`).

Open addressing with linear probing, a row of words for each player. A word is claimed in one step, so no view is entered
twice, and how many there are does not depend on who came first.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.atomic import claim
from ..kernels.bits import times
from .table import SPREAD

FREE = 0  # a word that nobody has claimed; the view 0 has a word of its own
PROBES = 64  # before a set counts as full
NEW, KNOWN, FULL_UP = 1, 0, -1


class Views(NamedTuple):
    slot: np.ndarray  # [players * capacity + players], capacity a power of two; the last words are for the view 0
    players: int
    shift: int  # 64 - log2(capacity)

    def add(self, view, player):
        """NEW, KNOWN, or FULL_UP if no word near its place is free."""
        capacity = np.int64(1) << np.int64(64 - self.shift)
        if view == FREE:
            return NEW if claim(self.slot, self.players * capacity + player, FREE, 1) == FREE else KNOWN
        mixed = times(np.uint64(np.int64(view)), SPREAD)
        mixed = times(mixed ^ (mixed >> np.uint64(32)), SPREAD)
        place = np.int64(mixed >> np.uint64(self.shift))
        for _ in range(PROBES):
            at = player * capacity + place
            held = self.slot[at]
            if held == FREE:
                held = claim(self.slot, at, FREE, view)
                if held == FREE:
                    return NEW
            if held == view:
                return KNOWN
            place = (place + 1) & (capacity - 1)
        return FULL_UP


def new_views(players: int, capacity: int) -> Views:
    """An empty set; capacity is a power of two."""
    return Views(np.zeros(players * (capacity + 1), np.int64), players, 65 - capacity.bit_length())
