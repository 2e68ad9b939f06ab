"""A hash table from information sets, (view, player), to numbers 0, 1, 2, ... in the order in which they came.

Open addressing with linear probing; a slot is two words side by side, so that a look-up touches one cache line. Kernels
look up and add; only Python grows it, between slices: `if table.full(): table = table.grown()`.
"""

from typing import NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import NONE
from ..kernels import STEP, kernel
from ..kernels.bits import times

EMPTY = -1
VIEW, OWNER = 0, 1  # a slot: the view | number * 256 + player, or EMPTY
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: neighbouring keys land far apart
HALF = np.uint64(32)
MOST_PLAYERS = 256
COPYING = 3  # of the usual steps, for each slot


class Table(NamedTuple):
    slot: np.ndarray  # [capacity, 2], capacity a power of two
    used: np.ndarray  # [1]
    shift: int  # 64 - log2(capacity): the top bits of a product are its best ones

    def home(self, view, player):
        # one product, for every look-up waits for it; views at equal distances would lie close together without the shift
        mixed = times(np.uint64(np.int64(view)) + np.uint64(player), SPREAD)
        return np.int64((mixed ^ (mixed << HALF)) >> np.uint64(self.shift))

    def find(self, view, player):
        """The number of an information set, or NONE."""
        mask = self.slot.shape[0] - 1
        i = self.home(view, player)
        while True:
            owner = self.slot[i, OWNER]
            if owner == EMPTY:
                return NONE
            if self.slot[i, VIEW] == view and owner & 255 == player:
                return owner >> 8
            i = (i + 1) & mask

    def add(self, view, player):
        """The number of an information set. A new set is entered first; its number equals the old used[0]."""
        mask = self.slot.shape[0] - 1
        i = self.home(view, player)
        while True:
            owner = self.slot[i, OWNER]
            if owner == EMPTY:
                number = self.used[0]
                self.slot[i, VIEW] = view
                self.slot[i, OWNER] = number * 256 + player
                self.used[0] = number + 1
                return number
            if self.slot[i, VIEW] == view and owner & 255 == player:
                return owner >> 8
            i = (i + 1) & mask

    def enter(self, view, player, number):
        """Enter an information set that is not there yet, under a number that the caller chooses."""
        mask = self.slot.shape[0] - 1
        i = self.home(view, player)
        while self.slot[i, OWNER] != EMPTY:
            i = (i + 1) & mask
        self.slot[i, VIEW], self.slot[i, OWNER] = view, number * 256 + player
        self.used[0] += 1

    def full(self):
        """Whether it must grow before more is added. A third stays free, so that probes stay short and always end."""
        return 3 * self.used[0] >= 2 * self.slot.shape[0]

    def grown(self) -> "Table":
        """The same entries with the same numbers, in twice the room."""
        bigger = empty(2 * self.slot.shape[0])
        _copy.briefly(STEP * COPYING * self.slot.shape[0], self, bigger)
        return bigger


def empty(capacity: int = 1024) -> Table:
    """A table without entries; capacity is a power of two, at least 4, for a third of it stays free."""
    if capacity < 4 or capacity & (capacity - 1):
        raise Invalid(f"the capacity of a table is a power of two from 4 up, not {capacity}")
    slot = np.full((capacity, 2), EMPTY, np.int64)
    return Table(slot, np.zeros(1, np.int64), 64 - capacity.bit_length() + 1)


@kernel
def _copy(table, bigger):
    for old in range(table.slot.shape[0]):
        owner = table.slot[old, OWNER]
        if owner != EMPTY:
            bigger.enter(table.slot[old, VIEW], owner & 255, owner >> 8)
