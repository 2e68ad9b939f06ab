"""Agents that look at nothing: one plays at random, one does always the same."""

from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...policy import Always
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


class AlwaysAgent:
    """Plays one action wherever it is legal, else the next lower one: `always:1` calls, `always:2` raises in poker."""

    def __init__(self, action: int):
        self.policy = Always(action)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "AlwaysAgent":
        if not text.isdecimal():
            raise Invalid(f"the agent {name} needs the number of an action: write {name}:1")
        return cls(int(text))

    def plan(self, game: Any) -> Always:
        return self.policy

    def act(self, sight: Sight) -> int:
        return max((action for action in sight.actions if action <= self.policy.action), default=sight.actions[0])
