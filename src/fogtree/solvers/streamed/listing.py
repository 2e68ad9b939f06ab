"""What a policy plays, written down as a strategy: every set that its player can get to, whatever the other does."""

from typing import Any, NamedTuple

import numpy as np

from ...game import OVER
from ...strategy import Strategy
from ...walk import table as tables
from ...walk.slices import Watcher
from ...walk.whole import walk_through
from ..forms.infosets import longer


def listed(game: Any, policies: tuple[Any, Any], progress: Watcher | None = None) -> Strategy:
    """The policies of two players as one strategy. `progress` is called with the number of histories."""
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

    def room(self):
        used = self.table.used[0]
        pairs = self.first[used] + self.odds.shape[0]
        return not self.table.full() and used + 1 < self.first.shape[0] and pairs <= self.action.shape[0]

    def enter(self, game, state, player, action, count, depth):
        if player == OVER or player != self.who:
            return count
        count = self.policy.weigh(game, state, player, action, self.odds)
        view, known = game.view(state, player), self.table.used[0]
        if self.table.add(view, player) == known:
            self.view[known], at = view, self.first[known]
            for a in range(count):
                self.action[at + a], self.probability[at + a] = action[a], self.odds[a]
            self.first[known + 1] = at + count
        return count

    def descend(self, depth, position):
        pass


def _part(game, policy, player, progress) -> tuple[np.ndarray, ...]:
    actions = game.shape().actions
    arrays = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64), np.zeros(actions << 10, np.int64)
    visitor = _Listing(policy, player, tables.empty(), *arrays, np.zeros(actions << 10), np.zeros(actions))
    visitor, _ = walk_through(game, visitor, _grown, progress)
    sets = int(visitor.table.used[0])
    first, pairs = visitor.first[: sets + 1], int(visitor.first[sets])
    owner, width = np.full(sets, player), np.diff(first)
    return owner, visitor.view[:sets], width, visitor.action[:pairs], visitor.probability[:pairs]


def _grown(visitor: _Listing) -> _Listing:
    table = visitor.table.grown() if visitor.table.full() else visitor.table
    return longer(visitor, "view", "first", "action", "probability")._replace(table=table)
