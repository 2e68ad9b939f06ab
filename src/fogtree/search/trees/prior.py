"""What a search knows of the actions of a new information set, before it has tried any.

Without a prior the search knows nothing: all legal actions are entered, each with the same weight. The policy that is
handed in as `prior` gives them other weights. The bandit gets the weights when the set begins, and each bandit uses them in
its own way (RAVE counts them as visits). Actions of weight 0 are pruned: they are not entered, and the search never tries
them. If all weights are 0, all legal actions are entered.

The policy is asked once for each set, in the first of its states that the search meets. A policy for a hidden game must
therefore look at the mover's view alone. If it looks at the whole state, the first state decides for all states of the set.

A set with hundreds of actions takes much memory, and most sets are met only once. With `waiting` places a set is entered when
it is met for the second time. Each view has one place, which its hash decides, and there the view is noted when it is first
met. Two views may have the same place. Then the later one overwrites the earlier one, which must be met twice again.
"""

from typing import Any, NamedTuple

import numpy as np

from ...walk.table import SPREAD

LATER = 0


class Even(NamedTuple):
    """Nobody knows better."""

    def enter(self, game, state, player, room, count):
        """Weigh the actions of a new set, `count` of which are legal and stand in the room. Leaves in the room those that
        are to be entered, with their weights, and returns how many they are, LATER if the set is not to be entered yet, or
        a trouble."""
        for a in range(count):
            room.odds[a] = 1.0 / count
        return count


class Weighed(NamedTuple):
    """A policy knows better."""

    policy: Any

    def enter(self, game, state, player, room, count):
        found, kept = self.policy.weigh(game, state, player, room.choice, room.odds), 0
        if found < 0:
            return found
        for a in range(found):
            if room.odds[a] > 0.0:
                room.choice[kept], room.odds[kept] = room.choice[a], room.odds[a]
                kept += 1
        if kept > 0:
            return kept
        return Even().enter(game, state, player, room, game.actions(state, room.choice))


class Waiting(NamedTuple):
    """Sets wait until they are met again."""

    prior: Any
    place: np.ndarray  # [a power of two] the view of a set that was met once

    def enter(self, game, state, player, room, count):
        view = game.view(state, player)
        mixed = (np.uint64(np.int64(view)) + np.uint64(player)) * SPREAD
        at = np.int64(mixed >> np.uint64(32)) & (self.place.shape[0] - 1)
        if self.place[at] != view:
            self.place[at] = view
            return np.int64(LATER)
        return self.prior.enter(game, state, player, room, count)


def new_places(count: int) -> np.ndarray:
    """An empty waiting room with at least so many places."""
    return np.zeros(1 << max(count - 1, 1).bit_length(), np.int64)
