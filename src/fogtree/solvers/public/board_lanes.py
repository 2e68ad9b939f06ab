"""The walk of the public tree (`public_response.py`) in lanes, on any device: all boards below some boards of the first deal.

A lane does one line of betting on one board; the lanes of a bunch of lines read the same hands in the same order, side by
side. With the hands sorted into runs and groups (`sorted_boards.py`), a part of a line (`line_programs.py`) takes

    totals    for each run: its reach times how often each card occurs, added to T and to C of the card. At folds these are
              the sums that are needed. At showdowns they are taken negative: D = 2 C - totals, C of the hands so far
    groups    for each group, weakest first: the reach of its runs is added once; then D is what is weaker less what is
              stronger, for the hands of the group, and the group itself cancels out; then it is added once more
    values    for each hand T - C[a] - C[b], and its reach at folds, and so the value of the line so far

The sums by card are the work: they lie in the shared memory of a GPU's multiprocessor. Values of a stage on a board are
kept as [board, hand, line]. Those of the next stage are added up over all cards that may come, each from the board of its
kind, with the hand permuted as the suits are.

In 64 bits the values are those of `PublicResponse` but for the order of sums. In 32 bits sums over boards of the first deal
are still taken in 64.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...game import NONE
from ...kernels.engines import empty, on
from .cards import Board, PublicCards, hands_of, moved_hands
from .line_programs import (
    FRESH,
    FROM,
    GATED,
    GATED_2,
    OWN,
    OWN_2,
    SHOWN,
    SLOTS,
    TO,
    WAIT,
    WAIT_OWN,
    Programs,
    programs,
)
from .lines import LANES
from .sorted_boards import BYTE, DEAD, GROUPS, HAND, HIGH, PAIR, RUNS, TYPE, Listed, Nothing, SortedBoards

ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
SECOND, THIRD, FOURTH = np.uint64(LANES), np.uint64(2 * LANES), np.uint64(3 * LANES)  # slots of a row of reach
NEAR_BYTES = 230_000  # of shared memory that all threads of a multiprocessor of an H200 have together
MOST_THREADS, BLOCK = 1024, 128


class LaneOwn(NamedTuple):
    mass: np.ndarray  # [(cards + 2) x SLOTS] C of each card, by slot


class Climb(NamedTuple):
    """A lane does one line on one board."""

    programs: Programs
    listed: Listed
    boards: int
    hands: int
    lines: int  # of the stage, with those that fill up the last bunch
    types: int
    times: np.ndarray  # [hands + 1] the numbers 0, 1, 2, ... as they are multiplied
    stack: Any  # [levels x boards x hands x lines]
    deeper: Any  # [boards x hands x lines behind gates]
    gates: int  # lines behind gates, with those that fill up the last bunch
    words: int  # of a lane's sums

    def writes(self):
        return ()

    def near(self):
        return "mass"

    def threads(self):
        return min(MOST_THREADS, NEAR_BYTES // (self.words * self.times.dtype.itemsize * BLOCK) * BLOCK)

    def lane(self, number, own):
        z, rest = number % LANES, number // LANES
        board, bunch = rest % self.boards, rest // self.boards
        line = self.programs.line[bunch, z]
        if line == NONE:
            return
        for p in range(self.programs.first[bunch], self.programs.first[bunch + 1]):
            self.settle(p, board, np.uint64(z), line, own.mass)

    def settle(self, p, b, z, line, mass):
        """One part of a line, for all hands of a board."""
        group = self.listed.group[b]
        shown = self.programs.part[p, SHOWN] == 1
        t0, t1, t2, t3 = self.totals(p, b, z, mass, shown)
        if not shown:
            self.values(p, b, z, line, mass, np.uint64(0), np.uint64(self.listed.size[b, RUNS]), t0, t1, t2, t3)
            return
        for g in range(np.uint64(self.listed.size[b, GROUPS])):
            begin, end = np.uint64(group[g]), np.uint64(group[g + ONE])
            more2, more3 = self.added(p, b, z, mass, begin, end)
            t2 += more2
            t3 += more3
            self.values(p, b, z, line, mass, begin, end, t0, t1, t2, t3)
            self.added(p, b, z, mass, begin, end)
            t2 += more2
            t3 += more3

    def totals(self, p, b, z, mass, shown):
        """The sums over all hands: of folds, and of showdowns negative."""
        run, pair, reach, times = self.listed.run[b], self.listed.pair[b], self.programs.reach, self.times
        zero = times[0]
        for c in range(np.uint64(mass.shape[0])):
            mass[c] = zero
        t0, t1, t2, t3 = zero, zero, zero, zero
        base = np.uint64(p * self.types)
        for r in range(np.uint64(self.listed.size[b, RUNS])):
            row = base + np.uint64(run[r, TYPE])
            number = times[np.uint64(run[r + ONE, HAND]) - np.uint64(run[r, HAND])]
            r0, r1 = reach[row, z], reach[row, SECOND + z]
            if shown:
                r2, r3 = -reach[row, THIRD + z], -reach[row, FOURTH + z]
                t2 += number * r2
                t3 += number * r3
                for at in range(np.uint64(run[r, PAIR]), np.uint64(run[r + ONE, PAIR])):
                    word = np.uint64(pair[at])
                    c, m = FOUR * (word & BYTE), times[word >> HIGH]
                    mass[c] += m * r0
                    mass[c + ONE] += m * r1
                    mass[c + TWO] += m * r2
                    mass[c + THREE] += m * r3
            else:
                for at in range(np.uint64(run[r, PAIR]), np.uint64(run[r + ONE, PAIR])):
                    word = np.uint64(pair[at])
                    c, m = FOUR * (word & BYTE), times[word >> HIGH]
                    mass[c] += m * r0
                    mass[c + ONE] += m * r1
            t0 += number * r0
            t1 += number * r1
        return t0, t1, t2, t3

    def added(self, p, b, z, mass, begin, end):
        """Add the reach of the runs of a group to the sums of showdowns; returns what is added to the sums over all hands."""
        run, pair, reach, times = self.listed.run[b], self.listed.pair[b], self.programs.reach, self.times
        t2, t3 = times[0], times[0]
        base = np.uint64(p * self.types)
        for r in range(begin, end):
            row = base + np.uint64(run[r, TYPE])
            number = times[np.uint64(run[r + ONE, HAND]) - np.uint64(run[r, HAND])]
            r2, r3 = reach[row, THIRD + z], reach[row, FOURTH + z]
            for at in range(np.uint64(run[r, PAIR]), np.uint64(run[r + ONE, PAIR])):
                word = np.uint64(pair[at])
                c, m = FOUR * (word & BYTE) + TWO, times[word >> HIGH]
                mass[c] += m * r2
                mass[c + ONE] += m * r3
            t2 += number * r2
            t3 += number * r3
        return t2, t3

    def values(self, p, b, z, line, mass, begin, end, t0, t1, t2, t3):
        """The values so far of the hands of some runs."""
        run, hand, held, reach, stack = (
            self.listed.run[b],
            self.listed.hand[b],
            self.listed.held[b],
            self.programs.reach,
            self.stack,
        )
        part, scale, offset = self.programs.part[p], self.programs.scale[p], self.programs.offset[p]
        s0, s1, s2, s3 = scale[0, z], scale[1, z], scale[2, z], scale[3, z]
        o0, o1, o2, o3 = offset[0], offset[1], offset[2], offset[3]
        own, own_2, fresh, waits, wait_own = (
            part[OWN] == 1,
            part[OWN_2] == 1,
            part[FRESH] == 1,
            part[WAIT] != NONE,
            part[WAIT_OWN] == 1,
        )
        gated, gated_2 = part[GATED] == 1, part[GATED_2] == 1
        size, width = np.uint64(self.hands * self.lines), np.uint64(self.lines)
        source = np.uint64(part[FROM] * self.boards + b) * size + np.uint64(line)
        waiting = np.uint64(max(part[WAIT], 0) * self.boards + b) * size + np.uint64(line)
        to = np.uint64(part[TO] * self.boards + b) * size + np.uint64(line)
        behind = np.uint64(b * self.hands)
        gate, gate_2 = np.uint64(self.programs.gate[p, 0, z]), np.uint64(self.programs.gate[p, 1, z])
        start, base = self.programs.start[p], np.uint64(p * self.types)
        for r in range(begin, end):
            row = base + np.uint64(run[r, TYPE])
            u0, u1 = t0 + reach[row, z], t1 + reach[row, SECOND + z]
            for i in range(np.uint64(run[r, HAND]), np.uint64(run[r + ONE, HAND])):
                word, h = np.uint64(held[i]), np.uint64(hand[i])
                x, y = FOUR * (word & BYTE), FOUR * (word >> HIGH)
                fold = (u0 - mass[x] - mass[y]) * s0 + o0
                fold_2 = (u1 - mass[x + ONE] - mass[y + ONE]) * s1 + o1
                if gated:
                    show = self.deeper[(behind + h) * np.uint64(self.gates) + gate]
                else:
                    show = (t2 - mass[x + TWO] - mass[y + TWO]) * s2 + o2
                if gated_2:
                    show_2 = self.deeper[(behind + h) * np.uint64(self.gates) + gate_2]
                else:
                    show_2 = (t3 - mass[x + THREE] - mass[y + THREE]) * s3 + o3
                value = start
                if not fresh:
                    value = stack[source + h * width]
                value = max(max(value, fold), show) if own else value + fold + show
                value = max(max(value, fold_2), show_2) if own_2 else value + fold_2 + show_2
                if waits:
                    other = stack[waiting + h * width]
                    value = max(value, other) if wait_own else value + other
                stack[to + h * width] = value


class Gather(NamedTuple):
    """A lane adds up what one hand gets in one line over the boards that may follow."""

    hands: int
    lines: int
    first: np.ndarray  # [boards + 1] where the ways on from a board begin
    way: np.ndarray  # [ways, 2] a board of the next stage, and the symmetry that leads there
    moved: np.ndarray  # [symmetries, hands]
    key: Any  # [boards of the next stage, hands] DEAD where a hand is
    zero: np.ndarray  # [1]
    stack: Any  # of the next stage, as in `Climb`
    deeper: Any  # [boards x hands x lines]

    def writes(self):
        return ()

    def lane(self, number, own):
        line, rest = number % self.lines, number // self.lines
        h, b = rest % self.hands, rest // self.hands
        total = self.zero[0]
        for w in range(self.first[b], self.first[b + 1]):
            board, image = self.way[w, 0], self.moved[self.way[w, 1], h]
            if self.key[board, image] != DEAD:
                total += self.stack[(board * self.hands + image) * self.lines + line]
        self.deeper[number] = total


class Ways(NamedTuple):
    """The boards of a stage, and how they come from those of the stage before."""

    board: np.ndarray  # [boards, cards]
    first: np.ndarray  # [boards of the stage before + 1] where their ways begin
    way: np.ndarray  # [ways, 2] a board of this stage, and the symmetry that takes the board that is dealt there


class DealtBoards:
    """Some boards of the first deal and all that may follow, one of each kind, with their hands sorted.

    dealt = DealtBoards(cards, at_once=1, device="cuda")
    dealt.deal([(0, 5, 9)])
    """

    def __init__(self, cards: PublicCards, *, at_once: int = 1, device: str = "cpu", cores: int | None = 1):
        self.cards, self.device, self.cores, self.at_once = cards, device, cores, at_once
        self.hands = hands_of(cards)
        self.symmetries = np.array([list(symmetry) for symmetry in cards.symmetries])
        self.moved = np.array([moved_hands(self.hands, symmetry) for symmetry in self.symmetries])
        self.room, left = [0, at_once], cards.cards - cards.dealt[1]
        for number in cards.dealt[2:]:
            self.room.append(self.room[-1] * math.comb(left, number))
            left -= number
        self.sorted = [SortedBoards(cards, s, room, device, cores=cores) for s, room in enumerate(self.room) if s > 0]
        self.stages: list[Ways] = []

    def deal(self, boards: Sequence[Board]) -> None:
        """Deal all that may follow these boards of the first deal."""
        everything = np.arange(len(self.symmetries))
        kept = [
            everything[(np.sort(self.symmetries[:, board], axis=1) == np.sort(board)).all(axis=1)] for board in boards
        ]
        none = np.zeros(0, np.int64)
        self.stages = [Ways(np.array([sorted(board) for board in boards]), none, none)]
        for number in self.cards.dealt[2:]:
            ways, kept = self._followed(self.stages[-1].board, kept, number)
            self.stages.append(ways)
        for ways, boards_of_stage in zip(self.stages, self.sorted, strict=True):
            boards_of_stage.sort(ways.board)

    def _followed(self, boards: np.ndarray, kept: list[np.ndarray], number: int) -> tuple[Ways, list[np.ndarray]]:
        """The boards after one more deal, one of each kind that the symmetries kept by their boards tell apart."""
        found, ways, first, still, count = [], [], [0], [], 0
        digits = self.cards.cards ** np.arange(number)[::-1]
        for board, symmetries in zip(boards, kept, strict=True):
            left = np.setdiff1d(np.arange(self.cards.cards), board)
            dealt = np.array(list(itertools.combinations(left.tolist(), number)))
            code = np.sort(self.symmetries[symmetries][:, dealt], axis=2) @ digits  # [symmetries, deals]
            kinds, place = np.unique(code.min(axis=0), return_inverse=True)
            own = dealt @ digits
            ways.append(np.stack([count + place.ravel(), symmetries[code.argmin(axis=0)]], axis=1))
            for at in np.searchsorted(own, kinds):
                found.append([*board, *dealt[at]])
                still.append(symmetries[code[:, at] == own[at]])
            first.append(first[-1] + len(dealt))
            count += len(kinds)
        return Ways(np.array(found), np.array(first), np.concatenate(ways)), still


class BoardLanes:
    """A best response on the boards that were dealt.

    lanes = BoardLanes(PublicResponse(cards, plan, 0), dealt)
    lanes.values()              [board of the first deal, line, hand] as `PublicResponse.board_values` has them
    """

    def __init__(self, response: Any, dealt: DealtBoards):
        self.response, self.dealt = response, dealt
        cards, device, dtype = dealt.cards, dealt.device, response.dtype
        hands, words = len(dealt.hands.low), (cards.cards + 2) * SLOTS
        times, zero = np.arange(hands + 1).astype(dtype), np.zeros(1, dtype)
        width = [-(-count // LANES) * LANES for count in response.counts] + [1]
        deeper: Any = empty(device, 1, dtype)
        self.climbs, self.gathers = [], []
        stack = None
        for stage in range(len(cards.dealt) - 1, 0, -1):
            made, depth = programs(response.stages[stage], response.reach[stage], response.player, dtype)
            room, boards = dealt.room[stage], dealt.sorted[stage - 1]
            if stack is not None:
                deeper = empty(device, room * hands * width[stage + 1], dtype)
                ways = room * math.comb(cards.cards, cards.dealt[stage + 1])
                gather = Gather(hands, width[stage + 1], np.zeros(room + 1, np.int64), np.zeros((ways, 2), np.int64),
                                dealt.moved, dealt.sorted[stage].key, zero, stack, deeper)  # fmt: skip
                self.gathers.append(on(device, gather, Nothing(), cores=dealt.cores))
            stack = empty(device, depth * room * hands * width[stage], dtype)
            types = len(made.reach) // max(len(made.part), 1)
            climb = Climb(made, boards.listed, room, hands, width[stage], types, times, stack, deeper,
                          width[stage + 1], words)  # fmt: skip
            self.climbs.append(on(device, climb, LaneOwn(np.zeros(words, dtype)), cores=dealt.cores))
        self.stack, self.width = stack, width

    def values(self) -> np.ndarray:
        """What the response gets on each board, as a part of the sum over all boards."""
        hands, stages = len(self.dealt.hands.low), self.dealt.stages
        last = len(stages) - 1
        for at, climb in enumerate(self.climbs):
            stage = last - at  # counted from the first deal
            count = len(stages[stage].board)
            if at:
                gather, ways = self.gathers[at - 1], stages[stage + 1]
                gather.change(first=ways.first, way=ways.way)
                gather.run(0, count * hands * gather.work.lines)
            climb.change(boards=count)
            climb.run(0, len(climb.work.programs.first[1:]) * count * LANES)
        count, lines = len(stages[0].board), self.response.counts[1]
        found = np.asarray(self.stack)[: count * hands * self.width[1]].reshape(count, hands, self.width[1])
        live = np.asarray(self.dealt.sorted[0].key)[:count] != DEAD
        return np.where(live[:, :, None], found[:, :, :lines], 0.0).transpose(0, 2, 1)
