"""A transposition table: what a search has found out about positions, so that a position which is reached in two ways is
searched once.

An entry holds a key, how deep the search below the position was, a lower and an upper bound of its value for the mover, and
the best action. Both bounds are kept: alpha-beta mostly learns one of them, and a later visit may learn the other. A
decided value is kept as seen from the position (`scores.py`), so that it is right at any distance from the root.

**Replacement.** An entry has two places, side by side in one line of the processor's cache. A position that is there is
updated: bounds of the same depth are merged, others are replaced. A new position takes a free place, or one that an earlier
search left. Where there is none, it takes the first place if what stands there is not deeper, and else the second.

**Clearing.** Entries carry the number of the search that wrote them, and those of before the last `clear` count as free.
So clearing costs nothing.
"""

import numbers
from typing import NamedTuple

import numpy as np

from ...errors import Invalid
from ...walk.slices import memory_cap

KEY, META, LOWER, UPPER = 0, 1, 2, 3  # an entry; the last two words are real numbers
DEPTH_BITS, AGE_BITS = 12, 16  # META: the action + 1 | OPEN | the number of the search | the depth
AGE, OLDEST, LOST = 0, 1, 2  # of `used`: this search | the first that counts | entries that were overwritten
OPEN_BIT = 1 << (DEPTH_BITS + AGE_BITS)
ACTION_SHIFT = DEPTH_BITS + AGE_BITS + 1
DEPTH_MASK, AGE_MASK = (1 << DEPTH_BITS) - 1, (1 << AGE_BITS) - 1
MISSING = -1  # no place; no action
NEVER = AGE_MASK + 1  # the oldest search that counts, in a table that keeps nothing
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: neighbouring keys land far apart
ENTRY_BYTES = 32
LEAST = 4 * ENTRY_BYTES


class Transpositions(NamedTuple):
    word: np.ndarray  # [entries, 4]
    real: np.ndarray  # the same memory, read as real numbers
    used: np.ndarray  # [3]
    shift: int  # 65 - log2(entries): of a pair of places

    def home(self, key):
        """The first of the two places of a key."""
        mixed = np.uint64(np.int64(key)) * SPREAD
        mixed = (mixed ^ (mixed >> np.uint64(32))) * SPREAD
        return np.int64(mixed >> np.uint64(self.shift)) * 2

    def alive(self, place):
        """Whether an entry counts."""
        return (self.word[place, META] >> DEPTH_BITS) & AGE_MASK >= self.used[OLDEST]

    def find(self, key):
        """The place of a position, or MISSING."""
        place = self.home(key)
        if self.word[place, KEY] == key and self.alive(place):
            return place
        if self.word[place + 1, KEY] == key and self.alive(place + 1):
            return place + 1
        return MISSING

    def depth(self, place):
        return self.word[place, META] & DEPTH_MASK

    def is_open(self, place):
        """Whether the bounds rest on an evaluation somewhere, and not on ends of the game alone."""
        return self.word[place, META] & OPEN_BIT != 0

    def action(self, place):
        """The best action, or MISSING."""
        return (self.word[place, META] >> ACTION_SHIFT) - 1

    def store(self, key, depth, is_open, lower, upper, action):
        """Keep what a search has found; an action that is MISSING leaves the one that is known."""
        word, real, used = self.word, self.real, self.used
        place = self.find(key)
        if place != MISSING:
            if action == MISSING:
                action = self.action(place)
            if self.depth(place) == depth:
                lower, upper = max(lower, real[place, LOWER]), min(upper, real[place, UPPER])
                is_open = is_open or self.is_open(place)
        else:
            place = self.home(key)
            if self.taken(place) and (not self.taken(place + 1) or self.depth(place) > depth):
                place += 1
            used[LOST] += self.taken(place)
        word[place, KEY] = key
        opened = OPEN_BIT if is_open else 0
        word[place, META] = depth | (used[AGE] << DEPTH_BITS) | opened | ((action + 1) << ACTION_SHIFT)
        real[place, LOWER], real[place, UPPER] = lower, upper

    def taken(self, place):
        """Whether this search wrote the entry at a place."""
        return (self.word[place, META] >> DEPTH_BITS) & AGE_MASK == self.used[AGE]

    def next_search(self) -> None:
        """Let what is there become old: it counts, and it may be overwritten."""
        if self.used[AGE] == AGE_MASK:
            self.word[:] = 0
            self.used[AGE] = 0
            if self.used[OLDEST] != NEVER:
                self.used[OLDEST] = 1
        self.used[AGE] += 1
        self.used[LOST] = 0

    def clear(self) -> None:
        """Forget everything."""
        self.next_search()
        if self.used[OLDEST] != NEVER:
            self.used[OLDEST] = self.used[AGE]


def new_transpositions(memory: float) -> Transpositions:
    """An empty table of at most so many bytes, and of half the machine's memory; of 0 bytes, one that keeps nothing."""
    if not isinstance(memory, numbers.Real) or (memory != 0 and not memory >= LEAST):
        raise Invalid(f"memory must be 0, for no table, or a number of bytes from {LEAST} up, not {memory!r}")
    bits = int(max(min(memory, memory_cap()), LEAST) // ENTRY_BYTES).bit_length() - 1
    try:
        word = np.zeros((1 << bits, 4), np.int64)
    except MemoryError:
        raise Invalid(f"there is no room for a table of {ENTRY_BYTES << bits:,} bytes: give less memory") from None
    table = Transpositions(word, word.view(np.float64), np.zeros(3, np.int64), 65 - bits)
    table.used[OLDEST] = 0 if memory else NEVER
    table.clear()
    return table
