"""The folder of compiled code: where it is, how large it may get, who compiles at this moment.

Nothing here needs Numba, so that commands that compile nothing do not wait for it; `cache.py` fills the folder.
"""

import contextlib
import math
import os
import pathlib
import time
from collections.abc import Iterator
from typing import Any

import platformdirs

from ..files import appearing, fcntl

LOCKS = "locks"  # the folder inside the cache that has a file for each kernel that is being compiled
SPACE = "FOGTREE_CACHE_BYTES"  # sets another cap on the folder of compiled code
MOST_BYTES = 2 << 30  # the cap without it
KEPT = 0.7  # of the cap, after pruning
LOOK_SECONDS = 600.0  # between two looks at the size of the folder
BLOCK = 4096  # bytes that the smallest file takes
CHECKED = "checked"  # the folder inside it that remembers which games have passed their check
MARK = ".ok"  # the ending of such a file
COUNTED = ".counted"  # an empty file with this ending saves the next process the attempt without reference counts
KNOWN = ".known"  # an empty file with this ending says that some work is worth compiling, because it was before
COMPILED = ".nbc"  # the ending of machine code for the processor
SHIPPED = pathlib.Path(__file__).with_name("shipped")  # what a wheel for one platform carries of the same files
DEVICE_CODE = ".cubin"  # the ending of code for a GPU
# of the files that pruning may delete; the last is what a killed process left
ENDINGS = (COMPILED, DEVICE_CODE, COUNTED, KNOWN, MARK, ".tmp")


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


def places(name: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Where a file may lie: in the user's folder, or among those that came with the package."""
    return cache_folder() / name, SHIPPED / name


def compiled_files() -> set[str]:
    """The names of the files of machine code for the processor, one for each kernel and combination of types."""
    with contextlib.suppress(OSError), os.scandir(cache_folder()) as entries:
        return {entry.name for entry in entries if entry.name.endswith(COMPILED)}
    return set()


at_work: list[str] = []  # the kernels that are being compiled in this process
for_gpu: list[str] = []  # those among them that are made for a GPU


def compiling() -> str:
    """The kernel that is being compiled at this moment, or an empty text."""
    return at_work[-1] if at_work else ""


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
    """Say for as long as it takes that something is being compiled for a GPU."""
    at_work.append(what)
    for_gpu.append(what)
    try:
        yield
    finally:
        at_work.remove(what)
        for_gpu.remove(what)


def compiling_for_gpu() -> bool:
    """Whether device code is being made now."""
    return bool(for_gpu)


def keep(path, data):
    """Let a file appear with all its content at once; a full or read-only disk costs time later, not the result."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as file:
            file.write(data)
