"""Ends a method that does not return: a loop without an end in a user's game must not hang the check.

A thread looks every tenth of a second at what the check is doing. If that has been the same call for longer than TOO_LONG
seconds of computing, without those of the compiler, the thread makes an exception appear in the loop, as Ctrl-C does. Only
plain Python can be ended so.
"""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

from ..kernels import compiling

TOO_LONG = 2.0  # seconds of computing in one call of a method, which takes microseconds in a game that is right
EACH = 0.1  # seconds between two looks


class TooLong(BaseException):
    """Appears inside a method that does not return. Not an Exception, so that a method does not catch it."""


class Watchdog:
    """Around a check: `doing` is set to a new object before each call, and `blame(doing)` raises for the call that hangs."""

    def __init__(self, patience: float = TOO_LONG):
        self.patience = patience
        self.blame: Callable[[Any], Any] = lambda doing: None
        self.doing: Any = None
        self.over = threading.Event()

    def __enter__(self) -> "Watchdog":
        self.whom = threading.get_ident()
        self.thread = threading.Thread(target=self._watch, args=(_clock_of(self.whom),), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, kind, error, trace) -> None:
        try:
            self.over.set()
            self.thread.join()
        except TooLong:  # it came late: the call has returned after all
            self.thread.join()
        throw(self.whom, None)  # what was thrown and not caught
        if kind is TooLong:
            self.blame(self.doing)

    def _watch(self, clock: Callable[[], float]) -> None:
        known, since = self.doing, clock()
        while not self.over.wait(EACH):
            if self.doing is not known or compiling():  # the compiler takes its time, and comes to an end
                known, since = self.doing, clock()
            elif clock() - since > self.patience:
                throw(self.whom, TooLong)
                return


def throw(thread: int, kind: type[BaseException] | None) -> None:
    """Let an exception appear in a thread as soon as it runs Python; None takes back what has not appeared yet."""
    what = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


def _clock_of(thread: int) -> Callable[[], float]:
    """The seconds that a thread has computed; of the whole process, where the system does not tell threads apart."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
