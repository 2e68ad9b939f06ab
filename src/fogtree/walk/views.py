"""A set of information sets, (view, player), that many lanes fill at once (`kernels/lanes.py`).

Open addressing with linear probing, a row of words for each player. A word is claimed in one step, so no view is entered
twice, and how many there are does not depend on who came first.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..kernels.atomic import add, claim
from ..kernels.bits import times
from ..kernels.engines import zeros
from .table import SPREAD

FREE = 0  # a word that nobody has claimed; the view 0 has a word of its own
PROBES = 64  # before a set counts as full
COUNTS = 64  # words that count the new ones of a player, so that lanes seldom wait for each other
NEW, KNOWN, FULL_UP = 1, 0, -1
LEAST = 2  # views of a player: with one no bit of a product would be left to say where its word is
MORE = 4  # times as many views, where some found no place


class NoRoom(Exception):
    """A view found no place."""


def until_room(work: Callable[[int], Any], capacity: int) -> Any:
    """What work with a set of so many views comes to; it is done again with a larger set as long as it raises `NoRoom`."""
    while True:  # it ends: the capacity grows, and the memory does not
        try:
            return work(capacity)
        except NoRoom:
            capacity *= MORE


class Views(NamedTuple):
    slot: Any  # [players * capacity + players], capacity a power of two; the last words are for the view 0
    entered: Any  # [players * COUNTS] how many were new, by player: their sum
    players: int
    shift: int  # 64 - log2(capacity)

    def add(self, view, player):
        """NEW, KNOWN, or FULL_UP if no word near its place is free."""
        return self.enter(view, player)[0]

    def number(self, view, player):
        """The number of a set, which is that of its word in `slot`, or FULL_UP."""
        return self.enter(view, player)[1]

    def enter(self, view, player):
        """What `add` says, and what `number` says."""
        capacity = np.int64(1) << np.int64(64 - self.shift)
        if view == FREE:
            at = self.players * capacity + player
            if claim(self.slot, at, FREE, 1) != FREE:
                return KNOWN, at
            add(self.entered, player * COUNTS, 1)
            return NEW, at
        mixed = times(np.uint64(np.int64(view)), SPREAD)
        mixed = times(mixed ^ (mixed >> np.uint64(32)), SPREAD)
        place = np.int64(mixed >> np.uint64(self.shift))
        for _ in range(PROBES):
            at = player * capacity + place
            held = self.slot[at]
            if held == FREE:
                held = claim(self.slot, at, FREE, view)
                if held == FREE:
                    add(self.entered, player * COUNTS + place % COUNTS, 1)
                    return NEW, at
            if held == view:
                return KNOWN, at
            place = (place + 1) & (capacity - 1)
        return FULL_UP, np.int64(FULL_UP)

    def view_at(self, number):
        """The view of the set with this number; in Python numbers may be an array, here and below."""
        return self.slot[number] * (number < self.slot.shape[0] - self.players)  # the word of the view 0 holds 1

    def owner_at(self, number):
        """The player of the set with this number."""
        capacity = self.slot.shape[0] // self.players - 1
        last = number >= self.players * capacity
        return (number // capacity) * (1 - last) + (number - self.players * capacity) * last

    def met(self, view, player, note, last):
        """The same for a view that lanes meet many times in a row: `note[last]` is the player's view that a lane met last."""
        if note[last] == view and view != FREE:
            return KNOWN
        note[last] = view
        return self.add(view, player)

    def sizes(self, decisions):
        """How many there are, by player; only Python calls this."""
        return np.array(self.entered).reshape(self.players, COUNTS).sum(axis=1)


class Distinct(NamedTuple):
    """Takes the place of a set where nothing is hidden: no two histories are one information set, and each is new."""

    def met(self, view, player, note, last):
        return NEW

    def sizes(self, decisions):
        return decisions


def new_views(players: int, capacity: int, device: str) -> Views:
    """An empty set on a device; capacity is a power of two, LEAST or more."""
    slot, entered = zeros(device, players * (capacity + 1)), zeros(device, players * COUNTS)
    return Views(slot, entered, players, 65 - capacity.bit_length())
