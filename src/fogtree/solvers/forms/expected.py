"""What policies do in the whole game, exactly: what each player gets on average when all follow them, and all that they play,
written down as a strategy.

Of the histories nothing is kept but the present path, so the game may be larger than memory.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import OVER
from ...policy import as_policy, moves
from ...strategy import Strategy, strategy_of
from ...text.naming import as_game
from ...trouble import require_fine
from ...walk import table as tables
from ...walk.slices import Watcher
from ...walk.whole import walk_through
from .infosets import longer


class PayoffSums(NamedTuple):
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
    ends: Any  # has add(game, state, share), as `PayoffSums` has
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
        if found < 0:
            self.strange[0] = found
            return 0
        return found

    def descend(self, depth, position):
        self.reach[depth + 1] = self.reach[depth] * self.odds[depth, position]


def expected(game: Any, strategy: Any, *, progress: Watcher | None = None) -> tuple[float, ...]:
    """[player] what each gets when all follow a strategy or a policy. `progress` is called with the number of histories."""
    game = as_game(game)
    ends = PayoffSums(np.zeros(game.shape().players))
    visit_ends(game, as_policy(game, strategy_of(strategy)), ends, progress)
    return tuple(ends.sum.tolist())


def visit_ends(game: Any, policy: Any, ends: Any, progress: Watcher | None) -> None:
    """Hand every end of the game that a policy reaches to `ends`, with its probability."""
    shape = game.shape()
    odds = np.zeros((shape.moves + 1, shape.actions))
    visitor = Expectation(policy, np.ones(shape.moves + 2), odds, ends, np.zeros(1, np.int64))
    visitor, _ = walk_through(game, visitor, lambda full: full, progress)
    require_fine(int(visitor.strange[0]), game)


def listed(game: Any, policies: tuple[Any, Any], progress: Watcher | None = None) -> Strategy:
    """The policies of two players as one strategy: every set that a player can get to, whatever the other does. `progress` is
    called with the number of histories."""
    return Strategy.joined(game, [_part(game, policy, player, progress) for player, policy in enumerate(policies)])


class _Listing(NamedTuple):
    """The visitor that notes what a policy plays at each set that its player can get to."""

    policy: Any
    who: int
    table: tables.Table
    view: np.ndarray  # [sets]
    first: np.ndarray  # [sets + 1]
    action: np.ndarray  # [pairs]
    probability: np.ndarray  # [pairs]
    odds: np.ndarray  # [actions]
    strange: np.ndarray  # [1] 0, or the trouble that the policy made

    def room(self):
        used = self.table.used[0]
        pairs = self.first[used] + self.odds.shape[0]
        return not self.table.full() and used + 1 < self.first.shape[0] and pairs <= self.action.shape[0]

    def enter(self, game, state, player, action, count, depth):
        if player == OVER or player != self.who:
            return count
        found, kept = self.policy.weigh(game, state, player, action, self.odds), 0
        if found < 0:
            self.strange[0] = found
            return 0
        for a in range(found):  # what lies behind actions that are never played is never got to
            if self.odds[a] > 0.0:
                action[kept], self.odds[kept] = action[a], self.odds[a]
                kept += 1
        view, known = game.view(state, player), self.table.used[0]
        if self.table.add(view, player) == known:
            self.view[known], at = view, self.first[known]
            for a in range(kept):
                self.action[at + a], self.probability[at + a] = action[a], self.odds[a]
            self.first[known + 1] = at + kept
        return kept

    def descend(self, depth, position):
        pass


def _part(game, policy, player, progress) -> tuple[np.ndarray, ...]:
    actions = game.shape().actions
    sets = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64)
    pairs = np.zeros(actions << 10, np.int64), np.zeros(actions << 10)
    visitor = _Listing(policy, player, tables.empty(), *sets, *pairs, np.zeros(actions), np.zeros(1, np.int64))
    visitor, _ = walk_through(game, visitor, _grown, progress)
    require_fine(int(visitor.strange[0]), game)
    known = int(visitor.table.used[0])
    first, end = visitor.first[: known + 1], int(visitor.first[known])
    owner, width = np.full(known, player), np.diff(first)
    return owner, visitor.view[:known], width, visitor.action[:end], visitor.probability[:end]


def _grown(visitor: _Listing) -> _Listing:
    table = visitor.table.grown() if visitor.table.full() else visitor.table
    return longer(visitor, "view", "first", "action", "probability")._replace(table=table)
