"""The strategy that a search with open cards really plays: it is run at every information set of a game, in compiled
code.

An agent that searches (`search/worlds/pimc.py`) has no strategy that is written down: at each of its moves it draws worlds
and searches anew. Here the same search is run at each information set, from worlds drawn in proportion to their weight, as
the agent does: the weight of a state is the probability of all moves that were not the player's own, if everybody else
plays at random. What it would play there is one pure choice; the mean over many runs is the strategy that sits at the
table. Its exploitability is then computed exactly (`exploitability.py`).

The noise of few runs makes a strategy look worse than it is, for a best response exploits the noise too.

What somebody really plays is found in three ways, and `written` makes a strategy of what each finds:

    everywhere.py       a search with open cards, at every information set
    reached.py          the same search, only at the sets that its own play can reach
    arena/played.py     any agent, asked in Python at every information set
"""

import copy
import itertools
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..game import CHANCE, NONE, OVER, identity, legal
from ..judges import Playout
from ..kernels import kernel
from ..search.worlds.openly import solved
from ..search.worlds.opinion import Verdict
from ..search.worlds.pimc import SUM, TIMES, forget, new_trees, roomy, simulate_once
from ..strategy import Strategy
from ..trouble import ENDLESS, require_fine
from ..walk import table as tables
from ..walk.slices import whole
from ..walk.whole import walk_through

FIRST_ROWS = 1 << 12
SLICE = 64  # information sets


class Met(NamedTuple):
    """The states in which a player has to decide, as they are met, and the information set of each."""

    table: tables.Table  # (view, player) -> set
    owner: np.ndarray  # [states] the set
    state: np.ndarray  # [states, words]
    weight: np.ndarray  # [states]
    used: np.ndarray  # [1] states

    def full(self):
        return self.table.full() or self.used[0] == self.owner.shape[0]

    def put(self, state, view, player, weight):
        at = self.used[0]
        self.owner[at], self.weight[at] = self.table.add(view, player), weight
        for word in range(state.shape[0]):
            self.state[at, word] = state[word]
        self.used[0] += 1

    def grown(self) -> "Met":
        """With room for twice as many. Only Python calls it."""
        for array in (self.owner, self.state, self.weight):
            array.resize((2 * len(array), *array.shape[1:]), refcheck=False)
        return self._replace(table=self.table.grown()) if self.table.full() else self

    def in_order(self) -> tuple[np.ndarray, ...]:
        """The states set by set: where each set begins, the states and their weights; then the view and the player of each
        set. Only Python calls it."""
        count = int(self.used[0])
        order = np.argsort(self.owner[:count], kind="stable")
        owner, state, weight = self.owner[order], self.state[order], self.weight[order]
        first = np.searchsorted(owner, np.arange(int(self.table.used[0]) + 1))
        slot = self.table.slot[self.table.slot[:, tables.OWNER] != tables.EMPTY]
        view, player = np.zeros((2, len(first) - 1), np.int64)
        view[slot[:, tables.OWNER] >> 8] = slot[:, tables.VIEW]
        player[slot[:, tables.OWNER] >> 8] = slot[:, tables.OWNER] & 255
        return first, state, weight, view, player


def nothing_met(shape: Any) -> Met:
    owner, state = np.zeros(FIRST_ROWS, np.int64), np.zeros((FIRST_ROWS, shape.words), np.int64)
    return Met(tables.empty(1 << 10), owner, state, np.zeros(FIRST_ROWS), np.zeros(1, np.int64))


class Decisions(NamedTuple):
    """A visitor (`walk/whole.py`) that notes every state in which a player has a choice."""

    met: Met
    reach: np.ndarray  # [moves + 2, players] the probability of all moves before that were not the player's own
    odds: np.ndarray  # [moves + 2, actions] of the moves at the histories on the path
    mover: np.ndarray  # [moves + 2]

    def room(self):
        return not self.met.full()

    def enter(self, game, state, player, action, count, depth):
        self.mover[depth] = player
        if player == CHANCE:
            game.odds(state, self.odds[depth])
        elif player != OVER:
            for a in range(count):
                self.odds[depth, a] = 1.0 / count
            if count > 1:
                self.met.put(state, game.view(state, player), player, self.reach[depth, player])
        return count

    def descend(self, depth, position):
        for player in range(self.reach.shape[1]):
            own = player == self.mover[depth]
            self.reach[depth + 1, player] = self.reach[depth, player] * (1.0 if own else self.odds[depth, position])


class Places(NamedTuple):
    """The information sets of a game at which there is a choice, and the states of each."""

    game: Any
    first: np.ndarray  # [sets + 1] the states of set i are first[i] to first[i + 1] - 1
    player: np.ndarray  # [sets]
    view: np.ndarray  # [sets]
    state: np.ndarray  # [states, words]
    total: np.ndarray  # [states] the sum of the weights of its set, up to this one
    actions: list[list[int]]  # [sets]


def places(game: Any) -> Places:
    """All information sets with a choice, by one walk over the game."""
    shape = game.shape()
    rows = shape.moves + 2
    path = np.ones((rows, shape.players)), np.zeros((rows, shape.actions)), np.zeros(rows, np.int64)
    made, _ = walk_through(game, Decisions(nothing_met(shape), *path), lambda full: full._replace(met=full.met.grown()))
    first, state, weight, view, player = made.met.in_order()
    total = np.concatenate([np.cumsum(weight[a:b]) for a, b in itertools.pairwise(first)] or [weight])
    with np.errstate(over="ignore"):
        actions = [legal(game, state[i]) for i in first[:-1]]
    return Places(game, first, player, view, state, total, actions)


def nowhere(game: Any) -> Places:
    """No set at all, for a search that is handed its sets later."""
    none = np.zeros(0, np.int64)
    return Places(game, np.zeros(1, np.int64), none, none, np.zeros((0, game.shape().words), np.int64), np.zeros(0), [])


@kernel
def search_sets(
    game, above, inner, judge, trees, state, total, first, begin, end, worlds, depth, iterations, random, out
):
    """Search at the sets from `begin` to `end` - 1, and write for each the weight of every action: its policy where the
    first decision is made at the set, else how often it was taken in each world. Returns 0 or a trouble."""
    closed, opened, told = trees
    for i in range(begin, end):
        low, high = first[i], first[i + 1]
        comb = dice.unit(random)
        at = low
        for world in range(worlds.shape[0]):
            mark = (world + comb) / worlds.shape[0] * total[high - 1]
            while at + 1 < high and total[at] <= mark:
                at += 1
            for word in range(state.shape[1]):
                worlds[world, word] = state[at, word]
        forget(trees, worlds.shape[0])
        me = game.player(worlds[0])
        for _ in range(iterations):
            trouble = simulate_once(game, above, inner, judge, trees, worlds, me, depth, True, random)
            if trouble < 0:
                return trouble
        if depth == 0:
            for world in range(worlds.shape[0]):
                for a in range(told.shape[1]):
                    out[i, world, a, TIMES] = told[world, a, TIMES]
                    out[i, world, a, SUM] = told[world, a, SUM]
        else:
            count = game.actions(worlds[0], opened.room.choice)
            found = closed.table.find(game.view(worlds[0], me), me)
            if found == NONE:
                return ENDLESS  # it cannot be: each simulation begins there
            begins, ends = closed.span(above, found)
            above.policy(closed.memory[begins:ends], count, opened.room.odds)
            for a in range(count):
                out[i, 0, a, TIMES] = opened.room.odds[a]
    return 0


class Everywhere:
    """Runs a search with open cards at every information set.

    where = Everywhere(places(game), inner, above, depth=1, worlds=20, iterations=500)
    where.weights(seed)      # [sets, actions] the score of each action in one run: the highest is played
    """

    def __init__(
        self,
        where: Places,
        inner: Any,
        above: Any = None,
        *,
        depth: int = 0,
        worlds: int = 20,
        iterations: int = 500,
        verdict: Verdict = Verdict.VOTES,
        judge: Any = Playout(),  # noqa: B008  (a tuple cannot change)
    ):
        self.where, self.inner, self.above = where, inner, inner if above is None else above
        self.worlds, self.iterations = whole(worlds, "worlds", 1), whole(iterations, "iterations", 1)
        self.depth, self.verdict, self.judge = whole(depth, "depth"), verdict, judge
        if hasattr(self.above, "worlds"):
            self.above = self.above._replace(worlds=self.worlds)
        shape = where.game.shape()
        self.trees = roomy(new_trees(shape, self.above, inner, self.worlds), self.above, inner, iterations, depth)

    def weights(self, seed: int, *path: int) -> np.ndarray:
        """[sets, actions] The score of each action in one run: the highest is played."""
        where, shape = self.where, self.where.game.shape()
        sets = len(where.player)
        told = np.zeros((sets, self.worlds if self.depth == 0 else 1, shape.actions, 2))
        room, random = np.zeros((self.worlds, shape.words), np.int64), dice.seeded(seed, *path)
        parts = where.game, self.above, self.inner, self.judge, self.trees, where.state, where.total, where.first
        for begin in range(0, sets, SLICE):
            end = min(begin + SLICE, sets)
            made = search_sets(*parts, begin, end, room, self.depth, self.iterations, random, told)
            require_fine(made, where.game, "the policy of the judge")
        if self.depth:
            return told[:, 0, :, TIMES]
        return _together(told, self.verdict)

    def at(self, where: Places) -> "Everywhere":
        """The same search at other sets of the game."""
        other = copy.copy(self)
        other.where = where
        return other

    def strategy(self, seed: int, runs: int) -> Strategy:
        """The mean of what so many runs would play."""
        return mean_strategy(self.where, [self.weights(seed, run) for run in range(runs)])


def _together(told: np.ndarray, verdict: Verdict) -> np.ndarray:
    """[sets, actions] The votes of the worlds, or the mean of their means."""
    times, total = told[..., TIMES], told[..., SUM]
    if verdict is Verdict.VOTES:
        most = (times == times.max(axis=2, keepdims=True)) & (times > 0)
        return (most / np.maximum(most.sum(axis=2, keepdims=True), 1)).mean(axis=1)
    tried = times > 0
    mean = np.divide(total, times, out=np.zeros(times.shape), where=tried).sum(axis=1)
    count = tried.sum(axis=1)
    return np.divide(mean, count, out=np.full(count.shape, -math.inf), where=count > 0)


def solved_everywhere(where: Places, verdict: Verdict) -> np.ndarray:
    """[sets, actions] The score of each action where all states of a set are solved with open cards, each by its
    weight: what PIMC with exact inner search comes to with ever more worlds."""
    out = np.full((len(where.player), where.game.shape().actions), -math.inf)
    for i, actions in enumerate(where.actions):
        low, high = where.first[i], where.first[i + 1]
        share = np.diff(where.total[low:high], prepend=0.0) / where.total[high - 1]
        opinion = solved(where.game, where.state[low:high], verdict)
        value = opinion.mean
        if verdict is Verdict.VOTES:
            value = opinion.times / opinion.times.sum(axis=1, keepdims=True)
        out[i, : len(actions)] = np.round(share @ value, 12)
    return out


def mean_strategy(where: Places, runs: list[np.ndarray]) -> Strategy:
    """The strategy that plays the best action of each run equally often; equal actions of a run share."""
    return written(where.game, where.player, where.view, where.actions, shares(where, runs))


def written(game: Any, player: Any, view: Any, actions: Iterable[Any], mix: np.ndarray) -> Strategy:
    """What is played at some sets, as a strategy: mix [sets, actions] are the probabilities of the actions of each set. Those
    that are never played are left out."""
    action = np.zeros(mix.shape, np.int64)
    for i, listed in enumerate(actions):
        action[i, : len(listed)] = listed
    played = mix > 0.0
    first = np.concatenate([[0], np.cumsum(played.sum(axis=1))])
    return Strategy(identity(game), player, view, first, action[played], mix[played])


def shares(where: Places, runs: list[np.ndarray]) -> np.ndarray:
    """[sets, actions] How often each action is the best one of a run; equal actions of a run share."""
    legal = np.arange(runs[0].shape[1]) < np.array([len(actions) for actions in where.actions])[:, None]
    mix = np.zeros(legal.shape)
    for weight in runs:
        top = legal & (weight == np.max(weight, axis=1, where=legal, initial=-math.inf)[:, None])
        mix += top / top.sum(axis=1, keepdims=True) / len(runs)
    return mix
