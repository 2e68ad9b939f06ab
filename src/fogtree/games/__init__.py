"""The games, one a file, and what each is called. `registry.py` finds a game by a text.

A file is loaded when its game is first asked for, so that whoever plays cards does not wait for chess.
"""

import re
from typing import Any

import lazy_loader

from ..text.shelf import Shelf

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
# Information sets and ends at the default parameters, as `fogtree count` finds them; None where they cannot be counted.
SIZES: dict[str, tuple[int | None, int | None]] = {  # more in docs/games
    "matrix": (2, 9),
    "bimatrix": (2, 4),
    "rounds": (6, 16),
    "goofspiel": (166_002, 518_400),
    "phantom-ttt": (5_990_669, 9_829_101_024),
    "dark-hex": (6_072_917, 9_469_697_760),
    "kuhn": (12, 30),
    "leduc": (936, 5_520),
    "many-kuhn": (48, 312),
    "many-leduc": (25_800, 1_043_952),
    "holdem": (None, None),
    "liars-dice": (24_576, 147_420),
    "tic-tac-toe": (294_778, 255_168),
    "connect-four": (None, None),
    "breakthrough": (None, None),
    "chess": (None, None),
    "dark-chess": (None, None),
    "go": (None, None),
    "phantom-go": (None, None),
    "siguo": (None, None),
    "luzhanqi": (None, None),
    "small-army": (75_566, 629_152),
}
CROWDS = {"kuhn": "many-kuhn", "leduc": "many-leduc"}  # a game for two, and the same for more players
COLLECTIONS = {  # what stands before the slash of `random/uniform:rows=4`, as a pattern: a file, what reads such a text in it
    "random": ("random_games", "load_random"),
    r"\d+x\d+": ("family", "load_member"),
    "briedon2015": ("printed", "load_printed"),
    "spot": ("spot", "load_spot"),
    "preflop": ("preflop", "load_preflop"),
}
_PLACES = (*SHELF.values(), *COLLECTIONS.values())
__getattr__, _, _ = lazy_loader.attach(
    __name__, submod_attrs={file: [what for where, what in _PLACES if where == file] for file, _ in _PLACES}
)


GAMES = Shelf(SHELF, lambda place: __getattr__(place[1]))  # the class of each game


def reader(collection: str) -> Any:
    """The function that reads the names of a collection's games, or None if there is no such collection."""
    return next((__getattr__(read) for form, (_, read) in COLLECTIONS.items() if re.fullmatch(form, collection)), None)
