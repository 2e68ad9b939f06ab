"""Who looks at a user's object before compiled code runs on it.

In machine code an index that is out of bounds writes somewhere else: it crashes the process, or makes a result wrong. So
the object is looked at first, in plain Python. A kernel calls `look` with its arguments when a class among them is not
Fogtree's own, and so do the public functions that take a bandit or a policy. `look` calls every function that was registered
by `at_entrance`. The package registers the check of games, bandits, policies, evaluations and judges when it is imported
(`__init__.py`): kernels need not know what a game is, and a game need not know how it is checked.

The role says what an object is to do, for more is asked of a policy that somebody plays by than of one that playouts follow.
"""

from collections.abc import Callable, Iterable
from typing import Any

HOME = __name__.partition(".")[0]
PRIOR, PLAYOUT, PLAYER = (
    "prior",
    "playout",
    "player",
)  # roles of a policy: what it weighs for, the least demanding first
Check = Callable[[Any, tuple, str], Any]
CHECKS: list[Check] = []
FIRST: list[Callable[[], None]] = []  # what is done before the first kernel is compiled


def at_entrance(check: Check) -> Check:
    """Let a function look at each object of a user's class that is handed to a kernel, with all that came with it and its
    role. It raises where something is wrong."""
    CHECKS.append(check)
    return check


def before_compiling(function: Callable[[], None]) -> Callable[[], None]:
    """Have a function called before the first kernel is compiled. The package loads the files there that name optional
    methods: the name of compiled code contains their stand-ins, and must not depend on what a command happens to load."""
    FIRST.append(function)
    return function


def native(cls: type) -> bool:
    """Whether a class is one of Fogtree's own, which its tests check."""
    return cls.__module__.partition(".")[0] == HOME


def strangers(classes: Iterable) -> bool:
    """Whether some class is not Fogtree's own, among pairs of a class and of such pairs for its parts."""
    return any(not (cls is tuple or native(cls)) or strangers(parts) for cls, parts in classes)


def strange(value: Any) -> bool:
    """Whether an object is of a user's class, or holds one that is."""
    if not isinstance(value, tuple):
        return False
    return not (type(value) is tuple or native(type(value))) or any(map(strange, value))


def look(values: Iterable, beside: tuple | None = None, role: str = PLAYOUT) -> None:
    """Show every object of a user's class to those who asked for it, with the objects inside it. `beside` is what else was
    handed over, such as the game that a policy is to play."""
    values = tuple(values)
    beside = values if beside is None else beside
    for value in values:
        if isinstance(value, tuple):
            if not (type(value) is tuple or native(type(value))):
                for check in CHECKS:
                    check(value, beside, role)
            look(value, beside, role)
