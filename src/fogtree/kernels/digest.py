"""A digest of all the code and constants that a kernel can reach, as loaded: what makes a cached file stale."""

import contextlib
import enum
import functools
import hashlib
import sys
import sysconfig
import types as python
from collections.abc import Iterator
from typing import Any

import numpy as np

from .marks import STAND_INS

LIBRARIES = sys.stdlib_module_names | {"numpy", "numba", "scipy", "llvmlite"}  # known by version, not by their code
STANDARD = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
MEMBERS = (python.FunctionType, int, float, str, tuple)  # of a class, that its machine code may hold


class Digest:
    """A digest of values and of the code that they lead to: the bytecode of functions and classes, and the constants
    that Numba would freeze into them. Two things with the same digest compile to the same machine code."""

    def __init__(self):
        self.hash = hashlib.sha256()
        self.seen = {}  # id -> (its number, the object, kept so that the id stays its own)

    def hex(self):
        return self.hash.hexdigest()[:24]

    def feed(self, value):
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes, slice, np.generic)):
            self._put(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray):
            self._put("array", repr((value.dtype, value.shape)), np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (tuple, frozenset)):
            self._put(type(value).__name__, str(len(value)))
            if hasattr(value, "_fields"):
                self.feed(type(value))
            for item in value if isinstance(value, tuple) else sorted(value, key=repr):
                self.feed(item)
        elif isinstance(value, enum.Enum):
            self._put(type(value).__qualname__, value.name, repr(value.value))
        elif isinstance(value, python.CodeType):
            self._feed_code(value)
        elif id(value) in self.seen:
            self._put("again", str(self.seen[id(value)][0]))
        else:
            self.seen[id(value)] = len(self.seen), value
            self._feed_object(value)

    def _feed_code(self, code):
        self._put("code", code.co_code, code.co_exceptiontable)
        self._put(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
        self._put(repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)))
        self.feed(code.co_consts)
        for name in code.co_names:
            if name in STAND_INS:
                self.feed(STAND_INS[name])

    def _feed_object(self, value):
        self._put(repr(getattr(value, "targetoptions", None)))  # of a function that was jitted by hand
        value = getattr(value, "py_func", value)  # of such a function, or of a kernel
        self._put(type(value).__name__, f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}")
        if foreign(value):
            return
        if isinstance(value, python.FunctionType):
            self.feed(value.__code__)
            self.feed(value.__defaults__)
            for cell in value.__closure__ or ():
                with contextlib.suppress(ValueError):  # still empty
                    self.feed(cell.cell_contents)
            for name, found in _globals(value):
                self._put(name)
                self.feed(found)
        elif isinstance(value, type):
            if issubclass(value, enum.Enum):
                for member in value:
                    self.feed(member)
            for cls in value.__mro__:
                if not foreign(cls):
                    self.feed(tuple(getattr(cls, "_field_defaults", {}).items()))
                    for name, member in sorted(vars(cls).items()):
                        if not name.startswith("__") and isinstance(member, MEMBERS):
                            self._put(name)
                            self.feed(member)

    def _put(self, *texts):
        for text in texts:
            data = text if isinstance(text, bytes) else text.encode()
            self.hash.update(len(data).to_bytes(8, "little") + data)


def _globals(function) -> Iterator[tuple[str, Any]]:
    """The global values that a function may look up, those of `module.name` among them."""
    names = {name for code in codes(function.__code__) for name in code.co_names}
    for name in sorted(names & function.__globals__.keys()):
        yield from _named(name, function.__globals__[name], names)


def _named(name, value, names):
    if not isinstance(value, python.ModuleType):
        yield name, value
    elif not foreign(value):
        for part in sorted(names - set(name.split("."))):
            if hasattr(value, part):
                yield from _named(f"{name}.{part}", getattr(value, part), names)


def foreign(thing) -> bool:
    """Whether a thing is Python's, NumPy's or Numba's own."""
    if isinstance(thing, python.FunctionType):
        module = thing.__globals__.get("__name__", "__main__")  # unlike __module__, it cannot be mistaken
    else:
        module = thing.__name__ if isinstance(thing, python.ModuleType) else getattr(thing, "__module__", None)
    return not module or (module != "__main__" and _everybodys(module.partition(".")[0]))


@functools.cache
def _everybodys(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    shadowed = file and module in sys.stdlib_module_names and not file.startswith(STANDARD)  # a user's queue.py
    return module in LIBRARIES and not shadowed


def codes(code) -> Iterator[python.CodeType]:
    """The code of a function and of the functions inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, python.CodeType):
            yield from codes(part)
