"""Alpha-beta on chess: nodes a second, beside the same search in plain Python on python-chess; and how long compiling takes.

Nodes are positions entered, quiescence included. The peer is written here: iterative deepening, scouts, a table of bounds,
killers, history, quiescence over captures and promotions, check extensions, and the same tapered piece-square tables. The
positions are the start, Kiwipete (Chess Programming Wiki) and a middle game.

Compiling is timed in processes of their own, with an empty cache and then with what that left: processor seconds from before
`think` to its first answer, with fogtree and Numba loaded before.
"""

import os
import subprocess
import sys
import tempfile

import chess
import numpy as np

from fogtree.evaluation import linear
from fogtree.games.chess import Chess
from fogtree.games.chess.features import ChessFeatures
from fogtree.games.chess.piece_squares import SCALE, PieceSquares, _tables
from fogtree.search.open.alphabeta import AlphaBeta
from row import Row, rates

GAME = Chess()
POSITIONS = {
    "start": chess.STARTING_FEN,
    "Kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "middle game": "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8",
}
NODES = 300_000  # a call
PYTHON_NODES = 2_000
SQUARES_BAR, FEATURES_BAR, RATIO_BAR, COLD_BAR, WARM_BAR = 3e6, 2e6, 150, 12.0, 0.5
UNIT = "nodes/s"


def measure() -> list[Row]:
    weight = 0.05 * np.random.default_rng(1).standard_normal(ChessFeatures().size())
    squares = AlphaBeta(GAME, PieceSquares())
    learned = AlphaBeta(GAME, linear(GAME, ChessFeatures(), weight))
    states = []
    for fen in POSITIONS.values():
        states.append(np.zeros(GAME.shape().words, np.int64))
        GAME.from_notation(fen, states[-1])

    def ours(search: AlphaBeta) -> int:
        total = 0
        for state in states:
            search.forget()
            total += search.think(state, nodes=NODES).nodes
        return total

    found = rates(
        {
            "squares": lambda: ours(squares),
            "features": lambda: ours(learned),
            "python": lambda: sum(Plain(chess.Board(fen)).run(PYTHON_NODES) for fen in POSITIONS.values()),
        }
    )
    cold, warm = compile_seconds()
    return [
        Row("chess, piece-square tables", found["squares"], bar=SQUARES_BAR, unit=UNIT),
        Row("chess, 1,744 features", found["features"], bar=FEATURES_BAR, unit=UNIT),
        Row(
            "beside plain Python",
            found["squares"],
            found["python"],
            found["squares"] / found["python"],
            RATIO_BAR,
            UNIT,
            "python-chess",
        ),
        Row("compiling, empty cache", cold, bar=COLD_BAR, unit="s", at_most=True),
        Row("loading from the cache", warm, bar=WARM_BAR, unit="s", at_most=True),
    ]


SCRIPT = """
import time
from fogtree.game import new_state
from fogtree.games.chess import Chess
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.search.open.alphabeta import AlphaBeta
state, search = new_state(Chess()), AlphaBeta(Chess(), PieceSquares())
began = time.process_time()
search.think(state, depth=1)
print(time.process_time() - began)
"""


def compile_seconds() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        run = lambda: float(  # noqa: E731
            subprocess.run(
                [sys.executable, "-c", SCRIPT],
                env={**os.environ, "FOGTREE_CACHE": folder},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        return run(), min(run() for _ in range(3))


# --- the same search in plain Python -----------------------------------------------------------------------------------

TABLE = (_tables() / SCALE).tolist()  # [kind][square][phase]
PHASE = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATE, INFINITE, QUIET = 1000.0, 1e9, 32


class Spent(Exception):
    """The nodes are used up."""


class Plain:
    def __init__(self, board: chess.Board):
        self.board, self.table, self.nodes, self.limit = board, {}, 0, 0
        self.killer, self.history = [[None, None] for _ in range(256)], {}

    def run(self, nodes: int) -> int:
        self.limit = nodes
        try:
            for depth in range(1, 100):
                self.search(depth, -INFINITE, INFINITE, 0, False)
        except Spent:
            pass
        return self.nodes

    def enter(self) -> None:
        self.nodes += 1
        if self.nodes >= self.limit:
            raise Spent

    def evaluate(self) -> float:
        early = late = phase = 0
        for square, man in self.board.piece_map().items():
            row = TABLE[man.piece_type - 1][square if man.color else square ^ 56]
            sign = 1 if man.color else -1
            early, late = early + sign * row[0], late + sign * row[1]
            phase += PHASE.get(man.piece_type, 0)
        share = min(phase, 24) / 24
        value = share * early + (1 - share) * late
        return value if self.board.turn else -value

    def promise(self, move: chess.Move) -> float:
        taken = self.board.piece_type_at(move.to_square)
        if move.promotion:
            return WORTH[move.promotion] + WORTH.get(taken, 0)
        return WORTH[taken] - WORTH[self.board.piece_type_at(move.from_square)] / 16 if taken else 0.0

    def search(self, depth: int, alpha: float, beta: float, ply: int, extended: bool) -> float:
        self.enter()
        board = self.board
        if board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3):
            return 0.0
        check = board.is_check()
        extend = check and not extended
        depth += extend
        if depth == 0:
            self.nodes -= 1
            return self.quiescence(alpha, beta, ply, QUIET)
        key, floor, hint = board._transposition_key(), alpha, None
        if key in self.table:
            stored, lower, upper, hint = self.table[key]
            if stored == depth and ply:
                if lower >= beta:
                    return lower
                if upper <= alpha:
                    return upper
        ranks = {}
        for move in board.legal_moves:
            rank = self.promise(move) * 1000 + self.history.get((board.turn, move), 0) / 1000
            ranks[move] = INFINITE if move == hint else rank + 500 * (move in self.killer[ply])
        if not ranks:
            return ply - MATE if check else 0.0
        best, chosen = -INFINITE, None
        for number, move in enumerate(sorted(ranks, key=ranks.get, reverse=True)):
            board.push(move)
            try:
                if number == 0:
                    value = -self.search(depth - 1, -beta, -alpha, ply + 1, extend)
                else:
                    value = -self.search(depth - 1, -alpha - 1e-9, -alpha, ply + 1, extend)
                    if alpha < value < beta:
                        value = -self.search(depth - 1, -beta, -alpha, ply + 1, extend)
            finally:
                board.pop()
            if value > best:
                best = value
                if value > alpha:
                    alpha, chosen = value, move
                    if value >= beta:
                        self.killer[ply] = [move, self.killer[ply][0]]
                        at = (board.turn, move)
                        self.history[at] = self.history.get(at, 0) + depth * depth
                        break
        self.table[key] = (
            depth,
            best if best > floor else -INFINITE,
            best if best < beta else INFINITE,
            chosen,
        )
        return best

    def quiescence(self, alpha: float, beta: float, ply: int, left: int) -> float:
        self.enter()
        board = self.board
        if board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3):
            return 0.0
        check, best = board.is_check(), -INFINITE
        if not check or left == 0:
            if not any(board.legal_moves):
                return ply - MATE if check else 0.0
            best = self.evaluate()
            if best >= beta or left == 0:
                return best
            alpha = max(alpha, best)
            moves = [move for move in board.legal_moves if board.is_capture(move) or move.promotion]
        else:
            moves = list(board.legal_moves)
            if not moves:
                return ply - MATE
        for move in sorted(moves, key=self.promise, reverse=True):
            board.push(move)
            try:
                value = -self.quiescence(-beta, -alpha, ply + 1, left - 1)
            finally:
                board.pop()
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best
