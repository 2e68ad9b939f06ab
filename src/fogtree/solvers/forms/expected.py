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


class Expectation(NamedTuple):
    """A visitor of the walk: adds up payoffs by the probability of each end."""

    policy: Any
    reach: np.ndarray  # [moves + 2] of the history at each depth
    odds: np.ndarray  # [moves + 1, actions]
    payoff: np.ndarray  # [players] so far
    strange: np.ndarray  # [1] 0, or the trouble that the policy made

    def room(self):
        return True

    def enter(self, game, state, player, actions, count, depth):
        if player == OVER:
            for who in range(self.payoff.shape[0]):
                self.payoff[who] += self.reach[depth] * game.payoff(state, who)
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
    shape, policy = game.shape(), as_policy(game, strategy_of(strategy))
    odds = np.zeros((shape.moves + 1, shape.actions))
    visitor = Expectation(policy, np.ones(shape.moves + 2), odds, np.zeros(shape.players), np.zeros(1, np.int64))
    visitor, _ = walk_through(game, visitor, lambda full: full, progress)
    require_fine(int(visitor.strange[0]), game)
    return tuple(visitor.payoff.tolist())
