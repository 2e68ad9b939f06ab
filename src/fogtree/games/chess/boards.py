"""Sets of squares as 64-bit words, and which squares a man attacks.

Squares are numbered 0 = a1, 1 = b1, ..., 7 = h1, 8 = a2, ..., 63 = h8, and square s is bit s of a word. Words are unsigned,
for shifts and differences of signed ones go wrong at h8.

**Sliders.** A line through a square has a lower and an upper half. On the lower half the attack ends at the highest man, on
the upper half at the lowest one, and both are found by one instruction (the method is known as obstruction difference).
No large table is needed, so nothing pushes the data of a search out of the cache.
"""

import numpy as np

from ...kernels.bits import highest, lowest

ONE, ALL, TOP = np.uint64(1), np.uint64(2**64 - 1), np.uint64(1 << 63)
EIGHT, SEVEN, NINE = np.uint64(8), np.uint64(7), np.uint64(9)
RANK = [np.uint64(0xFF << 8 * rank) for rank in range(8)]
FILE = [np.uint64(0x0101010101010101 << file) for file in range(8)]
ENDS = RANK[0] | RANK[7]  # the ranks on which pawns are promoted
THIRD = np.array([RANK[2], RANK[5]])  # [player] where a pawn stands after one step from home
NOT_A, NOT_H = ~FILE[0], ~FILE[7]
DARK = np.uint64(0xAA55AA55AA55AA55)  # squares of a1's colour

UPWARDS = [(0, 1), (1, 1), (1, 0), (1, -1)]  # (ranks, files)
DIRECTIONS = UPWARDS + [(-ranks, -files) for ranks, files in UPWARDS]
STRAIGHT, DIAGONAL = (0, 2), (1, 3)  # the lines of rooks and of bishops, by the number of their upward direction


def _walk(square: int, ranks: int, files: int, most: int = 7) -> list[int]:
    """The squares from a square in a direction, to the edge of the board."""
    rank, file = square // 8, square % 8
    found: list[int] = []
    while len(found) < most and 0 <= (rank := rank + ranks) < 8 and 0 <= (file := file + files) < 8:
        found.append(8 * rank + file)
    return found


def _board(squares) -> int:
    return sum(1 << square for square in squares)


def _steps(*steps: tuple[int, int]) -> np.ndarray:
    """[square] where single steps lead."""
    words = [_board(to for step in steps for to in _walk(square, *step, 1)) for square in range(64)]
    return np.array(words, np.uint64)


_RAY = [[_walk(square, *direction) for square in range(64)] for direction in DIRECTIONS]  # [direction][square]

KNIGHT = _steps((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING = _steps(*DIRECTIONS)
PAWN = np.array([_steps((1, 1), (1, -1)), _steps((-1, 1), (-1, -1))])  # [player, square] what a pawn attacks
UPPER = np.array([[_board(ray) for ray in _RAY[line]] for line in range(4)], np.uint64)  # [line, square]
LOWER = np.array([[_board(ray) for ray in _RAY[line + 4]] for line in range(4)], np.uint64)
ROOK = np.bitwise_or.reduce([half[line] for half in (UPPER, LOWER) for line in STRAIGHT])  # [square] on an empty board
BISHOP = np.bitwise_or.reduce([half[line] for half in (UPPER, LOWER) for line in DIAGONAL])
BETWEEN = np.zeros((64, 64), np.uint64)  # [square, square] those between two squares of a line
LINE = np.zeros((64, 64), np.uint64)  # [square, square] the whole line through both, or nothing
for _number, _rays in enumerate(_RAY):
    for _square, _ray in enumerate(_rays):
        _whole = UPPER[_number % 4, _square] | LOWER[_number % 4, _square] | ONE << np.uint64(_square)
        for _steps_to, _to in enumerate(_ray):
            BETWEEN[_square, _to] = _board(_ray[:_steps_to])
            LINE[_square, _to] = _whole


def bit(square):
    """The set of one square."""
    return ONE << np.uint64(square)


def along(line, square, men):
    """What a slider on a square attacks on one of the four lines through it."""
    lower, upper = LOWER[line, square], UPPER[line, square]
    above = (upper & men) | TOP
    below = (lower & men) | ONE
    return (lower | upper) & (above ^ (above - ONE)) & (ALL << np.uint64(highest(below)))


def rook(square, men):
    """What a rook attacks when these men stand on the board."""
    return along(0, square, men) | along(2, square, men)


def bishop(square, men):
    """What a bishop attacks when these men stand on the board."""
    return along(1, square, men) | along(3, square, men)


def forward(squares, player):
    """The squares one step ahead."""
    return squares << EIGHT if player == 0 else squares >> EIGHT


def pawn_attacks(pawns, player):
    """What the pawns of a player attack."""
    if player == 0:
        return ((pawns & NOT_H) << NINE) | ((pawns & NOT_A) << SEVEN)
    return ((pawns & NOT_H) >> SEVEN) | ((pawns & NOT_A) >> NINE)


def knight_attacks(knights):
    """What knights attack."""
    found = np.uint64(0)
    while knights:
        found |= KNIGHT[lowest(knights)]
        knights &= knights - ONE
    return found


def reached(square, men, straight, diagonal):
    """Those of the sliders (rooks and queens, bishops and queens) that attack a square when these men are on the board."""
    snipers = (ROOK[square] & straight) | (BISHOP[square] & diagonal)
    found = np.uint64(0)
    while snipers:
        sniper = snipers ^ (snipers & (snipers - ONE))
        if BETWEEN[square, lowest(sniper)] & men == np.uint64(0):
            found |= sniper
        snipers ^= sniper
    return found
