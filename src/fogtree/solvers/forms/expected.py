"""What each player gets on average when all follow a strategy, exactly: every history of the game, with its probability.

Nothing is kept but the present path, so the game may be larger than memory.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import OVER
from ...policy import as_policy, moves
from ...strategy import strategy_of
from ...text.naming import as_game
from ...trouble import FOREIGN, require_fine
from ...walk.slices import Watcher
from ...walk.whole import walk_through


class Payoffs(NamedTuple):
    """What is made of the ends of the game: the sum of each player's payoffs by their probabilities."""

    sum: np.ndarray  # [players]

    def add(self, game, state, share):
        for player in range(self.sum.shape[0]):
            self.sum[player] += share * game.payoff(state, player)


class Expectation(NamedTuple):
    """A visitor of the walk: hands each end that a policy reaches to `ends`, with its probability."""

    policy: Any
    reach: np.ndarray  # [moves + 2] of the history at each depth
    odds: np.ndarray  # [moves + 1, actions]
    ends: Any  # has add(game, state, share), as `Payoffs` has
    strange: np.ndarray  # [1] 0, or the trouble that the policy made

    def room(self):
        return True

    def enter(self, game, state, player, actions, count, depth):
        if player == OVER:
            self.ends.add(game, state, self.reach[depth])
            return 0
        if self.reach[depth] == 0.0:
            return 0
        found = moves(self.policy, game, state, player, actions, self.odds[depth])
        if found == FOREIGN:
            self.strange[0] = FOREIGN
            return 0
        return found

    def descend(self, depth, position):
        self.reach[depth + 1] = self.reach[depth] * self.odds[depth, position]


def expected(game: Any, strategy: Any, *, progress: Watcher | None = None) -> tuple[float, ...]:
    """[player] what each gets when all follow a strategy or a policy. `progress` is called with the number of histories."""
    game = as_game(game)
    ends = Payoffs(np.zeros(game.shape().players))
    visit_ends(game, as_policy(game, strategy_of(strategy)), ends, progress)
    return tuple(ends.sum.tolist())


def visit_ends(game: Any, policy: Any, ends: Any, progress: Watcher | None) -> None:
    """Hand every end of the game that a policy reaches to `ends`, with its probability."""
    shape = game.shape()
    odds = np.zeros((shape.moves + 1, shape.actions))
    visitor = Expectation(policy, np.ones(shape.moves + 2), odds, ends, np.zeros(1, np.int64))
    visitor, _ = walk_through(game, visitor, lambda full: full, progress)
    require_fine(int(visitor.strange[0]), game)
