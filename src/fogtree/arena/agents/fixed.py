"""Agents that play by a fixed plan, which they hand over (`plan`) to whoever wants to measure them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...observation import observation
from ...policy import Always
from ...search.worlds.sampler import BeliefSampler
from ...solvers.saved import load_strategy
from ...strategy import StoredStrategy, Strategy
from ..sight import Sight
from .words import no_parameters


class RandomAgent:
    """Every legal action equally likely. The path splits the seed, as in `dice.seeded`."""

    def __init__(self, seed: int = 0, *path: int):
        self.random = dice.seeded(seed, *path)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "RandomAgent":
        no_parameters(name, text)
        return cls(seed, *path)

    def plan(self, game: Any) -> Strategy:
        return Strategy.uniform(game)

    def act(self, sight: Sight) -> int:
        return _drawn(self.random, sight.actions)


class BeliefAgent:
    """Plays as a Belief Sampler (`search/worlds/sampler.py`), in games that have an open twin."""

    def __init__(self, seed: int = 0, *path: int):
        self.random = dice.seeded(seed, *path)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "BeliefAgent":
        no_parameters(name, text)
        return cls(seed, *path)

    def fits(self, game: Any) -> None:
        BeliefSampler(game)

    def plan(self, game: Any) -> BeliefSampler:
        return BeliefSampler(game)

    def act(self, sight: Sight) -> int:
        odds = BeliefSampler(sight.game).mix(sight.player, sight.view, sight.actions)
        return _drawn(self.random, sight.actions, odds)


class StrategyAgent:
    """Plays a strategy: what was solved, or saved. Where the strategy says nothing, every action is equally likely."""

    def __init__(self, strategy: StoredStrategy, seed: int = 0, *path: int):
        self.strategy, self.random = strategy, dice.seeded(seed, *path)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "StrategyAgent":
        if not text:
            raise Invalid(f"the agent {name} needs a file: write {name}:FILE.npz")
        return cls(load_strategy(text), seed, *path)

    def fits(self, game: Any) -> None:
        self.strategy.belongs_to(game)

    def plan(self, game: Any) -> StoredStrategy:
        self.strategy.belongs_to(game)
        return self.strategy

    def act(self, sight: Sight) -> int:
        mix = self.plan(sight.game).mix(sight.game, sight.player, sight.view, lambda: sight.worlds(1)[0])
        return _drawn(self.random, list(mix), list(mix.values())) if mix else _drawn(self.random, sight.actions)


class AlwaysAgent:
    """Plays one action wherever it is legal, else the next lower one: `always:1` calls, `always:2` raises in poker."""

    def __init__(self, action: int):
        self.policy = Always(action)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "AlwaysAgent":
        if not text.isdecimal():
            raise Invalid(f"the agent {name} needs the number of an action: write {name}:1")
        return cls(int(text))

    def fits(self, game: Any) -> None:
        count = observation(game).actions
        if count is not None and self.policy.action >= count:
            raise Invalid(
                f"there is no action {self.policy.action} in this game: valid are always:0 to always:{count - 1}"
            )

    def plan(self, game: Any) -> Always:
        return self.policy

    def deterministic(self, game: Any) -> bool:
        return True

    def act(self, sight: Sight) -> int:
        return max((action for action in sight.actions if action <= self.policy.action), default=sight.actions[0])


def _drawn(random: np.ndarray, actions: Sequence[int], odds: list[float] | None = None) -> int:
    """One of the actions, by their probabilities; without them each equally likely."""
    with np.errstate(over="ignore"):  # random bits wrap round
        return actions[dice.below(random, len(actions)) if odds is None else dice.pick(random, odds, len(odds))]
