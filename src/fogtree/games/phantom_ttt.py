"""Phantom Tic-Tac-Toe: Tic-Tac-Toe against marks that one cannot see (Auger 2011, Lisý 2014). Rules version 1.

A player tries a cell that they have neither marked nor found taken. If it is empty the mark is placed and the turn ends.
If it holds the other's mark only the trying player is told so, and

* classical: tries another cell; the other learns nothing, not even that there was a failed try;
* forced-centre: the same, but X's first mark and O's first try are both in the centre, so that O's fails (Lisý 2014, 4.2);
* abrupt: loses the turn.

Three own marks in a row win, a full board is a draw; payoffs 1, 0, -1.

winning_first: if an untried cell would complete a line of the mover's own marks, trying it is the only action (the first
such cell in the order 4 0 8 6 2 1 3 7 5). In the classical game such a try wins at once or costs nothing, so this is never
worse and the value stays; the tree becomes fifty times smaller. Lisý 2014's own code played so.

A view is the list of own tries with their results. An action is a cell, numbered as in Tic-Tac-Toe.
"""

import enum
from typing import NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import NONE, OVER, REFEREE, Shape, seen
from ..kernels import bits, scratch
from ..observation import Observation
from ..text.parameters import accepts
from .phantom_twin import PhantomTwin
from .tic_tac_toe import ALL_CELLS, WINS, board, cells, symmetries

MARKS, TRIED, TURN, RESULT, VIEW, WORDS = 0, 2, 4, 5, 6, 8
# state: two bit boards of marks | of tries | who moves | the result, see below | two views
OPEN, X_WON, O_WON, DRAW = 0, 1, 2, 3
RADIX = 18  # of a view: nine cells, each found empty or taken
CENTRE = 4
SETS, TURNS = ALL_CELLS + 1, 11  # sets of cells | turns of one player, counted from 1, and one more
WINNING_ORDER = (4, 0, 8, 6, 2, 1, 3, 7, 5)
TURNED_CELL = np.array(symmetries())  # [symmetry, cell] where it goes
BOARDS = len(TURNED_CELL)
CELLS_TURNED = np.array(  # [symmetry, cells] where a set of cells goes, as a bit board
    [[sum(1 << where[c] for c in range(9) if m >> c & 1) for m in range(ALL_CELLS + 1)] for where in symmetries()]
)
# [marks] the cells that would complete a line, as a bit board
COMPLETES = np.array(
    [sum(1 << c for c in range(9) if WINS[m | 1 << c] and not m >> c & 1) for m in range(ALL_CELLS + 1)]
)


class TryRules(enum.IntEnum):
    CLASSICAL = 0
    FORCED_CENTRE = 1
    ABRUPT = 2


@accepts(
    rules=(TryRules, "what a failed try costs, and how the game opens"),
    winning_first=(None, "a try that would complete an own line is the only action"),
)
class PhantomTicTacToe(NamedTuple):
    rules: TryRules = TryRules.CLASSICAL
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
        only = self.only_try(state[MARKS + me], tried)
        if only != NONE:
            out[0] = only
            return 1
        count = 0
        for cell in range(9):
            out[count] = cell  # the next overwrites it if tried; a branch would be mispredicted
            count += 1 - ((tried >> cell) & 1)
        return count

    def only_try(self, marks, tried):
        """The cell that a player with these marks and tries must try next, or NONE."""
        if self.rules == TryRules.FORCED_CENTRE and tried == 0:
            return CENTRE
        if self.winning_first:
            winning = COMPLETES[marks] & ~tried
            if winning:
                for cell in WINNING_ORDER:
                    if (winning >> cell) & 1:
                        return cell
        return NONE

    def step(self, state, action):
        me = state[TURN]
        cell = 1 << action
        blocked = (state[MARKS + 1 - me] >> action) & 1
        state[TRIED + me] |= cell
        state[VIEW + me] = seen(state[VIEW + me], 2 * action + blocked, RADIX)
        if not blocked:
            state[MARKS + me] |= cell
            if WINS[state[MARKS + me]]:
                state[RESULT] = X_WON + me
            elif state[MARKS] | state[MARKS + 1] == ALL_CELLS:
                state[RESULT] = DRAW
        if not blocked or self.rules == TryRules.ABRUPT:
            state[TURN] = 1 - me

    def payoff(self, state, player):
        if state[RESULT] == DRAW:
            return 0.0
        return 1.0 if state[RESULT] == X_WON + player else -1.0

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        # nothing but which turn it is
        if self.rules == TryRules.ABRUPT:
            return bits.count(state[TRIED]) + bits.count(state[TRIED + 1])
        return bits.count(state[MARKS]) + bits.count(state[MARKS + 1])

    def observation(self):
        return Observation((("own marks", (3, 3)), ("found taken", (3, 3)), ("order of tries", (3, 3))), actions=9)

    def observe(self, state, player, out):
        view, tries = state[VIEW + player], bits.count(state[TRIED + player])
        for number in range(tries, 0, -1):  # the last try is the lowest digit
            symbol = view % RADIX
            view //= RADIX
            cell, blocked = symbol // 2, symbol % 2
            out[9 * blocked + cell] = 1
            out[18 + cell] = number / 9

    def imagine(self, state, player, random):
        # All that is hidden is the list of the other's tries. Tries on the player's own marks failed and all others did not,
        # so the set of cells tried says what the other has marked, and how many turns that took. The lists that fit
        # are counted by these sets, and one is drawn backwards, from the last try to the first. Each list is
        # equally likely.
        other, own = 1 - player, state[MARKS + player]
        mine = scratch(TURNS)  # [turn of the other] the own marks made before it
        found = scratch(TURNS)  # [turn of the other] the cells that the player found taken just after it
        done = self.own_course(state[VIEW + player], bits.count(state[TRIED + player]), player, mine, found)

        ways = scratch(SETS)  # [cells tried by the other] in how many orders
        ways[0], total = 1, 0
        for tried in range(SETS):
            if ways[tried]:
                if self.turns(tried, own) == done:
                    total += ways[tried]
                for cell in range(9):
                    if self.may_follow(tried, cell, own, mine, found, done):
                        ways[tried | 1 << cell] += ways[tried]

        drawn, tried = dice.below(random, total), 0
        for last in range(SETS):
            if ways[last] and self.turns(last, own) == done:
                if drawn < ways[last]:
                    tried = last
                    break
                drawn -= ways[last]
        state[MARKS + other], state[TRIED + other] = tried & ~own, tried
        order, count = scratch(9), bits.count(tried)
        for k in range(count - 1, -1, -1):
            drawn = dice.below(random, ways[tried])
            for cell in range(9):
                before = tried & ~(1 << cell)
                if before != tried and ways[before] and self.may_follow(before, cell, own, mine, found, done):
                    if drawn < ways[before]:
                        order[k], tried = cell, before
                        break
                    drawn -= ways[before]
        view = np.int64(1)
        for k in range(count):
            view = seen(view, 2 * order[k] + ((own >> order[k]) & 1), RADIX)
        state[VIEW + other] = view

    def own_course(self, view, tries, player, mine, found):
        """Read the own tries from a view; returns how many turns the other has had. X's turn comes before O's."""
        turn, power = 1, 1  # turn of the player
        for _ in range(tries):
            power *= RADIX
        for _ in range(tries):
            power //= RADIX
            symbol = (view // power) % RADIX
            cell, blocked = symbol // 2, symbol % 2
            if blocked:
                found[turn - 1 + player] |= 1 << cell
            else:
                for later in range(turn + player, mine.shape[0]):
                    mine[later] |= 1 << cell
            turn += not blocked or self.rules == TryRules.ABRUPT
        return turn - 1 + player

    def turns(self, tried, own):
        """How many turns the other had, who tried these cells."""
        return bits.count(tried if self.rules == TryRules.ABRUPT else tried & ~own)

    def may_follow(self, tried, cell, own, mine, found, done):
        """Whether the other, after these tries, may have tried this cell next, for all that the player knows."""
        marks, turn, bit = tried & ~own, 1 + self.turns(tried, own), 1 << cell
        only = self.only_try(marks, tried)
        if tried & bit or turn > done or marks | mine[turn] == ALL_CELLS or (only != NONE and only != cell):
            return False
        if own & bit:  # it was taken
            return mine[turn] & bit != 0 and (self.rules != TryRules.ABRUPT or found[turn] & ~marks == 0)
        marks |= bit
        return not WINS[marks] and marks | mine[turn] != ALL_CELLS and found[turn] & ~marks == 0

    def version(self):
        return 1

    def reduced(self):
        # A try that would complete a line wins at once or costs nothing, unless it loses the turn.
        return self if self.rules == TryRules.ABRUPT else self._replace(winning_first=True)

    def open_twin(self):
        """For the Belief Sampler, which counts the other's marks by the turns."""
        if self.rules == TryRules.ABRUPT:
            raise Invalid("the Belief Sampler counts the other's marks by the turns, which abrupt rules do not allow")
        return PhantomTwin()

    def symmetries(self):
        # The order in which winning tries are looked for is not that of a turned board.
        return 1 if self.winning_first else BOARDS

    def turn(self, state, which):
        for word in (MARKS, MARKS + 1, TRIED, TRIED + 1):
            state[word] = CELLS_TURNED[which, state[word]]
        for player in range(2):
            state[VIEW + player] = self.turned(state[VIEW + player], player, which)

    def turned(self, view, player, which):
        image, power = np.int64(0), np.int64(1)
        while view > 1:  # the last try is the lowest digit
            symbol = view % RADIX
            image += power * (2 * TURNED_CELL[which, symbol // 2] + symbol % 2)
            view //= RADIX
            power *= RADIX
        return image + power

    def moved(self, action, which):
        return TURNED_CELL[which, action]

    def show(self, state, player):
        return board(*self.known(state, player))

    def draw(self, state, player):
        return cells(*self.known(state, player))

    def who(self, player):
        return "XO"[player]

    def ending(self, state):
        return "three in a row" if self.payoff(state, 0) else "the board is full"

    def known(self, state, player):
        """The marks of X and of O that a player knows of."""
        marks = [state[MARKS], state[MARKS + 1]]
        if player != REFEREE:
            marks[1 - player] = state[TRIED + player] & ~state[MARKS + player]
        return marks
