"""The sequence form, built in lanes on any engine: the same form as `sequence.py` makes, in another order.

The game is walked breadth first (`walk/layers.py`). A history carries the sequence of each player, by a code, and what chance
multiplied. Where there is a choice, the information set is entered into a table that all lanes share (`walk/views.py`); the
number of its word there stands for the set until the walk is over. An end that pays is a pair of codes and a value.

Then the sets get their numbers, which do not depend on who came first (`numbering.py`). Codes become numbers, the entries are
sorted by row and column (`kernels/sorting.py`), equal pairs are merged, and the transpose is sorted from the result.

Where the entries do not fit beside each other while they are sorted, they are filed row by row instead (`filing.py`).

The trees are in this machine's memory. The matrix lies where the lanes have their arrays; `fetched` brings it here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import Invalid
from ...kernels.engines import empty, free, on, zeros
from ...kernels.lanes import CPU, CUDA, NOTHING
from ...kernels.sorting import RunningSums, sort_keys
from ...text.naming import as_game, name
from ...trouble import ENDLESS, require_fine
from ...walk.estimate import HUGE, TooLarge, estimated_histories, require_fewer
from ...walk.layers import AGAIN, PARTS, walk_layers
from ...walk.slices import Progress, Watcher, memory_cap
from ...walk.views import MORE, NoRoom, new_views, until_room
from .entries import (
    HALF,
    Codes,
    Company,
    Copying,
    Halving,
    Keying,
    Measuring,
    Meeting,
    Merging,
    Narrowing,
    Starting,
    Turning,
)
from .filing import Filed, bits_of
from .infosets import FINE, sentence_about
from .levels import WARP
from .numbering import Sets
from .recording import GOING_ON, MET, NO_ROOM, NOTES, ROWS, Picking, Placing, Recording, Staged, Taking
from .reduction import Singles
from .sequence import ZERO, SequenceForm, Sparse, require_zero_sum

CAPACITY = {CUDA: 1 << 22}  # sets of a player at first
FEW_SETS = 1 << 12
STAGE = {CUDA: 1 << 16}  # entries of a part that a batch may find
SHORT_STAGE = 1 << 8
LAYERS = {CUDA: 1 << 34}  # bytes, or a quarter of what is free
FEW_BYTES = 1 << 26
SHARED = {CUDA: 1 << 17}  # lanes that go through a row together
NEARLY = 0.95  # of the memory of a GPU
ENTRY_BYTES, TABLE_BYTES = 40, 40  # of an end that pays while entries get their keys | of a word of the table of sets


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
        capacity *= MORE if estimated_histories(game) > HUGE else 1
        cap = NEARLY * free(device) if memory is None else min(cap, free(device))
    return until_room(lambda sets: _Building(game, device, sets, cap, singles, cores).built(progress), capacity)


class _Building:
    """One try to build a form, with room for so many sets of a player."""

    def __init__(self, game: Any, device: str, capacity: int, cap: float, singles: bool, cores: int | None):
        self.cap, self.entries, self.keeping, self.called = cap, 0, True, name(game)
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
        self.room, self.taken, self.histories, self.slots = rows // PARTS, list[Staged](), 0, slots
        self.codes = Codes(zeros(device, slots), self.shape.actions)
        self.company = Company(self.codes, zeros(device, slots))

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
        self.walk(self.taker(), progress)
        histories = self.histories
        sets = self.picked()
        self.place(sets)
        rows, columns = sets.sequences
        if self.keeping:
            self.meet()
            self.settle(sets)
            by_rows = self.matrix(rows, columns)
            by_columns = self.transposed(by_rows, rows, columns)
        else:
            by_rows, by_columns = Filed(self, sets).matrices(progress)
        return SequenceForm(self.game, sets.trees(), by_rows, by_columns, histories), sets.singles()

    # --- the walk ---

    def walk(self, take: Callable[[np.ndarray], Any], progress: Watcher | None) -> None:
        """Walk the game. `take(used)` is called when entries are staged, so many of each part."""

        def after(depth: int, tally: np.ndarray) -> Any:
            used, notes = tally[:PARTS], tally[PARTS:].reshape(ROWS, NOTES).sum(axis=0)
            if notes[NO_ROOM]:
                raise NoRoom
            self.complain()
            if used.max() > self.room:
                return AGAIN
            require_fine(ENDLESS if depth == self.shape.moves and notes[GOING_ON] else FINE, self.game)
            self.histories += int(notes[MET])
            if used.any():
                take(used)
            if progress:
                progress(Progress("histories", self.histories))
            return None

        memory = min(LAYERS.get(self.device, FEW_BYTES), free(self.device) / 4)
        moves = self.shape.moves
        walk_layers(self.game, self.recording, moves, self.device, after, memory=memory, cores=self.cores)

    def taker(self) -> Callable[[np.ndarray], Any]:
        """Keeps what is staged, as long as all of it fits."""
        staged = self.recording.staged
        none = self.nothing()
        taking = self.on(Taking(staged, zeros(self.device, PARTS), zeros(self.device, PARTS), none))

        def take(used: np.ndarray) -> None:
            entries = int(used.sum())
            self.entries += entries
            self.keeping = self.keeping and self.fits(ENTRY_BYTES * self.entries)
            if not self.keeping:  # the walk goes on for the sets
                self.taken.clear()
                taking.change(taken=none)
                return
            taken = Staged(*(self.empty(entries, array.dtype) for array in staged))
            taking.put("used", used)
            taking.put("before", np.cumsum(used) - used)
            taking.change(taken=taken)
            taking.run(0, int(used.max()) * PARTS)
            self.taken.append(taken)

        return take

    def fits(self, need: float) -> bool:
        """Whether there is room for so many bytes beside the table of sets."""
        sets = int(self.recording.views.slot.shape[0]) * (TABLE_BYTES + 4 * self.shape.actions)
        return sets + need <= self.cap

    def require_room(self, need: float, entries: int) -> None:
        if not self.fits(need):
            raise TooLarge(
                f"{self.called} does not fit in {self.cap / 2**30:.1f} GiB: it has {entries:,} paying ends; raise memory=, "
                "or sample it with fogtree.MCCFR"
            )

    def complain(self) -> None:
        wrong, view = np.array(self.recording.wrong).tolist()
        if wrong != FINE:
            raise Invalid(sentence_about(self.called, wrong, view))

    # --- numbers ---

    def picked(self) -> Sets:
        """The sets that the walk has met."""
        sets = int(self.recording.views.sizes(None).sum())
        slot, view, fact = np.zeros((3, sets), np.int64)
        action = np.zeros((sets, self.shape.actions), np.int32)
        work = Picking(self.recording, zeros(self.device, 1), slot, view, fact, action)
        found = self.each(work, self.slots).work
        owner = self.recording.views.owner_at(found.slot)
        return Sets(found.slot, found.view, found.fact, found.action, owner, self.slots)

    def place(self, sets: Sets) -> None:
        """Let codes find the numbers of sequences."""
        self.each(Placing(sets.slot, sets.first, self.codes.first), len(sets.slot))

    def meet(self) -> None:
        """Note who meets at the ends that were kept."""
        meeting = self.on(Meeting(self.company, self.nothing()))
        for part in self.taken:
            meeting.change(taken=part)
            meeting.run(0, int(part.row.shape[0]))

    def settle(self, sets: Sets) -> None:
        """Number the sets by whom they meet."""
        lowest = np.array(self.company.lowest)[sets.slot]
        sets.number_by_company(lowest)
        self.place(sets)

    def nothing(self) -> Staged:
        return Staged(self.empty(1), self.empty(1), self.empty(1, np.float64))

    # --- the matrix ---

    def matrix(self, rows: int, columns: int) -> Sparse:
        entries = sum(int(part.row.shape[0]) for part in self.taken)
        key, value, bits = self.empty(entries), self.empty(entries, np.float64), bits_of(columns)
        none = self.nothing()
        keying, before = self.on(Keying(self.codes, none, key, value, 0, bits)), 0
        for part in self.taken:
            keying.change(taken=part, before=before)
            keying.run(0, int(part.row.shape[0]))
            before += int(part.row.shape[0])
        self.taken.clear()
        keying.change(taken=none)
        key, value = sort_keys(self.device, key, value, 0, bits + bits_of(rows))
        kept = self.empty(entries + 1)
        nowhere = self.empty(1, np.int32), self.empty(1, np.float64)
        merging = self.on(Merging(key, value, kept, *nowhere, bits, 0, np.inf, self.empty(1), False))
        merging.run(0, entries + 1)
        stay = RunningSums(self.device, kept).run(kept)
        column, total = self.empty(stay, np.int32), self.empty(stay, np.float64)
        merging.change(column=column, total=total, writing=True)
        merging.run(0, entries)
        start = self.empty(rows + 1)
        self.each(Starting(key, kept, start, bits, 0, 0), rows + 1)
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
        key, value = sort_keys(self.device, key, value, HALF, HALF + bits_of(columns))
        start, half = self.empty(columns + 1), self.empty(entries, np.int32)
        self.each(Starting(key, self.empty(0), start, HALF, 0, 0), columns + 1)
        self.each(Halving(key, half), entries)
        return Sparse(start, half, value, matrix.unit)


def fetched(form: SequenceForm) -> SequenceForm:
    """The form with its matrix in this machine's memory."""

    def here(matrix: Sparse) -> Sparse:
        return Sparse(np.array(matrix.start), np.array(matrix.column), np.array(matrix.value), matrix.unit)

    return form._replace(rows=here(form.rows), columns=here(form.columns))
