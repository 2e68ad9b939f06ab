"""How a check calls a game: what a method returns is a number or a text as it should be, only `step` changes a state, and
what is wrong becomes one sentence: the method, the rule, the moves and the state."""

from typing import Any, NoReturn

import numpy as np

from ..errors import Broken, Illegal
from ..game import REFEREE, Shape, label, read
from ..kernels import native
from .guests import GAME, place, require_kind
from .history import History
from .noticing import Listener, Row, Slip, noticing
from .watchdog import TOO_LONG, Watchdog

LAST = 40  # moves of a history that a message names; of those before it says how many there are


class Asked:
    """A game that is being checked."""

    shape: Shape

    def __init__(self, game: Any, dog: Watchdog):
        self.kind, self.dog, self.mute = type(game).__name__, dog, False
        require_kind(game, GAME)
        self.listener = Listener()
        self.game = noticing(game, self.listener)
        self.row_type = np.ndarray if native(type(game)) else Row
        dog.blame = self.blame

    def row(self, words: int, value: int = 0) -> np.ndarray:
        """A row of whole numbers; what a user's game writes into it is noticed."""
        return np.full(words, value, np.int64).view(self.row_type)

    def has(self, verb: str) -> bool:
        return hasattr(self.game, verb)

    def call(self, history: History, verb: str, *args: Any) -> Any:
        """What a method returns; `broken` where it fails, or changes a state that it must not change."""
        before = history.state.tobytes()
        self.dog.doing = history, verb  # a new object for each call
        self.listener.calls.clear()
        try:
            result = read(self.game, *args) if verb == "read" else getattr(self.game, verb)(*args)
        except (Exception, SystemExit) as error:
            if verb == "read" and isinstance(error, Illegal):
                raise
            if isinstance(error, Slip):
                self.broken(history, verb, str(error))
            self.broken(history, verb, f"raised {type(error).__name__}: {error}{place(error)}", error)
        if verb != "start" and history.state.tobytes() != before:
            self.broken(history, verb, "changed the state, which only step may do")
        return result

    def step(self, history: History, action: int) -> np.ndarray:
        """The state after an action. The listener then has the calls of `seen` that led to it."""
        state, again = history.state.copy(), history.state.copy()
        self.call(history, "step", again, action)
        self.call(history, "step", state, action)
        if np.array_equal(state, history.state):
            told = f"of action {action} leaves the state as it was: it must change the row that it is given, not a copy"
            self.broken(history, "step", told)
        if not np.array_equal(state, again):
            self.broken(history, "step", f"of action {action} gives two different states from the same one")
        return state

    # --- what a method must return ---

    def whole(self, history: History, verb: str, value: Any) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            self.broken(history, verb, f"must be a whole number, not {value!r}")
        return int(value)

    def word(self, history: History, verb: str, value: Any, whose: str = "") -> int:
        """A whole number of 64 bits."""
        number = self.whole(history, verb, value)
        if not -(2**63) <= number < 2**63:
            self.broken(history, verb, f"{whose}is {number}, which does not fit in 64 bits")
        return number

    def text(self, history: History, verb: str, value: Any) -> str:
        if not isinstance(value, str):
            self.broken(history, verb, f"must return a text, not {'nothing' if value is None else repr(value)}")
        return value

    def yes_or_no(self, history: History, verb: str, value: Any) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            self.broken(history, verb, f"must be True or False, not {value!r}")
        return bool(value)

    # --- what is wrong ---

    def broken(self, history: History, verb: str, rule: str, cause: BaseException | None = None) -> NoReturn:
        where = f"after the moves {self.moves(history.moves)}, in state {history.state.tolist()}"
        has_state = history.sights and not self.mute
        picture = self._picture(history.state) if has_state else ""
        ending = f"){picture}" if "\n" in picture else f"{picture})"
        raise Broken(f"{self.kind}.{verb} {rule} ({where}{ending}") from cause

    def apart(self, history: History, verb: str, player: int, first: tuple[int, ...]) -> NoReturn:
        """A method tells apart what the player's view does not."""
        told = f"tells player {player} this from the history {self.moves(first)}, though their view is the same"
        self.broken(history, verb, told)

    def blame(self, doing: tuple[History, str]) -> None:
        """The method that the watchdog has ended."""
        self.mute = True  # nothing of the game may be called any more
        told = f"has not returned after {TOO_LONG:g} s of computing: it seems to hold a loop without an end"
        self.broken(*doing, told)

    def moves(self, moves: tuple[int, ...]) -> str:
        """A history in the game's own words, or in numbers where it has none."""
        words = self.labels(moves)
        before = f"({len(moves) - LAST} moves), " if len(moves) > LAST else ""
        return before + ((", " if hasattr(self.game, "label") else " ").join(words[-LAST:]) or "(none)")

    def labels(self, moves: tuple[int, ...]) -> list[str]:
        if self.mute:
            return [str(action) for action in moves]
        words: list[str] = []
        try:
            state = self.row(self.shape.words)
            self.game.start(state)
            for action in moves:
                words.append(str(label(self.game, state, action)))
                self.game.step(state, action)
        except (Exception, SystemExit):  # the game is broken, and what is told must not depend on how
            words = [str(action) for action in moves]
        return words

    def _picture(self, state: np.ndarray) -> str:
        """What the referee sees, if the game shows it."""
        try:
            text = self.game.show(state, REFEREE).rstrip() if hasattr(self.game, "show") else ""
        except (Exception, SystemExit):
            return ""
        return f":\n{text}" if "\n" in text else f", where the referee sees: {text}" if text else ""
