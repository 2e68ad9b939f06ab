"""An evaluation of chess by hand: what each man is worth on each square, in the middle game and in the endgame.

The value of a man is interpolated between two tables by the men that are left ("tapered"): knights and bishops count 1, rooks
2, queens 4, and 24 is a full board. The tables are our own, set by rules of thumb: centre good, edge bad, pawns gain as they
go, the king hides first and comes out later. The unit is a pawn, squashed into the range of payoffs: SCALE pawns are 1.
"""

from typing import NamedTuple

import numpy as np

from ...kernels.bits import count, lowest
from .boards import ONE
from .moves import BISHOPS, KINGS, KNIGHTS, PAWNS, QUEENS, ROOKS, SIDE, board

SCALE = 20.0  # pawns that count as a win
ALL_MEN = 24  # the phase of the game with all knights, bishops, rooks and queens: 1, 1, 2 and 4 for each


def _tables() -> np.ndarray:
    """[kind, square, middle game or endgame] in pawns, for White."""
    table = np.zeros((6, 64, 2))
    for square in range(64):
        rank, file = square // 8, square % 8
        centre = 3.5 - max(abs(rank - 3.5), abs(file - 3.5))  # 0 at the edge to 3
        middle = 3.5 - abs(file - 3.5)  # of the files
        table[PAWNS, square] = (
            0.9 + (0.05 * rank * (middle - 1) if rank < 4 else 0.1 * rank),
            1.1 + 0.12 * max(rank - 1, 0),
        )
        table[KNIGHTS, square] = 3.0 + 0.18 * centre + 0.03 * min(rank, 5), 2.8 + 0.15 * centre
        table[BISHOPS, square] = 3.2 + 0.09 * centre - 0.15 * (rank == 0), 3.1 + 0.08 * centre
        table[ROOKS, square] = 4.7 + 0.04 * middle + 0.25 * (rank == 6), 5.2 + 0.1 * (rank == 6)
        table[QUEENS, square] = 9.5 + 0.03 * centre - 0.02 * rank, 9.6 + 0.12 * centre
        safe = 0.35 if file in (1, 2, 6) else 0.25 if file in (0, 7) else 0.0
        table[KINGS, square] = (safe if rank == 0 else 0.0) - 0.3 * rank, 0.2 * centre
    return table


GRAIN = 1 << 16  # a pawn, in the whole numbers of the packed table


def _packed() -> np.ndarray:
    """[player, kind, square] both numbers in one word, the middle game in its upper half, so that one sum adds both."""
    white = np.rint(_tables() * GRAIN).astype(np.int64)
    word = (white[..., 0] << 32) + white[..., 1]
    black = -word.reshape(6, 8, 8)[:, ::-1].reshape(6, 64)  # White's, seen from the other side
    return np.array([word, black])


TABLE = _packed()
UNIT = 1.0 / (GRAIN * SCALE)
LOW, HALF = np.int64((1 << 32) - 1), np.int64(1 << 31)


class PieceSquares(NamedTuple):
    """Tapered piece-square tables."""

    def value(self, game, state):
        total = np.int64(0)
        for player in range(2):
            men = board(state, SIDE + player)
            for kind in range(6):
                left = board(state, kind) & men
                while left:
                    total += TABLE[player, kind, lowest(left)]
                    left &= left - ONE
        late = ((total + HALF) & LOW) - HALF  # the lower half, with its sign
        early = (total - late) >> np.int64(32)
        knights, bishops = board(state, KNIGHTS), board(state, BISHOPS)
        phase = count(knights | bishops) + 2 * count(board(state, ROOKS)) + 4 * count(board(state, QUEENS))
        share = min(phase, ALL_MEN) / ALL_MEN
        return (share * early + (1.0 - share) * late) * UNIT
