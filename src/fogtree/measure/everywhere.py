"""The strategy that a search with open cards really plays: it is run at every information set of a game, in compiled
code.

An agent that searches (`search/worlds/pimc.py`) has no strategy that is written down: at each of its moves it draws worlds
and searches anew. Here the same search is run at each information set, from worlds drawn in proportion to their weight, as
the agent does: the weight of a state is the probability of all moves that were not the player's own, if everybody else
plays at random. What it would play there is one pure choice; the mean over many runs is the strategy that sits at the
table. Its exploitability is then computed exactly (`exploitability.py`).

The noise of few runs makes a strategy look worse than it is, for a best response exploits the noise too.

Agents are measured by `arena/soundness.py`, in games that fit into memory, and these searches with it. In larger games
`reached.py` runs them at the sets that their own play can reach.
"""

import copy
import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..game import CHANCE, OVER, identity, legal
from ..judges import Playout
from ..kernels.lanes import CPU
from ..search.worlds.many import Searching
from ..search.worlds.openly import solved
from ..search.worlds.opinion import Verdict
from ..search.worlds.pimc import SUM, TIMES
from ..strategy import Strategy
from ..walk import table as tables
from ..walk.slices import Watcher, whole
from ..walk.whole import walk_through

FIRST_ROWS = 1 << 12


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

    def at(self, numbers: Sequence[int]) -> "Places":
        """Some of the sets."""
        size = np.diff(self.first)[numbers]
        begins = np.concatenate([[0], np.cumsum(size)])
        rows = np.repeat(self.first[numbers] - begins[:-1], size) + np.arange(begins[-1])
        actions = [self.actions[n] for n in numbers]
        return Places(
            self.game, begins, self.player[numbers], self.view[numbers], self.state[rows], self.total[rows], actions
        )


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


class Everywhere:
    """Runs a search with open cards at every information set.

    where = Everywhere(places(game), inner, above, depth=1, worlds=20, iterations=500)
    where.weights(seed)      # [sets, actions] the score of each action in one run: the highest is played

    A search is a lane (`search/worlds/many.py`): `device="cuda"` runs them on a GPU, with the same numbers.
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
        device: str = CPU,
        cores: int | None = 1,
    ):
        worlds, above = whole(worlds, "worlds", 1), inner if above is None else above
        if hasattr(above, "worlds"):
            above = above._replace(worlds=worlds)
        sizes = whole(depth, "depth"), worlds, whole(iterations, "iterations", 1)
        self.where, self.verdict, self.device, self.cores = where, verdict, device, cores
        self.search = Searching(where.game, inner, above, judge, *sizes)

    def weights(self, seed: int, *path: int) -> np.ndarray:
        """[sets, actions] The score of each action in one run: the highest is played."""
        return self.runs([(seed, *path)])[0]

    def runs(self, seeds: Sequence[tuple[int, ...]], progress: Watcher | None = None) -> list[np.ndarray]:
        """The same for several runs, each with a seed and a path. Every set of every run is a lane."""
        where, random = self.where, np.array([dice.seeded(*seed) for seed in seeds]).reshape(-1, 4)
        how: dict[str, Any] = {"device": self.device, "cores": self.cores, "progress": progress}
        told = self.search.at_all(where.state, where.total, where.first, random, **how)
        if self.search.depth:
            return [run[:, 0, :, TIMES] for run in told]
        return [_together(run, self.verdict) for run in told]

    def at(self, where: Places) -> "Everywhere":
        """The same search at other sets of the game."""
        other = copy.copy(self)
        other.where = where
        return other

    def strategy(self, seed: int, runs: int, progress: Watcher | None = None) -> Strategy:
        """The mean of what so many runs would play. `progress` is called after each slice with the number of searches."""
        return mean_strategy(self.where, self.runs([(seed, run) for run in range(runs)], progress))


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
