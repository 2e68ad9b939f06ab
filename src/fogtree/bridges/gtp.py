"""GTP: the protocol by which Go programs talk (Go Text Protocol, version 2, draft 2, Farneback 2002). This is our side of it.

A controller writes lines, `[id] command arguments`. The engine answers `=[id] text` or `?[id] error`, followed by an empty
line. Control characters and comments from `#` on are dropped, empty lines are ignored.

`Engine` keeps a game that can be undone and asks a player for moves. It knows a game of Go by what any game has (`label`,
`read`, `show`) and by its parameters `side`, `komi` and `points`. A bad line is answered by an error of the protocol, and the
loop goes on.
"""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, TextIO

import numpy as np

from ..errors import FogtreeError, Illegal
from ..game import OVER, REFEREE, label, legal, new_state, read
from .answering import commands_of, talk

PASS = "pass"
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
HORIZON = 25  # moves for which the rest of the main time must last
SAFETY = 0.9  # of the time that there is
LEAST = 0.01  # seconds for a move, also where none are left

Moves = tuple[tuple[int, int], ...]  # (player, action)

# player(game, state, moves, seconds) -> an action; `moves` are all (player, action) so far, `seconds` what the move may take,
# or None where no clock runs
Player = Callable[[Any, np.ndarray, Moves, float | None], int]


class Fault(Exception):
    """What the engine answers after a question mark."""


class Engine:
    """Answers the lines of a controller.

    engine = Engine(Go(9), player)
    engine.answer("1 genmove b")        "=1 E5"
    """

    def __init__(self, game: Any, player: Player, *, name: str = "Fogtree", version: str = ""):
        self.game, self.player, self.name, self.version = game, player, name, version
        self.over = False  # whether the controller said quit
        self.commands = commands_of(self)
        self.left: dict[int, tuple[float, float]] = {}  # [player] seconds, and for how many stones; 0 is main time
        self.byo = (0.0, 0.0)  # the same, for each period after it
        self._clear()

    # --- the protocol ---

    def run(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer line by line until the controller quits or has no more to say."""
        talk(self, lines, out)

    def answer(self, line: str) -> str:
        """The answer to a line, with the empty line after it; nothing for a line that says nothing."""
        words = CONTROL.sub("", line).partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return f"?{number} syntax error\n\n" if number else ""
        mark, said = "=", ""
        try:
            if words[0] not in self.commands:
                raise Fault("unknown command")
            said = self.commands[words[0]](words[1:])
        except Fault as fault:
            mark, said = "?", str(fault)
        except FogtreeError as error:
            mark, said = "?", " ".join(str(error).split())
        except Exception as error:  # a player's own fault must not end the game of the others
            mark, said = "?", " ".join(f"{type(error).__name__}: {error}".split())
        return f"{mark}{number} {said}".rstrip(" ") + "\n\n"

    def do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def do_name(self, words: list[str]) -> str:
        return self.name

    def do_version(self, words: list[str]) -> str:
        return self.version

    def do_known_command(self, words: list[str]) -> str:
        return "true" if _one(words) in self.commands else "false"

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(self.commands)

    def do_quit(self, words: list[str]) -> str:
        self.over = True
        return ""

    # --- the game ---

    def do_boardsize(self, words: list[str]) -> str:
        try:
            self.game = self.game._replace(side=int(_one(words)))
        except FogtreeError:
            raise Fault("unacceptable size") from None
        except ValueError:
            raise Fault("boardsize not an integer") from None
        self._clear()
        return ""

    def do_clear_board(self, words: list[str]) -> str:
        self._clear()
        return ""

    def do_komi(self, words: list[str]) -> str:
        try:
            self.game = self.game._replace(komi=float(_one(words)))
        except (FogtreeError, ValueError):
            raise Fault("komi not a float") from None
        return ""

    def do_play(self, words: list[str]) -> str:
        if len(words) != 2 or words[0].lower() not in COLOURS:
            raise Fault("invalid color or coordinate")
        try:
            with np.errstate(over="ignore"):
                state, moves = self._turned(words[0])
                self._step(state, moves, read(self.game, state, words[1]))
        except Illegal:
            raise Fault("illegal move") from None
        return ""

    def do_genmove(self, words: list[str]) -> str:
        with np.errstate(over="ignore"):
            state, moves = self._turned(_one(words))
            if self.game.player(state) == OVER:
                return PASS
            seconds = self._seconds(int(self.game.player(state)))
            action = int(self.player(self.game, state.copy(), moves, seconds))
            if action not in legal(self.game, state):
                raise Fault(f"the player wants action {action}, which is not legal")
            vertex = label(self.game, state, action)
            self._step(state, moves, action)
        return vertex

    def do_undo(self, words: list[str]) -> str:
        if len(self.course) == 1:
            raise Fault("cannot undo")
        self.course.pop()
        return ""

    def do_showboard(self, words: list[str]) -> str:
        return "\n" + self.game.show(self.state, REFEREE)

    def do_final_score(self, words: list[str]) -> str:
        """The area as it stands: all stones count as alive."""
        with np.errstate(over="ignore"):
            game, state = self.game._replace(points=True), self.state.copy()
            for _ in range(2):  # two passes end the game
                if game.player(state) != OVER:
                    game.step(state, read(game, state, PASS))
            if game.player(state) != OVER:
                raise Fault("cannot score")
            lead = float(game.payoff(state, 0))
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    # --- the clock ---

    def do_time_settings(self, words: list[str]) -> str:
        main, byo, stones = _numbers(words, 3)
        if main < 0 or byo < 0 or stones < 0:
            raise Fault("syntax error")
        self.byo = (0.0, 0.0)
        self.left.clear()
        if byo > 0 and stones == 0:  # that is how the protocol says that there is no limit
            return ""
        self.byo = (byo, stones)
        self.left = dict.fromkeys((0, 1), (main, 0.0) if main > 0 else self.byo)
        return ""

    def do_time_left(self, words: list[str]) -> str:
        if len(words) != 3 or words[0].lower() not in COLOURS:
            raise Fault("syntax error")
        seconds, stones = _numbers(words[1:], 2)
        self.left[COLOURS[words[0].lower()]] = (max(seconds, 0.0), max(stones, 0.0))
        return ""

    def _seconds(self, player: int) -> float | None:
        """What a move may take."""
        if player not in self.left:
            return None
        seconds, stones = self.left[player]
        share = seconds / (stones or HORIZON)
        if stones == 0 and self.byo[1] > 0:  # when the main time is over, there is more
            share = max(share, self.byo[0] / self.byo[1])
        return max(SAFETY * share, LEAST)

    # --- moves ---

    @property
    def state(self) -> np.ndarray:
        return self.course[-1][0]

    @property
    def moves(self) -> Moves:
        return self.course[-1][1]

    def _clear(self) -> None:
        self.course: list[tuple[np.ndarray, Moves]] = [(new_state(self.game), ())]
        # the position after each command, and the moves that led there

    def _turned(self, colour: str) -> tuple[np.ndarray, Moves]:
        """The position with this colour to move, and the moves up to there. Where it is the other's turn, the other passes,
        as when handicap stones are put."""
        if colour.lower() not in COLOURS:
            raise Fault("invalid color")
        state, moves = self.state.copy(), self.moves
        if (player := int(self.game.player(state))) not in (OVER, COLOURS[colour.lower()]):
            action = read(self.game, state, PASS)
            self.game.step(state, action)
            moves = (*moves, (player, action))
        return state, moves

    def _step(self, state: np.ndarray, moves: Moves, action: int) -> None:
        moves = (*moves, (int(self.game.player(state)), action))
        state = state.copy()
        self.game.step(state, action)
        self.course.append((state, moves))


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise Fault("syntax error")
    return words[0]


def _numbers(words: list[str], count: int) -> list[float]:
    try:
        found = [float(word) for word in words]
    except ValueError:
        raise Fault("syntax error") from None
    if len(found) != count or not all(math.isfinite(each) for each in found):
        raise Fault("syntax error")
    return found
