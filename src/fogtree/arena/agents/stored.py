"""The agent that plays a strategy."""

from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...strategy import Strategy
from ..sight import Sight


class StrategyAgent:
    """Plays a strategy: what was solved, or saved. Where the strategy says nothing, every action is equally likely."""

    def __init__(self, strategy: Strategy, seed: int = 0, *path: int):
        self.strategy, self.random = strategy, dice.seeded(seed, *path)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "StrategyAgent":
        if not text:
            raise Invalid(f"the agent {name} needs a file: write {name}:FILE.npz")
        return cls(Strategy.load(text), seed, *path)

    def fits(self, game: Any) -> None:
        self.strategy.belongs_to(game)

    def plan(self, game: Any) -> Strategy:
        self.strategy.belongs_to(game)
        return self.strategy

    def act(self, sight: Sight) -> int:
        self.strategy.belongs_to(sight.game)
        with np.errstate(over="ignore"):
            try:
                mix = self.strategy[sight.player, sight.view]
            except KeyError:
                return sight.actions[dice.below(self.random, len(sight.actions))]
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
