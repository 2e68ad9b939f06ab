"""Play on to the end of the game, everybody by one policy. This is the Monte Carlo of Monte Carlo tree search."""

from typing import Any, NamedTuple

from ..game import OVER
from ..kernels import inlined
from ..policy import Uniform, draw_move
from ..trouble import ENDLESS


class Playout(NamedTuple):
    policy: Any = Uniform()

    def finish(self, game, state, payoff, room, random):
        played = play_on(self.policy, game, state, room, room.moves, random)
        if played < 0:
            return played
        if game.player(state) != OVER:
            return ENDLESS
        for player in range(payoff.shape[0]):
            payoff[player] = game.payoff(state, player)
        return 0


@inlined
def play_on(policy, game, state, room, most, random):
    """Play on from a state, in place, to the end or for at most so many moves. Returns the moves made, or a trouble."""
    for made in range(most):
        player = game.player(state)
        if player == OVER:
            return made
        action = draw_move(policy, game, state, player, room, random)
        if action < 0:
            return action
        room.ear.note(player, action)
        game.step(state, action)
    return most
