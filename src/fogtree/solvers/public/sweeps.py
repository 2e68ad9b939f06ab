"""The sweeps of matrix CFR (`matrix_cfr.py`) over a betting tree: up with worths, and down with plans.

Children come after parents, so backwards is leaves first. A node has a row with one number for each of a player's types at
its stage, and all types of a node are done at once. Offsets are unsigned: signed ones may count from the end of an array.
"""

from typing import NamedTuple

import numpy as np

from ...game import OVER
from ...kernels import inlined, kernel


class Nodes(NamedTuple):
    """The betting tree as sweeps read it: that of `betting.BettingTree`."""

    player: np.ndarray  # [nodes]
    stage: np.ndarray  # [nodes]
    first: np.ndarray  # [nodes + 1]
    child: np.ndarray  # [nodes - 1]
    scale: np.ndarray  # [nodes]
    decision: np.ndarray  # [decisions] the nodes that are no ends, in their order


class Side(NamedTuple):
    """One player's side."""

    me: int
    sign: float  # the scales of the tree are player 0's
    types: np.ndarray  # [stages] how many
    row: np.ndarray  # [nodes] where a node's row begins among all rows
    owner: np.ndarray  # [stages, types of the last stage] the type of the stage before that a type belongs to
    block: np.ndarray  # [nodes] where the rows of a node's actions begin in the next three arrays; own decisions only
    regret: np.ndarray
    mix: np.ndarray
    total: np.ndarray  # weighted sum of the plans
    weight: np.ndarray  # [1] the sum of their weights
    worth: np.ndarray  # [actions, types of the last stage] scratch: the worths of the children of a node


def gather(nodes, side, n, value):
    """The rows of a node's children, each as long as the node's own, into `worth`."""
    width = np.uint64(side.types[nodes.stage[n]])
    low = nodes.first[n]
    for k in range(nodes.first[n + 1] - low):
        c = nodes.child[low + k]
        row, scale = np.uint64(side.row[c]), nodes.scale[c] * side.sign if nodes.player[c] == OVER else 1.0
        if nodes.stage[c] == nodes.stage[n]:
            for t in range(width):
                side.worth[k, t] = scale * value[row + t]
        else:
            s = nodes.stage[c]
            for t in range(width):
                side.worth[k, t] = 0.0
            for t in range(np.uint64(side.types[s])):
                side.worth[k, np.uint64(side.owner[s, t])] += scale * value[row + t]


@kernel
def learn(nodes, side, rule, t_now, value):
    """Step 3. `value` holds the products at the ends. Modified in place: value, regret, mix."""
    positive, negative, ahead = rule.positive(t_now - 1.0), rule.negative(t_now - 1.0), rule.positive(t_now)
    worth, regret, mix = side.worth, side.regret, side.mix
    for n in nodes.decision[::-1]:
        gather(nodes, side, n, value)
        width, row = np.uint64(side.types[nodes.stage[n]]), np.uint64(side.row[n])
        count = nodes.first[n + 1] - nodes.first[n]
        if nodes.player[n] != side.me:
            for t in range(width):
                value[row + t] = 0.0
            for k in range(count):
                for t in range(width):
                    value[row + t] += worth[k, t]
            continue
        block = np.uint64(side.block[n])
        for t in range(width):
            mean = 0.0
            for k in range(count):
                mean += mix[block + np.uint64(k) * width + t] * worth[k, t]
            mass = 0.0
            for k in range(count):
                at = block + np.uint64(k) * width + t
                old, gain = np.float64(regret[at]), worth[k, t] - mean
                new = old * (positive if old > 0.0 else negative) + gain
                regret[at] = new
                aim = max(rule.aim(new, gain, ahead), 0.0)
                mix[at] = aim
                mass += aim
            for k in range(count):
                at = block + np.uint64(k) * width + t
                mix[at] = mix[at] / mass if mass > 0.0 else 1.0 / count
            value[row + t] = mean


@kernel
def respond(nodes, side, value):
    """What the best response is worth: `value` of the root, summed over the types. Modified in place: value."""
    for n in nodes.decision[::-1]:
        gather(nodes, side, n, value)
        width, row = np.uint64(side.types[nodes.stage[n]]), np.uint64(side.row[n])
        count = nodes.first[n + 1] - nodes.first[n]
        for t in range(width):
            best = side.worth[0, t]
            for k in range(1, count):
                other = side.worth[k, t]
                best = max(best, other) if nodes.player[n] == side.me else best + other
            value[row + t] = best
    return root_sum(nodes, side, value)


@kernel
def expect(nodes, side, mix, value):
    """What the mixes given (uniform where they are 0) are worth. Modified in place: value."""
    for n in nodes.decision[::-1]:
        gather(nodes, side, n, value)
        width, row = np.uint64(side.types[nodes.stage[n]]), np.uint64(side.row[n])
        count, block = nodes.first[n + 1] - nodes.first[n], np.uint64(side.block[n])
        for t in range(width):
            plain, mixed, mass = 0.0, 0.0, 0.0
            for k in range(count):
                plain += side.worth[k, t]
                if nodes.player[n] == side.me:
                    weight = np.float64(mix[block + np.uint64(k) * width + t])
                    mixed += weight * side.worth[k, t]
                    mass += weight
            if nodes.player[n] == side.me:
                value[row + t] = mixed / mass if mass > 0.0 else plain / count
            else:
                value[row + t] = plain
    return root_sum(nodes, side, value)


def root_sum(nodes, side, value):
    total = 0.0
    for t in range(side.types[0]):
        total += value[side.row[0] + t]
    return total


class Present(NamedTuple):
    """The plan of the present mixes, for `hand_down`."""

    mix: np.ndarray

    def reach(self, before, at):
        """A type's reach after an action, from that before it; `at` is the place of action and type in a block."""
        return before * self.mix[at]


class Average(NamedTuple):
    """The average plan: a total of plans already holds the reach."""

    total: np.ndarray
    weight: float

    def reach(self, before, at):
        return self.total[at] / self.weight


@kernel
def spread(nodes, side, keep, weight, reach):
    """Step 4: the plan of the mixes at every node, added with this weight to what is kept of the total. Modified in place:
    reach, total, and the sum of the weights with it, so that the total is whole wherever Ctrl-C stops the iteration."""
    mix, total = side.mix, side.total
    side.weight[0] = keep * side.weight[0] + weight
    begin(side, reach)
    for n in nodes.decision:
        if nodes.player[n] == side.me:
            width, row = np.uint64(side.types[nodes.stage[n]]), np.uint64(side.row[n])
            for k in range(nodes.first[n + 1] - nodes.first[n]):
                at = np.uint64(side.block[n]) + np.uint64(k) * width
                for t in range(width):
                    total[at + t] = keep * total[at + t] + weight * reach[row + t] * mix[at + t]
        hand_down(nodes, side, n, Present(mix), reach)


@kernel
def spread_total(nodes, side, reach):
    """The average plan at every node: the total divided by the sum of the weights. Modified in place: reach."""
    begin(side, reach)
    for n in nodes.decision:
        hand_down(nodes, side, n, Average(side.total, side.weight[0]), reach)


def begin(side, reach):
    for t in range(np.uint64(side.types[0])):
        reach[np.uint64(side.row[0]) + t] = 1.0


@inlined
def hand_down(nodes, side, n, plan, reach):
    """A node's reach to its children: by the plan at own decisions, and unchanged at the other's. A type of a later stage has
    the reach of the type that it belongs to."""
    width, row = np.uint64(side.types[nodes.stage[n]]), np.uint64(side.row[n])
    low, mine = nodes.first[n], nodes.player[n] == side.me
    for k in range(nodes.first[n + 1] - low):
        c = nodes.child[low + k]
        at, to, s = np.uint64(side.block[n]) + np.uint64(k) * width, np.uint64(side.row[c]), nodes.stage[c]
        if s == nodes.stage[n]:
            for t in range(width):
                before = reach[row + t]
                reach[to + t] = plan.reach(before, at + t) if mine else before
        else:
            for t in range(np.uint64(side.types[s])):
                o = np.uint64(side.owner[s, t])
                before = reach[row + o]
                reach[to + t] = plan.reach(before, at + o) if mine else before
