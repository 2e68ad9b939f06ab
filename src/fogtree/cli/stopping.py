"""Ctrl-C ends every command within a second, and a sentence says what was being done.

Python hears Ctrl-C only between two of its own steps. Long work returns there twenty times a second (`walk/slices.py`), and
so the usual end is a `KeyboardInterrupt`: the command prints or saves what it has. But the compiler, a library or a loop
without an end in a user's game may keep the main thread for longer. So a second thread hears the signal too, by the pipe that
the system writes to. If the main thread has not answered after ANSWER_SECONDS, that thread says so and ends the process.
What is stored piece by piece stays whole: files appear at once or not at all, and the store of runs survives a kill.
"""

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

STOPPED = 130  # the exit code of an interrupted command
ANSWER_SECONDS = 0.7  # seconds that the main thread has to answer
FOLDER = "fogtree.kernels.folder"
SHOW_CURSOR = "\x1b[?25h"  # live lines hide it

pressed = False  # whether Ctrl-C was pressed during this command
said = False  # whether a sentence has told why the command ends
_doing: list[Callable[[], str]] = []  # what is being done, the innermost last


@contextlib.contextmanager
def doing(what: str | Callable[[], str]) -> Iterator[None]:
    """Say what is being done, in words that fit behind "while": "counting", "compiling"."""
    _doing.append(what if callable(what) else lambda: what)
    try:
        yield
    except KeyboardInterrupt as stop:
        if not hasattr(stop, "doing"):
            stop.doing = _now()  # type: ignore[attr-defined]
        raise
    finally:
        _doing.pop()


def _now() -> str:
    folder = sys.modules.get(FOLDER)  # not imported: there is no time for it, and what is not loaded does not compile
    if folder and (folder.compiling() or folder.workers_compile()):
        return "compiling"
    return _doing[-1]() if _doing else ""


def sentence(stop: BaseException | None = None) -> str:
    """What was stopped."""
    what = getattr(stop, "doing", "") or _now()
    return f"stopped while {what}" if what else "stopped"


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Around a command: Ctrl-C raises KeyboardInterrupt, or ends the process if nobody answers."""
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return
    global pressed
    pressed, answered = False, [-math.inf]

    def answer(number: int, frame: Any) -> None:
        global pressed
        pressed = True
        answered[0] = time.monotonic()
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # somebody else decides, or it is ignored
        yield
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    threading.Thread(target=_listen, args=(read, answered), daemon=True).start()
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, answer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(write)  # which ends the thread


def _listen(pipe: int, answered: list[float]) -> None:
    """Wait for Ctrl-C, and end the process if the main thread does not answer. `answered[0]` is when it last did."""
    while signals := os.read(pipe, 1):
        if signals[0] != signal.SIGINT:
            continue
        now = time.monotonic()
        # the main thread may have answered before this one read the signal
        while answered[0] < now - ANSWER_SECONDS and time.monotonic() < now + ANSWER_SECONDS:
            time.sleep(0.02)
        if answered[0] < now - ANSWER_SECONDS:
            _end()
    os.close(pipe)


def _end() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    cursor = SHOW_CURSOR if os.isatty(2) else ""
    with contextlib.suppress(OSError):
        os.write(2, f"{cursor}\n{sentence()}\n".encode())
    os._exit(STOPPED)
