"""The parts of Arenz 2012 about chess: evaluations that learn from their own search (its section 3; Veness and others 2009).

chess             learning curves of the methods at equal time of the processor, on chess and on Breakthrough
chess-ratings     a round robin of their snapshots, beside the printed ratings
chess-stockfish   the best of each against Stockfish at limited strengths
"""

from collections.abc import Callable

from ..laboratory import Lab
from ..report import Section
from .chess_learning import learning
from .chess_ratings import ratings
from .chess_stockfish import stockfish

PARTS: dict[str, Callable[[Lab], Section]] = {
    "chess": learning,
    "chess-ratings": ratings,
    "chess-stockfish": stockfish,
}
