"""MMDS: one regularised step of improvement at the table, from a base policy (Sokota, Farina, Wu, Hu, Wang, Kolter and Brown
2024, on update equivalence: magnetic mirror descent as search).

A solver that improves a policy pi by small regularised steps makes, at each information set, the step

    new(a)  proportional to  [ pi(a) rho(a)^(eta tau) exp(eta q(a)) ]^(1 / (1 + eta tau))

where q(a) is what a brings on average, if everybody plays by pi from there on, and rho is a magnet, here the even mix. The
same step can be made at the table alone, at the information set that has come up: then q(a) is estimated in worlds that the
player holds possible, by playing a and going on by pi.

    eta     how far one step goes. 0 plays the base policy; a large one with tau = 0 plays the best action
    tau     how strongly the magnet pulls towards the even mix
    q       in shares of the range of payoffs: 0 is the lowest payoff and 1 the highest; in a game that is won or lost, the
            chance to win. The published setting of a player of Stratego is eta = 50, eta tau = 0.1

The step needs no tree, no equilibrium and no public knowledge, only worlds and a policy. Any number of players is welcome,
and partners need nothing special, because q is what the player gets. Where everybody makes the step at every information set,
it is an iteration of magnetic mirror descent. In games of two sides a single step is an approximation: nothing says that the
mean of many such players is hard to exploit.

A simulation draws a world evenly, then a bandit chooses which action it tries there, and a judge ends it. Actions that were
not tried count as worth what pi expects of the others. No algorithm here knows which game it plays.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import as_bandit
from ...bandits.tuned import UCB1Tuned
from ...errors import Invalid
from ...game import legal
from ...judges import Playout, as_judge, new_room
from ...kernels import kernel
from ...policy import Uniform, as_policy
from ...text.naming import as_game
from ...trouble import require_fine
from ...walk.slices import Progress, Watcher, budget, in_slices, number, telling
from .opinion import Opinion

ETA, TAU = 50.0, 0.002
TIMES, SUM = 0, 1  # what is kept of an action in a world
SLICE = 1 << 8  # simulations before the clock is read for the first time


class Scratch(NamedTuple):
    """The room in which simulations run."""

    state: np.ndarray  # [words]
    payoff: np.ndarray  # [players]
    memory: np.ndarray  # of the bandit
    room: Any


@kernel
def simulate(game, bandit, judge, worlds, actions, me, told, scratch, count, random):
    """So many simulations; adds what each first action brought in each world to told [worlds, actions, 2]. Returns how many
    were made, or a trouble."""
    state, payoff, memory, room = scratch
    width = actions.shape[0]
    for _ in range(count):
        world = dice.below(random, worlds.shape[0])
        for word in range(worlds.shape[1]):
            state[word] = worlds[world, word]
        chosen, probability = bandit.choose(memory, width, random)
        game.step(state, actions[chosen])
        trouble = judge.finish(game, state, payoff, room, random)
        if trouble < 0:
            return trouble
        bandit.learn(memory, width, chosen, probability, bandit.reward(payoff[me], room.low, room.high))
        told[world, chosen, TIMES] += 1.0
        told[world, chosen, SUM] += payoff[me]
    return count


@kernel
def begin(game, bandit, policy, worlds, actions, me, scratch, out):
    """Write the mean over the worlds of what a policy plays into out [actions]: all worlds look alike to the player, so for
    a policy that asks for the view alone it is what it plays. The bandit begins with it. Returns 0 or a trouble."""
    room = scratch.room
    out[:] = 0.0
    for world in range(worlds.shape[0]):
        count = policy.weigh(game, worlds[world], me, room.choice, room.odds)
        if count < 0:
            return count
        k = 0
        for a in range(actions.shape[0]):  # both are ascending; the policy may leave actions out
            if k < count and room.choice[k] == actions[a]:
                out[a] += room.odds[k] / worlds.shape[0]
                k += 1
    scratch.memory[:] = 0.0
    bandit.begin(scratch.memory, actions.shape[0], 0, out)
    return 0


def improved(base: np.ndarray, value: np.ndarray, eta: float, tau: float) -> np.ndarray:
    """[actions] The equation above, with an even magnet. `value` is in shares of the range of payoffs; actions that the base
    policy never plays stay unplayed."""
    with np.errstate(divide="ignore"):
        logits = (np.log(base) + eta * value) / (1.0 + eta * tau)  # the magnet is a constant, which the sum takes out
    weight = np.exp(logits - logits.max())
    return weight / weight.sum()


class MMDS:
    """A search of one decision after another.

        search = MMDS(game, policy, seed=1)
        opinion = search.think(states, iterations=5_000)     # states [n, words], drawn from what the player believes
        opinion.score                                        # [actions] the new mix
        search.base, search.value                            # [actions] the mix before, and q

    `policy` is the base policy (`policy.py`), by default the even one. `judge` ends simulations, by default with playouts by
    the base policy. `bandit` chooses which action a simulation tries.
    """

    def __init__(
        self,
        game: Any,
        policy: Any = Uniform(),  # noqa: B008  (a tuple cannot change)
        seed: int = 0,
        *,
        eta: float = ETA,
        tau: float = TAU,
        judge: Any = None,
        bandit: Any = UCB1Tuned(),  # noqa: B008
    ):
        self.game, self.bandit = as_game(game), as_bandit(bandit)
        self.policy = as_policy(self.game, policy)
        self.eta, self.tau = number(eta, "eta", finite=True), number(tau, "tau", finite=True)
        self.judge = Playout(self.policy) if judge is None else as_judge(judge)
        self.random, self.shape = dice.seeded(seed), self.game.shape()
        for verb in ("overhear", "in_world"):
            if hasattr(self.bandit, verb):
                raise Invalid(f"{type(self.bandit).__name__} needs a tree, which MMDS does not have")
        self._scratch = Scratch(
            np.zeros(self.shape.words, np.int64),
            np.zeros(self.shape.players),
            np.zeros(self.bandit.slots(self.shape.actions)),
            new_room(self.shape),
        )
        self.base = self.value = np.zeros(0)  # [actions] of the last decision

    def think(
        self,
        states: Any,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Watcher | None = None,
    ) -> Opinion:
        """Search from these worlds [t, words], all of which the player to move cannot tell apart."""
        worlds = np.ascontiguousarray(states, np.int64)
        if worlds.ndim != 2 or not len(worlds) or worlds.shape[1] != self.shape.words:
            raise Invalid(f"worlds are one state or more of {self.shape.words} words each, not {worlds.shape}")
        spend = budget(iterations, seconds)
        with np.errstate(over="ignore"):  # hashes wrap round
            me, actions = int(self.game.player(worlds[0])), legal(self.game, worlds[0])
            if me < 0:
                raise Invalid("nobody is to move in the worlds, so there is nothing to search")
            told, listed = np.zeros((len(worlds), len(actions), 2)), np.array(actions, np.int64)
            self.base = np.zeros(len(actions))
            parts = self.game, self.bandit, self.policy, worlds, listed, me, self._scratch
            require_fine(begin(*parts, self.base), self.game, "the base policy")
            if self.base.sum() <= 0.0:
                raise Invalid("the base policy plays none of the actions that are legal here")
            done = 0

            def run(count: int) -> int:
                nonlocal done
                search = self.game, self.bandit, self.judge, worlds, listed, me, told, self._scratch
                made = simulate(*search, count, self.random)
                require_fine(made, self.game, "the policy of the judge")
                done += made
                return made

            if len(actions) > 1:
                run(0)  # compile before the clock starts
                tell = telling(progress, lambda: Progress("iterations", done, iterations))
                in_slices(run, spend, tell=tell, first=SLICE)
        times, total = told[:, :, TIMES], told[:, :, SUM]
        mean = np.divide(total, times, out=np.full(times.shape, math.nan), where=times > 0)
        self.value = self._worth(times.sum(axis=0), total.sum(axis=0))
        return Opinion(actions, times.copy(), mean, improved(self.base, self.value, self.eta, self.tau), done)

    def _worth(self, times: np.ndarray, total: np.ndarray) -> np.ndarray:
        """[actions] q: the mean of each action, in shares of the range of payoffs."""
        tried = times > 0
        mean = np.divide(total, times, out=np.zeros(len(times)), where=tried)
        weight = np.where(tried, self.base, 0.0)
        if not weight.sum() > 0.0:
            weight = tried.astype(float)
        usual = float(weight @ mean / weight.sum()) if tried.any() else 0.0
        low, high = float(self.shape.low), float(self.shape.high)
        return (np.where(tried, mean, usual) - low) / (high - low) if high > low else np.zeros(len(times))
