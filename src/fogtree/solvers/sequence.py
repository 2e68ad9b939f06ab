"""The sequence form of a two-player zero-sum game with perfect recall (Koller, Megiddo and von Stengel 1994).

A player's sequence is the list of their own actions, and what they saw between them, up to some point. Each player has a
tree of information sets: a set hangs on the sequence that leads to it and carries one longer sequence for each of its
actions. Everything that happens between the players is one sparse matrix: A[s, t] is player 0's payoff, times the odds of
chance, summed over the ends of the game where the players have played the sequences s and t. With plans x and y (the
probability that a player plays a sequence, as far as it is theirs to decide) player 0 expects x' A y.

So a best response is one product with the matrix and one sweep over a tree, and so is a step of CFR (`cfr.py`); the linear
program (`lp.py`) is the same matrix again.

Where a player has only one action there is nothing to decide: such sets get no sequence of their own, their ends fall to
the sequence before them. Ends that pay nothing are left out. Equal pairs merge. What is left is often a fraction of the
game: 6-card Goofspiel has 83,001 information sets a player, and 17,241 where there is a choice.

Numbering: sets and sequences are numbered in the order in which the walk meets them, so parents come before children:
forwards is roots first, backwards is leaves first. Sequence 0 is the empty one.
"""

import os
from typing import Any, NamedTuple

import numpy as np

from ..errors import FogtreeError, Invalid
from ..game import CHANCE, OVER
from ..games import name
from ..kernels import kernel
from ..walk import table as tables
from ..walk.whole import walk_through

EMPTY, NONE = 0, -1
FINE, FORGETFUL, UNEQUAL, UNBALANCED = 0, 1, 2, 3  # what the walk may find wrong
ZERO = 1e-9  # how near to 0 the payoffs must sum
WHOLE = 1e-11  # how near a value must be to a whole multiple of the unit to be stored as one, relative to it
CANCELLED = 1e-13  # what is left of entries that cancel, relative to them
PIECE = 1 << 20  # entries that NumPy takes at a time, for its intermediate results take room
ENTRY_BYTES = 28  # an entry of the matrix while it is being sorted
INFOSET_BYTES = 120


class TooLarge(FogtreeError):
    """A game whose sequence form does not fit in the memory allowed."""


class Tree(NamedTuple):
    """One player's information sets at which there is a choice, each after those that lead to it."""

    view: np.ndarray  # [infosets]
    parent: np.ndarray  # [infosets] the sequence that leads here
    first: np.ndarray  # [infosets + 1] the set's own sequences are first[i] to first[i + 1] - 1; first[0] = 1
    action: np.ndarray  # [sequences] the action that ends a sequence

    def infosets(self):
        return self.parent.shape[0]

    def sequences(self):
        return self.first[-1]

    def span(self, i):
        """From where to where the set's own sequences go."""
        return np.uint64(self.first[i]), np.uint64(self.first[i + 1])


class Sparse(NamedTuple):
    """A matrix by rows: row r holds unit * value[k] in column[k] for k from start[r] to start[r + 1] - 1."""

    start: np.ndarray  # [rows + 1]
    column: np.ndarray  # [entries]
    value: np.ndarray  # [entries] whole numbers in one or two bytes where that is exact
    unit: float


class SequenceForm(NamedTuple):
    """A game as two trees and a matrix, which is kept by rows and by columns so that both products read forwards."""

    game: Any
    trees: tuple[Tree, Tree]
    rows: Sparse  # [sequences of player 0, sequences of player 1]
    columns: Sparse  # its transpose
    histories: int


# --- products and sweeps: the inner loops of everything exact ------------------------------------------------------
# Indices are unsigned: signed ones may count from the end of an array, and asking each time costs a third of the speed.


def multiply(matrix, vector, low, high, out):
    """out[r] = row r times vector, for rows low to high - 1."""
    for r in range(low, high):
        total = 0.0
        for k in range(np.uint64(matrix.start[r]), np.uint64(matrix.start[r + 1])):
            total += matrix.value[k] * vector[np.uint32(matrix.column[k])]
        out[r] = total * matrix.unit


def plan_from(tree, probability, plan):
    """Write the plan of a behaviour strategy, given by sequence: plan[s] = product of the probabilities on the way."""
    plan[EMPTY] = 1.0
    for i in range(tree.parent.shape[0]):
        reach = plan[np.uint32(tree.parent[i])]
        low, high = tree.span(i)
        for s in range(low, high):
            plan[s] = reach * probability[s]


def respond(tree, worth, best):
    """Leaves first, give each set its best action, best[i], and add its worth to the sequence before it.

    worth[s] comes in as what the ends right after s are worth against the other's plan, and goes out with all that follows;
    worth[EMPTY] is then the value of the best response.
    """
    for i in range(tree.parent.shape[0] - 1, -1, -1):
        low, high = tree.span(i)
        top = low
        for s in range(low, high):
            if worth[s] > worth[top]:
                top = s
        best[i] = top
        worth[np.uint32(tree.parent[i])] += worth[top]


multiply_rows = kernel(multiply)
write_plan = kernel(plan_from)
best_actions = kernel(respond)


# --- building ------------------------------------------------------------------------------------------------------


class _Recorder(NamedTuple):
    """The visitor that writes infosets and entries down as the walk meets them."""

    table: Any
    owner: np.ndarray  # [infosets] the player
    view: np.ndarray  # [infosets]
    parent: np.ndarray  # [infosets]
    first: np.ndarray  # [infosets] first sequence, in the owner's numbering
    width: np.ndarray  # [infosets] how many actions
    action: np.ndarray  # [all sequences of both, in order of the sets]
    row: np.ndarray  # [entries]
    column: np.ndarray  # [entries]
    value: np.ndarray  # [entries]
    used: np.ndarray  # [6] sequences of player 0 and 1 | actions | entries | what is wrong | the view where
    sequence: np.ndarray  # [depth, 2] each player's sequence at a history on the path
    base: np.ndarray  # [depth] first sequence of the set there, or NONE where nothing is decided
    mover: np.ndarray  # [depth]
    reach: np.ndarray  # [depth] by chance alone
    odds: np.ndarray  # [depth, actions]

    def room(self):
        used = self.used
        return (
            not self.table.full()
            and self.table.used[0] < self.owner.shape[0]
            and used[2] + self.odds.shape[1] <= self.action.shape[0]
            and used[3] < self.row.shape[0]
            and used[4] == FINE
        )

    def enter(self, game, state, player, action, count, depth):
        if player == OVER:
            self.end(game, state, depth)
            return 0
        self.mover[depth] = player
        self.base[depth] = NONE
        if player == CHANCE:
            game.odds(state, self.odds[depth])
        elif count > 1:
            self.base[depth] = self.infoset(game, state, player, action, count, self.sequence[depth, player])
        return count

    def infoset(self, game, state, player, action, count, parent):
        view, known = game.view(state, player), self.table.used[0]
        i = self.table.add(view, player)
        if i == known:
            self.owner[i], self.view[i], self.parent[i], self.width[i] = player, view, parent, count
            self.first[i] = self.used[player]
            self.used[player] += count
            for a in range(count):
                self.action[self.used[2] + a] = action[a]
            self.used[2] += count
        elif self.parent[i] != parent or self.width[i] != count:
            self.used[4] = FORGETFUL if self.parent[i] != parent else UNEQUAL
            self.used[5] = view
        return self.first[i]

    def end(self, game, state, depth):
        payoff = game.payoff(state, 0)
        if not abs(payoff + game.payoff(state, 1)) <= ZERO:  # so that no number at all is found too
            self.used[4] = UNBALANCED
        if payoff != 0.0:
            k = self.used[3]
            self.row[k], self.column[k] = self.sequence[depth, 0], self.sequence[depth, 1]
            self.value[k] = payoff * self.reach[depth]
            self.used[3] = k + 1

    def descend(self, depth, position):
        self.sequence[depth + 1, 0] = self.sequence[depth, 0]
        self.sequence[depth + 1, 1] = self.sequence[depth, 1]
        self.reach[depth + 1] = self.reach[depth]
        if self.base[depth] != NONE:
            self.sequence[depth + 1, self.mover[depth]] = self.base[depth] + position
        elif self.mover[depth] == CHANCE:
            self.reach[depth + 1] *= self.odds[depth, position]


def sequence_form(game: Any, *, memory: float | None = None, progress=None) -> SequenceForm:
    """Enumerate a game. `memory` is a cap in bytes (half of the machine's by default), `progress(histories)` looks on."""
    require_zero_sum(game)
    shape = game.shape()
    cap = _half_of_memory() if memory is None else memory
    parts: list[tuple[np.ndarray, ...]] = []  # full buffers of entries: row, column, value
    recorder, histories = walk_through(game, _new_recorder(shape), lambda r: _grown(game, r, parts, cap), progress)
    _complain(game, recorder)
    used = recorder.used
    parts.append((recorder.row[: used[3]], recorder.column[: used[3]], recorder.value[: used[3]]))
    trees = _tree(recorder, 0), _tree(recorder, 1)
    rows = _matrix(parts, int(trees[0].sequences()), int(trees[1].sequences()))
    return SequenceForm(game, trees, rows, _transposed(rows, int(trees[1].sequences())), histories)


def _half_of_memory() -> float:
    """Of the machine's, in bytes; no bound where the system does not say."""
    if not hasattr(os, "sysconf"):
        return float("inf")
    return 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def require_zero_sum(game: Any) -> None:
    """Raise `Invalid` unless the game has two players and says that it is zero-sum."""
    shape = game.shape()
    if shape.players != 2:
        raise Invalid(f"{name(game)} has {shape.players} players: exact methods are for two")
    if not shape.zero_sum:
        raise Invalid(f"{name(game)} is not zero-sum: what one player wins the other must lose")


def _new_recorder(shape) -> _Recorder:
    depth, room, entries = shape.moves + 1, 1 << 12, 1 << 16
    used = np.array([1, 1, 0, 0, FINE, 0], np.int64)  # sequence 0 of each is the empty one
    return _Recorder(
        tables.empty(1 << 13),
        np.zeros(room, np.int8),
        np.zeros(room, np.int64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(max(4 * room, shape.actions), np.int32),
        np.zeros(entries, np.int32),
        np.zeros(entries, np.int32),
        np.zeros(entries),
        used,
        np.zeros((depth, 2), np.int32),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.ones(depth),
        np.zeros((depth, shape.actions)),
    )


def _grown(game, recorder, parts, cap) -> _Recorder:
    _complain(game, recorder)
    infosets, used = int(recorder.table.used[0]), recorder.used
    if recorder.table.full():
        recorder = recorder._replace(table=recorder.table.grown())
    if infosets == len(recorder.owner):
        fields = ("owner", "view", "parent", "first", "width")
        recorder = recorder._replace(**{f: np.resize(getattr(recorder, f), 2 * infosets) for f in fields})
    if used[2] + recorder.odds.shape[1] > len(recorder.action):
        recorder = recorder._replace(action=np.resize(recorder.action, 2 * len(recorder.action)))
    if used[3] == len(recorder.row):
        parts.append((recorder.row, recorder.column, recorder.value))
        size = min(2 * len(recorder.row), 1 << 23)
        buffers = (np.zeros(size, kind) for kind in (np.int32, np.int32, np.float64))
        recorder = recorder._replace(**dict(zip(("row", "column", "value"), buffers, strict=True)))
        used[3] = 0
    entries = sum(len(part[0]) for part in parts)
    if entries * ENTRY_BYTES + infosets * INFOSET_BYTES > cap:
        raise TooLarge(
            f"{name(game)} does not fit in {cap / 2**30:.1f} GiB: {infosets:,} information sets and {entries:,} paying ends "
            "so far; raise memory=, or sample it with fogtree.MCCFR"
        )
    return recorder


def _complain(game, recorder):
    wrong, view = recorder.used[4], recorder.used[5]
    if wrong == FORGETFUL:
        raise Invalid(f"{name(game)} has imperfect recall: view {view} is reached by different own actions")
    if wrong == UNEQUAL:
        raise Invalid(f"{name(game)} has states with the same view {view} but different numbers of actions")
    if wrong == UNBALANCED:
        raise Invalid(f"{name(game)} is not zero-sum: at some end the payoffs do not sum to 0")


def _tree(recorder, player) -> Tree:
    infosets = int(recorder.table.used[0])
    mine = recorder.owner[:infosets] == player
    width = recorder.width[:infosets]
    first = np.append(recorder.first[:infosets][mine], recorder.used[player]).astype(np.int32)
    actions = recorder.action[: recorder.used[2]][np.repeat(mine, width)]
    return Tree(
        recorder.view[:infosets][mine].copy(),
        recorder.parent[:infosets][mine].copy(),
        first,
        np.append(np.int32(NONE), actions).astype(np.int32),
    )


def _matrix(parts, rows, columns) -> Sparse:
    """Sort the entries by row and column in two stable passes, last key first; merge equal pairs; find a unit."""
    entries = sum(len(part[0]) for part in parts)
    start = _starts([column for _, column, _ in parts], columns)
    row, value = np.empty(entries, np.int32), np.empty(entries)
    place = start[:-1].copy()
    for part in parts:
        _scatter(part[1], part[0], part[2], place, row, value)
    parts.clear()
    index, sorted_value = np.empty(entries, np.int32), np.empty(entries)
    row_start = _starts([row], rows)
    _scatter_columns(start, row, value, row_start[:-1].copy(), index, sorted_value)
    kept = _merge(row_start, index, sorted_value)
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
    _scatter_columns(matrix.start, matrix.column, matrix.value, start[:-1].copy(), index, value)
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
