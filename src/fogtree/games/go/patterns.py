"""The eleven patterns of MoGo's playouts: neighbourhoods of 3 x 3 points whose centre is a good local answer.

A pattern is drawn by rows from the top. The empty point in the middle is the candidate. X is a stone of the mover and O one
of the other:

    +  the candidate          o  anything but O         .  an empty point
    #  off the board          x  anything but X         ?  anything

What is off the board counts as anything, as not O and as not X. A pattern stands for its eight rotations and reflections.
BOTH patterns are as good for the other player, so the same with X and O exchanged belongs to them; OWN ones are the mover's
alone. An exception, drawn in the same direction, is taken out again.

S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go, INRIA report 6062, 2006. The
drawings follow the list that GNU Go gives for this policy (patterns/mc_mogo_classic.db).

`TABLE[code]` says for which colours to move a neighbourhood matches, as bits: `TABLE[code] & BLACK`.
"""

import enum
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .board import BLACK, BORDER, EIGHT, EMPTY, WHITE

# where the neighbours of a code stand in a drawing, as row and column: N E S W NE SE SW NW
WHERE = ((0, 1), (1, 2), (2, 1), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0))
MEANS = {  # the stones that a sign allows, as bits
    "X": 1 << BLACK,
    "O": 1 << WHITE,
    ".": 1 << EMPTY,
    "#": 1 << BORDER,
    "x": 1 << EMPTY | 1 << WHITE | 1 << BORDER,
    "o": 1 << EMPTY | 1 << BLACK | 1 << BORDER,
    "?": 0b1111,
}
EXCHANGED = str.maketrans("XOxo", "OXox")

Drawing = tuple[str, ...]  # three rows from the top


class For(enum.Enum):
    """Who may play a pattern."""

    BOTH = "both"
    OWN = "own"


class Pattern(NamedTuple):
    name: str
    rows: Drawing
    players: For = For.BOTH
    exceptions: tuple[Drawing, ...] = ()


PATTERNS = (
    Pattern("hane 1", ("XOX", ".+.", "???")),
    Pattern("hane 2", ("XO.", ".+.", "?.?")),
    Pattern("hane 3", ("XO?", "X+.", "?.?")),
    Pattern("hane 4", ("XOO", ".+.", "?.?"), For.OWN),
    Pattern("cut 1", ("XO?", "O+?", "???"), For.BOTH, (("XO?", "O+O", "?.?"), ("XO?", "O+.", "?O?"))),
    Pattern("cut 2", ("?X?", "O+O", "ooo")),
    Pattern("edge 1", ("X.?", "O+?", "###")),
    Pattern("edge 2", ("?X?", "x+O", "###")),
    Pattern("edge 3", ("?XO", "?+?", "###"), For.OWN),
    Pattern("edge 4", ("?OX", "?+o", "###"), For.OWN),
    Pattern("edge 5", ("?OX", "X+O", "###"), For.OWN),
)


def turned(rows: Drawing) -> Iterator[Drawing]:
    """The eight rotations and reflections of a drawing."""
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
        yield rows
        yield rows[::-1]


def codes_that_exist() -> np.ndarray:
    """[neighbourhoods] all codes that there are: 6,561 in the middle of a board, 972 at an edge, 108 in a corner."""
    four = np.arange(256)  # what stands on four of the neighbours
    beside = sum((four >> 2 * k & 3 == BORDER) << k for k in range(4)).astype(np.uint8)
    border = (beside | beside[:, None] << 4).ravel()  # [code] which of the eight are off the board
    drawn = [("...", ".+.", "..."), ("...", ".+.", "###"), ("#..", "#+.", "###")]
    edges = {sum((rows[r][c] == "#") << k for k, (r, c) in enumerate(WHERE)) for one in drawn for rows in turned(one)}
    there = np.zeros(256, bool)
    there[list(edges)] = True
    return np.flatnonzero(there[border])


CODES = codes_that_exist()
# [neighbourhoods] a bit in each of eight groups of four
STONES = sum(1 << (4 * k + (CODES >> 2 * k & 3)) for k in range(8))
EXCHANGE = np.array([EMPTY, WHITE, BLACK, BORDER])  # [stone]


def matched(rows: Drawing) -> np.ndarray:
    """[neighbourhoods] whether a drawing matches as it stands, with X for black."""
    allowed = sum(MEANS[rows[row][column]] << 4 * k for k, (row, column) in enumerate(WHERE))
    return np.equal(STONES & allowed, STONES)


def matches(pattern: Pattern) -> np.ndarray:
    """[neighbourhoods] whether a pattern matches when black is to move."""
    drawings = [(pattern.rows, *pattern.exceptions)]
    if pattern.players is For.BOTH:
        drawings.append(tuple(tuple(row.translate(EXCHANGED) for row in rows) for rows in drawings[0]))
    found = np.zeros(len(CODES), bool)
    for drawing in drawings:
        for rows, *exceptions in zip(*map(turned, drawing), strict=True):
            found |= matched(rows) & ~np.logical_or.reduce([np.zeros_like(found), *map(matched, exceptions)])
    return found


def table() -> np.ndarray:
    """[code] the colours to move for which a neighbourhood matches, as bits."""
    black = CODES[np.logical_or.reduce([matches(pattern) for pattern in PATTERNS])]
    white = sum(EXCHANGE[black >> 2 * k & 3] << 2 * k for k in range(8))
    made = np.zeros(EIGHT + 1, np.uint8)
    made[black] |= BLACK
    made[white] |= WHITE
    return made


TABLE = table()
