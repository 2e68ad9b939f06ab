"""The sequence form of a two-player zero-sum game with perfect recall (Koller, Megiddo and von Stengel 1994).

A player's sequence is the list of their own actions, and what they saw between them, up to some point. Each player has a
tree of information sets: a set hangs on the sequence that leads to it and carries one longer sequence for each of its
actions. Everything that happens between the players is one sparse matrix: A[s, t] is player 0's payoff, times the odds of
chance, summed over the ends of the game where the players have played the sequences s and t. With plans x and y (the
probability that a player plays a sequence, as far as it is theirs to decide) player 0 expects x' A y.

So a best response is one product with the matrix and one sweep over a tree, and so is a step of CFR (`cfr.py`); the linear
program (`lp.py`) is the same matrix again.

Sets with only one action get no sequence of their own, because nothing is decided there; their ends belong to the sequence
before. Ends that pay nothing are left out. Ends with the same pair of sequences are merged. What is left is often a
fraction of the game: 6-card Goofspiel has 83,001 information sets for each player, and only 17,241 of them have a choice.

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
from ..names import as_game
from ..trouble import UNEQUAL
from ..walk import table as tables
from ..walk.slices import Watcher, number
from ..walk.whole import Both, walk_through

EMPTY, NONE = 0, -1
FINE, FORGETFUL, UNBALANCED = 0, -21, -22  # beside trouble.py's numbers: what the walk may find wrong
SEQUENCES, ACTIONS, ENTRIES, WRONG, WHERE, WORDS = (
    0,
    2,
    3,
    4,
    5,
    6,
)  # words of `used`; SEQUENCES has one for each player
ZERO = 1e-9  # how near to 0 the payoffs of an end must sum, relative to the range of the payoffs
WHOLE = 1e-11  # how near a value must be to a whole multiple of the unit to be stored as one, relative to it
CANCELLED = 1e-13  # what is left of entries that cancel, relative to them
PIECE = 1 << 20  # entries that NumPy takes at a time, for its intermediate results take room
ENTRY_BYTES = 28  # an entry of the matrix while it is being sorted
INFOSET_BYTES = 120


class TooLarge(FogtreeError):
    """A game whose sequence form does not fit in the memory allowed."""


class InfosetTree(NamedTuple):
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
    trees: tuple[InfosetTree, InfosetTree]
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

Part = tuple[np.ndarray, np.ndarray, np.ndarray]  # a full buffer of entries: row, column, value


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
    slack: float  # how far the payoffs of an end may sum from 0
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
            and used[ACTIONS] + self.odds.shape[1] <= self.action.shape[0]
            and used[ENTRIES] < self.row.shape[0]
            and used[WRONG] == FINE
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
            self.first[i] = self.used[SEQUENCES + player]
            self.used[SEQUENCES + player] += count
            for a in range(count):
                self.action[self.used[ACTIONS] + a] = action[a]
            self.used[ACTIONS] += count
        elif self.parent[i] != parent or self.width[i] != count:
            self.used[WRONG] = FORGETFUL if self.parent[i] != parent else UNEQUAL
            self.used[WHERE] = view
        return self.first[i]

    def end(self, game, state, depth):
        payoff = game.payoff(state, 0)
        if not abs(payoff + game.payoff(state, 1)) <= self.slack:  # so that no number at all is found too
            self.used[WRONG] = UNBALANCED
        if payoff != 0.0:
            k = self.used[ENTRIES]
            self.row[k], self.column[k] = self.sequence[depth, 0], self.sequence[depth, 1]
            self.value[k] = payoff * self.reach[depth]
            self.used[ENTRIES] = k + 1

    def descend(self, depth, position):
        self.sequence[depth + 1, 0] = self.sequence[depth, 0]
        self.sequence[depth + 1, 1] = self.sequence[depth, 1]
        self.reach[depth + 1] = self.reach[depth]
        if self.base[depth] != NONE:
            self.sequence[depth + 1, self.mover[depth]] = self.base[depth] + position
        elif self.mover[depth] == CHANCE:
            self.reach[depth + 1] *= self.odds[depth, position]


def sequence_form(game: Any, *, memory: float | None = None, progress: Watcher | None = None) -> SequenceForm:
    """Enumerate a game. `memory` is a cap in bytes, half of the machine's by default. `progress` is called with the number
    of histories."""
    game = as_game(game)
    require_zero_sum(game)
    cap, parts = _cap(memory), list[Part]()
    recorder = _new_recorder(game.shape())
    recorder, histories = walk_through(game, recorder, lambda full: _grown(game, full, parts, cap), progress)
    return _form(game, recorder, parts, histories)


def sequence_form_beside(
    game: Any, other: Any, grow: Any, *, memory: float | None = None, progress: Watcher | None = None
) -> tuple[SequenceForm, Any]:
    """The sequence form, and another visitor that went on the same walk. `grow(other)` gives it more room."""
    require_zero_sum(game)
    cap, parts = _cap(memory), list[Part]()

    def grown(both: Both) -> Both:
        second = both.second if both.second.room() else grow(both.second)
        return Both(_grown(game, both.first, parts, cap, bytes_of(second)), second)

    visitors = Both(_new_recorder(game.shape()), other)
    visitors, histories = walk_through(game, visitors, grown, progress)
    return _form(game, visitors.first, parts, histories), visitors.second


def _form(game, recorder, parts, histories) -> SequenceForm:
    _complain(game, recorder)
    entries = recorder.used[ENTRIES]
    parts.append((recorder.row[:entries], recorder.column[:entries], recorder.value[:entries]))
    trees = _tree(recorder, 0), _tree(recorder, 1)
    rows = _matrix(parts, int(trees[0].sequences()), int(trees[1].sequences()))
    return SequenceForm(game, trees, rows, _transposed(rows, int(trees[1].sequences())), histories)


def _cap(memory) -> float:
    return _half_of_memory() if memory is None else number(memory, "memory")


def bytes_of(arrays: Any) -> int:
    """What the arrays of a tuple, and of the tuples in it, take in all."""
    return sum(bytes_of(part) if isinstance(part, tuple) else getattr(part, "nbytes", 0) for part in arrays)


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
    used = np.zeros(WORDS, np.int64)
    used[SEQUENCES : SEQUENCES + 2] = 1  # sequence 0 of each player is the empty one
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
        ZERO * (shape.high - shape.low),
        np.zeros((depth, 2), np.int32),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.ones(depth),
        np.zeros((depth, shape.actions)),
    )


def _grown(game, recorder, parts, cap, others=0) -> _Recorder:
    """The recorder with more room, or `TooLarge`; `others` are the bytes of another visitor."""
    _complain(game, recorder)
    infosets, used = int(recorder.table.used[0]), recorder.used
    if recorder.table.full():
        recorder = recorder._replace(table=recorder.table.grown())
    if infosets == len(recorder.owner):
        fields = ("owner", "view", "parent", "first", "width")
        recorder = recorder._replace(**{f: np.resize(getattr(recorder, f), 2 * infosets) for f in fields})
    if used[ACTIONS] + recorder.odds.shape[1] > len(recorder.action):
        recorder = recorder._replace(action=np.resize(recorder.action, 2 * len(recorder.action)))
    if used[ENTRIES] == len(recorder.row):
        parts.append((recorder.row, recorder.column, recorder.value))
        size = min(2 * len(recorder.row), 1 << 23)
        buffers = (np.zeros(size, kind) for kind in (np.int32, np.int32, np.float64))
        recorder = recorder._replace(**dict(zip(("row", "column", "value"), buffers, strict=True)))
        used[ENTRIES] = 0
    entries = sum(len(part[0]) for part in parts)
    if entries * ENTRY_BYTES + infosets * INFOSET_BYTES + others > cap:
        raise TooLarge(
            f"{name(game)} does not fit in {cap / 2**30:.1f} GiB: {infosets:,} information sets and {entries:,} paying ends "
            "so far; raise memory=, or sample it with fogtree.MCCFR"
        )
    return recorder


def _complain(game, recorder):
    wrong, view = recorder.used[WRONG], recorder.used[WHERE]
    if wrong == FORGETFUL:
        raise Invalid(f"{name(game)} has imperfect recall: view {view} is reached by different own actions")
    if wrong == UNEQUAL:
        raise Invalid(f"{name(game)} has states with the same view {view} but different numbers of actions")
    if wrong == UNBALANCED:
        raise Invalid(f"{name(game)} is not zero-sum: at some end the payoffs do not sum to 0")


def _tree(recorder, player) -> InfosetTree:
    infosets = int(recorder.table.used[0])
    mine = recorder.owner[:infosets] == player
    width = recorder.width[:infosets]
    first = np.append(recorder.first[:infosets][mine], recorder.used[SEQUENCES + player]).astype(np.int32)
    actions = recorder.action[: recorder.used[ACTIONS]][np.repeat(mine, width)]
    return InfosetTree(
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
