"""The quick part of the contract, checked once for each thing of a user's before compiled code runs on it: a game, a bandit,
a policy, an evaluation or a judge.

A slip in a game, such as one word too few in `shape()`, shows as an error with its place in plain Python. In machine code
it can crash the process or, worse, certify a wrong result. So whoever hands a user's game to a public function or to a kernel
for the first time has it walked here, interpreted: some histories from the start and some random games, for about a fifth of
a second at most. A bandit is tried alone (`bandits.py`); a policy, an evaluation and a judge in the game that they came with
(`playing.py`). What passed is remembered by a digest of its code and its parameters, in the folder of the compiled
code, so that it costs nothing later; an edit makes it new. Fogtree's own are checked by its tests.

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
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..clock import clock
from ..entrance import PLAYER, PLAYOUT, PRIOR
from ..files import appearing
from ..kernels import cache_folder, native
from ..kernels.digest import Digest
from ..kernels.folder import CHECKED, MARK
from .bandits import try_bandit
from .guests import BANDIT, GAME, POLICY, Kind, kind_of
from .playing import try_in_states
from .walk import Walk
from .watchdog import Watchdog

UNCHECKED = "FOGTREE_UNCHECKED"
FORMAT = 5  # of this check; raise it when more is checked
HISTORIES, GAMES = 300, 20  # at most: from the start, and random games
SECONDS = 0.15  # after which no history and no game is begun, except for the first game
FIRST_SECONDS = 2.0  # after which a game is not played to its end
ROUNDS = 40  # of a bandit, for each number of actions and each range of payoffs
HELD = 256  # things that cannot be hashed, remembered by what they are

_off = contextvars.ContextVar("unchecked", default=False)
_known: set[Any] = set()  # (classes, things) that passed: a game, a bandit, or something with its game and its role
_held: dict[tuple[int, ...], Any] = {}  # ids -> the same, where a field such as an array has no hash


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """No check of what enters compiled code, in this block."""
    before = _off.set(True)
    try:
        yield
    finally:
        _off.reset(before)


def is_off() -> bool:
    """Whether nothing is checked, in this block or in this process."""
    return _off.get() or bool(os.environ.get(UNCHECKED))


def admit(thing: Any, beside: tuple = (), role: str = PLAYOUT) -> None:
    """Raise `Broken` where a user's thing breaks its contract; nothing happens if it has passed before. `beside` is what it
    came with: a policy, an evaluation and a judge are tried in the game among it, and not at all if there is none."""
    if native(type(thing)):
        for part in thing if isinstance(thing, tuple) else ():
            if isinstance(part, tuple):
                admit(part, beside, role)  # such as the game whose cards are opened
        return
    kind = kind_of(type(thing)) or (GAME if hasattr(thing, "step") and not beside else None)
    if kind is None or is_off():
        return
    if kind in (GAME, BANDIT):
        _once((thing,), lambda: _walk(thing) if kind is GAME else _try(thing))
    elif (game := _game_among(beside)) is not None:
        # a policy that is known as a prior comes again as an argument of the kernel, where nobody knows its role
        roles = (PRIOR, PLAYOUT, PLAYER) if role == PLAYOUT and kind is POLICY else (role,)
        if any(_remembers((thing, game, each)) for each in roles):
            return
        admit(game)
        _once((thing, game, role), lambda: _try_in(thing, kind, game, role))


def _once(key: tuple, check: Callable[[], Any]) -> None:
    """Check what has not passed before, here or in another process."""
    if not _remembers(key):
        mark = _mark(key)
        if not mark.exists():
            check()
            with contextlib.suppress(OSError):  # a full or read-only disk costs time later, not the result
                mark.parent.mkdir(parents=True, exist_ok=True)
                with appearing(mark):
                    pass
        _remember(key)


def _game_among(values: Any) -> Any:
    """The first game among objects and what they hold."""
    for value in values:
        if isinstance(value, tuple):
            if kind_of(type(value)) is GAME:
                return value
            if (inside := _game_among(value)) is not None:
                return inside
    return None


def _try(bandit: Any) -> None:
    with unchecked():
        try_bandit(bandit, ROUNDS, clock() + SECONDS)


def _try_in(thing: Any, kind: Kind, game: Any, role: str) -> None:
    with unchecked():
        end = clock() + SECONDS
        try_in_states(thing, kind, game, role, histories=HISTORIES, games=GAMES, end=end)


def vouch(game: Any) -> None:
    """Remember, in this process, a game that has passed a longer check."""
    if not native(type(game)):
        _remember((game,))


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


def _remembers(key: tuple) -> bool:
    try:
        return (*map(type, key), *key) in _known
    except TypeError:
        held = _held.get(tuple(map(id, key)))
        return held is not None and all(a is b for a, b in zip(held, key, strict=True))


def _remember(key: tuple) -> None:
    try:
        _known.add((*map(type, key), *key))
    except TypeError:
        if len(_held) >= HELD:
            _held.pop(next(iter(_held)))
        _held[tuple(map(id, key))] = key


def _mark(key: tuple):
    """The file whose existence says that something has passed."""
    digest = Digest()
    digest.feed((FORMAT, importlib.metadata.version("fogtree"), sys.version, np.__version__))
    for part in key:
        digest.feed(part)
    kind = re.sub(r"\W+", "-", type(key[0]).__name__)[-60:]
    return cache_folder() / CHECKED / f"{kind}-{digest.hex()}{MARK}"
