"""Many searches with open cards at once: a decision in each lane (`kernels/lanes.py`), with trees, worlds and dice of its
own.

A decision is some states that the player to move cannot tell apart, each with a weight. A lane draws worlds from them by one
throw of the dice, a comb of equal steps, so that each state comes as often as it should, or once more; where there are as
many worlds as states, all equally likely, each is a world. Then it searches them as `pimc.py` does, simulation by simulation,
and writes what it found.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits.tuned import UCB1Tuned
from ...errors import Invalid
from ...game import NONE, legal
from ...judges import Playout, Room
from ...kernels.engines import chosen, on
from ...kernels.lanes import CPU
from ...trouble import ENDLESS, require_fine
from ...walk import table as tables
from ...walk.slices import Budget, Progress, Watcher, in_slices, whole
from ..trees.ear import Deaf
from ..trees.many import TOGETHER
from ..trees.tree import ENDLESS_SETS, LIMIT, Tree
from .opinion import Opinion, Verdict
from .pimc import PIMC, SUM, TIMES, Trees, new_trees, opinion_of, roomy, simulate_once

TOLD_BYTES = 1 << 30  # of what lanes write before it is read


class Own(NamedTuple):
    """The trees of a lane, its worlds, and the room in which it simulates: the arrays of `pimc.Trees`."""

    closed_slot: np.ndarray  # [capacity, 2]
    closed_entries: np.ndarray  # [1]
    closed_memory: np.ndarray
    closed_action: np.ndarray
    closed_used: np.ndarray  # [5]
    closed_payoff: np.ndarray  # [players]
    closed_path: np.ndarray  # [moves, 4]
    closed_odds: np.ndarray  # [moves]
    open_slot: np.ndarray  # the same of the open tree
    open_entries: np.ndarray
    open_memory: np.ndarray
    open_action: np.ndarray
    open_used: np.ndarray
    open_payoff: np.ndarray
    open_path: np.ndarray
    open_odds: np.ndarray
    state: np.ndarray  # [words]
    told: np.ndarray  # [worlds, actions, 2]
    worlds: np.ndarray  # [worlds, words]
    choice: np.ndarray  # [actions]
    weight: np.ndarray  # [actions]
    random: np.ndarray  # [4]


def clear(slot, entries, memory, used):
    """A tree without sets. The scratch of a lane holds anything when it starts."""
    for i in range(slot.shape[0]):
        slot[i, tables.OWNER] = tables.EMPTY
    entries[0] = 0
    memory[:] = 0.0
    used[:] = 0
    used[LIMIT] = ENDLESS_SETS


class Decisions(NamedTuple):
    """Work: lane n searches decision n % decisions with the seed n // decisions, and writes for each of its actions how often
    it was taken in each world and what it brought there; or, where the first decision is made for all worlds together, what
    the bandit of the closed tree outputs."""

    game: Any
    above: Any
    inner: Any
    judge: Any
    seed: np.ndarray  # [seeds, 4]
    iterations: int
    depth: int
    closed_shift: int  # of the tables: 64 - log2(capacity)
    open_shift: int
    moves: int  # what shape() says
    low: float
    high: float
    state: np.ndarray  # [states, words]
    total: np.ndarray  # [states] the weights of the decision's states up to this one, it included
    first: np.ndarray  # [decisions + 1] where the states of each begin
    told: np.ndarray  # [rows, worlds or 1, actions, 2] by lane, round and round
    trouble: np.ndarray  # [rows]

    def writes(self):
        return ("told", "trouble")

    def lane(self, number, own):
        decisions = self.first.shape[0] - 1
        i, row = number % decisions, number % self.trouble.shape[0]
        dice.of_lane(self.seed[number // decisions], i, own.random)
        self.draw(i, own)
        clear(own.closed_slot, own.closed_entries, own.closed_memory, own.closed_used)
        clear(own.open_slot, own.open_entries, own.open_memory, own.open_used)
        own.told[:] = 0.0
        room = Room(own.choice, own.weight, Deaf(), self.moves, self.low, self.high)
        closed = Tree(
            tables.Table(own.closed_slot, own.closed_entries, self.closed_shift),
            own.closed_memory,
            own.closed_action,
            own.closed_used,
            own.state,
            own.closed_payoff,
            own.closed_path,
            own.closed_odds,
            room,
        )
        opened = Tree(
            tables.Table(own.open_slot, own.open_entries, self.open_shift),
            own.open_memory,
            own.open_action,
            own.open_used,
            own.state,
            own.open_payoff,
            own.open_path,
            own.open_odds,
            room,
        )
        trees, worlds = Trees(closed, opened, own.told), own.worlds
        me = self.game.player(worlds[0])
        self.trouble[row] = 0
        for _ in range(self.iterations):
            wrong = simulate_once(
                self.game, self.above, self.inner, self.judge, trees, worlds, me, self.depth, True, own.random
            )
            if wrong < 0:
                self.trouble[row] = wrong
                return
        self.write(row, closed, own, me)

    def draw(self, i, own):
        """Draw the worlds of a decision."""
        low, high = self.first[i], self.first[i + 1]
        comb, at, count = dice.unit(own.random), low, own.worlds.shape[0]
        for world in range(count):
            mark = (world + comb) / count * self.total[high - 1]
            while at + 1 < high and self.total[at] <= mark:
                at += 1
            for word in range(own.worlds.shape[1]):
                own.worlds[world, word] = self.state[at, word]

    def write(self, row, closed, own, me):
        """Write what was found."""
        if self.depth == 0:
            for world in range(own.told.shape[0]):
                for a in range(own.told.shape[1]):
                    self.told[row, world, a, TIMES] = own.told[world, a, TIMES]
                    self.told[row, world, a, SUM] = own.told[world, a, SUM]
            return
        count = self.game.actions(own.worlds[0], own.choice)
        found = closed.table.find(self.game.view(own.worlds[0], me), me)
        if found == NONE:
            self.trouble[row] = ENDLESS  # it cannot be: each simulation begins there
            return
        begin, end = closed.span(self.above, found)
        self.above.policy(own.closed_memory[begin:end], count, own.weight)
        for a in range(count):
            self.told[row, 0, a, TIMES] = own.weight[a]


class Searching(NamedTuple):
    """A search with open cards: its bandits, and how large it is."""

    game: Any
    inner: Any
    above: Any
    judge: Any
    depth: int
    worlds: int
    iterations: int

    def at_all(
        self,
        state: np.ndarray,
        total: np.ndarray,
        first: np.ndarray,
        seeds: np.ndarray,
        *,
        device: str = CPU,
        cores: int | None = 1,
        progress: Watcher | None = None,
    ) -> np.ndarray:
        """[seeds, decisions, worlds or 1, actions, 2] what searches at all decisions found, once for each seed [seeds, 4]."""
        shape, decisions = self.game.shape(), len(first) - 1
        wide = self.worlds if self.depth == 0 else 1
        told = np.zeros((len(seeds) * decisions, wide, shape.actions, 2))
        if not len(told):
            return told.reshape(len(seeds), decisions, wide, shape.actions, 2)
        own, shifts = self._scratch()
        rows = min(len(told), max(1, TOLD_BYTES // told[0].nbytes))
        limits = *shifts, shape.moves, float(shape.low), float(shape.high)
        kept = np.zeros((rows, *told.shape[1:])), np.zeros(rows, np.int64)
        parts = self.game, self.above, self.inner, self.judge, seeds, self.iterations, self.depth
        work = Decisions(*parts, *limits, state, total, first, *kept)
        lanes = on(chosen(device, len(told)), work, own, cores=cores)
        done = 0

        def some(count: int) -> int:
            nonlocal done
            count = min(count, rows - done % rows)
            lanes.run(done, count)
            lanes.fetch()
            written = slice(done % rows, done % rows + count)
            require_fine(int(work.trouble[written].min(initial=0)), self.game, "the policy of the judge")
            told[done : done + count] = work.told[written]
            done += count
            return count

        def tell() -> None:
            if progress:
                progress(Progress("searches", done, len(told)))

        begin = 1 if lanes.device == CPU else max(lanes.start, TOGETHER // self.iterations)
        in_slices(some, Budget(iterations=len(told)), tell=tell, first=begin, pace=lanes.pace)
        return told.reshape(len(seeds), decisions, wide, shape.actions, 2)

    def _scratch(self) -> tuple[Own, tuple[int, int]]:
        """The scratch of a lane, in which all iterations fit, and the shifts of its two tables."""
        shape = self.game.shape()
        made = new_trees(shape, self.above, self.inner, self.worlds)
        closed, opened, told = roomy(made, self.above, self.inner, self.iterations, self.depth)
        arrays = [
            array for tree in (closed, opened) for array in (tree.table.slot, tree.table.used, *tree[1:4], *tree[5:8])
        ]
        rest = [
            closed.state,
            told,
            np.zeros((self.worlds, shape.words), np.int64),
            np.zeros(shape.actions, np.int64),
            np.zeros(shape.actions),
            np.zeros(4, np.uint64),
        ]
        own = Own(*arrays, *rest)
        return own, (closed.table.shift, opened.table.shift)


def think_many(
    game: Any,
    decisions: Sequence[Any],
    inner: Any = UCB1Tuned(),  # noqa: B008  (a tuple cannot change)
    above: Any = None,
    *,
    depth: int = 0,
    iterations: int,
    verdict: Verdict = Verdict.VOTES,
    judge: Any = Playout(),  # noqa: B008
    seed: int = 0,
    device: str = CPU,
    cores: int | None = None,
    progress: Watcher | None = None,
) -> list[Opinion]:
    """What PIMC thinks of many decisions, each given by its worlds [worlds, words], the same number for all. Decision n
    throws the dice of lane n of the seed, on every device."""
    alone = PIMC(game, inner, above, depth=depth)  # refuses what cannot search here
    game, given = alone.game, [np.ascontiguousarray(worlds, np.int64) for worlds in decisions]
    words = game.shape().words
    if not given or any(w.ndim != 2 or w.shape != given[0].shape or not len(w) or w.shape[1] != words for w in given):
        raise Invalid(f"decisions are given by their worlds, the same number for each, of {words} words")
    with np.errstate(over="ignore"):
        listed = [legal(game, worlds[0]) for worlds in given]
        if any(game.player(worlds[0]) < 0 for worlds in given):
            raise Invalid("nobody is to move in the worlds, so there is nothing to search")
    count = len(given[0])
    above = alone.above._replace(worlds=count) if hasattr(alone.above, "worlds") else alone.above
    search = Searching(game, alone.inner, above, judge, depth, count, whole(iterations, "iterations", 1))
    choices = [n for n, actions in enumerate(listed) if len(actions) > 1]
    first, total = np.arange(len(choices) + 1) * count, np.tile(np.arange(1.0, count + 1), len(choices))
    state = np.concatenate([given[n] for n in choices]) if choices else np.zeros((0, words), np.int64)
    how: dict[str, Any] = {"device": device, "cores": cores, "progress": progress}
    found = iter(search.at_all(state, total, first, dice.seeded(seed)[None], **how)[0])
    return [
        opinion_of(next(found) if len(actions) > 1 else np.zeros((count, 1, 2)), actions, depth, verdict, iterations)
        for actions in listed
    ]
