"""Any Go program that speaks GTP, as an agent of ours: `gtp:gnugo:level=10`, or `gtp:` and the command that starts it.

The program runs beside us (`program.py`) and is told every move. We count all stones on the board as alive, so GNU Go is
asked to take dead stones off before it passes.
"""

import time
from typing import Any

import numpy as np

from ..errors import Invalid
from ..game import identity, label, new_state
from ..text.parameters import as_value, parts
from ..walk.slices import number, whole
from .program import ANSWER_SECONDS, EngineFault, Program, command_words

MOST_LINES = 10_000  # in one answer
GNU_GO_LEVEL = 10
COLOURS = ("black", "white")  # [player]


def ask(program: Program, command: str, patience: float = ANSWER_SECONDS) -> str:
    """What a program answers to a command. It has so many seconds for the whole answer."""
    program.tell(command)
    until, found = time.monotonic() + patience, list[str]()
    for _ in range(MOST_LINES):
        line = program.line(command, patience, until)
        if line:
            found.append(line)
        elif found:
            break
    else:
        program.close()
        raise EngineFault(f"{program.name} answered '{command}' with {MOST_LINES:,} lines and no end")
    text = "\n".join(found)
    if text.startswith("="):
        return text[1:].strip()
    program.close()
    if text.startswith("?"):
        raise EngineFault(f"{program.name} refused '{command}': {text[1:].strip()}")
    raise EngineFault(f"{program.name} answered '{command}' with '{text[:80]}', which is no GTP")


class GtpAgent:
    """A program at our table. `command` starts it, `patience` is how many seconds it may take for an answer."""

    def __init__(self, command: list[str], *, patience: float = ANSWER_SECONDS, name: str = ""):
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
            return cls(command_words(text))
        values: dict[str, Any] = {"level": GNU_GO_LEVEL, "patience": ANSWER_SECONDS}
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
        self._started()

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

    def _started(self) -> Program:
        if self._program is None:
            self._program = Program(self.command)
        return self._program

    def _ask(self, command: str) -> str:
        try:
            return ask(self._started(), command, self.patience)
        except EngineFault:
            self.close()  # the next match has a program of its own
            raise


def _seed(seed: int, *path: int) -> int:
    """GNU Go's seeds are from 1 to 2^31 - 1."""
    return 1 + int(np.random.SeedSequence(seed, spawn_key=path).generate_state(1)[0]) % (2**31 - 2)
