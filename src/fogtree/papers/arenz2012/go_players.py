"""Arenz 2012, Go: who plays whom in the parts, and matches between them.

In a match colours are exchanged from game to game, and the two games of a pair have the same seed. The points of a match have
Wilson's 95 % interval.
"""

import functools
import shutil
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...arena.rating import Ratings, rate
from ...bridges.program import PLACES
from ...measure.intervals import wilson
from ..claims import Claim, interval
from ..laboratory import Lab
from .go_match import FIRST, SECOND, go_game

NINE, THIRTEEN, QUICK_BOARD = "go:side=9", "go:side=13", "go:side=5,komi=0.5"
GNU_GO = "gtp:gnugo:level=10"
PLAIN = "playouts=mogo,prior=none"
KINDS = {
    "basic Monte Carlo": "flat:playouts=mogo",
    "UCB1": f"uct:{PLAIN}",
    "uniform playouts": "tuned:playouts=no-eyes,prior=none",
    "UCT": f"tuned:{PLAIN}",
    "RAVE": f"rave:confidence=0,{PLAIN}",
    "RAVE with priors": "rave:playouts=mogo,prior=first-sight",
    "careful RAVE with priors": "rave:playouts=[mogo:careful=yes],prior=first-sight",
}
SLICE = 200  # simulations between two looks at the clock, at first
RUN = "go-games"  # in the store; parts share its games


class Spend(NamedTuple):
    """Of a move: simulations, or milliseconds of the processor's time."""

    simulations: int = 0
    ms: float = 0.0

    def of(self, text: str) -> str:
        """The text of an agent with this budget; where a clock decides, with the work of its first slice."""
        return f"{text},iterations={self.simulations or SLICE}"


def player(name: str, budget: Spend) -> str:
    """The text of a player by its name and a budget."""
    return budget.of(KINDS[name])


class Games(NamedTuple):
    """What came of the games of two players."""

    one: str
    other: str
    points: np.ndarray  # [games] of the first player; games with the first as black are even
    work: np.ndarray  # [games, 2, 3] simulations or nodes, seconds of the processor, moves of both players
    moves: float  # in a game, on average
    faults: tuple[str, ...]

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def percent(self) -> float:
        return 100 * float(self.points.mean())

    @property
    def half(self) -> float:
        """Half of the 95 % interval, in percent."""
        return 100 * interval(float(self.points.mean()), self.games)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval, in percent."""
        low, high = wilson(float(self.points.mean()), self.games)
        return 100 * low, 100 * high

    @property
    def ends(self) -> str:
        """The 95 % interval in words."""
        low, high = self.bounds
        return f"{low:.0f} to {high:.0f} %"

    @property
    def rates(self) -> tuple[float, float]:
        """Simulations or nodes in a second of the processor, of both players; 0 of a program, which is not timed."""
        total = self.work.sum(axis=0)
        first, second = (float(total[who, 0] / max(total[who, 1], 1e-9)) for who in (0, 1))
        return first, second

    def claim(self, what: str, printed: float | None = None, printed_half: float = 0.0, note: str = "") -> Claim:
        told = f"{self.games} games, {self.ends}"
        return Claim(
            what, printed, self.percent, self.half, printed_half, "percent", note=f"{told}; {note}" if note else told
        )


def match(lab: Lab, game: str, one: str, other: str, games: int, ms: float = 0.0) -> Games:
    """So many games of two players, each a piece in the store; with `ms` at equal time."""
    common = {"game": game, "one": one, "other": other, "ms": ms}
    pieces = [common | {"black": (FIRST, SECOND)[at % 2], "seed": lab.seed + at // 2} for at in range(games)]
    found = lab.map(RUN, {}, go_game, pieces)
    return Games(
        one,
        other,
        np.array([each["points"] for each in found]),
        np.array([each["work"] for each in found]),
        float(np.mean([each["moves"] for each in found])),
        tuple(each["fault"] for each in found if each["fault"]),
    )


def ratings(matches: Sequence[Games], names: dict[str, str], anchor: str) -> Ratings:
    """The ratings of all players of these matches, which a chain of matches must link. `names` are by their texts."""
    texts = list(dict.fromkeys(text for each in matches for text in (each.one, each.other)))
    counts = np.zeros((len(texts), len(texts), 3))
    for each in matches:
        one, other = texts.index(each.one), texts.index(each.other)
        for at, points in enumerate(each.points.tolist()):
            black, white, worth = (one, other, points) if at % 2 == 0 else (other, one, 1 - points)
            counts[black, white, round(2 - 2 * worth)] += 1
    return rate(counts, [names[text] for text in texts], anchor=(anchor, 0.0))


def rated(found: Ratings) -> tuple[list[str], list[list[Any]]]:
    """The table of ratings, strongest first."""
    header = ["player", "rating", "95 %", "games"]
    return header, [
        [found.names[i], round(float(found.rating[i])), f"± {found.half[i]:.0f}", int(found.matches[i])]
        for i in found.order()
    ]


@functools.cache
def has_gnu_go() -> bool:
    """Whether GNU Go is on this machine."""
    return bool(shutil.which("gnugo") or shutil.which("gnugo", path=PLACES))
