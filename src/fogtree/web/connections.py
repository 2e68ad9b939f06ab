"""Connections: how long one may take to ask, how many there may be, and how much the log says of them.

A program that opens many connections and sends a letter now and then would hold them all, until the system has no more
handles and nobody gets in. So a request must be complete after SECONDS, an answer must be taken within TAKING seconds, and
there is room for so many connections of one address and of all together. Where there is no room, the oldest connection that
has not asked yet is closed in favour of the new one; an answer or a stream that goes on is never cut off for it.
"""

import asyncio
import collections
import contextlib
import logging
import time

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # for a whole request, from its first byte or from the opening of the connection
TAKING = 60.0  # for a browser that does not read its answer
PER_ADDRESS, MOST = 200, 600  # connections
BACKLOG = 256  # that wait to be accepted
HANDLES = 4096  # files and connections of this process, where the system allows so many
QUIET = 60.0  # seconds before the log says the same thing again
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(H11Protocol):
    """A connection with limits. The server keeps all of them in a set; they count each other there."""

    _asking: asyncio.TimerHandle | None = None  # while a request is not complete
    _giving: asyncio.TimerHandle | None = None  # while an answer is not taken
    opened = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.opened = time.monotonic()
        self._look()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._asking, self._giving):
            if timer:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._giving = self.loop.call_later(TAKING, self.transport.abort)

    def resume_writing(self) -> None:
        if self._giving:
            self._giving.cancel()
        super().resume_writing()

    def is_waiting(self) -> bool:
        """Whether no request is complete: none came yet, or none since the last answer, or one is still coming."""
        return self._asking is not None or self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        """Start the clock of a request, or stop it."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            if self._asking:
                self._asking.cancel()
            self._asking = None
        elif self._asking is None:
            self._asking = self.loop.call_later(SECONDS, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            if self.cycle is None or not self.cycle.response_started:
                self.transport.write(LATE)
            self.transport.close()

    def _make_room(self) -> None:
        """Close the oldest connection that waits, if there are too many; this one if none waits."""
        everybody = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        mine = [one for one in everybody if one.client and self.client and one.client[0] == self.client[0]]
        crowd = mine if len(mine) > PER_ADDRESS else everybody if len(everybody) > MOST else []
        if crowd:
            idle = [one for one in crowd if one is not self and one.is_waiting()]
            min(idle, key=lambda one: one.opened, default=self).transport.close()


class Seldom(logging.Filter):
    """Lets a message through once in QUIET seconds, whatever its numbers are."""

    def __init__(self) -> None:
        super().__init__()
        self._said = collections.OrderedDict[str, float]()

    def filter(self, record: logging.LogRecord) -> bool:
        now, key = time.monotonic(), str(record.msg).partition("\n")[0]
        if now - self._said.get(key, -QUIET) < QUIET:
            return False
        self._said[key] = now
        return True


def quiet_logs() -> None:
    """Nobody can fill a disk by failing often."""
    for name in ("asyncio", "uvicorn.error"):
        log = logging.getLogger(name)
        if not any(isinstance(each, Seldom) for each in log.filters):
            log.addFilter(Seldom())


def more_handles() -> None:
    """Ask the system for HANDLES, for some give a process 256."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < HANDLES:
            resource.setrlimit(resource.RLIMIT_NOFILE, (HANDLES if hard < 0 else min(HANDLES, hard), hard))
