"""The information sets of a player by levels, so that lanes can sweep over them (`kernels/lanes.py`).

A set is on level n if n of the player's own sets lead to it. Sets of one level have nothing to do with each other, so that
lanes may take them at the same time, and a sweep goes level by level: upwards from the leaves, or downwards from the roots.
On the way up a set fetches what the sets right after its sequences are worth, where a sweep in one thread would carry it to
them: so nobody writes what another writes, and sums have one order.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ...kernels import STEP, kernel
from ...kernels.engines import on
from ...kernels.lanes import NOTHING
from ...kernels.teams import member, members, together
from .infosets import EMPTY, InfosetTree
from .sequence import Sparse

WARP = 32  # the most threads of a team
ONE = np.uint32(1)  # indices are unsigned, as in `InfosetTree.span`
EACH = 8  # entries of a row that a thread should have, at least


class Levels(NamedTuple):
    order: Any  # [infosets] the sets, level by level
    child: Any  # [infosets] the sets, by the sequence that leads to them
    first: Any  # [sequences + 1] those after sequence s are child[first[s]] to child[first[s + 1] - 1]
    before: Any  # [sequences] the sequence that leads to the set of a sequence; that of the empty one is itself


def levels_of(tree: InfosetTree) -> tuple[Levels, list[int]]:
    """The levels of a tree, and [levels + 1] where each begins in `order`."""
    sets, sequences = tree.infosets(), int(tree.sequences())
    first = np.append(0, np.cumsum(np.bincount(tree.parent, minlength=sequences)))
    if (np.diff(tree.parent) >= 0).all():  # the sets stand level by level, and by the sequences that lead to them
        order = child = np.arange(sets, dtype=np.int32)
        begin = [0]
        while begin[-1] < sets:  # the next level ends where sets follow sequences that are not there yet
            begin.append(int(np.searchsorted(tree.parent, tree.first[begin[-1]])))
    else:
        level, owner, child = np.zeros(sets, np.int32), np.zeros(sequences, np.int32), np.zeros(sets, np.int32)
        _mark_levels.briefly(STEP * sequences, tree, level, owner, first[:-1].copy(), child)
        begin = np.append(0, np.cumsum(np.bincount(level))).tolist()
        order = np.argsort(level, kind="stable").astype(np.int32)
    before = np.append(np.int32(EMPTY), np.repeat(tree.parent, np.diff(tree.first)))
    return Levels(order, child, first.astype(np.int32), before), begin


@kernel
def _mark_levels(tree, level, owner, place, child):
    for i in range(tree.parent.shape[0]):
        parent = tree.parent[i]
        child[place[parent]] = i
        place[parent] += 1
        level[i] = 0 if parent == EMPTY else level[owner[parent]] + 1
        for s in range(tree.first[i], tree.first[i + 1]):
            owner[s] = i


class Times(NamedTuple):
    """Work: lane r multiplies row r of a matrix by a vector."""

    matrix: Sparse
    sign: float
    vector: Any  # [columns]
    out: Any  # [rows]
    crew: int  # threads of a team

    def team(self):
        return self.crew

    def lane(self, number, own):
        matrix, vector = self.matrix, self.vector
        low, high = matrix.start[number], matrix.start[number + 1]
        column, value = matrix.column[low:high], matrix.value[low:high]
        size, step, a = np.uint32(high - low), np.uint32(members(self.crew)), np.uint32(member(self.crew))
        last = np.uint32(size - ONE)
        # Four sums, so that no fetch waits for the one before; past the end the last entry is fetched again for nothing.
        one = other = third = fourth = 0.0
        while a < size:
            b = np.uint32(a + step)
            c = np.uint32(b + step)
            d = np.uint32(c + step)
            at_b, at_c, at_d = min(b, last), min(c, last), min(d, last)
            more_a = value[a] * vector[np.uint32(column[a])]
            more_b = value[at_b] * vector[np.uint32(column[at_b])]
            more_c = value[at_c] * vector[np.uint32(column[at_c])]
            more_d = value[at_d] * vector[np.uint32(column[at_d])]
            one += more_a
            other += more_b if b < size else 0.0
            third += more_c if c < size else 0.0
            fourth += more_d if d < size else 0.0
            a = np.uint32(d + step)
        total = together((one + other) + (third + fourth), self.crew)
        if member(self.crew) == 0:
            self.out[number] = total * matrix.unit * self.sign


def crew_of(matrix: Sparse) -> int:
    """How many threads take a row together: as many as find something to do."""
    rows, entries = len_of(matrix.start) - 1, len_of(matrix.column)
    crew = 1
    while crew < WARP and EACH * crew * rows <= entries:
        crew *= 2
    return crew


def len_of(array: Any) -> int:
    """The length of an array here or on a GPU."""
    return int(array.shape[0])


def gather(levels, i, tree, worth, value):
    """Add to the worth of each sequence of a set what the sets right after it are worth."""
    for s in range(tree.first[i], tree.first[i + 1]):
        total = worth[s]
        for c in range(levels.first[s], levels.first[s + 1]):
            total += value[levels.child[c]]
        worth[s] = total


class Answering(NamedTuple):
    """Work: lanes find the worth of the sets of a level to who answers best; the last of all finds that of the whole game."""

    tree: InfosetTree
    levels: Levels
    worth: Any  # [sequences] what the ends right after a sequence are worth
    value: Any  # [infosets]
    whole: Any  # [1]
    low: int  # where the level begins, below 0 for the game

    def lane(self, number, own):
        levels, worth = self.levels, self.worth
        if self.low < 0:
            total = worth[EMPTY]
            for c in range(levels.first[EMPTY], levels.first[EMPTY + 1]):
                total += self.value[levels.child[c]]
            self.whole[0] = total
            return
        i = levels.order[self.low + number]
        gather(levels, i, self.tree, worth, self.value)
        best = worth[self.tree.first[i]]
        for s in range(self.tree.first[i] + 1, self.tree.first[i + 1]):
            best = max(best, worth[s])
        self.value[i] = best


class Sweeps:
    """One player's tree on a device, with the product that every sweep begins with."""

    def __init__(
        self, device: str, tree: InfosetTree, matrix: Sparse, sign: float, arrays: Any, like: "Sweeps | None" = None
    ):
        """`arrays` are vectors on the device: [sequences] worth, [infosets] value, the plan of the other, [1] whole. Sweeps
        over the same tree may be given, to share what does not change."""
        self.worth, self.value, plan, self.whole = arrays
        self.rows = int(tree.sequences())
        if like is None:
            levels, begin = levels_of(tree)
            self.levels = [(low, high - low) for low, high in itertools.pairwise(begin)]
        else:
            tree, levels, self.levels = like.there.tree, like.there.levels, like.levels
        self.times = on(device, Times(matrix, sign, plan, self.worth, crew_of(matrix)), NOTHING)
        work = Answering(tree, levels, self.worth, self.value, self.whole, 0)
        self.answering = on(device, work, NOTHING)

    @property
    def there(self) -> Answering:
        """The tree, its levels and the scratch, where the lanes have them."""
        return self.answering.there

    def multiply(self, vector: Any) -> None:
        """Write the worth of each sequence against the other's plan, of the ends right after it."""
        self.times.change(vector=vector)
        self.times.run(0, self.rows)

    def answer(self, plan: Any) -> None:
        """Answer the other's plan in the best way."""
        self.multiply(plan)
        for low, count in reversed(self.levels):
            self.answering.change(low=low)
            self.answering.run(0, count)
        self.answering.change(low=-1)
        self.answering.run(0, 1)

    def found(self) -> float:
        """What the last answer gets."""
        return float(np.array(self.whole)[0])
