"""The agents of poker: one plays a solved abstraction of hold'em, one does always the same."""

from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...policy import Always, as_policy
from ...solvers.public.bucket_plan import BucketPlan
from ..sight import Sight


class BucketAgent:
    """Plays a plan of hold'em on buckets, as `fogtree solve holdem --abstraction 5 --save FILE.npz` writes it. It reads its
    cards off a state that is imagined from its view."""

    def __init__(self, plan: BucketPlan, seed: int = 0, *path: int):
        self.made, self.random = plan, dice.seeded(seed, *path)

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "BucketAgent":
        if not text:
            raise Invalid(f"the agent {name} needs a file: write {name}:FILE.npz")
        return cls(BucketPlan.load(text), seed, *path)

    def fits(self, game: Any) -> None:
        self.made.belongs_to(game)

    def plan(self, game: Any) -> BucketPlan:
        self.made.belongs_to(game)
        return self.made

    def mix(self, sight: Sight) -> dict[int, float]:
        return weighed(self.made, sight)

    def act(self, sight: Sight) -> int:
        mix = self.mix(sight)
        with np.errstate(over="ignore"):  # random bits wrap round
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]


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


def weighed(plays: Any, sight: Sight) -> dict[int, float]:
    """The probabilities with which a strategy or policy acts, {action: probability}."""
    state = sight.worlds(1)[0]
    choice, odds = np.zeros(sight.game.shape().actions, np.int64), np.zeros(sight.game.shape().actions)
    with np.errstate(over="ignore"):
        count = as_policy(sight.game, plays).weigh(sight.game, state, sight.player, choice, odds)
    return dict(zip(choice[:count].tolist(), odds[:count].tolist(), strict=True))
