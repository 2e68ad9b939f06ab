"""How much better one evaluation plays than another: games in pairs, each opening once with either colour."""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..game import OVER, sides
from ..search.open.alphabeta import AlphaBeta
from ..walk.slices import Progress, Watcher, whole
from .pupil import advance
from .training import MOST_PLIES, OPENING, random_opening

MEMORY = 2**22  # bytes of a table


class Score(NamedTuple):
    """What the first of two gets a game: 1 for a win, 1/2 for a draw."""

    mean: float
    deviation: float  # of the mean, over pairs
    games: int


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
    players = seats(game, first, second)
    found = []
    for pair in range(whole(pairs, "pairs", 1)):
        start = random_opening(game, opening, dice.seeded(seed, pair))
        with_first, with_second = play_pair(game, players, start, depth)
        found.append((with_first + 1 - with_second) / 2)
        if progress:
            progress(Progress("pairs", pair + 1, pairs))
    spread = math.sqrt(float(np.var(found, ddof=1)) / pairs) if pairs > 1 else math.nan
    return Score(float(np.mean(found)), spread, 2 * pairs)


def seats(game: Any, first: Any, second: Any) -> list[AlphaBeta]:
    """The searches of two evaluations."""
    return [AlphaBeta(game, evaluation, memory=MEMORY) for evaluation in (first, second)]


def play_pair(game: Any, players: list[AlphaBeta], start: np.ndarray, depth: int) -> tuple[float, float]:
    """Two games from a position, with sides exchanged: what the first of two gets where it has player 0's side, and what the
    second gets where it has."""
    return _play(game, players, start.copy(), depth)[0], _play(game, players[::-1], start.copy(), depth)[0]


def _play(game: Any, players: list[AlphaBeta], state: np.ndarray, depth: int) -> tuple[float, float]:
    """What both get."""
    low, high = game.shape().low, game.shape().high
    for player in players:
        player.forget()
    order, mover = {side: k for k, side in enumerate(dict.fromkeys(sides(game)))}, int(game.player(state))
    for _ in range(MOST_PLIES):
        found = players[order[sides(game)[mover]]].think(state, depth=depth)
        mover = advance(game, state, np.array([found.action]))
        if mover == OVER:
            share = (float(game.payoff(state, 0)) - low) / (high - low)
            return share, 1 - share
    return 0.5, 0.5
