"""The sequence form of a two-player zero-sum game with perfect recall (Koller, Megiddo and von Stengel 1994).

Each player has a tree of information sets and sequences (`infosets.py`). Everything that happens between the players is one
sparse matrix: A[s, t] is player 0's payoff, times the odds of chance, summed over the ends of the game where the players have
played the sequences s and t. With plans x and y (the probability that a player plays a sequence, as far as it is theirs to
decide) player 0 expects x' A y.

So a best response is one product with the matrix and one sweep over a tree, and so is a step of CFR (`cfr.py`); the linear
program (`lp.py`) is the same matrix again.

Ends that pay nothing are left out. Ends with the same pair of sequences are merged. What is left is often a fraction of the
game: 6-card Goofspiel has 83,001 information sets for each player, and only 17,241 of them have a choice.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...kernels import STEP, kernel
from ...text.naming import as_game, name
from ...walk.estimate import require_fewer
from ...walk.slices import Watcher, memory_cap
from ...walk.whole import Both, walk_through
from .infosets import (
    FINE,
    UNBALANCED,
    InfosetTree,
    Recorder,
    bytes_of,
    complain,
    more_sets,
    new_recorder,
    require_room,
    tree_of,
)

ZERO = 1e-9  # how near to 0 the payoffs of an end must sum, relative to the range of the payoffs
WHOLE = 1e-11  # how near a value must be to a whole multiple of the unit to be stored as one, relative to it
CANCELLED = 1e-13  # what is left of entries that cancel, relative to them
PIECE = 1 << 20  # entries that NumPy takes at a time, for its intermediate results take room
ENTRY_BYTES = 28  # an entry of the matrix while it is being sorted


class Sparse(NamedTuple):
    """A matrix by rows: row r holds unit * value[k] in column[k] for k from start[r] to start[r + 1] - 1."""

    start: np.ndarray  # [rows + 1]
    column: np.ndarray  # [entries]
    value: np.ndarray  # [entries] whole numbers in one or two bytes where that is exact
    unit: float


class SequenceForm(NamedTuple):
    """A game as two trees and a matrix, which is kept by rows and by columns so that both products read forwards."""

    game: Any
    trees: tuple[InfosetTree, InfosetTree]
    rows: Sparse  # [sequences of player 0, sequences of player 1]
    columns: Sparse  # its transpose
    histories: int


# --- products and sweeps: the inner loops of everything exact ------------------------------------------------------
# Indices are unsigned, as in `InfosetTree.span`.


def multiply(matrix, vector, low, high, out):
    """out[r] = row r times vector, for rows low to high - 1."""
    for r in range(low, high):
        total = 0.0
        for k in range(np.uint64(matrix.start[r]), np.uint64(matrix.start[r + 1])):
            total += matrix.value[k] * vector[np.uint32(matrix.column[k])]
        out[r] = total * matrix.unit


multiply_rows = kernel(multiply)


# --- building ------------------------------------------------------------------------------------------------------

Part = tuple[np.ndarray, np.ndarray, np.ndarray]  # a full buffer of entries: row, column, value


class _Pairs(NamedTuple):
    """What the recorder keeps of the ends: a pair of sequences, and what it pays player 0."""

    row: np.ndarray  # [entries]
    column: np.ndarray  # [entries]
    value: np.ndarray  # [entries]
    used: np.ndarray  # [1] entries
    slack: float  # how far the payoffs of an end may sum from 0

    def room(self):
        return self.used[0] < self.row.shape[0]

    def note(self, game, state, sequence, reach):
        payoff = game.payoff(state, 0)
        if payoff != 0.0:
            k = self.used[0]
            self.row[k], self.column[k], self.value[k] = sequence[0], sequence[1], payoff * reach
            self.used[0] = k + 1
        balanced = abs(payoff + game.payoff(state, 1)) <= self.slack  # false too where there is no number at all
        return FINE if balanced else UNBALANCED


def sequence_form(game: Any, *, memory: float | None = None, progress: Watcher | None = None) -> SequenceForm:
    """Enumerate a game. `memory` is a cap in bytes, half of the machine's by default. `progress` is called with the number
    of histories."""
    game = as_game(game)
    require_zero_sum(game)
    require_fewer(game)
    cap, parts = memory_cap(memory), list[Part]()
    recorder, histories = walk_through(game, new_form(game), lambda full: more_room(game, full, parts, cap), progress)
    return form_of(game, recorder, parts, histories)


def sequence_form_beside(
    game: Any, other: Any, grow: Any, *, memory: float | None = None, progress: Watcher | None = None
) -> tuple[SequenceForm, Any]:
    """The sequence form, and another visitor that went on the same walk. `grow(other)` gives it more room."""
    require_zero_sum(game)
    require_fewer(game)
    cap, parts = memory_cap(memory), list[Part]()

    def grown(both: Both) -> Both:
        second = both.second if both.second.room() else grow(both.second)
        return Both(more_room(game, both.first, parts, cap, bytes_of(second)), second)

    visitors, histories = walk_through(game, Both(new_form(game), other), grown, progress)
    return form_of(game, visitors.first, parts, histories), visitors.second


def form_of(game: Any, recorder: Recorder, parts: list[Part], histories: int) -> SequenceForm:
    """The form that a walk has recorded."""
    complain(game, recorder)
    ends = recorder.ends
    entries = ends.used[0]
    parts.append((ends.row[:entries], ends.column[:entries], ends.value[:entries]))
    trees = tree_of(recorder, 0), tree_of(recorder, 1)
    rows = _matrix(parts, int(trees[0].sequences()), int(trees[1].sequences()))
    return SequenceForm(game, trees, rows, _transposed(rows, int(trees[1].sequences())), histories)


def require_zero_sum(game: Any) -> None:
    """Raise `Invalid` unless the game has two players and says that it is zero-sum."""
    shape = game.shape()
    if shape.players != 2:
        raise Invalid(
            f"{name(game)} has {shape.players} players: exact methods are for two, fogtree.solve_general for any number"
        )
    if not shape.zero_sum:
        raise Invalid(
            f"{name(game)} is not zero-sum: what one player wins the other must lose, or use fogtree.solve_general"
        )


def new_form(game: Any) -> Recorder:
    """The visitor that records a game."""
    require_zero_sum(game)
    shape = game.shape()
    slack = ZERO * (shape.high - shape.low)
    return new_recorder(shape, _Pairs(*_buffers(1 << 16), np.zeros(1, np.int64), slack))


def _buffers(size) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size)


def more_room(game: Any, recorder: Recorder, parts: list[Part], cap: float, others: int = 0, sets: int = 1) -> Recorder:
    """The recorder with more room, or `TooLarge`; `others` are the bytes of another visitor, and `sets` how many sets of its
    own a history may add."""
    complain(game, recorder)
    recorder = more_sets(recorder, sets)
    ends = recorder.ends
    if not ends.room():
        parts.append((ends.row, ends.column, ends.value))
        row, column, value = _buffers(min(2 * len(ends.row), 1 << 23))
        recorder = recorder._replace(ends=ends._replace(row=row, column=column, value=value))
        ends.used[0] = 0
    entries = sum(len(part[0]) for part in parts)
    require_room(game, recorder, entries, entries * ENTRY_BYTES + others, cap)
    return recorder


def _matrix(parts, rows, columns) -> Sparse:
    """Sort the entries by row and column in two stable passes, last key first; merge equal pairs; find a unit."""
    entries = sum(len(part[0]) for part in parts)
    start = _starts([column for _, column, _ in parts], columns)
    row, value = np.empty(entries, np.int32), np.empty(entries)
    place = start[:-1].copy()
    for part in parts:
        _scatter.briefly(STEP * len(part[1]), part[1], part[0], part[2], place, row, value)
    parts.clear()
    index, sorted_value = np.empty(entries, np.int32), np.empty(entries)
    row_start = _starts([row], rows)
    _scatter_columns.briefly(STEP * (entries + columns), start, row, value, row_start[:-1].copy(), index, sorted_value)
    kept = _merge.briefly(STEP * (entries + rows), row_start, index, sorted_value)
    index, value = index[:kept].copy(), sorted_value[:kept]
    return Sparse(row_start, index, *_compact(value))


def _compact(value):
    """Values as whole multiples of a unit in as few bytes as that takes, or as they are."""
    if not len(value):
        return value.astype(np.int8), 1.0
    pieces = [value[k : k + PIECE] for k in range(0, len(value), PIECE)]
    unit = min(float(np.abs(piece).min()) for piece in pieces)
    most = 0.0  # the largest multiple, endless where one is not whole
    for piece in pieces:
        multiple = np.abs(piece) / unit
        whole = np.rint(multiple)
        most = max(most, np.where(np.abs(multiple - whole) <= WHOLE * whole, whole, np.inf).max())
    for kind in (np.int8, np.int16):
        if most <= np.iinfo(kind).max:
            return np.concatenate([np.rint(piece / unit).astype(kind) for piece in pieces]), unit
    return value.copy(), 1.0


def _transposed(matrix, columns) -> Sparse:
    start = _starts([matrix.column], columns)
    index, value = np.empty_like(matrix.column), np.empty_like(matrix.value)
    work = len(matrix.value) + len(matrix.start)
    _scatter_columns.briefly(STEP * work, matrix.start, matrix.column, matrix.value, start[:-1].copy(), index, value)
    return Sparse(start, index, value, matrix.unit)


def _starts(keys, count) -> np.ndarray:
    start = np.zeros(count + 1, np.int64)
    for key in keys:
        start[1:] += np.bincount(key, minlength=count)
    return np.cumsum(start)


@kernel
def _scatter(key, other, value, place, to_other, to_value):
    for k in range(key.shape[0]):
        at = place[key[k]]
        place[key[k]] = at + 1
        to_other[at], to_value[at] = other[k], value[k]


@kernel
def _scatter_columns(start, row, value, place, index, to_value):
    """From column order to row order, stable: within a row the columns ascend."""
    for column in range(start.shape[0] - 1):
        for k in range(start[column], start[column + 1]):
            at = place[row[k]]
            place[row[k]] = at + 1
            index[at], to_value[at] = column, value[k]


@kernel
def _merge(start, index, value):
    """Add up neighbours in the same cell, drop what cancels; returns the entries kept. Modified in place."""
    kept = 0
    for row in range(start.shape[0] - 1):
        begin, k = kept, start[row]
        end = start[row + 1]
        while k < end:
            column, total, size = index[k], 0.0, 0.0
            while k < end and index[k] == column:
                total += value[k]
                size += abs(value[k])
                k += 1
            if abs(total) > CANCELLED * size:
                index[kept], value[kept] = column, total
                kept += 1
        start[row] = begin
    start[-1] = kept
    return kept
