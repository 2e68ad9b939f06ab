"""The games, one a file, and what each is called. `names.py` finds a game by a text."""

import sys
from typing import Any

from ..text.parameters import spell
from .breakthrough import Breakthrough
from .chess import Chess
from .connect_four import ConnectFour
from .dark_chess import DarkChess
from .dark_hex import DarkHex
from .go import Go
from .goofspiel import Goofspiel
from .holdem import Holdem
from .kuhn import Kuhn
from .leduc import Leduc
from .liars_dice import LiarsDice
from .matrix import BimatrixGame, MatrixGame
from .opened import Opened
from .phantom_go import PhantomGo
from .phantom_ttt import PhantomTicTacToe
from .rounds import Rounds
from .siguo import Luzhanqi, SiGuo, SmallArmy
from .tic_tac_toe import TicTacToe
from .tree import TreeGame

GAMES: dict[str, Any] = {
    "matrix": MatrixGame,
    "bimatrix": BimatrixGame,
    "rounds": Rounds,
    "goofspiel": Goofspiel,
    "phantom-ttt": PhantomTicTacToe,
    "dark-hex": DarkHex,
    "kuhn": Kuhn,
    "leduc": Leduc,
    "holdem": Holdem,
    "liars-dice": LiarsDice,
    "tic-tac-toe": TicTacToe,
    "connect-four": ConnectFour,
    "breakthrough": Breakthrough,
    "chess": Chess,
    "dark-chess": DarkChess,
    "go": Go,
    "phantom-go": PhantomGo,
    "siguo": SiGuo,
    "luzhanqi": Luzhanqi,
    "small-army": SmallArmy,
}


def name(game: Any) -> str:
    """The text that `names.load` turns into this game."""
    if isinstance(game, TreeGame):
        return game.labels.source or game.labels.title or "a tree"
    if isinstance(game, Opened):
        return f"open:{name(game.game)}"
    cls = type(game)
    head = next((known for known, made in GAMES.items() if made is cls), None)
    if head is None:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        head = f"{file}:{cls.__name__}" if file else cls.__name__
    parameters = spell(game)
    return f"{head}:{parameters}" if parameters else head
