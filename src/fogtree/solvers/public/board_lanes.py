"""The walk of the public tree (`public_response.py`) in lanes, on any device: all boards below some boards of the first deal.

A lane does one line of betting on one board; the lanes of a bunch of lines read the same hands in the same order, side by
side. With the hands sorted into runs and groups (`sorted_boards.py`), a part of a line (`line_programs.py`) takes

    totals    for each run: its reach times how often each card occurs, added to T and to C of the card. At folds these are
              the sums that are needed. At showdowns they are taken negative: D = 2 C - totals, C of the hands so far
    groups    for each group, weakest first: the reach of its runs is added once; then D is what is weaker less what is
              stronger, for the hands of the group, and the group itself cancels out; then it is added once more
    values    for each hand T - C[a] - C[b], and its reach at folds, and so the value of the line so far

The sums by card are the work; each thread of a GPU has its own, in local memory. Values of a stage on a board are
kept as [board, hand, line]. Those of the next stage are added up over all cards that may come, each from the board of its
kind, with the hand permuted as the suits are.

In 64 bits the values are those of `PublicResponse` but for the order of sums, and on a GPU for products that are rounded
together with the sum after them. In 32 bits sums over boards of the first deal
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
    LAST,
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
from .sorted_boards import (
    BYTE,
    DEAD,
    GROUPS,
    HAND,
    KIND,
    LOW,
    OFTEN,
    PAIR,
    READ,
    SECOND,
    SECOND_OFTEN,
    WORD,
    Listed,
    Nothing,
    SortedBoards,
)

ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
ROW = np.uint64(SLOTS * LANES)  # of reach: one type in a part
SLOT_1, SLOT_2, SLOT_3 = np.uint64(LANES), np.uint64(2 * LANES), np.uint64(3 * LANES)  # in a row
THREADS = (
    512  # of a multiprocessor: more of them hide the time that memory takes, and fewer find their sums in the cache
)


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
    half: np.ndarray  # [1] in the bits that are computed with
    stack: Any  # [levels x boards x hands x lines] values of parts, by a hand's number
    out: Any  # [boards x hands x lines] values of lines, by a hand's number
    deeper: Any  # [boards x hands x lines behind gates]
    gates: int  # lines behind gates, with those that fill up the last bunch

    def writes(self):
        return ()

    def threads(self):
        return THREADS

    def fused(self):
        return True

    def lane(self, number, own):
        z, rest = number % LANES, number // LANES
        board, bunch = rest % self.boards, rest // self.boards
        line = self.programs.line[bunch, z]
        if line == NONE:
            return
        for p in range(self.programs.first[bunch], self.programs.first[bunch + 1]):
            self.settle(p, board, np.uint64(z), line, own.mass)

    def settle(self, p, b, z, line, mass):
        """One part of a line, for all hands of a board. Words and values are read ahead, so that nobody waits for them."""
        programs, group, hand, stack = self.programs, self.listed.group[b], self.listed.hand[b], self.stack
        part, scale, offset = programs.part[p], programs.scale[p], programs.offset[p]
        s0, s1, s2, s3 = scale[0, z], scale[1, z], scale[2, z], scale[3, z]
        o0, o1, o2, o3 = offset[0], offset[1], offset[2], offset[3]
        own, own_2, wait_own = part[OWN] == 1, part[OWN_2] == 1, part[WAIT_OWN] == 1
        shown, fresh, waits = part[SHOWN] == 1, part[FRESH] == 1, part[WAIT] != NONE
        gated, gated_2 = part[GATED] == 1, part[GATED_2] == 1
        size, width, gates = np.uint64(self.hands * self.lines), np.uint32(self.lines), np.uint32(self.gates)
        source = np.uint64(part[FROM] * self.boards + b) * size + np.uint64(line)
        waiting = np.uint64(max(part[WAIT], 0) * self.boards + b) * size + np.uint64(line)
        to = np.uint64(part[TO] * self.boards + b) * size + np.uint64(line)
        whole, out = part[LAST] == 1, np.uint64(b) * size + np.uint64(line)
        behind, base = np.uint64(b * self.hands) * np.uint64(self.gates), np.uint64(p * self.types) * ROW + z
        gate, gate_2 = behind + np.uint64(programs.gate[p, 0, z]), behind + np.uint64(programs.gate[p, 1, z])
        start, half, reach = programs.start[p], self.half[0], programs.reach
        groups = np.uint64(self.listed.size[b, GROUPS])
        t0, t1, t2, t3 = self.totals(base, b, mass, shown, np.uint64(group[groups, PAIR]))
        t0, t1 = half * t0, half * t1
        if shown:
            more2, more3 = self.added(base, b, mass, np.uint64(0), np.uint64(group[ONE, PAIR]))
            t2 += more2
            t3 += more3
        after, later = hand[0], hand[1]
        value_after = start if fresh else stack[source + far(after & WORD, width)]
        row = base + (after >> KIND) * ROW
        r0, r1 = reach[row], reach[row + SLOT_1]
        for g in range(groups if shown else ONE):
            first, last = np.uint64(group[g, HAND]), np.uint64(group[g + ONE if shown else groups, HAND])
            u2, u3 = half * t2, half * t3
            for i in range(first, last):
                word, value = after, value_after
                after, later = later, hand[i + TWO]
                if not fresh:
                    value_after = stack[source + far(after & WORD, width)]
                n0, n1 = r0, r1
                if after >> KIND != word >> KIND:
                    row = base + (after >> KIND) * ROW
                    n0, n1 = reach[row], reach[row + SLOT_1]
                h, x, y = word & WORD, FOUR * (word >> LOW & BYTE), FOUR * (word >> READ & BYTE)
                a0, a1, a2, a3 = mass[x], mass[x + ONE], mass[x + TWO], mass[x + THREE]
                b0, b1, b2, b3 = mass[y], mass[y + ONE], mass[y + TWO], mass[y + THREE]
                place = far(h, width)
                fold, fold_2 = (t0 + r0 - a0 - b0) * s0 + o0, (t1 + r1 - a1 - b1) * s1 + o1
                show, show_2 = (u2 - a2 - b2) * s2 + o2, (u3 - a3 - b3) * s3 + o3
                r0, r1 = n0, n1
                if gated:
                    show = self.deeper[gate + far(h, gates)]
                if gated_2:
                    show_2 = self.deeper[gate_2 + far(h, gates)]
                value = max(max(value, fold), show) if own else value + fold + show
                value = max(max(value, fold_2), show_2) if own_2 else value + fold_2 + show_2
                if waits:
                    other = stack[waiting + place]
                    value = max(value, other) if wait_own else value + other
                if whole:
                    self.out[out + place] = value
                else:
                    stack[to + place] = value
            if shown:  # this group once more, and the next one
                end = np.uint64(group[min(g + TWO, groups), PAIR])
                more2, more3 = self.added(base, b, mass, np.uint64(group[g, PAIR]), end)
                t2 += more2
                t3 += more3

    def totals(self, base, b, mass, shown, pairs):
        """The sums over all hands, of folds, and of showdowns negative: by card, and twice those over all hands."""
        pair, reach, zero = self.listed.pair[b], self.programs.reach, self.half[0] - self.half[0]
        for c in range(np.uint64(mass.shape[0])):
            mass[c] = zero
        t0, t1, t2, t3 = zero, zero, zero, zero
        after, later = pair[0], pair[1]
        row = base + (after >> KIND) * ROW
        r0, r1, r2, r3 = reach[row], reach[row + SLOT_1], zero, zero
        if shown:
            r2, r3 = reach[row + SLOT_2], reach[row + SLOT_3]
        for at in range(pairs):
            word = after
            after, later = later, pair[at + TWO]
            n0, n1, n2, n3 = r0, r1, r2, r3
            if after >> KIND != word >> KIND:
                row = base + (after >> KIND) * ROW
                n0, n1 = reach[row], reach[row + SLOT_1]
                if shown:
                    n2, n3 = reach[row + SLOT_2], reach[row + SLOT_3]
            x, y = FOUR * (word & BYTE), FOUR * (word >> SECOND & BYTE)
            m, n = self.number(word >> OFTEN & BYTE), self.number(word >> SECOND_OFTEN & BYTE)
            a0, a1, a2, a3 = mass[x], mass[x + ONE], mass[x + TWO], mass[x + THREE]
            b0, b1, b2, b3 = mass[y], mass[y + ONE], mass[y + TWO], mass[y + THREE]
            mass[x], mass[x + ONE], mass[x + TWO], mass[x + THREE] = a0 + m * r0, a1 + m * r1, a2 - m * r2, a3 - m * r3
            mass[y], mass[y + ONE], mass[y + TWO], mass[y + THREE] = b0 + n * r0, b1 + n * r1, b2 - n * r2, b3 - n * r3
            both = m + n
            t0 += both * r0
            t1 += both * r1
            t2 -= both * r2
            t3 -= both * r3
            r0, r1, r2, r3 = n0, n1, n2, n3
        return t0, t1, t2, t3

    def added(self, base, b, mass, begin, end):
        """Add the reach of some pairs to the sums of showdowns; returns twice what is added to the sums over all hands."""
        pair, reach, zero = self.listed.pair[b], self.programs.reach, self.half[0] - self.half[0]
        t2, t3 = zero, zero
        after, later = pair[begin], pair[begin + ONE]
        row = base + (after >> KIND) * ROW
        r2, r3 = reach[row + SLOT_2], reach[row + SLOT_3]
        for at in range(begin, end):
            word = after
            after, later = later, pair[at + TWO]
            n2, n3 = r2, r3
            if after >> KIND != word >> KIND:
                row = base + (after >> KIND) * ROW
                n2, n3 = reach[row + SLOT_2], reach[row + SLOT_3]
            x, y = FOUR * (word & BYTE), FOUR * (word >> SECOND & BYTE)
            m, n = self.number(word >> OFTEN & BYTE), self.number(word >> SECOND_OFTEN & BYTE)
            a2, a3, b2, b3 = mass[x + TWO], mass[x + THREE], mass[y + TWO], mass[y + THREE]
            mass[x + TWO], mass[x + THREE] = a2 + m * r2, a3 + m * r3
            mass[y + TWO], mass[y + THREE] = b2 + n * r2, b3 + n * r3
            t2 += (m + n) * r2
            t3 += (m + n) * r3
            r2, r3 = n2, n3
        return t2, t3

    def number(self, word):
        """A small word as a number in the bits that are computed with."""
        return self.half.dtype.type(word)


def far(hand, width):
    """Where the values of a hand begin: a product that a GPU finds in one instruction, of two words of 32 bits."""
    return np.uint64(np.uint32(hand)) * np.uint64(width)


class Gather(NamedTuple):
    """A lane adds up what one hand gets in one line over the boards that may follow."""

    hands: int
    lines: int
    first: np.ndarray  # [boards + 1] where the ways on from a board begin
    way: np.ndarray  # [ways, 2] a board of the next stage, and the symmetry that leads there
    moved: np.ndarray  # [symmetries, hands]
    key: Any  # [boards of the next stage, hands] DEAD where a hand is
    zero: np.ndarray  # [1]
    out: Any  # of the next stage, as in `Climb`
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
                total += self.out[(board * self.hands + image) * self.lines + line]
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
        self.arrays: dict[Any, Any] = {}

    def array(self, what: str, stage: int, size: int, dtype: Any) -> Any:
        """Room for values where lanes have theirs. Responses to the same boards, one after the other, share it."""
        key = (what, stage, np.dtype(dtype))
        if key not in self.arrays or self.arrays[key].size < size:
            self.arrays[key] = empty(self.device, size, dtype)
        return self.arrays[key]

    def deal(self, boards: Sequence[Board], course: list[Ways] | None = None) -> None:
        """Deal all that may follow these boards of the first deal, and sort it. `course` is what `follow` has found for them,
        perhaps while something else was computed."""
        self.stages = self.follow(boards) if course is None else course
        for ways, boards_of_stage in zip(self.stages, self.sorted, strict=True):
            boards_of_stage.sort(ways.board)

    def follow(self, boards: Sequence[Board]) -> list[Ways]:
        """[stage] all boards that may follow, one of each kind."""
        everything = np.arange(len(self.symmetries))
        kept = [
            everything[(np.sort(self.symmetries[:, board], axis=1) == np.sort(board)).all(axis=1)] for board in boards
        ]
        none = np.zeros(0, np.int64)
        stages = [Ways(np.array([sorted(board) for board in boards]), none, none)]
        for number in self.cards.dealt[2:]:
            ways, kept = self._followed(stages[-1].board, kept, number)
            stages.append(ways)
        return stages

    def _followed(self, boards: np.ndarray, kept: list[np.ndarray], number: int) -> tuple[Ways, list[np.ndarray]]:
        """The boards after one more deal, one of each kind that the symmetries kept by their boards tell apart."""
        found, ways, first, still, count = [], [], [0], [], 0
        everything, digits = np.arange(self.cards.cards), self.cards.cards ** np.arange(number)[::-1]
        chosen = np.array(list(itertools.combinations(range(self.cards.cards - boards.shape[1]), number)))
        for board, symmetries in zip(boards, kept, strict=True):
            left = np.ones(self.cards.cards, bool)
            left[board] = False
            dealt = everything[left][chosen]  # [deals, number]
            if len(symmetries) == 1:  # nothing is alike
                kinds, place, by = np.arange(len(dealt)), np.arange(len(dealt)), np.zeros(len(dealt), np.int64)
                still += [symmetries] * len(dealt)
            else:
                code = np.sort(self.symmetries[symmetries][:, dealt], axis=2) @ digits  # [symmetries, deals]
                own, by = dealt @ digits, code.argmin(axis=0)
                lowest, place = np.unique(code.min(axis=0), return_inverse=True)
                kinds = np.searchsorted(own, lowest)
                still += [symmetries[code[:, at] == own[at]] for at in kinds]
            ways.append(np.stack([count + place.ravel(), symmetries[by]], axis=1))
            found.append(np.concatenate([np.broadcast_to(board, (len(kinds), len(board))), dealt[kinds]], axis=1))
            first.append(first[-1] + len(dealt))
            count += len(kinds)
        return Ways(np.concatenate(found), np.array(first), np.concatenate(ways)), still


class BoardLanes:
    """A best response on the boards that were dealt.

    lanes = BoardLanes(PublicResponse(cards, plan, 0), dealt)
    lanes.values()              [board of the first deal, line, hand] as `PublicResponse.board_values` has them
    """

    def __init__(self, response: Any, dealt: DealtBoards):
        self.response, self.dealt = response, dealt
        cards, device, dtype = dealt.cards, dealt.device, response.dtype
        hands, words = len(dealt.hands.low), (cards.cards + 2) * SLOTS
        half, zero = np.full(1, 0.5, dtype), np.zeros(1, dtype)
        width = [-(-count // LANES) * LANES for count in response.counts] + [1]
        deeper: Any = empty(device, 1, dtype)
        self.climbs, self.gathers = [], []
        out = None
        for stage in range(len(cards.dealt) - 1, 0, -1):
            made, depth = programs(response.stages[stage], response.reach[stage], response.player, dtype)
            room, boards = dealt.room[stage], dealt.sorted[stage - 1]
            if out is not None:
                deeper = dealt.array("deeper", stage, room * hands * width[stage + 1], dtype)
                ways = room * math.comb(cards.cards, cards.dealt[stage + 1])
                gather = Gather(hands, width[stage + 1], np.zeros(room + 1, np.int64), np.zeros((ways, 2), np.int64),
                                dealt.moved, dealt.sorted[stage].key, zero, out, deeper)  # fmt: skip
                self.gathers.append(on(device, gather, Nothing(), cores=dealt.cores))
            size = room * hands * width[stage]
            stack = dealt.array("stack", stage, depth * size, dtype)
            out = dealt.array("out", stage, size, dtype)
            types = len(made.reach) // int(ROW) // max(len(made.part), 1)
            climb = Climb(made, boards.listed, room, hands, width[stage], types, half, stack, out, deeper,
                          width[stage + 1])  # fmt: skip
            self.climbs.append(on(device, climb, LaneOwn(np.zeros(words, dtype)), cores=dealt.cores))
        self.out, self.width = out, width

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
        found = np.asarray(self.out)[: count * hands * self.width[1]].reshape(count, hands, self.width[1])
        live = np.asarray(self.dealt.sorted[0].key)[:count] != DEAD
        return np.where(live[:, :, None], found[:, :, :lines], 0.0).transpose(0, 2, 1)
