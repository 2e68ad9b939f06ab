"""Two slips that Python forgives: a fraction written into a state, and a symbol that `seen` has no room for.

A state holds whole numbers, so NumPy and machine code alike cut 0.5 down to 0. `seen(key, symbol, radix)` makes the same key
of different courses where a symbol is not below its radix. Neither raises an error where it happens. So a check lets the
game write into a `Row`, which notices what is written, and call `seen` of a `Listener`, which looks at the symbol.
"""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import game as home
from ..game import seen

WIDEST = 1 << 31  # of the radix


class Slip(Exception):
    """What a method did that Python forgives."""


class Row(np.ndarray):
    """A state, or room for actions, that refuses fractions."""

    def __setitem__(self, place, value):
        if self.dtype == np.int64 and not isinstance(value, (int, np.integer)):
            given = np.asarray(value)
            if given.dtype.kind == "f" and not (np.floor(given) == given).all():
                raise Slip(f"writes {given.tolist()} where whole numbers stand: fractions are lost")
        super().__setitem__(place, value)


class Listener:
    """Stands in for `seen`: looks at each symbol, and keeps the calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int, int, int]] = []  # key, symbol, radix, new key

    def seen(self, key, symbol, radix):
        if not 2 <= radix <= WIDEST:
            raise Slip(f"calls seen with the radix {radix}: valid is 2 to 2^31")
        if key > 0 and not 0 <= symbol < radix:  # a hash has room for any symbol
            raise Slip(f"calls seen with the symbol {symbol} of radix {radix}: valid is 0 to {radix - 1}")
        made = seen(key, symbol, radix)
        self.calls.append((int(key), int(symbol), int(radix), int(made)))
        return made


def noticing(game: Any, listener: Listener) -> Any:
    """The same game; where its code calls `seen`, the listener is called."""
    cls = type(game)
    copies: dict[int, dict] = {}  # by the id of a module's names: the same names, with the listener's `seen`
    methods = {
        name: getattr(cls, name) for name in dir(cls) if not name.startswith("__")
    }  # a subclass goes before its base
    own = {
        name: _rebuilt(method, listener, copies)
        for name, method in methods.items()
        if isinstance(method, types.FunctionType) and _has_seen(method)
    }
    if not own:
        return game
    return tuple.__new__(type(cls.__name__, (cls,), {"__slots__": (), "__module__": cls.__module__, **own}), game)


def _has_seen(function: types.FunctionType) -> bool:
    return any(value is seen or value is home for value in function.__globals__.values())


def _rebuilt(function: types.FunctionType, listener: Listener, copies: dict[int, dict]) -> Callable:
    """The same code over other global names."""
    names = copies.get(id(function.__globals__))
    if names is None:
        names = copies[id(function.__globals__)] = dict(function.__globals__)
        for name, value in function.__globals__.items():
            if value is seen:
                names[name] = listener.seen
            elif value is home:
                names[name] = types.SimpleNamespace(**{**vars(home), "seen": listener.seen})
            elif isinstance(value, types.FunctionType) and value.__globals__ is function.__globals__:
                names[name] = _rebuilt(value, listener, copies)
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    return made
