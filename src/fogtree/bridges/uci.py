"""UCI, the protocol by which chess programs talk (Universal Chess Interface, Huber and Meyer-Kahlen 2000): our side of it.

A controller writes lines, and the engine answers some of them. `go` starts a search, and its answer is one line `bestmove`,
whatever happens. The search runs in a thread of its own, so that `stop` and `isready` are answered while it goes on. Each
depth that is finished is told in a line `info`.

`Engine` knows a game by what it is handed in a `Board`: the rules, an evaluation and how moves are written. A line that makes
no sense is answered by `info string` and one sentence, and the loop goes on. After a `position` that was refused there is
nothing to search, and `go` is answered by `bestmove 0000`.

The first `isready` waits until the search is compiled, and so does a `go` that comes before it, until `stop`.

    uci.py             the lines, and what is answered
    uci_options.py     what can be set
    uci_limits.py      what the words after `go` mean
    uci_thinking.py    the search that a `go` starts
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np

from ..errors import FogtreeError, Invalid
from ..game import new_state
from ..search.open.alphabeta import AlphaBeta, Found
from .answering import commands_of
from .uci_limits import Limits, moves_named, read_limits
from .uci_options import HASH, LINES, OPTIONS, OVERHEAD, PRUNED, PRUNING, WEIGHTS, read_option
from .uci_thinking import Thinking

NO_MOVE = "0000"
LOOK = 0.01  # seconds between two looks at whether the search is compiled


class Board(NamedTuple):
    """What the engine knows of a game."""

    game: Any
    evaluation: Any
    write: Callable[[int], str]  # an action as a move of the protocol: e2e4
    read: Callable[[np.ndarray, str], int]  # the way back; a negative number where the move is not legal
    pawn: float  # the value of a pawn, in the unit of payoffs
    learned: Callable[[str], Any] | None = None  # the evaluation by the weights in a file


class Engine:
    """Answers the lines of a controller by calling `say` with each line.

    engine = Engine(Board(...), print)
    engine.answer("go depth 5")
    engine.wait()                       until the search has ended
    """

    def __init__(self, board: Board, say: Callable[[str], Any], *, name: str = "Fogtree"):
        self.board, self.name = board, name
        self._own = board.evaluation
        self.over = False  # whether the controller said quit
        self.debug = False
        self.option: dict[str, Any] = {each: kind.default for each, kind in OPTIONS.items()}
        self._say, self._lock = say, threading.Lock()
        self._search: Future[AlphaBeta] | None = None  # compiled, or soon
        self._thinking: Thinking | None = None
        self._start, self._moves = "startpos", list[str]()  # the position: where it began, and the moves from there
        self._state: np.ndarray | None = new_state(board.game)
        self.commands = commands_of(self)

    # --- the protocol ---

    def run(self, lines: Iterable[str]) -> None:
        """Answer line by line until the controller quits or has no more to say."""
        for line in lines:
            self.answer(line)
            if self.over:
                break
        self._halt()

    def answer(self, line: str) -> None:
        """Do what a line says. Words before the first command are skipped, as the protocol wants it."""
        words = line.split()
        for number, word in enumerate(words):
            if word in self.commands:
                try:
                    with np.errstate(over="ignore"):
                        self.commands[word](words[number + 1 :])
                except Exception as error:
                    self._complain(error)
                return
        if words:
            self._tell(f"'{words[0][:40]}' is no command: valid are {', '.join(self.commands)}")

    def wait(self) -> None:
        """Wait until the search has ended."""
        if self._thinking and self._thinking.thread:
            self._thinking.thread.join()

    def do_uci(self, words: list[str]) -> None:
        self.say(f"id name {self.name}")
        self.say("id author Fogtree")
        for name, option in OPTIONS.items():
            self.say(f"option name {name} {option.declared()}")
        self.say("uciok")

    def do_debug(self, words: list[str]) -> None:
        self.debug = words[:1] == ["on"]

    def do_isready(self, words: list[str]) -> None:
        if not self._is_thinking():
            with contextlib.suppress(Exception):  # the next `go` says what is wrong
                self._compiled().result()
        self.say("readyok")

    def do_setoption(self, words: list[str]) -> None:
        name, read = read_option(words)
        if read != self.option[name]:
            if name == WEIGHTS:
                self._evaluate_by(str(read))
            self.option[name] = read
            if name in (HASH, PRUNED, WEIGHTS):
                self._search = None  # a search that is going on keeps its own

    def _evaluate_by(self, path: str) -> None:
        """Evaluate by the weights in a file, or as at the beginning where none is named."""
        if path and self.board.learned is None:
            raise Invalid("this engine cannot learn, so it takes no weights")
        evaluation = self.board.learned(path) if path and self.board.learned else self._own
        self.board = self.board._replace(evaluation=evaluation)

    def do_ucinewgame(self, words: list[str]) -> None:
        self._halt()
        if self._search is not None and self._search.done() and not self._search.exception():
            self._search.result().forget()

    def do_quit(self, words: list[str]) -> None:
        self.over = True

    # --- the position ---

    def do_position(self, words: list[str]) -> None:
        old, self._state = self._state, None  # where this line is refused, there is no position
        head, moves = words, list[str]()
        if "moves" in words:
            at = words.index("moves")
            head, moves = words[:at], words[at + 1 :]
        start = " ".join(head)
        known = old is not None and start == self._start and moves[: len(self._moves)] == self._moves
        state = old.copy() if known and old is not None else self._first(head)  # controllers repeat the whole game
        for number in range(len(self._moves) if known else 0, len(moves)):
            action = self._action(state, moves[number])
            if action is None:
                raise Invalid(f"'{moves[number]}' is not a legal move after {number} half-moves")
            self.board.game.step(state, action)
        self._start, self._moves, self._state = start, moves, state

    def _action(self, state: np.ndarray, word: str) -> int | None:
        """The legal action that a word names, or None."""
        action = self.board.read(state, word.lower())
        return action if action >= 0 and self.board.write(action) == word.lower() else None

    def _first(self, head: list[str]) -> np.ndarray:
        state = new_state(self.board.game)
        if head[:1] == ["fen"]:
            self.board.game.from_notation(" ".join(head[1:]), state)
        elif head[:1] != ["startpos"]:
            raise Invalid(f"a position is startpos or fen and a FEN, not '{' '.join(head)}'")
        return state

    # --- searching ---

    def do_go(self, words: list[str]) -> None:
        self._halt()
        try:
            limits = self._limits(words)
        except Invalid as error:
            self._complain(error)
            limits = Limits(depth=1)  # so that nobody waits for an answer
        state = None if self._state is None else self._state.copy()
        task = self._thinking = Thinking(state, limits)
        if self.debug:
            self._tell(f"the limits are {limits}")
        task.thread = threading.Thread(target=self._think, args=(task,), daemon=True)
        task.thread.start()

    def do_stop(self, words: list[str]) -> None:
        if self._thinking:
            self._thinking.stop()

    def do_ponderhit(self, words: list[str]) -> None:
        if self._thinking:
            self._thinking.ponderhit()

    def _limits(self, words: list[str]) -> Limits:
        """What the words after `go` mean in this position."""
        player = 0 if self._state is None else int(self.board.game.player(self._state))
        limits = read_limits(words, max(player, 0), self.option[OVERHEAD] / 1000)
        return limits._replace(only=self._searchmoves(words), lines=self.option[LINES])

    def _searchmoves(self, words: list[str]) -> tuple[int, ...]:
        """The actions that are asked for by `searchmoves`. Those that are not legal are left out, with a complaint."""
        if "searchmoves" not in words or self._state is None:
            return ()
        chosen: list[int] = []
        for word in moves_named(words):
            action = self._action(self._state, word)
            if action is None:
                self._tell(f"'{word}' is not a legal move here, so it is not searched")
            elif action not in chosen:
                chosen.append(action)
        if not chosen:
            self._tell("searchmoves names no legal move, so all moves are searched")
        return tuple(chosen)

    def _think(self, task: Thinking) -> None:
        """Search, and say the best move: exactly once, whatever happens."""
        answer = NO_MOVE
        try:
            with np.errstate(over="ignore"):
                answer = self._first_move(task)
                search = self._patiently(task) if answer != NO_MOVE else None
                if search and (found := task.run(search, self._inform)):
                    answer = " ponder ".join(self.board.write(action) for action in found.line[:2])
        except Exception as error:
            self._complain(error)
        finally:
            task.free.wait()
            self.say(f"bestmove {answer}")

    def _patiently(self, task: Thinking) -> AlphaBeta | None:
        """The search as soon as it is compiled; nothing where the controller does not wait for it."""
        search = self._compiled()
        while not task.halted.is_set():
            with contextlib.suppress(TimeoutError):
                return search.result(LOOK)
        return search.result() if search.done() else None

    def _compiled(self) -> "Future[AlphaBeta]":
        """The search, which compiles in a thread of its own."""
        if self._search is None:
            self._search = Future()
            memory, pruning = self.option[HASH] * 2**20, PRUNING[self.option[PRUNED]]
            threading.Thread(target=_compile, args=(self.board, pruning, memory, self._search), daemon=True).start()
        return self._search

    def _first_move(self, task: Thinking) -> str:
        """Any legal move, of those that are asked for."""
        if task.limits.only:
            return self.board.write(task.limits.only[0])
        state = task.state
        if state is None:
            self._tell("there is no position to search, for the last one was refused")
            return NO_MOVE
        out = np.zeros(self.board.game.shape().actions, np.int64)
        return self.board.write(int(out[0])) if self.board.game.actions(state, out) else NO_MOVE

    def _is_thinking(self) -> bool:
        return self._thinking is not None and self._thinking.thread is not None and self._thinking.thread.is_alive()

    def _halt(self) -> None:
        """End the search, if there is one; it says its move."""
        self.do_stop([])
        self.wait()

    # --- talking ---

    def say(self, line: str) -> None:
        """One line to the controller. Where nobody listens any more, the engine ends."""
        with self._lock:
            try:
                self._say(line)
            except (OSError, ValueError):
                self.over = True

    def _tell(self, sentence: str) -> None:
        self.say(f"info string {' '.join(sentence.split())}")

    def _complain(self, error: Exception) -> None:
        self._tell(str(error) if isinstance(error, FogtreeError) else f"{type(error).__name__}: {error}")

    def _inform(self, task: Thinking, found: Found, which: str) -> None:
        task.told, took = found, time.perf_counter() - task.began
        score = f"cp {round(100 * found.value / self.board.pawn)}" if found.mate is None else f"mate {found.mate}"
        work = f"nodes {found.nodes} nps {round(found.nodes / max(took, 1e-6))} time {round(1000 * took)}"
        line = " ".join(self.board.write(action) for action in found.line)
        self.say(f"info depth {max(found.depth, 1)}{which} score {score} {work} pv {line}")


def _compile(board: Board, pruning: Any, memory: float, made: "Future[AlphaBeta]") -> None:
    """Make a search that is compiled."""
    try:
        with np.errstate(over="ignore"):
            search = AlphaBeta(board.game, board.evaluation, pruning=pruning, memory=memory)
            search.think(new_state(board.game), depth=1)
            search.forget()
            made.set_result(search)
    except Exception as error:
        made.set_exception(error)
