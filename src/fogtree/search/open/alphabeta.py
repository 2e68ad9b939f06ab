"""Alpha-beta: the minimax value of a position of an open game, and the best move (Knuth and Moore 1975).

With V(s, d) the value for the mover of position s, searched d plies deep:

    V(s, d) = payoff                               where the game is over
    V(s, d) = max over actions of +-V(s', d - 1)   else; - where the other side moves in s'
    V(s, 0) = Q(s)                                 where the depth is used up: quiescence

    Q(s) = max(evaluation(s), max over noisy actions of +-Q(s'))      the mover may stop ("stand pat")
    Q(s) = max over all actions of +-Q(s')                            where s is urgent, for then the mover may not stop

An urgent position is searched one ply deeper, unless the position before it was: so a search of depth d ends within 2d + 1
plies. Quiescence ends after `quiet` plies with the evaluation. Both are part of the definition of V, and `minimax.py`
computes it as it stands. What is done by `descent.py` only saves work:

* **Iterative deepening.** Depth 1, 2, 3, ..., so that there is always a move to play, and good moves are tried first.
* **Scouts** (Reinefeld 1989). After the first action the others are asked only whether they are better, by a window with
  nothing in it. Those that are get searched again.
* **Transpositions** (`transpositions.py`). Bounds are used where they come from a search of the same depth, or from one that
  was no deeper and met nothing but ends of the game. On the principal variation they are not used, so that it is complete.
* **Order.** First the best action of the table, then by `promise`, killers (Huberman 1968), and history (Schaeffer 1983).

An end that comes from the course of the game and not from the position (`by_course`), as a repetition, makes the values that
rest on it right on this path alone: they are not stored. The other half of this problem is left, as in all programs: a
stored value may not know that on this path a repetition has come nearer. With `memory=0` there is no table, and V is exact in
every game.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...errors import Invalid
from ...evaluation import AtEnd, as_evaluation
from ...game import NONE, OVER, identity, label, legal, sides
from ...text import markup
from ...text.naming import as_game
from ...trouble import require_fine
from ...walk.slices import Progress, Watcher, budget, next_slice, whole
from .descent import HALTED, MARKED, MOST_DEPTH, NODES, ON_EVALUATION, PHASE, READY, VALUE, new_stack, proceed
from .pruning import Sound
from .scores import DECIDED, WON, check_shape, largest, worth
from .transpositions import new_transpositions

QUIET_PLIES = 32  # of quiescence at most
MEMORY = 64 * 2**20  # bytes of the table
SLICE = 0.02  # seconds between two looks at the clock and at whoever wants to stop
FIRST_SLICE = 512  # nodes


class Found(NamedTuple):
    """What a search has found about a position."""

    action: int  # the best
    value: float  # for the mover, in the unit of payoffs
    mate: int | None  # own moves until the game is won, or below 0 until it is lost; None where nothing is decided
    line: tuple[int, ...]  # the principal variation: what both would play
    depth: int  # the last that was finished
    nodes: int
    complete: bool  # the whole game was searched, so no evaluation is in the value


class AlphaBeta:
    """Alpha-beta search of positions of an open game.

    search = AlphaBeta(Chess(), PieceSquares())
    found = search.think(state, seconds=1)
    found.action, found.value, found.mate, found.line

    `think` on the same position goes on where it stopped; `stop()`, from another thread or from `progress`, ends it at once,
    and Ctrl-C within a slice. The table outlives a search: `forget()` empties it, and a changed evaluation asks for that.
    """

    def __init__(
        self,
        game: Any,
        evaluation: Any = AtEnd(),  # noqa: B008  (a tuple cannot change)
        *,
        pruning: Any = Sound(),  # noqa: B008
        memory: float = MEMORY,
        quiet: int = QUIET_PLIES,
    ):
        game = as_game(game)
        check_shape(game, sides(game))
        self.game, self.evaluation, self.pruning = game, as_evaluation(evaluation), pruning
        self.quiet, self.shape, self.most = whole(quiet, "quiet"), game.shape(), largest(game.shape())
        self.table = new_transpositions(memory)
        self.stack = new_stack(self.shape, min(MOST_DEPTH, self.shape.moves), self.quiet)
        self.root: np.ndarray | None = None
        self.only: tuple[int, ...] = ()  # the actions of the root that are searched; none stands for all
        self.found: Found | None = None
        self.depth = 0  # of the iteration that is under way
        self.finished = False  # nothing is left to find
        self.stopped = False

    def think(
        self,
        state: np.ndarray,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        only: Sequence[int] = (),
        progress: Watcher | None = None,
    ) -> Found:
        """Search a position to a depth, for so many nodes or seconds, whichever comes first. With `only`, the best of some
        actions is found. `progress` is called after each slice with the nodes, and with what was found in its detail."""
        if depth is None and nodes is None and seconds is None:
            raise Invalid("give a depth, a number of nodes, or of seconds")
        limit = min(MOST_DEPTH, self.shape.moves) if depth is None else whole(depth, "depth", 1)
        if limit > MOST_DEPTH:
            raise Invalid(f"depth is at most {MOST_DEPTH}, not {depth}")
        spend = budget(nodes, seconds, what="nodes") if (nodes, seconds) != (None, None) else budget(seconds=np.inf)
        deeper = self.found is not None and self.found.depth > limit
        if self.root is None or deeper or self.only != tuple(only) or not np.array_equal(self.root, state):
            self._begin(state, tuple(only))
        self._run(0)  # compile before the clock starts
        self.stopped, self.stack.used[HALTED] = False, 0
        left, size, began = spend.iterations, FIRST_SLICE, clock()
        while not self._ready(limit) and not self.stopped:
            at = clock()
            if self.found is not None and (left <= 0 or at - began >= spend.seconds):
                break  # there is a move to play
            asked = int(min(size, left)) if left >= 1 else size
            made = self._run(asked)
            left -= made
            if self.stack.used[PHASE] == READY:
                self._close()
            else:
                size = next_slice(asked, (clock() - at) * 0.05 / SLICE)
            if progress:
                progress(Progress("nodes", int(self.stack.used[NODES]), None if nodes is None else nodes, self.found))
        return self._so_far()

    def _repr_html_(self) -> str:
        """What it has found, with moves by their labels."""
        rows: list[tuple[str, Any]] = []
        if self.found is not None and self.root is not None:
            found, state, names = self.found, self.root.copy(), []
            with np.errstate(over="ignore"):
                for action in found.line:
                    names.append(label(self.game, state, action))
                    self.game.step(state, action)
                best = label(self.game, self.root, found.action)
            won = "" if found.mate is None else f", {'won' if found.mate > 0 else 'lost'} in {abs(found.mate)}"
            ended = " (the whole game)" if found.complete else ""
            rows = [
                ("best move", best),
                ("value for the mover", f"{found.value:+.3f}{won}"),
                ("line", " ".join(names)),
                ("depth", f"{found.depth}{ended}"),
                ("nodes", f"{found.nodes:,}"),
            ]
        return markup.table(("alpha-beta", repr(self.evaluation)), rows, identity(self.game))

    def stop(self) -> None:
        """End `think` at once; `think` itself may be running in another thread."""
        self.stopped, self.stack.used[HALTED] = True, 1

    def forget(self) -> None:
        """Forget all positions, and the order of moves that they taught."""
        self.table.clear()
        self.stack.killer[:], self.stack.history[:] = NONE, 0
        self.root = None

    @property
    def nodes(self) -> int:
        """Positions visited since the search of this root began."""
        return int(self.stack.used[NODES])

    # --- one root ---

    def _begin(self, state: np.ndarray, only: tuple[int, ...] = ()) -> None:
        if len(np.shape(state)) != 1 or len(state) != self.shape.words:
            raise Invalid(f"a state of {type(self.game).__name__} has {self.shape.words} words")
        if self.game.player(state) == OVER:
            raise Invalid("the game is over here, so there is nothing to search")
        if only and (wrong := set(only) - set(legal(self.game, state))):
            raise Invalid(f"{min(wrong)} is not a legal action here, so it cannot be searched")
        self.root = np.array(state, np.int64)
        self.stack.set_root(self.root, sorted(set(only)))
        self.only = only
        self.table.next_search()
        self.found, self.depth, self.finished = None, 0, False
        self._deepen()

    def _deepen(self) -> None:
        """Begin the next iteration."""
        self.depth += 1
        self.stack.deepen(self.depth, self.quiet)

    def _run(self, nodes: int) -> int:
        made = proceed(self.game, self.evaluation, self.pruning, self.stack, self.table, self.most, nodes)
        require_fine(made, self.game)
        return made

    def _close(self) -> None:
        """An iteration is done: keep what it found, and begin the next unless there is nothing more to find."""
        value = float(self.stack.returned[0])
        complete = self.stack.used[MARKED] & ON_EVALUATION == 0
        self.found = self._read(value, self.depth, bool(complete))
        decided = abs(value) > DECIDED and WON - abs(value) <= self.depth
        self.finished = bool(complete or decided)
        if not self.finished and self.depth < MOST_DEPTH:
            self._deepen()

    def _read(self, value: float, depth: int, complete: bool) -> Found:
        line = tuple(self.stack.line[0, : self.stack.length[0]].tolist())
        return Found(line[0], *worth(value, self.most), line, depth, self.nodes, complete)

    def _ready(self, limit: int) -> bool:
        return self.finished or (self.found is not None and self.found.depth >= limit)

    def _so_far(self) -> Found:
        """What is known now: from the iteration under way, where it has finished its first action."""
        if self.stack.has_best():
            return self._read(float(self.stack.bound[0, VALUE]), self.depth - 1, False)
        if self.found is None:
            raise Invalid("the search was stopped before it found a move")
        return self.found._replace(nodes=self.nodes)
