"""Solving a tree of histories while it grows: one-sided GT-CFR with PCFR+ (Zhang and Sandholm 2025).

    solve     one iteration of predictive CFR+ (Farina, Kroer and Sandholm 2021): first the player who searches is updated,
              then the other, each against the other's present mix. With r(a) the regret of this iteration at a set,
              R(a) = max(0, R(a) + r(a)), and the next mix is proportional to max(0, R(a) + r(a)). Branches to which the
              player who is not updated never plays are not entered. What counts is the last mix
    grow      one player explores, in turn. The other and chance play as they do. The explorer plays evenly over the actions
              of its mix half of the time, and else the action of the largest

                  u(a) + C dev(a) sqrt(N) / (1 + N(a)),

              where u(a) is what the action was worth when the set was last solved, and dev(a) the deviation of these values
              over the times that growth has tried it, with two more values of -1 and +1 (in units of the payoffs' half
              range). The leaf that is reached gets all its children. Where everything below the action is open already,
              another one is taken. Branches to which neither plays are never opened

A slice grows and solves in turn: when PRICE times the new nodes are as many as an iteration visits, there is one.
"""

from typing import NamedTuple

import numpy as np

from ... import dice
from ...game import CHANCE, NONE, OVER
from ...kernels import inlined, kernel
from .gadgets import FIRST_ROOT, MEAN, ROOTS, WEIGHT
from .histories import (
    COUNT,
    FIRST,
    FIXED,
    FULL,
    LATEST,
    MIX,
    OPEN,
    OWNER,
    REGRET,
    SET,
    SLOT,
    SQUARES,
    STAMP,
    SUM,
    TOTAL,
    TRIED,
    VISITS,
    WIDTH,
    WORTH,
    expand,
)

PRICE = 128
LEAST = 8  # a walk that opens nothing counts as so many nodes
EXPLORING = 1.0  # C
ITERATIONS, GROWN, VISITED, CREDIT, EXPLORER, TOUCHED, WALKS, COUNTS = 0, 1, 2, 3, 4, 5, 6, 7  # words of `tally`
VALUE, VALUES, AVERAGES = 0, 1, 2  # numbers of `mean`: the sum of values over iterations | how many


class OneSided(NamedTuple):
    """One player explores, the other plays as they do."""

    def explores(self, owner, explorer):
        return owner == explorer


class BothSides(NamedTuple):
    """Both explore in every walk, as in GT-CFR (Schmid and others 2023)."""

    def explores(self, owner, explorer):
        return owner != CHANCE and owner != FIXED


class Stack(NamedTuple):
    """Room for a walk, one row a move."""

    node: np.ndarray  # [depth]
    child: np.ndarray  # [depth] the child that comes next
    value: np.ndarray  # [depth] so far
    reach: np.ndarray  # [depth] of chance and of the one who is not updated
    touched: np.ndarray  # [sets] that were met
    tally: np.ndarray  # [COUNTS]
    mean: np.ndarray  # [AVERAGES]


def new_stack(depth: int, sets: int) -> Stack:
    node, child = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    value, reach = np.zeros(depth), np.zeros(depth)
    return Stack(node, child, value, reach, np.zeros(sets, np.int64), np.zeros(COUNTS, np.int64), np.zeros(AVERAGES))


@kernel
def search_slice(game, look, growth, tree, gadgets, room, stack, watched, steady, me, unit, growing, walks, random):
    """Walk and solve. Returns the walks that were done before the tree was full, or a trouble. `watched` is the set whose
    mixes are summed up in `steady` [actions, 2]: the sum of shares, and in how many iterations the action was played."""
    count = stack.tally
    for done in range(walks):
        if growing:
            opened = grow(game, look, growth, tree, gadgets, room, count[EXPLORER], me, unit, random)
            if opened == FULL:
                return done
            if opened < 0:
                return opened
            count[EXPLORER] = 1 - count[EXPLORER]
            count[GROWN] += opened
            count[CREDIT] += PRICE * max(opened, LEAST)
        else:
            count[CREDIT] = count[VISITED]
        count[WALKS] += 1
        if count[CREDIT] >= count[VISITED]:
            count[CREDIT] = 0
            solve(tree, gadgets, stack, me)
            if watched >= 0:
                slot = tree.infoset[watched, SLOT]
                for a in range(tree.infoset[watched, WIDTH]):
                    steady[a, 0] += tree.real[slot + a, MIX]
                    steady[a, 1] += tree.real[slot + a, MIX] > 0.0
    return walks


# --- solving -------------------------------------------------------------------------------------------------------------


@inlined
def solve(tree, gadgets, stack, me):
    """One iteration: `me` is updated, then the other, then the gadgets."""
    count = stack.tally
    count[ITERATIONS] += 1
    count[VISITED] = 0
    for turn in range(2):
        updated = me if turn == 0 else 1 - me
        count[TOUCHED] = 0
        overall = 0.0
        for j in range(gadgets.group.shape[0]):
            weight = gadgets.number[j, WEIGHT] if turn == 0 else 1.0
            if weight <= 0.0:
                continue
            mean, first = 0.0, gadgets.group[j, FIRST_ROOT]
            for k in range(first, first + gadgets.group[j, ROOTS]):
                if gadgets.share[k] > 0.0:
                    mean += gadgets.share[k] * visit(
                        tree, stack, gadgets.root[k], weight * gadgets.share[k], updated, me
                    )
            gadgets.number[j, MEAN] = mean
            overall += weight * mean
        learn(tree, stack)
        if turn == 0:
            stack.mean[VALUE] += overall
            stack.mean[VALUES] += 1.0
    gadgets.learn()


def visit(tree, stack, root, reach, updated, me):
    """What a root is worth to `me` under the present mixes; sums up what each action of the updated player is worth."""
    node, nexts, values, reached, count = stack.node, stack.child, stack.value, stack.reach, stack.tally
    sign = 1.0 if updated == me else -1.0
    depth, stamp = 0, 2 * count[ITERATIONS] + (updated == me)
    node[0], nexts[0], values[0], reached[0] = root, 0, 0.0, reach
    if tree.node[root, COUNT] == 0:
        return tree.worth[root]
    while True:  # it ends: each node is entered once
        n, a = node[depth], nexts[depth]
        row = tree.node[n]
        owner, first, i = row[OWNER], row[FIRST], row[SET]
        slot = tree.infoset[i, SLOT] if owner != CHANCE else 0
        if a == 0:
            count[VISITED] += row[COUNT]
            if owner == updated:
                if tree.infoset[i, STAMP] != stamp:
                    tree.infoset[i, STAMP] = stamp
                    stack.touched[count[TOUCHED]] = i
                    count[TOUCHED] += 1
                    tree.reach[i] = 0.0
                    for b in range(row[COUNT]):
                        tree.real[slot + b, SUM] = 0.0
                tree.reach[i] += reached[depth]
        down = False
        while a < row[COUNT]:
            share = tree.odds[first + a] if owner == CHANCE else tree.real[slot + a, MIX]
            if owner != updated and share <= 0.0:
                a += 1
                continue
            if tree.node[first + a, COUNT] == 0:
                worth = tree.worth[first + a]
                values[depth] += share * worth
                if owner == updated:
                    tree.real[slot + a, SUM] += sign * reached[depth] * worth
                a += 1
                continue
            nexts[depth] = a
            node[depth + 1], nexts[depth + 1], values[depth + 1] = first + a, 0, 0.0
            reached[depth + 1] = reached[depth] * (1.0 if owner == updated else share)
            down = True
            break
        if down:
            depth += 1
            continue
        worth = values[depth]
        if depth == 0:
            return worth
        depth -= 1
        n, a = node[depth], nexts[depth]
        row = tree.node[n]
        owner = row[OWNER]
        slot = tree.infoset[row[SET], SLOT] if owner != CHANCE else 0
        share = tree.odds[row[FIRST] + a] if owner == CHANCE else tree.real[slot + a, MIX]
        values[depth] += share * worth
        if owner == updated:
            tree.real[slot + a, SUM] += sign * reached[depth] * worth
        nexts[depth] = a + 1


@inlined
def learn(tree, stack):
    """PCFR+ at every set that was met."""
    for k in range(stack.tally[TOUCHED]):
        i = stack.touched[k]
        slot, width, reach = tree.infoset[i, SLOT], tree.infoset[i, WIDTH], tree.reach[i]
        mean, total, best = 0.0, 0.0, 0
        for a in range(slot, slot + width):
            mean += tree.real[a, MIX] * tree.real[a, SUM]
        for a in range(slot, slot + width):
            row = tree.real[a]
            regret = row[SUM] - mean
            row[REGRET] = max(0.0, row[REGRET] + regret)
            row[LATEST] = max(0.0, row[REGRET] + regret)
            total += row[LATEST]
            row[WORTH] = row[SUM] / reach
            if row[SUM] > tree.real[slot + best, SUM]:
                best = a - slot
        for a in range(slot, slot + width):
            tree.real[a, MIX] = tree.real[a, LATEST] / total if total > 0.0 else (1.0 if a - slot == best else 0.0)


# --- growing -------------------------------------------------------------------------------------------------------------


@inlined
def grow(game, look, growth, tree, gadgets, room, exploring, me, unit, random):
    """Walk to a leaf and open it. Returns its children, 0 where the walk finds nothing that is open, FULL, or a trouble."""
    explorer = me if exploring == 0 else 1 - me
    n = draw_root(gadgets, growth.explores(1 - me, explorer), random)
    while tree.node[n, COUNT] > 0:  # it ends: children come after their parents
        row = tree.node[n]
        first, exploring = row[FIRST], growth.explores(row[OWNER], explorer)
        if row[OWNER] == CHANCE:
            a = draw_chance(tree, first, row[COUNT], random)
        elif exploring:
            a = explore(tree, row[SET], unit, random)
        else:
            a = draw_slot(tree, row[SET], random)
        if tree.node[first + a, OPEN] == 0:
            a = draw_open(tree, row, exploring, random)
            if a == NONE:
                return 0
        n = first + a
    if tree.node[n, OWNER] == OVER:
        return 0
    return expand(game, look, tree, room, n, me)


@inlined
def draw_chance(tree, first, count, random):
    """A child by the odds of chance."""
    left, a = dice.unit(random), 0
    while a < count - 1:
        left -= tree.odds[first + a]
        if left < 0.0:
            break
        a += 1
    return a


@inlined
def draw_open(tree, row, exploring, random):
    """An open child: evenly where one explores, else as chance or the present mix has it; NONE if it comes to no open one."""
    first, slot, total, chosen = row[FIRST], np.int64(0), 0.0, NONE
    if row[OWNER] != CHANCE:
        slot = tree.infoset[row[SET], SLOT]
    for a in range(row[COUNT]):
        if tree.node[first + a, OPEN] > 0:
            share = tree.odds[first + a] if row[OWNER] == CHANCE else 1.0 if exploring else tree.real[slot + a, MIX]
            total += share
            if share > 0.0 and dice.unit(random) * total < share:  # each with its share of all so far
                chosen = a
    return chosen


@inlined
def draw_root(gadgets, by_other, random):
    """A root: its group by the present weights, or evenly half of the time if the other explores; within it by its share."""
    groups = gadgets.group.shape[0]
    j = np.int64(0)
    if groups > 1:
        if by_other and gadgets.gated and dice.below(random, 2):
            j = dice.below(random, groups)
        else:
            left = dice.unit(random)
            for j in range(groups):
                left -= gadgets.number[j, WEIGHT]
                if left < 0.0:
                    break
    k, last = gadgets.group[j, FIRST_ROOT], gadgets.group[j, FIRST_ROOT] + gadgets.group[j, ROOTS] - 1
    left = dice.unit(random)
    while k < last:
        left -= gadgets.share[k]
        if left < 0.0:
            break
        k += 1
    return gadgets.root[k]


@inlined
def draw_slot(tree, i, random):
    """An action by the present mix."""
    slot, last, left, a = tree.infoset[i, SLOT], tree.infoset[i, WIDTH] - 1, dice.unit(random), 0
    while a < last:
        left -= tree.real[slot + a, MIX]
        if left < 0.0:
            break
        a += 1
    while a > 0 and tree.real[slot + a, MIX] <= 0.0:
        a -= 1
    return a


@inlined
def explore(tree, i, unit, random):
    """An action of the explorer, who then remembers what it was worth."""
    slot, width = tree.infoset[i, SLOT], tree.infoset[i, WIDTH]
    tree.infoset[i, VISITS] += 1
    chosen = np.int64(0)
    if dice.below(random, 2):
        support = 0
        for a in range(width):
            support += tree.real[slot + a, MIX] > 0.0
        which = dice.below(random, max(support, 1))
        for a in range(width):
            if tree.real[slot + a, MIX] > 0.0:
                if which == 0:
                    chosen = a
                    break
                which -= 1
    else:
        best, root = -np.inf, np.sqrt(float(tree.infoset[i, VISITS]))
        for a in range(width):
            row, tried = tree.real[slot + a], tree.whole[slot + a, TRIED]
            mean = row[TOTAL] / (tried + 2)
            spread = max(0.0, (row[SQUARES] + 2.0 * unit * unit) / (tried + 2) - mean * mean)
            bound = row[WORTH] + EXPLORING * np.sqrt(spread) * root / (1 + tried)
            if bound > best:
                best, chosen = bound, np.int64(a)
    row = tree.real[slot + chosen]
    tree.whole[slot + chosen, TRIED] += 1
    row[TOTAL] += row[WORTH]
    row[SQUARES] += row[WORTH] * row[WORTH]
    return chosen
