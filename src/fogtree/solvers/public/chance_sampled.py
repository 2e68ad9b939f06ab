"""Chance-sampled CFR on a betting tree (Zinkevich et al. 2007): one deal an iteration, and all that both players may do.

An iteration samples a deal, which fixes the type that each player has at each stage, and who wins at a showdown
(`betting.py`). Then it goes through the betting tree once, and does what CFR does, without the probability of the deal,
because deals come up that often by themselves:

    r(I, a) += pi_other(h) (u(ha) - u(h)),    sum(I, a) += pi_own(h) mix(a)

Both players are updated on the same walk, from the mixes that they had before it. A part of the tree that neither player
would enter adds nothing to any number and is left out. That makes it fast: after some time, most of the tree is left out.

Memory is ordered by player, stage and type, and then by node in the order of a walk that goes deep first, so that what a deal
needs lies side by side, and the numbers of a walk are kept by the order of its queue. A *dealer* is a
`NamedTuple` with one method, `deal(random, out)`: it writes the types of both players at the last stage, and what player 0
wins at a showdown for a stake of 1.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...game import NONE, OVER
from ...kernels import kernel
from ...kernels.memory import fetch_row
from ...walk.slices import memory_cap
from ..forms.infosets import TooLarge
from ..until import run_slices
from .betting import BettingTree

Cuts = tuple[np.ndarray, ...]  # [stage][types of the stage + 1] as in a BettingForm


class Decisions(NamedTuple):
    """The decisions of a betting tree as the walk reads them, in the order of a walk that goes deep first."""

    about: np.ndarray  # [decisions, 4] player | stage | actions | the number among the player's own of the stage
    child: np.ndarray  # [decisions, actions] the next decision, or NONE at an end
    sure: np.ndarray  # [decisions, actions] what player 0 gets at an end, whatever the cards
    stake: np.ndarray  # [decisions, actions] and what is added to it times the luck of player 0
    base: np.ndarray  # [player, stage] where the memory begins
    width: np.ndarray  # [player, stage] how many decisions there are
    part: np.ndarray  # [stage, types of the last stage] the type at a stage

    def place(self, n, deal):
        """Where the memory of a decision is in a deal."""
        me, stage = self.about[n, PLAYER], self.about[n, STAGE]
        return self.base[me, stage] + self.part[stage, deal[me]] * self.width[me, stage] + self.about[n, LOCAL]


PLAYER, STAGE, COUNT, LOCAL = range(4)  # words of Decisions.about
LINE = 8  # numbers of 64 bits in a line of the cache


class Queue(NamedTuple):
    """Scratch for one walk; rows are places in the queue."""

    node: np.ndarray  # [rows] the decisions that are entered, parents first
    reach: np.ndarray  # [rows, player]
    mix: np.ndarray  # [rows, actions]
    below: np.ndarray  # [rows, actions] the row of the next decision, or NONE at an end, or OUT
    value: np.ndarray  # [rows] what player 0 gets
    place: np.ndarray  # [rows] in the memory
    deal: np.ndarray  # [3]


OUT = -2  # a part of the tree that neither player would enter


class Alone(NamedTuple):
    """What is learned, by one walk at a time."""

    memory: np.ndarray  # [sets, columns] regrets, then the sums of mixes
    actions: int  # the column of the first sum

    def soon(self, i):
        fetch_row(self.memory, i)

    def number(self, i, column):
        return self.memory[i, column]

    def add(self, i, column, amount):
        self.memory[i, column] += amount


@kernel
def iterate(tree, dealer, store, queue, iterations, random):
    """Walk the tree for so many deals. Returns how many decisions were entered."""
    entered = 0
    for _ in range(iterations):
        dealer.deal(random, queue.deal)
        entered += walk(tree, store, queue)
    return entered


def walk(tree, store, queue):
    """Walk the tree for the deal of the queue, and learn. Returns how many decisions were entered."""
    node, reach, mix, below, value, place, deal = queue
    luck = np.float64(deal[2])
    node[0], place[0], count, q = 0, tree.place(0, deal), 1, 0
    reach[0, 0] = reach[0, 1] = 1.0
    while q < count:  # parents first; every decision enters the queue once at most
        n, i = node[q], place[q]
        me, k = tree.about[n, PLAYER], tree.about[n, COUNT]
        mass = 0.0
        for a in range(k):
            mix[q, a] = max(store.number(i, a), 0.0)
            mass += mix[q, a]
        scale = 1.0 / mass if mass > 0.0 else 0.0
        mine, theirs = reach[q, me], reach[q, 1 - me]
        for a in range(k):
            mix[q, a] = mix[q, a] * scale if mass > 0.0 else 1.0 / k
            share = mine * mix[q, a]
            if share > 0.0:
                store.add(i, store.actions + a, share)
            c = tree.child[n, a]
            if c == NONE:
                below[q, a] = NONE
            elif share > 0.0 or theirs > 0.0:
                below[q, a] = count
                node[count], place[count] = c, tree.place(c, deal)
                store.soon(place[count])
                reach[count, me], reach[count, 1 - me] = share, theirs
                count += 1
            else:
                below[q, a] = OUT
        q += 1
    for q in range(count - 1, -1, -1):  # children first
        n, i = node[q], place[q]
        me, k = tree.about[n, PLAYER], tree.about[n, COUNT]
        worth = 0.0
        for a in range(k):
            c = below[q, a]
            got = value[c] if c >= 0 else tree.sure[n, a] + tree.stake[n, a] * luck  # of what is left out: 0
            worth += mix[q, a] * got
            mix[q, a] = got  # the mix is not needed any more
        value[q] = worth
        weight = reach[q, 1 - me] if me == 0 else -reach[q, 1 - me]
        if weight != 0.0:
            for a in range(k):
                store.add(i, a, weight * (mix[q, a] - worth))
    return count


class Layout(NamedTuple):
    """Where what is learned lies in the memory [sets, row]."""

    walked: Decisions
    place: dict[int, int]  # the number that a node of the tree has among the decisions
    cuts: Cuts
    actions: int
    sets: int
    row: int

    def queue(self) -> Queue:
        rows, wide = len(self.walked.about), (len(self.walked.about), self.actions)
        numbers = np.zeros(rows), np.zeros(rows, np.int64)
        return Queue(
            np.zeros(rows, np.int64),
            np.zeros((rows, 2)),
            np.zeros(wide),
            np.zeros(wide, np.int64),
            *numbers,
            np.zeros(3, np.int64),
        )

    def table(self, memory: np.ndarray, node: int) -> np.ndarray:
        """[action, type] the average strategy at a decision node; uniform where it never goes."""
        walked, n = self.walked, self.place[node]
        player, stage, count, local = walked.about[n].tolist()
        types, actions = len(self.cuts[stage]) - 1, self.actions
        at = walked.base[player, stage] + np.arange(types) * walked.width[player, stage] + local
        rows = memory[at, actions : actions + count].T
        mass = rows.sum(axis=0)
        return np.where(mass > 0, rows / np.where(mass > 0, mass, 1.0), 1.0 / count)


def layout(tree: BettingTree, cuts: Cuts, memory: float | None) -> Layout:
    """The layout for a tree; TooLarge if it does not fit in so many bytes, None for those of this machine."""
    types = np.array([len(cut) - 1 for cut in cuts])
    actions = int(np.diff(tree.first).max())
    sets = int(types @ tree.decisions())
    row = -(-2 * actions // LINE) * LINE  # so that what a visit needs is not spread over two lines of the cache
    need, cap = 8 * sets * row, memory_cap(memory)
    if need > cap:
        gigabytes = f"{need / 2**30:.2f} GiB for {sets:,} information sets, and {cap / 2**30:.2f} are allowed"
        raise TooLarge(f"chance-sampled CFR needs {gigabytes}")
    return Layout(*_walked(tree, cuts, actions), cuts, actions, sets, row)


class ChanceSampled:
    """Chance-sampled CFR that can be stopped and continued.

        buckets = Buckets(game, 5)
        cfr = ChanceSampled(betting_tree(game), nested(5, game.rounds), buckets.dealer())
        cfr.run(iterations=1_000_000)
        cfr.table(node)

    The same seed and iterations give the same result, however they are divided into runs.
    """

    def __init__(self, tree: BettingTree, cuts: Cuts, dealer: Any, seed: int = 0, *, memory: float | None = None):
        self.dealer, self.layout = dealer, layout(tree, cuts, memory)
        self.iterations = self.entered = 0
        self.memory = _aligned(self.layout.sets, self.layout.row)
        self.random, self.queue = dice.seeded(seed), self.layout.queue()

    run = run_slices

    def _iterate(self, count: int) -> int:
        store = Alone(self.memory, self.layout.actions)
        self.entered += int(iterate(self.layout.walked, self.dealer, store, self.queue, count, self.random))
        self.iterations += count
        return count

    def table(self, node: int) -> np.ndarray:
        """[action, type] the average strategy at a decision node; uniform where it never goes."""
        return self.layout.table(self.memory, node)


def _aligned(rows: int, columns: int) -> np.ndarray:
    """A table of zeros whose rows begin at a line of the cache."""
    room = np.zeros(rows * columns + LINE)
    skip = (-room.ctypes.data // room.itemsize) % LINE
    return room[skip : skip + rows * columns].reshape(rows, columns)


def _walked(tree: BettingTree, cuts: Cuts, actions: int) -> tuple[Decisions, dict[int, int]]:
    """The decisions of a tree, and the number that each of its nodes has among them."""
    order, ahead = list[int](), [0]
    while ahead:
        n = ahead.pop()
        if tree.player[n] != OVER:
            order.append(n)
            ahead += tree.below(n)[::-1]
    place = {n: at for at, n in enumerate(order)}
    shown = tree.shown()
    about = np.zeros((len(order), 4), np.int32)
    child = np.full((len(order), actions), NONE, np.int32)
    sure, stake = np.zeros((2, len(order), actions), np.float32)
    width = np.zeros((2, tree.stages), np.int64)
    for at, n in enumerate(order):
        player, stage = int(tree.player[n]), int(tree.stage[n])
        below = tree.below(n)
        about[at] = player, stage, len(below), width[player, stage]
        width[player, stage] += 1
        for a, c in enumerate(below):
            if tree.player[c] != OVER:
                child[at, a] = place[c]
            else:
                (stake if shown[c] else sure)[at, a] = tree.scale[c]
    types = np.array([len(cut) - 1 for cut in cuts])
    base = np.concatenate([[0], np.cumsum((width * types).ravel())])[:-1].reshape(width.shape)
    part = np.array([np.searchsorted(cut, np.arange(types[-1]), side="right") - 1 for cut in cuts])
    return Decisions(about, child, sure, stake, base, width, part), place
