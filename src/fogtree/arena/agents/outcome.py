"""The agent that plays by Online Outcome Sampling (`search/trees/oos.py`).

    oos:iterations=10000         samples a move; or seconds=0.1
    oos:target=pst               aims at all that looks the same in public; ist, at the player's own information set; none
    oos:rule=rm+,delta=0.5       another regret rule, and another share of aimed samples

It keeps its tree for the whole match, and draws its moves from the average mix.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import load_bandit
from ...game import identity
from ...search.online.sampling import Carried, OutcomeSampling, Target
from ...search.trees.oos import DELTA, EPSILON, GAMMA, OOS
from ...text.parameters import accepts, build, real
from ...walk.slices import Budget, budget
from ..sight import Sight
from .opening import bandit_text
from .searching import ITERATIONS, Thought, iterations, seconds, thought
from .words import draw_seed, with_iterations


@accepts(
    iterations=iterations,
    seconds=seconds,
    target=Target,
    rule=bandit_text,
    delta=real(0, 1, open_high=True),
    epsilon=real(0, 1, open_low=True),
    gamma=real(0, 1, open_low=True),
)
class Sampling(NamedTuple):
    """How an agent samples outcomes. Without a budget it takes as many samples a move as other searches iterate."""

    iterations: int | None = None  # a move
    seconds: float | None = None  # a move
    target: Target = Target.IST
    rule: str = "rm"  # a bandit that is a regret rule
    delta: float = DELTA  # the share of aimed samples
    epsilon: float = EPSILON  # exploration of the player who is updated
    gamma: float = GAMMA  # exploration of the other
    weigh: bool = True  # samples of later moves count more, as visits do


AS_IT_STANDS = Sampling()


class OOSAgent:
    """Online Outcome Sampling. One agent plays any number of matches: `fresh` begins the next, and where nobody calls it, a
    view that cannot belong to this match does."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, how: Sampling = AS_IT_STANDS, seed: int = 0, *path: int, name: str = "oos"):
        if how.iterations is None and how.seconds is None:
            how = how._replace(iterations=ITERATIONS)
        self.how, self.name, self.random = how, name, dice.seeded(seed, *path)
        self.online = OutcomeSampling(load_bandit(how.rule), how.target, how.delta, how.epsilon, how.gamma, how.weigh)
        self.fresh()

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "OOSAgent":
        return cls(build(Sampling, text, name), seed, *path, name=f"{name}:{text}" if text else name)

    with_budget = staticmethod(with_iterations)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fits(self, game: Any) -> None:
        self.online.begin(game, 0, 0)

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts: list[Thought] = []
        self.carried: Carried | None = None
        self._table: tuple[str, int] = ("", 0)
        self._done = 0  # samples of the last move

    @property
    def search(self) -> OOS | None:
        """The search of this match."""
        return self.carried.search if self.carried else None

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked: it goes on from there."""
        self._think(sight)
        self._acted(sight, action)

    def act(self, sight: Sight) -> int:
        mix = self._think(sight)
        with np.errstate(over="ignore"):  # random bits wrap round
            action = list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
        self._acted(sight, action)
        if self.carried is not None:
            aiming, done = self.carried.aiming, self._done if len(mix) > 1 else 0
            coverage = 1.0 if aiming.exact else math.nan
            self.thoughts.append(thought(sight, aiming.states, coverage, mix, action, done))
        return action

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which it would act here; `follow` tells it of the moves before."""
        return self._think(sight)

    def _acted(self, sight: Sight, action: int) -> None:
        if self.carried is not None and len(sight.actions) > 1:
            self.carried = self.carried._replace(action=action)

    def _think(self, sight: Sight) -> dict[int, float]:
        """Aim at what the player sees, sample, and say what the averages play."""
        even = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        if len(sight.actions) == 1:
            return even
        table = (identity(sight.game), sight.player)
        answer = None
        if self.carried is not None and self._table == table:
            answer = self.online.think(self.carried, sight.view, self.budget())
        if answer is None or answer.carried.aiming.impossible:  # a new match
            begins = self.online.begin(sight.game, sight.player, draw_seed(self.random))
            self._table, answer = table, self.online.think(begins, sight.view, self.budget())
        self.carried, self._done = answer.carried, answer.iterations
        found = answer.strategy.mix(sight.game, sight.player, sight.view, lambda: np.zeros(0))
        return found or even
