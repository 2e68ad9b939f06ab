"""The sequence form, built in lanes on any engine: the same form as `sequence.py` makes, in another order.

The game is walked breadth first (`walk/layers.py`). A history carries the sequence of each player, by a code, and what chance
multiplied. Where there is a choice, the information set is entered into a table that all lanes share (`walk/views.py`); the
number of its word there stands for the set until the walk is over. An end that pays is a pair of codes and a value.

Then the sets get their numbers, level by level: sets after the same sequence are neighbours, in the order of their views. So
the numbers do not depend on who came first. Codes become numbers, the entries are sorted by row and column
(`kernels/sorting.py`), equal pairs are merged, and the transpose is sorted from the result.

The trees are in this machine's memory. The matrix lies where the lanes have their arrays; `fetched` brings it here.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, OVER
from ...kernels.atomic import add, claim
from ...kernels.engines import empty, free, on, zeros
from ...kernels.lanes import CPU, CUDA
from ...kernels.sorting import RunningSums, sort_keys
from ...kernels.teams import member, members
from ...text.naming import as_game, name
from ...trouble import ENDLESS, UNEQUAL, require_fine
from ...walk.estimate import TooLarge, require_fewer
from ...walk.layers import AGAIN, PARTS, walk_layers
from ...walk.slices import Progress, Watcher, memory_cap
from ...walk.views import FULL_UP, Views, new_views
from .infosets import FINE, FORGETFUL, UNBALANCED, InfosetTree, sentence_about
from .levels import NOTHING, WARP
from .reduction import Singles
from .sequence import CANCELLED, WHOLE, ZERO, SequenceForm, Sparse, require_zero_sum

REACH = 2  # what a history carries: the codes of two sequences | what chance multiplied
MET, GOING_ON, NO_ROOM, TURN, NOTES = 0, 1, 2, 3, 4  # notes of a lane: histories | those that go on | sets without room
ROWS = 64  # of the tally, to which lanes add
WIDTH = 1 << 16  # a fact of a set: (1 + code of the sequence before it) * WIDTH + actions
CAPACITY = {CUDA: 1 << 22}  # sets of a player at first
FEW_SETS = 1 << 12
STAGE = {CUDA: 1 << 16}  # entries of a part that a batch may find
SHORT_STAGE = 1 << 8
LAYERS = {CUDA: 1 << 34}  # bytes, or a quarter of what is free
FEW_BYTES = 1 << 26
EVEN, ODD, SHIFT = 40503, 30011, 5  # these say into which part an entry goes
SHARED = {CUDA: 1 << 17}  # lanes that go through a row together
NEARLY = 0.95  # of the memory of a GPU
ENTRY_BYTES, TABLE_BYTES = 40, 32  # of an end that pays while entries get their keys | of a word of the table of sets
TOO_MANY = 1e6  # units: no multiple that is stored
HALF = 32  # bits of a number in a pair


class Staged(NamedTuple):
    """Entries that a batch has found. Row n belongs to part n % PARTS, as in a layer."""

    row: Any  # [rows] codes
    column: Any
    value: Any


class Recording(NamedTuple):
    """The visitor that writes sets and entries down."""

    views: Views
    fact: Any  # [slots] 0 where nobody was
    action: Any  # [slots, actions]
    staged: Staged
    wrong: Any  # [2] what is wrong | the view where
    slack: float  # how far the payoffs of an end may sum from 0
    singles: bool  # whether sets with a single action are entered too
    tally: Any  # [PARTS + ROWS * NOTES] entries by part | notes

    def notes(self):
        return NOTES

    def loads(self):
        return 0.0, 0.0, 1.0

    def begin(self, note):
        for each in range(NOTES):
            note[each] = 0

    def enter(self, game, state, player, choice, count, own):
        if player == CHANCE:
            game.odds(state, own.odds)
            return 0
        if count == 1 and not self.singles:
            return 0
        view = game.view(state, player)
        slot = self.views.number(view, player)
        if slot == FULL_UP:
            own.note[NO_ROOM] += 1
            return 0
        fact = (np.int64(own.load[player]) + 1) * WIDTH + count if count > 1 else np.int64(1)
        held = self.fact[slot]
        if held == 0:
            held = claim(self.fact, slot, 0, fact)
            if held == 0:
                for a in range(count):
                    self.action[slot, a] = choice[a]
                held = fact
        if held != fact:
            self.wrong[0] = FORGETFUL if held % WIDTH == count else UNEQUAL
            self.wrong[1] = view
        return 1 + slot * self.action.shape[1] if count > 1 else 0

    def descend(self, number, player, a, own):
        if player == CHANCE:
            own.bears[REACH] = own.load[REACH] * own.odds[a]
        elif number > 0:
            own.bears[player] = number + a

    def meet(self, game, state, player, own):
        own.note[MET] += 1
        if player != OVER:
            own.note[GOING_ON] += 1
            return
        payoff = game.payoff(state, 0)
        if not abs(payoff + game.payoff(state, 1)) <= self.slack:  # true too where there is no number at all
            self.wrong[0] = UNBALANCED
        if payoff == 0.0:
            return
        row, column = np.int64(own.bears[0]), np.int64(own.bears[1])
        own.note[TURN] += 1
        part = (((row * EVEN + column * ODD) >> SHIFT) + own.note[TURN]) % PARTS
        at = add(self.tally, part, 1) * PARTS + part
        if at < self.staged.row.shape[0]:
            self.staged.row[at], self.staged.column[at] = row, column
            self.staged.value[at] = payoff * own.bears[REACH]

    def end(self, number, note):
        for each in range(TURN):
            if note[each]:
                add(self.tally, PARTS + number % ROWS * NOTES + each, note[each])


class Taking(NamedTuple):
    """Work: lane n takes row n of what is staged, if it is in use."""

    staged: Staged
    used: Any  # [PARTS]
    before: Any  # [PARTS] entries of the parts before
    taken: Staged  # [entries]

    def writes(self):
        return ()

    def lane(self, number, own):
        part, deep = number % PARTS, number // PARTS
        if deep < self.used[part]:
            to = self.before[part] + deep
            self.taken.row[to], self.taken.column[to] = self.staged.row[number], self.staged.column[number]
            self.taken.value[to] = self.staged.value[number]


class Picking(NamedTuple):
    """Work: lane n looks whether word n of the table is a set, and copies it."""

    recording: Recording
    used: Any  # [1]
    slot: Any  # [sets]
    view: Any  # [sets]
    fact: Any  # [sets]
    action: Any  # [sets, actions]

    def writes(self):
        return "slot", "view", "fact", "action"

    def lane(self, number, own):
        if self.recording.fact[number] == 0:
            return
        at = add(self.used, 0, 1)
        self.slot[at], self.fact[at] = number, self.recording.fact[number]
        self.view[at] = self.recording.views.view_at(number)
        for a in range(self.fact[at] % WIDTH):
            self.action[at, a] = self.recording.action[number, a]


class Keying(NamedTuple):
    """Work: lane n makes a key of entry n: row and column by their numbers."""

    first: Any  # [slots] the first sequence of a set
    taken: Staged
    key: Any  # [all entries]
    value: Any
    before: int  # entries that have their keys
    bits: int  # of a column
    actions: int

    def writes(self):
        return ()

    def lane(self, number, own):
        row, column = self.numbered(self.taken.row[number]), self.numbered(self.taken.column[number])
        self.key[self.before + number] = (row << self.bits) | column
        self.value[self.before + number] = self.taken.value[number]

    def numbered(self, code):
        if code == 0:
            return np.int64(0)
        return self.first[(code - 1) // self.actions] + (code - 1) % self.actions


class Placing(NamedTuple):
    """Work: lane n writes the first sequence of set n where codes find it."""

    slot: Any  # [sets]
    number: Any  # [sets]
    first: Any  # [slots]

    def writes(self):
        return ()

    def lane(self, number, own):
        self.first[self.slot[number]] = self.number[number]


class Merging(NamedTuple):
    """Work on sorted entries: first lane n says whether an entry stays in place n, the sum of all in its cell, and then,
    when running sums say how many stay before it, writes it there."""

    key: Any
    value: Any
    kept: Any  # [entries + 1] 1 where one stays, then how many stay before
    column: Any  # [those that stay]
    total: Any  # [those that stay]
    bits: int
    writing: bool

    def writes(self):
        return ()

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
            at = self.kept[number]
            self.column[at], self.total[at] = key & ((np.int64(1) << self.bits) - 1), total
        else:
            self.kept[number] = 1 if abs(total) > CANCELLED * size else 0


class Starting(NamedTuple):
    """Work: lane r finds where row r begins: how many of the sorted keys that stay are of rows before it."""

    key: Any
    kept: Any  # [entries + 1], or of length 0 where all stay
    start: Any  # [rows + 1]
    bits: int  # of a column

    def writes(self):
        return ()

    def lane(self, number, own):
        low, high = 0, self.key.shape[0]
        while low < high:
            middle = (low + high) // 2
            if self.key[middle] >> self.bits < number:
                low = middle + 1
            else:
                high = middle
        self.start[number] = self.kept[low] if self.kept.shape[0] > 0 else low


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

    def writes(self):
        return ()

    def lane(self, number, own):
        multiple = self.value[number] / self.unit
        self.narrow[number] = np.int64(multiple + 0.5) if multiple > 0.0 else -np.int64(0.5 - multiple)


class Copying(NamedTuple):
    """Work: lane n copies value n."""

    value: Any
    copy: Any

    def writes(self):
        return ()

    def lane(self, number, own):
        self.copy[number] = self.value[number]


class Turning(NamedTuple):
    """Work: lane r makes keys of row r's entries, by column and row."""

    start: Any
    column: Any
    key: Any
    crew: int

    def writes(self):
        return ()

    def team(self):
        return self.crew

    def lane(self, number, own):
        for k in range(self.start[number] + member(self.crew), self.start[number + 1], members(self.crew)):
            self.key[k] = (np.int64(self.column[k]) << HALF) | number


class Halving(NamedTuple):
    """Work: lane n takes the lower half of key n."""

    key: Any
    half: Any

    def writes(self):
        return ()

    def lane(self, number, own):
        self.half[number] = self.key[number] & ((np.int64(1) << HALF) - 1)


class NoRoom(Exception):
    """A set found no place."""


def form_in_lanes(
    game: Any,
    device: str,
    *,
    singles: bool = False,
    memory: float | None = None,
    cores: int | None = 1,
    progress: Watcher | None = None,
) -> tuple[SequenceForm, Singles]:
    """Enumerate a game in lanes on a device: its form, and its information sets with a single action, if they are asked for.
    `memory` is a cap in bytes, by default nearly all that is free on a GPU, and half of the machine's elsewhere."""
    game = as_game(game)
    require_zero_sum(game)
    require_fewer(game)
    capacity, cap = CAPACITY.get(device, FEW_SETS), memory_cap(memory)
    if device != CPU:
        cap = NEARLY * free(device) if memory is None else min(cap, free(device))
    while True:  # it ends: the capacity grows, and the memory does not
        try:
            return _Building(game, device, capacity, cap, singles, cores).built(progress)
        except NoRoom:
            capacity *= 4


class _Building:
    """One try to build a form, with room for so many sets of a player."""

    def __init__(self, game: Any, device: str, capacity: int, cap: float, singles: bool, cores: int | None):
        self.cap, self.entries = cap, 0
        self.game, self.device, self.cores, self.shape = game, device, cores, game.shape()
        views = new_views(self.shape.players, capacity, device)
        slots, rows = int(views.slot.shape[0]), PARTS * max(self.shape.actions, STAGE.get(device, SHORT_STAGE))
        kinds = np.int64, np.int64, np.float64
        self.recording = Recording(
            views,
            zeros(device, slots),
            empty(device, (slots, self.shape.actions), np.int32),
            Staged(*(empty(device, rows, kind) for kind in kinds)),
            zeros(device, 2),
            ZERO * (self.shape.high - self.shape.low),
            singles,
            empty(device, PARTS + ROWS * NOTES),
        )
        self.room, self.taken, self.histories = rows // PARTS, list[Staged](), 0

    def on(self, work: Any) -> Any:
        return on(self.device, work, NOTHING, cores=self.cores)

    def each(self, work: Any, count: int) -> Any:
        """Run a lane of the work for each of so many; returns the work as the device has it."""
        lanes = self.on(work)
        lanes.run(0, count)
        lanes.fetch()
        return lanes

    def empty(self, shape: Any, kind: Any = np.int64) -> Any:
        return empty(self.device, shape, kind)

    def built(self, progress: Watcher | None) -> tuple[SequenceForm, Singles]:
        self.walk(progress)
        found = self.picked()
        trees, first, single = self.trees_of(*found)
        rows, columns = int(trees[0].sequences()), int(trees[1].sequences())
        by_rows = self.matrix(first, rows, columns)
        form = SequenceForm(self.game, trees, by_rows, self.transposed(by_rows, rows, columns), self.histories)
        return form, single

    # --- the walk ---

    def walk(self, progress: Watcher | None) -> None:
        staged = self.recording.staged
        none = Staged(*(empty(self.device, 1, kind) for kind in (np.int64, np.int64, np.float64)))
        taking = self.on(Taking(staged, zeros(self.device, PARTS), zeros(self.device, PARTS), none))

        def after(depth: int, tally: np.ndarray) -> Any:
            used, notes = tally[:PARTS], tally[PARTS:].reshape(ROWS, NOTES).sum(axis=0)
            if notes[NO_ROOM]:
                raise NoRoom
            self.complain()
            if used.max() > self.room:
                return AGAIN
            require_fine(ENDLESS if depth == self.shape.moves and notes[GOING_ON] else FINE, self.game)
            self.histories += int(notes[MET])
            if entries := int(used.sum()):
                self.entries += entries
                self.require_room()
                taken = Staged(*(self.empty(entries, array.dtype) for array in staged))
                taking.put("used", used)
                taking.put("before", np.cumsum(used) - used)
                taking.change(taken=taken)
                taking.run(0, int(used.max()) * PARTS)
                self.taken.append(taken)
            if progress:
                progress(Progress("histories", self.histories))
            return None

        memory = min(LAYERS.get(self.device, FEW_BYTES), free(self.device) / 4)
        moves = self.shape.moves
        walk_layers(self.game, self.recording, moves, self.device, after, memory=memory, cores=self.cores)

    def require_room(self) -> None:
        sets = int(self.recording.views.slot.shape[0]) * (TABLE_BYTES + 4 * self.shape.actions)
        if sets + self.entries * ENTRY_BYTES > self.cap:
            raise TooLarge(
                f"{name(self.game)} does not fit in {self.cap / 2**30:.1f} GiB: {self.entries:,} paying ends so far; raise "
                "memory=, or sample it with fogtree.MCCFR"
            )

    def complain(self) -> None:
        wrong, view = np.array(self.recording.wrong).tolist()
        if wrong != FINE:
            raise Invalid(sentence_about(name(self.game), wrong, view))

    # --- numbers ---

    def picked(self) -> tuple[np.ndarray, ...]:
        """The sets, in arbitrary order: slot, view, fact, actions."""
        sets = int(self.recording.views.sizes(None).sum())
        slot, view, fact = np.zeros((3, sets), np.int64)
        action = np.zeros((sets, self.shape.actions), np.int32)
        work = Picking(self.recording, zeros(self.device, 1), slot, view, fact, action)
        found = self.each(work, int(self.recording.fact.shape[0])).work
        return found.slot, found.view, found.fact, found.action

    def trees_of(self, slot, view, fact, action) -> tuple[tuple[InfosetTree, InfosetTree], Any, Any]:
        """Both trees, [slots] the first sequence of each set on the device, and the sets with a single action."""
        owner, width, code = self.recording.views.owner_at(slot), fact % WIDTH, fact // WIDTH - 1
        at = np.zeros(int(self.recording.fact.shape[0]), np.int32)
        at[slot] = np.arange(len(slot))
        level = _levels(code, at, self.shape.actions)
        first, trees = np.zeros(len(slot), np.int64), []
        for player in (0, 1):
            mine = np.flatnonzero((owner == player) & (width > 1))
            parent, order, sequences = np.zeros(len(slot), np.int64), list[np.ndarray](), 1
            for depth in range(int(level[mine].max(initial=-1)) + 1):
                here = mine[level[mine] == depth]
                if depth > 0:
                    before = code[here] - 1
                    parent[here] = first[at[before // self.shape.actions]] + before % self.shape.actions
                here = here[np.lexsort((view[here], parent[here]))]
                first[here] = sequences + np.cumsum(width[here]) - width[here]
                sequences += int(width[here].sum())
                order.append(here)
            sets = np.concatenate(order) if order else mine
            listed = action[sets][np.arange(self.shape.actions) < width[sets][:, None]]
            ends = np.append(first[sets], sequences).astype(np.int32)
            acts = np.append(-1, listed).astype(np.int32)
            trees.append(InfosetTree(view[sets].copy(), parent[sets].astype(np.int32), ends, acts))
        there = zeros(self.device, len(at))
        if len(slot):
            self.each(Placing(slot, first, there), len(slot))
        single = width == 1
        return (trees[0], trees[1]), there, Singles(owner[single], view[single], action[single, 0])

    # --- the matrix ---

    def matrix(self, first: Any, rows: int, columns: int) -> Sparse:
        entries = sum(int(part.row.shape[0]) for part in self.taken)
        key, value, bits = self.empty(entries), self.empty(entries, np.float64), _bits(columns)
        none = Staged(self.empty(1), self.empty(1), self.empty(1, np.float64))
        keying, before = self.on(Keying(first, none, key, value, 0, bits, self.shape.actions)), 0
        for part in self.taken:
            keying.change(taken=part, before=before)
            keying.run(0, int(part.row.shape[0]))
            before += int(part.row.shape[0])
        self.taken.clear()
        keying.change(taken=none)
        key, value = sort_keys(self.device, key, value, 0, bits + _bits(rows))
        kept = self.empty(entries + 1)
        merging = self.on(Merging(key, value, kept, self.empty(1, np.int32), self.empty(1, np.float64), bits, False))
        merging.run(0, entries + 1)
        stay = RunningSums(self.device, kept).run(kept)
        column, total = self.empty(stay, np.int32), self.empty(stay, np.float64)
        merging.change(column=column, total=total, writing=True)
        merging.run(0, entries)
        start = self.empty(rows + 1)
        self.each(Starting(key, kept, start, bits), rows + 1)
        return Sparse(start, column, *self.compact(total))

    def compact(self, value: Any) -> tuple[Any, float]:
        """Values as whole multiples of a unit in as few bytes as that takes, or as they are."""
        size = int(value.shape[0])
        lanes = max(1, min(size, SHARED.get(self.device, 1)))
        measuring = self.on(Measuring(value, 1.0, np.zeros(lanes), np.zeros(lanes), lanes))

        def measured() -> tuple[float, float]:
            measuring.run(0, lanes)
            measuring.fetch()
            return float(measuring.work.least.min()), float(measuring.work.most.max())

        unit = measured()[0] if size else 1.0
        measuring.change(unit=unit)
        most = measured()[1] if size else 0.0
        for kind in (np.int8, np.int16):
            if most <= np.iinfo(kind).max:
                narrow = self.empty(size, kind)
                self.each(Narrowing(value, unit, narrow), size)
                return narrow, unit
        return value, 1.0

    def transposed(self, matrix: Sparse, rows: int, columns: int) -> Sparse:
        entries = int(matrix.column.shape[0])
        key, value = self.empty(entries), self.empty(entries, matrix.value.dtype)
        self.each(Copying(matrix.value, value), entries)  # for sorting overwrites it
        self.each(Turning(matrix.start, matrix.column, key, WARP), rows)
        key, value = sort_keys(self.device, key, value, HALF, HALF + _bits(columns))
        start, half = self.empty(columns + 1), self.empty(entries, np.int32)
        self.each(Starting(key, self.empty(0), start, HALF), columns + 1)
        self.each(Halving(key, half), entries)
        return Sparse(start, half, value, matrix.unit)


def _levels(code: np.ndarray, at: np.ndarray, actions: int) -> np.ndarray:
    """[sets] how many of the player's own sets lead to each."""
    level, behind = np.zeros(len(code), np.int32), code > 0
    before = at[np.where(behind, code - 1, 0) // actions]
    while True:  # it ends: a set leads to longer sequences only
        found = np.where(behind, level[before] + 1, 0).astype(np.int32)
        if (found == level).all():
            return level
        level = found


def _bits(count: int) -> int:
    """Of the numbers below it, at least one."""
    return max(1, (count - 1).bit_length())


def fetched(form: SequenceForm) -> SequenceForm:
    """The form with its matrix in this machine's memory."""

    def here(matrix: Sparse) -> Sparse:
        return Sparse(np.array(matrix.start), np.array(matrix.column), np.array(matrix.value), matrix.unit)

    return form._replace(rows=here(form.rows), columns=here(form.columns))
