"""Games by name: the text that a person types, and the game that it stands for.

    goofspiel:cards=5           a game of the registry, with parameters
    kuhn:players=3              the same for more players, which is a game of its own
    my_game.py:MyGame:size=4    a class in a file of your own
    poker.efg   battle.nfg      a file of Gambit's
    3x3/17                      a game of a family
    random/uniform:seed=3       a random matrix game
    briedon2015/figure4.1       a game that a paper prints
    open:leduc:ranks=4          any of these with open cards

`games.name` is the way back. Every public function that takes a game takes such a text as well, by `as_game`.
"""

import difflib
import pathlib
import re
from typing import Any

from .contract.entry import admit
from .contract.walk import VERBS
from .errors import Invalid
from .games import CROWDS, GAMES
from .text.parameters import build
from .text.user_files import from_file

GAMBIT = (".efg", ".nfg")  # how the names of its files end
SIZE = re.compile(r"(\d+)x(\d+)")  # of a family's matrices
CROWD = re.compile(r"(.*,)?\s*players\s*=")  # among parameters: a game for two has no such parameter
OPEN = "open:"  # before the name of a game whose cards are open


def load(text: str) -> Any:
    """The game that a text names."""
    text = text.strip()
    if text.startswith(OPEN):
        from .transforms.opened import opened  # not on top, here and below: most games need none of these

        return opened(load(text.removeprefix(OPEN)))
    if (ending := pathlib.Path(text).suffix.lower()) in GAMBIT:
        from .games.gambit import read_efg, read_nfg

        return read_efg(text) if ending == ".efg" else read_nfg(text)
    if (own := from_file(text, "game", "step", "fogtree.game", VERBS)) is not None:
        return own
    shelf, slash, rest = text.partition("/")
    if slash and shelf == "random":
        from .games.random_games import load_random

        return load_random(rest)
    if slash and SIZE.fullmatch(shelf):
        from .games.family import load_member

        return load_member(text)
    if slash and shelf == "briedon2015":
        from .games.printed import load as load_printed

        return load_printed(rest)
    known, _, parameters = text.partition(":")
    if known in CROWDS and CROWD.match(parameters):
        known = CROWDS[known]
    if known not in GAMES:
        near = difflib.get_close_matches(known, GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"valid are {', '.join(GAMES)}, or a file: my_game.py:MyGame"
        raise Invalid(f"there is no game {known!r}: {hint}")
    return build(GAMES[known], parameters, known)


def as_game(given: Any) -> Any:
    """The game itself, or the one that a text names; a sentence for anything else. A user's own game is checked once, as
    `contract/entry.py` says."""
    if isinstance(given, str):
        given = load(given)
    if isinstance(given, type) or not (hasattr(given, "shape") or hasattr(given, "step")):
        what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
        raise Invalid(f"a game is needed, or the text that names one, not {what}")
    admit(given)
    return given
