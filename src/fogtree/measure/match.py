"""The match loop in compiled code: policies play for two sides, and no Python is between two moves.

There are two match loops, and no others:

    measure/match.py     here. The players are policies (`policy.py`): a strategy, a rule, a search that draws its move. A
                         million games take a second or so. Duels (`duel.py`) are made of it, and some papers' games.
    arena/referee.py     The players are agents (`arena/agents`), which are shown what their player may see and nothing else,
                         in Python. It keeps a record, limits the time, and says who forfeits. Tournaments, pairs of games
                         from one start (`arena/pairs.py`), the command line and the page are made of it.

What differs from match to match is handed to the loop:

    sides       here the bits of `second` are the players of the second policy: partners have the same one, and exchanged
                seats are other bits. The referee takes an agent for each player; `agents_for` gives partners the same.
    openings    a match begins in any state (here `state`, there `start`)
    chance      has dice of its own (here `deal`, there a seed): games with the same dice have the same deal
    limits      a number of decisions here; there a number of moves, and the seconds of a move
    watching    a witness is shown every decision (here `witness`, there `look`)
"""

from typing import NamedTuple

from ..game import CHANCE, OVER
from ..kernels import inlined, kernel
from ..policy import draw_chance
from ..trouble import ENDLESS


class Nobody(NamedTuple):
    """The witness that looks away. A witness has the method `see`, which is called before each decision."""

    def see(self, game, state, player, decision):
        pass


@inlined
def play_on(game, one, two, second, state, room, deal, random, witness, decisions):
    """Go on with a game until it is over, or until so many decisions are made. The bits of `second` are the players
    for whom the second policy plays. Chance throws the dice `deal`, and the policies throw `random`. Returns the number of
    decisions, or a trouble."""
    made, player = 0, game.player(state)
    for _ in range(room.moves):
        if player == OVER or made == decisions:
            return made
        if player != CHANCE:
            witness.see(game, state, player, made)
            made += 1
        if player == CHANCE:
            action = draw_chance(game, state, room, deal)
        elif (second >> player) & 1:
            action = two.draw(game, state, player, room, random)
        else:
            action = one.draw(game, state, player, room, random)
        if action < 0:
            return action
        game.step(state, action)
        player = game.player(state)
    return made if player == OVER else ENDLESS


@kernel
def play_out(game, one, two, second, state, room, deal, random, witness, decisions):
    """`play_on`, from Python."""
    return play_on(game, one, two, second, state, room, deal, random, witness, decisions)
