"""UCI, the protocol by which chess programs talk (Universal Chess Interface, Huber and Meyer-Kahlen 2000): our side of it.

A controller writes lines, and the engine answers some of them. `go` starts a search, and its answer is one line `bestmove`,
whatever happens. The search runs in a thread of its own, so that `stop` and `isready` are answered while it goes on. Each
depth that is finished is told in a line `info`.

`Engine` knows a game by what it is handed in a `Board`: the rules, an evaluation and how moves are written. A line that makes
no sense is answered by `info string` and one sentence, and the loop goes on. After a `position` that was refused there is
nothing to search, and `go` is answered by `bestmove 0000`.

The first `isready` waits until the search is compiled, and so does a `go` that comes before it, until `stop`.
"""

import contextlib
import itertools
import math
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np

from ..errors import FogtreeError, Invalid
from ..game import OVER, legal, new_state
from ..search.open.alphabeta import AlphaBeta, Found
from ..search.open.pruning import Risky, Sound
from ..search.open.stack import MOST_DEPTH
from ..walk.slices import Progress

NO_MOVE = "0000"
HORIZON = 30  # moves for which the rest of the time must last, where the controller does not say
GAINED = 0.75  # of an increment is spent at once
MOST_SHARE, MOST_LEFT = (
    2.0,
    0.8,
)  # a move takes at most so much of its share of the time, and of all the time that is left
NO_NEW_DEPTH = 0.5  # of its share: after it no new depth is begun
LEAST = 0.01  # seconds for a move, also where none are left
LOOK = 0.01  # seconds between two looks at whether the search is compiled
PRUNING = {"risky": Risky(), "sound": Sound()}
NUMBERS = (
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
)  # that follow words of `go`
GO = (*NUMBERS, "searchmoves", "ponder", "infinite")  # all words of `go`
CLOCKS = (("wtime", "winc"), ("btime", "binc"))  # [player]


class Board(NamedTuple):
    """What the engine knows of a game."""

    game: Any
    evaluation: Any
    write: Callable[[int], str]  # an action as a move of the protocol: e2e4
    read: Callable[[np.ndarray, str], int]  # the way back; a negative number where the move is not legal
    pawn: float  # the value of a pawn, in the unit of payoffs
    learned: Callable[[str], Any] | None = None  # the evaluation by the weights in a file


class Spin(NamedTuple):
    """An option that is a whole number."""

    default: int
    low: int
    high: int

    def declared(self) -> str:
        return f"type spin default {self.default} min {self.low} max {self.high}"

    def read(self, text: str) -> int:
        if not (text.isdecimal() and text.isascii() and self.low <= int(text[:12]) <= self.high):
            raise Invalid(f"a whole number from {self.low} to {self.high}")
        return int(text)


class Choice(NamedTuple):
    """An option that is one of some words."""

    default: str
    words: tuple[str, ...]

    def declared(self) -> str:
        return f"type combo default {self.default} {' '.join(f'var {word}' for word in self.words)}"

    def read(self, text: str) -> str:
        if text.lower() not in self.words:
            raise Invalid(" or ".join(self.words))
        return text.lower()


class Switch(NamedTuple):
    """An option that is on or off."""

    default: str = "false"

    def declared(self) -> str:
        return f"type check default {self.default}"

    def read(self, text: str) -> str:
        if text.lower() not in ("true", "false"):
            raise Invalid("true or false")
        return text.lower()


class Text(NamedTuple):
    """An option that is any text; the protocol writes <empty> for none."""

    default: str = ""

    def declared(self) -> str:
        return f"type string default {self.default or '<empty>'}"

    def read(self, text: str) -> str:
        return "" if text == "<empty>" else text


HASH, OVERHEAD, THREADS, PRUNED, PONDER, LINES = "Hash", "Move Overhead", "Threads", "Pruning", "Ponder", "MultiPV"
WEIGHTS = "Weights"
OPTIONS: dict[str, Spin | Choice | Switch | Text] = {
    HASH: Spin(64, 1, 65_536),  # MB of the table
    THREADS: Spin(1, 1, 1),
    OVERHEAD: Spin(20, 0, 5_000),  # milliseconds of a move that are lost on the way
    PRUNED: Choice("risky", tuple(PRUNING)),
    LINES: Spin(1, 1, 256),  # moves whose scores and variations are told, the best first
    WEIGHTS: Text(),  # a file of learned weights to evaluate by
    PONDER: Switch(),  # changes nothing: it tells controllers that they may let us think in the time of the other
}


class Limits(NamedTuple):
    """How far a search goes."""

    depth: int | None = None
    nodes: int | None = None
    most: float = math.inf  # seconds
    enough: float = math.inf  # seconds after which no new depth is begun
    mate: int | None = None  # own moves within which a mate ends the search
    waits: bool = False  # nothing is answered before `stop` or `ponderhit`
    only: tuple[int, ...] = ()  # the actions that are searched, where not all are
    lines: int = 1  # how many moves are told of


class Thinking:
    """One `go`: what is searched, how far, and what the controller has said meanwhile."""

    def __init__(self, state: np.ndarray | None, limits: Limits):
        self.state, self.limits = state, limits
        self.began = self.clock = time.perf_counter()  # the clock starts anew when the other plays the move pondered on
        self.halted = threading.Event()  # `stop` was said
        self.free = threading.Event()  # the answer may be given
        if not limits.waits:
            self.free.set()
        self.told: Found | None = None  # the last that the controller knows
        self.thread: threading.Thread | None = None
        self.search: AlphaBeta | None = None  # that is going on

    def stop(self) -> None:
        self.halted.set()
        self.free.set()
        if self.search and self.search.found:  # there is a move to play
            self.search.stop()

    def ponderhit(self) -> None:
        self.clock = time.perf_counter()
        self.free.set()

    def is_over(self, found: Found | None, deeper: bool) -> bool:
        """Whether to search no longer, with what was found so far; `deeper` is true where a depth was just finished."""
        if self.halted.is_set():
            return True
        if found is None or not self.free.is_set():
            return False
        used, limits = time.perf_counter() - self.clock, self.limits
        is_mate = limits.mate is not None and found.mate is not None and 0 < found.mate <= limits.mate
        return used >= limits.most or (deeper and used >= limits.enough) or is_mate


class Engine:
    """Answers the lines of a controller by calling `say` with each line.

    engine = Engine(Board(...), print)
    engine.answer("go depth 5")
    engine.wait()                       until the search has ended
    """

    def __init__(self, board: Board, say: Callable[[str], Any], *, name: str = "Fogtree", author: str = "Fogtree"):
        self.board, self.name, self.author = board, name, author
        self._own = board.evaluation
        self.over = False  # whether the controller said quit
        self.debug = False
        self.option: dict[str, Any] = {each: kind.default for each, kind in OPTIONS.items()}
        self._say, self._lock = say, threading.Lock()
        self._search: Future[AlphaBeta] | None = None  # compiled, or soon
        self._thinking: Thinking | None = None
        self._start, self._moves = "startpos", list[str]()  # the position: where it began, and the moves from there
        self._state: np.ndarray | None = new_state(board.game)
        self.commands: dict[str, Callable[[list[str]], Any]] = {
            method.removeprefix("do_"): getattr(self, method)
            for method in sorted(dir(self))
            if method.startswith("do_")
        }

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
        self.say(f"id author {self.author}")
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
        text = " ".join(words)
        named, _, value = f"{text.removeprefix('name ')} ".partition(" value ")
        name = {each.lower(): each for each in OPTIONS}.get(named.strip().lower())
        if name is None or words[:1] != ["name"]:
            raise Invalid(f"there is no option '{named.strip()}': valid are {', '.join(OPTIONS)}")
        try:
            read = OPTIONS[name].read(value.strip())
        except Invalid as valid:
            raise Invalid(f"the option {name} must be {valid}, not '{value.strip()}'") from None
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
            move = moves[number].lower()
            action = self.board.read(state, move)
            if action < 0 or self.board.write(action) != move:
                raise Invalid(f"'{moves[number]}' is not a legal move after {number} half-moves")
            self.board.game.step(state, action)
        self._start, self._moves, self._state = start, moves, state

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
        """What the words after `go` mean. Words that nobody knows are skipped."""
        given: dict[str, int] = {}
        for word, value in zip(words, [*words[1:], ""], strict=True):
            if word in NUMBERS:
                try:
                    given[word] = int(value)
                except ValueError:
                    raise Invalid(f"go {word} needs a whole number, not '{value}'") from None
        depths = [given["depth"]] if "depth" in given else []
        if "mate" in given:
            depths.append(2 * given["mate"] - 1)  # half-moves until the other is mated
        most, enough = self._seconds(given)
        waits = "infinite" in words or "ponder" in words
        nothing = not depths and "nodes" not in given and most == math.inf
        return Limits(
            depth=min(max(min(depths), 1), MOST_DEPTH) if depths else None,
            nodes=max(given["nodes"], 1) if "nodes" in given else None,
            most=most,
            enough=enough,
            mate=given.get("mate"),
            waits=waits or nothing,
            only=self._searchmoves(words),
            lines=self.option[LINES],
        )

    def _searchmoves(self, words: list[str]) -> tuple[int, ...]:
        """The actions that follow the word searchmoves. Those that are not legal are left out, with a complaint."""
        if "searchmoves" not in words or self._state is None:
            return ()
        chosen: list[int] = []
        for word in itertools.takewhile(lambda word: word not in GO, words[words.index("searchmoves") + 1 :]):
            action = self.board.read(self._state, word.lower())
            if action < 0 or self.board.write(action) != word.lower():
                self._tell(f"'{word}' is not a legal move here, so it is not searched")
            elif action not in chosen:
                chosen.append(action)
        if not chosen:
            self._tell("searchmoves names no legal move, so all moves are searched")
        return tuple(chosen)

    def _seconds(self, given: dict[str, int]) -> tuple[float, float]:
        """What a move may take at most, and after what no new depth is begun."""
        most = enough = math.inf
        lost = self.option[OVERHEAD] / 1000
        if "movetime" in given:
            allowed = given["movetime"] / 1000
            most = max(allowed - lost, allowed / 2, LEAST)
        player = 0 if self._state is None else int(self.board.game.player(self._state))
        clock, gain = CLOCKS[player] if player in (0, 1) else CLOCKS[0]
        if clock in given:
            left = max(given[clock] / 1000 - lost, 0.0)
            share = left / max(given.get("movestogo", HORIZON), 1) + GAINED * max(given.get(gain, 0), 0) / 1000
            most = min(most, max(min(MOST_SHARE * share, MOST_LEFT * left), LEAST))
            enough = NO_NEW_DEPTH * share
        return most, enough

    def _think(self, task: Thinking) -> None:
        """Search, and say the best move: exactly once, whatever happens."""
        answer = NO_MOVE
        try:
            with np.errstate(over="ignore"):
                answer = self._first_move(task)
                if answer != NO_MOVE and (search := self._patiently(task)):
                    search.root = search.found = None  # begin at depth 1; the table remembers
                    task.search = search
                    found = self._found(task, search) if task.limits.lines == 1 else self._several(task, search)
                    if found:
                        answer = " ponder ".join(self.board.write(action) for action in found.line[:2])
        except Exception as error:
            self._complain(error)
        finally:
            task.search = None
            task.free.wait()
            self.say(f"bestmove {answer}")

    def _found(self, task: Thinking, search: AlphaBeta) -> Found | None:
        state = self._open(task.state)
        if state is None:
            return None

        def look(progress: Progress) -> None:
            found: Found | None = progress.detail
            deeper = found is not None and (task.told is None or found.depth > task.told.depth)
            if found and deeper:
                self._inform(task, found)
            if task.is_over(found, deeper):
                search.stop()

        limits = task.limits
        forever = math.inf if limits.depth is None and limits.nodes is None else None
        found = search.think(
            state, depth=limits.depth, nodes=limits.nodes, seconds=forever, only=limits.only, progress=look
        )
        if task.told is None or found.line != task.told.line:  # the depth under way has changed its mind
            self._inform(task, found)
        return found

    def _several(self, task: Thinking, search: AlphaBeta) -> Found | None:
        """The best moves, each found among those that are left when the better ones are taken away, depth by depth."""
        state, limits = self._open(task.state), task.limits
        if state is None:
            return None
        actions, best, nodes = limits.only or tuple(legal(self.board.game, state)), list[Found](), 0

        def look(progress: Progress) -> None:
            if task.is_over(best[0] if best else progress.detail, False):
                search.stop()

        for depth in range(1, (limits.depth or MOST_DEPTH) + 1):
            lines, left, finished = list[Found](), list(actions), True
            while left and len(lines) < limits.lines:
                spare = None if limits.nodes is None else max(limits.nodes - nodes, 1)
                found = search.think(state, depth=depth, nodes=spare, only=left, progress=look)
                nodes += search.nodes
                if task.halted.is_set() or (found.depth < depth and not search.finished):
                    break
                lines.append(found._replace(nodes=nodes, depth=depth))
                left.remove(found.action)
                finished = finished and search.finished
            whole = not left or len(lines) == limits.lines
            if whole or not best:
                best = lines or [found]
            if whole:
                for number, found in enumerate(lines, 1):
                    self._inform(task, found, f" multipv {number}")
            spent = limits.nodes is not None and nodes >= limits.nodes
            if not whole or finished or spent or task.is_over(best[0], True):
                break
        return best[0]

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

    def _open(self, state: Any) -> np.ndarray | None:
        """The position as one in which the game goes on. Controllers may play on after a position that occurred three times,
        which ends our games: then what happened before it is forgotten. Nothing, where the position itself is an end."""
        game = self.board.game
        if game.player(state) == OVER:
            fresh = new_state(game)
            game.from_notation(game.notation(state), fresh)
            return None if game.player(fresh) == OVER else fresh
        return state

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

    def _inform(self, task: Thinking, found: Found, which: str = "") -> None:
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
