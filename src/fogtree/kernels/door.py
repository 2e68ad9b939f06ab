"""@kernel: the door from Python into compiled code, without the compiler.

Numba is loaded when the first kernel is called, not when a file with kernels is imported: rules of games, lists and error
messages are plain Python and do not wait for it.
"""

import contextlib
import functools
import hashlib
import math
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..clock import standing_still
from ..entrance import FIRST, look, strangers
from ..errors import DEBUG, Uncompilable
from .folder import KNOWN, keep, places
from .marks import STAND_INS

STEP = 1 / 10_000  # for short loops: after so many steps one is compiled, some hundredths of a second
LOADING = 8.0  # as many times longer is waited with the first kernel, for which the compiler must be loaded
PATIENCE = 0.6  # seconds of the processor that a kernel of many slices runs interpreted before it is compiled
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
        self.spent: dict[tuple, float] = {}  # seconds that `at_first` has run it interpreted, by classes

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
        enough = 1.0 if _compiler.cache_info().currsize else LOADING
        if _patient or self.doors or self.shares + share > enough or strangers(_nested_classes(args)):
            return self(*args)
        self.shares += share
        return self.interpreted(*args)

    def at_first(self, little: tuple, whole: tuple):
        """Work in slices of which nobody knows how many there will be. With the arguments of a little slice it is interpreted
        for PATIENCE seconds, and then compiled with those of a whole one; what was compiled before is so at once."""
        classes = _nested_classes(whole)
        spent = self.spent.get(classes, 0.0)
        enough = _patient or spent > PATIENCE or classes in self.doors
        if enough or strangers(classes) or self._is_known(classes):
            fresh = classes not in self.doors
            found = self(*whole)
            if fresh and not self._is_known(classes):
                keep(places(self._known(classes))[0], b"")
            return found
        began = time.thread_time()
        try:
            return self.interpreted(*little)
        finally:
            self.spent[classes] = spent + time.thread_time() - began

    def no_longer(self, *args) -> None:
        """From now on `at_first` runs such calls compiled."""
        self.spent[_nested_classes(args)] = math.inf

    def _known(self, classes) -> str:
        """The name of an empty file that says, without the compiler, that there is machine code. It may err, at the cost of
        some time."""
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        digest = hashlib.sha256(repr(_names(classes)).encode()).hexdigest()[:24]
        return f"{name[-80:]}-{digest}{KNOWN}"

    def _is_known(self, classes) -> bool:
        return any(map(os.path.exists, places(self._known(classes))))

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
    with standing_still():
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


def _names(classes: tuple) -> list:
    return [(cls.__module__, cls.__qualname__, _names(inside)) for cls, inside in classes]


def _nested_classes(values) -> tuple:
    return tuple([(type(value), _nested_classes(value)) for value in values if isinstance(value, tuple)])
