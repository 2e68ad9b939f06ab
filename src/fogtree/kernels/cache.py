"""Machine code on disk: one file a kernel and signature, named by the digest of all that it was made from.

Files appear by an atomic rename, so any number of processes may compile at once. Two that need the same kernel do not compile
it twice: the second waits for the first, and loads what that has made. Where the system has no locks, both compile.
"""

import contextlib
import functools
import hashlib
import io
import os
import pickle
import re
import sys
from collections.abc import Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize, types
from numba.core.registry import cpu_target

from ..files import alone
from .digest import Digest
from .folder import COMPILED, COUNTED, LOCKS, SHIPPED, at_work, cache_folder, keep, prune
from .shipped import target as shipped_target

OPTIONS = (("nopython", True), ("nogil", True), ("error_model", "numpy"))
FORMAT = 7  # of a file in the cache, and of the way to compile; raise it when either changes
# Versions of Python and of NumPy that differ in the last number alone run the same machine code.
PYTHON, NUMPY = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}", np.__version__.rpartition(".")[0]
CHECK = hashlib.sha256().digest_size
WAITED = 120.0  # seconds to wait for a kernel that another process compiles


class NeedsCounting(Exception):
    """The code makes arrays, or is wrong: only compilation with reference counts will tell."""


class Cache(caching.NullCache):
    """One file a kernel and signature, named by the digest of all that it was made from."""

    def __init__(self, function, counted):
        self.function, self.counted, self.locked = function, counted, contextlib.ExitStack()

    @property
    def cache_path(self):
        return str(cache_folder())

    def _made_from(self, sig, counted):
        """A digest of all that the code is made from but the target, and the classes that it uses."""
        arguments = sig if isinstance(sig, tuple) else sig.args
        parts = [part for typ in arguments for part in _flat(typ)]
        classes = _classes(parts)
        digest = Digest()
        digest.feed((numba.__version__, NUMPY, llvmlite.__version__, PYTHON))
        digest.feed((FORMAT, OPTIONS, counted, numba.config.BOUNDSCHECK, int(numba.config.OPT)))
        digest.feed(re.sub(" at 0x[0-9a-f]+", "", repr(arguments)))
        for source in (self.function, *classes, *(p.dispatcher for p in parts if isinstance(p, types.Dispatcher))):
            digest.feed(source)
        return digest.hex(), classes

    def _name(self, made_from, target):
        """The name of the file, without its ending, for a target: the system, the processor and its features, as Numba's
        code generator tells them."""
        name = re.sub(r"[^\w.]+", "-", f"{self.function.__module__}.{self.function.__qualname__}")
        return f"{name[-80:]}-{hashlib.sha256(repr((made_from, target)).encode()).hexdigest()[:24]}"

    def load_overload(self, sig, target_context):
        # Numba's own cache always refreshes its context before it loads a file. That imports all that a compiler may need,
        # and takes longer than the load itself. Only code that counts references needs it, because it starts the counter.
        # If there is no file, the compiler refreshes the context by itself.
        if self.counted:
            target_context.refresh()
        made_from, classes = self._made_from(sig, self.counted)
        own = cache_folder() / self._name(made_from, target_context.codegen().magic_tuple())
        stems = [own]
        if target := shipped_target():
            stems.append(SHIPPED / self._name(made_from, target))
        if not self.counted and any(os.path.exists(f"{stem}{COUNTED}") for stem in stems):
            raise NeedsCounting
        if not any(os.path.exists(f"{stem}{COMPILED}") for stem in stems):
            self.release()
            self.locked.enter_context(_locked(own))
            if not self.counted and os.path.exists(f"{own}{COUNTED}"):  # somebody found out while we waited
                raise NeedsCounting
        for stem in stems:
            if made := _loaded(f"{stem}{COMPILED}", classes, target_context):
                return made
        at_work.append(self.function.__qualname__)
        return None

    def save_overload(self, sig, data):
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        if not all(map(_lasting, _classes(_flat(data.signature.return_type)))):
            return
        made_from, classes = self._made_from(sig, self.counted)
        file = io.BytesIO()
        try:
            _Pickler(file, classes).dump(data._reduce())
        except Exception:  # it holds something that lives in this process only
            return
        name = self._name(made_from, data.target_context.codegen().magic_tuple())
        keep(cache_folder() / f"{name}{COMPILED}", hashlib.sha256(file.getvalue()).digest() + file.getvalue())
        prune()

    def release(self):
        """Let other processes have this kernel: it is stored, or could not be made."""
        with contextlib.suppress(ValueError):
            at_work.remove(self.function.__qualname__)
        self.locked.close()

    def mark(self, sig):
        """Note that without reference counts this signature cannot be compiled."""
        made_from, _ = self._made_from(sig, False)
        name = self._name(made_from, cpu_target.target_context.codegen().magic_tuple())
        path = cache_folder() / f"{name}{COUNTED}"
        if not os.path.exists(path):
            keep(path, b"")


def _loaded(path, classes, context):
    """The code in a file. None if there is none, or a foreign one, or an unreadable folder: it is compiled as if nothing were
    there."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
            return None
        payload = _Unpickler(io.BytesIO(data[CHECK:]), classes).load()
        made = compiler.CompileResult._rebuild(context, *payload)
    except Exception:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # pruning takes first what was not used for longest
    return made


@contextlib.contextmanager
def _locked(stem):
    """One process at a time: the others wait here, WAITED seconds at most. The lock ends with the process that holds it."""
    with contextlib.ExitStack() as until_the_end:
        with contextlib.suppress(OSError):  # nothing can be kept there, or whoever compiles it takes too long: both do
            lock = stem.parent / LOCKS / stem.name
            lock.parent.mkdir(parents=True, exist_ok=True)
            if file := until_the_end.enter_context(alone(lock, WAITED)):
                file.write(str(os.getppid()).encode())  # who may say that its workers compile
                file.flush()
        yield


class _Pickler(serialize.NumbaPickler):
    """Stores the argument classes as numbers, so that a class of a script or a notebook is found again as itself."""

    def __init__(self, file, classes):
        super().__init__(file, protocol=4)
        self.number = {cls: i for i, cls in enumerate(classes)}

    def persistent_id(self, thing):
        return self.number.get(thing) if isinstance(thing, type) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, classes):
        super().__init__(file)
        self.classes = classes

    def persistent_load(self, number):
        return self.classes[number]


def _classes(typs) -> list[type]:
    """The Python classes among Numba types, each once."""
    kinds = (types.BaseNamedTuple, types.EnumMember)
    return list(dict.fromkeys(typ.instance_class for typ in typs if isinstance(typ, kinds)))  # type: ignore


def _lasting(cls) -> bool:
    """Whether another process can find a class by its name. If not, machine code that makes objects of the class cannot be
    shared between processes."""
    if cls.__module__ == "__main__" or "<locals>" in cls.__qualname__:
        return False
    return functools.reduce(getattr, cls.__qualname__.split("."), sys.modules.get(cls.__module__)) is cls


def _flat(typ) -> Iterator[Any]:
    """A type and the types of all its parts."""
    yield typ
    if isinstance(typ, types.BaseTuple):
        for part in typ:  # type: ignore[attr-defined]
            yield from _flat(part)
