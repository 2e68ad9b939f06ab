"""The agent that plays as a Belief Sampler."""

from typing import Any

import numpy as np

from ... import dice
from ...search.worlds.sampler import BeliefSampler
from ..sight import Sight
from .words import no_parameters


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
        mix = BeliefSampler(sight.game).mix(sight.player, sight.view, sight.actions)
        with np.errstate(over="ignore"):
            return sight.actions[dice.pick(self.random, mix, len(mix))]
