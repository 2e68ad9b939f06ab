"""From one decision of a player to the next: all that chance and the other players may do in between.

Beliefs and streamed best responses use this. Both start from states that the player cannot tell apart, just after an action
of the player, and need the states in which the same player moves next.
"""

from typing import NamedTuple

import numpy as np

from ..game import OVER
from ..policy import moves
from ..trouble import ENDLESS

MET, WRONG = 0, 1  # words of `note`


class Frontier(NamedTuple):
    """The room for a walk between two decisions. Row d is d moves after the start of the walk."""

    state: np.ndarray  # [moves + 1, words]
    choice: np.ndarray  # [moves + 1, actions]
    odds: np.ndarray  # [moves + 1, actions] the probability of each choice
    left: np.ndarray  # [moves + 1] choices not yet followed
    reach: np.ndarray  # [moves + 1]
    note: np.ndarray  # [2] histories met so far | a number of trouble.py, or 0

    def spread(self, game, others, sink, me, reach):
        """Walk from the state in row 0 to the next decisions of `me` and to the ends. Returns whether the walk was finished.

        The others play by the policy `others`. `sink.put(state, view, reach)` is called at each decision; it returns False
        if it has no room, which ends the walk. `sink.end(worth)` is called at each end.
        """
        depth = 0
        self.reach[0] = reach
        while depth >= 0:
            self.note[MET] += 1
            state = self.state[depth]
            player = game.player(state)
            self.left[depth] = 0
            if player == OVER:
                sink.end(self.reach[depth] * game.payoff(state, me))
            elif player == me:
                if not sink.put(state, game.view(state, me), self.reach[depth]):
                    return False
            else:
                count = moves(others, game, state, player, self.choice[depth], self.odds[depth])
                self.left[depth] = count
                if count < 0 or depth + 1 == self.state.shape[0]:
                    self.note[WRONG] = count if count < 0 else ENDLESS
                    return False
            depth = self.back(depth)
            if depth >= 0:
                taken = self.left[depth] - 1
                self.left[depth] = taken
                for word in range(game.live(self.state[depth])):
                    self.state[depth + 1, word] = self.state[depth, word]
                self.reach[depth + 1] = self.reach[depth] * self.odds[depth, taken]
                game.step(self.state[depth + 1], self.choice[depth, taken])
                depth += 1
        return True

    def back(self, depth):
        """The deepest row that has a choice left with a probability above 0; a number below 0 if there is none."""
        while depth >= 0:
            while self.left[depth] > 0 and self.odds[depth, self.left[depth] - 1] == 0.0:
                self.left[depth] -= 1
            if self.left[depth] > 0:
                break
            depth -= 1
        return depth

    def start_from(self, state):
        """Write the first state of the walk. Words that do not matter may be missing at its end."""
        for word in range(state.shape[0]):
            self.state[0, word] = state[word]


def new_frontier(shape) -> Frontier:
    rows = shape.moves + 1
    return Frontier(
        np.zeros((rows, shape.words), np.int64),
        np.zeros((rows, shape.actions), np.int64),
        np.zeros((rows, shape.actions)),
        np.zeros(rows, np.int64),
        np.zeros(rows),
        np.zeros(2, np.int64),
    )
