"""A policy of army chess that knows what it sees: it attacks where an attack should pay, and else moves evenly.

For an attack it takes every kind that the man attacked can be, by what everybody was told and by that man's fights with the
player's own men, as often as an army has that kind. The gain is what the men of the other side who die are worth, less what
the own man is worth if he dies, on average (`profit.py`); a flag is worth many men. The weight of an action is

    exp(keen * gain / 100)        a quiet move has gain 0

It asks nothing but what the player sees, so it can play in the player's name. It is the base policy of `mmds:base=bold`, and
`pimc:playouts=bold` plays its simulations so.
"""

import math
from typing import NamedTuple

from ...policy import Uniform
from ...text.parameters import accepts, real
from .board import MEN, POINTS
from .pieces import ANY, ATTACKERS, CAPTURED, COMBAT, DEFENDERS, KILLS_ATTACKER, KILLS_DEFENDER, KINDS
from .profit import VALUE
from .rules import (
    HEAD,
    PLACED,
    attacker_of,
    defender_of,
    fight_before,
    fights_from,
    kinds_from,
    known_from,
    outcome_of,
    owner,
)
from .setting import COUNT

FLAG_FALLS = 600.0  # what a captured flag is worth
UNIT = 100.0


@accepts(keen=(real(0, 100), "how much more often an attack is made that gains more"))
class Bold(NamedTuple):
    keen: float = 3.0

    def weigh(self, game, state, player, choice, odds):
        count, board = game.actions(state, choice), game.board()
        if state[PLACED] < game.seats() * MEN[board]:
            for a in range(count):
                odds[a] = 1.0 / count
            return count
        total, points = 0.0, POINTS[board]
        for a in range(count):
            other = state[HEAD + choice[a] % points] - 1
            odds[a] = 1.0
            if other >= 0:
                kind = state[kinds_from(game) + state[HEAD + choice[a] // points] - 1]
                odds[a] = math.exp(min(30.0, self.keen * gain(game, state, player, kind, other) / UNIT))
            total += odds[a]
        for a in range(count):
            odds[a] /= total
        return count


def gain(game, state, player, kind, other):
    """What a man of this kind gains on average if he attacks that man."""
    board, kinds = game.board(), kinds_of(game, state, player, other)
    mean, weight = 0.0, 0.0
    for k in range(KINDS):
        if (kinds >> k) & 1:
            outcome, often = COMBAT[kind, k], float(COUNT[board, k])
            if outcome >= CAPTURED:
                mean += often * FLAG_FALLS
            elif KILLS_DEFENDER[outcome]:
                mean += often * VALUE[k]
            if KILLS_ATTACKER[outcome]:
                mean -= often * VALUE[kind]
            weight += often
    return mean / weight if weight > 0.0 else 0.0


def kinds_of(game, state, player, man):
    """The kinds that a man can be, by what everybody knows of him and by his fights with the player's own men."""
    kinds, first = kinds_from(game), fights_from(game)
    left, number = state[known_from(game) + man] & ANY, state[known_from(game) + man] >> KINDS
    while number:  # it ends: each fight names an earlier one
        fight = state[first + number - 1]
        one, two, outcome = attacker_of(fight), defender_of(fight), outcome_of(fight)
        if one == man and owner(game, two) == player:
            left &= ATTACKERS[outcome, state[kinds + two]]
        elif two == man and owner(game, one) == player:
            left &= DEFENDERS[outcome, state[kinds + one]]
        number = fight_before(fight, man)
    return left


POLICIES = {"even": Uniform, "bold": Bold}
