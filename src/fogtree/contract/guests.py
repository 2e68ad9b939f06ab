"""What a user can bring besides a game: bandits, policies, evaluations and judges; and how a check calls one of them.

Each is a `NamedTuple` with plain methods, as a game is. A check calls them in plain Python, in arrays of exactly the length
that compiled code will have, so that an index out of bounds shows; a watchdog ends a method that does not return.
"""

import enum
import math
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..errors import Broken
from ..game import VERBS
from ..kernels.door import complete
from .watchdog import TOO_LONG, Watchdog

REAL = (int, float, np.integer, np.floating)
CLOSE = 1e-6  # how far probabilities may sum from 1: those of single precision do


class Kind(NamedTuple):
    """What a user can bring."""

    name: str
    mark: str  # the method by which it is known
    verbs: tuple[str, ...]  # that it needs
    home: str  # the module that describes it


GAME = Kind("game", "step", VERBS, "fogtree.game")
BANDIT = Kind("bandit", "choose", ("slots", "reward", "choose", "learn", "policy"), "fogtree.bandits")
POLICY = Kind("policy", "weigh", ("weigh",), "fogtree.policy")
EVALUATION = Kind("evaluation", "value", ("value",), "fogtree.evaluation")
JUDGE = Kind("judge", "finish", ("finish",), "fogtree.judges")
KINDS = (GAME, BANDIT, POLICY, EVALUATION, JUDGE)
OPTIONAL = {"policy": ("draw",)}  # by which a kind shows too, where its mark is missing


def kind_of(cls: Any) -> Kind | None:
    """The kind of a class, by the method that marks it, or None. Games have the first word: they may have any method."""
    if 2 * sum(callable(getattr(cls, verb, None)) for verb in VERBS) > len(VERBS):
        return GAME
    return next((kind for kind in KINDS[1:] if callable(getattr(cls, kind.mark, None))), None)


def unfinished(cls: Any) -> str:
    """What a class lacks that is of no kind, in a sentence; "" where it may be meant for a game."""
    name, games = cls.__name__, [verb for verb in VERBS if callable(getattr(cls, verb, None))]
    for kind in (BANDIT, POLICY):
        has = [verb for verb in (*kind.verbs, *OPTIONAL.get(kind.name, ())) if callable(getattr(cls, verb, None))]
        if len(has) > len(games):
            missing = [verb for verb in kind.verbs if verb not in has]
            return f"{name} has no method {', '.join(missing)}: {article(kind.name)} needs {', '.join(kind.verbs)}"
    if games:
        return ""
    marks = [*(f"{kind.mark} ({article(kind.name)})" for kind in KINDS), "act (an agent)"]
    return f"{name} has none of the methods by which a check knows what it is: {', '.join(marks)}"


def article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def require_kind(thing: Any, kind: Kind) -> None:
    """Raise `Broken` unless a thing is an instance of a NamedTuple with all methods of its kind, and with parameters that
    compiled code can hold."""
    what = article(kind.name)
    if not (isinstance(thing, tuple) and hasattr(thing, "_fields")):
        given = f"the class {thing.__name__}" if isinstance(thing, type) else f"a {type(thing).__name__}"
        if isinstance(thing, str):
            given = f"the text '{thing}', of which fogtree.load makes one"
        raise Broken(f"{what} is an instance of a NamedTuple class, not {given}")
    missing = [verb for verb in kind.verbs if not callable(getattr(thing, verb, None))]
    if missing:
        raise Broken(f"{type(thing).__name__} has no method {', '.join(missing)}: {what} needs {', '.join(kind.verbs)}")
    for field, value in zip(thing._fields, thing, strict=True):
        if not _holdable(value):
            given = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
            name = type(thing).__name__
            raise Broken(f"{name}.{field} is {given}: compiled code takes numbers, arrays, texts, and tuples of these")


def _holdable(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufc"
    if isinstance(value, tuple):
        return all(map(_holdable, value))
    return value is None or isinstance(value, (bool, int, float, complex, str, np.generic, enum.Enum))


class Guest:
    """A thing of a user's own that is being checked."""

    def __init__(self, thing: Any, kind: Kind, dog: Watchdog):
        require_kind(thing, kind)
        self.kind, self.thing, self.dog = type(thing).__name__, complete(thing), dog
        self.own = thing
        dog.blame = self.blame

    def has(self, verb: str) -> bool:
        return hasattr(self.own, verb)

    def call(self, where: Callable[[], str], verb: str, *args: Any, of: Any = None) -> Any:
        """What a method returns; `where` says in words what it was asked about."""
        self.dog.doing = where, verb  # a new object for each call
        try:
            return getattr(self.thing if of is None else of, verb)(*args)
        except (Exception, SystemExit) as error:
            self.broken(where, verb, f"raised {type(error).__name__}: {error}{place(error)}", error)

    def whole(self, where: Callable[[], str], verb: str, value: Any) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            self.broken(where, verb, f"must return a whole number, not {value!r}")
        return int(value)

    def finite(self, where: Callable[[], str], verb: str, value: Any) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, REAL) or not math.isfinite(value):
            self.broken(where, verb, f"must return a finite number, not {value!r}")
        return float(value)

    def shares(self, where: Callable[[], str], verb: str, odds: np.ndarray) -> None:
        """Probabilities: numbers of 0 or more that sum to 1."""
        self.weights(where, verb, odds)
        if abs(odds.sum() - 1) > CLOSE:
            self.broken(
                where, verb, f"must write probabilities that sum to 1, not {_few(odds)}, which sum to {odds.sum():g}"
            )

    def weights(self, where: Callable[[], str], verb: str, odds: np.ndarray) -> None:
        if not np.isfinite(odds).all():
            self.broken(where, verb, f"must write finite numbers, not {_few(odds)}")
        if (odds < 0).any():
            self.broken(where, verb, f"must write no negative numbers, but has written {_few(odds)}")

    def broken(self, where: Callable[[], str], verb: str, rule: str, cause: BaseException | None = None) -> NoReturn:
        raise Broken(f"{self.kind}.{verb} {rule} ({where()})") from cause

    def blame(self, doing: tuple[Callable[[], str], str]) -> None:
        """The method that the watchdog has ended."""
        told = f"has not returned after {TOO_LONG:g} s of computing: it seems to hold a loop without an end"
        self.broken(*doing, told)


def _few(odds: np.ndarray) -> str:
    numbers = [float(f"{odd:.6g}") for odd in odds[:8]]
    return f"{numbers}" if len(odds) <= len(numbers) else f"{numbers} and {len(odds) - len(numbers)} more"


def place(error: BaseException) -> str:
    """The file and line of the user's own code where an error was raised."""
    last, at = None, error.__traceback__
    while at:
        if not at.tb_frame.f_globals.get("__name__", "").startswith("fogtree.contract"):
            last = at
        at = at.tb_next
    return f" in line {last.tb_lineno} of {last.tb_frame.f_code.co_filename}" if last else ""
