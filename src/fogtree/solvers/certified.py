"""Equilibria that come with the package: each with its certificate, and the command that made it.

A file of `shipped/` holds a strategy of both players and two numbers, which best responses have proved: the value of the game
lies between `low` and `high`. They were measured on the very numbers of the file, so `exploitability` finds them again.

Sets that are not in the file: a file lists every set that the strategy's own moves can lead to, whatever mistakes the other
player makes. Elsewhere a strategy plays uniformly, and best responses know it: the certificate includes this. Only a match
that begins in the middle, after moves that the strategy would not have made, can get there.

A game that is small is solved when it is asked for, and needs no file: matrix games among them.

    certified("kuhn")           the equilibrium of a game, or None where there is none in the box and the game is not small
    shipped()                   the names of the games in the box
"""

import functools
import os
import pathlib
import re
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import identity
from ..strategy import Strategy, read_npz, write_npz
from ..text import markup
from ..text.naming import as_game, name
from ..walk.estimate import surely_more
from ..walk.slices import Progress, Watcher
from .profile import is_general

FORMAT = 1
SHIPPED = pathlib.Path(__file__).parent / "shipped"
AT_ONCE = 100_000  # histories of a game that is solved when it is asked for
SURELY = 1_000  # how many times more histories random games must stand for, where a game is not even tried
EXACTLY = 1e-6  # of the range of payoffs: what is solved then comes so near to the value
TEXTS = ("game", "name", "method", "command")
NUMBERS = ("value", "low", "high")


class Certified(NamedTuple):
    """An equilibrium up to `total`, and what proves it."""

    game: str  # its identity: class, parameters, version of the rules
    name: str  # the text that names it
    strategy: Strategy
    value: float  # of player 0 when both follow the strategy
    low: float  # the value of the game lies between low and high
    high: float
    method: str
    command: str  # that made it

    @property
    def total(self) -> float:
        """The exploitability of the strategy: the sum of both players' gains."""
        return self.high - self.low

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz in few bytes. The file appears whole or not at all."""
        texts = {field: np.array(getattr(self, field)) for field in TEXTS}
        numbers = np.array([getattr(self, field) for field in NUMBERS])
        write_npz(path, format=np.array(FORMAT), certificate=numbers, **texts, **_packed(self.strategy))

    @classmethod
    def load(cls, path: str | os.PathLike) -> "Certified":
        stored = read_npz(path, {"format", "certificate", *TEXTS, *PACKED})
        if stored["format"].tolist() != FORMAT:
            raise Invalid(f"{path} holds an equilibrium in format {stored['format']}, this is for format {FORMAT}")
        game, called, method, command = (str(stored[field]) for field in TEXTS)
        value, low, high = stored["certificate"].tolist()
        return cls(game, called, _unpacked(game, stored), value, low, high, method, command)

    def __str__(self) -> str:
        return (
            f"{self.name}: value {self.value:.6f} in [{self.low:.6f}, {self.high:.6f}], total exploitability "
            f"{self.total:.2g} by {self.method}, {len(self.strategy):,} information sets"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("value of player 0", f"{self.value:.6f}"),
            ("certified between", f"{self.low:.6f} and {self.high:.6f}"),
            ("total exploitability", f"{self.total:.2g}"),
            ("information sets", f"{len(self.strategy):,}"),
            ("made by", self.command),
        ]
        return markup.table(("equilibrium", ""), rows, self.name)


def certified(game: Any, *, progress: Watcher | None = None) -> Certified | None:
    """The equilibrium of a two-player zero-sum game: from the box, or solved at once if the game is small. None otherwise."""
    game = as_game(game)
    if is_general(game):
        return None
    return _from_box(identity(game), file_name(name(game))) or _solved(game, progress)


def shipped() -> list[str]:
    """The names of the games whose equilibria come with the package."""
    return sorted(Certified.load(path).name for path in SHIPPED.glob("*.npz"))


def file_name(text: str) -> str:
    """What the file of a game is called: letters that every system takes."""
    return f"{re.sub('[^a-z0-9]+', '-', text.lower())}.npz"


@functools.lru_cache(8)
def _from_box(wanted: str, file: str) -> Certified | None:
    path = SHIPPED / file
    found = Certified.load(path) if path.exists() else None
    return found if found is not None and found.game == wanted else None  # a user's own game may have such a name too


def is_too_large(game: Any) -> bool:
    """Whether a game is surely not solved at once; a few random games tell."""
    return surely_more(game, AT_ONCE, SURELY)


class _Large(Exception):
    """A game that is not solved at once."""


def _solved(game: Any, progress: Watcher | None) -> Certified | None:
    from .solution import solve  # not on top: what is in the box needs no solver

    def look(now: Progress) -> None:
        if progress:
            progress(now)
        if now.what == "histories" and now.done > AT_ONCE:
            raise _Large

    if is_too_large(game):
        return None
    shape = game.shape()
    try:
        found = solve(game, target=EXACTLY * (shape.high - shape.low), progress=look)
    except _Large:
        return None
    called, near = name(game), EXACTLY * (shape.high - shape.low)
    command = f"fogtree solve {called} --target {near:g}"
    return Certified(found.game, called, found.strategy, found.value, found.low, found.high, found.method, command)


# --- a strategy in few bytes: sorted, and keys by their differences, whose bytes are mostly 0 ---

PACKED = ("player", "view", "width", "action", "share")


def _packed(strategy: Strategy) -> dict[str, np.ndarray]:
    order = np.lexsort((strategy.view, strategy.player))
    width = np.diff(strategy.first)[order]
    pair = np.repeat(strategy.first[:-1][order], width) + np.concatenate([np.arange(size) for size in width])
    with np.errstate(over="ignore"):
        steps = np.diff(strategy.view[order], prepend=0)
    return {
        "player": strategy.player[order].astype(np.uint8),
        "view": _planes(steps),
        "width": _narrow(width),
        "action": _narrow(strategy.action[pair]),
        "share": _planes(strategy.probability[pair]),
    }


def _unpacked(game: str, stored: dict[str, np.ndarray]) -> Strategy:
    with np.errstate(over="ignore"):
        view = np.cumsum(_row(stored["view"], np.int64))
    first = np.append(0, np.cumsum(stored["width"], dtype=np.int64))
    return Strategy(game, stored["player"], view, first, stored["action"], _row(stored["share"], np.float64))


def _planes(row: np.ndarray) -> np.ndarray:
    """[8, numbers] the first bytes of all numbers, then the second ones, and so on: these are alike."""
    return np.ascontiguousarray(row.astype(row.dtype.newbyteorder("<")).view(np.uint8).reshape(-1, 8).T)


def _row(planes: np.ndarray, kind: Any) -> np.ndarray:
    return np.ascontiguousarray(planes.T).view(np.dtype(kind).newbyteorder("<"))[:, 0].astype(kind)


def _narrow(row: np.ndarray) -> np.ndarray:
    return row.astype(np.min_scalar_type(int(row.max(initial=0))))
