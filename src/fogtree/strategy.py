"""A strategy: for each information set of each player, the probabilities of the actions.

The same kind of table holds what a search learned, what a solver proved and what was saved in a file. At sets that are not in
the table, every action is played equally often; the empty table is uniform play. A strategy that needs no table, such as a
plan of buckets, is stored and played like one if it has the members of `StoredStrategy`.

    strategy[0, view]            {action: probability}, or KeyError where the set is not in the table
    strategy.items()             ((player, view), {action: probability}) of each set; also keys(), values(), len, in
    strategy.save("x.npz")       and Strategy.load("x.npz", game), which refuses a file of another game or other rules
"""

import functools
import itertools
import os
import zipfile
import zlib
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from .errors import Invalid
from .files import appearing, refusing
from .game import NONE, identity
from .kernels import STEP, kernel
from .text import markup
from .trouble import FOREIGN
from .walk import table as tables

FORMAT = 1
SHOWN = 20  # information sets, in a notebook
SLACK = 1e-6  # how far a set's probabilities may sum from 1
ARRAYS = {"player": np.int16, "view": np.int64, "first": np.int64, "action": np.int64, "probability": np.float64}
STORED = {"player": np.int8}  # the narrower types that files may hold


class Entries(NamedTuple):
    """A strategy as a policy (`policy.py`): a table from (view, player) to a row, and the rows."""

    table: tables.Table
    first: np.ndarray  # [infosets + 1] row i is first[i] to first[i + 1] - 1
    action: np.ndarray  # [pairs] ascending in each row
    probability: np.ndarray  # [pairs]

    def find(self, view, player):
        """Where the row of an information set begins and how long it is; a length of 0 means uniform."""
        i = self.table.find(view, player)
        if i == NONE:
            return 0, 0
        return self.first[i], self.first[i + 1] - self.first[i]

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        begin, listed = self.find(game.view(state, player), player)
        k = begin
        for a in range(count):  # both are ascending
            odds[a] = 0.0 if listed else 1.0 / count
            if k < begin + listed and self.action[k] == choice[a]:
                odds[a] = self.probability[k]
                k += 1
        return count if k == begin + listed else FOREIGN


@runtime_checkable
class StoredStrategy(Protocol):
    """A strategy of one game as files hold it and agents play it. `solvers/saved.py` reads such a file."""

    game: str  # what it is a strategy of

    def __len__(self) -> int:
        """How many information sets it has."""

    def belongs_to(self, game: Any) -> None:
        """Raise `Invalid` unless this is a strategy of the game."""

    def policy_of(self, game: Any) -> Any:
        """This strategy as a policy of the game."""

    def mix(self, game: Any, player: int, view: int, world: Callable[[], np.ndarray]) -> dict[int, float]:
        """{action: probability} of a player with this view, empty where every action is as likely. `world()` is a state in
        which the player has it, for strategies that read cards off a state."""

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz. The file appears whole or not at all."""


class Strategy:
    """A table from information sets to action probabilities, for one game."""

    def __init__(self, game: Any, player, view, first, action, probability):
        self.game = game if isinstance(game, str) else identity(game)  # what it is a strategy of
        given = {"player": player, "view": view, "first": first, "action": action, "probability": probability}
        numbered = np.asarray(player)
        if numbered.size and not 0 <= numbered.min() <= numbered.max() < tables.MOST_PLAYERS:
            raise Invalid(f"a strategy's players are numbered from 0 to {tables.MOST_PLAYERS - 1}")
        for field, kind in ARRAYS.items():
            setattr(self, field, np.ascontiguousarray(given[field], kind))
        self._check()

    player: np.ndarray  # [infosets]
    view: np.ndarray  # [infosets]
    first: np.ndarray  # [infosets + 1]
    action: np.ndarray  # [pairs]
    probability: np.ndarray  # [pairs]

    @classmethod
    def uniform(cls, game: Any) -> "Strategy":
        """Every legal action equally likely, everywhere."""
        return cls(game, [], [], [0], [], [])

    @classmethod
    def joined(cls, game: Any, parts: Any) -> "Strategy":
        """A strategy of several parts. Each has the player, the view and the number of actions of its information sets, and
        then all their actions and probabilities."""
        player, view, width, action, probability = map(np.concatenate, zip(*parts, strict=True))
        return cls(game, player, view, np.append(0, np.cumsum(width)), action, probability)

    def __len__(self) -> int:
        return len(self.view)

    def __getitem__(self, key: tuple[int, int]) -> dict[int, float]:
        player, view = key
        with np.errstate(over="ignore"):
            begin, count = self.entries.find(np.int64(view), player)
        if count == 0:
            raise KeyError(key)
        row = slice(int(begin), int(begin + count))
        return dict(zip(self.entries.action[row].tolist(), self.entries.probability[row].tolist(), strict=True))

    def __contains__(self, key: object) -> bool:
        try:
            return bool(self[key])  # type: ignore[index]
        except (KeyError, TypeError, ValueError):
            return False

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.player.tolist(), self.view.tolist(), strict=True)

    def keys(self) -> KeysView:
        return KeysView(self)  # type: ignore[arg-type]

    def values(self) -> ValuesView:
        return ValuesView(self)  # type: ignore[arg-type]

    def items(self) -> ItemsView:
        return ItemsView(self)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<strategy of {self.game}: {len(self)} information sets>"

    def _repr_html_(self) -> str:
        rows = []
        for (player, view), mix in itertools.islice(self.items(), SHOWN):
            rows.append(
                (player, view, ", ".join(f"{action}: {share:.1%}" for action, share in mix.items() if share > 0))
            )
        more = f", of which {SHOWN} are shown" if len(self) > SHOWN else ""
        sets = f"{len(self):,} information sets{more}"
        title = f"A strategy of {self.game}: {sets}. ft.told(game, strategy) says it in words."
        return markup.table(("player", "view", "actions"), rows, title)

    @functools.cached_property
    def entries(self) -> Entries:
        # Sorted, so that the sets that follow one another lie side by side: the rows of millions of sets are in no cache.
        order = np.lexsort((self.view, self.player))
        width = np.diff(self.first)[order]
        first = np.concatenate([[0], np.cumsum(width)])
        pair = np.repeat(self.first[:-1][order] - first[:-1], width) + np.arange(first[-1])
        table = tables.empty(1 << max(10, (3 * len(self) // 2).bit_length()))
        _enter.briefly(10 * STEP * len(order), table, self.player[order], self.view[order])
        if table.used[0] < len(self):
            raise Invalid(f"a strategy of {self.game} lists some information set twice")
        return Entries(table, first, self.action[pair], self.probability[pair])

    def belongs_to(self, game: Any) -> None:
        """Raise `Invalid` unless this is a strategy of the game."""
        if self.game != identity(game):
            raise Invalid(f"this is a strategy of {self.game}, not of {identity(game)}")

    def policy_of(self, game: Any) -> Entries:
        """This strategy as a policy of the game; `Invalid` where it belongs to another one."""
        self.belongs_to(game)
        return self.entries

    def mix(self, game: Any, player: int, view: int, world: Callable[[], np.ndarray]) -> dict[int, float]:
        """{action: probability} of a player with this view; empty where the table does not have it."""
        try:
            return self[player, view]
        except KeyError:
            return {}

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz. The file appears whole or not at all."""
        arrays = {field: getattr(self, field) for field in ARRAYS}
        if (self.player <= np.iinfo(np.int8).max).all():
            arrays["player"] = self.player.astype(np.int8)  # as files were before there was room for more players
        write_npz(path, format=np.array(FORMAT), game=np.array(self.game), **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike, game: Any = None) -> "Strategy":
        """Read it back; with a game, refuse a file that belongs to another one or to other rules."""
        stored = read_npz(path, {"format", "game", *ARRAYS})
        if stored["format"].tolist() != FORMAT:
            raise Invalid(f"{path} is a strategy in format {stored['format']}, this is for format {FORMAT}")
        for field, kind in ARRAYS.items():
            if stored[field].dtype not in (kind, STORED.get(field, kind)):
                raise Invalid(f"{path} holds no valid strategy: its {field} is of type {stored[field].dtype}")
        try:
            strategy = cls(str(stored["game"]), *(stored[field] for field in ARRAYS))
            strategy.entries  # noqa: B018  (it finds what is listed twice)
        except Invalid as error:
            raise Invalid(f"{path} holds no valid strategy: {error}") from None
        if game is not None and strategy.game != identity(game):
            raise Invalid(f"{path} is a strategy of {strategy.game}, not of {identity(game)}")
        return strategy

    def _check(self):
        sets, pairs = len(self.view), len(self.action)
        if any(getattr(self, field).ndim != 1 for field in ARRAYS):
            raise Invalid("a strategy's arrays have one dimension")
        if len(self.player) != sets or len(self.first) != sets + 1 or len(self.probability) != pairs:
            raise Invalid("a strategy's arrays do not fit together")
        if self.first[0] != 0 or self.first[-1] != pairs or (self.first[1:] <= self.first[:-1]).any():
            raise Invalid("a strategy gives each information set one action or more, in one row after the other")
        rising = self.action[1:] > self.action[:-1]
        rising[self.first[1:-1] - 1] = True  # from the last action of a row to the first of the next
        if not rising.all():
            raise Invalid("a strategy lists the actions of an information set ascending, each once")
        if not ((self.probability >= 0) & (self.probability <= 1 + SLACK)).all():
            raise Invalid("a strategy's probabilities lie between 0 and 1")
        if sets:
            total = np.add.reduceat(self.probability, self.first[:-1])
            worst = int(np.abs(total - 1).argmax())
            if abs(total[worst] - 1) > SLACK:
                raise Invalid(
                    f"probabilities sum to 1, but not those of player {self.player[worst]} at view {self.view[worst]}: "
                    f"{total[worst]:.6g}"
                )


def strategy_of(given: Any) -> Any:
    """The strategy of a solution or of a search; whatever else plays, as it is."""
    found = getattr(given, "strategy", given)
    return found() if callable(found) else found


@kernel
def _enter(table, player, view):
    for i in range(view.shape[0]):
        table.add(view[i], player[i])


def write_npz(path: str | os.PathLike, **arrays: np.ndarray) -> None:
    """Write arrays to a file that appears whole or not at all."""
    with refusing(path), appearing(path) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


KINDS = {  # what a file is, by the first of these arrays that it has
    "share": "a plan of buckets",
    "probability": "a strategy",
    "summed0": "a checkpoint of solve",
    "weight0": "a checkpoint of solve on buckets",
    "total0": "a checkpoint of solve on hands",
    "outcome": "a table of endgames",
    "weight": "learned weights",
}


def holds(path: str | os.PathLike, field: str) -> bool:
    """Whether this is a file of arrays, and one of them has this name."""
    try:
        with zipfile.ZipFile(path) as stored:
            return f"{field}.npy" in stored.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):  # ValueError: no path can have such a name
        return False


def read_npz(path: str | os.PathLike, fields: set[str]) -> dict[str, np.ndarray]:
    """Read the named arrays of a file, and never run what it may hold."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device such as /dev/zero has no end
        raise Invalid(f"{path} cannot be read: it is no ordinary file")
    try:
        with open(path, "rb") as file, np.lib.npyio.NpzFile(file, allow_pickle=False) as stored:
            if missing := fields - set(stored.files):
                for field, kind in KINDS.items():
                    if field in stored.files and field not in fields:
                        raise Invalid(f"{path} is not what is wanted here: it is {kind}")
                raise Invalid(f"{path} is not what it should be: it lacks {', '.join(sorted(missing))}")
            arrays = {field: stored[field] for field in fields}
            if raw := [field for field, array in arrays.items() if not isinstance(array, np.ndarray)]:
                raise Invalid(f"{path} is not what it should be: its {raw[0]} is no array")
            return arrays
    except FileNotFoundError:
        raise Invalid(f"there is no file {path}") from None
    except Invalid:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise Invalid(f"{path} cannot be read: it was cut short, or Fogtree has not written it") from None
    except Exception as error:  # a broken or hostile archive provokes errors of all kinds in zipfile, zlib and NumPy
        raise Invalid(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
