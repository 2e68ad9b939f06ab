"""How playouts play Go: two policies (see policy.py) that know little and draw fast.

`NoEyes` plays uniformly at random among all points but own eyes, and passes when there is no other. Without that rule groups
would never live, and a playout would go on and on.

`MoGo` answers locally first. At every move the first of these rules that has candidates plays one of them at random:

1. save: if the last move put own groups in atari, take stones of the other beside such a group that are in atari
   themselves, or play on the group's last liberty if the group then has two liberties or more;
2. patterns: on one of the eight points around the last move whose neighbourhood matches a pattern of `patterns.py`;
3. capture: take something, anywhere;
4. play as `NoEyes` does.

No rule but the first fills an own eye. With `careful`, patterns are not played where the stone's group would stand in
atari: programs after the first MoGo do so.

A playout goes by ko, not by superko: looking for repeated positions would cost more than it is worth. With `superko` the
policies keep to the game's own rule; whoever plays a match by them needs that.

S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go, INRIA report 6062, 2006.
"""

from typing import NamedTuple

import numpy as np

from ... import dice
from ...kernels import inlined
from . import board
from .board import BLACK, CODE, EIGHT, EMPTIES, EMPTY, FIELDS, LAST, NEXT, NO_POINT, NUMBER, STONE, TURN, WHITE
from .patterns import TABLE

TRIES = 12  # draws from the list of empty points, before all of them are looked at


class NoEyes(NamedTuple):
    superko: bool = False

    def weigh(self, game, state, player, choice, odds):
        count = 0
        for action in range(game.side * game.side):
            point = board.point_of(game.side, action)
            if state[point] & STONE == EMPTY and sensible(game, state, point, self.superko):
                choice[count] = action
                count += 1
        if count == 0:
            choice[0] = game.side * game.side
            count = 1
        return evenly(odds, count)

    def draw(self, game, state, player, room, random):
        """By rejection from the list of empty points; where that fails too often, from all that are left."""
        empties = state[EMPTIES]
        if empties > 0:
            for _ in range(TRIES):
                point = board.listed(state, dice.below(random, empties))
                if sensible(game, state, point, self.superko):
                    return state[board.at(point)] >> NUMBER
        count = 0
        for place in range(empties):
            point = board.listed(state, place)
            if sensible(game, state, point, self.superko):
                room.choice[count] = state[board.at(point)] >> NUMBER
                count += 1
        if count == 0:
            return np.int64(game.side * game.side)
        return room.choice[dice.below(random, count)]


class MoGo(NamedTuple):
    save: bool = True
    patterns: bool = True
    capture: bool = True
    careful: bool = False
    superko: bool = False

    def weigh(self, game, state, player, choice, odds):
        count = self.candidates(game, state, choice)
        if count == 0:
            return NoEyes(self.superko).weigh(game, state, player, choice, odds)
        sort(choice, count)
        return evenly(odds, count)

    def draw(self, game, state, player, room, random):
        count = self.candidates(game, state, room.choice)
        if count == 0:
            return NoEyes(self.superko).draw(game, state, player, room, random)
        return room.choice[dice.below(random, count)]

    def candidates(self, game, state, choice):
        """Writes the candidates of the first rule that has any, in any order; returns how many."""
        count = 0
        if state[LAST] != NO_POINT:
            if self.save:
                count = self.saving(game, state, choice)
            if count == 0 and self.patterns:
                count = self.matching(game, state, choice)
        if count == 0 and self.capture:
            count = self.capturing(game, state, choice)
        return count

    def saving(self, game, state, choice):
        count, row, stone, last = 0, game.row(), state[TURN] + BLACK, state[LAST]
        sides = (last + row, last + FIELDS, last - row, last - FIELDS)
        threatened = False
        for k in range(4):
            threatened |= stands_in_atari(state, sides[k], stone)
        if not threatened:
            return count
        for k in range(4):
            if stands_in_atari(state, sides[k], stone) and board.is_new(state, sides, k):
                way_out = board.point_of(game.side, board.liberty_of(board.liberties(state, sides[k])))
                if not board.in_atari(board.liberties_after(state, row, way_out, stone)):
                    count = self.add(game, state, way_out, choice, count)
                one = sides[k]
                for _ in range(state[board.at(state[board.at(one + board.HEAD)] + board.SIZE)]):
                    for near in (one + row, one + FIELDS, one - row, one - FIELDS):
                        if stands_in_atari(state, near, BLACK + WHITE - stone):
                            taken_by = board.point_of(game.side, board.liberty_of(board.liberties(state, near)))
                            count = self.add(game, state, taken_by, choice, count)
                    one = state[board.at(one + NEXT)]
        return count

    def add(self, game, state, point, choice, count):
        """One more candidate, if it may be played and is not listed yet; returns how many there are."""
        action = state[board.at(point)] >> NUMBER
        for i in range(count):
            if choice[i] == action:
                return count
        choice[count] = action
        return count + allowed(game, state, point, self.superko)

    def matching(self, game, state, choice):
        found, row, stone, last = 0, game.row(), state[TURN] + BLACK, state[LAST]
        for above in (row, 0, -row):
            for right in (-FIELDS, 0, FIELDS):
                spot = state[board.at(last + above + right)]
                choice[board.at(found)] = last + above + right  # the next overwrites it if it does not match
                found += (spot & STONE == EMPTY) & (TABLE[board.at(spot >> CODE & EIGHT)] & stone != 0)
        count = 0
        for i in range(found):
            point = choice[i]
            if sensible(game, state, point, self.superko) and not (
                self.careful and board.in_atari(board.liberties_after(state, row, point, stone))
            ):
                choice[count] = state[board.at(point)] >> NUMBER
                count += 1
        return count

    def capturing(self, game, state, choice):
        found, row, other = 0, game.row(), WHITE - state[TURN]
        for place in range(state[EMPTIES]):
            point = board.listed(state, place)
            choice[board.at(found)] = point  # the next overwrites it if no stone of the other's is beside it
            found += board.beside(state, point) & other != 0
        count = 0
        for i in range(found):
            point = choice[i]
            if takes(state, row, point, other) and allowed(game, state, point, self.superko):
                choice[count] = state[board.at(point)] >> NUMBER
                count += 1
        return count


@inlined
def allowed(game, state, point, superko):
    """Whether the mover may put a stone on this empty point."""
    return game.may_play(state, point) and not (superko and game.repeats(state, point))


@inlined
def sensible(game, state, point, superko):
    """The same, and it is no eye of the mover's."""
    return not board.is_eye(state, point, state[TURN] + BLACK) and allowed(game, state, point, superko)


@inlined
def stands_in_atari(state, point, stone):
    """Whether a point has a stone of this colour whose group has one liberty."""
    return (state[board.at(point)] & STONE == stone) & board.in_atari(board.liberties(state, point))


@inlined
def takes(state, row, point, other):
    """Whether a stone on this empty point takes stones of this colour."""
    number = state[board.at(point)] >> NUMBER
    found = False
    for near in (point + row, point + FIELDS, point - row, point - FIELDS):
        found |= (state[board.at(near)] & STONE == other) & board.all_are(board.liberties(state, near), number)
    return found


@inlined
def evenly(odds, count):
    """The same probability for all; returns how many."""
    for i in range(count):
        odds[i] = 1.0 / count
    return count


@inlined
def sort(choice, count):
    """A few numbers, ascending."""
    for i in range(1, count):
        moved, j = choice[i], i
        while j > 0 and choice[j - 1] > moved:
            choice[j] = choice[j - 1]
            j -= 1
        choice[j] = moved
