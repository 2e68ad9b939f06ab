"""A game and the text that names it, for rooms that know no game.

Every public function that takes a game takes such a text as well. The games themselves stand in `games/registry.py`, above
this file. The package's `__init__.py` installs that registry here, and it is loaded when a text first comes.
"""

from collections.abc import Callable
from typing import Any

from ..errors import Invalid

_registry: Callable[[], Any]  # see `install`


def install(registry: Callable[[], Any]) -> None:
    """From now on, what `registry()` returns reads the texts: a module with the functions that stand above."""
    global _registry
    _registry = registry


def load(text: str) -> Any:
    """The game that a text names."""
    return _registry().load(text)


def name(game: Any) -> str:
    """The text that `load` turns into this game."""
    return _registry().name(game)


def load_family(text: str, games: int) -> Any:
    """The family of games that a text names. It may have `classes()`: which of its games are the same."""
    return _registry().load_family(text, games)


def member_name(family: str, number: int) -> str:
    """What a game of a family is called."""
    return _registry().member_name(family, number)


def as_game(given: Any) -> Any:
    """The game itself, or the one that a text names; a sentence for anything else. A user's own game is checked once, as
    `contract/entry.py` says."""
    from ..contract.entry import admit  # not on top: `import fogtree` loads this file, and nothing heavy

    if isinstance(given, str):
        given = load(given)
    if isinstance(given, type) or not (hasattr(given, "shape") or hasattr(given, "step")):
        what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
        raise Invalid(f"a game is needed, or the text that names one, not {what}")
    admit(given)
    return given
