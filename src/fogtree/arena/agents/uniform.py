"""The agent that plays at random."""

from typing import Any

import numpy as np

from ... import dice
from ...strategy import Strategy
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
        with np.errstate(over="ignore"):  # random bits wrap round
            return sight.actions[dice.below(self.random, len(sight.actions))]
