"""The clock that limits of seconds are read on: it stands still while a kernel is compiled or loaded, or the compiler is.

What is compiled depends on what ran on this machine before, so a limit that counted it would mean something else at every
call. Threads that compile at the same time, or wait for each other to do so, stop the clock once.
"""

import contextlib
import threading
import time
from collections.abc import Iterator

_lock = threading.Lock()
_compiling = 0  # how many threads are
_since = 0.0  # when the first of them began
_spent = 0.0  # seconds, before that


def clock() -> float:
    """Seconds since some moment, without those in which this process compiled."""
    with _lock:
        return (_since if _compiling else time.perf_counter()) - _spent


@contextlib.contextmanager
def standing_still() -> Iterator[None]:
    """The clock stands still while this is entered."""
    global _compiling, _since, _spent
    with _lock:
        if not _compiling:
            _since = time.perf_counter()
        _compiling += 1
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            if not _compiling:
                _spent += time.perf_counter() - _since
