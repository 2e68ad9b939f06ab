"""Go: surround more than the other (area rules, after Tromp and Taylor). Rules version 1.

Two players, black (player 0) first, in turn put a stone on an empty point of a square grid, or pass. Stones of one colour
that are joined along the lines form a group, and the empty points beside a group are its liberties. A stone first takes all
groups of the other that have no liberty left. Then an own group must not be without liberty: that is suicide, which is not
allowed, or with `suicide` takes the own group off the board. The suicide of a single stone, which would change nothing, is
never allowed.

Ko: if a single stone that was just played took a single stone and is itself in atari, it must not be taken at once. With
positional superko no stone may recreate any earlier position of the whole board, whoever's turn it was. Superko includes ko.

Two passes in a row end the game. A player's area is their stones, all of which count as alive, and the empty points from
which only their stones can be reached. White gets `komi` points more. The larger area wins: 1 and -1, or 0 and 0 if they are
equal; with `points`, the payoff is the difference.

A game ends at the latest after 3 * side * side + 64 moves, and is then scored as it stands. That is far more than sensible
players need, and it gives every game an end where superko does not.

An action is a point, numbered by rows from the bottom left corner, A1, to the right and upwards; side * side is to pass.
People write vertices as in GTP: columns A to T without I, rows from 1 at the bottom, so D4, or pass.

`actions` lists what is legal by superko. `step` does not check it, so that those who draw moves themselves may go by ko alone
(`may_play`), as playouts do.
"""

import enum
from typing import NamedTuple

import numpy as np

from ...game import HASHED, OVER, Shape, seen
from ...kernels.bits import lowest
from ...text.parameters import accepts, build_named
from . import board, text
from .board import BLACK, KO, NO_POINT, PASSES, TAKEN, TURN, VIEW
from .evaluation import Nearness
from .playouts import MoGo, NoEyes
from .priors import FirstSight

EXACT = 64  # actions, for which views can be exact; larger boards have hashes
ONE = np.uint64(1)
LONGEST = 64  # moves beyond three times the area
# Parts of keys.
TO_MOVE, AFTER_PASS, AT_END = np.random.SeedSequence(17).generate_state(3, np.uint64).astype(np.int64).tolist()


class Superko(enum.IntEnum):
    NONE = 0  # ko alone
    POSITIONAL = 1


def half_points(value):
    """a whole or half number from -500 to 500"""
    if isinstance(value, (bool, str)) or not -500 <= value <= 500 or 2 * value % 1:
        raise ValueError
    return float(value)


@accepts(
    side=(range(board.SMALLEST, board.LARGEST + 1), "the board has side * side points"),
    komi=(half_points, "points that white gets for moving second"),
    suicide=(None, "whether an own group of two stones or more may be left without liberty, and is taken"),
    superko=(Superko, "whether earlier positions may come again; ko holds in any case"),
    points=(None, "the payoff is the difference of the areas, not who won"),
)
class Go(NamedTuple):
    side: int = 9
    komi: float = 6.5
    suicide: bool = False
    superko: Superko = Superko.POSITIONAL
    points: bool = False

    def shape(self):
        area, moves = self.side * self.side, self.longest()
        most = area + abs(self.komi) if self.points else 1.0
        return Shape(2, board.events(self.side) + 1 + moves, area + 1, moves, -most, most, True, True)

    def longest(self):
        """The most moves in one game."""
        return 3 * self.side * self.side + LONGEST

    def start(self, state):
        board.clear(state, self.side)
        state[VIEW] = 1 if self.side * self.side < EXACT else HASHED

    def player(self, state):
        return np.int64(OVER) if state[board.ENDED] else state[TURN]

    def actions(self, state, out):
        # A point with an empty one beside it is legal if no stone was ever taken from it. Others are looked at one by one.
        count, before, here = 0, np.uint64(0), board.empty_points(state, self.side, 0)
        for word in range(board.words_of(self.side)):
            after = board.empty_points(state, self.side, word + 1)
            legal = here & board.beside_set(self.side, word, before, here, after)
            if self.superko != Superko.NONE:
                legal &= np.uint64(0) if self.suicide else ~board.set_word(state, TAKEN, word)
            left = here & ~legal
            while left:
                action = 64 * word + lowest(left)
                point = board.point_of(self.side, action)
                if self.may_play(state, point) and not self.repeats(state, point):
                    legal |= left & (~left + ONE)
                left &= left - ONE
            while legal:
                out[board.at(count)] = 64 * word + lowest(legal)
                count += 1
                legal &= legal - ONE
            before, here = here, after
        out[board.at(count)] = self.side * self.side
        return count + 1

    def may_play(self, state, point):
        """Whether the mover may put a stone on this empty point, by ko but not by superko."""
        return board.may_play(state, self.row(), point, state[TURN] + BLACK, self.suicide)

    def repeats(self, state, point):
        """Whether superko forbids a move that may be played by ko. A stone where none was ever taken makes a new position."""
        if self.superko == Superko.NONE or not (self.suicide or board.was_taken(state, point)):
            return False
        key = board.key_after(state, self.row(), point, state[TURN] + BLACK)
        return board.was_there(state, self.side, key)

    def row(self):
        """How far apart two points are in the state of which one is above the other."""
        return board.FIELDS * (self.side + 1)

    def step(self, state, action):
        stone = state[TURN] + BLACK
        if action == self.side * self.side:
            state[PASSES] += 1
            state[KO] = state[board.LAST] = NO_POINT
        else:
            point = board.point_of(self.side, action)
            board.place(state, self.row(), point, stone)
            state[board.LAST] = point
            state[PASSES] = 0
        board.remember(state, self.side, action, stone)
        state[VIEW] = seen(state[VIEW], action, EXACT)
        state[TURN] = 1 - state[TURN]
        if state[PASSES] == 2 or state[board.COUNT] >= self.longest():
            state[board.ENDED] = 1
            state[board.SCORE] = board.area(state, self.row())

    def payoff(self, state, player):
        lead = state[board.SCORE] - self.komi
        if not self.points:
            lead = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        return lead if player == 0 else -lead

    def view(self, state, player):
        return state[VIEW]

    def position(self, state):
        """The stones, who moves, whether the last move was a pass or the game is over, and the points that ko and superko
        forbid now. What superko may forbid later, and the number of moves so far, are left out."""
        if state[board.ENDED]:
            return state[board.KEY] ^ AT_END
        key = state[board.KEY] ^ (TO_MOVE if state[TURN] else 0) ^ (AFTER_PASS if state[PASSES] else 0)
        if state[KO] != NO_POINT:
            key ^= board.ZOBRIST[board.BY_KO, state[state[KO]] >> board.NUMBER]
        if self.superko == Superko.NONE:
            return key
        for place in range(state[board.EMPTIES]):
            point = board.listed(state, place)
            if self.may_play(state, point) and self.repeats(state, point):
                key ^= board.ZOBRIST[board.BY_SUPERKO, state[point] >> board.NUMBER]
        return key

    def playout_policy(self, named="mogo:careful=yes"):
        """MoGo's patterns, without those that put own stones in atari; or another one by its name."""
        return build_named({"mogo": MoGo, "no-eyes": NoEyes}, named, "Go has no such policy")

    def prior_policy(self, named="first-sight"):
        """What a player thinks of a move at first sight."""
        return build_named({"first-sight": FirstSight}, named, "Go has no such policy")

    def evaluation(self):
        """Each empty point to the colour that is stronger around it."""
        return Nearness()

    def version(self):
        return 1

    def show(self, state, player):
        return text.show(state, self.side)

    def draw(self, state, player):
        played, over = text.moves(state, self.side), bool(state[board.ENDED])
        ko = None if state[KO] == NO_POINT else int(state[state[KO]] >> board.NUMBER)
        return text.draw(text.stones(state, self.side), self.side, played[-1] if played else None, ko, over)

    def who(self, player):
        return text.NAMES[player].capitalize()

    def ending(self, state):
        return text.counted(text.stones(state, self.side), self.side, self.komi)

    def label(self, state, action):
        return text.vertex(action, self.side)

    def read(self, state, typed):
        return text.read(self, state, typed)

    def notation(self, state):
        return text.notation(state, self.side)

    def from_notation(self, written, state):
        text.from_notation(self, written, state)
