"""Any Go program that speaks GTP, as an agent of ours: `gtp:gnugo:level=10`, or `gtp:` and the command that starts it.

The program runs beside us and is told every move. Whatever it does wrong is its own fault and costs it the game: it does not
answer in time, it dies, it breaks the protocol, it resigns. Then `act` raises `EngineFault`, and the referee writes down the
reason. An illegal move is found by the referee itself.

We count all stones on the board as alive, so GNU Go is asked to take dead stones off before it passes.
"""

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import weakref
from typing import Any

import numpy as np

from ..errors import Invalid
from ..game import identity, label, new_state
from ..text.parameters import as_value, parts
from ..walk.slices import number, whole

PATIENCE = 60.0  # seconds for an answer, where nothing else is said
MOST_LINES = 10_000  # in one answer
GNU_GO_LEVEL = 10
PLACES = "/usr/games"  # where Debian keeps such programs, beside the PATH
COLOURS = ("black", "white")  # [player]


class EngineFault(Exception):
    """A program that hangs, dies, resigns or breaks the protocol: it loses the game."""


class Program:
    """A program that was started, and what was said to it."""

    def __init__(self, command: list[str], patience: float):
        self.name, self.patience = command[0].rpartition("/")[2], patience
        found = shutil.which(command[0]) or shutil.which(command[0], path=PLACES)
        if found is None:
            raise Invalid(f"there is no program '{command[0]}': install it, or give its path")
        self.process = subprocess.Popen(
            [found, *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            errors="replace",
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_listen, args=(self.process.stdout, self.lines), daemon=True).start()
        self.close = weakref.finalize(self, _end, self.process)  # at the latest when Python ends

    def ask(self, command: str) -> str:
        """What the program answers."""
        try:
            self.process.stdin.write(command + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):
            raise EngineFault(self._death(command)) from None
        found: list[str] = []
        for _ in range(MOST_LINES):
            line = self._line(command)
            if line:
                found.append(line)
            elif found:
                break
        text = "\n".join(found)
        if text.startswith("="):
            return text[1:].strip()
        self.close()
        if text.startswith("?"):
            raise EngineFault(f"{self.name} refused '{command}': {text[1:].strip()}")
        raise EngineFault(f"{self.name} answered '{command}' with '{text[:80]}', which is no GTP")

    def _line(self, command: str) -> str:
        try:
            line = self.lines.get(timeout=self.patience)
        except queue.Empty:
            self.close()
            raise EngineFault(f"{self.name} did not answer '{command}' within {self.patience:g} s") from None
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


class GtpAgent:
    """A program at our table. `command` starts it, `patience` is how many seconds it may take for an answer."""

    def __init__(self, command: list[str], *, patience: float = PATIENCE, name: str = ""):
        if not command:
            raise Invalid("gtp needs a program: write gtp:gnugo:level=10, or gtp: and a command")
        self.command, self.patience = command, number(patience, "patience", above=0)
        self.name = name or f"gtp:{' '.join(command)}"
        self._program: Program | None = None
        self._table = ""  # the game that the program plays
        self._moves: list[tuple[int, int]] = []  # that the program knows
        self._state = np.zeros(0, np.int64)  # after them

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "GtpAgent":
        """`gnugo`, `gnugo:level=5,patience=10`, or a command with its arguments."""
        program, _, given = text.partition(":")
        if program.strip() != "gnugo":
            return cls(shlex.split(text))
        values: dict[str, Any] = {"level": GNU_GO_LEVEL, "patience": PATIENCE}
        for part in parts(given):
            key, equals, value = part.partition("=")
            if key.strip() not in values or not equals:
                raise Invalid(
                    f"{name}:gnugo has no parameter '{part.strip()}': valid are level=NUMBER, patience=SECONDS"
                )
            values[key.strip()] = as_value(value.strip())
        level, first = whole(values["level"], "level", least=0), _seed(seed, *path)
        rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead", "--never-resign"]
        command = ["gnugo", "--mode", "gtp", "--level", str(level), "--seed", str(first), *rules]
        return cls(command, patience=values["patience"], name=f"gtp:gnugo:level={level}")

    def fits(self, game: Any) -> None:
        """Refuse games that no Go program plays, and programs that are not there."""
        if not {"side", "komi", "points"} <= set(getattr(game, "_fields", ())):
            raise Invalid(f"{self.name} plays Go alone, not {type(game).__name__}")
        if self._program is None:
            self._program = Program(self.command, self.patience)

    def fresh(self) -> None:
        """A new match begins."""
        self._table = ""

    def act(self, sight: Any) -> str:
        game, moves = sight.game, list(sight.moves)
        with np.errstate(over="ignore"):
            if self._table != identity(game) or moves[: len(self._moves)] != self._moves:
                self._begin(game)
            for player, action in moves[len(self._moves) :]:
                self._ask(f"play {COLOURS[player]} {label(game, self._state, action)}")
                self._note(game, player, action)
            answer = self._ask(f"genmove {COLOURS[sight.player]}")
            if answer.lower() == "resign":
                raise EngineFault(f"{self.name} resigned")
            said = dict(zip((text.lower() for text in sight.labels), sight.actions, strict=True))
            if answer.lower() in said:  # else the referee says what is wrong with it
                self._note(game, sight.player, said[answer.lower()])
        return answer

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program, self._table = None, ""

    def _begin(self, game: Any) -> None:
        self._moves, self._state = [], new_state(game)
        for line in (f"boardsize {game.side}", "clear_board", f"komi {game.komi:g}"):
            self._ask(line)
        self._table = identity(game)

    def _note(self, game: Any, player: int, action: int) -> None:
        self._moves.append((player, action))
        game.step(self._state, action)

    def _ask(self, command: str) -> str:
        if self._program is None:
            self._program = Program(self.command, self.patience)
        try:
            return self._program.ask(command)
        except EngineFault:
            self.close()  # the next match has a program of its own
            raise


def _seed(seed: int, *path: int) -> int:
    """GNU Go's seeds are from 1 to 2^31 - 1."""
    return 1 + int(np.random.SeedSequence(seed, spawn_key=path).generate_state(1)[0]) % (2**31 - 2)
