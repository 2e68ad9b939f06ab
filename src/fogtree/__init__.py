"""Fogtree: a laboratory for games with hidden information."""

from .contract import check
from .dice import seeded
from .errors import Broken, FogtreeError, Illegal, Invalid, Uncompilable
from .game import CHANCE, OVER, REFEREE, Shape, seen
from .games import (
    GAMES,
    BimatrixGame,
    DarkHex,
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    MatrixGame,
    PhantomTicTacToe,
    Rounds,
    TicTacToe,
    load,
    name,
)
from .kernel import kernel
from .measure.count import count
from .search.playout import playouts
