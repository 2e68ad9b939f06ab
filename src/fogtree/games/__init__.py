"""The games, one a file, and what each is called. `names.py` finds a game by a text.

A file is loaded when its game is first asked for, so that whoever plays cards does not wait for chess.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import lazy_loader

from ..text.parameters import spell

SHELF = {  # what a game is called: its file, its class
    "matrix": ("matrix", "MatrixGame"),
    "bimatrix": ("matrix", "BimatrixGame"),
    "rounds": ("rounds", "Rounds"),
    "goofspiel": ("goofspiel", "Goofspiel"),
    "phantom-ttt": ("phantom_ttt", "PhantomTicTacToe"),
    "dark-hex": ("dark_hex", "DarkHex"),
    "kuhn": ("kuhn", "Kuhn"),
    "leduc": ("leduc", "Leduc"),
    "many-kuhn": ("many_kuhn", "ManyKuhn"),
    "many-leduc": ("many_leduc", "ManyLeduc"),
    "holdem": ("holdem", "Holdem"),
    "liars-dice": ("liars_dice", "LiarsDice"),
    "tic-tac-toe": ("tic_tac_toe", "TicTacToe"),
    "connect-four": ("connect_four", "ConnectFour"),
    "breakthrough": ("breakthrough", "Breakthrough"),
    "chess": ("chess", "Chess"),
    "dark-chess": ("dark_chess", "DarkChess"),
    "go": ("go", "Go"),
    "phantom-go": ("phantom_go", "PhantomGo"),
    "siguo": ("siguo", "SiGuo"),
    "luzhanqi": ("siguo", "Luzhanqi"),
    "small-army": ("siguo", "SmallArmy"),
}
CROWDS = {"kuhn": "many-kuhn", "leduc": "many-leduc"}  # a game for two, and the same for more players
__getattr__, _, _ = lazy_loader.attach(
    __name__, submod_attrs={file: [cls for where, cls in SHELF.values() if where == file] for file, _ in SHELF.values()}
)


class _Games(Mapping[str, Any]):
    """The class of each game, by the game's name, in the order of the shelf."""

    def __getitem__(self, known: str) -> Any:
        return __getattr__(SHELF[known][1])

    def __iter__(self) -> Iterator[str]:
        return iter(SHELF)

    def __len__(self) -> int:
        return len(SHELF)

    def __contains__(self, known: object) -> bool:
        return known in SHELF


GAMES = _Games()


def name(game: Any) -> str:
    """The text that `names.load` turns into this game."""
    cls = type(game)
    if cls.__module__ == f"{__name__}.tree":
        return game.labels.source or game.labels.title or "a tree"
    if cls.__module__ == "fogtree.transforms.opened":
        return f"open:{name(game.game)}"
    head = next((known for known, (_, made) in SHELF.items() if made == cls.__name__ and GAMES[known] is cls), None)
    if head is None:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        head = f"{file}:{cls.__name__}" if file else cls.__name__
    parameters = spell(game)
    return f"{head}:{parameters}" if parameters else head
