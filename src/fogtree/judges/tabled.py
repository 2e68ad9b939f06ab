"""Play on until an endgame table knows the outcome (Arenz 2012, section 4.3, proposes this for chess).

A simulation is played on by a policy for at most so many moves, and before each of them the table is asked. Where it knows
the state, the side that wins gets the highest payoff and the other the lowest, and a draw is worth what lies half-way. Where
the moves are used up, another judge ends the simulation: `Tabled(table, CutOff(evaluation=...), moves=0)` asks the table once
and else evaluates.
"""

from typing import Any, NamedTuple

from ..endings import DRAWN, UNKNOWN
from ..game import CHANCE, OVER
from ..policy import Uniform, draw_move
from .playout import Playout


class Tabled(NamedTuple):
    table: Any
    judge: Any = Playout()
    moves: int = 1 << 30
    policy: Any = Uniform()

    def finish(self, game, state, payoff, room, random):
        most = min(self.moves, room.moves)
        for made in range(most + 1):
            player = game.player(state)
            if player == OVER:
                break
            if player != CHANCE:
                outcome = self.table.find(game, state)
                if outcome != UNKNOWN:
                    for who in range(payoff.shape[0]):
                        if outcome == DRAWN:
                            payoff[who] = 0.5 * (room.low + room.high)
                        elif (outcome > 0) == (game.side_of(who) == game.side_of(player)):
                            payoff[who] = room.high
                        else:
                            payoff[who] = room.low
                    return 0
            if made == most:
                break
            action = draw_move(self.policy, game, state, player, room, random)
            if action < 0:
                return action
            room.ear.note(player, action)
            game.step(state, action)
        return self.judge.finish(game, state, payoff, room, random)
