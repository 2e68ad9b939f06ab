"""Phantom Go: Go against stones that one cannot see. Rules version 1.

The rules of Go (area rules, see games/go/rules.py), without suicide and with ko, not superko. Nobody sees the other's stones.
A player whose turn it is tries a point. A referee who sees all says whether that is legal. If so the stone is placed and the
turn ends. If not, for whatever reason (a stone of the other's, suicide, ko), only the trying player is told, and tries
another point or passes. When stones are taken, both players are told which. Nothing else is said, not even that the other
has passed.

A player may try each point once a turn, but not own stones. Two passes in a row end the game, and so does the last of `turns`
turns, counted for both players together (0: three times the area). Each player's area is as in Go, white gets `komi` points
more, and the larger area wins: 1 and -1, or 0 and 0.

A view is the list of own tries with their results, and of the stones that were taken. An action is a point, numbered by rows
from the bottom left corner, A1; side * side is to pass.
"""

from typing import NamedTuple

import numpy as np

from .. import dice
from ..game import HASHED, OVER, REFEREE, Shape, seen
from ..kernels.bits import count, lowest, nth
from ..text.parameters import accepts
from .go import board, text
from .go.board import BLACK, COUNT, EMPTIES, EMPTY, ENDED, KO, NEXT, NO_POINT, PASSES, SCORE, STONE, TURN
from .go.rules import half_points

# state: the board, and from its end on the mover's tries of this turn as bits | two views
TRIED, VIEW, WORDS = 0, 2, 4
ONE = np.uint64(1)
EXACT = 62  # actions, for which views can be exact; larger boards have hashes
FAILED, PLACED = 0, 1
ROUNDS = 3  # times the area: turns in a game


@accepts(
    side=(range(2, 10), "the board has side * side points"),
    komi=(half_points, "points that white gets for moving second"),
    turns=(
        range(0, 1001),
        "stones and passes in one game, of both players together; 0 stands for three times the area",
    ),
)
class PhantomGo(NamedTuple):
    side: int = 3
    komi: float = 0.5
    turns: int = 0

    def shape(self):
        area = self.side * self.side
        # each turn ends with a stone or a pass, after at most one failed try of each point
        return Shape(2, board.events(self.side) + WORDS, area + 1, self.longest() * (area + 1), -1.0, 1.0)

    def longest(self):
        """The most turns in one game."""
        return self.turns if self.turns else ROUNDS * self.side * self.side

    def start(self, state):
        board.clear(state, self.side)
        views = board.events(self.side) + VIEW
        state[views] = state[views + 1] = 1 if self.side * self.side < EXACT else HASHED

    def player(self, state):
        return np.int64(OVER) if state[ENDED] else state[TURN]

    def actions(self, state, out):
        found = 0
        for word in range(board.words_of(self.side)):
            left = self.untried(state, word)
            while left:
                out[board.at(found)] = 64 * word + lowest(left)
                found += 1
                left &= left - ONE
        out[board.at(found)] = self.side * self.side
        return found + 1

    def any_action(self, state, out, random):
        free = 1  # to pass
        for word in range(board.words_of(self.side)):
            free += count(self.untried(state, word))
        number = dice.below(random, free)
        for word in range(board.words_of(self.side)):
            left = self.untried(state, word)
            if number < count(left):
                return 64 * word + nth(left, number)
            number -= count(left)
        return np.int64(self.side * self.side)

    def untried(self, state, word):
        """A word of the set of points that the mover may try."""
        closed = board.set_word(state, state[TURN], word) | np.uint64(state[board.events(self.side) + TRIED + word])
        return board.EDGES[self.side, word, board.BOARD] & ~closed

    def tried(self, state, action):
        return (state[board.events(self.side) + TRIED + (action >> 6)] >> (action & 63)) & 1

    def step(self, state, action):
        me = state[TURN]
        if action == self.side * self.side:
            state[PASSES] += 1
            state[KO] = NO_POINT
            self.tell(state, me, action, PLACED)
        elif self.is_legal(state, action):
            state[PASSES] = 0
            before = state[EMPTIES]
            self.tell(state, me, action, PLACED)
            board.place(state, self.row(), board.point_of(self.side, action), me + BLACK)
            if state[EMPTIES] >= before:
                self.tell_taken(state, before - 1)
        else:
            state[board.events(self.side) + TRIED + (action >> 6)] |= board.bit_of(action)
            self.tell(state, me, action, FAILED)
            return
        state[board.events(self.side) + TRIED] = state[board.events(self.side) + TRIED + 1] = 0
        state[TURN] = 1 - me
        state[COUNT] += 1
        if state[PASSES] == 2 or state[COUNT] >= self.longest():
            state[ENDED] = 1
            state[SCORE] = board.area(state, self.row())

    def is_legal(self, state, action):
        """What the referee knows."""
        point = board.point_of(self.side, action)
        if state[point] & STONE != EMPTY:
            return False
        return board.may_play(state, self.row(), point, state[TURN] + BLACK, False)

    def tell(self, state, player, action, result):
        """Tell a player what became of their try. Radices of 64 and 2 make a row of bits, and the first symbol of what is
        told says what follows, so that no two views have the same key."""
        view = board.events(self.side) + VIEW + player
        state[view] = seen(seen(state[view], action, EXACT + 2), result, 2)

    def tell_taken(self, state, first):
        """Tell both players which stones were taken: those that are in the list of empty points from this place on. They are
        told in the order of the board, for the order in the list depends on what is hidden."""
        taken, views = np.int64(self.side * self.side + 1), board.events(self.side) + VIEW
        for player in range(2):
            state[views + player] = seen(state[views + player], taken, EXACT + 2)
        for action in range(self.side * self.side + 1):
            last = action == self.side * self.side
            point = board.point_of(self.side, 0 if last else action)
            if last or (state[point] & STONE == EMPTY and state[point + NEXT] >= first):
                for player in range(2):
                    state[views + player] = seen(state[views + player], action, EXACT + 2)

    def row(self):
        return board.FIELDS * (self.side + 1)

    def payoff(self, state, player):
        lead = state[SCORE] - self.komi
        won = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        return won if player == 0 else -won

    def view(self, state, player):
        return state[board.events(self.side) + VIEW + player]

    def public(self, state):
        return state[COUNT]  # which turn it is; stones that were taken are public too, but a state does not keep them

    def version(self):
        return 1

    def show(self, state, player):
        return text.drawn(self.known(state, player), self.side)

    def draw(self, state, player):
        return text.draw(self.known(state, player), self.side, owned=player == REFEREE and bool(state[ENDED]))

    def who(self, player):
        return text.NAMES[player].capitalize()

    def ending(self, state):
        return text.counted(text.stones(state, self.side), self.side, self.komi)

    def known(self, state, player):
        """[row from the bottom, column] what a player knows of the board."""
        if player == REFEREE:
            return text.stones(state, self.side)
        own, marks = player + BLACK, text.stones(state, self.side)
        for row in range(self.side):
            for column in range(self.side):
                if marks[row][column] != own:
                    failed = state[TURN] == player and self.tried(state, row * self.side + column)
                    marks[row][column] = text.FAILED if failed else text.HIDDEN
        return marks

    def label(self, state, action):
        return text.vertex(action, self.side)

    def read(self, state, typed):
        return text.action_of(typed, self.side)
