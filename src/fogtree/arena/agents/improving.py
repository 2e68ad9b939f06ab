"""The agent that plays one regularised step better than a base policy (`search/worlds/mmds.py`).

    mmds:iterations=2000         simulations a move, in all worlds together; or seconds=1, drawing the worlds included
    mmds:eta=50,tau=0.002        how far the step goes, and how strongly the even mix pulls
    mmds:base=bold               the base policy: a policy of the game by its name, or an agent that plays by one that can be
                                 written down: base=[strategy:FILE], base=[always:1]; even, where nothing is said
    mmds:play_best=yes           plays its likeliest action instead of drawing from its mix

If the game has `imagine`, it draws the worlds; else they are drawn from the player's belief, in which the others are taken to
play by the base policy, with a tremble. If the game has an evaluation, a simulation ends with it, `horizon` moves after its
first; else it is played to the end.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import load_bandit
from ...clock import clock
from ...errors import Invalid
from ...game import identity
from ...policy import Trembling, Uniform, as_policy
from ...search.worlds.mmds import ETA, MMDS, TAU
from ...search.worlds.opinion import Opinion
from ...text.parameters import accepts, build, real
from ...walk.slices import Budget, budget
from ..sight import Sight
from . import AGENTS, load_agent
from .believing import Believed, Believer, Worlds
from .opening import bandit_text, judge_of
from .searching import TREMBLE, Thought, likeliest, seconds, thought
from .words import draw_seed, with_iterations


def base_text(value: Any) -> str:
    """the name of a policy of the game or of an agent, with its parameters in brackets: bold, [strategy:FILE]"""
    if not isinstance(value, str):
        raise ValueError
    return value.strip("[] ")


@accepts(
    worlds=range(1, 2**16),
    iterations=range(1, 2**40),
    seconds=seconds,
    eta=real(0, 1e9),
    tau=real(0, 1e9),
    base=base_text,
    bandit=bandit_text,
    horizon=range(2**16),
)
class Improving(NamedTuple):
    """How an agent improves on a base policy."""

    worlds: int = 100
    iterations: int = 2_000  # a move, in all worlds together
    seconds: float | None = None  # a move, in place of the iterations
    eta: float = ETA
    tau: float = TAU
    base: str = "even"
    bandit: str = "tuned"  # that chooses the action of a simulation
    horizon: int = 8  # moves from the first action to the evaluation
    play_best: bool = False


AS_IT_STANDS = Improving()


class ImprovingAgent:
    """MMDS. `base` is a policy that takes the place of the one that `how` names."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(
        self,
        how: Improving = AS_IT_STANDS,
        seed: int = 0,
        *path: int,
        base: Any = None,
        name: str = "mmds",
    ):
        self.how, self.name, self.random = how, name, dice.seeded(seed, *path)
        self.base, self.bandit = base, load_bandit(how.bandit)
        self.thoughts: list[Thought] = []
        self.opinion: Opinion | None = None  # of the last move
        self._believer, self._table = Believer(self.random), ""
        self._search: MMDS | None = None

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "ImprovingAgent":
        return cls(build(Improving, text, name), seed, *path, name=f"{name}:{text}" if text else name)

    with_budget = staticmethod(with_iterations)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(**self._left(0.0))

    def _left(self, spent: float) -> dict[str, Any]:
        """What is left of a move's budget after so many seconds, in which worlds were drawn."""
        if self.how.seconds is None:
            return {"iterations": self.how.iterations}
        return {"seconds": max(0.0, self.how.seconds - spent)}

    def fits(self, game: Any) -> None:
        self._policy(game)

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts, self.opinion = [], None
        self._believer.fresh()

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked."""
        if sight.imagined is None:
            self._believe(sight).acted(sight, action)

    def act(self, sight: Sight) -> int:
        return self._choose(sight)[0]

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which one search would act here; `follow` tells it of the moves before."""
        return self._choose(sight)[1]

    def _choose(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """The action, and the probabilities by which it was drawn."""
        with np.errstate(over="ignore"):  # random bits wrap round
            began, search, done = clock(), self._ready(sight.game), 0
            believed = self._believe(sight) if sight.imagined is None else None
            worlds, held, coverage = Worlds.drawn(sight, believed, self.how.worlds, self.random)
            mix = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
            if len(sight.actions) > 1 and len(worlds):
                self.opinion = search.think(worlds, **self._left(clock() - began))
                done = self.opinion.iterations
                mix = {a: float(p) for a, p in zip(self.opinion.actions, self.opinion.score, strict=True) if p > 0.0}
            found = mix
            if self.how.play_best:
                mix = dict.fromkeys(top := likeliest(mix), 1.0 / len(top))
            action = list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
        if believed is not None:
            believed.acted(sight, action)
        self.thoughts.append(thought(sight, held, coverage, mix, action, done, found))
        return action, mix

    def _believe(self, sight: Sight) -> Believed:
        """What the player believes, if the others play by the base policy and tremble."""
        policy = self._policy(sight.game)
        if not isinstance(policy, Uniform):
            self._believer.expect(Trembling(policy, TREMBLE))
        return self._believer.believe(sight, self.how.worlds)

    def _ready(self, game: Any) -> MMDS:
        if self._search is None or self._table != identity(game):
            policy = self._policy(game)
            judge = judge_of(game, self.how.horizon, policy)
            how = {"eta": self.how.eta, "tau": self.how.tau, "judge": judge, "bandit": self.bandit}
            self._search = MMDS(game, policy, draw_seed(self.random), **how)
            self._table = identity(game)
        return self._search

    def _policy(self, game: Any) -> Any:
        """The base policy of a game."""
        return as_policy(game, base_policy(game, self.how.base)) if self.base is None else self.base


def base_policy(game: Any, text: str) -> Any:
    """What plays, by its name: the even policy, a policy of the game, or an agent that can write down what it plays."""
    if text == "even":
        return Uniform()
    if text.partition(":")[0] in AGENTS:
        agent = load_agent(text)
        if not hasattr(agent, "plan"):
            raise Invalid(f"{text} cannot be the base of mmds: it does not play by a policy that can be written down")
        if hasattr(agent, "fits"):
            agent.fits(game)
        return agent.plan(game)
    if not hasattr(game, "playout_policy"):
        named = "even, random, always:ACTION, strategy:FILE"
        raise Invalid(f"{type(game).__name__} has no policy {text!r} that could be the base of mmds: valid are {named}")
    return game.playout_policy(text)
