"""The options of our chess engine, as UCI declares and sets them."""

from typing import NamedTuple

from ..errors import Invalid
from ..search.open.pruning import Risky, Sound

PRUNING = {"risky": Risky(), "sound": Sound()}


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
        return _one_of(self.words, text)


class Switch(NamedTuple):
    """An option that is on or off."""

    default: str = "false"

    def declared(self) -> str:
        return f"type check default {self.default}"

    def read(self, text: str) -> str:
        return _one_of(("true", "false"), text)


class Text(NamedTuple):
    """An option that is any text; the protocol writes <empty> for none."""

    default: str = ""

    def declared(self) -> str:
        return f"type string default {self.default or '<empty>'}"

    def read(self, text: str) -> str:
        return "" if text == "<empty>" else text


def _one_of(words: tuple[str, ...], text: str) -> str:
    if text.lower() not in words:
        raise Invalid(" or ".join(words))
    return text.lower()


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


def read_option(words: list[str]) -> tuple[str, int | str]:
    """The name and the value in the words after `setoption`: `name` NAME `value` VALUE. Names may have several words."""
    text = " ".join(words)
    named, _, value = f"{text.removeprefix('name ')} ".partition(" value ")
    name = {each.lower(): each for each in OPTIONS}.get(named.strip().lower())
    if name is None or words[:1] != ["name"]:
        raise Invalid(f"there is no option '{named.strip()}': valid are {', '.join(OPTIONS)}")
    try:
        return name, OPTIONS[name].read(value.strip())
    except Invalid as valid:
        raise Invalid(f"the option {name} must be {valid}, not '{value.strip()}'") from None
