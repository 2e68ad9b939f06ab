"""The form of a spot: from its fields to a spot that can be solved, and a sentence beside each field that is wrong.

Nothing here grows a betting tree or a table, so a form can be looked at after every letter.
"""

import re
import shlex
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..games.holdem.cards import spelled
from ..games.spot.ranges import SUITS, held, read_board, read_cards, spelled_hand, weights
from ..games.spot.rules import SHORT
from ..games.spot.sizes import read_sizes
from ..games.spot.spelling import CLASSES, spelled_range
from .desk import Form, one
from .html import sentence

STREETS = ("flop", "turn", "river")
PLAYERS = ("oop", "ip")
KINDS = {"oop": ("bets", "raises", "donks"), "ip": ("bets", "raises")}  # a donk is a bet of who is out of position
SIZES = [f"{street}-{who}-{kind}" for street in STREETS for who in PLAYERS for kind in KINDS[who]]
NUMBERS = {  # least, most, what is valid
    "pot": (1, 10_000_000, "a whole number of chips from 1 to 10,000,000"),
    "stack": (1, 10_000_000, "a whole number of chips from 1 to 10,000,000"),
    "rake": (0, 100, "a percentage from 0 to 100"),
    "cap": (0, 1e9, "a number of chips, 0 for no cap"),
    "added": (0, 1000, "a number of pots"),
    "forced": (0, 1000, "a number of pots"),
    "merged": (0, 1000, "a number"),
    "target": (0.001, 100, "a percentage of the pot from 0.001 to 100"),
    "seconds": (1, 86_400, "a number of seconds from 1 to 86,400"),
}
WHOLE, PERCENT = ("pot", "stack"), ("rake", "target")
GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d*)?")  # thousands between commas; 0,5 would else be read as 5
LONG = 4_000  # letters of a field
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
USUAL = {
    "pot": "100",
    "stack": "400",
    "oop": OOP,
    "ip": IP,
    "rake": "0",
    "cap": "0",
    "added": "0",
    "forced": "0",
    "merged": "0",
    "target": "0.5",
    "seconds": "600",
    **{name: "none" if name.endswith("donks") else "2.5x, a" if name.endswith("raises") else "50%" for name in SIZES},
}


def _sized(bets: str, raises: str) -> dict[str, str]:
    known = {"bets": bets, "raises": raises, "donks": "none"}
    return {name: known[name.rpartition("-")[2]] for name in SIZES}


EXAMPLES = {  # of known values: docs/poker.md
    "river": ("A river", {"board": "Td9d6hQc2s", "pot": "200", "stack": "900", **_sized("50%, 100%, a", "3x")}),
    "turn": ("A turn", {"board": "Td9d6hQc", "pot": "200", "stack": "900", **_sized("60%", "2.5x")}),
    "flop": ("A flop", {"board": "Td9d6h", "pot": "60", "stack": "370", **_sized("50%", "50%")}),
}


class Wrong(Invalid):
    """A form with fields that are wrong: a sentence for each."""

    def __init__(self, fields: dict[str, str]):
        super().__init__(" ".join(fields.values()))
        self.fields = fields


class Wanted(NamedTuple):
    """What a form asks for."""

    spot: dict[str, Any]  # the arguments of `spot`
    target: float  # percent of the pot
    seconds: float

    def title(self) -> str:
        return f"{faces(self.spot['board'])}, pot {self.spot['pot']}, stack {self.spot['stack']}"

    def command(self) -> str:
        """What does the same on the command line."""
        left = {key: value for key, value in self.spot.items() if key != "board" and value not in (0, 0.0)}
        words = [f"{value:g}" if isinstance(value, float) else str(value) for value in left.values()]
        options = [part for key, word in zip(left, words, strict=True) for part in (f"--{key}", word)]
        return shlex.join(["fogtree", "spot", self.spot["board"], *options, "--target", f"{self.target:g}"])


def faces(board: str) -> str:
    letters = "".join(board.split())
    return " ".join(letters[i : i + 2] for i in range(0, len(letters), 2))


def read_form(given: Form) -> Wanted:
    """What the fields say; `Wrong` with a sentence for each that is wrong."""
    wrong: dict[str, str] = {}
    texts = {name: one(given, name, USUAL.get(name, "")) for name in ("board", *USUAL)}
    for name, text in texts.items():
        if len(text) > LONG:
            wrong[name] = f"This is too long: at most {LONG:,} letters."
    board = _board(texts["board"], wrong)
    numbers = {name: _number(name, texts[name], wrong) for name in NUMBERS}
    for who in PLAYERS:
        if who not in wrong:
            _range(who, texts[who], board, wrong)
    left = STREETS[len(board) - 3 :] if board else STREETS
    texts[f"{left[0]}-oop-donks"] = "none"  # nobody has called before: the field is hidden, whatever stands in it
    for name in SIZES:
        if name.partition("-")[0] in left and name not in wrong:
            _size(name, texts[name], wrong)
    if wrong:
        raise Wrong(wrong)
    bets = " / ".join(" | ".join(_side(street, who, texts) for who in PLAYERS) for street in left)
    spot = {
        "board": "".join(spelled(card, 13, SUITS) for card in board),
        "pot": int(numbers["pot"]),
        "stack": int(numbers["stack"]),
        "oop": texts["oop"],
        "ip": texts["ip"],
        "bets": bets,
        "rake": numbers["rake"] / 100,
        **{name: numbers[name] for name in ("cap", "added", "forced", "merged")},
    }
    return Wanted(spot, numbers["target"], numbers["seconds"])


def fields_of(spot: dict[str, Any], target: float, seconds: float) -> dict[str, str]:
    """The fields of a form that asks for this spot, made by `read_form` before."""
    found = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in spot.items()}
    found["rake"] = f"{100 * spot['rake']:g}"
    streets = found.pop("bets").split(" / ")
    for street, text in zip(STREETS[-len(streets) :], streets, strict=True):
        for who, side in zip(PLAYERS, text.split(" | "), strict=True):
            for kind, size in zip(KINDS[who], side.split("; "), strict=False):
                found[f"{street}-{who}-{kind}"] = size
    return {**found, "target": f"{target:g}", "seconds": f"{seconds:g}"}


def looked_at(given: Form) -> dict[str, Any]:
    """What is said of a form while it is filled in: sentences beside wrong fields, and the ranges as grids."""
    try:
        read_form(given)
        wrong: dict[str, str] = {}
    except Wrong as error:
        wrong = error.fields
    board = _board(one(given, "board"), {})
    return {"wrong": wrong, "ranges": {who: _painted(one(given, who), board) for who in PLAYERS}}


def _painted(text: str, board: tuple[int, ...]) -> dict[str, Any]:
    """How often each group of a range is held, how many hands that is, and the range as a short text."""
    try:
        weight = weights(text) if len(text) <= LONG else np.zeros(0)
    except Invalid:
        weight = _emptied(text)
    if not len(weight):
        return {}
    cells = {group: round(float(weight[hands].mean()), 3) for group, hands in CLASSES.items() if weight[hands].any()}
    free = ~np.isin(held(), board).any(axis=1)
    count, most = float(weight[free].sum()), int(free.sum())
    told = f"{count:g} combinations, {count / most:.1%} of all" if count else "no hands"
    return {"cells": cells, "told": told, "text": spelled_range(weight)}


def _emptied(text: str) -> np.ndarray:
    """The range of a text whose hands were all taken out, or nothing where the text is wrong."""
    try:
        return np.zeros(1326) if weights(f"{text},AA").any() else np.zeros(0)
    except Invalid:
        return np.zeros(0)


def _board(text: str, wrong: dict[str, str]) -> tuple[int, ...]:
    try:
        if not text:
            raise Invalid("choose three, four or five cards")
        if len(text) > 40:
            raise Invalid("this is no board: write three, four or five cards, as in Td9d6h")
        read_cards(text)
        return read_board(text)
    except Invalid as error:
        wrong["board"] = sentence(str(error))
        return ()


def _number(name: str, text: str, wrong: dict[str, str]) -> float:
    least, most, valid = NUMBERS[name]
    try:
        written = text.removesuffix("%") if name in PERCENT else text
        found = float(written.replace(",", "") if GROUPED.fullmatch(written) else written)
        if not least <= found <= most or (name in WHOLE and found != int(found)):
            raise ValueError
        return found
    except (ValueError, OverflowError):
        wrong[name] = f"This must be {valid}, not '{text[:20]}'."
        return least


def _range(who: str, text: str, board: tuple[int, ...], wrong: dict[str, str]) -> None:
    try:
        found = weights(text)
        found[np.isin(held(), board).any(axis=1)] = 0
        if not found.any():
            raise Invalid(f"no hand of this range of {SHORT[PLAYERS.index(who)]} is left on this board")
    except Invalid as error:
        wrong[who] = sentence(str(error))


def _size(name: str, text: str, wrong: dict[str, str]) -> None:
    try:
        for letter in ";|/":
            if letter in text:
                raise Invalid(f"there is a field for each street and player, so write sizes without '{letter}'")
        read_sizes(f"50%; {text}" if name.endswith("raises") else f"{text}; none", 1)
    except Invalid as error:
        wrong[name] = sentence(str(error))


def _side(street: str, who: str, texts: dict[str, str]) -> str:
    return "; ".join(texts[f"{street}-{who}-{kind}"] or "none" for kind in KINDS[who])


def hand_faces(hand: int) -> tuple[str, str]:
    """The two cards of a hand, the higher one first."""
    text = spelled_hand(hand)
    return text[:2], text[2:]
