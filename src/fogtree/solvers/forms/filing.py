"""A payoff matrix whose entries do not fit in the memory beside each other while they are sorted.

The game is walked twice more, when the sets have their numbers: once to count the entries of each row, and once to write each
into the next free place of its row, in its few bytes at once. Then some rows at a time are sorted, merged and written back.
The transpose is counted, filed and sorted in the same way, from the matrix. Entries must be whole multiples of one unit that
fit in a byte.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ...kernels.atomic import add
from ...kernels.engines import write, zeros
from ...kernels.lanes import CUDA
from ...kernels.sorting import RunningSums, sort_keys
from ...kernels.teams import member, members
from ...walk.estimate import TooLarge
from ...walk.layers import PARTS
from .entries import Codes, Company, Merging, Starting
from .levels import WARP
from .numbering import Sets
from .recording import Staged
from .sequence import WHOLE, Sparse

LANES = {CUDA: 1 << 17}  # that go through what is staged together
FEW = 4
PIECE = {CUDA: 1 << 28}  # entries that are sorted at a time
SHORT_PIECE = 1 << 10
MOST = 127  # units of an entry
BYTES = 5  # of an entry: its column and its value
SORT_BYTES = 32  # of an entry while it is sorted


class RowCounting(NamedTuple):
    """Work on what is staged: count the entries of each row, note who meets, and find the smallest size of a value."""

    staged: Staged
    used: Any  # [PARTS]
    company: Company
    count: Any  # [rows] by the numbers that rows had at first
    least: Any  # [lanes]
    size: int  # staged rows to look at
    lanes: int

    def writes(self):
        return ("least",)

    def lane(self, number, own):
        least = self.least[number]
        for at in range(number, self.size, self.lanes):
            if at // PARTS < self.used[at % PARTS]:
                row, column = self.staged.row[at], self.staged.column[at]
                add(self.count, self.company.codes.number(row), 1)
                self.company.meet(row, column)
                least = min(least, abs(self.staged.value[at]))
        self.least[number] = least


class Filing(NamedTuple):
    """Work on what is staged: write each entry into the next free place of its row."""

    staged: Staged
    used: Any  # [PARTS]
    codes: Codes
    place: Any  # [rows] the next free place
    column: Any
    value: Any
    unit: float
    misfit: Any  # [1] whether a value is no multiple of the unit

    def lane(self, number, own):
        if number // PARTS >= self.used[number % PARTS]:
            return
        at = add(self.place, self.codes.number(self.staged.row[number]), 1)
        multiple = self.staged.value[number] / self.unit
        whole = np.int64(multiple + 0.5) if multiple > 0.0 else -np.int64(0.5 - multiple)
        if abs(whole) > MOST or abs(multiple - whole) > WHOLE * abs(whole):
            self.misfit[0] = 1
        self.column[at], self.value[at] = self.codes.number(self.staged.column[number]), whole


class ColumnCounting(NamedTuple):
    """Work: lane r counts the columns of row r's entries."""

    matrix: Sparse
    count: Any  # [columns]
    crew: int

    def team(self):
        return self.crew

    def lane(self, number, own):
        start, column = self.matrix.start, self.matrix.column
        for k in range(start[number] + member(self.crew), start[number + 1], members(self.crew)):
            add(self.count, np.int64(column[k]), 1)


class Crossing(NamedTuple):
    """Work: lane r writes row r's entries into the next free places of their columns."""

    matrix: Sparse
    place: Any  # [columns]
    row: Any
    value: Any
    crew: int

    def team(self):
        return self.crew

    def lane(self, number, own):
        start = self.matrix.start
        for k in range(start[number] + member(self.crew), start[number + 1], members(self.crew)):
            at = add(self.place, np.int64(self.matrix.column[k]), 1)
            self.row[at], self.value[at] = number, self.matrix.value[k]


class Lifting(NamedTuple):
    """Work: lane n takes the entries of row `first + n` out, with keys of the row among these and the column."""

    start: Any  # [rows + 1] where rows were filed
    column: Any
    value: Any
    key: Any  # [entries of these rows]
    load: Any  # [entries of these rows]
    first: int
    bits: int  # of a column
    crew: int

    def team(self):
        return self.crew

    def lane(self, number, own):
        row, base = self.first + number, self.start[self.first]
        for k in range(self.start[row] + member(self.crew), self.start[row + 1], members(self.crew)):
            self.key[k - base] = (number << self.bits) | np.int64(self.column[k])
            self.load[k - base] = self.value[k]


class Filed:
    """The two copies of a matrix, filed row by row and column by column, for a building (`form_lanes.py`)."""

    def __init__(self, building: Any, sets: Sets):
        self.building, self.sets, self.codes = building, sets, building.codes
        self.rows, self.columns = sets.sequences

    def matrices(self, progress: Any) -> tuple[Sparse, Sparse]:
        building = self.building
        start, unit = self.counted(progress)
        by_rows = self.settled(self.filed(start, unit, progress), start, bits_of(self.columns))
        count = zeros(building.device, self.columns + 1)
        building.each(ColumnCounting(by_rows, count, WARP), self.rows)
        entries = RunningSums(building.device, count).run(count)
        row, value = building.empty(entries, np.int32), building.empty(entries, np.int8)
        building.each(Crossing(by_rows, count.copy(), row, value, WARP), self.rows)
        turned = self.settled(Sparse(count, row, value, unit), count, bits_of(self.rows))
        return by_rows, turned

    def counted(self, progress: Any) -> tuple[Any, float]:
        """Where rows begin if nothing is merged, and the unit."""
        building = self.building
        count, lanes = zeros(building.device, self.rows + 1), LANES.get(building.device, FEW)
        staged, used = building.recording.staged, zeros(building.device, PARTS)
        work = RowCounting(staged, used, building.company, count, np.full(lanes, np.inf), 0, lanes)
        counting = building.on(work)

        def take(used: np.ndarray) -> None:
            counting.put("used", used)
            counting.change(size=int(used.max()) * PARTS)
            counting.run(0, lanes)

        building.walk(take, progress)
        counting.fetch()
        entries = self.moved(count)
        need = 2 * BYTES * entries + SORT_BYTES * PIECE.get(building.device, SHORT_PIECE)
        building.require_room(need, entries)
        return count, float(counting.work.least.min())

    def moved(self, count: Any) -> int:
        """Number the sets by whom they meet, and turn the counts of rows, by their old numbers, into where rows begin;
        returns how many entries there are."""
        sets, rows = self.sets, np.array(count)
        mine = sets.mine[0]
        old, width = sets.first[mine], sets.width[mine]
        self.building.settle(sets)
        each = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)  # the place of an action in its set
        found = rows.copy()
        found[np.repeat(sets.first[mine], width) + each] = rows[np.repeat(old, width) + each]
        start = np.cumsum(found) - found
        write(self.building.device, count, start)
        return int(start[-1])

    def filed(self, start: Any, unit: float, progress: Any) -> Sparse:
        """The entries by their rows, in arbitrary order."""
        building = self.building
        entries = int(np.array(start)[-1])
        column, value = building.empty(entries, np.int32), building.empty(entries, np.int8)
        misfit, used = zeros(building.device, 1), zeros(building.device, PARTS)
        place = start.copy()
        filing = building.on(Filing(building.recording.staged, used, self.codes, place, column, value, unit, misfit))

        def take(used: np.ndarray) -> None:
            filing.put("used", used)
            filing.run(0, int(used.max()) * PARTS)

        building.walk(take, progress)
        self.require_bytes(filing.there.misfit, "its ends pay too many different amounts")
        return Sparse(start, column, value, unit)

    def require_bytes(self, misfit: Any, why: str) -> None:
        if np.array(misfit)[0]:
            building = self.building
            raise TooLarge(
                f"{building.called} does not fit in {building.cap / 2**30:.1f} GiB: {why} to be kept in a byte each"
            )

    def settled(self, matrix: Sparse, start: Any, bits: int) -> Sparse:
        """Sort and merge the entries of each row, some rows at a time, and write them back."""
        building, begin = self.building, np.array(start)
        rows, piece = len(begin) - 1, PIECE.get(building.device, SHORT_PIECE)
        final, done = building.empty(rows + 1), 0
        cuts = [0]
        while cuts[-1] < rows:
            fits = int(np.searchsorted(begin, begin[cuts[-1]] + piece, side="right")) - 1
            cuts.append(max(fits, cuts[-1] + 1))
        none, misfit = building.empty(0), zeros(building.device, 1)
        for low, high in itertools.pairwise(cuts):
            size = int(begin[high] - begin[low])
            key, load = building.empty(size), building.empty(size, np.int8)
            lifting = Lifting(start, matrix.column, matrix.value, key, load, low, bits, WARP)
            building.each(lifting, high - low)
            key, load = sort_keys(building.device, key, load, 0, bits + bits_of(high - low))
            kept = building.empty(size + 1)
            into = matrix.column, matrix.value, bits, done, float(MOST), misfit
            merging = building.on(Merging(key, load, kept, *into, False))
            merging.run(0, size + 1)
            stay = RunningSums(building.device, kept).run(kept)
            merging.change(writing=True)
            merging.run(0, size)
            building.each(Starting(key, kept, final, bits, low, done), high - low + 1)
            merging.change(key=none, kept=none)
            done += stay
        self.require_bytes(misfit, "ends of the same two sequences pay too much together")
        return matrix._replace(start=final)


def bits_of(count: int) -> int:
    """Of the numbers below it, at least one."""
    return max(1, (count - 1).bit_length())
