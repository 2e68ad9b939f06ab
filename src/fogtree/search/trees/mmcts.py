"""MMCTS: multiple-tree Monte Carlo search (Auger 2011, Algorithm 2).

All players search at once, each in a tree of their own, over what they themselves did and saw. A simulation is one game:

    in the tree       a player at a set with statistics lets the bandit choose
    out of the tree   from the first set without statistics on, that player plays at random; the others go on in theirs
    simulate          when nobody is in their tree any more, the judge says what everybody gets
    update            every set on each player's way learns what its player got

So a simulation adds one set a player, where IS-MCTS (`ismcts.py`) adds one in all. One table holds all trees, for a set is
found by its player and view. The paper's bandit is `DeepExp3`, and any other can take its place.

Some players may be fixed: they follow a policy and learn nothing (`onesided.py`).

We differ from the paper in two points. Sets with a single action have nothing to learn and get no statistics. A set is
entered when its player comes to move there, so its first, random move counts.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import as_bandit
from ...bandits.deep_exp3 import DeepExp3
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER
from ...judges import Playout, as_judge
from ...kernels import inlined, kernel
from ...policy import Uniform, draw_chance
from ...strategy import Strategy
from ...text.naming import as_game
from ...walk.slices import Watcher
from .anytime import DEFAULT_MEMORY, Searcher, TreeSearch
from .prior import Even
from .tree import ITERATIONS

LEARNS, OUT, FIXED = 0, 1, 2  # how a player plays


class Players(NamedTuple):
    """How each player plays in this simulation."""

    fixed: np.ndarray  # [players] LEARNS or FIXED
    mode: np.ndarray  # [players] that, or OUT of the tree
    inside: np.ndarray  # [1] how many players are still in their trees
    total: np.ndarray  # [players] payoffs of all simulations


class SomeFixed(NamedTuple):
    """A policy by which some players follow a fixed policy and the rest play at random. A random player who has only one
    action draws no random number."""

    fixed: np.ndarray  # [players] LEARNS or FIXED
    others: Any  # the policy of the fixed ones

    def weigh(self, game, state, player, choice, odds):
        if self.fixed[player] == FIXED:
            return self.others.weigh(game, state, player, choice, odds)
        return Uniform().weigh(game, state, player, choice, odds)

    def draw(self, game, state, player, room, random):
        if self.fixed[player] == FIXED:
            return self.others.draw(game, state, player, room, random)
        count = game.actions(state, room.choice)
        return room.choice[0] if count == 1 else room.choice[dice.below(random, count)]


class Mixing(NamedTuple):
    """A bandit that outputs its final mixture."""

    bandit: Any

    def slots(self, k):
        return self.bandit.slots(k)

    def policy(self, memory, k, out):
        self.bandit.mixture(memory, k, out)


def new_players(fixed: np.ndarray) -> Players:
    return Players(fixed, np.zeros(len(fixed), np.int64), np.zeros(1, np.int64), np.zeros(len(fixed)))


@kernel
def simulate_slice(game, bandit, judge, policy, tree, players, growing, iterations, random):
    """Simulate from the start, players out of their trees and fixed ones by the policy; returns the iterations done
    before the trees were full, or a trouble."""
    need, most = bandit.slots(tree.room.choice.shape[0]), players.mode.shape[0]
    for done in range(iterations):
        if growing and not tree.has_room(need, most):
            return done
        game.start(tree.state)
        tree.room.ear.fresh()
        players.inside[0] = 0
        for p in range(most):
            players.mode[p] = players.fixed[p]
            players.inside[0] += players.fixed[p] == LEARNS
        now = bandit.at(1.0 + tree.used[ITERATIONS])
        length = simulate(game, now, judge, policy, tree, players, growing, random)
        if length < 0:
            return length
        if not tree.room.ear.has_room():
            return done
        for p in range(most):
            players.total[p] += tree.payoff[p]
        tree.learn(now, length)
        tree.used[ITERATIONS] += 1
    return iterations


@inlined
def simulate(game, bandit, judge, policy, tree, players, growing, random):
    """Play one game and write what everybody got; returns the length of the path to learn from, or a trouble."""
    length, state, room, mode = 0, tree.state, tree.room, players.mode
    for _ in range(room.moves):
        player = game.player(state)
        if player == OVER or players.inside[0] == 0:
            break
        if player == CHANCE:
            game.step(state, draw_chance(game, state, room, random))
            continue
        if mode[player] == LEARNS:
            count = game.actions(state, room.choice)
            action = room.choice[0]
            if count > 1:
                view = game.view(state, player)
                i = tree.table.find(view, player)
                if i == NONE:
                    mode[player] = OUT  # from the next decision on
                    players.inside[0] -= 1
                    if growing:
                        i = tree.expand(bandit, view, player, Even().enter(game, state, player, room, count), length)
                if i == NONE:
                    action = policy.draw(game, state, player, room, random)
                else:
                    action = room.choice[tree.choose(bandit, i, player, length, random)]
                    length += 1
        else:
            action = policy.draw(game, state, player, room, random)
        if action < 0:
            return action
        room.ear.note(player, action)
        game.step(state, action)
    trouble = judge.finish(game, state, tree.payoff, room, random)
    return trouble if trouble < 0 else length


class ManyTrees(TreeSearch):
    """What MMCTS and one-sided search share: trees of the players who learn, and a policy for the others."""

    def __init__(self, game: Any, bandit: Any, seed: int, fixed: np.ndarray, others: Any, judge: Any, **limits: float):
        super().__init__(game, bandit, seed, new_sets=len(fixed), extra=lambda: new_players(fixed), **limits)
        self.others = SomeFixed(fixed, others)
        self.judge = Playout(self.others) if judge is None else as_judge(judge)

    def _play(self, **budget: Any) -> None:
        """The budget is that of `TreeSearch._run`."""

        def simulate(searcher: Searcher, count: int) -> int:
            room = searcher.tree, searcher.extra, not searcher.full, count, searcher.random
            return simulate_slice(self.game, self.bandit, self.judge, self.others, *room)

        self._run(simulate, **budget)


class MMCTS(ManyTrees):
    """A search of all players at once, each in a tree of their own, that goes on where it stopped.

        search = MMCTS(PhantomTicTacToe(), seed=1)
        search.run(iterations=500_000)
        exploitability(game, search.strategy())

    The same seed and iterations give the same trees, however they are cut into runs. `judge`, `memory`, `sets` and `threads`
    are those of `ISMCTS`.
    """

    name = "MMCTS"

    def __init__(
        self,
        game: Any,
        bandit: Any = DeepExp3(),  # noqa: B008  (a tuple cannot change)
        seed: int = 0,
        *,
        judge: Any = None,
        memory: float = DEFAULT_MEMORY,
        sets: float = math.inf,
    ):
        game = as_game(game)
        fixed = np.full(game.shape().players, LEARNS, np.int64)
        super().__init__(game, as_bandit(bandit), seed, fixed, Uniform(), judge, memory=memory, sets=sets)

    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        progress: Watcher | None = None,
    ) -> "MMCTS":
        """Search for so many more iterations, each a simulation of the whole game, or for so many seconds."""
        self._play(iterations=iterations, seconds=seconds, threads=threads, progress=progress)
        return self

    def mixture(self) -> Strategy:
        """The final mixture of every set instead of its frequencies."""
        if not hasattr(self.bandit, "mixture"):
            raise Invalid(f"{type(self.bandit).__name__} has no final mixture: a bandit needs a method `mixture`")
        return self._written(Mixing(self.bandit))
