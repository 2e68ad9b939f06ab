"""Arenz 2012, Extensive Games: poker by regret, chess by search that teaches itself, Go by simulation.

The parts are named after the game that they measure: `chess` and every part whose name begins with `chess-` belong together,
and so for `go` and `poker`.
"""

from ..report import Paper
from . import chess, chess_stockfish, chess_uct, go, go_trap, poker

PAPER = Paper(
    "arenz2012",
    "Extensive Games",
    "O. Arenz, 2012. It reports the numbers of others: Zinkevich and others 2007 for poker, "
    "Veness and others 2009 for chess, Gelly and others 2006 for Go.",
    {
        "poker-sizes": poker.sizes,
        "poker-curve": poker.curves,
        "poker-real": poker.real,
        "poker-flops": poker.flops,
        "poker-hands": poker.played,
        "poker-finer": poker.finer,
        "chess": chess.learning,
        "chess-ratings": chess.ratings,
        "chess-stockfish": chess_stockfish.stockfish,
        "chess-uct": chess_uct.uct,
        "go": go.improvements,
        "go-trap": go_trap.trap,
        "go-gnugo": go.gnu_go,
        "go-urgency": go.urgency,
        "go-rave": go.schedules,
        "go-width": go.width,
        "go-threads": go.threads,
        "go-minimax": go.minimax,
    },
    on_gpu=("poker-real",),
    by_matches=("go", "go-urgency", "go-rave", "go-width", "go-threads", "go-minimax"),
)
