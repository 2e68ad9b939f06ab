"""The sweeps of vector CFR (`hand_sweeps.py`) in lanes (`kernels/lanes.py`), for a GPU: all boards of a stage side by side.

On the way down and up hands do not meet, so a lane is a hand at an entry on a board, and walks the whole betting below the
entry. At ends all hands meet, so there a lane is an end on a board, which goes through the hands as the sweeps do. A sweep is
a launch for each stage down, one for each kind of ends, and one for each stage up:

    Descend     lane = board, entry, hand of the other      the other's reach at all nodes
    FoldEnds    lane = board, fold                          the values of own hands there
    ShowEnds    lane = board, showdown
    Ascend      lane = board, entry, own hand               values up to the entry; a gate takes the sum over the boards
    behind it

The reach and the values of all boards lie in memory at once, in rows of `pitch` numbers. The factors of the iterations lie on
the device, and the last lane of an iteration counts it, so that an iteration is noted once and then run without Python.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE
from ...kernels.engines import chosen, free, on, replay, sent, zeros
from ...kernels.lanes import CPU
from ...text.naming import name as name_of
from ...walk.slices import sized
from ..forms.infosets import TooLarge
from .hand_sweeps import AHEAD, FACTORS, KEEP, LEAST, NEGATIVE, POSITIVE, WEIGHT, Store
from .lines import GATE
from .public_form import Betting, Hold, PublicForm
from .vector_cfr import Seen, VectorCFR

MOST = 64  # iterations whose factors are on the device at a time
THREADS = 512  # of a multiprocessor that go through the hands of ends, each with sums of its own in local memory


class Layout(NamedTuple):
    """Where the rows of boards lie, and which boards there are."""

    base: np.ndarray  # [boards] the row of a board's node n is base + n
    board: np.ndarray  # [boards] those of a stage side by side
    until: np.ndarray  # [entries] where the nodes of an entry end
    parent: np.ndarray  # [boards]
    behind: np.ndarray  # [nodes] the entry's node behind a gate


class Links(NamedTuple):
    """For each hand on a board, the hands on the next boards that it becomes, in all their images."""

    first: np.ndarray  # [all hands + 1]
    board: np.ndarray  # [links]
    hand: np.ndarray  # [links]


class Time(NamedTuple):
    """The factors of some iterations, and which of them is on."""

    factor: np.ndarray  # [MOST, player, FACTORS]
    now: np.ndarray  # [1]


class Nothing(NamedTuple):
    """No scratch."""

    none: np.ndarray


class Masses(NamedTuple):
    """What an end's lane sums up, for each card: the hands so far, and then all hands."""

    mass: np.ndarray  # [2 * (cards + 2)]


# --- what is done at decisions, for one hand ---


class LearnHand(NamedTuple):
    """`hand_sweeps.Learn`, which keeps mixes."""

    rule: Any
    time: Time

    def down(self, me, store, at, count, width, reach, row, to, pitch):
        t = self.time.now[0]
        keep, weight = self.time.factor[t, me, KEEP], self.time.factor[t, me, WEIGHT]
        before = reach[row]
        for k in range(count):
            part = before * store.mix[at + k * width]
            reach[to + k * pitch] = part
            store.total[at + k * width] = keep * store.total[at + k * width] + weight * part

    def up(self, me, store, at, count, width, value, row, first, pitch):
        t = self.time.now[0]
        positive, negative = self.time.factor[t, me, POSITIVE], self.time.factor[t, me, NEGATIVE]
        mean = mean_of(store.mix, at, count, width, value, first, pitch)
        mass = 0.0
        for k in range(count):
            old, gain = store.regret[at + k * width], value[first + k * pitch] - mean
            new = old * (positive if old > 0.0 else negative) + gain
            store.regret[at + k * width] = new
            aim = max(self.rule.aim(new, gain, self.time.factor[t, me, AHEAD]), 0.0)
            store.mix[at + k * width] = aim
            mass += aim
        for k in range(count):
            store.mix[at + k * width] = store.mix[at + k * width] / mass if mass > LEAST else 1.0 / count
        value[row] = mean

    def fixed(self, me, store, at, count, width, value, row, first, pitch):
        value[row] = mean_of(store.mix, at, count, width, value, first, pitch)


class MatchHand(NamedTuple):
    """`hand_sweeps.Match`, whose mixes follow from the regrets."""

    time: Time

    def down(self, me, store, at, count, width, reach, row, to, pitch):
        t = self.time.now[0]
        keep, weight = self.time.factor[t, me, KEEP], self.time.factor[t, me, WEIGHT]
        before, mass = reach[row], sum_of(store.regret, at, count, width)
        for k in range(count):
            share = max(store.regret[at + k * width], 0.0) / mass if mass > LEAST else 1.0 / count
            part = before * share
            reach[to + k * pitch] = part
            store.total[at + k * width] = keep * store.total[at + k * width] + weight * part

    def up(self, me, store, at, count, width, value, row, first, pitch):
        t = self.time.now[0]
        positive, negative = self.time.factor[t, me, POSITIVE], self.time.factor[t, me, NEGATIVE]
        mean = mean_of(store.regret, at, count, width, value, first, pitch)
        for k in range(count):
            old = store.regret[at + k * width]
            store.regret[at + k * width] = old * (positive if old > 0.0 else negative) + value[first + k * pitch] - mean
        value[row] = mean

    def fixed(self, me, store, at, count, width, value, row, first, pitch):
        value[row] = mean_of(store.regret, at, count, width, value, first, pitch)


class RespondHand(NamedTuple):
    """`hand_sweeps.Respond`."""

    time: Time

    def down(self, me, store, at, count, width, reach, row, to, pitch):
        by_average(store, at, count, width, reach, row, to, pitch)

    def up(self, me, store, at, count, width, value, row, first, pitch):
        best = value[first]
        for k in range(1, count):
            best = max(best, value[first + k * pitch])
        value[row] = best

    def fixed(self, me, store, at, count, width, value, row, first, pitch):
        value[row] = mean_of(store.total, at, count, width, value, first, pitch)


class ExpectHand(NamedTuple):
    """`hand_sweeps.Expect`."""

    time: Time

    def down(self, me, store, at, count, width, reach, row, to, pitch):
        by_average(store, at, count, width, reach, row, to, pitch)

    def up(self, me, store, at, count, width, value, row, first, pitch):
        value[row] = mean_of(store.total, at, count, width, value, first, pitch)

    def fixed(self, me, store, at, count, width, value, row, first, pitch):
        value[row] = mean_of(store.total, at, count, width, value, first, pitch)


def sum_of(weights, at, count, width):
    mass = weights[at] * 0.0
    for k in range(count):
        mass += max(weights[at + k * width], 0.0)
    return mass


def mean_of(weights, at, count, width, value, first, pitch):
    """The mean of the values of the children by some weights, where positive; the plain mean where none is."""
    mass = sum_of(weights, at, count, width)
    mean = mass * 0.0
    for k in range(count):
        share = max(weights[at + k * width], 0.0) / mass if mass > LEAST else 1.0 / count
        mean += share * value[first + k * pitch]
    return mean


def by_average(store, at, count, width, reach, row, to, pitch):
    before, mass = reach[row], sum_of(store.total, at, count, width)
    for k in range(count):
        share = store.total[at + k * width] / mass if mass > LEAST else 1.0 / count
        reach[to + k * pitch] = before * share


# --- lanes ---


class Descend(NamedTuple):
    how: Any
    me: int
    betting: Betting
    layout: Layout
    other: Hold
    theirs: Store
    reach: np.ndarray  # [rows x pitch]
    pitch: int
    begin: int  # the first of the stage's boards in `layout.board`
    opens: int  # its first entry
    entries: int

    def lane(self, number, own):
        h, place = number % self.pitch, number // self.pitch
        e, b = self.opens + place % self.entries, self.layout.board[self.begin + place // self.entries]
        width = self.other.width[b]
        if h >= width:
            return
        entry, gate, base = self.betting.entry[e], self.betting.gate[e], self.layout.base[b]
        before = self.other.weight[h]
        if gate != NONE:
            source = self.layout.base[self.layout.parent[b]] + self.betting.source[self.me, gate]
            before = self.reach[source * self.pitch + self.other.up[self.other.start[b] + h]]
        self.reach[(base + entry) * self.pitch + h] = before
        for n in range(entry, self.layout.until[e]):
            if self.betting.kind[n] == 1 - self.me:
                at = self.theirs.base[b] + self.betting.block[n] * width + h
                row = (base + self.betting.source[self.me, n]) * self.pitch + h
                to = (base + self.betting.first[n]) * self.pitch + h
                self.how.down(self.me, self.theirs, at, self.betting.count[n], width, self.reach, row, to, self.pitch)

    def writes(self):
        return ()


class Ascend(NamedTuple):
    how: Any
    me: int
    betting: Betting
    layout: Layout
    mine: Hold
    own: Store
    links: Links
    value: np.ndarray  # [rows x pitch]
    pitch: int
    begin: int
    opens: int
    entries: int

    def lane(self, number, own):
        h, place = number % self.pitch, number // self.pitch
        e, b = self.opens + place % self.entries, self.layout.board[self.begin + place // self.entries]
        width = self.mine.width[b]
        if h >= width:
            return
        entry, base, value = self.betting.entry[e], self.layout.base[b], self.value
        for n in range(self.layout.until[e] - 1, entry - 1, -1):  # children come after parents
            kind, row = self.betting.kind[n], (base + n) * self.pitch + h
            first = (base + self.betting.first[n]) * self.pitch + h
            if kind == GATE:
                value[row] = self.behind(n, self.mine.start[b] + h)
            elif kind == self.me:
                at = self.own.base[b] + self.betting.block[n] * width + h
                if self.betting.locked[n]:
                    self.how.fixed(self.me, self.own, at, self.betting.count[n], width, value, row, first, self.pitch)
                else:
                    self.how.up(self.me, self.own, at, self.betting.count[n], width, value, row, first, self.pitch)
            elif kind == 1 - self.me:
                total = value[first]
                for k in range(1, self.betting.count[n]):
                    total += value[first + k * self.pitch]
                value[row] = total

    def behind(self, n, hand):
        """What a gate is worth for a hand: the sum over all boards that may follow."""
        total = self.value[0] * 0.0
        for i in range(self.links.first[hand], self.links.first[hand + 1]):
            row = self.layout.base[self.links.board[i]] + self.layout.behind[n]
            total += self.value[row * self.pitch + self.links.hand[i]]
        return total

    def writes(self):
        return ()


class FoldEnds(NamedTuple):
    me: int
    betting: Betting
    layout: Layout
    mine: Hold
    other: Hold
    reach: np.ndarray
    value: np.ndarray
    pitch: int
    cards: int
    begin: int
    first: int  # the first fold of the stage
    folds: int

    def lane(self, number, own):
        n = self.betting.fold[self.first + number % self.folds]
        b = self.layout.board[self.begin + number // self.folds]
        row = (self.layout.base[b] + self.betting.source[self.me, n]) * self.pitch
        to, mass = (self.layout.base[b] + n) * self.pitch, own.mass
        for x in range(self.cards + 2):
            mass[x] = 0.0
        total = mass[0]
        begin = self.other.start[b]
        for h in range(self.other.width[b]):
            part = self.reach[row + h]
            total += part
            mass[self.other.low[begin + h]] += part
            mass[self.other.high[begin + h]] += part
        begin, width, pay = self.mine.start[b], self.other.width[b], self.betting.pay[self.me, n, 2]
        for h in range(self.mine.width[b]):
            i = begin + h
            met = total - mass[self.mine.low[i]] - mass[self.mine.read[i]]
            if self.mine.same[i] < width:
                met += self.reach[row + self.mine.same[i]]
            self.value[to + h] = pay * met

    def writes(self):
        return ()

    def threads(self):
        return THREADS


class ShowEnds(NamedTuple):
    me: int
    betting: Betting
    layout: Layout
    mine: Hold
    other: Hold
    reach: np.ndarray
    value: np.ndarray
    pitch: int
    cards: int
    begin: int
    first: int
    shows: int

    def lane(self, number, own):
        n = self.betting.show[self.first + number % self.shows]
        b = self.layout.board[self.begin + number // self.shows]
        row = (self.layout.base[b] + self.betting.source[self.me, n]) * self.pitch
        to, mass, all_of = (self.layout.base[b] + n) * self.pitch, own.mass, self.cards + 2
        mine, other, pay = self.mine, self.other, self.betting.pay
        start, begin, width = mine.start[b], other.start[b], other.width[b]
        for x in range(2 * all_of):
            mass[x] = 0.0
        everything = mass[0]
        for h in range(width):
            part = self.reach[row + h]
            everything += part
            mass[all_of + other.low[begin + h]] += part
            mass[all_of + other.high[begin + h]] += part
        total = mass[0]
        j = begin
        i = start
        last = start + mine.width[b]
        while i < last:
            rank, after = mine.rank[i], i
            while j < begin + width and other.rank[j] < rank:
                total = self.add(mass, total, row, begin, other.order[j])
                j += 1
            while after < last and mine.rank[after] == rank:  # what is weaker
                h = mine.order[after]
                low, read = mine.low[start + h], mine.read[start + h]
                self.value[to + h] = pay[self.me, n, 0] * (total - mass[low] - mass[read])
                after += 1
            while j < begin + width and other.rank[j] == rank:
                total = self.add(mass, total, row, begin, other.order[j])
                j += 1
            for k in range(i, after):  # what is not stronger, and all
                h = mine.order[k]
                low, read, same = mine.low[start + h], mine.read[start + h], mine.same[start + h]
                twin = self.reach[row + same] if same < width else mass[0]
                equal = total - mass[low] - mass[read] + twin
                met = everything - mass[all_of + low] - mass[all_of + read] + twin
                self.value[to + h] += pay[self.me, n, 1] * equal + pay[self.me, n, 2] * met
            i = after

    def add(self, mass, total, row, begin, h):
        part = self.reach[row + h]
        mass[self.other.low[begin + h]] += part
        mass[self.other.high[begin + h]] += part
        return total + part

    def writes(self):
        return ()

    def threads(self):
        return THREADS


class Top(NamedTuple):
    """The values at the root, in an array of their own."""

    value: np.ndarray
    root: np.ndarray  # [pitch]

    def lane(self, number, own):
        self.root[number] = self.value[number]

    def writes(self):
        return ()


class Tick(NamedTuple):
    time: Time

    def lane(self, number, own):
        self.time.now[0] += 1

    def writes(self):
        return ()


# --- the engine ---


class VectorLanes(VectorCFR):
    """Vector CFR in lanes: `VectorLanes(form, "dcfr", device="cuda")`. What it has learned lies on the device; it is brought
    here
    when it is looked at."""

    def __init__(
        self,
        form: PublicForm,
        rule: str = "dcfr",
        *,
        device: str = CPU,
        dtype: Any = np.float32,
        memory: float | None = None,
    ):
        super().__init__(form, rule, dtype=dtype, memory=memory)
        self.device = chosen(device)
        self.pitch = max(int(one.width.max()) for one in form.hold)
        betting, stages = self.betting, form.tree.stages
        self._starts = [int(betting.start[betting.groups[s]]) for s in range(stages + 1)]
        counts = np.diff(self._starts)
        rows = np.concatenate([[0], np.cumsum(counts[form.boards.stage])])
        if rows[-1] * self.pitch >= 2**62:
            raise Invalid("there are more rows than a GPU can number")
        kept = sum(part.nbytes for store in self.stores for part in (store.regret, store.mix, store.total))
        need, room = kept + 2 * int(rows[-1]) * self.pitch * np.dtype(dtype).itemsize, free(self.device)
        if need > room:
            raise TooLarge(f"{name_of(form.game)} needs {sized(need)} on the GPU, where {sized(room)} are free")
        ordered = np.argsort(form.boards.stage, kind="stable")
        self._begins = np.searchsorted(form.boards.stage[ordered], np.arange(stages + 1)).tolist()
        behind = np.zeros(len(betting.kind), np.int64)
        gates = np.flatnonzero(betting.gate != NONE)
        behind[betting.gate[gates]] = betting.entry[gates]
        until = np.append(betting.entry[1:], len(betting.kind))
        base = rows[:-1] - np.array(self._starts)[form.boards.stage]
        layout = Layout(base, ordered, until, form.boards.parent, behind)
        self._layout, self._betting = sent(self.device, layout), sent(self.device, betting)
        self._holds = sent(self.device, self.hold)
        self._links = tuple(sent(self.device, _links(form, player)) for player in (0, 1))
        size = [len(store.total) for store in self.stores]
        self._there = tuple(
            Store(
                sent(self.device, store.base),
                zeros(self.device, size[p], dtype),
                sent(self.device, store.mix),
                zeros(self.device, size[p], dtype),
            )
            for p, store in enumerate(self.stores)
        )
        self._reach, self._value = (zeros(self.device, int(rows[-1]) * self.pitch, dtype) for _ in range(2))
        factor = zeros(self.device, (MOST, 2, FACTORS), dtype)
        self._time = Time(factor, zeros(self.device, 1, np.int64))
        self._cards = form.cards.cards
        self._fresh = True  # whether what was learned is here
        learn: Any = LearnHand(self.rule, self._time) if self.rule.forecast else MatchHand(self._time)
        self._hows = {
            "Learn": learn,
            "Match": learn,
            "Respond": RespondHand(self._time),
            "Expect": ExpectHand(self._time),
        }
        self._made: dict[Any, Any] = {}
        self._tick = on(self.device, Tick(self._time), Nothing(np.zeros(1, np.int64)))
        self._root = zeros(self.device, self.pitch, dtype)
        self._top = on(self.device, Top(self._value, self._root), Nothing(np.zeros(1, np.int64)))
        self._replay: Any = None

    def _lanes(self, kind: Any, name: str, me: int) -> Any:
        """The lanes of one kind of launch, made once."""
        if (kind, name, me) not in self._made:
            shared: Any = (self._betting, self._layout)
            mine, other, pitch = self._holds[me], self._holds[1 - me], self.pitch
            stage: Any = (0, 0, 1)
            own: Any = Nothing(np.zeros(1, np.int64))
            if kind is Descend:
                parts: Any = (other, self._there[1 - me], self._reach, pitch)
                work: Any = Descend(self._hows[name], me, *shared, *parts, *stage)
            elif kind is Ascend:
                parts = (mine, self._there[me], self._links[me], self._value, pitch)
                work = Ascend(self._hows[name], me, *shared, *parts, *stage)
            else:
                work = kind(me, *shared, mine, other, self._reach, self._value, pitch, self._cards, *stage)
                own = Masses(np.zeros(2 * (self._cards + 2), self.dtype))
            self._made[kind, name, me] = on(self.device, work, own)
        return self._made[kind, name, me]

    def _run(self, name: str, me: int, up: bool = True) -> None:
        """A sweep; without the way up, only the way down."""
        betting, stages = self.betting, self.form.tree.stages
        opens = [int(betting.opens[betting.groups[s]]) for s in range(stages + 1)]
        boards = np.diff(self._begins).tolist()

        def each(kind: Any, s: int, **fields: int) -> None:
            lanes = self._lanes(kind, name if kind in (Descend, Ascend) else "", me)
            lanes.change(begin=self._begins[s], **fields)
            count = fields.get("entries", 0) * self.pitch or fields.get("folds", 0) or fields.get("shows", 0)
            lanes.run(0, boards[s] * count)

        for s in range(stages):
            each(Descend, s, opens=opens[s], entries=opens[s + 1] - opens[s])
        if not up:
            return
        for s in range(stages):
            first, last = (int(betting.folds[betting.groups[s + more]]) for more in (0, 1))
            if last > first:
                each(FoldEnds, s, first=first, folds=last - first)
        each(ShowEnds, stages - 1, first=0, shows=len(betting.show))
        for s in range(stages - 1, -1, -1):
            each(Ascend, s, opens=opens[s], entries=opens[s + 1] - opens[s])

    def _iteration(self) -> None:
        self._run("Learn", 0)
        self._run("Learn", 1)
        self._tick.run(0, 1)

    def _iterate(self, count: int) -> int:
        done = 0
        while done < count:
            part = min(MOST, count - done)
            first = self.iterations + 1
            factors = np.ones((MOST, 2, FACTORS))
            factors[:part] = [[self._factors(float(t), me) for me in (0, 1)] for t in range(first, first + part)]
            if not self._waits:
                factors[0, 0, KEEP], factors[0, 0, WEIGHT] = 1.0, 0.0  # nothing to add
            self._set(factors)
            if self._replay is None:
                for me in (0, 1):  # all is compiled before launches are noted
                    for kind in (Descend, Ascend, FoldEnds, ShowEnds):
                        self._lanes(kind, "Learn" if kind in (Descend, Ascend) else "", me)
                self._replay = replay(self.device, self._iteration)
            self._fresh = False  # before: Ctrl-C may come in between
            self._replay.run(part)
            self.iterations, self._waits = self.iterations + part, True
            done += part
        return count

    def _set(self, factors: np.ndarray) -> None:
        """Give the factors of the next iterations."""
        _write(self._time.factor, factors.astype(self.dtype))
        _write(self._time.now, np.zeros(1, np.int64))

    def _down(self, how: Any, me: int) -> None:
        """What `VectorCFR` does by a way down: add player 1's last plan."""
        factors = np.ones((MOST, 2, FACTORS))
        factors[0, me] = how.factor
        self._set(factors)
        self._fresh = False
        self._run("Learn", me, up=False)

    def _sweep(self, how: Any, me: int) -> np.ndarray:
        self._run(type(how).__name__, me)
        self._top.run(0, self.pitch)
        found = np.zeros(self.pitch, self.dtype)
        _bring(self._root, found)
        return found[: self.hold[me].width[0]]

    def _part(self, field: str, board: int, node: int) -> np.ndarray:
        self.fetch()
        return super()._part(field, board, node)

    def rows_at(self, board: int, node: int, me: int) -> Seen:
        self._catch_up()
        self.fetch()
        return super().rows_at(board, node, me)

    def fetch(self) -> None:
        """Bring here what was learned."""
        if not self._fresh:
            for here, there in zip(self.stores, self._there, strict=True):
                for field in ("regret", "mix", "total"):
                    _bring(getattr(there, field), getattr(here, field))
            self._fresh = True

    def _send(self) -> None:
        """Take there what was changed here."""
        for here, there in zip(self.stores, self._there, strict=True):
            for field in ("regret", "mix", "total"):
                if len(getattr(here, field)):
                    _write(getattr(there, field), getattr(here, field))
        _write(self._betting.locked, self.betting.locked)

    def lock(self, node: int, odds: Any) -> None:
        super().lock(node, odds)
        self._send()

    def average(self, player: int) -> np.ndarray:
        self._catch_up()
        self.fetch()
        return super().average(player)

    def set_average(self, player: int, numbers: np.ndarray) -> None:
        self.fetch()  # else what is only there would be lost
        super().set_average(player, numbers)
        self._send()

    def adopt(self, player: int, plan: Any) -> None:
        self._catch_up()
        self.fetch()
        super().adopt(player, plan)
        self._send()

    def resume(self, path: Any) -> None:
        super().resume(path)
        self._send()

    def _stored(self) -> dict[str, np.ndarray]:
        self.fetch()
        return super()._stored()


def _write(array: Any, values: np.ndarray) -> None:
    """Copy into an array of the device's."""
    if isinstance(array, np.ndarray):
        array[...] = values
    else:
        array.write(np.ascontiguousarray(values, array.dtype))


def _bring(array: Any, to: np.ndarray) -> None:
    if isinstance(array, np.ndarray):
        to[...] = array
    elif len(to):
        array.read(to)


def _links(form: PublicForm, player: int) -> Links:
    """The hands on the next boards that each hand becomes."""
    hold = form.hold[player]
    above, board, hand = [], [], []
    for b in range(1, len(form.board)):
        width, parent = int(hold.width[b]), int(form.boards.parent[b])
        for image in hold.image[hold.images[b] : hold.images[b + 1]].tolist():
            above.append(hold.start[parent] + hold.place[image : image + width])
            board.append(np.full(width, b))
            hand.append(np.arange(width))
    total = int(hold.start[-1] + hold.width[-1])
    if not above:
        return Links(np.zeros(total + 1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64))
    place = np.concatenate(above)
    order = np.argsort(place, kind="stable")
    first = np.searchsorted(place[order], np.arange(total + 1))
    return Links(first, np.concatenate(board)[order], np.concatenate(hand)[order])
