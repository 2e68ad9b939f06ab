"""Another program that runs beside us and is spoken to line by line, as engines of Go (GTP) and of chess (UCI) are.

`Program` starts it, tells it lines and waits for its lines, but never longer than it is allowed to. Whatever a program does
wrong is its own fault and costs it the game: it does not answer in time, it dies, it breaks the protocol, it resigns or gives
no move. Then an agent's `act` raises `EngineFault`, which says why, and the referee writes that down. An illegal move is
found by the referee itself. A program ends at the latest with the object that started it.
"""

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from typing import Any

from ..errors import Invalid

ANSWER_SECONDS = 60.0  # seconds for an answer, where nothing else is said
PLACES = "/usr/games"  # where Debian keeps such programs, beside the PATH


class EngineFault(Exception):
    """A program that hangs, dies, resigns or breaks the protocol: it loses the game."""


def command_words(text: str) -> list[str]:
    """The words of a command as a shell would cut them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Invalid(f"'{text}' is no command: {error}") from None


class Program:
    """A program that was started, and what was said to it."""

    def __init__(self, command: list[str]):
        self.name = command[0].rpartition("/")[2]
        found = shutil.which(command[0]) or shutil.which(command[0], path=PLACES)
        if found is None:
            raise Invalid(f"there is no program '{command[0]}': install it, or give its path")
        try:
            self.process = subprocess.Popen(
                [found, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
                errors="replace",
            )
        except OSError as error:
            raise Invalid(f"the program '{command[0]}' cannot be started: {error.strerror or error}") from None
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_listen, args=(self.process.stdout, self.lines), daemon=True).start()
        self.close = weakref.finalize(self, _end, self.process)  # at the latest when Python ends

    def tell(self, command: str) -> None:
        """Say one line to the program."""
        try:
            self.process.stdin.write(command + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):
            raise EngineFault(self._death(command)) from None

    def line(self, command: str, seconds: float, until: float | None = None) -> str:
        """The next line that the program says to a command. It has so many seconds for it, or only until this time by
        `time.monotonic`."""
        wait = seconds if until is None else max(until - time.monotonic(), 0.0)
        try:
            line = self.lines.get(timeout=wait)
        except queue.Empty:
            self.close()
            raise EngineFault(f"{self.name} did not answer '{command}' within {seconds:g} s") from None
        if line is None:
            raise EngineFault(self._death(command))
        return line.rstrip()

    def _death(self, command: str) -> str:
        self.close()
        return f"{self.name} ended with exit code {self.process.returncode} when it was told '{command}'"


def _listen(pipe: Any, lines: "queue.Queue[str | None]") -> None:
    for line in pipe:
        lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen) -> None:
    """End a program that we started."""
    with contextlib.suppress(OSError, ValueError):
        process.stdin.close()  # type: ignore[union-attr]
    try:
        process.wait(0.2)  # many end when nobody speaks to them any more
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)
