"""What a Go player thinks of a move at first sight: a policy (see policy.py) for the prior of a search.

`FirstSight` weighs every point that may be played and is no own eye. A weight is a strength: a point of weight 2 is taken for
twice as good as one of weight 1, and the factors of all that is true of a point are multiplied.

    save       it saves an own group that stands in atari
    capture    it takes stones
    pattern    its neighbourhood matches one of MoGo's patterns
    close      it is one or two points away from the last move, diagonals included
    atari      the stone would stand in atari
    edge       it is on the first line, and none of its eight neighbours has a stone

Passing weighs little. Own eyes are pruned. On large boards most points are far from everything: with `distance`, once some
stones are on the board, points are pruned that are further than that from every stone, by rows or by columns.
"""

from typing import NamedTuple

from ...text.parameters import accepts, real
from . import board
from .board import BLACK, CODE, EIGHT, EMPTIES, EMPTY, FIELDS, LAST, NO_POINT, NUMBER, STONE, TURN, WHITE
from .patterns import TABLE
from .playouts import sensible, stands_in_atari, takes

LOW_BITS = 0x5555  # of each neighbour in a code
FEW = 8  # stones, until which nothing is pruned by distance
ANYWHERE = 0  # no distance
NEAR = 2  # points from the last move


@accepts(
    save=real(0, 1e3, open_low=True),
    capture=real(0, 1e3, open_low=True),
    pattern=real(0, 1e3, open_low=True),
    close=real(0, 1e3, open_low=True),
    atari=real(0, 1e3, open_low=True),
    edge=real(0, 1e3, open_low=True),
    passing=real(0, 1e3, open_low=True),
    distance=range(20),
)
class FirstSight(NamedTuple):
    save: float = 6.0
    capture: float = 4.0
    pattern: float = 2.0
    close: float = 2.0
    atari: float = 0.2
    edge: float = 0.2
    passing: float = 0.05
    distance: int = ANYWHERE

    def weigh(self, game, state, player, choice, odds):
        count, total, area = 0, 0.0, game.side * game.side
        for action in range(area):
            point = board.point_of(game.side, action)
            if state[board.at(point)] & STONE != EMPTY or not sensible(game, state, point, True):
                continue
            if self.distance == ANYWHERE or not remote(game, state, action, self.distance):
                choice[count], odds[count] = action, self.strength(game, state, point)
                total += odds[count]
                count += 1
        choice[count], odds[count] = area, self.passing
        total += self.passing
        for i in range(count + 1):
            odds[i] /= total
        return count + 1

    def strength(self, game, state, point):
        """The factors of all that is true of a point, multiplied."""
        strength, row, stone = 1.0, game.row(), state[TURN] + BLACK
        other = BLACK + WHITE - stone
        code = state[board.at(point)] >> CODE & EIGHT
        if self_atari(state, row, point, stone):
            strength *= self.atari
        elif rescues(state, row, point, stone):
            strength *= self.save
        if takes(state, row, point, other):
            strength *= self.capture
        if TABLE[board.at(code)] & stone != 0:
            strength *= self.pattern
        if state[LAST] != NO_POINT and reach(game.side, state[board.at(point)], state[board.at(state[LAST])]) <= NEAR:
            strength *= self.close
        if alone_at_the_edge(code):
            strength *= self.edge
        return strength


def self_atari(state, row, point, stone):
    """Whether a stone on this empty point would stand in atari."""
    return board.in_atari(board.liberties_after(state, row, point, stone))


def rescues(state, row, point, stone):
    """Whether an own group in atari is beside this empty point."""
    found = False
    for near in (point + row, point + FIELDS, point - row, point - FIELDS):
        found |= stands_in_atari(state, near, stone)
    return found


def alone_at_the_edge(code):
    """Whether of these eight neighbours some are off the board and none has a stone. The two bits of a stone differ."""
    return (code & code >> 1 & LOW_BITS != 0) and ((code ^ code >> 1) & LOW_BITS == 0)


def reach(side, one, other):
    """How many rows or columns apart two points are, by their SPOT words: the larger of both."""
    first, second = one >> NUMBER, other >> NUMBER
    return max(abs(first // side - second // side), abs(first % side - second % side))


def remote(game, state, action, distance):
    """Whether no stone is within this distance of a point, on a board that has a few."""
    if game.side * game.side - state[EMPTIES] < FEW:
        return False
    row, column = action // game.side, action % game.side
    for y in range(max(0, row - distance), min(game.side, row + distance + 1)):
        for x in range(max(0, column - distance), min(game.side, column + distance + 1)):
            if state[board.at(board.point_of(game.side, y * game.side + x))] & STONE != EMPTY:
                return False
    return True
