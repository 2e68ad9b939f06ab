"""Agents that search with open cards in worlds that their player believes possible (`search/worlds/pimc.py`).

    pimc:worlds=20,iterations=500      each world is searched alone, and the worlds vote; verdict=means in place of votes
    pimc:inner=exact                   each world is solved; inner=[alphabeta:depth=4] looks four plies ahead in each
    epimc:depth=2,above=uct            the cards are opened after two decisions
    uct-risk:r=0.4,norm=rms            the first decision by UCB-Risk (`bandits/risk.py`), the cards open after it

`iterations` are those of a move, all worlds together. If the game has `imagine`, it draws the worlds; else they are
drawn from the player's belief, by their weights. If the game has an evaluation, a simulation ends with it, `horizon`
moves after it has left the tree; else it is played to the end. `playouts` names the policy of the game by which simulations
are played (`playouts=bold` in army chess), in place of the game's usual one.
"""

import typing
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import load_bandit
from ...bandits.risk import Risk
from ...game import identity
from ...judges import CutOff, Playout
from ...kernels.lanes import CPU
from ...policy import Uniform
from ...search.trees.roots import EvenRoots
from ...search.worlds.openly import looked, solved
from ...search.worlds.opinion import Opinion, Verdict
from ...search.worlds.pimc import PIMC
from ...text.parameters import accepts, build, parts
from ...walk.slices import Budget, budget
from ..sight import Sight
from .believing import Believer, Worlds
from .searching import Thought, policy, policy_of, seconds, thought
from .words import draw_seed, keys, shared_out, with_iterations

if typing.TYPE_CHECKING:
    from ...measure.everywhere import Places

EXACT, ALPHABETA = "exact", "alphabeta"
RISK = "uct-risk"
LATER = ("epimc", RISK)  # names of agents that open the cards after one decision, unless told otherwise
RISK_FIELDS = tuple(field for field in Risk._fields if field not in ("worlds", "world"))


def verdict(value: Any) -> Verdict:
    """votes or means"""
    return value if isinstance(value, Verdict) else Verdict(value)


def bandit_text(value: Any) -> str:
    """the name of a bandit, with its parameters in brackets: tuned, [uct:c=1]"""
    if not isinstance(value, str):
        raise ValueError
    return value.strip("[] ")


@accepts(
    worlds=range(1, 2**16),
    iterations=range(1, 2**40),
    seconds=seconds,
    depth=range(2**10),
    inner=bandit_text,
    above=bandit_text,
    verdict=verdict,
    horizon=range(2**16),
    playouts=policy,
)
class Opening(NamedTuple):
    """How an agent searches with open cards."""

    worlds: int = 20
    iterations: int = 500  # a move, in all worlds together
    seconds: float | None = None  # a move, in place of the iterations
    depth: int = 0  # decisions before the cards are opened
    inner: str = "tuned"  # the bandit with open cards, or exact, or alphabeta
    above: str = "tuned"  # the bandit before they are opened
    verdict: Verdict = Verdict.VOTES  # of the worlds, at depth 0
    horizon: int = 8  # moves from the tree to the evaluation
    playouts: str | None = None  # a policy of the game, by its name

    def problem(self) -> str:
        """Where the fields do not fit together."""
        if self.depth and self.inner.partition(":")[0] in (EXACT, ALPHABETA):
            return f"with {self.inner} the cards are open from the start, so depth must be 0, not {self.depth}"
        return ""


AS_IT_STANDS = Opening()


class Plies(NamedTuple):
    """How far alpha-beta looks in each world."""

    depth: int = 4


class OpenAgent:
    """PIMC, EPIMC or UCT-Risk. `above` is a bandit that takes the place of the one that `how` names."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(
        self,
        how: Opening = AS_IT_STANDS,
        seed: int = 0,
        *path: int,
        above: Any = None,
        name: str = "pimc",
    ):
        self.how, self.name, self.random = how, name, dice.seeded(seed, *path)
        head, _, text = how.inner.partition(":")
        self.look = build(Plies, text, ALPHABETA).depth if head == ALPHABETA else None
        self.inner = None if head in (EXACT, ALPHABETA) else load_bandit(how.inner)
        self.above = load_bandit(how.above) if above is None else above
        self.thoughts: list[Thought] = []
        self.opinion: Opinion | None = None  # of the last move
        self._believer, self._table = Believer(self.random), ""
        self._search: PIMC | None = None
        self._spend: dict[str, Any] = {"seconds": how.seconds} if how.seconds else {"iterations": how.iterations}

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "OpenAgent":
        """Parameters are those of `Opening`, and for uct-risk those of `Risk`."""
        own, risk = shared_out(name, text, Opening._fields, RISK_FIELDS if name == RISK else ())
        start = ["depth=1"] if name in LATER and "depth" not in keys(text) else []
        how, above = build(Opening, ",".join([*parts(own), *start]), name), None
        if name == RISK:
            above = build(Risk, risk, name)._replace(worlds=how.worlds)
        return cls(how, seed, *path, above=above, name=f"{name}:{text}" if text else name)

    with_budget = staticmethod(with_iterations)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(**self._spend)

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts, self.opinion = [], None
        self._believer.fresh()

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked."""
        if sight.imagined is None:
            self._believer.believe(sight, self.how.worlds).acted(sight, action)

    def act(self, sight: Sight) -> int:
        return self._choose(sight)[0]

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which one search would act here; `follow` tells it of the moves before."""
        return self._choose(sight)[1]

    def in_lanes(self) -> bool:
        """Whether its searches can be run in lanes."""
        return self.inner is not None and not self.how.seconds

    def everywhere(self, where: "Places", seeds: Sequence[tuple[int, ...]], device: str = CPU) -> np.ndarray:
        """[seeds, sets, actions] how it would act at many information sets, all at once."""
        from ...measure.everywhere import Everywhere, shares  # not on top: only measurements search so

        how = self.how._asdict()
        same = {word: how[word] for word in ("depth", "worlds", "iterations", "verdict")}
        judge = judge_of(where.game, self.how.horizon, self.how.playouts)
        search = Everywhere(where, self.inner, self.above, **same, judge=judge, device=device)
        return np.array([shares(where, [run]) for run in search.runs(seeds)])

    def _choose(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """The action, and the probabilities by which it was drawn."""
        with np.errstate(over="ignore"):  # random bits wrap round
            believed = self._believer.believe(sight, self.how.worlds) if sight.imagined is None else None
            worlds, held, coverage = Worlds.drawn(sight, believed, self.how.worlds, self.random)
            best, done = list(sight.actions), 0
            if len(sight.actions) > 1 and len(worlds):
                self.opinion = self.consider(sight.game, worlds)
                best, done = self.opinion.best, self.opinion.iterations
            action = best[dice.below(self.random, len(best))]
        if believed is not None:
            believed.acted(sight, action)
        mix = dict.fromkeys(best, 1 / len(best))
        self.thoughts.append(thought(sight, held, coverage, mix, action, done))
        return action, mix

    def consider(self, game: Any, worlds: np.ndarray) -> Opinion:
        """What the worlds say."""
        if self.inner is None:
            if self.look is None:
                return solved(game, worlds, self.how.verdict)
            evaluation = game.evaluation() if hasattr(game, "evaluation") else None
            return looked(game, worlds, evaluation, self.how.verdict, depth=self.look)
        if self._search is None or self._table != identity(game):
            how = {
                "depth": self.how.depth,
                "verdict": self.how.verdict,
                "judge": judge_of(game, self.how.horizon, self.how.playouts),
            }
            self._search = PIMC(game, self.inner, self.above, draw_seed(self.random), **how)
            self._table = identity(game)
        return self._search.think(EvenRoots(worlds), **self._spend)


def judge_of(game: Any, horizon: int, playouts: Any = None) -> Any:
    """How simulations of a game end: with its evaluation, so many moves after the tree, or at the end of the game;
    played by a policy, or by the one of the game that a name says, or by the game's own playout policy if it has one."""
    policy = policy_of(game, "playout_policy", playouts) or Uniform()
    return CutOff(horizon, game.evaluation(), policy) if hasattr(game, "evaluation") else Playout(policy)
