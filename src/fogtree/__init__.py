"""Fogtree: a laboratory for games with hidden information.

Search them, solve them, play them, and measure exactly how far each answer is from perfect play.

The public names stand in __init__.pyi, each with the file that it comes from. A file is loaded when one of its names is first
asked for, so that whoever solves a card game does not wait for chess.
"""

import lazy_loader

from . import entrance
from . import looks as _looks
from .text import naming as _naming

_named, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


@entrance.at_entrance
def _admit(value, beside: tuple, role: str) -> None:
    """What a user has written is checked before compiled code runs on it."""
    from .contract.entry import admit  # not on top: only a user's own things need it

    admit(value, beside, role)


@entrance.before_compiling
def _know_optional_methods() -> None:
    from . import bandits, endings, policy  # noqa: F401  # all files that name some


def _registry():
    from .games import registry  # here, so that rooms which know no game can read a game's name

    return registry


def _drawing():
    from .draw import results  # here, so that rooms which draw nothing can show their results

    return results


_naming.install(_registry)
_looks.install(_drawing)


def __getattr__(name: str):
    if name == "__version__":
        import importlib.metadata  # as slow to load as all the rest of this file

        return importlib.metadata.version("fogtree")
    return _named(name)
