"""All matrix games of a size whose payoffs come from a short list, numbered; and which of them are the same game.

`Family(3, 3)` are the 3x3 games with payoffs -1, 0 and 1 that Briedoň 2015 (4.5) plays, all 3^9 but the three constant ones.
Two games are the same when one turns into the other by another order of rows and columns and, where the family is closed
under it, by an exchange of the players (the negative transpose). `classes()` finds them: what is measured once in each class
need not be measured in all its members.

    family = Family()
    family[17].payoffs, family.index(payoffs), len(family)          # 19,680
    load("3x3/17")                                                  # the same game by name
"""

import functools
import itertools
import json
import pathlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..text.parameters import spell
from .matrix import MatrixGame
from .random_games import load_generator

LARGEST = 2_000_000  # games in a family whose classes are asked for
SIZE = re.compile(r"(\d+)x(\d+)")


class Class(NamedTuple):
    """Games that are the same but for the names of actions and players."""

    first: int  # its member with the lowest number
    members: np.ndarray  # [games] numbers, ascending


class Family(Sequence):
    """The games of a size with payoffs from a list, constant ones left out, as a sequence."""

    def __init__(self, rows: int = 3, columns: int = 3, payoffs: tuple[float, ...] = (-1.0, 0.0, 1.0)):
        if not (1 <= rows <= 8 and 1 <= columns <= 8 and rows * columns > 1):
            raise Invalid(f"a family has 1 to 8 rows and columns and more than one cell, not {rows} x {columns}")
        if len(set(payoffs)) < max(2, len(payoffs)):
            raise Invalid(f"a family needs two payoffs or more, each once, not {payoffs}")
        self.rows, self.columns, self.payoffs = rows, columns, tuple(sorted(float(u) for u in payoffs))

    def __repr__(self) -> str:
        return f"<the {len(self):,} games of {self.rows}x{self.columns}, payoffs {', '.join(f'{u:g}' for u in self.payoffs)}>"

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def gap(self) -> int:
        """The numbers between two constant games: read in base len(payoffs), these are 000, 111, 222, ..."""
        return (len(self.payoffs) ** self.cells - 1) // (len(self.payoffs) - 1) - 1

    def __len__(self) -> int:
        return len(self.payoffs) ** self.cells - len(self.payoffs)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"game {number} of {len(self):,}")
        return MatrixGame(self.matrices(np.array([number % len(self)]))[0])

    def matrices(self, numbers: Any) -> np.ndarray:
        """The payoffs [games, rows, columns] of many games at once."""
        numbers = np.asarray(numbers, np.int64)
        code = numbers + 1 + numbers // self.gap
        return np.array(self.payoffs)[code[..., None] // self._weight % len(self.payoffs)].reshape(
            *numbers.shape, self.rows, self.columns
        )

    def index(self, payoffs: Any, *_: Any) -> int:
        """The number of a game."""
        payoffs = np.asarray(payoffs.payoffs if isinstance(payoffs, MatrixGame) else payoffs, np.float64)
        if payoffs.shape != (self.rows, self.columns) or not np.isin(payoffs, self.payoffs).all():
            raise ValueError(f"no member of {self!r}: {payoffs.tolist()}")
        code = int(np.searchsorted(self.payoffs, payoffs.ravel()) @ self._weight)
        if code % (self.gap + 1) == 0:
            raise ValueError(f"no member of {self!r}: every payoff is {payoffs[0, 0]:g}")
        return code - 1 - code // (self.gap + 1)

    def classes(self) -> list[Class]:
        """Which games are the same, by their lowest members."""
        return self._classes

    @functools.cached_property
    def _weight(self) -> np.ndarray:  # [cells] of a digit
        return len(self.payoffs) ** np.arange(self.cells - 1, -1, -1, dtype=np.int64)

    @functools.cached_property
    def _classes(self) -> list[Class]:
        if len(self) > LARGEST:
            raise Invalid(f"{len(self):,} games are too many to compare: at most {LARGEST:,}")
        code = np.arange(len(self)) + 1 + np.arange(len(self)) // self.gap
        digit = (code[:, None] // self._weight % len(self.payoffs)).reshape(-1, self.rows, self.columns)
        forms = [digit]
        top = len(self.payoffs) - 1
        if self.rows == self.columns and all(a == -b for a, b in zip(self.payoffs, self.payoffs[::-1], strict=True)):
            forms.append(top - digit.transpose(0, 2, 1))
        least = code.copy()
        for form in forms:
            for order in itertools.permutations(range(self.rows)):
                for other in itertools.permutations(range(self.columns)):
                    moved = form[:, order][:, :, other].reshape(len(self), -1)
                    np.minimum(least, moved @ self._weight, out=least)
        number = np.argsort(least, kind="stable")
        begins = np.flatnonzero(np.diff(least[number], prepend=-1))
        return [Class(int(members[0]), members) for members in np.split(number, begins[1:])]


class RandomFamily(Sequence):
    """So many games of a generator in random_games.py, from its seed on."""

    def __init__(self, generator: Any, games: int):
        self.generator, self.games = generator, games

    def __len__(self) -> int:
        return self.games

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if not 0 <= number < self.games:
            raise IndexError(f"game {number} of {self.games:,}")
        return self.generator._replace(seed=self.generator.seed + number).game()


def load_member(text: str) -> MatrixGame:
    """The game that a text like `3x3/17` names."""
    size, _, number = text.partition("/")
    family = load_family(size)
    if not number.isdecimal() or int(number) >= len(family):
        raise Invalid(f"{size} has the games 0 to {len(family) - 1}, not '{number}'")
    return family[int(number)]


def load_family(text: str, games: int = 1000) -> Sequence:
    """The family that a text names: `3x3`, all games of that size with payoffs -1, 0 and 1; `random/uniform:rows=4`, so many
    games of a generator; or a file, `games.json`, a list of payoff matrices."""
    text = text.strip()
    if size := SIZE.fullmatch(text):
        return Family(int(size[1]), int(size[2]))
    if text.startswith("random/"):
        return RandomFamily(load_generator(text.removeprefix("random/")), games)
    if text.endswith(".json"):
        try:
            found = json.loads(pathlib.Path(text).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Invalid(f"{text} cannot be read: {getattr(error, 'strerror', None) or error}") from None
        if not isinstance(found, list) or not found:
            raise Invalid(f"{text} holds no family: a family is a list of payoff matrices")
        return [MatrixGame(payoffs) for payoffs in found]
    raise Invalid(f"there is no family '{text}': valid are sizes like 3x3, random/KIND, and files that end in .json")


def member_name(family: str, number: int) -> str:
    """What `load` calls a member of the family that such a text names, where it has a name for it."""
    if family.startswith("random/"):
        generator = load_generator(family.removeprefix("random/"))
        kind = family.removeprefix("random/").partition(":")[0]
        return f"random/{kind}:{spell(generator._replace(seed=generator.seed + number))}".rstrip(":")
    return f"{family}/{number}" if SIZE.fullmatch(family) else f"{family}[{number}]"
