"""How long an agent may think. A call that takes longer is ended, and whoever made it forfeits the match.

In the main thread an alarm of the system ends the call, also one that sleeps or waits for another program. In other threads,
and on systems without alarms, an exception appears in the call, which ends plain Python alone. Who catches an alarm meets the
next one at once, on the way out of the `except`, where nothing catches it; in other threads who catches everything goes on.
Compiled code that does not return cannot be ended by either; what a user brings is therefore checked before it is compiled
(`contract/`).

Seconds in which something is compiled are not counted.
"""

import contextlib
import math
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..clock import clock
from ..entrance import native

MOVE_SECONDS = 60.0  # for a move of a user's own agent, where nothing else is said
AGAIN = 1e-5  # seconds until the next attempt, where an agent catches even this: soon, so that it meets the way out
RARELY = 0.5  # the same in other threads
LATER = 1e-3  # the same, where our own code or the library's was about to leave the call
OURS = (__file__, contextlib.__file__)


class TimeIsUp(BaseException):
    """Appears inside a call that takes too long. Not an Exception, so that an agent does not catch it by accident."""


def allowed(agents: Sequence[Any]) -> list[float | None]:
    """The seconds that each agent may take for a move, where nothing else is said. Fogtree's own have budgets instead."""
    return [None if native(type(agent)) else MOVE_SECONDS for agent in agents]


@contextlib.contextmanager
def patience(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` in this block after so many seconds; None for as long as it takes."""
    if seconds is None or not math.isfinite(seconds):
        yield
        return
    end, waiting = clock() + seconds, True

    def left() -> float:
        """Seconds until the alarm, or 0 if it is time."""
        return max(end - clock(), 0.0) if waiting else LATER

    alarm = _by_signal if _may_signal() else _by_thread
    with alarm(left):
        try:
            yield
        finally:
            waiting = False


def _may_signal() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _ours(frame: Any) -> bool:
    """Whether a call is just about to begin or to be left. An exception that came there would be met by nobody."""
    return frame is None or frame.f_code.co_filename in OURS


@contextlib.contextmanager
def _by_signal(left: Callable[[], float]) -> Iterator[None]:
    over = False

    def ring(number: int, frame: Any) -> None:
        if over:  # it rang on the way out: another alarm would come when nobody listens, and end the process
            return
        again = left() or (LATER if _ours(frame) else 0.0)
        signal.setitimer(signal.ITIMER_REAL, again or AGAIN)
        if not again:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    theirs, interval = signal.setitimer(signal.ITIMER_REAL, max(left(), 1e-6))  # an alarm of somebody around us
    began = clock()
    try:
        yield
    finally:
        over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if theirs:
            signal.setitimer(signal.ITIMER_REAL, max(theirs - (clock() - began), 1e-6), interval)


@contextlib.contextmanager
def _by_thread(left: Callable[[], float]) -> Iterator[None]:
    from ..contract.watchdog import throw  # not on top: few need it, and it loads the check of games

    whom, over = threading.get_ident(), threading.Event()

    def watch() -> None:
        wait = left()
        while not over.wait(wait):
            wait = left()
            if not wait:
                throw(whom, TimeIsUp)
                wait = RARELY

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        throw(whom, None)  # what was thrown and has not appeared
