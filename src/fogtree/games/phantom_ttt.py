"""Phantom Tic-Tac-Toe: Tic-Tac-Toe against marks that one cannot see (Auger 2011, Lisy 2014). Rules version 1.

A player tries a cell that they have neither marked nor found taken. If it is empty the mark is placed and the turn ends.
If it holds the other's mark only the trying player is told so, and

* classical: tries another cell; the other learns nothing, not even that there was a failed try;
* forced-centre: the same, but X's first mark and O's first try are both in the centre, so that O's fails (Lisy 2014, 4.2);
* abrupt: loses the turn.

Three own marks in a row win, a full board is a draw; payoffs 1, 0, -1.

winning_first: if an untried cell would complete a line of the mover's own marks, trying it is the only action (the first
such cell in the order 4 0 8 6 2 1 3 7 5). In the classical game such a try wins at once or costs nothing, so this is never
worse and the value stays; the tree becomes fifty times smaller. Lisy 2014's own code played so.

A view is the list of own tries with their results. An action is a cell, numbered as in Tic-Tac-Toe.
"""

import enum
from typing import NamedTuple

import numpy as np

from ..game import OVER, REFEREE, Shape, seen
from ..text.parameters import accepts
from .tic_tac_toe import FULL, WINS, board

MARKS, TRIED, TURN, RESULT, VIEW, WORDS = 0, 2, 4, 5, 6, 8
# state: two bit boards of marks | of tries | who moves | the result, see below | two views
OPEN, X_WON, O_WON, DRAW = 0, 1, 2, 3
CENTRE = 4
WINNING_ORDER = (4, 0, 8, 6, 2, 1, 3, 7, 5)
# [marks] the cells that would complete a line, as a bit board
COMPLETES = np.array([sum(1 << c for c in range(9) if WINS[m | 1 << c] and not m >> c & 1) for m in range(FULL + 1)])


class Rules(enum.IntEnum):
    CLASSICAL = 0
    FORCED_CENTRE = 1
    ABRUPT = 2


@accepts(rules=Rules)
class PhantomTicTacToe(NamedTuple):
    rules: Rules = Rules.CLASSICAL
    winning_first: bool = False

    def shape(self):
        return Shape(2, WORDS, 9, 17, -1.0, 1.0)

    def start(self, state):
        state[:] = 0
        state[VIEW] = state[VIEW + 1] = 1

    def player(self, state):
        return state[TURN] if state[RESULT] == OPEN else OVER

    def actions(self, state, out):
        me = state[TURN]
        tried = state[TRIED + me]
        if self.rules == Rules.FORCED_CENTRE and tried == 0:
            out[0] = CENTRE
            return 1
        if self.winning_first:
            winning = COMPLETES[state[MARKS + me]] & ~tried
            if winning:
                for cell in WINNING_ORDER:
                    if (winning >> cell) & 1:
                        out[0] = cell
                        return 1
        count = 0
        for cell in range(9):
            out[count] = cell  # the next overwrites it if tried; a branch would be mispredicted
            count += 1 - ((tried >> cell) & 1)
        return count

    def step(self, state, action):
        me = state[TURN]
        cell = 1 << action
        blocked = (state[MARKS + 1 - me] >> action) & 1
        state[TRIED + me] |= cell
        state[VIEW + me] = seen(state[VIEW + me], 2 * action + blocked, 18)
        if not blocked:
            state[MARKS + me] |= cell
            if WINS[state[MARKS + me]]:
                state[RESULT] = X_WON + me
            elif state[MARKS] | state[MARKS + 1] == FULL:
                state[RESULT] = DRAW
        if not blocked or self.rules == Rules.ABRUPT:
            state[TURN] = 1 - me

    def payoff(self, state, player):
        if state[RESULT] == DRAW:
            return 0.0
        return 1.0 if state[RESULT] == X_WON + player else -1.0

    def view(self, state, player):
        return state[VIEW + player]

    def version(self):
        return 1

    def reduced(self):
        # A try that would complete a line wins at once or costs nothing, unless it loses the turn.
        return self if self.rules == Rules.ABRUPT else self._replace(winning_first=True)

    def show(self, state, player):
        if player == REFEREE:
            return board(state[MARKS], state[MARKS + 1])
        found = state[TRIED + player] & ~state[MARKS + player]
        return board(state[MARKS], found) if player == 0 else board(found, state[MARKS + 1])
