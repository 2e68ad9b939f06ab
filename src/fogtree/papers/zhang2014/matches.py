"""The games behind Tables 2 to 4: two sides that search with open cards in the same worlds and with the same budget,
and differ in how they take the first decision (`contest.py`).

A pair is two games from the same deal, with the sides exchanged. Games are seeded by the pair alone, so all values of R
meet the same deals.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ...arena.agents.opening import judge_of
from ...bandits import load_bandit
from ...bandits.risk import Risk
from ...bandits.tuned import UCB1Tuned
from ...game import sides
from ...measure.intervals import mean_half, wilson_half
from ...text.naming import load
from ...text.parameters import build
from .contest import Contest, Contested
from .printed import BLOCK

RISK, CLOSED = "risk", "ismcts "
POINTS = 1 / 200  # of the range of rewards: a point of profit
BLOCKS = 8  # of BLOCK steps
PERCENT = 100.0  # profits are from -100 to 100, payoffs from -1 to 1


class Setting(NamedTuple):
    """What both sides share."""

    game: str
    worlds: int
    iterations: int  # a move, in all worlds together
    horizon: int  # moves from the tree to the evaluation


def play_pair(
    game: str, one: str, two: str, worlds: int, iterations: int, horizon: int, seed: int, pair: int
) -> list[dict[str, Any]]:
    """Two games of the same deal, as the first of the two sees them."""
    contest = _contest(game, one, two, worlds, iterations, horizon)
    side = sides(contest.game)
    found = []
    for exchanged in (False, True):
        course = contest.play(seed, pair, exchanged=exchanged)
        mine = side[0] if not exchanged else next(each for each in side if each != side[0])
        found.append(told(course, side, mine))
    return found


def told(course: Contested, side: tuple[int, ...], mine: int) -> dict[str, Any]:
    """A game as one side sees it: what is kept of it."""
    sign = 1.0 if mine == side[0] else -1.0
    payoff = course.payoffs[side.index(mine)]
    own = PERCENT * sign * course.value[[side[player] == mine for player in course.mover]]
    falls = own[:-1] - own[1:]
    return {
        "payoff": payoff,
        "profit": PERCENT * (payoff if payoff else sign * course.last),
        "drop": float(max(falls.max(initial=0.0), 0.0)),
        "variance": [
            float(own[k * BLOCK : (k + 1) * BLOCK].var()) if len(own) >= (k + 1) * BLOCK else None
            for k in range(BLOCKS)
        ],
        "decisions": len(course.value),
    }


@functools.lru_cache(maxsize=4)
def _contest(game: str, one: str, two: str, worlds: int, iterations: int, horizon: int) -> Contest:
    made = load(game)
    judge = judge_of(made, horizon)
    how: dict[str, Any] = {"worlds": worlds, "iterations": iterations, "judge": judge}
    first, second = (made.shape().moves if text.startswith(CLOSED) else 1 for text in (one, two))
    return Contest(made, bandit_of(one), bandit_of(two), inner=UCB1Tuned(width=POINTS), depths=(first, second), **how)


def bandit_of(text: str) -> Any:
    """The bandit of the first decision: `risk:r=0.4`, or any other by its name. `ismcts rm` takes all decisions."""
    head, _, parameters = text.removeprefix(CLOSED).partition(":")
    return build(Risk, parameters, RISK) if head == RISK else load_bandit(text.removeprefix(CLOSED))


class Tally(NamedTuple):
    """What many games come to."""

    games: int
    wins: int
    draws: int
    losses: int
    profit: tuple[float, float]  # the mean, and half its 95 % interval
    drop: tuple[float, float]
    variance: np.ndarray  # [BLOCKS] the mean over games that are so long
    variance_half: np.ndarray  # [BLOCKS]
    decisions: float  # in a game, on average

    @property
    def rate(self) -> float:
        """Percent won, a draw as half."""
        return 100 * (self.wins + 0.5 * self.draws) / max(self.games, 1)

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval of the rate."""
        return 100 * wilson_half(self.rate / 100, max(self.games, 1))


def tally(games: list[dict[str, Any]]) -> Tally:
    """Count these games."""
    payoff = np.array([game["payoff"] for game in games])
    variance = np.array([[math.nan if v is None else v for v in game["variance"]] for game in games], float)
    known = (~np.isnan(variance)).sum(axis=0)
    mean = np.divide(np.nansum(variance, axis=0), known, out=np.full(BLOCKS, math.nan), where=known > 0)
    halves = [_mean([v for v in variance[:, k] if not math.isnan(v)])[1] for k in range(BLOCKS)]
    return Tally(
        len(games),
        int((payoff > 0).sum()),
        int((payoff == 0).sum()),
        int((payoff < 0).sum()),
        _mean([game["profit"] for game in games]),
        _mean([game["drop"] for game in games]),
        mean,
        np.array(halves),
        float(np.mean([game["decisions"] for game in games])),
    )


def _mean(values: list[float]) -> tuple[float, float]:
    array = np.array(values, float)
    if not len(array):
        return math.nan, math.inf
    return float(array.mean()), mean_half(float(array.sum()), float((array**2).sum()), len(array))
