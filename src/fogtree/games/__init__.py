"""The games, one a file, and how to name them: `load("goofspiel:cards=5")`, or a file of one's own,
`load("my_game.py:MyGame:size=4")`, or one of Gambit's, `load("poker.efg")`, or one of a collection, `load("3x3/17")`. `name`
is the way back."""

import difflib
import importlib
import pathlib
import sys
from typing import Any

from ..errors import Invalid
from ..own import from_file
from ..parameters import build, spell
from .dark_hex import DarkHex
from .family import FULL, load_member
from .goofspiel import Goofspiel
from .kuhn import Kuhn
from .leduc import Leduc
from .liars_dice import LiarsDice
from .matrix import BimatrixGame, MatrixGame
from .phantom_ttt import PhantomTicTacToe
from .random_games import load_random
from .rounds import Rounds
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
    "liars-dice": LiarsDice,
    "tic-tac-toe": TicTacToe,
}

READERS = {".efg": "read_efg", ".nfg": "read_nfg"}  # in bridges/gambit.py
PRINTED = {"briedon2015": "..papers.catalogue"}  # games of papers: where a function `load` knows them by name


def load(text: str) -> Any:
    """The game that a text names: `goofspiel:cards=5`, `my_game.py:MyGame:size=4` for a file of one's own, `poker.efg`,
    `random/uniform:seed=3`, `3x3/17`, `briedon2015/figure4.1`."""
    if reader := READERS.get(pathlib.Path(text.strip()).suffix.lower()):
        from ..bridges import gambit  # not on top, for games know nothing of bridges

        return getattr(gambit, reader)(text.strip())
    if (own := from_file(text, "game", "step", "fogtree.game")) is not None:
        return own
    shelf, slash, rest = text.strip().partition("/")
    if slash and shelf == "random":
        return load_random(rest)
    if slash and FULL.fullmatch(shelf):
        return load_member(text.strip())
    if slash and shelf in PRINTED:
        return importlib.import_module(PRINTED[shelf], __name__).load(
            rest
        )  # not on top, for games know nothing of papers
    known, _, parameters = text.strip().partition(":")
    if known not in GAMES:
        near = difflib.get_close_matches(known, GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"valid are {', '.join(GAMES)}, or a file: my_game.py:MyGame"
        raise Invalid(f"there is no game '{known}': {hint}")
    return build(GAMES[known], parameters, known)


def name(game: Any) -> str:
    """The text that `load` turns into this game."""
    if isinstance(game, TreeGame):
        return game.labels.source or game.labels.title or "a tree"
    cls = type(game)
    head = next((known for known, made in GAMES.items() if made is cls), None)
    if head is None:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        head = f"{file}:{cls.__name__}" if file else cls.__name__
    parameters = spell(game)
    return f"{head}:{parameters}" if parameters else head
