"""Games by name: the text that a person types, and the game that it stands for.

    goofspiel:cards=5           a game of the registry, with parameters
    kuhn:players=3              the same for more players, which is a game of its own
    my_game.py:MyGame:size=4    a class in a file of your own
    poker.efg   battle.nfg      a file of Gambit's
    3x3/17                      a game of a family
    random/uniform:seed=3       a random matrix game
    briedon2015/figure4.1       a game that a paper prints
    spot/Td9d6h:pot=60          a spot of no-limit hold'em
    preflop/10                  hold'em before the flop with 10 big blinds: push or fold
    open:leduc:ranks=4          any of these with open cards

`name` is the way back. Other rooms ask for both in `text/naming.py`.
"""

import difflib
import pathlib
import re
import sys
from typing import Any

from ..errors import Invalid
from ..game import VERBS
from ..text.parameters import build, spell
from ..text.user_files import from_file
from . import CROWDS, GAMES, SHELF, reader

GAMBIT = (".efg", ".nfg")  # how the names of its files end
CROWD = re.compile(r"(.*,)?\s*players\s*=")  # among parameters: a game for two has no such parameter
OPEN = "open:"  # before the name of a game whose cards are open


def load(text: str) -> Any:
    """The game that a text names."""
    text = text.strip()
    if text.startswith(OPEN):
        from ..transforms.opened import opened  # not on top, here and below: most games need none of these

        return opened(load(text.removeprefix(OPEN)))
    if (ending := pathlib.Path(text).suffix.lower()) in GAMBIT:
        from .gambit import read_efg, read_nfg

        return read_efg(text) if ending == ".efg" else read_nfg(text)
    if (own := from_file(text, "game", "step", "fogtree.game", VERBS)) is not None:
        return own
    collection, slash, _ = text.partition("/")
    if slash and (read := reader(collection)):
        return read(text)
    known, _, parameters = text.partition(":")
    if known in CROWDS and CROWD.match(parameters):
        known = CROWDS[known]
    if known not in GAMES:
        near = difflib.get_close_matches(known, GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"valid are {', '.join(GAMES)}, or a file: my_game.py:MyGame"
        raise Invalid(f"there is no game {known!r}: {hint}")
    return build(GAMES[known], parameters, known)


def name(game: Any) -> str:
    """The text that `load` turns into this game."""
    cls = type(game)
    if cls.__module__ == "fogtree.games.tree":
        return game.labels.source or game.labels.title or "a tree"
    if cls.__module__ == "fogtree.games.spot.rules":
        from .spot import spell_spot

        return spell_spot(game)
    if cls.__module__ == "fogtree.games.preflop.rules":
        from .preflop import spell_preflop

        return spell_preflop(game)
    if cls.__module__ == "fogtree.transforms.opened":
        return f"{OPEN}{name(game.game)}"
    head = next((known for known, (_, made) in SHELF.items() if made == cls.__name__ and GAMES[known] is cls), None)
    if head is None:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        head = f"{file}:{cls.__name__}" if file else cls.__name__
    parameters = spell(game)
    return f"{head}:{parameters}" if parameters else head


def load_family(text: str, games: int) -> Any:
    """The family of games that a text names."""
    from . import family  # not on top: few need it

    return family.load_family(text, games)


def member_name(text: str, number: int) -> str:
    """What a game of the family that a text names is called."""
    from . import family

    return family.member_name(text, number)
