"""The agent that resolves: at each move it solves the subgame that begins with what is public (`search/online/resolve.py`).

    resolve:seconds=0.1              a move; or iterations=1000
    resolve:gadget=maxmargin         another gadget around the subgame: resolve, maxmargin, reach; none is not safe
    resolve:blueprint=leduc.npz      begins with a stored strategy instead of solving the start of the game
    resolve:depth=3                  ends subgames so many moves after its next decision; leaves=evaluated, or continued: the
                                     other chooses how to go on

It draws its moves from the strategy that it has found, and can tell with which states, and how likely, it began (`range`).
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import identity
from ...search.online.resolve import GADGETS, LEAVES, RULE, Carried, Resolving
from ...solvers.regret.cfr import RULES
from ...strategy import Strategy
from ...text.parameters import accepts, build
from ...walk.slices import Budget, budget, whole
from ..sight import Sight, Stuck
from .searching import Thought, iterations, seconds, thought
from .words import draw_seed, with_iterations

SECONDS = 0.5  # a move, where nothing else is said


def gadget(value: Any) -> str:
    """resolve, maxmargin, reach or none"""
    if value not in GADGETS:
        raise ValueError
    return value


def rule(value: Any) -> str:
    """a rule of CFR, as pdcfr+"""
    if value not in RULES:
        raise ValueError
    return value


def file(value: Any) -> str | None:
    """a file with a strategy of the game"""
    if not isinstance(value, str | None):
        raise ValueError
    return value


def depth(value: Any) -> int | None:
    """a whole number of 1 or more"""
    return None if value is None else whole(value, "depth", least=1)


def leaves(value: Any) -> str:
    """continued or evaluated"""
    if value not in LEAVES:
        raise ValueError
    return value


@accepts(iterations=iterations, seconds=seconds, gadget=gadget, rule=rule, blueprint=file, depth=depth, leaves=leaves)
class How(NamedTuple):
    """How an agent resolves. Without a budget it takes SECONDS a move."""

    iterations: int | None = None  # of CFR, a move
    seconds: float | None = None  # a move
    gadget: str = "resolve"
    rule: str = RULE
    blueprint: str | None = None
    depth: int | None = None  # moves after its next decision
    leaves: str = "continued"  # what is there at the depth limit


AS_IT_STANDS = How()


class ResolveAgent:
    """Continual resolving. One agent plays any number of matches: `fresh` begins the next, and where nobody calls it, a view
    that cannot belong to this match does."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, how: How = AS_IT_STANDS, seed: int = 0, *path: int, name: str = "resolve"):
        if how.iterations is None and how.seconds is None:
            how = how._replace(seconds=SECONDS)
        self.how, self.name, self.random = how, name, dice.seeded(seed, *path)
        stored = Strategy.load(how.blueprint) if how.blueprint else None
        limit: dict[str, Any] = {"depth": how.depth, "leaves": LEAVES[how.leaves]}
        self.online = Resolving(gadget=how.gadget, rule=how.rule, blueprint=stored, **limit)
        self.fresh()

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "ResolveAgent":
        return cls(build(How, text, name), seed, *path, name=f"{name}:{text}" if text else name)

    with_budget = staticmethod(with_iterations)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fits(self, game: Any) -> None:
        shape = game.shape()
        if shape.players != 2 or not shape.zero_sum:
            raise Invalid("resolve plays zero-sum games of two players")

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts: list[Thought] = []
        self.carried: Carried | None = None
        self._table = ("", 0)

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked: it goes on from there."""
        self.mix(sight)

    def act(self, sight: Sight) -> int:
        mix, done = self._think(sight)
        with np.errstate(over="ignore"):  # random bits wrap round
            action = list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
        states, _ = self.range()
        self.thoughts.append(thought(sight, len(states), 1.0, mix, action, done))
        return action

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which it would act here; `follow` tells it of the moves before."""
        return self._think(sight)[0]

    def range(self) -> tuple[np.ndarray, np.ndarray]:
        """The states [n, words] with which the last subgame began, of which its player could not exclude any in public, and
        how likely each was taken to be."""
        if self.carried is None or self.carried.solution is None:
            return np.zeros((0, 0), np.int64), np.zeros(0)
        return self.carried.solution.range()

    def _think(self, sight: Sight) -> tuple[dict[int, float], int]:
        """What is played here, and the iterations that were made for it."""
        table = (identity(sight.game), sight.player)
        known = self.carried is not None and self._table == table
        for carried in ([self.carried] if known else []) + [None]:
            if carried is None:  # a new match
                carried = self.online.begin(sight.game, sight.player, draw_seed(self.random))
            try:
                answer = self.online.think(carried, sight.view, self.budget())
            except Invalid as error:
                if not self.thoughts:
                    raise  # nothing was played yet: a tournament is refused before it begins
                raise Stuck(str(error)) from None
            if (sight.player, sight.view) in answer.strategy:
                break
        self.carried, self._table = answer.carried, table
        even = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        if (sight.player, sight.view) not in answer.strategy:
            return even, answer.iterations
        found = answer.strategy[sight.player, sight.view]
        return {action: found.get(action, 0.0) for action in sight.actions}, answer.iterations
