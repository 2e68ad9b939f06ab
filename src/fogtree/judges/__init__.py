"""Judges: how a simulation ends, one judge in each file. A search plays down its tree; then a judge says what everybody gets.

A judge is a `NamedTuple` with one method:

    finish(game, state, payoff, room, random)
        Writes into `payoff` what each player gets from this state on. It may play on in `state`, and it tells
        `room.ear.note(player, action)` what it plays. Returns 0, or a number of `trouble.py`.

IS-MCTS, MMCTS, MCTS and flat Monte Carlo take any judge. By default they play random moves to the end.
"""

from .evaluated import CutOff
from .playout import Playout
from .tabled import Tabled

__all__ = ["CutOff", "Playout", "Tabled"]
