"""Chess, everything in the open. Rules version 1.

The Laws of Chess of FIDE (2023), as two programs can play them without an arbiter. White is player 0 and moves first.

* King, queen, rook, bishop, knight and pawn move and take as usual; a king never stands or steps where it could be taken.
* Castling: king and rook have not moved, the squares between them are free, and the king does not leave, cross or enter an
  attacked square.
* A pawn that went two squares may be taken in passing by the next move. A pawn on the last rank becomes a queen, rook, bishop
  or knight.
* Mate wins; a player to move who has no legal move and is not in check draws (stalemate).
* Nobody claims draws here. The game ends by itself when the same position occurs for the third time (the same men, the same
  player to move, the same castling rights and the same capture in passing), after a hundred half-moves without a capture or
  a move of a pawn unless the last of them gives mate, and in dead positions: king against king, with at most one knight, or
  with any bishops that all stand on squares of one colour.

Payoffs 1, 0, -1. An action is 64 * from + to, where a1 is 0, b1 is 1 and h8 is 63; a promotion adds 4096 for a knight, 8192
for a bishop, 12288 for a rook and 16384 for a queen. People write e4, Nf3, O-O, exd8=Q+ (SAN) or e2e4, e7e8q (UCI). A
position is written as a FEN, which does not tell which positions have occurred before.

The longest game: sixteen pawns make at most 96 moves, and at most 30 men are taken, so at most 126 moves set the clock of a
hundred half-moves to 0.
"""

from typing import NamedTuple

from ...game import OVER, Shape
from ...text.parameters import accepts
from . import endings, moves, ordering, text
from .features import ChessFeatures
from .piece_squares import PieceSquares

MOST_ACTIONS = 218  # of a position with the men that eight pawns may become: Petrovic 1964; no position has more
MOST_MOVES = (96 + 30) * moves.FIFTY
HOME = (  # by kind of man
    0x00FF00000000FF00,
    0x4200000000000042,
    0x2400000000000024,
    -0x7EFFFFFFFFFFFF7F,  # h8 is the sign of the word
    0x0800000000000008,
    0x1000000000000010,
)


@accepts()
class Chess(NamedTuple):
    def shape(self):
        return Shape(2, moves.WORDS, MOST_ACTIONS, MOST_MOVES, -1.0, 1.0, open=True)

    def start(self, state):
        for kind in range(6):
            state[kind] = HOME[kind]
        state[moves.SIDE], state[moves.SIDE + 1] = 0xFFFF, -(1 << 48)
        state[moves.TURN] = state[moves.CLOCK] = state[moves.PLY] = 0
        state[moves.RIGHTS], state[moves.PASSING] = 15, moves.NOWHERE
        moves.begin(state)

    def player(self, state):
        return state[moves.TURN] if state[moves.RESULT] == moves.OPEN else OVER

    def actions(self, state, out):
        return moves.generate(state, ~moves.ZERO, out)

    def step(self, state, action):
        moves.move(state, action)
        moves.finish(state, action)

    def payoff(self, state, player):
        if state[moves.RESULT] != moves.MATE:
            return 0.0
        return -1.0 if state[moves.TURN] == player else 1.0

    def view(self, state, player):
        return state[moves.VIEW]

    def position(self, state):
        return state[moves.KEY]

    def noisy(self, state, out):
        """Captures and promotions; in check every move, for a player in check has no quiet position to believe in."""
        if state[moves.CHECKERS]:
            return moves.generate(state, ~moves.ZERO, out)
        return moves.generate(state, moves.board(state, moves.SIDE + 1 - state[moves.TURN]), out)

    def urgent(self, state):
        """Whether a search should look one move deeper here: the mover is in check."""
        return state[moves.CHECKERS] != 0

    def promise(self, state, action):
        return ordering.promise(state, action)

    def by_course(self, state):
        return moves.by_course(state)

    def skip(self, state):
        return moves.skip(state)

    def live(self, state):
        """How many words of the state matter; what stands behind them need not be copied."""
        return moves.KEYS + min(state[moves.CLOCK], moves.FIFTY) + 1

    def evaluation(self):
        """Piece-square tables set by hand."""
        return PieceSquares()

    def features(self):
        """What learned evaluations are made of."""
        return ChessFeatures()

    def endings(self, which="three"):
        """The numbered positions of few men, for endgame tables: `three`, `four`, or names such as KBNK (`endings.py`)."""
        return endings.endings_of(which)

    def version(self):
        return 1

    def show(self, state, player):
        return text.show(state)

    def draw(self, state, player):
        checked = "Kk"[state[moves.TURN]] if state[moves.CHECKERS] else ""
        return text.draw(text.letters(state), 8, player, checked)

    def path(self, state, action):
        return text.path(action, int(state[moves.TURN]))

    def who(self, player):
        return text.COLOUR[player]

    def ending(self, state):
        return text.ENDINGS.get(int(state[moves.RESULT]), "").removeprefix("a draw: ")

    def label(self, state, action):
        return text.label(state, action)

    def read(self, state, typed):
        return text.read(state, typed)

    def notation(self, state):
        return text.notation(state)

    def from_notation(self, fen, state):
        text.from_notation(fen, state)
