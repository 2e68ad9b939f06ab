"""Moves of chess a second: perft against Stockfish's own and against python-chess, and through `actions` and `step`.

Perft counts courses of moves. In bulk the last moves are counted and not made: Stockfish's `go perft` does the same, and so
does python-chess with `legal_moves.count()`. Through the contract every move is made (a copy of the state, then `step`, which
also sees whether the game is over); python-chess makes and takes back every move too.

The positions are two of the Chess Programming Wiki: the start and the one called Kiwipete. Stockfish is a process of its
own. Its seconds are the processor's, like ours, and it runs on the same core. Where there is no Stockfish its lines are
left out.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import time

import chess
import numpy as np

from fogtree.games.chess import Chess
from fogtree.games.chess.perft import perft, visits
from row import ROUNDS, Row, one_core, rates

GAME = Chess()
POSITIONS = {
    "start": chess.STARTING_FEN,
    "Kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
}
BULK_DEPTH = {"start": 6, "Kiwipete": 5}  # for compiled programs
PYTHON_DEPTH = {"start": 4, "Kiwipete": 3}
STEP_DEPTH = {"start": 5, "Kiwipete": 4}
STOCKFISH_BAR, BULK_BAR, STEP_BAR = 0.5, 200, 80
UNIT = "moves/s"
FOLDERS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # where Debian puts it


def measure() -> list[Row]:
    rows = []
    stockfish = shutil.which("stockfish", path=FOLDERS)
    for name, fen in POSITIONS.items():
        state = np.zeros(GAME.shape().words, np.int64)
        GAME.from_notation(fen, state)
        if stockfish:
            ours, theirs = beside_stockfish(stockfish, state, fen, BULK_DEPTH[name])
            rows.append(
                Row(f"{name}, in bulk", ours, theirs, ours / theirs, STOCKFISH_BAR, UNIT, "Stockfish, go perft")
            )
        found = rates(
            {
                "bulk": lambda state=state, name=name: perft(GAME, state, BULK_DEPTH[name]),
                "their bulk": lambda fen=fen, name=name: count_in_bulk(chess.Board(fen), PYTHON_DEPTH[name]),
                "step": lambda state=state, name=name: visits(GAME, state, STEP_DEPTH[name]),
                "their step": lambda fen=fen: count_one_by_one(chess.Board(fen), 3),
            }
        )
        for what, bar, ours in (("in bulk", BULK_BAR, "bulk"), ("actions and step", STEP_BAR, "step")):
            theirs = found[f"their {ours}"]
            rows.append(Row(f"{name}, {what}", found[ours], theirs, found[ours] / theirs, bar, UNIT, "python-chess"))
    return rows


def count_in_bulk(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count_in_bulk(board, depth - 1)
        board.pop()
    return total


def count_one_by_one(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count_one_by_one(board, depth - 1)
        board.pop()
    return total


def beside_stockfish(program: str, state: np.ndarray, fen: str, depth: int) -> tuple[float, float]:
    """Our rate and Stockfish's, medians over rounds in which they take turns."""
    with one_core():
        peer = Stockfish(program, fen)
        try:
            perft(GAME, state, depth)  # compile, load, fill the caches
            peer.perft(depth)
            ours, theirs = [], []
            for _ in range(ROUNDS):
                start = clock(os.getpid())
                total = perft(GAME, state, depth)
                ours.append(total / (clock(os.getpid()) - start))
                start = clock(peer.process.pid)
                if peer.perft(depth) != total:
                    raise AssertionError("Stockfish counts another number")
                theirs.append(total / (clock(peer.process.pid) - start))
        finally:
            peer.close()
    return statistics.median(ours), statistics.median(theirs)


def clock(process: int) -> float:
    """The processor's seconds that all threads of a process have had; where the system does not tell, those of the wall."""
    spent = [path.read_text() for path in pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")]
    return sum(int(text.split()[0]) for text in spent) / 1e9 if spent else time.perf_counter()


class Stockfish:
    """A process that counts."""

    def __init__(self, program: str, fen: str):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say(f"position fen {fen}")

    def say(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def perft(self, depth: int) -> int:
        self.say(f"go perft {depth}")
        for line in self.process.stdout:
            if line.startswith("Nodes searched"):
                return int(line.split()[-1])
        raise AssertionError("Stockfish has died")

    def close(self) -> None:
        self.say("quit")
        self.process.wait(10)
