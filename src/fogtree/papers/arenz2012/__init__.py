"""Arenz 2012, Extensive Games: poker by regret, chess by search that teaches itself, Go by simulation.

The parts are named after the game that they measure: `chess` and every part whose name begins with `chess-` belong together,
and so for `go` and `poker`.
"""

from ..report import Paper
from . import chess, chess_uct, go, poker, poker_playing

PAPER = Paper(
    "arenz2012",
    "Extensive Games",
    "O. Arenz, 2012. It reports the numbers of others: Zinkevich and others 2007 for poker, "
    "Veness and others 2009 for chess, Gelly and others 2006 for Go.",
    {**poker.PARTS, **poker_playing.PARTS, **chess.PARTS, **chess_uct.PARTS, **go.PARTS},
)
