"""Who looks at a user's object before compiled code runs on it.

In machine code an index that is out of bounds writes somewhere else: it crashes the process, or makes a result wrong. So
the object is looked at first, in plain Python. A kernel calls `look` with its arguments when a class among them is not
Fogtree's own, and `look` calls every function that was registered by `at_entrance`. The package registers the check of games
when it is imported (`__init__.py`): kernels need not know what a game is, and a game need not know how it is checked.
"""

from collections.abc import Callable, Iterable
from typing import Any

HOME = __name__.partition(".")[0]
CHECKS: list[Callable[[Any], Any]] = []


def at_entrance(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let a function look at each object of a user's class that is handed to a kernel. It raises where something is wrong."""
    CHECKS.append(check)
    return check


def native(cls: type) -> bool:
    """Whether a class is one of Fogtree's own, which its tests check."""
    return cls.__module__.partition(".")[0] == HOME


def strangers(classes: Iterable) -> bool:
    """Whether some class is not Fogtree's own, among pairs of a class and of such pairs for its parts."""
    return any(not (cls is tuple or native(cls)) or strangers(parts) for cls, parts in classes)


def look(values: Iterable) -> None:
    """Show every object of a user's class to those who asked for it, with the objects inside it."""
    for value in values:
        if isinstance(value, tuple):
            if not (type(value) is tuple or native(type(value))):
                for check in CHECKS:
                    check(value)
            look(value)
