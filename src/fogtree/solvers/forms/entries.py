"""What lanes do with the entries of a payoff matrix: from codes to numbers, sorted by row and column, merged, in few bytes.

Entries are kept as keys, row and column in one word, and values; see `form_lanes.py` for the order of the steps.
"""

from typing import Any, NamedTuple

import numpy as np

from ...kernels.atomic import lower
from ...kernels.teams import member, members
from .recording import Staged
from .sequence import CANCELLED, WHOLE

TOO_MANY = 1e6  # units: no multiple that is stored
FAR = 1 << 40  # more than there are sequences
HALF = 32  # bits of a number in a pair


class Codes(NamedTuple):
    """From codes of sequences to their numbers."""

    first: Any  # [slots] the first sequence of a set
    actions: int

    def number(self, code):
        if code == 0:
            return np.int64(0)
        return self.first[(code - 1) // self.actions] + (code - 1) % self.actions


class Company(NamedTuple):
    """Of each set the smallest number of an opponent's sequence that shares an end with one of its own, less FAR: words of 0
    say that there is none."""

    codes: Codes
    lowest: Any  # [slots]

    def meet(self, row, column):
        """Two sequences share an end, which these codes name."""
        if row > 0:
            lower(self.lowest, (row - 1) // self.codes.actions, self.codes.number(column) - FAR)
        if column > 0:
            lower(self.lowest, (column - 1) // self.codes.actions, self.codes.number(row) - FAR)


class Meeting(NamedTuple):
    """Work: lane n notes who meets at entry n."""

    company: Company
    taken: Staged

    def lane(self, number, own):
        self.company.meet(self.taken.row[number], self.taken.column[number])


class Keying(NamedTuple):
    """Work: lane n makes a key of entry n: row and column by their numbers."""

    codes: Codes
    taken: Staged
    key: Any  # [all entries]
    value: Any
    before: int  # entries that have their keys
    bits: int  # of a column

    def lane(self, number, own):
        row, column = self.codes.number(self.taken.row[number]), self.codes.number(self.taken.column[number])
        self.key[self.before + number] = (row << self.bits) | column
        self.value[self.before + number] = self.taken.value[number]


class Merging(NamedTuple):
    """Work on sorted entries: first lane n says whether an entry stays in place n, the sum of all in its cell, and then,
    when running sums say how many stay before it, writes it there."""

    key: Any
    value: Any
    kept: Any  # [entries + 1] 1 where one stays, then how many stay before
    column: Any  # of those that stay
    total: Any  # of those that stay
    bits: int
    before: int  # where the first of those that stay goes
    most: float  # the largest sum that can be written
    misfit: Any  # [1] whether one is larger
    writing: bool

    def lane(self, number, own):
        if number == self.key.shape[0]:
            if not self.writing:
                self.kept[number] = 0
            return
        key = self.key[number]
        if self.writing and self.kept[number + 1] == self.kept[number]:
            return
        if not self.writing and number > 0 and self.key[number - 1] == key:
            self.kept[number] = 0
            return
        total, size, k = 0.0, 0.0, number
        while k < self.key.shape[0] and self.key[k] == key:
            total += self.value[k]
            size += abs(self.value[k])
            k += 1
        if self.writing:
            at = self.before + self.kept[number]
            self.column[at], self.total[at] = key & ((np.int64(1) << self.bits) - 1), total
            if abs(total) > self.most:
                self.misfit[0] = 1
        else:
            self.kept[number] = 1 if abs(total) > CANCELLED * size else 0


class Starting(NamedTuple):
    """Work: lane n finds where row `first + n` begins, whose keys say n: how many sorted keys that stay come before it."""

    key: Any
    kept: Any  # [entries + 1], or of length 0 where all stay
    start: Any  # [rows + 1]
    bits: int  # of a column
    first: int  # the row of lane 0
    before: int  # entries before that row

    def lane(self, number, own):
        low, high = 0, self.key.shape[0]
        while low < high:
            middle = (low + high) // 2
            if self.key[middle] >> self.bits < number:
                low = middle + 1
            else:
                high = middle
        self.start[self.first + number] = self.before + (self.kept[low] if self.kept.shape[0] > 0 else low)


class Measuring(NamedTuple):
    """Work: lane n finds the smallest size of some values, and the largest multiple of a unit: TOO_MANY if one is not."""

    value: Any
    unit: float
    least: Any  # [lanes]
    most: Any  # [lanes]
    lanes: int

    def writes(self):
        return "least", "most"

    def lane(self, number, own):
        least, most = np.inf, 0.0
        for k in range(number, self.value.shape[0], self.lanes):
            size = abs(self.value[k])
            least = min(least, size)
            multiple = min(size / self.unit, TOO_MANY)
            whole = np.int64(multiple + 0.5)
            most = max(most, multiple if abs(multiple - whole) <= WHOLE * whole else TOO_MANY)
        self.least[number], self.most[number] = least, most


class Narrowing(NamedTuple):
    """Work: lane n writes value n as a multiple of the unit."""

    value: Any
    unit: float
    narrow: Any

    def lane(self, number, own):
        multiple = self.value[number] / self.unit
        self.narrow[number] = np.int64(multiple + 0.5) if multiple > 0.0 else -np.int64(0.5 - multiple)


class Copying(NamedTuple):
    """Work: lane n copies value n."""

    value: Any
    copy: Any

    def lane(self, number, own):
        self.copy[number] = self.value[number]


class Turning(NamedTuple):
    """Work: lane r makes keys of row r's entries, by column and row."""

    start: Any
    column: Any
    key: Any
    crew: int

    def team(self):
        return self.crew

    def lane(self, number, own):
        for k in range(self.start[number] + member(self.crew), self.start[number + 1], members(self.crew)):
            self.key[k] = (np.int64(self.column[k]) << HALF) | number


class Halving(NamedTuple):
    """Work: lane n takes the lower half of key n."""

    key: Any
    half: Any

    def lane(self, number, own):
        self.half[number] = self.key[number] & ((np.int64(1) << HALF) - 1)
