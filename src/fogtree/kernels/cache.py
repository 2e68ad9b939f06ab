"""Machine code on disk: one file a kernel and signature, named by the digest of all that it was made from.

Files appear by an atomic rename, so any number of processes may compile at once. Two that need the same kernel do not compile
it twice: the second waits for the first, and loads what that has made. Where the system has no locks, both compile.
"""

import contextlib
import functools
import hashlib
import io
import math
import os
import pathlib
import pickle
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import caching, compiler, serialize, types
from numba.core.registry import cpu_target

from ..files import alone, appearing, fcntl
from .digest import Digest

OPTIONS = (("nopython", True), ("nogil", True), ("error_model", "numpy"))
FORMAT = 5  # of a file in the cache, and of the way to compile; raise it when either changes
CHECK = hashlib.sha256().digest_size
LOCKS = "locks"  # the folder inside the cache that has a file for each kernel that is being compiled
WAITED = 120.0  # seconds to wait for a kernel that another process compiles
SPACE = "FOGTREE_CACHE_BYTES"  # sets another cap on the folder of compiled code
MOST_BYTES = 2 << 30  # the cap without it
KEPT = 0.7  # of the cap, after pruning
LOOK_SECONDS = 600.0  # between two looks at the size of the folder
BLOCK = 4096  # bytes that the smallest file takes
CHECKED = "checked"  # the folder inside it that remembers which games have passed their check
MARK = ".ok"  # the ending of such a file
COUNTED = ".counted"  # an empty file with this ending saves the next process the attempt without reference counts
DEVICE_CODE = ".cubin"  # the ending of code for a GPU
# of the files that pruning may delete; the last is what a killed process left
ENDINGS = (".nbc", DEVICE_CODE, COUNTED, MARK, ".tmp")


class NeedsCounting(Exception):
    """The code makes arrays, or is wrong: only compilation with reference counts will tell."""


def cache_folder() -> pathlib.Path:
    """Where compiled code is kept: $FOGTREE_CACHE, or the place that the system sets aside for such things."""
    if chosen := os.environ.get("FOGTREE_CACHE"):
        return pathlib.Path(chosen)
    nowhere = pathlib.Path(os.devnull)  # below a file nothing can be kept
    try:
        folder = platformdirs.user_cache_path("fogtree", appauthor=False, opinion=False)
    except RuntimeError:  # a user without a home
        return nowhere
    return nowhere if folder.parts[0] == "~" else folder  # as older versions of platformdirs say the same


_at_work: list[str] = []  # the kernels that are being compiled in this process


def compiling() -> str:
    """The kernel that is being compiled at this moment, or an empty text."""
    return _at_work[-1] if _at_work else ""


def workers_compile() -> bool:
    """Whether a process that this one has started is compiling at this moment."""
    if fcntl is None:
        return False
    own, found = str(os.getpid()).encode(), False
    with contextlib.suppress(OSError), os.scandir(cache_folder() / LOCKS) as entries:
        for entry in entries:
            with contextlib.suppress(OSError), open(entry.path, "rb") as file:
                found = found or (file.read() == own and _is_held(file))
    return found


def _is_held(file: Any) -> bool:
    """Whether a process holds the lock of a file; what a killed process has left is held by nobody."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


_next_look = [0.0]  # when pruning next looks at the folder, by the clock of this process


def prune(most: float | None = None) -> int:
    """Delete what was not used for longest, until the folder is well below its cap; returns how many files. Where it cannot
    be done, nothing happens. Without a cap as argument the folder is looked at once in ten minutes at most."""
    if most is None:
        if time.monotonic() < _next_look[0]:
            return 0
        _next_look[0] = time.monotonic() + LOOK_SECONDS
        with contextlib.suppress(ValueError):
            most = float(os.environ.get(SPACE, MOST_BYTES))
        most = MOST_BYTES if most is None or math.isnan(most) else most
    files = []
    with contextlib.suppress(OSError):
        for folder in (cache_folder(), cache_folder() / CHECKED):
            if folder.is_dir():
                with os.scandir(folder) as entries:
                    files += [(entry.stat(), entry.path) for entry in entries if entry.name.endswith(ENDINGS)]
    total, gone = sum(_room(facts) for facts, _ in files), 0
    if total <= most:
        return 0
    for facts, path in sorted(files, key=lambda file: file[0].st_mtime):
        if total <= KEPT * most:
            break
        with contextlib.suppress(OSError):  # another process was quicker
            os.unlink(path)
            total, gone = total - _room(facts), gone + 1
    return gone


def _room(facts: os.stat_result) -> int:
    """What a file takes on the disk: an empty one is an entry of a folder at least."""
    return max(facts.st_size, BLOCK)


@contextlib.contextmanager
def announced(what: str) -> Iterator[None]:
    """Say for as long as it takes that something is being compiled."""
    _at_work.append(what)
    try:
        yield
    finally:
        _at_work.remove(what)


class Cache(caching.NullCache):
    """One file a kernel and signature, named by the digest of all that it was made from."""

    def __init__(self, function, counted):
        self.function, self.counted, self.locked = function, counted, contextlib.ExitStack()

    @property
    def cache_path(self):
        return str(cache_folder())

    def _path(self, sig, context, counted):
        arguments = sig if isinstance(sig, tuple) else sig.args
        parts = [part for typ in arguments for part in _flat(typ)]
        classes = _classes(parts)
        digest = Digest()
        digest.feed((numba.__version__, np.__version__, llvmlite.__version__, sys.version))
        digest.feed((FORMAT, OPTIONS, counted, numba.config.BOUNDSCHECK, int(numba.config.OPT)))
        digest.feed((context.codegen().magic_tuple(), re.sub(" at 0x[0-9a-f]+", "", repr(arguments))))
        for source in (self.function, *classes, *(p.dispatcher for p in parts if isinstance(p, types.Dispatcher))):
            digest.feed(source)
        name = re.sub(r"[^\w.]+", "-", f"{self.function.__module__}.{self.function.__qualname__}")
        return cache_folder() / f"{name[-80:]}-{digest.hex()}.nbc", classes

    def load_overload(self, sig, target_context):
        # Numba's own cache always refreshes its context before it loads a file. That imports all that a compiler may need,
        # and takes longer than the load itself. Only code that counts references needs it, because it starts the counter.
        # If there is no file, the compiler refreshes the context by itself.
        if self.counted:
            target_context.refresh()
        path, classes = self._path(sig, target_context, self.counted)
        if not self.counted and os.path.exists(path.with_suffix(COUNTED)):
            raise NeedsCounting
        if not os.path.exists(path):
            self.release()
            self.locked.enter_context(_locked(path))
            if not self.counted and os.path.exists(path.with_suffix(COUNTED)):  # somebody found out while we waited
                raise NeedsCounting
        try:
            data = path.read_bytes()
            if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
                return None
            payload = _Unpickler(io.BytesIO(data[CHECK:]), classes).load()
            made = compiler.CompileResult._rebuild(target_context, *payload)
        except Exception:  # no file, or a foreign one, or an unreadable folder: compile as if nothing were there
            _at_work.append(self.function.__qualname__)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # pruning takes first what was not used for longest
        return made

    def save_overload(self, sig, data):
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        if not all(map(_lasting, _classes(_flat(data.signature.return_type)))):
            return
        path, classes = self._path(sig, data.target_context, self.counted)
        file = io.BytesIO()
        try:
            _Pickler(file, classes).dump(data._reduce())
        except Exception:  # it holds something that lives in this process only
            return
        keep(path, hashlib.sha256(file.getvalue()).digest() + file.getvalue())
        prune()

    def release(self):
        """Let other processes have this kernel: it is stored, or could not be made."""
        with contextlib.suppress(ValueError):
            _at_work.remove(self.function.__qualname__)
        self.locked.close()

    def mark(self, sig):
        """Note that without reference counts this signature cannot be compiled."""
        path = self._path(sig, cpu_target.target_context, False)[0].with_suffix(COUNTED)
        if not os.path.exists(path):
            keep(path, b"")


def keep(path, data):
    """Let a file appear with all its content at once; a full or read-only disk costs time later, not the result."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as file:
            file.write(data)


@contextlib.contextmanager
def _locked(path):
    """One process at a time: the others wait here, WAITED seconds at most. The lock ends with the process that holds it."""
    with contextlib.ExitStack() as until_the_end:
        with contextlib.suppress(OSError):  # nothing can be kept there, or whoever compiles it takes too long: both do
            lock = path.parent / LOCKS / path.stem
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
