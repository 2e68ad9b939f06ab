"""Sweeps of vector CFR (`hand_sweeps.py`) by several threads: the boards that follow the first one side by side.

The first board is done down, then its boards in contiguous parts, each thread with rows of its own, then the first board up.
What a board hands to the first is put aside and added in the order of the boards, so the numbers are those of one thread, to
the last bit, however many there are.
"""

import concurrent.futures
import contextlib
import itertools
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .hand_sweeps import Kept, Rows, close_root, open_root, spread, sweep
from .public_form import PublicForm

PARTS = 4  # for each thread, so that none waits long for the last


class Branches:
    """The rows of the threads, and the parts of the boards."""

    def __init__(self, form: PublicForm, threads: int, new_rows: Callable[[], Rows], dtype: Any):
        self.form, self.threads = form, threads
        boards, betting = form.boards, form.betting
        children = np.flatnonzero(boards.stage == 1)
        number = np.full(len(boards.stage), -1)
        number[children] = np.arange(len(children))
        opens = betting.opens[betting.groups]
        widest = max(int(one.width.max()) for one in form.hold)
        self.kept = Kept(1, number, np.zeros((len(children), int(opens[2] - opens[1]), widest), dtype))
        ends = [*children.tolist(), len(boards.stage)]
        work = np.linspace(0, len(boards.stage), PARTS * threads + 1)
        cuts = sorted({int(np.searchsorted(ends, at)) for at in work[:-1]} | {len(children)})
        self.parts = [(ends[a], ends[b]) for a, b in itertools.pairwise(cuts)]
        self._free = [new_rows() for _ in range(threads)]
        self._pool = concurrent.futures.ThreadPoolExecutor(threads)
        self._first = int(betting.start[betting.groups[1]])  # rows of the first board

    def sweep(self, betting: Any, how: Any, me: int, stores: Any, hold: Any, rows: Rows) -> None:
        """A whole sweep."""
        boards = self.form.boards
        open_root(betting, boards, how, me, stores, hold, rows)
        self._each(rows, lambda own, a, b: sweep(betting, boards, how, me, stores, hold, own, a, b, self.kept))
        close_root(betting, boards, how, me, stores, hold, rows, self.kept)

    def spread(self, betting: Any, how: Any, me: int, stores: Any, hold: Any, rows: Rows) -> None:
        """The way down alone."""
        boards = self.form.boards
        spread(betting, boards, how, me, stores, hold, rows, 0, 1)
        self._each(rows, lambda own, a, b: spread(betting, boards, how, me, stores, hold, own, a, b))

    def _each(self, rows: Rows, job: Callable[[Rows, int, int], Any]) -> None:
        def part(ends: tuple[int, int]) -> None:
            own = self._free.pop()
            own.reach[: self._first] = rows.reach[: self._first]
            job(own, *ends)
            self._free.append(own)

        list(self._pool.map(part, self.parts))


@contextlib.contextmanager
def to_its_end(kept: bool = False) -> Iterator[None]:
    """Ctrl-C waits until what is inside is done: threads that were left alone would change half of what is learned. Where
    something is `kept` that would be lost with the process, whoever listened before is told at once that it was heard."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[Any] = []
    before = signal.getsignal(signal.SIGINT)

    def hear(number: int, frame: Any) -> None:
        asked.append(True)
        if kept and callable(before):
            with contextlib.suppress(KeyboardInterrupt):
                before(number, frame)

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        signal.raise_signal(signal.SIGINT)
