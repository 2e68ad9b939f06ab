"""Regret minimisation on a betting tree by matrices, for poker whose cards fit in two matrices (`betting.py`).

The iteration is that of `cfr.py`, and so are the rules: CFR, CFR+, linear, discounted and predictive. But the two plans are
not multiplied by a sparse matrix of all pairs of sequences, which would have as many entries as the game has ends. All pairs
of types meet at the same ends of the betting, so the product is one dense product for each stage:

    1. reach  the other's plan at each end, a row over the other's types: reach[end, j]
    2. worth  of the folds of a stage: reach times the stage's joint matrix; of the showdowns: reach times edge
    3. up the tree, all types of a node at once: at the other's nodes the worths of the children add up, at one's own they are
       mixed, and regrets and mixes change. From a stage to the one before, the worths of the types that cannot be told apart
       yet are added up
    4. down the tree: the new plan, which goes into the average and is the reach of the other's turn

With b buckets a round, limit hold'em has two matrices of b^4 x b^4 and 9,639 ends on the river, so an iteration costs
4 x 9,639 x b^8 operations in the matrix product of the machine, and everything else is small beside it. The rows of nodes are
stored in 32 bits unless told otherwise, and the machine's product sums them in 32 bits as well; sums over types and over a
set's actions are taken in 64 bits.
"""

import os
from typing import Any

import numpy as np

from ...errors import Invalid
from ...files import appearing, refusing
from ...game import OVER
from ...kernels.engines import chosen
from ...kernels.lanes import CPU, CUDA
from ...walk.slices import memory_cap
from ..forms.infosets import TooLarge
from ..regret.cfr import rule_named
from ..until import resumed, run_slices
from .betting import BettingForm, BettingTree
from .matrix_lanes import LaneSweeps
from .sweeps import Nodes, Side, expect, learn, respond, spread, spread_total

DTYPES = (np.float32, np.float64)
BLOCKS = ("regret", "mix", "total")  # a player's arrays with a number for each action of each information set
STORED = (*BLOCKS, "weight")  # a player's arrays in a checkpoint
AT_ONCE = 1e10  # operations of one product, a fraction of a second: between two of them Ctrl-C is heard


class MatrixCFR:
    """Regret minimisation that runs as long as it is asked to.

    cfr = MatrixCFR(betting_form(game).form, "cfr+")
    cfr.run(iterations=1000)
    cfr.bounds(), cfr.table(node)
    """

    def __init__(
        self,
        form: BettingForm,
        rule: str = "cfr+",
        *,
        dtype: Any = np.float32,
        memory: float | None = None,
        device: str = CPU,
    ):
        if dtype not in DTYPES:
            raise Invalid("numbers are stored as numpy.float32 or numpy.float64")
        need, cap = bytes_needed(form, dtype), memory_cap(memory)
        if need > cap:
            raise TooLarge(
                f"{form.name} needs {need / 2**30:.2f} GiB for matrix CFR, and {cap / 2**30:.2f} are allowed"
            )
        self.form, self.name, self.rule, self.dtype = form, rule, rule_named(rule), dtype
        tree = form.tree
        decisions = np.flatnonzero(tree.player != OVER)
        self.nodes = Nodes(tree.player, tree.stage, tree.first, tree.child, tree.scale, decisions)
        self.sides = (_new_side(form, 0, dtype), _new_side(form, 1, dtype))
        given = (form, self.nodes, self.sides, self.rule, dtype)
        self.device = chosen(device)
        self.sweeps: Any = CoreSweeps(*given[:3], dtype) if self.device == CPU else LaneSweeps(*given, CUDA)
        self.matrices = self.sweeps.matrices(form)
        self.iterations = 0
        self._fresh = False  # whether the sweeps hold player 1's present plan
        self._fetched = True  # whether the sides hold what was learned

    run = run_slices

    def _iterate(self, count: int) -> int:
        for _ in range(count):
            t = float(self.iterations + 1)
            if not self._fresh:
                self.sweeps.spread(1, 1.0, 0.0)
            self._fresh = self._fetched = False
            keep = float(self.rule.keep(t))
            self.sweeps.iterate(self.matrices, self.rule, t, keep)
            self.iterations += 1
            self._fresh = True
        return count

    def bounds(self, form: BettingForm | None = None) -> tuple[float, float, float]:
        """What player 0 is sure of, what the average plans give, and what player 1 concedes at most. With another form of the
        same tree and types, such as one from fresh deals, the same plans are measured there."""
        if self.iterations == 0:
            raise Invalid("run some iterations first")
        against = self.matrices if form is None else self.sweeps.matrices(form)
        ends: list[float] = []
        value = 0.0
        for me in (0, 1):
            self.sweeps.average(1 - me)
            self.sweeps.face(me, against)
            ends.append(self.sweeps.respond(me))
            if me == 0:
                self.sweeps.face(me, against)
                value = self.sweeps.expect(me)
        self._fresh = False
        return -ends[1], value, ends[0]

    def table(self, node: int) -> np.ndarray:
        """[action, type] the average strategy at a decision node, in 64 bits; uniform where the average plan never goes."""
        self._fetch()
        tree = self.form.tree
        side, count = self.sides[int(tree.player[node])], len(tree.below(node))
        width, begin = int(side.types[tree.stage[node]]), int(side.block[node])
        rows = side.total[begin : begin + count * width].reshape(count, width).astype(np.float64)
        mass = rows.sum(axis=0)
        return np.where(mass > 0, rows / np.where(mass > 0, mass, 1.0), 1.0 / count)

    def save(self, path: str | os.PathLike) -> None:
        """Write a checkpoint; the file appears whole or not at all."""
        self._fetch()
        about, done = np.array([self.form.name, self.name]), np.array(self.iterations)
        with refusing(path), appearing(path) as file:
            np.savez(file, about=about, done=done, **self._stored())  # type: ignore[arg-type]

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same form and rule."""
        self.iterations = resumed(path, [self.form.name, self.name], self._stored(), "done")
        self.sweeps.push()
        self._fresh, self._fetched = False, True

    def _fetch(self) -> None:
        """What was learned, into the sides."""
        if not self._fetched:
            self.sweeps.fetch()
            self._fetched = True

    def _stored(self) -> dict[str, np.ndarray]:
        return {f"{field}{side.me}": getattr(side, field) for side in self.sides for field in STORED}


Matrices = list[tuple[np.ndarray, np.ndarray]]


class CoreSweeps:
    """The products and sweeps on one core; the product is that of the machine. `LaneSweeps` has the same methods."""

    def __init__(self, form: BettingForm, nodes: Nodes, sides: tuple[Side, Side], dtype: Any):
        self.tree, self.nodes, self.sides, self.dtype = form.tree, nodes, sides, dtype
        rows = max(int(side.types[self.tree.stage].sum()) for side in sides)
        self.reach, self.value = np.zeros(rows, dtype), np.zeros(rows, dtype)

    def matrices(self, form: BettingForm) -> Matrices:
        """[stage] joint and edge."""
        parts = [(form.at_stage(form.joint, s), form.at_stage(form.edge, s)) for s in range(form.tree.stages)]
        return [
            (np.ascontiguousarray(joint, self.dtype), np.ascontiguousarray(edge, self.dtype)) for joint, edge in parts
        ]

    def iterate(self, against: Matrices, rule: Any, t: float, keep: float) -> None:
        """Steps 2 to 4 for both players; what is kept of the totals is multiplied by `keep`."""
        for me in (0, 1):
            self.face(me, against)
            self.learn(me, rule, t)
            self.spread(me, keep, 1.0)

    def face(self, me: int, against: Matrices) -> None:
        """Step 2: the products at all ends, without their scales."""
        mine, other = self.sides[me], self.sides[1 - me]
        for s, (joint, edge) in enumerate(against):
            for (low, high), matrix in ((self.tree.folds[s], joint), (self.tree.showdowns[s], edge)):
                if low == high:
                    continue
                given, width = int(other.types[s]), int(mine.types[s])
                begin, to = int(other.row[low]), int(mine.row[low])
                rows = self.reach[begin : begin + (high - low) * given].reshape(high - low, given)
                out = self.value[to : to + (high - low) * width].reshape(high - low, width)
                few = max(1, int(AT_ONCE / (2 * given * width)))
                for n in range(0, high - low, few):
                    np.matmul(rows[n : n + few], matrix.T if me == 0 else matrix, out=out[n : n + few])

    def learn(self, me: int, rule: Any, t: float) -> None:
        """Step 3, from the products."""
        learn(self.nodes, self.sides[me], rule, t, self.value)

    def spread(self, me: int, keep: float, weight: float) -> None:
        """Step 4: the plan of the mixes, added with this weight to what is kept of the total."""
        spread(self.nodes, self.sides[me], keep, weight, self.reach)

    def average(self, me: int) -> None:
        """The average plan in place of the present one."""
        spread_total(self.nodes, self.sides[me], self.reach)

    def respond(self, me: int) -> float:
        """What a best response gets, from the products."""
        return float(respond(self.nodes, self.sides[me], self.value))

    def expect(self, me: int) -> float:
        """What the average plan gets, from the products."""
        return float(expect(self.nodes, self.sides[me], self.sides[me].total, self.value))

    def fetch(self) -> None:
        """Nothing to do: the sides hold what was learned."""

    def push(self) -> None:
        """Nothing to do."""


def _new_side(form: BettingForm, player: int, dtype: Any) -> Side:
    tree = form.tree
    types = np.array([form.types(player, s) for s in range(tree.stages)])
    width = types[tree.stage]
    row = np.concatenate([[0], np.cumsum(width)])[:-1]
    count = np.diff(tree.first)
    size = np.where(tree.player == player, count * width, 0)
    block = np.concatenate([[0], np.cumsum(size)])[:-1]
    owner = np.zeros((tree.stages, int(types[-1])), np.int32)
    for s in range(1, tree.stages):
        begins = form.cuts[player][s][:-1]
        owner[s, : types[s]] = np.searchsorted(form.cuts[player][s - 1], begins, side="right") - 1
    own = tree.player == player
    mix = np.repeat((1.0 / np.maximum(count[own], 1)).astype(dtype), size[own])
    regret, total = (np.zeros(int(size.sum()), dtype) for _ in range(2))
    worth = np.zeros((int(count.max()), int(types[-1])))
    sign = 1.0 if player == 0 else -1.0
    return Side(player, sign, types, row, owner, block, regret, mix, total, np.zeros(1), worth)


def bytes_needed(form: BettingForm, dtype: Any = np.float32) -> int:
    """What a solver of this form allocates."""
    sizes = [[form.types(player, s) for s in range(form.tree.stages)] for player in (0, 1)]
    return bytes_of_sizes(form.tree, sizes, dtype)


def bytes_of_sizes(tree: BettingTree, sizes: Any, dtype: Any = np.float32) -> int:
    """What a solver allocates for a tree and so many types: sizes[player][stage]. Nothing of that size must exist yet."""
    item, count = np.dtype(dtype).itemsize, np.diff(tree.first)
    width = [np.array(sizes[player])[tree.stage] for player in (0, 1)]
    blocks = sum(int((count * width[player])[tree.player == player].sum()) for player in (0, 1))
    rows = max(int(width[player].sum()) for player in (0, 1))
    cells = sum(first * second for first, second in zip(*sizes, strict=True))
    return item * (len(BLOCKS) * blocks + 2 * rows + 2 * cells)
