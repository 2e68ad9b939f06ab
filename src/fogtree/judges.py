"""Judges: how a simulation ends. A search plays down its tree; then a judge says what everybody gets.

A judge is a `NamedTuple` with one method:

    finish(game, state, payoff, room, random)
        Writes into `payoff` what each player gets from this state on. It may play on in `state`, and it tells
        `room.ear.note(player, action)` what it plays. Returns 0, or a number of `trouble.py`.

IS-MCTS, MMCTS, MCTS and flat Monte Carlo take any judge. By default they play random moves to the end.

    Playout   plays on to the end of the game. This is the Monte Carlo of Monte Carlo tree search
    CutOff    plays on for a few moves, then evaluates: simulations that need not reach the end of a long game
    Tabled    plays on until an endgame table knows the outcome (Arenz 2012, section 4.3, proposes this for chess)
"""

from typing import Any, NamedTuple

from .endings import DRAWN, UNKNOWN
from .errors import Invalid
from .evaluation import AtEnd
from .game import CHANCE, OVER
from .kernels import inlined
from .policy import Room as Room  # which judges write into, and whoever calls one needs
from .policy import Unheard as Unheard
from .policy import Uniform, draw_move
from .policy import new_room as new_room
from .trouble import ENDLESS


class Playout(NamedTuple):
    """Everybody plays by one policy to the end."""

    policy: Any = Uniform()

    def finish(self, game, state, payoff, room, random):
        played = play_on(self.policy, game, state, room, room.moves, random)
        if played < 0:
            return played
        if game.player(state) != OVER:
            return ENDLESS
        pay(game, state, payoff)
        return 0


class CutOff(NamedTuple):
    """So many moves by a policy, then an evaluation: a payoff of player 0 and of those on the same side. If it is v, the
    other side gets low + high - v; with payoffs from -1 to 1 that is -v. So this judge is for games of two sides."""

    moves: int = 0
    evaluation: Any = AtEnd()
    policy: Any = Uniform()

    def finish(self, game, state, payoff, room, random):
        played = play_on(self.policy, game, state, room, min(self.moves, room.moves), random)
        if played < 0:
            return played
        if game.player(state) == OVER:
            pay(game, state, payoff)
            return 0
        value = self.evaluation.value(game, state)
        for player in range(payoff.shape[0]):
            payoff[player] = value if game.side_of(player) == game.side_of(0) else room.low + room.high - value
        return 0


class Tabled(NamedTuple):
    """A policy plays on for at most so many moves, and before each of them the table is asked. Where it knows the state, the
    side that wins gets the highest payoff and the other the lowest, and a draw is worth what lies half-way. Where the moves
    are used up, another judge ends the simulation: `Tabled(table, CutOff(evaluation=...), moves=0)` asks the table once and
    else evaluates."""

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


@inlined
def pay(game, state, payoff):
    """Write what everybody gets where the game is over."""
    for player in range(payoff.shape[0]):
        payoff[player] = game.payoff(state, player)


def as_judge(given: Any) -> Any:
    """The judge itself; a sentence for anything else."""
    if isinstance(given, tuple) and callable(getattr(given, "finish", None)):
        return given
    what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
    raise Invalid(f"a judge is a NamedTuple with a method `finish` (see fogtree.judges), not {what}")
