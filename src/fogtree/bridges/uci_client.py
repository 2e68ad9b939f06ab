"""Any chess program that speaks UCI, as an agent of ours: `uci:stockfish:elo=1800,seconds=0.1`, or `uci:` and the command
that starts it, with or without the same parameters behind it.

The program runs beside us (`program.py`) and is told the whole game before each of its moves.

A program says itself between which ratings it can limit its strength (`UCI_Elo`), and others are refused before a match
begins. Programs draw their random numbers as they like: a match against one cannot be played again from its seed.
"""

import re
import time
from typing import Any, NamedTuple

from ..errors import Invalid
from ..game import identity
from ..games.chess import Chess
from ..games.chess.text import long_label
from ..text.parameters import accepts, build, real
from .program import ANSWER_SECONDS, EngineFault, Program, command_words

SECONDS = 0.1  # a move, where nothing else is said
PARAMETERS = re.compile(r"\s*\w+=[^,=]*(,\s*\w+=[^,=]*)*")
ELO = re.compile(r"option name UCI_Elo type spin .*?min (\d+) max (\d+)")
LIMIT_STRENGTH = "option name UCI_LimitStrength "
HASH = "option name Hash "
NO_MOVES = {"(none)", "0000", "NULL", ""}


@accepts(
    elo=range(0, 10_000),
    seconds=real(0, 86_400),
    depth=range(0, 1_000),
    nodes=range(0, 2**62),
    hash=range(0, 2**20),
    patience=real(0, 86_400, open_low=True),
)
class Playing(NamedTuple):
    """How a program plays; 0 is no limit."""

    elo: int = 0  # the rating to which the program limits its strength
    seconds: float = 0.0  # a move
    depth: int = 0
    nodes: int = 0
    hash: int = 0  # MB of its table; 0 is its own choice
    patience: float = ANSWER_SECONDS  # seconds for an answer, besides those of the move

    def go(self) -> str:
        """The command that asks for a move."""
        limits = [f"{limit} {value}" for limit, value in (("depth", self.depth), ("nodes", self.nodes)) if value]
        if self.seconds:
            limits.append(f"movetime {max(round(1000 * self.seconds), 1)}")
        return f"go {' '.join(limits)}"


class UciAgent:
    """A program at our table. `command` starts it."""

    def __init__(self, command: list[str], how: Playing = Playing(), *, name: str = ""):  # noqa: B008  (a tuple cannot change)
        if not command:
            raise Invalid("uci needs a program: write uci:stockfish:elo=1800,seconds=0.1, or uci: and a command")
        limited = how.seconds or how.depth or how.nodes
        self.command, self.how = command, how if limited else how._replace(seconds=SECONDS)
        self.name = name or f"uci:{' '.join(command)}"
        self._program: Program | None = None
        self._is_new = True  # a match begins

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "UciAgent":
        """`stockfish`, `stockfish:elo=1800`, or a command with its arguments, and parameters behind a colon."""
        command, colon, given = text.rpartition(":")
        if not colon or not PARAMETERS.fullmatch(given):
            command, given = text, ""
        return cls(command_words(command), build(Playing, given, f"{name}:{command}"), name=f"{name}:{text.strip()}")

    def fits(self, game: Any) -> None:
        """Refuse games that no chess program plays, programs that are not there, and strengths that they do not have."""
        if identity(game) != identity(Chess()):
            raise Invalid(f"{self.name} plays chess alone, not {type(game).__name__}")
        try:
            self._started()
        except EngineFault as fault:
            raise Invalid(str(fault)) from None

    def fresh(self) -> None:
        """A new match begins."""
        self._is_new = True

    def act(self, sight: Any) -> int | str:
        try:
            answer = self._answer(sight)
        except EngineFault:
            self.close()  # the next match has a program of its own
            raise
        said = {long_label(action): action for action in sight.actions}
        return said.get(answer, answer)  # what is not legal, the referee refuses

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def _answer(self, sight: Any) -> str:
        program = self._started()
        if self._is_new:
            program.tell("ucinewgame")
            self._ask(program, "isready", "readyok")
            self._is_new = False
        moves = " ".join(long_label(action) for _, action in sight.moves)
        start = f"fen {sight.start}" if sight.start else "startpos"
        program.tell(f"position {start}{' moves ' if moves else ''}{moves}")
        words = self._ask(program, self.how.go(), "bestmove", self.how.seconds)[-1].split()
        answer = words[1] if len(words) > 1 else ""
        if answer in NO_MOVES:
            raise EngineFault(f"{program.name} gave no move: '{' '.join(words)}'")
        return answer

    def _started(self) -> Program:
        """The program, which runs and has its options."""
        if self._program is None:
            program = Program(self.command)
            said = self._ask(program, "uci", "uciok")
            self._set_options(program, said)
            self._ask(program, "isready", "readyok")
            self._program, self._is_new = program, True
        return self._program

    def _set_options(self, program: Program, said: list[str]) -> None:
        if self.how.elo:
            span = next(filter(None, map(ELO.match, said)), None)
            if span is None or not any(line.startswith(LIMIT_STRENGTH) for line in said):
                program.close()
                raise Invalid(f"{program.name} cannot limit its strength: leave elo out")
            low, high = int(span[1]), int(span[2])
            if not low <= self.how.elo <= high:
                program.close()
                raise Invalid(f"{program.name} can limit its strength to elo={low} to {high}, not {self.how.elo}")
            program.tell("setoption name UCI_LimitStrength value true")
            program.tell(f"setoption name UCI_Elo value {self.how.elo}")
        if self.how.hash:
            if not any(line.startswith(HASH) for line in said):
                program.close()
                raise Invalid(f"{program.name} has no table whose size can be set: leave hash out")
            program.tell(f"setoption name Hash value {self.how.hash}")

    def _ask(self, program: Program, command: str, end: str, seconds: float = 0.0) -> list[str]:
        """The lines that a program says to a command, up to the one that begins with this word."""
        allowed = self.how.patience + seconds
        until = time.monotonic() + allowed
        program.tell(command)
        said: list[str] = []
        while not said or said[-1].split()[:1] != [end]:  # the time is the bound
            said.append(program.line(command, allowed, until))
            if said[-1].startswith("info "):
                said.pop()
        return said
