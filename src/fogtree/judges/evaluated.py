"""Play on for a few moves, then evaluate: simulations that need not reach the end of a long game.

An evaluation is a payoff of player 0 and of those on the same side. If it is v, the other side gets low + high - v; with
payoffs from -1 to 1 that is -v. So this judge is for games of two players or two sides.
"""

from typing import Any, NamedTuple

from ..evaluation import AtEnd
from ..game import OVER
from ..policy import Uniform
from .playout import play_on


class CutOff(NamedTuple):
    moves: int = 0
    evaluation: Any = AtEnd()
    policy: Any = Uniform()

    def finish(self, game, state, payoff, room, random):
        played = play_on(self.policy, game, state, room, min(self.moves, room.moves), random)
        if played < 0:
            return played
        if game.player(state) == OVER:
            for player in range(payoff.shape[0]):
                payoff[player] = game.payoff(state, player)
            return 0
        value = self.evaluation.value(game, state)
        for player in range(payoff.shape[0]):
            payoff[player] = value if game.side_of(player) == game.side_of(0) else room.low + room.high - value
        return 0
