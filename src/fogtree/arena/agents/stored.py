"""The agent that plays a strategy."""

from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...solvers.saved import load_strategy
from ...strategy import StoredStrategy
from ..sight import Sight


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
        self.strategy.belongs_to(sight.game)
        mix = self.strategy.mix(sight.game, sight.player, sight.view, lambda: sight.worlds(1)[0])
        with np.errstate(over="ignore"):  # random bits wrap round
            if not mix:
                return sight.actions[dice.below(self.random, len(sight.actions))]
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
