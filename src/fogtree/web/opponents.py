"""Opponents for people: easy, medium and strong, chosen by what was measured, and perfect where there is one.

`opponents.json` holds, for each game, a ladder of agents with their ratings (random play is 0) and with what each won on
average against the others; `python benchmarks/opponents.py` makes it, and each entry names its command. Where the best of a
ladder wins clearly more matches than random play, levels go by ratings; where cards decide most matches, by payoffs. Strong
is the best, and easy and medium are those nearest to a third and two thirds of the way up to it. Where nothing was found to
be stronger than random play, as in rock paper scissors, there are no such levels.
"""

import functools
import json
import pathlib
from typing import Any, NamedTuple

from ..errors import Invalid
from ..games import SIZES
from ..solvers.certified import SHIPPED, file_name, is_too_large
from .offer import AGENT_NAMES, Choice

DATA = pathlib.Path(__file__).with_name("opponents.json")
CLEAR = 1.7  # halves of its interval above random play, from which on a rating says more than payoffs do
STEPS = {"easy": 1 / 3, "medium": 2 / 3, "strong": 1.0}
PERFECT = "perfect"  # the agent that plays by certified equilibria, where the package has it
SMALL = 300_000  # information sets of games in which it plays at once


class Rung(NamedTuple):
    """An agent of a ladder, as it was measured."""

    agent: str
    rating: int
    half: int  # half the 95 % interval
    payoff: float  # a match, against the others of the ladder
    payoff_half: float


class Level(NamedTuple):
    """An opponent that a person can choose."""

    name: str
    choice: Choice
    words: str  # how strong it was found


@functools.cache
def _measured() -> dict[str, Any]:
    return json.loads(DATA.read_text(encoding="utf-8"))


def ladder(name: str) -> list[Rung]:
    """What was measured of a game, random play first; nothing if nothing was."""
    return [Rung(*row) for row in _measured().get(name, {"rated": []})["rated"]]


def command(name: str) -> str:
    """The command that measures a game's ladder."""
    return _measured()[name]["command"]


def levels(name: str, game: Any) -> list[Level]:
    """The opponents that are offered in a game."""
    rungs, found = ladder(name), list[Level]()
    by_rating = any(rung.rating > CLEAR * rung.half for rung in rungs)
    height = [float(rung.rating) if by_rating else rung.payoff for rung in rungs]
    best = max(range(len(rungs)), key=lambda n: height[n], default=0)
    if by_rating or (
        rungs and height[best] - height[0] > rungs[best].payoff_half
    ):  # else nothing is known to be stronger
        room = list(range(len(rungs)))
        for level, share in reversed(STEPS.items()):  # each is weaker than the one before
            goal = height[0] + share * (height[best] - height[0])
            if room:
                at = min(room, key=lambda n: abs(height[n] - goal))
                found.insert(0, Level(level, chosen(rungs[at].agent), words(rungs[at], by_rating)))
                room = [n for n in room if height[n] < height[at]]
    if PERFECT in AGENT_NAMES and _fits(name, game):
        limits = "; known for the rules as they stand, and for few others" if getattr(game, "_fields", ()) else ""
        found.append(Level(PERFECT, Choice(PERFECT), f"it cannot be beaten in the long run{limits}"))
    return found


def words(rung: Rung, by_rating: bool) -> str:
    if by_rating:
        return f"rated {rung.rating:+,} ± {rung.half} points, random play 0"
    return f"wins {rung.payoff:+.2f} ± {rung.payoff_half:.2f} a match against the others"


def chosen(text: str) -> Choice:
    """The text of an agent as a choice of the page."""
    name, _, parameters = text.partition(":")
    return Choice(name, parameters)


def _fits(name: str, game: Any) -> bool:
    """Whether there is perfect play, as far as can be told at once."""
    if not game.shape().zero_sum or game.shape().players != 2:
        return False
    return is_boxed(name) or 0 < (SIZES.get(name, (None,))[0] or 0) <= SMALL


def require_perfect(text: str, game: Any) -> None:
    """Refuse a game whose perfect play is surely not known; whoever plays it finds out about the others."""
    if not (is_boxed(text) or game.shape().open) and is_too_large(game):
        raise Invalid(f"nobody knows perfect play of {text} here: choose another opponent, or the usual rules")


def is_boxed(text: str) -> bool:
    """Whether an equilibrium of this game comes with the package."""
    return (SHIPPED / file_name(text)).exists()
