"""MMCTS: multiple-tree Monte Carlo search (Auger 2011, Algorithm 2).

All players search at once, each in a tree of their own, over what they themselves did and saw. A simulation is one game:

    in the tree       a player at a set with statistics draws by its mixture:  p_m = (1 - gamma) w_m / sum w + gamma / k
    out of the tree   from the first set without statistics on, that player plays at random; the others go on in theirs
    update            every set on each player's way learns what its player got:  w_m *= exp(f(d) reward / p_m)

where d counts the player's own decisions before this one. So a simulation adds one set a player, where IS-MCTS (`ismcts.py`)
adds one in all. One table holds all trees, for a set is found by its player and view.

The weights grow without limit, so their logarithms are kept. Beside each stands its exponential relative to a reference,
which is moved before anything overflows: an update takes one exponential, not one for each action. Weights more than
exp(700) below the reference count as 0 until they return, where p is the exploration alone.

The strategy is by frequencies: how often each move was drawn. The final mixture is nearly pure and no solution.

Where we differ from the paper: it divides by the probability of the move that led to a set, which is no EXP3 and degenerates;
here by that of the move chosen there. Sets with a single action have nothing to learn and get no statistics. A set is entered
when its player comes to move there, so its first, random move counts.
"""

import enum
import math
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..policy import moves
from ..strategy import Strategy
from ..text.parameters import accepts, real
from ..trouble import ENDLESS, FOREIGN, require_fine
from .ismcts import BASE, DEFAULT_MEMORY, FIRST, ISMCTS, ITERATIONS, NONE, SETS, WIDTH
from .parallel import merged

REFERENCE, WEIGHT, HEAD = 0, 1, 2  # memory: the reference | f(d) | then for each action log w | w / reference | times
HIGH, LEAST, SMALL = (
    500.0,
    -700.0,
    1e-200,
)  # exponents beyond which the reference moves or w is 0; a mass that is too small
LEARNS, OUT, FIXED = 0, 1, 2  # how a player plays


class Clock(enum.IntEnum):
    """What n is in gamma(n): simulations, or visits of the set."""

    SIMULATION = 0
    NODE = 1


class Aim(enum.IntEnum):
    """What is learned from: payoffs scaled to [-1, 1]; or 1 for a win, that is more than the middle of them, and else 0."""

    ZERO_SUM = 0
    WIN = 1


@accepts(gamma=real(0, 1, open_low=True), decay=real(0, 1), clock=Clock, base=real(0, 100, open_low=True), aim=Aim)
class DeepExp3(NamedTuple):
    """EXP3 with gamma(n) = gamma n^-decay and f(d) = base^(d - depth)."""

    gamma: float = 1.0
    decay: float = 0.3
    clock: Clock = Clock.SIMULATION
    base: float = 1.7
    depth: float = 9.0
    aim: Aim = Aim.ZERO_SUM

    def slots(self, k):
        return HEAD + 3 * k

    def reward(self, payoff, low, high):
        if self.aim == Aim.WIN:
            return 1.0 if payoff > 0.5 * (low + high) else 0.0
        return (2.0 * payoff - low - high) / (high - low) if high > low else 0.0

    def share(self, n):
        """Of exploration, in simulation n, from 1."""
        return self.gamma * n**-self.decay if self.clock == Clock.SIMULATION else 0.0

    def begin(self, memory, k, d):
        """A new set, before which its player made d decisions."""
        memory[WEIGHT] = self.base ** (d - self.depth)
        for i in range(k):
            memory[HEAD + k + i] = 1.0

    def choose(self, memory, k, share, random):
        """The position of an action, and its probability."""
        mass = 0.0
        for i in range(k):
            mass += memory[HEAD + k + i]
        if mass < SMALL:
            mass = refer(memory, k)
        if self.clock == Clock.NODE:
            share = self.gamma * (1.0 + visits(memory, k)) ** -self.decay
        left, chosen = dice.unit(random), 0
        if left < share:
            chosen = min(int(left / share * k), k - 1)
        else:
            left = (left - share) / (1.0 - share) * mass
            for i in range(k - 1):
                left -= memory[HEAD + k + i]
                chosen += left >= 0.0  # once below 0 it stays there
        return chosen, (1.0 - share) * memory[HEAD + k + chosen] / mass + share / k

    def learn(self, memory, k, chosen, probability, reward):
        memory[HEAD + 2 * k + chosen] += 1.0
        if reward != 0.0:
            memory[HEAD + chosen] += memory[WEIGHT] * reward / probability
            above = memory[HEAD + chosen] - memory[REFERENCE]
            if above > HIGH:
                refer(memory, k)
            else:
                memory[HEAD + k + chosen] = math.exp(above) if above > LEAST else 0.0

    def policy(self, memory, k, out):
        """How often each action was drawn."""
        total = visits(memory, k)
        for i in range(k):
            out[i] = memory[HEAD + 2 * k + i] / total if total > 0.0 else 1.0 / k

    def mixture(self, memory, k, out):
        """The weights as they are now, without exploration."""
        mass = refer(memory, k)
        for i in range(k):
            out[i] = memory[HEAD + k + i] / mass


def refer(memory, k):
    """Make the largest weight the reference; returns the sum of the weights relative to it."""
    top = memory[HEAD]
    for i in range(1, k):
        top = max(top, memory[HEAD + i])
    memory[REFERENCE] = top
    mass = 0.0
    for i in range(k):
        above = memory[HEAD + i] - top
        memory[HEAD + k + i] = math.exp(above) if above > LEAST else 0.0
        mass += memory[HEAD + k + i]
    return mass


def visits(memory, k):
    total = 0.0
    for i in range(k):
        total += memory[HEAD + 2 * k + i]
    return total


class Plain(NamedTuple):
    """Any bandit in the place of `DeepExp3`: it knows neither the simulation nor the depth."""

    bandit: Any

    def slots(self, k):
        return self.bandit.slots(k)

    def reward(self, payoff, low, high):
        return self.bandit.reward(payoff, low, high)

    def share(self, n):
        return 0.0

    def begin(self, memory, k, d):
        pass

    def choose(self, memory, k, share, random):
        return self.bandit.choose(memory, k, random)

    def learn(self, memory, k, chosen, probability, reward):
        self.bandit.learn(memory, k, chosen, probability, reward)

    def policy(self, memory, k, out):
        self.bandit.policy(memory, k, out)


class Players(NamedTuple):
    """How each player plays in this simulation."""

    fixed: np.ndarray  # [players] LEARNS or FIXED
    mode: np.ndarray  # [players] that, or OUT of the tree
    depth: np.ndarray  # [players] own decisions so far
    total: np.ndarray  # [players] payoffs of all simulations


@kernel
def simulate_slice(game, learner, others, tree, players, low, high, growing, simulations, random):
    """Simulate from the start; returns the simulations done before the trees were full, or ENDLESS, or FOREIGN."""
    need, most = learner.slots(tree.legal.shape[0]), players.mode.shape[0]
    for done in range(simulations):
        if growing and not tree.room(need, most):
            return done
        game.start(tree.state)
        for p in range(most):
            players.mode[p], players.depth[p] = players.fixed[p], 0
        share = learner.share(1.0 + tree.used[ITERATIONS])
        length = simulate(game, learner, others, tree, players, growing, share, random)
        if length < 0:
            return length
        tree.update(game, learner, low, high, length)
        for p in range(most):
            players.total[p] += game.payoff(tree.state, p)
        tree.used[ITERATIONS] += 1
    return simulations


def simulate(game, learner, others, tree, players, growing, share, random):
    """Play one game; returns the length of the path to update, or ENDLESS or FOREIGN."""
    length, state, legal, mode = 0, tree.state, tree.legal, players.mode
    while True:
        player = game.player(state)
        if player == OVER:
            return length
        if player == CHANCE or mode[player] == FIXED:
            count = moves(others, game, state, player, legal, tree.chance)
            if count == FOREIGN:
                return FOREIGN
            game.step(state, legal[dice.pick(random, tree.chance, count)])
            continue
        count = game.actions(state, legal)
        if count == 1:
            game.step(state, legal[0])
            continue
        if mode[player] == LEARNS:
            if length == tree.odds.shape[0]:
                return ENDLESS
            view = game.view(state, player)
            i = tree.table.find(view, player)
            if i == NONE:
                mode[player] = OUT  # from the next decision on
                if growing:
                    i = tree.expand(learner, view, player, count)
                    base = tree.row[i, BASE]
                    learner.begin(tree.memory[base : base + learner.slots(count)], count, players.depth[player])
            if i != NONE:
                base = tree.row[i, BASE]
                memory = tree.memory[base : base + learner.slots(count)]
                chosen, probability = learner.choose(memory, count, share, random)
                tree.path[length, 0], tree.path[length, 1], tree.path[length, 2] = i, player, chosen
                tree.odds[length] = probability
                length += 1
                players.depth[player] += 1
                game.step(state, legal[chosen])
                continue
        game.step(state, legal[dice.below(random, count)])


@kernel
def write_mixtures(learner, tree, out):
    """The final mixture of every set, one after the other as their actions."""
    for i in range(tree.used[SETS]):
        base, first, width = tree.row[i, BASE], tree.row[i, FIRST], tree.row[i, WIDTH]
        memory = tree.memory[base : base + learner.slots(width)]
        learner.mixture(memory, width, out[first : first + width])


class MMCTS(ISMCTS):
    """A search of all players at once, each in a tree of their own, that goes on where it stopped.

        search = MMCTS(PhantomTicTacToe(), seed=1)
        search.run(simulations=500_000)
        exploitability(game, search.strategy())

    The same seed and simulations give the same trees, however they are cut into runs. Any bandit can stand in for `DeepExp3`.
    `memory`, `sets` and `threads` are those of `ISMCTS`.
    """

    def __init__(
        self,
        game: Any,
        seed: int = 0,
        *,
        bandit: Any = DeepExp3(),  # noqa: B008  (a tuple cannot change)
        memory: float = DEFAULT_MEMORY,
        sets: float = math.inf,
    ):
        learner = bandit if hasattr(bandit, "begin") else Plain(bandit)
        super().__init__(game, learner, seed, memory=memory, sets=sets)
        self.most_new = self.shape.players
        self._others = Strategy.uniform(game).entries  # who plays where nobody learns; here chance alone
        self._players = _players(self.shape.players)

    @property
    def simulations(self) -> int:
        return self.iterations

    def run(  # type: ignore[override]
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        progress=None,
        iterations: int | None = None,
    ) -> "MMCTS":
        """Go on for so many simulations or so long. `progress(simulations)` looks on. `iterations` are simulations by another
        name, so that whatever runs an `ISMCTS` can run this."""
        simulations = iterations if simulations is None else simulations
        if simulations is None and seconds is None:
            raise Invalid("give a number of simulations or of seconds")
        if (simulations or 0) < 0 or (seconds or 0) < 0:
            raise Invalid("simulations and seconds are 0 or more")
        super().run(iterations=simulations, seconds=seconds, threads=threads, progress=progress)
        return self

    def mixture(self) -> Strategy:
        """The final mixture of every set instead of its frequencies."""
        if not hasattr(self.bandit, "mixture"):
            raise Invalid(f"only DeepExp3 has a final mixture, not {type(self.bandit.bandit).__name__}")
        return merged(self.game, [search._output(write_mixtures) for search in self._all])

    def _hire(self, threads):
        crew = super()._hire(threads)
        for search in crew[1:]:
            if search._players is self._players:  # a copy of this search: it needs counters of its own
                search._players = _players(self.shape.players)
                search._players.fixed[:] = self._players.fixed
        return crew

    def _slice(self, roots, iterations):
        low, high, growing = float(self.shape.low), float(self.shape.high), not self._full
        done = simulate_slice(
            self.game, self.bandit, self._others, self._tree, self._players, low, high, growing, iterations, self.random
        )
        require_fine(done, self.game, "the strategy of the others")
        return done


def _players(count: int) -> Players:
    return Players(
        np.full(count, LEARNS, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count)
    )
