"""@kernel: the door from Python into compiled code, without the compiler.

Numba is loaded when the first kernel is called, not when a file with kernels is imported: rules of games, lists and error
messages are plain Python and do not wait for it.
"""

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..entrance import FIRST, look, strangers
from ..errors import DEBUG, Uncompilable
from .marks import STAND_INS

STEP = 1 / 5_000  # for short loops: after so many steps one is compiled, a few hundredths of a second
_patient: list[bool] = []  # not empty while all is to be compiled, also what is little work
OLDEST, TOO_NEW = (0, 61), (0, 69)  # versions of Numba


class Kernel:
    """A function that runs compiled for the types it is called with, without the GIL."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.py_func = function
        # One door for each combination of argument classes: Numba's quick look at a tuple sees only names, and takes two
        # classes called Game for one.
        self.doors: dict[tuple, Any] = {}
        self.shares = 0.0  # of the time of compiling that it has run interpreted

    def __call__(self, *args):
        compiler = _compiler()
        if compiler.numba.config.DISABLE_JIT:
            return self.interpreted(*args)
        classes = _nested_classes(args)
        door = self.doors.get(classes) or self.doors.setdefault(classes, compiler.Door(self.py_func, False, classes))
        if door.strangers:
            look(args)
        try:
            try:
                return door.run(args)
            except compiler.NeedsCounting:
                return self._run_counted(classes, args, door)
        except Exception as error:
            if not hasattr(error, "failure") or os.environ.get(DEBUG):  # without it: raised by the code, when it ran
                raise
            raise Uncompilable(compiler.unfit(self.py_func, args) or error.failure) from None

    def interpreted(self, *args):
        """The same text in plain Python; integers wrap round silently, as they do in machine code."""
        with np.errstate(over="ignore"):
            return self.py_func(*map(complete, args))

    def briefly(self, share, *args):
        """The same call, of which is known that it takes this share of the time of compiling when it runs interpreted. So it
        does, until all such calls have taken about as long as compiling would: little work never waits for the compiler."""
        if _patient or self.doors or self.shares + share > 1 or strangers(_nested_classes(args)):
            return self(*args)
        self.shares += share
        return self.interpreted(*args)

    def _run_counted(self, classes, args, plain):
        door = _compiler().Door(self.py_func, True, classes)
        door.waiting = plain._cache
        try:
            return door.run(args)
        finally:
            plain._cache.release()
            if door.signatures:  # counting was all that it lacked
                self.doors[classes] = door

    @property
    def _numba_type_(self):  # Numba asks for it when one kernel calls another
        return _compiler().function_type(self.py_func)


@contextlib.contextmanager
def compiling_all() -> Iterator[None]:
    """Meanwhile little work is compiled too (`briefly`): for whoever wants the machine code in the cache."""
    _patient.append(True)
    try:
        yield
    finally:
        _patient.pop()


@functools.cache
def _compiler() -> Any:
    import numba  # not on top: it takes longer to load than everything else

    require_version(numba.__version__)
    from . import dispatch

    for prepare in FIRST:
        prepare()
    return dispatch


def require_version(version: str) -> None:
    """Refuse a version of Numba whose inner parts this folder does not know."""
    if not OLDEST <= tuple(map(int, re.findall(r"\d+", version)[:2])) < TOO_NEW:
        first, last = (".".join(map(str, bound)) for bound in (OLDEST, TOO_NEW))
        raise Uncompilable(
            f"this Fogtree works with Numba from {first} to below {last}, not with {version}: "
            f"pip install 'numba>={first},<{last}'"
        )


def kernel(function: Callable) -> Kernel:
    """Mark a function as a door into compiled code."""
    return Kernel(function)


def complete(value: Any) -> Any:
    """A value for interpreted code: of a NamedTuple a copy whose class has the stand-ins of the verbs that it lacks."""
    if not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return value
    return tuple.__new__(_completed(type(value), len(STAND_INS)), map(complete, value))


@functools.cache
def _completed(cls: type, known: int) -> type:
    lacking = {verb: stand_in for verb, stand_in in STAND_INS.items() if not hasattr(cls, verb)}
    return type(cls.__name__, (cls,), {"__slots__": (), "__module__": cls.__module__, **lacking}) if lacking else cls


def _nested_classes(values) -> tuple:
    return tuple([(type(value), _nested_classes(value)) for value in values if isinstance(value, tuple)])
