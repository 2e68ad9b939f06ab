"""The products and sweeps of matrix CFR (`matrix_cfr.py`) in lanes, for any device. All of it stays there between iterations.

A lane of a product does TALL rows and WIDE columns of the result, whose sums it holds in registers: each number that it
reads is used TALL or WIDE times. Neighbouring lanes do neighbouring columns, and the next ones the rows below, so that what
one has read others find in the cache.

A lane of a sweep does one type of one node. Nodes of one stage that are equally far from the root are done side by side, up
the tree from the last ones on, and down the tree from the first. On the way down each node takes its reach from its parent.
The text is that of `sweeps.py`, and so are the results, but for the order in which a product adds up.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import NONE, OVER
from ...kernels.engines import empty, on, replay
from .betting import BettingForm
from .sweeps import Nodes, Side

TALL, WIDE, SIDE_BY_SIDE = 8, 8, 32  # rows and columns of a lane | lanes that do neighbouring columns
POSITIVE, NEGATIVE, AHEAD = 0, 1, 2  # factors of an iteration: of positive regrets, of negative ones, and the next ones
KEEP, WEIGHT = (
    3,
    4,
)  # how much is kept of the total, and what a plan weighs; for the average plan, the sum of all weights


class Product(NamedTuple):
    """value rows = reach rows times a matrix. What a lane reads behind the last row or column goes into nothing that it
    writes; the arrays are so much longer."""

    reach: Any
    begin: int  # of the first row
    rows: int
    given: int  # how long the rows of reach are
    width: int  # and those of the result
    matrix: Any  # [given x width] row by row
    value: Any
    to: int  # where the first row of the result begins

    def writes(self):
        return ("value",)

    def fused(self):
        return True

    def lane(self, number, own):
        total, a, b, a_1, b_1 = own.total, own.a, own.b, own.a_1, own.b_1
        z, tile, tiles = number % SIDE_BY_SIDE, number // SIDE_BY_SIDE, (self.rows + TALL - 1) // TALL
        row, column = tile % tiles * TALL, tile // tiles * SIDE_BY_SIDE * WIDE + z
        given, width = np.uint64(self.given), np.uint64(self.width)
        first, at = np.uint64(self.begin + row * self.given), np.uint64(column)
        for n in range(TALL * WIDE):
            total[n] = 0.0
        for i in range(TALL):
            a_1[i] = self.reach[first + np.uint64(i) * given]
        for n in range(WIDE):
            b_1[n] = self.matrix[at + np.uint64(n * SIDE_BY_SIDE)]
        for _ in range(self.given):
            for i in range(TALL):
                a[i] = a_1[i]
            for n in range(WIDE):
                b[n] = b_1[n]
            first += np.uint64(1)  # the next ones are read while these are multiplied
            at += width
            for i in range(TALL):
                a_1[i] = self.reach[first + np.uint64(i) * given]
            for n in range(WIDE):
                b_1[n] = self.matrix[at + np.uint64(n * SIDE_BY_SIDE)]
            for i in range(TALL):
                for n in range(WIDE):
                    total[WIDE * i + n] += a[i] * b[n]
        for i in range(TALL):
            for n in range(WIDE):
                c = column + n * SIDE_BY_SIDE
                if row + i < self.rows and c < self.width:
                    self.value[self.to + (row + i) * self.width + c] = total[WIDE * i + n]


class ProductOwn(NamedTuple):
    total: np.ndarray  # [TALL x WIDE]
    a: np.ndarray  # [TALL]
    b: np.ndarray  # [WIDE]
    a_1: np.ndarray
    b_1: np.ndarray


class Branches(NamedTuple):
    """The betting tree and a player's side of it, as lanes read them."""

    nodes: Nodes
    parent: np.ndarray  # [nodes]
    turn: np.ndarray  # [nodes] which of its parent's children a node is
    side: Side
    begin: np.ndarray  # [stages, types + 1] where the types begin that belong to a type of the stage before

    def worth(self, n, k, t, value):
        """What a type of a node gets from a child."""
        nodes, side = self.nodes, self.side
        c = nodes.child[nodes.first[n] + k]
        row, s = side.row[c], nodes.stage[c]
        scale = nodes.scale[c] * side.sign if nodes.player[c] == OVER else 1.0
        if s == nodes.stage[n]:
            return scale * value[row + t]
        total = 0.0
        for u in range(self.begin[s, t], self.begin[s, t + 1]):
            total += scale * value[row + u]
        return total

    def count(self, n):
        return self.nodes.first[n + 1] - self.nodes.first[n]

    def mine(self, n):
        return self.nodes.player[n] == self.side.me


class Group(NamedTuple):
    """The nodes that are done side by side."""

    node: np.ndarray  # all nodes in the order of their groups
    first: int  # of the group
    width: int  # types of its stage


class SweepOwn(NamedTuple):
    worth: np.ndarray  # [actions]


class Learn(NamedTuple):
    """Up the tree: values, regrets and mixes."""

    branches: Branches
    group: Group
    rule: Any
    factor: Any  # [5]
    value: Any

    def writes(self):
        return ("value",)

    def lane(self, number, own):
        branches, worth, value = self.branches, own.worth, self.value
        n, t = self.group.node[self.group.first + number // self.group.width], number % self.group.width
        count, side = branches.count(n), branches.side
        for k in range(count):
            worth[k] = branches.worth(n, k, t, value)
        mean, mass = 0.0, 0.0
        if not branches.mine(n):
            for k in range(count):
                mean += worth[k]
            value[side.row[n] + t] = mean
            return
        block, width = side.block[n] + t, self.group.width
        positive, negative, ahead = self.factor[POSITIVE], self.factor[NEGATIVE], self.factor[AHEAD]
        for k in range(count):
            mean += side.mix[block + k * width] * worth[k]
        for k in range(count):
            at = block + k * width
            old, gain = np.float64(side.regret[at]), worth[k] - mean
            new = old * (positive if old > 0.0 else negative) + gain
            side.regret[at] = new
            aim = max(self.rule.aim(new, gain, ahead), 0.0)
            side.mix[at] = aim
            mass += aim
        for k in range(count):
            at = block + k * width
            side.mix[at] = side.mix[at] / mass if mass > 0.0 else 1.0 / count
        value[side.row[n] + t] = mean


class Respond(NamedTuple):
    """Up the tree: the best response."""

    branches: Branches
    group: Group
    value: Any

    def writes(self):
        return ("value",)

    def lane(self, number, own):
        branches = self.branches
        n, t = self.group.node[self.group.first + number // self.group.width], number % self.group.width
        best = branches.worth(n, 0, t, self.value)
        for k in range(1, branches.count(n)):
            other = branches.worth(n, k, t, self.value)
            best = max(best, other) if branches.mine(n) else best + other
        self.value[branches.side.row[n] + t] = best


class Expect(NamedTuple):
    """Up the tree: what the average plan is worth."""

    branches: Branches
    group: Group
    value: Any

    def writes(self):
        return ("value",)

    def lane(self, number, own):
        branches, side = self.branches, self.branches.side
        n, t = self.group.node[self.group.first + number // self.group.width], number % self.group.width
        count, plain, mixed, mass = branches.count(n), 0.0, 0.0, 0.0
        for k in range(count):
            worth = branches.worth(n, k, t, self.value)
            plain += worth
            if branches.mine(n):
                weight = np.float64(side.total[side.block[n] + k * self.group.width + t])
                mixed += weight * worth
                mass += weight
        if branches.mine(n):
            plain = mixed / mass if mass > 0.0 else plain / count
        self.value[side.row[n] + t] = plain


class Spread(NamedTuple):
    """Down the tree: the plan of the mixes, which is added to what is kept of the total, or the average plan."""

    branches: Branches
    group: Group
    average: bool
    factor: Any  # [5]
    reach: Any

    def writes(self):
        return ("reach",)

    def lane(self, number, own):
        branches, reach, side = self.branches, self.reach, self.branches.side
        c, t = self.group.node[self.group.first + number // self.group.width], number % self.group.width
        n, s = branches.parent[c], branches.nodes.stage[c]
        if n == NONE:
            reach[side.row[c] + t] = 1.0
            return
        o = np.int64(t) if s == branches.nodes.stage[n] else np.int64(side.owner[s, t])
        before = reach[side.row[n] + o]
        if not branches.mine(n):
            reach[side.row[c] + t] = before
            return
        at = side.block[n] + branches.turn[c] * side.types[branches.nodes.stage[n]] + o
        if self.average:
            reach[side.row[c] + t] = side.total[at] / self.factor[WEIGHT]
            return
        if s == branches.nodes.stage[n] or branches.begin[s, o] == t:  # one of them writes it
            side.total[at] = self.factor[KEEP] * side.total[at] + self.factor[WEIGHT] * before * side.mix[at]
        reach[side.row[c] + t] = before * side.mix[at]


class Root(NamedTuple):
    """The sum of the first types' values."""

    value: Any
    types: int
    found: np.ndarray  # [1]

    def writes(self):
        return ("found",)

    def lane(self, number, own):
        total = 0.0
        for t in range(self.types):
            total += self.value[t]
        self.found[0] = total


class Nothing(NamedTuple):
    """No scratch."""


class LaneSweeps:
    """What `MatrixCFR` asks of a device: the methods of `CoreSweeps`."""

    def __init__(self, form: BettingForm, nodes: Nodes, sides: tuple[Side, Side], rule: Any, dtype: Any, device: str):
        self.form, self.sides, self.dtype, self.device = form, sides, dtype, device
        tree, actions = form.tree, int(np.diff(form.tree.first).max())
        rows = max(int(side.types[tree.stage].sum()) for side in sides)
        most = max(int(side.types.max()) for side in sides)
        reach, value = empty(device, rows + (TALL + 1) * most, dtype), empty(device, rows, dtype)
        own, turn = SweepOwn(np.zeros(actions)), np.zeros(len(tree.player), np.int64)
        for n in range(len(tree.player)):
            turn[tree.child[tree.first[n] : tree.first[n + 1]]] = np.arange(tree.first[n + 1] - tree.first[n])
        down, up = _groups(tree, np.arange(len(tree.player))), _groups(tree, np.flatnonzero(tree.player != OVER))[::-1]
        none, self.factor = np.zeros(1, dtype), empty(device, 5, np.float64)
        self._recorded: Any = (None, None)  # matrices, and an iteration on them
        self.product = on(
            device,
            Product(reach, 0, 0, 1, 1, none, value, 0),
            ProductOwn(*(np.zeros(size, dtype) for size in (TALL * WIDE, TALL, WIDE, TALL, WIDE))),
        )
        self.there, self.works = [], []
        for side in sides:
            branches = self._there(Branches(nodes, tree.parent, turn, side, _begins(form, side.me)))
            self.there.append(branches.side)
            first, last = (Group(np.concatenate([nodes_of for _, nodes_of in parts]), 0, 1) for parts in (up, down))
            self.works.append({
                "learn": on(device, Learn(branches, first, rule, self.factor, value), own),
                "respond": on(device, Respond(branches, first, value), Nothing()),
                "expect": on(device, Expect(branches, first, value), Nothing()),
                "spread": on(device, Spread(branches, last, False, self.factor, reach), Nothing()),
            })  # fmt: skip
        self.up, self.down = up, down
        self.root = [on(device, Root(value, int(side.types[0]), np.zeros(1)), Nothing()) for side in sides]

    def _there(self, value: Any) -> Any:
        """A value with its arrays where lanes have them."""
        if isinstance(value, np.ndarray):
            made = empty(self.device, value.shape, value.dtype)
            copy(value, made)
            return made
        if isinstance(value, tuple):
            return tuple.__new__(type(value), map(self._there, value))
        return value

    def matrices(self, form: BettingForm) -> list[tuple[tuple[Any, Any], ...]]:
        """[stage][joint, edge][player] as that player's products read them."""
        found = []
        for s in range(form.tree.stages):
            parts = (form.at_stage(form.joint, s), form.at_stage(form.edge, s))
            found.append(tuple((self._longer(part.T), self._longer(part)) for part in parts))
        return found

    def _longer(self, matrix: np.ndarray) -> Any:
        """A matrix row by row, on the device, with what products read behind its end."""
        made = np.zeros(matrix.size + matrix.shape[1] + SIDE_BY_SIDE * WIDE, self.dtype)
        made[: matrix.size].reshape(matrix.shape)[...] = matrix
        return self._there(made)

    def face(self, me: int, against: Any) -> None:
        """The products at all ends, without their scales."""
        mine, other, tree = self.sides[me], self.sides[1 - me], self.form.tree
        for s, both in enumerate(against):
            for (low, high), pair in zip((tree.folds[s], tree.showdowns[s]), both, strict=True):
                if low == high:
                    continue
                given, width, count = int(other.types[s]), int(mine.types[s]), int(high - low)
                self.product.change(
                    begin=int(other.row[low]),
                    rows=count,
                    given=given,
                    width=width,
                    matrix=pair[me],
                    to=int(mine.row[low]),
                )
                tiles = -(-count // TALL) * -(-width // (SIDE_BY_SIDE * WIDE))
                self.product.run(0, tiles * SIDE_BY_SIDE)

    def _sweep(self, work: Any, groups: Any, width: np.ndarray) -> None:
        first = 0
        for stage, nodes in groups:
            work.change(group=work.there.group._replace(first=first, width=int(width[stage])))
            work.run(0, len(nodes) * int(width[stage]))
            first += len(nodes)

    def iterate(self, against: Any, rule: Any, t: float, keep: float) -> None:
        """An iteration of both players. Its many small steps are noted once, and then run without Python in between."""
        if self._recorded[0] is not against:
            self._recorded = (against, replay(self.device, lambda: self._iteration(against)))
        factors = (rule.positive(t - 1.0), rule.negative(t - 1.0), rule.positive(t), keep, 1.0)
        copy(np.array(factors, np.float64), self.factor)
        try:
            self._recorded[1].run(1)
        finally:  # Ctrl-C is heard when all is done
            for side in self.sides:
                side.weight[0] = keep * side.weight[0] + 1.0

    def _iteration(self, against: Any) -> None:
        for me in (0, 1):
            self.face(me, against)
            self._sweep(self.works[me]["learn"], self.up, self.sides[me].types)
            self._spread(me, average=False)

    def _spread(self, me: int, average: bool) -> None:
        self.works[me]["spread"].change(average=average)
        self._sweep(self.works[me]["spread"], self.down, self.sides[me].types)

    def spread(self, me: int, keep: float, weight: float) -> None:
        side = self.sides[me]
        side.weight[0] = keep * side.weight[0] + weight
        copy(np.array((1.0, 1.0, 1.0, keep, weight)), self.factor)
        self._spread(me, average=False)

    def average(self, me: int) -> None:
        copy(np.array((1.0, 1.0, 1.0, 1.0, self.sides[me].weight[0])), self.factor)
        self._spread(me, average=True)

    def respond(self, me: int) -> float:
        self._sweep(self.works[me]["respond"], self.up, self.sides[me].types)
        return self._root(me)

    def expect(self, me: int) -> float:
        self._sweep(self.works[me]["expect"], self.up, self.sides[me].types)
        return self._root(me)

    def _root(self, me: int) -> float:
        self.root[me].run(0, 1)
        self.root[me].fetch()
        return float(self.root[me].work.found[0])

    def fetch(self) -> None:
        """What was learned, into the arrays of this machine's memory."""
        for here, there in zip(self.sides, self.there, strict=True):
            for name in ("regret", "mix", "total"):
                copy(getattr(there, name), getattr(here, name))

    def push(self) -> None:
        """And back."""
        for here, there in zip(self.sides, self.there, strict=True):
            for name in ("regret", "mix", "total"):
                copy(getattr(here, name), getattr(there, name))


def copy(source: Any, to: Any) -> None:
    """Copy an array, from this machine's memory or a device's, to the other."""
    if isinstance(to, np.ndarray):
        to[...] = np.asarray(source)
    else:
        to.write(source)


def _groups(tree: Any, nodes: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Nodes of one stage and one distance from the root, with their stage; the nearest first."""
    depth = np.zeros(len(tree.player), np.int64)
    for n in range(1, len(depth)):
        depth[n] = depth[tree.parent[n]] + 1
    key = depth[nodes] * tree.stages + tree.stage[nodes]
    return [(int(k % tree.stages), nodes[key == k]) for k in np.unique(key)]


def _begins(form: BettingForm, player: int) -> np.ndarray:
    """[stages, types + 1] where the types of a stage begin that belong to a type of the stage before."""
    cuts = form.cuts[player]
    found = np.zeros((form.tree.stages, max(len(cut) for cut in cuts)), np.int64)
    for s in range(1, form.tree.stages):
        found[s, : len(cuts[s - 1])] = np.searchsorted(cuts[s], cuts[s - 1])
    return found
