"""Sorting and adding up in lanes (`lanes.py`), on any engine: running sums, and a stable sort of keys by their digits.

The sort goes through the bits of a key in groups of six, the lowest first (least significant digit first, as card sorting
machines did). In each pass a lane counts how often each digit occurs in its piece of the row; a running sum over the counts,
digit by digit and lane by lane, says where each lane writes its first key of each digit; and the lanes write. Equal keys stay
in their order. What goes with a key is carried along.
"""

from typing import Any, NamedTuple

import numpy as np

from .engines import empty, on
from .lanes import CUDA

DIGIT, DIGITS = 6, 64  # bits of a digit | values
LANES = {CUDA: 1 << 17}  # that share a row, by the engine
FEW = 16  # on other engines
LEAST = 1 << 8  # keys of a lane


class Places(NamedTuple):
    """The scratch of a lane."""

    place: np.ndarray  # [DIGITS]


class Adding(NamedTuple):
    """Work: lane n adds up its piece of a row."""

    row: Any
    total: Any  # [lanes]
    piece: int
    size: int

    def lane(self, number, own):
        total = 0
        for k in range(number * self.piece, min((number + 1) * self.piece, self.size)):
            total += self.row[k]
        self.total[number] = total


class Running(NamedTuple):
    """Work: in its piece of a row, lane n puts in place of each number the sum of all before it."""

    row: Any
    total: Any  # [lanes] the sum of all pieces before
    piece: int
    size: int

    def lane(self, number, own):
        total = self.total[number]
        for k in range(number * self.piece, min((number + 1) * self.piece, self.size)):
            here = self.row[k]
            self.row[k] = total
            total += here


class Counting(NamedTuple):
    """Work: lane n counts the digits of the keys in its piece."""

    key: Any
    count: Any  # [DIGITS * lanes]
    shift: int
    piece: int
    lanes: int

    def lane(self, number, own):
        for digit in range(DIGITS):
            own.place[digit] = 0
        for k in range(number * self.piece, min((number + 1) * self.piece, self.key.shape[0])):
            own.place[(self.key[k] >> self.shift) & (DIGITS - 1)] += 1
        for digit in range(DIGITS):
            self.count[digit * self.lanes + number] = own.place[digit]


class Moving(NamedTuple):
    """Work: lane n moves the keys of its piece, and what goes with them, to their places."""

    key: Any
    load: Any
    to_key: Any
    to_load: Any
    count: Any  # [DIGITS * lanes] where each lane's first key of each digit goes
    shift: int
    piece: int
    lanes: int

    def lane(self, number, own):
        for digit in range(DIGITS):
            own.place[digit] = self.count[digit * self.lanes + number]
        for k in range(number * self.piece, min((number + 1) * self.piece, self.key.shape[0])):
            digit = (self.key[k] >> self.shift) & (DIGITS - 1)
            to = own.place[digit]
            own.place[digit] = to + 1
            self.to_key[to], self.to_load[to] = self.key[k], self.load[k]


def pieces(device: str, size: int) -> tuple[int, int]:
    """How many lanes share a row of this size, and how much of it each takes."""
    lanes = max(1, min(LANES.get(device, FEW), -(-size // LEAST)))
    return lanes, max(1, -(-size // lanes))


class RunningSums:
    """Puts in place of each number of a row the sum of all before it."""

    def __init__(self, device: str, row: Any):
        """`row` shows the kind of row: whole numbers of 64 bits."""
        self.device, total = device, empty(device, LANES.get(device, FEW))
        scratch = Places(np.zeros(1, np.int64))
        self.adding = on(device, Adding(row, total, 1, 0), scratch)
        self.running = on(device, Running(row, total, 1, 0), scratch)
        self.total = total

    def run(self, row: Any) -> int:
        """Do it; returns the sum of all."""
        size = int(row.shape[0])
        lanes, piece = pieces(self.device, size)
        self.adding.change(row=row, piece=piece, size=size)
        self.adding.run(0, lanes)
        sums = np.array(self.total)[:lanes]
        before = np.zeros(int(self.total.shape[0]), np.int64)
        before[1:lanes] = np.cumsum(sums)[:-1]
        self.running.put("total", before)
        self.running.change(row=row, piece=piece, size=size)
        self.running.run(0, lanes)
        return int(sums.sum())


def sort_keys(device: str, key: Any, load: Any, low: int, high: int) -> tuple[Any, Any]:
    """The keys, whole numbers of 0 and more, sorted by their bits `low` to `high - 1`, and what goes with them. The rows that
    are given are overwritten."""
    lanes, piece = pieces(device, int(key.shape[0]))
    count, scratch = empty(device, DIGITS * lanes), Places(np.zeros(DIGITS, np.int64))
    to_key, to_load = empty(device, key.shape, key.dtype), empty(device, load.shape, load.dtype)
    counting = on(device, Counting(key, count, 0, piece, lanes), scratch)
    moving = on(device, Moving(key, load, to_key, to_load, count, 0, piece, lanes), scratch)
    sums = RunningSums(device, count)
    for shift in range(low, high, DIGIT):
        counting.change(key=key, shift=shift)
        counting.run(0, lanes)
        sums.run(count)
        moving.change(key=key, load=load, to_key=to_key, to_load=to_load, shift=shift)
        moving.run(0, lanes)
        key, load, to_key, to_load = to_key, to_load, key, load
    return key, load
