"""What a bandit overhears: the moves that were played later in the same simulation (Gelly and Silver 2007, for RAVE).

A set is told which of its actions its own player played there or later, before anybody else played them. The trail of the
simulation is walked once, backwards, with one mark for each action number; each set on the path then looks up its actions.
So a simulation costs its length and the number of actions on its path. Searches whose bandit does not overhear have
`Deaf` in this place, and compiled code knows nothing of it.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import Shape

PLAYER, ACTION = 0, 1  # columns of the trail
LENGTH, LARGEST = 0, 1  # words of `used`
NOBODY = 0  # a mark; else the player + 1
MARKS = 1 << 10  # action numbers at first


class Deaf(NamedTuple):
    """Takes the place of an ear if no bandit overhears: it ignores what is played in a simulation."""

    def note(self, player, action):
        pass

    def fresh(self):
        pass

    def time(self):
        return 0

    def has_room(self):
        return True

    def tell(self, tree, bandit, length):
        pass


class Ear(NamedTuple):
    trail: np.ndarray  # [moves, 2] player and action of each move of this simulation
    mark: np.ndarray  # [action numbers] who plays an action next, looking back from the end
    heard: np.ndarray  # [actions] scratch
    used: np.ndarray  # [2] moves in the trail | the largest action number met

    def note(self, player, action):
        at = self.used[LENGTH]
        if at < self.trail.shape[0]:
            self.trail[at, PLAYER], self.trail[at, ACTION] = player, action
            self.used[LENGTH] = at + 1
            self.used[LARGEST] = max(self.used[LARGEST], action)

    def fresh(self):
        """A new simulation begins."""
        self.used[LENGTH] = 0

    def time(self):
        """How many moves were played so far."""
        return self.used[LENGTH]

    def has_room(self):
        """Whether every action number met so far has a mark."""
        return self.used[LARGEST] < self.mark.shape[0]

    def tell(self, tree, bandit, length):
        """Tell every set on the path what it overheard."""
        trail, mark, move = self.trail, self.mark, self.used[LENGTH] - 1
        for step in range(length - 1, -1, -1):
            i, player, before = tree.step(step)
            while move >= before:
                mark[trail[move, ACTION]] = trail[move, PLAYER] + 1
                move -= 1
            first, width = tree.actions(i)
            for a in range(width):
                self.heard[a] = mark[tree.action[first + a]] == player + 1
            begin, end = tree.span(bandit, i)
            bandit.overhear(tree.memory[begin:end], width, self.heard, tree.payoff[player])
        for move in range(self.used[LENGTH]):
            mark[trail[move, ACTION]] = NOBODY


def new_ear(shape: Shape, bandit: Any) -> Ear | Deaf:
    """An ear for bandits that overhear."""
    if not hasattr(bandit, "overhear"):
        return Deaf()
    return Ear(
        np.zeros((shape.moves, 2), np.int64),
        np.zeros(MARKS, np.int32),
        np.zeros(shape.actions, np.bool_),
        np.zeros(2, np.int64),
    )
