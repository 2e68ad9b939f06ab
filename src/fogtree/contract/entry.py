"""The quick part of the contract, checked once for each game of a user's before compiled code runs on it.

A slip in a game, such as one word too few in `shape()`, shows as an error with its place in plain Python. In machine code
it can crash the process or, worse, certify a wrong result. So whoever hands a user's game to a public function or to a kernel
for the first time has it walked here, interpreted: some histories from the start and some random games, for about a fifth of
a second at most. A game that passed is remembered by a digest of its code and its parameters, in the folder of the compiled
code, so that it costs nothing later; an edit of its rules makes it new. Fogtree's own games are checked by its tests.

    FOGTREE_UNCHECKED=1            turns this off for a process
    with unchecked(): ...          turns it off for a block

What is not walked here is not seen: `fogtree check` looks at more, and compares interpreted with compiled play.
"""

import contextlib
import contextvars
import importlib.metadata
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..clock import clock
from ..files import appearing
from ..kernels import cache_folder, native
from ..kernels.digest import Digest
from ..kernels.folder import CHECKED, MARK
from .walk import Walk
from .watchdog import Watchdog

UNCHECKED = "FOGTREE_UNCHECKED"
FORMAT = 1  # of this check; raise it when more is checked
HISTORIES, GAMES = 300, 20  # at most: from the start, and random games
SECONDS = 0.15  # after which no history and no game is begun, except for the first game
FIRST_SECONDS = 2.0  # after which a game is not played to its end
HELD = 256  # games that cannot be hashed, remembered by what they are

_off = contextvars.ContextVar("unchecked", default=False)
_known: set[Any] = set()  # (class, game) that passed
_held: dict[int, Any] = {}  # id -> game that passed, where a field such as an array has no hash


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """No check of games that enter compiled code, in this block."""
    before = _off.set(True)
    try:
        yield
    finally:
        _off.reset(before)


def admit(game: Any) -> None:
    """Raise `Broken` where a user's game breaks the contract; nothing happens if it has passed before."""
    if native(type(game)):
        for part in game if isinstance(game, tuple) else ():
            if isinstance(part, tuple):
                admit(part)  # such as the game whose cards are opened
        return
    if not hasattr(game, "step") or _off.get() or os.environ.get(UNCHECKED):
        return
    if not _remembers(game):
        mark = _mark(game)
        if not mark.exists():
            _walk(game)
            with contextlib.suppress(OSError):  # a full or read-only disk costs time later, not the result
                mark.parent.mkdir(parents=True, exist_ok=True)
                with appearing(mark):
                    pass
        _remember(game)


def vouch(game: Any) -> None:
    """Remember, in this process, a game that has passed a longer check."""
    if not native(type(game)):
        _remember(game)


def _walk(game: Any) -> None:
    now = clock()
    end = now + SECONDS
    with np.errstate(over="ignore"), unchecked(), Watchdog() as dog:
        walk = Walk(game, dog, seed=0)
        walk.play(now + FIRST_SECONDS)
        complete = walk.explore(HISTORIES, end)
        for _ in range(0 if complete else GAMES):
            if clock() >= end:
                break
            walk.play(now + FIRST_SECONDS)


def _remembers(game: Any) -> bool:
    try:
        return (type(game), game) in _known
    except TypeError:
        return _held.get(id(game)) is game


def _remember(game: Any) -> None:
    try:
        _known.add((type(game), game))
    except TypeError:
        if len(_held) >= HELD:
            _held.pop(next(iter(_held)))
        _held[id(game)] = game


def _mark(game: Any):
    """The file whose existence says that a game has passed."""
    digest = Digest()
    digest.feed((FORMAT, importlib.metadata.version("fogtree"), sys.version, np.__version__))
    digest.feed(game)
    kind = re.sub(r"\W+", "-", type(game).__name__)[-60:]
    return cache_folder() / CHECKED / f"{kind}-{digest.hex()}{MARK}"
