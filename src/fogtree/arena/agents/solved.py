"""An agent that plays a solved game of public cards, such as a spot of no-limit hold'em."""

from typing import Any

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import identity
from ...solvers.public.hand_costs import played_at
from ...solvers.public.hand_solution import HandSolution
from ...text.naming import name as name_of
from ..sight import Sight


class SolvedAgent:
    """Plays a solution, each hand as often as the solution does."""

    name = "the solution"

    def __init__(self, found: HandSolution, seed: int = 0, *path: int):
        self.found, self.random = found, dice.seeded(seed, *path)

    def fits(self, game: Any) -> None:
        if identity(game) != identity(self.found.game):
            raise Invalid(f"this is a solution of {name_of(self.found.game)}, not of {name_of(game)}")

    def mix(self, sight: Sight) -> dict[int, float]:
        # any state that the player cannot tell from the true one has the same cards, betting and own hand
        return played_at(self.found, sight.worlds(1)[0], sight.player)

    def act(self, sight: Sight) -> int:
        mixed = self.mix(sight)
        actions = list(mixed)
        with np.errstate(over="ignore"):  # random bits wrap round
            return actions[dice.pick(self.random, [mixed[action] for action in actions], len(actions))]
