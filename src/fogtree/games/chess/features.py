"""Features of chess for an evaluation that learns, of the kind that Meep had (Veness and others 2009): 1,744 weights.

Each feature is White's minus that of Black seen from the other side of the board, so that exchanging the colours changes the
sign. Each has two weights, for the middle game and for the endgame, mixed by the men that are left as in `piece_squares.py`
("tapered"): weight 2j counts `share` times the feature and weight 2j + 1 counts the rest. Groups, with how many features:

    material        5   men of a kind, kings apart
    pair            1   two bishops
    squares       384   a man of a kind on a square
    mobility       66   knights, bishops, rooks, queens by the number of squares that they attack, without own men
    passed         32   pawns that no pawn can stop, by rank and by distance of the file from the edge
    guarded        32   pawns guarded by a pawn or beside one, likewise
    blocked        32   pawns with a man in front of them, likewise
    isolated        8   by file
    doubled         8   by file
    open files     16   rooks on files without pawns, or without own ones, by file
    shelter       108   on the king's file and those beside it: how far the next own pawn is, by the king's distance from
                        the edge
    storm         108   likewise for pawns of the other
    attacked       64   squares around the king that the other attacks, counted with each man who does, by whether a queen
                        is left
    move            8   whose move it is, by the men that are left
"""

from typing import NamedTuple

import numpy as np

from ...kernels import inlined
from ...kernels.bits import count, highest, lowest
from .boards import FILE, KING, KNIGHT, NOT_A, NOT_H, ONE, bishop, bit, pawn_attacks, rook
from .moves import BISHOPS, KINGS, KNIGHTS, PAWNS, QUEENS, ROOKS, SIDE, TURN, board
from .piece_squares import ALL_MEN

ZERO = np.uint64(0)
MATERIAL = 0
PAIR = MATERIAL + 5
SQUARES = PAIR + 1
MOBILITY = SQUARES + 384
MOVES_OF = np.array([0, 0, 9, 23, 38])  # [kind] where its mobility begins
PASSED = MOBILITY + 66
GUARDED = PASSED + 32
BLOCKED = GUARDED + 32
ISOLATED = BLOCKED + 32
DOUBLED = ISOLATED + 8
OPEN_FILES = DOUBLED + 8
SHELTER = OPEN_FILES + 16
STORM = SHELTER + 108
ATTACKED = STORM + 108
MOVE = ATTACKED + 64
TOTAL = MOVE + 8
MOST_ATTACKED = 31
MOST_ACTIVE = 2 * 2 * (16 * 8 + 24)

BESIDE = np.array([(int(FILE[f - 1]) if f else 0) | (int(FILE[f + 1]) if f < 7 else 0) for f in range(8)], np.uint64)
FILES = np.array(FILE)
AHEAD = np.zeros((2, 8), np.uint64)  # [player, rank] all squares on the ranks ahead
for _rank in range(8):
    AHEAD[0, _rank] = sum(0xFF << 8 * r for r in range(_rank + 1, 8))
    AHEAD[1, _rank] = sum(0xFF << 8 * r for r in range(_rank))


class ChessFeatures(NamedTuple):
    def size(self):
        return 2 * TOTAL

    def active(self, game):
        return MOST_ACTIVE

    def version(self):
        return 1

    def find(self, game, state, which, worth):
        phase = men_left(state)
        return describe(state, phase, Writer(which, worth, phase / ALL_MEN))[0]

    def total(self, game, state, weight, scratch):
        """The sum of the weights, without a list of the features."""
        phase = men_left(state)
        early, late = describe(state, phase, Adder(weight))
        return (phase * early + (ALL_MEN - phase) * late) / ALL_MEN


class Writer(NamedTuple):
    """Lists features, each in its two weights; counts them."""

    which: np.ndarray
    worth: np.ndarray
    share: float  # of the middle game

    def begin(self):
        return 0, 0

    def add(self, found, unused, feature, amount):
        self.which[found], self.worth[found] = 2 * feature, amount * self.share
        self.which[found + 1], self.worth[found + 1] = 2 * feature + 1, amount * (1.0 - self.share)
        return found + 2, unused


class Adder(NamedTuple):
    """Adds up the weights of features, for the middle game and for the endgame."""

    weight: np.ndarray

    def begin(self):
        return 0.0, 0.0

    def add(self, early, late, feature, amount):
        return early + amount * self.weight[2 * feature], late + amount * self.weight[2 * feature + 1]


def men_left(state):
    """How much of the middle game is left, from ALL_MEN to 0."""
    many = count(board(state, KNIGHTS) | board(state, BISHOPS))
    return min(many + 2 * count(board(state, ROOKS)) + 4 * count(board(state, QUEENS)), ALL_MEN)


@inlined
def describe(state, phase, sink):
    """Hand each feature of a position to a sink: its number, and how much White has more of it than Black. The sink keeps two
    numbers, which it is given each time and returns; the last two are returned."""
    pawns, kings, queens = board(state, PAWNS), board(state, KINGS), board(state, QUEENS)
    bishops = board(state, BISHOPS)
    men = board(state, SIDE) | board(state, SIDE + 1)
    one, two = sink.begin()
    for player in range(2):
        sign = 1.0 if player == 0 else -1.0
        flip = 0 if player == 0 else 56
        own, foe = board(state, SIDE + player), board(state, SIDE + 1 - player)
        home = lowest(kings & foe)  # the king under attack
        ring, pressure = KING[home], 0
        own_pawns, foe_pawns = pawns & own, pawns & foe
        guards = pawn_attacks(own_pawns, player)
        for kind in range(5):
            many = count(board(state, kind) & own)
            if many:
                one, two = sink.add(one, two, MATERIAL + kind, sign * many)
        if count(bishops & own) >= 2:
            one, two = sink.add(one, two, PAIR, sign)
        for kind in range(6):
            left = board(state, kind) & own
            while left:
                square = lowest(left)
                left &= left - ONE
                seen = square ^ flip
                file, rank = square & 7, seen >> 3
                one, two = sink.add(one, two, SQUARES + 64 * kind + seen, sign)
                if kind == PAWNS:
                    edge = 4 * rank + min(file, 7 - file)
                    ahead = AHEAD[player, square >> 3]
                    if foe_pawns & ahead & (FILES[file] | BESIDE[file]) == ZERO:
                        one, two = sink.add(one, two, PASSED + edge, sign)
                    here = bit(square)
                    if (guards & here) | (((here & NOT_H) << ONE | (here & NOT_A) >> ONE) & own_pawns):
                        one, two = sink.add(one, two, GUARDED + edge, sign)
                    if bit(square + 8 if player == 0 else square - 8) & men:
                        one, two = sink.add(one, two, BLOCKED + edge, sign)
                    if own_pawns & BESIDE[file] == ZERO:
                        one, two = sink.add(one, two, ISOLATED + file, sign)
                    if own_pawns & ahead & FILES[file]:
                        one, two = sink.add(one, two, DOUBLED + file, sign)
                elif kind < KINGS:
                    reach = KNIGHT[square]
                    if kind != KNIGHTS:
                        reach = ZERO
                        if kind != ROOKS:
                            reach |= bishop(square, men)
                        if kind != BISHOPS:
                            reach |= rook(square, men)
                    one, two = sink.add(one, two, MOBILITY + MOVES_OF[kind] + count(reach & ~own), sign)
                    pressure += count(reach & ring)
                    if kind == ROOKS and own_pawns & FILES[file] == ZERO:
                        one, two = sink.add(one, two, OPEN_FILES + file + (0 if foe_pawns & FILES[file] else 8), sign)
                else:
                    edge = min(file, 7 - file)
                    for side in range(-1, 2):
                        if 0 <= file + side < 8:
                            column = FILES[file + side] & (AHEAD[player, square >> 3])
                            place = 27 * edge + 9 * (side + 1)
                            shelter = SHELTER + place + distance(own_pawns & column, player, square)
                            one, two = sink.add(one, two, shelter, sign)
                            storm = STORM + place + distance(foe_pawns & column, player, square)
                            one, two = sink.add(one, two, storm, sign)
        pressure += count(guards & ring)
        if pressure:
            one, two = sink.add(one, two, ATTACKED + min(pressure, MOST_ATTACKED) + (32 if queens & own else 0), sign)
    return sink.add(one, two, MOVE + min(phase // 3, 7), 1.0 if state[TURN] == 0 else -1.0)


def distance(pawns, player, square):
    """How many ranks ahead of a square the nearest of some pawns ahead of it stands; 8 where there is none."""
    if pawns == ZERO:
        return 8
    if player == 0:
        return (lowest(pawns) >> 3) - (square >> 3)
    return (square >> 3) - (highest(pawns) >> 3)
