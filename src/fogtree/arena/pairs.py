"""Pairs of matches: two agents play twice from one start, with the sides exchanged, so that the start favours neither.

played, exchanged = play_pair(game, one, other, start=Course(state))
match(game, first, second, pairs=50, depth=3)      two evaluations, by alpha-beta from random openings
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import sides
from ..learn.training import MOST_PLIES, OPENING, random_opening
from ..text.notation import Course
from ..walk.slices import Progress, Watcher, whole
from .agents import side_order
from .agents.alphabeta import AlphaBetaAgent, Looking
from .referee import Match, play

MEMORY = 2**22  # bytes of a table


class Score(NamedTuple):
    """What the first of two gets a game: 1 for a win, 1/2 for a draw."""

    mean: float
    deviation: float  # of the mean, over pairs
    games: int


def play_pair(game: Any, one: Any, other: Any, **how: Any) -> tuple[Match, Match]:
    """Two matches of agents in a game of two sides: one has the first side, then the other has. `how` goes to `play`. A match
    that is forfeited is no result: `Invalid` says why."""
    first, second = (_play(game, pair, **how) for pair in ((one, other), (other, one)))
    return first, second


def _play(game: Any, pair: tuple[Any, Any], **how: Any) -> Match:
    order = side_order(game)
    played = play(game, [pair[order.index(side)] for side in sides(game)], **how)
    if played.forfeit is not None:
        raise Invalid(f"a match was forfeited, so the pair would mean nothing: {played.forfeit.reason}")
    return played


def points(game: Any, pair: tuple[Match, Match]) -> tuple[float, float]:
    """What the first agent got in each match of a pair, where the sides' payoffs sum to 0: 1 for the highest payoff, 0 for
    the lowest, and so 1/2 for a draw."""
    low, high = game.shape().low, game.shape().high
    first, second = ((played.payoffs[0] - low) / (high - low) for played in pair)
    return first, 1 - second


def match(
    game: Any,
    first: Any,
    second: Any,
    *,
    pairs: int = 50,
    depth: int = 3,
    seed: int = 0,
    opening: int = OPENING,
    progress: Watcher | None = None,
) -> Score:
    """Two evaluations play from random openings, at equal depth. A game that is too long counts as a draw."""
    meet, found = meeting(game, first, second, depth), []
    for pair in range(whole(pairs, "pairs", 1)):
        found.append(sum(meet(random_opening(game, opening, dice.seeded(seed, pair)))) / 2)
        if progress:
            progress(Progress("pairs", pair + 1, pairs))
    spread = math.sqrt(float(np.var(found, ddof=1)) / pairs) if pairs > 1 else math.nan
    return Score(float(np.mean(found)), spread, 2 * pairs)


def meeting(game: Any, first: Any, second: Any, depth: int) -> Callable[[np.ndarray], tuple[float, float]]:
    """A function that lets two evaluations play a pair of games from a position: it returns the points of the first."""
    how = Looking(depth=whole(depth, "depth", 1), pruning="sound")
    one, other = (AlphaBetaAgent(how, evaluation=evaluation, memory=MEMORY) for evaluation in (first, second))
    return lambda start: points(game, play_pair(game, one, other, start=Course(start), longest=MOST_PLIES))
