"""One `go` of our chess engine: a search that is told to stop, and tells what it finds depth by depth."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..game import OVER, legal, new_state
from ..search.open.alphabeta import AlphaBeta, Found
from ..search.open.descent import MOST_DEPTH
from ..walk.slices import Progress
from .uci_limits import Limits

Tell = Callable[["Thinking", Found, str], Any]  # what was found, and which of several lines it is: " multipv 2", or ""


class Thinking:
    """What is searched, how far, and what the controller has said meanwhile."""

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
        search = self.search  # the other thread may end it meanwhile
        if search and search.found:  # there is a move to play
            search.stop()

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

    def run(self, search: AlphaBeta, tell: Tell) -> Found | None:
        """The best move that is found within the limits; nothing where the position is an end."""
        state = _open(search.game, self.state)
        if state is None:
            return None
        search.root = search.found = None  # begin at depth 1; the table remembers
        self.search = search
        try:
            return self._best(search, state, tell) if self.limits.lines == 1 else self._several(search, state, tell)
        finally:
            self.search = None

    def _best(self, search: AlphaBeta, state: np.ndarray, tell: Tell) -> Found:
        """The best move, told of after each depth."""

        def look(progress: Progress) -> None:
            found: Found | None = progress.detail
            deeper = found is not None and (self.told is None or found.depth > self.told.depth)
            if found and deeper:
                tell(self, found, "")
            if self.is_over(found, deeper):
                search.stop()

        depth, nodes = self.limits.depth, self.limits.nodes
        forever = math.inf if depth is None and nodes is None else None
        found = search.think(state, depth=depth, nodes=nodes, seconds=forever, only=self.limits.only, progress=look)
        if self.told is None or found.line != self.told.line:  # the depth under way has changed its mind
            tell(self, found, "")
        return found

    def _several(self, search: AlphaBeta, state: np.ndarray, tell: Tell) -> Found:
        """The best moves, each found among those that are left when the better ones are taken away, depth by depth."""
        limits, best, nodes = self.limits, list[Found](), 0
        actions = limits.only or tuple(legal(search.game, state))

        def look(progress: Progress) -> None:
            if self.is_over(best[0] if best else progress.detail, False):
                search.stop()

        for depth in range(1, (limits.depth or MOST_DEPTH) + 1):
            lines, left, finished = list[Found](), list(actions), True
            while left and len(lines) < limits.lines:
                spare = None if limits.nodes is None else max(limits.nodes - nodes, 1)
                found = search.think(state, depth=depth, nodes=spare, only=left, progress=look)
                nodes += search.nodes
                if self.halted.is_set() or (found.depth < depth and not search.finished):
                    break
                lines.append(found._replace(nodes=nodes, depth=depth))
                left.remove(found.action)
                finished = finished and search.finished
            lines.sort(key=lambda line: -line.value)  # what earlier searches stored may show a later move to be better
            whole = not left or len(lines) == limits.lines
            if whole or not best:
                best = lines or [found]
            if whole:
                for number, found in enumerate(lines, 1):
                    tell(self, found, f" multipv {number}")
            spent = limits.nodes is not None and nodes >= limits.nodes
            if not whole or finished or spent or self.is_over(best[0], True):
                break
        return best[0]


def _open(game: Any, state: Any) -> np.ndarray | None:
    """The position as one in which the game goes on. Controllers may play on after a position that occurred three times, or
    after fifty moves without a capture, which end our games: then what happened before it is forgotten. Nothing, where the
    position itself is an end."""
    if game.player(state) != OVER:
        return state
    fresh = new_state(game)
    *fields, _, number = game.notation(state).split()  # the last but one is the clock of the fifty moves
    game.from_notation(" ".join([*fields, "0", number]), fresh)
    return None if game.player(fresh) == OVER else fresh
