"""Regrets and totals of vector CFR (`hand_sweeps.py`) in 16 bits: half of the memory, where 32 bits do not fit.

A row is an action of a node on a board, for all hands. It is stored as whole numbers and one scale, which the largest number
of the row gives: regrets from -32767 to 32767, totals from 0 to 65535. What is done at decisions stays what it is: the rows
of a node are unpacked into scratch, the same text works on them there, and those that it changed are packed again. No two
nodes or boards share a scale, so threads find the same numbers.

**Rounding.** Later iterations change a number by less than half a unit. Rounded to the nearest it would stay where it is for
ever. So each iteration rounds at another place: from u on, rounding is up, where 1 - u are the parts of multiples of the
golden ratio. They are spread evenly, so what is lost in one iteration is added in another.
"""

from typing import Any, NamedTuple

import numpy as np

from .hand_sweeps import LEAST, ROUNDING, Store
from .public_form import PublicForm

MOST_REGRET, MOST_TOTAL = np.float32(32767), np.float32(65535)
MIDDLE = 32768  # numbers are moved up by it, so that all are positive where the part behind the point is cut off
GOLDEN = 0.6180339887498949
SIZE = np.int32(0x7FFFFFFF)  # the bits of a number without its sign: as whole numbers they have the order of the sizes


class PackedStore(NamedTuple):
    """`Store` in 16 bits."""

    base: np.ndarray  # [boards] where the numbers of a board begin
    regret: np.ndarray
    mix: np.ndarray  # empty
    total: np.ndarray
    row: np.ndarray  # [boards] where the rows of a board begin
    regret_scale: np.ndarray  # [rows] what one unit is
    total_scale: np.ndarray


SCALES = ("regret_scale", "total_scale")


class PackedMatch(NamedTuple):
    """`Match` on such a store."""

    inner: Any
    factor: np.ndarray  # that of `Match`

    def down(self, store, b, block, count, width, rows, row, to):
        at, line, wide = store.base[b] + block * width, store.row[b] + block, np.uint64(width)
        unpack(rows.regret, store.regret, store.regret_scale, at, line, count, wide)
        unpack(rows.total, store.total, store.total_scale, at, line, count, wide)
        self.inner.down(node_store(store, rows), 0, 0, count, width, rows, row, to)
        pack(store.total, store.total_scale, rows.total, at, line, count, wide, MOST_TOTAL, self.factor[ROUNDING])

    def up(self, store, b, block, count, width, rows, row, first):
        at, line, wide = store.base[b] + block * width, store.row[b] + block, np.uint64(width)
        unpack(rows.regret, store.regret, store.regret_scale, at, line, count, wide)
        self.inner.up(node_store(store, rows), 0, 0, count, width, rows, row, first)
        pack(store.regret, store.regret_scale, rows.regret, at, line, count, wide, MOST_REGRET, self.factor[ROUNDING])

    def fixed(self, store, b, block, count, width, rows, row, first):
        at, line = store.base[b] + block * width, store.row[b] + block
        unpack(rows.regret, store.regret, store.regret_scale, at, line, count, np.uint64(width))
        self.inner.fixed(node_store(store, rows), 0, 0, count, width, rows, row, first)


class PackedAverage(NamedTuple):
    """`Respond` and `Expect`, which read totals and change nothing."""

    inner: Any

    def down(self, store, b, block, count, width, rows, row, to):
        unpack_total(store, b, block, count, width, rows)
        self.inner.down(node_store(store, rows), 0, 0, count, width, rows, row, to)

    def up(self, store, b, block, count, width, rows, row, first):
        unpack_total(store, b, block, count, width, rows)
        self.inner.up(node_store(store, rows), 0, 0, count, width, rows, row, first)

    def fixed(self, store, b, block, count, width, rows, row, first):
        unpack_total(store, b, block, count, width, rows)
        self.inner.fixed(node_store(store, rows), 0, 0, count, width, rows, row, first)


def node_store(store, rows):
    """One node alone, as block 0 of board 0."""
    return Store(store.base, rows.regret, store.mix, rows.total)


def unpack_total(store, b, block, count, width, rows):
    at, line = store.base[b] + block * width, store.row[b] + block
    unpack(rows.total, store.total, store.total_scale, at, line, count, np.uint64(width))


def unpack(out, packed, scale, at, line, count, width):
    for k in range(count):
        to = np.uint64(k) * width
        unpack_row(out, to, packed, np.uint64(at) + to, scale[line + k], width)


def unpack_row(out, to, packed, at, unit, width):
    for h in range(width):
        out[to + h] = np.float32(packed[at + h]) * unit


def pack(packed, scale, given, at, line, count, width, most, rounding):
    for k in range(count):
        begin = np.uint64(k) * width
        largest = size_of(given, given.view(np.int32), begin, width)
        if largest > LEAST:
            scale[line + k] = largest / most
            pack_row(packed, np.uint64(at) + begin, given, begin, most / largest, width, rounding)
        else:
            scale[line + k] = 0.0
            pack_row(packed, np.uint64(at) + begin, given, begin, np.float32(0.0), width, rounding)


def size_of(given, bits, begin, width):
    """The largest size of a number of a row. The last place of `given` is free for it."""
    largest = np.int32(0)
    for h in range(width):
        largest = max(largest, np.int32(bits[begin + h] & SIZE))
    bits[-1] = largest
    return given[-1]


def pack_row(packed, at, given, begin, units, width, rounding):
    for h in range(width):
        packed[at + h] = np.int32(given[begin + h] * units + rounding) - MIDDLE


# --- outside of sweeps ---


def rounding_at(iteration: float) -> float:
    """What is added before the part behind the point is cut off. It keeps away from both ends, so that whole numbers that
    were computed with an error in 32 bits stay what they are."""
    return MIDDLE + 0.05 + 0.9 * (iteration * GOLDEN % 1.0)


def new_packed(form: PublicForm, player: int) -> PackedStore:
    width, blocks = form.hold[player].width, form.blocks[player][form.boards.stage]
    base, row = (np.concatenate([[0], np.cumsum(counts)]) for counts in (width * blocks, blocks))
    regret, total = np.zeros(int(base[-1]), np.int16), np.zeros(int(base[-1]), np.uint16)
    units = [np.zeros(int(row[-1]), np.float32) for _ in SCALES]
    return PackedStore(base, regret, np.zeros(0, np.float32), total, row, *units)


def packed_bytes(form: PublicForm) -> int:
    """What the stores of both players take, without the numbers of the boards."""
    rows = sum(int(form.blocks[player][form.boards.stage].sum()) for player in (0, 1))
    return 4 * sum(form.entries(player) for player in (0, 1)) + 8 * rows


def scratch_size(form: PublicForm) -> int:
    """How many numbers of one field a node has at most, and one more for `size_of`."""
    return int(form.betting.count.max()) * max(int(one.width.max()) for one in form.hold) + 1


def get_rows(store: PackedStore, field: str, at: int, row: int, count: int, width: int) -> np.ndarray:
    """[row, hand] what is stored in some rows."""
    numbers = getattr(store, field)[at : at + count * width].reshape(count, width)
    return numbers * getattr(store, f"{field}_scale")[row : row + count, None]


def put_rows(store: PackedStore, field: str, at: int, row: int, table: np.ndarray) -> None:
    """Store [row, hand] in some rows."""
    most = MOST_REGRET if field == "regret" else MOST_TOTAL
    unit = abs(table).max(axis=1, initial=0.0) / most
    unit[unit * most <= LEAST] = 0.0
    numbers = np.rint(np.divide(table, unit[:, None], out=np.zeros(table.shape), where=unit[:, None] > 0))
    getattr(store, field)[at : at + table.size] = numbers.ravel().astype(getattr(store, field).dtype)
    getattr(store, f"{field}_scale")[row : row + len(table)] = unit


def put_all(store: PackedStore, field: str, numbers: np.ndarray) -> None:
    """Store numbers that lie as in a `Store`."""
    for b in range(len(store.base) - 1):
        at, end, row, last = (int(part[b + i]) for part in (store.base, store.row) for i in (0, 1))
        if last > row:
            put_rows(store, field, at, row, numbers[at:end].astype(np.float64).reshape(last - row, -1))
