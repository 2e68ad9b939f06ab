"""Sweeps with vectors over hands through the public tree (`public_form.py`): down with a reach, up with values.

A sweep is for one player, `me`. On the way down it carries the other's reach, a row over the other's hands for each node, and
on the way up the values of one's own hands, a row for each node. Boards come depth first, so that each stage has the rows of
one board at a time; on boards of the last stage, which are nearly all, the rows of one group of entries at a time, which stay
in the cache. What is done at decisions is handed in:

    how.down(...)      at the other's decision: from its reach to that of its children
    how.up(...)        at one's own decision: from the values of the children to its own
    how.fixed(...)     the same where the mixes are given

They get a store, a board, a block (the first row of the node's actions on the board), and the number and width of its rows;
stores in 16 bits are unpacked by those of `packed_rows.py`.

**Ends in linear time.** With T the reach of all hands of the other and C[x] of those with card x, the hands that can meet {a,
b} weigh T - C[a] - C[b] + reach of {a, b}. At showdowns the hands are gone through from the weakest on, with T and C of the
hands so far: what is weaker is the sum before the hands of equal strength, what is not stronger the sum after them. Rows are
turned so that LANES ends lie side by side, and one vector operation serves them all.

The boards after the first can be done by several threads (`hand_threads.py`): the values at their entries are put aside, and
added up in the order of the boards.

Offsets are unsigned: signed ones may count from the end of an array, which vector operations cannot.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import NONE
from ...kernels import kernel
from .lines import GATE

LANES = 32  # with fewer the compiler makes no vector operations
TEMPORARY = 4
LEAST = 1e-30  # sums of weights up to this are none: what is divided by them would be infinite in 32 bits
POSITIVE, NEGATIVE, AHEAD, KEEP, WEIGHT, WHOLE, ROUNDING, FACTORS = 0, 1, 2, 3, 4, 5, 6, 7


class Store(NamedTuple):
    """What a player learns: a number for each action of each information set. Those of a board lie node by node, action by
    action, hand by hand."""

    base: np.ndarray  # [boards] where the numbers of a board begin
    regret: np.ndarray
    mix: np.ndarray  # what `Learn` plays next; empty where it follows from the regrets
    total: np.ndarray  # weighted sum of the plans


class Kept(NamedTuple):
    """The values at the entries of the boards of one stage, put aside for whoever adds them up (`hand_threads.py`)."""

    stage: int  # NONE: each board adds its own to the board before
    number: np.ndarray  # [boards] which of the stage's boards it is
    value: np.ndarray  # [boards of the stage, its entries, own hands]


def nothing_kept(dtype: Any) -> Kept:
    """Of a sweep that adds up everything itself."""
    return Kept(NONE, np.zeros(1, np.int64), np.zeros((1, 1, 1), dtype))


class Rows(NamedTuple):
    """Scratch."""

    reach: np.ndarray  # [nodes, hands of the other]
    value: np.ndarray  # [nodes, own hands]
    temporary: np.ndarray  # [TEMPORARY, hands]
    given: np.ndarray  # [hands of the other + 1, LANES] the reach at some ends; the last row is 0
    mass: np.ndarray  # [cards + 2, LANES] T in row 0, then C of each card
    out: np.ndarray  # [own hands, LANES] what comes out at these ends
    pay: np.ndarray  # [PARTS, LANES]
    stack: np.ndarray  # [stages] boards whose values are not yet known
    regret: np.ndarray  # what is stored of one node, where it is stored in 16 bits; else empty
    total: np.ndarray


# --- what is done at decisions ---


class Learn(NamedTuple):
    """An iteration of regret minimisation for one player. The other's total gets the plan that is met on the way. Predictive
    rules mix by more than the regrets, so the mixes are kept."""

    rule: Any  # `regret.cfr.Rule`
    factor: np.ndarray  # [FACTORS] of this iteration

    def down(self, store, b, block, count, width, rows, row, to):
        at, keep, weight = store.base[b] + block * width, self.factor[KEEP], self.factor[WEIGHT]
        for k in range(count):
            begin = np.uint64(at) + np.uint64(k) * np.uint64(width)
            hand_down(rows.reach, row, to + k, store.mix, store.total, begin, np.uint64(width), keep, weight)

    def up(self, store, b, block, count, width, rows, row, first):
        positive, negative, ahead = self.factor[POSITIVE], self.factor[NEGATIVE], self.factor[AHEAD]
        at, wide, value, some = store.base[b] + block * width, np.uint64(width), rows.value, rows.temporary
        clear_row(some, 0, wide)
        clear_row(some, 1, wide)
        for k in range(count):
            add_product(some, 0, store.mix, np.uint64(at) + np.uint64(k) * wide, value, first + k, wide)
        for k in range(count):
            begin = np.uint64(at) + np.uint64(k) * wide
            regret_row(
                self.rule, store.regret, store.mix, begin, value, first + k, some, wide, positive, negative, ahead
            )
        share_out(store.mix, np.uint64(at), count, some, 1, wide)
        copy_row(value, row, some, 0, wide)

    def fixed(self, store, b, block, count, width, rows, row, first):
        mean_by(store.mix, store.base[b] + block * width, count, np.uint64(width), rows, row, first)


class Match(NamedTuple):
    """The same for rules whose mixes are in proportion to the positive regrets: they are made when they are needed, so that a
    third of the memory is never moved."""

    rule: Any
    factor: np.ndarray  # [FACTORS]

    def down(self, store, b, block, count, width, rows, row, to):
        at, wide, reach = store.base[b] + block * width, np.uint64(width), rows.reach
        keep, weight = self.factor[KEEP], self.factor[WEIGHT]
        clear_row(reach, to, wide)
        for k in range(count):
            add_positive(reach, to, store.regret, np.uint64(at) + np.uint64(k) * wide, wide)
        scale_reach(reach, row, to, wide)
        for k in range(count - 1, -1, -1):  # the first child's row holds the scale until the last
            begin = np.uint64(at) + np.uint64(k) * wide
            match_down(
                reach, to, to + k, store.regret, store.total, begin, wide, keep, weight, self.factor[WHOLE] / count
            )

    def up(self, store, b, block, count, width, rows, row, first):
        at, wide = store.base[b] + block * width, np.uint64(width)
        mean_by(store.regret, at, count, wide, rows, row, first)
        for k in range(count):
            begin = np.uint64(at) + np.uint64(k) * wide
            gain_row(
                store.regret, begin, rows.value, first + k, row, wide, self.factor[POSITIVE], self.factor[NEGATIVE]
            )

    def fixed(self, store, b, block, count, width, rows, row, first):
        mean_by(store.regret, store.base[b] + block * width, count, np.uint64(width), rows, row, first)


class Respond(NamedTuple):
    """The best response to the other's average strategy."""

    def down(self, store, b, block, count, width, rows, row, to):
        average_down(store.total, store.base[b] + block * width, count, np.uint64(width), rows.reach, row, to)

    def up(self, store, b, block, count, width, rows, row, first):
        wide = np.uint64(width)
        copy_row(rows.value, row, rows.value, first, wide)
        for k in range(1, count):
            best_row(rows.value, row, first + k, wide)

    def fixed(self, store, b, block, count, width, rows, row, first):
        mean_by(store.total, store.base[b] + block * width, count, np.uint64(width), rows, row, first)


class Expect(NamedTuple):
    """What one's own average strategy is worth against the other's."""

    def down(self, store, b, block, count, width, rows, row, to):
        average_down(store.total, store.base[b] + block * width, count, np.uint64(width), rows.reach, row, to)

    def up(self, store, b, block, count, width, rows, row, first):
        mean_by(store.total, store.base[b] + block * width, count, np.uint64(width), rows, row, first)

    def fixed(self, store, b, block, count, width, rows, row, first):
        mean_by(store.total, store.base[b] + block * width, count, np.uint64(width), rows, row, first)


# --- rows. The loops are functions of plain arrays, which the compiler turns into vector operations ---


def hand_down(reach, row, to, mix, total, at, width, keep, weight):
    for h in range(width):
        part = reach[row, h] * mix[at + h]
        reach[to, h] = part
        total[at + h] = keep * total[at + h] + weight * part


def add_positive(rows, row, array, at, width):
    for h in range(width):
        rows[row, h] += max(array[at + h], 0.0)


def scale_reach(reach, row, to, width):
    """From the sum of positive regrets to what they are multiplied by; less than 0 where all actions are as likely."""
    for h in range(width):
        mass = reach[to, h]
        reach[to, h] = reach[row, h] / mass if mass > LEAST else -reach[row, h]


def match_down(reach, scale, to, regret, total, at, width, keep, weight, even):
    for h in range(width):
        share = reach[scale, h]
        part = share * max(regret[at + h], 0.0) if share > 0.0 else -share * even
        reach[to, h] = part
        total[at + h] = keep * total[at + h] + weight * part


def add_matched(some, regret, at, value, row, width):
    """The positive regrets, with values and alone, and the values alone."""
    for h in range(width):
        part, worth = max(regret[at + h], 0.0), value[row, h]
        some[0, h] += part * worth
        some[1, h] += part
        some[2, h] += worth


def mean_by(weights, at, count, width, rows, row, first):
    """The mean of the values of the children by some weights, where positive; the plain mean where none is."""
    some = rows.temporary
    for line in range(3):
        clear_row(some, line, width)
    for k in range(count):
        add_matched(some, weights, np.uint64(at) + np.uint64(k) * width, rows.value, first + k, width)
    match_mean(rows.value, row, some, count, width)


def match_mean(value, row, some, count, width):
    for h in range(width):
        value[row, h] = some[0, h] / some[1, h] if some[1, h] > LEAST else some[2, h] / count


def gain_row(regret, at, value, row, mean, width, positive, negative):
    for h in range(width):
        old = regret[at + h]
        regret[at + h] = old * (positive if old > 0.0 else negative) + value[row, h] - value[mean, h]


def average_down(total, at, count, width, reach, row, to):
    """The reach of the children of a node by the average strategy, which is uniform where the average plan never goes."""
    for h in range(width):
        reach[to, h] = total[np.uint64(at) + h]
    for k in range(1, count):
        begin = np.uint64(at) + np.uint64(k) * width
        for h in range(width):
            reach[to, h] += total[begin + h]
    for h in range(width):  # the first child's row holds the sums until the last
        mass = reach[to, h]
        reach[to, h] = reach[row, h] / mass if mass > LEAST else -reach[row, h]
    for k in range(count - 1, -1, -1):
        begin = np.uint64(at) + np.uint64(k) * width
        for h in range(width):
            share = reach[to, h]
            reach[to + k, h] = share * total[begin + h] if share >= 0.0 else -share / count


def clear_row(rows, row, width):
    for h in range(width):
        rows[row, h] = 0.0


def copy_row(rows, row, source, at, width):
    for h in range(width):
        rows[row, h] = source[at, h]


def add_row(rows, row, source, at, width):
    for h in range(width):
        rows[row, h] += source[at, h]


def best_row(rows, row, other, width):
    for h in range(width):
        rows[row, h] = max(rows[row, h], rows[other, h])


def add_product(rows, row, array, at, other, line, width):
    for h in range(width):
        rows[row, h] += array[at + h] * other[line, h]


def regret_row(rule, regret, mix, at, value, row, some, width, positive, negative, ahead):
    """The regrets of an action, and what its next mix is in proportion to; some[0] is the mean, some[1] gets the sum."""
    for h in range(width):
        old, gain = regret[at + h], value[row, h] - some[0, h]
        new = old * (positive if old > 0.0 else negative) + gain
        regret[at + h] = new
        aim = max(rule.aim(new, gain, ahead), 0.0)
        mix[at + h] = aim
        some[1, h] += aim


def share_out(mix, at, count, some, line, width):
    """Make the mixes of a node sum to 1, uniform where there are none."""
    for h in range(width):
        mass = some[line, h]
        some[line, h] = 1.0 / mass if mass > LEAST else -1.0
    for k in range(count):
        begin = at + np.uint64(k) * width
        for h in range(width):
            mix[begin + h] = mix[begin + h] * some[line, h] if some[line, h] > 0.0 else 1.0 / count


# --- at ends ---


def gather_ends(betting, rows, ends, begin, count, me, shift, width):
    """Turn the reach at some ends so that they lie side by side. Nothing reads what is left in unused lanes."""
    for z in range(count):
        n = ends[begin + z]
        row = betting.source[me, n] - shift
        for part in range(rows.pay.shape[0]):
            rows.pay[part, z] = betting.pay[me, n, part]
        turn_in(rows.given, rows.reach, row, z, np.uint64(width))
    for z in range(LANES):
        rows.given[width, z] = 0.0


def turn_in(given, reach, row, lane, width):
    for h in range(width):
        given[h, lane] = reach[row, h]


def scatter_ends(rows, ends, begin, count, shift, width):
    for z in range(count):
        turn_out(rows.value, ends[begin + z] - shift, rows.out, z, np.uint64(width))


def turn_out(value, row, out, lane, width):
    for h in range(width):
        value[row, h] = out[h, lane]


def clear_mass(mass):
    for x in range(mass.shape[0]):
        for z in range(LANES):
            mass[x, z] = 0.0


def add_hand(mass, given, h, low, high):
    for z in range(LANES):
        part = given[h, z]
        mass[0, z] += part
        mass[low, z] += part
        mass[high, z] += part


def beat_weaker(out, h, pay, mass, a, b):
    for z in range(LANES):
        out[h, z] = pay[0, z] * (mass[0, z] - mass[a, z] - mass[b, z])


def meet(out, h, pay, part, mass, a, b, given, same):
    for z in range(LANES):
        out[h, z] += pay[part, z] * (mass[0, z] - mass[a, z] - mass[b, z] + given[same, z])


def meet_all(mine, other, begin, width, mass, given, out, pay):
    """All ends: what can meet each own hand, times the last part of what is paid, added to `out`."""
    for i in range(begin, begin + width):
        a, b, same, h = mine.low[i], mine.read[i], mine.same[i], i - begin
        meet(out, h, pay, 2, mass, a, b, given, same)


def fold_ends(mine, other, b, rows):
    mass, given, out = rows.mass, rows.given, rows.out
    clear_mass(mass)
    begin, width = other.start[b], other.width[b]
    for i in range(begin, begin + width):
        add_hand(mass, given, i - begin, other.low[i], other.high[i])
    begin, width = mine.start[b], mine.width[b]
    for h in range(width):
        for z in range(LANES):
            out[h, z] = 0.0
    meet_all(mine, other, begin, width, mass, given, out, rows.pay)


def show_ends(mine, other, b, rows):
    mass, given, out, pay = rows.mass, rows.given, rows.out, rows.pay
    clear_mass(mass)
    own, theirs = mine.start[b], other.start[b]
    last, end = own + mine.width[b], theirs + other.width[b]
    i, j = own, theirs
    while i < last:
        rank = mine.rank[i]
        while j < end and other.rank[j] < rank:
            h = other.order[j]
            add_hand(mass, given, h, other.low[theirs + h], other.high[theirs + h])
            j += 1
        k = i
        while k < last and mine.rank[k] == rank:  # what is weaker
            h = mine.order[k]
            a, b2 = mine.low[own + h], mine.read[own + h]
            beat_weaker(out, h, pay, mass, a, b2)
            k += 1
        while j < end and other.rank[j] == rank:
            h = other.order[j]
            add_hand(mass, given, h, other.low[theirs + h], other.high[theirs + h])
            j += 1
        for k2 in range(i, k):  # and what is not stronger
            h = mine.order[k2]
            a, b2, same = mine.low[own + h], mine.read[own + h], mine.same[own + h]
            meet(out, h, pay, 1, mass, a, b2, given, same)
        i = k
    while j < end:
        h = other.order[j]
        add_hand(mass, given, h, other.low[theirs + h], other.high[theirs + h])
        j += 1
    meet_all(mine, other, own, mine.width[b], mass, given, out, pay)


# --- the walk ---


def descend(betting, how, me, store, hold, rows, b, g):
    """The other's reach at all nodes of a group on a board, from that at its entries."""
    shift, width = betting.shift[g], hold.width[b]
    for n in range(betting.start[g], betting.start[g + 1]):
        if betting.kind[n] == 1 - me:
            row, first = betting.source[me, n] - shift, betting.first[n] - shift
            how.down(store, b, betting.block[n], betting.count[n], width, rows, row, first)


def ascend(betting, how, me, store, hold, rows, b, g):
    """The values of all nodes of a group on a board, from those at its ends and gates."""
    shift, width = betting.shift[g], hold.width[b]
    for n in range(betting.start[g + 1] - 1, betting.start[g] - 1, -1):  # children come after parents
        kind, row, first = betting.kind[n], n - shift, betting.first[n] - shift
        if kind == me:
            if betting.locked[n]:
                how.fixed(store, b, betting.block[n], betting.count[n], width, rows, row, first)
            else:
                how.up(store, b, betting.block[n], betting.count[n], width, rows, row, first)
        elif kind == 1 - me:
            copy_row(rows.value, row, rows.value, first, np.uint64(width))
            for k in range(1, betting.count[n]):
                add_row(rows.value, row, rows.value, first + k, np.uint64(width))


def settle(betting, me, mine, other, rows, b, g):
    """The values at all ends of a group."""
    shift = betting.shift[g]
    for begin in range(betting.folds[g], betting.folds[g + 1], LANES):
        count = min(LANES, betting.folds[g + 1] - begin)
        gather_ends(betting, rows, betting.fold, begin, count, me, shift, other.width[b])
        fold_ends(mine, other, b, rows)
        scatter_ends(rows, betting.fold, begin, count, shift, mine.width[b])
    for begin in range(betting.shows[g], betting.shows[g + 1], LANES):
        count = min(LANES, betting.shows[g + 1] - begin)
        gather_ends(betting, rows, betting.show, begin, count, me, shift, other.width[b])
        show_ends(mine, other, b, rows)
        scatter_ends(rows, betting.show, begin, count, shift, mine.width[b])


def enter(betting, me, other, rows, b, g):
    """The other's reach at the entries of a group: what it is at the gates on the board before."""
    begin, width = other.start[b], other.width[b]
    for e in range(betting.opens[g], betting.opens[g + 1]):
        row, gate = betting.entry[e] - betting.shift[g], betting.gate[e]
        if gate == NONE:
            for h in range(width):
                rows.reach[row, h] = other.weight[h]
        else:
            take_places(rows.reach, row, betting.source[me, gate], other.up, np.uint64(begin), np.uint64(width))


def take_places(reach, row, source, up, begin, width):
    for h in range(width):
        reach[row, h] = reach[source, np.uint64(up[begin + h])]


def leave(betting, mine, rows, b, g):
    """Add the values of the entries of a group to those of the gates on the board before, once for each image."""
    for e in range(betting.opens[g], betting.opens[g + 1]):
        row, gate = betting.entry[e] - betting.shift[g], betting.gate[e]
        if gate != NONE:
            for image in range(mine.images[b], mine.images[b + 1]):
                add_places(rows.value, gate, row, mine.place, np.uint64(mine.image[image]), np.uint64(mine.width[b]))


def keep(betting, mine, rows, b, g, kept):
    """Put the values of the entries of a group aside."""
    first = betting.opens[betting.groups[kept.stage]]
    for e in range(betting.opens[g], betting.opens[g + 1]):
        row = betting.entry[e] - betting.shift[g]
        copy_out(kept.value, kept.number[b], e - first, rows.value, row, np.uint64(mine.width[b]))


def copy_out(kept, board, entry, value, row, width):
    for h in range(width):
        kept[board, entry, h] = value[row, h]


def add_places(value, gate, row, place, begin, width):
    for h in range(width):
        value[gate, np.uint64(place[begin + h])] += value[row, h]


def clear_gates(betting, rows, g, width):
    for n in range(betting.start[g], betting.start[g + 1]):
        if betting.kind[n] == GATE:
            clear_row(rows.value, n - betting.shift[g], np.uint64(width))


def up_from(betting, how, me, own, mine, rows, b, g, s, kept):
    """The values of a group on a board, handed to the board before or put aside."""
    ascend(betting, how, me, own, mine, rows, b, g)
    if s == kept.stage:
        keep(betting, mine, rows, b, g, kept)
    else:
        leave(betting, mine, rows, b, g)


def down_to(betting, how, me, other, theirs, mine, rows, b, g):
    """The reach of a group on a board, and the values of its ends."""
    enter(betting, me, other, rows, b, g)
    descend(betting, how, me, theirs, other, rows, b, g)
    settle(betting, me, mine, other, rows, b, g)


def walk(betting, boards, how, me, stores, hold, rows, low, high, kept):
    """Boards low to high - 1, and nothing above them: the rows of the board before them must be there. Modified in place:
    what `how` changes, kept, and rows, where the values of the first stage are left."""
    mine, other = hold[me], hold[1 - me]
    own, theirs = stores[me], stores[1 - me]
    last = betting.groups.shape[0] - 2
    stack, depth = rows.stack, 0
    for b in range(low, high + 1):
        while depth > 0 and (b == high or boards.after[stack[depth - 1]] <= b):
            depth -= 1
            done = stack[depth]
            up = boards.stage[done]
            up_from(betting, how, me, own, mine, rows, done, betting.groups[up], up, kept)
        if b == high:
            break
        s = boards.stage[b]
        for g in range(betting.groups[s], betting.groups[s + 1]):
            down_to(betting, how, me, other, theirs, mine, rows, b, g)
            if s == last:
                up_from(betting, how, me, own, mine, rows, b, g, s, kept)
            else:
                clear_gates(betting, rows, g, mine.width[b])
        if s < last:
            stack[depth] = b
            depth += 1


sweep = kernel(walk)


@kernel
def open_root(betting, boards, how, me, stores, hold, rows):
    """The first board of a sweep on the way down; it is not the only one."""
    mine, g = hold[me], betting.groups[0]
    down_to(betting, how, me, hold[1 - me], stores[1 - me], mine, rows, 0, g)
    clear_gates(betting, rows, g, mine.width[0])


@kernel
def close_root(betting, boards, how, me, stores, hold, rows, kept):
    """The first board on the way up, from the values that were put aside for the boards after it, in their order: so the sums
    are those of a walk, to the last bit."""
    mine, s = hold[me], kept.stage
    first = betting.opens[betting.groups[s]]
    for b in range(1, boards.stage.shape[0]):
        if boards.stage[b] == s:
            for g in range(betting.groups[s], betting.groups[s + 1]):
                for e in range(betting.opens[g], betting.opens[g + 1]):
                    row = betting.entry[e] - betting.shift[g]
                    copy_in(rows.value, row, kept.value, kept.number[b], e - first, np.uint64(mine.width[b]))
                leave(betting, mine, rows, b, g)
    ascend(betting, how, me, stores[me], mine, rows, 0, betting.groups[0])


def copy_in(value, row, kept, board, entry, width):
    for h in range(width):
        value[row, h] = kept[board, entry, h]


@kernel
def iterate(betting, boards, how, stores, hold, rows, factors, high, kept):
    """Some iterations: of each, both players' sweeps with their factors[iteration, player]."""
    for t in range(factors.shape[0]):
        for me in range(2):
            for i in range(FACTORS):
                how.factor[i] = factors[t, me, i]
            walk(betting, boards, how, me, stores, hold, rows, 0, high, kept)


@kernel
def spread(betting, boards, how, me, stores, hold, rows, low, high):
    """The way down alone: the other's plan, which `how` adds to its total."""
    other, theirs = hold[1 - me], stores[1 - me]
    for b in range(low, high):
        s = boards.stage[b]
        for g in range(betting.groups[s], betting.groups[s + 1]):
            enter(betting, me, other, rows, b, g)
            descend(betting, how, me, theirs, other, rows, b, g)
