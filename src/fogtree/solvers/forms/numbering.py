"""Numbers for the information sets that lanes have met (`recording.py`), which do not depend on who came first.

At first sets are numbered level by level: sets after the same sequence are neighbours, in the order of their views. Then they
are numbered once more, by whom they meet: a set comes where the smallest first number of an opponent's sequence is that it
shares an end with. So sequences that share ends with the same sequences stand close together, and a product with the matrix
finds in one piece of memory what it needs at a time.
"""

import itertools
from typing import Any

import numpy as np

from .entries import FAR, HALF
from .infosets import InfosetTree
from .recording import WIDTH
from .reduction import Singles

WORD = 63  # bits


class Sets:
    """The sets of both players, in arbitrary order, and their numbers."""

    def __init__(self, slot: Any, view: Any, fact: Any, action: Any, owner: Any, slots: int):
        self.slot, self.view, self.action, self.owner, self.width = slot, view, action, owner, fact % WIDTH
        self.first, self.parent = np.zeros((2, len(slot)), np.int64)
        self.sequences = [1, 1]
        at = np.zeros(slots, np.int32)
        at[slot] = np.arange(len(slot))
        code, actions = fact // WIDTH - 1, action.shape[1]  # of the sequence before a set
        self.later = code > 0
        self.before, self.position = at[np.where(self.later, code - 1, 0) // actions], (code - 1) % actions
        self.level = self._levels()
        self.rank = np.zeros(len(slot), np.int64)
        self.rank[np.argsort(view)] = np.arange(len(slot))
        choice = self.width > 1
        self.mine = [np.flatnonzero((owner == player) & choice) for player in (0, 1)]
        self.mine = [sets[np.argsort(self.level[sets].astype(np.int16), kind="stable")] for sets in self.mine]
        for player in (0, 1):
            self._number_by_levels(player)

    def _levels(self) -> np.ndarray:
        """[sets] how many of the player's own sets lead to each."""
        level = np.zeros(len(self.slot), np.int32)
        while True:  # it ends: a set leads to longer sequences only
            found = np.where(self.later, level[self.before] + 1, 0).astype(np.int32)
            if (found == level).all():
                return level
            level = found

    def _in_levels(self, player: int) -> list[np.ndarray]:
        mine = self.mine[player]
        ends = np.append(0, np.cumsum(np.bincount(self.level[mine])))
        return [mine[low:high] for low, high in itertools.pairwise(ends)]

    def _number_by_levels(self, player: int) -> None:
        number = 1
        for sets in self._in_levels(player):
            self._find_parents(sets)
            here = sets[np.argsort((self.parent[sets] << HALF) | self.rank[sets])]
            number = self._give(here, number)
        self.sequences[player] = number

    def number_by_company(self, lowest: np.ndarray) -> None:
        """Number them once more. `lowest` says of each set the smallest number of a sequence that shares an end with one of
        its own sequences."""
        for player in (0, 1):
            levels = self._in_levels(player)
            for sets in levels[:0:-1]:
                np.minimum.at(lowest, self.before[sets], lowest[sets])
            mine = self.mine[player]
            met = np.where(lowest[mine] < 0, lowest[mine] + FAR, max(self.sequences))  # last those who meet nobody
            order = _ordered(met, self.level[mine], self.rank[mine])  # so that parents come before children
            self._give(mine[order], 1)
            self._find_parents(mine)

    def _find_parents(self, sets: np.ndarray) -> None:
        later = sets[self.later[sets]]
        self.parent[later] = self.first[self.before[later]] + self.position[later]

    def _give(self, sets: np.ndarray, number: int) -> int:
        """The sequences of these sets get the next numbers."""
        ends = number + np.cumsum(self.width[sets])
        self.first[sets] = ends - self.width[sets]
        return int(ends[-1]) if len(sets) else number

    def trees(self) -> tuple[InfosetTree, InfosetTree]:
        made = []
        for player in (0, 1):
            sets = self.mine[player][np.argsort(self.first[self.mine[player]])]
            listed = self.action[sets][np.arange(self.action.shape[1]) < self.width[sets][:, None]]
            first = np.append(self.first[sets], self.sequences[player]).astype(np.int32)
            action = np.append(-1, listed).astype(np.int32)
            made.append(InfosetTree(self.view[sets], self.parent[sets].astype(np.int32), first, action))
        return made[0], made[1]

    def singles(self) -> Singles:
        """The sets with a single action."""
        single = self.width == 1
        return Singles(self.owner[single], self.view[single], self.action[single, 0])


def _ordered(*keys: np.ndarray) -> np.ndarray:
    """The order by the first of these keys, which are 0 or more, then by the second, and so on."""
    bits = [int(key.max(initial=0)).bit_length() for key in keys]
    if sum(bits) > WORD:
        return np.lexsort(keys[::-1])
    word = np.zeros(len(keys[0]), np.int64)  # a single word is sorted several times as fast
    for key, size in zip(keys, bits, strict=True):
        word = (word << size) | key
    return np.argsort(word, kind="stable")
