"""How many histories a game has, estimated from a few thousand random games (Knuth 1975).

A random game that had b1, b2, ... legal actions to choose from stands for 1 + b1 + b1 b2 + ... histories, and the mean over
many games is right on average. The order of magnitude is what it is good for: to give up an enumeration soon that would
fill the memory first (`unless_huge`).
"""

import math
from typing import Any

import numpy as np

from .. import dice
from ..game import OVER
from ..kernels import kernel
from ..trouble import ENDLESS, require_fine
from .slices import Progress, Watcher

GAMES = 4_000
MANY = 10_000_000  # histories that are enumerated before anybody asks how many there are
HUGE = 1e9  # histories from which on a game is better streamed than enumerated


class Huge(Exception):
    """A game that is better streamed than enumerated."""


def unless_huge(game: Any, progress: Watcher | None, most: float = math.inf) -> Watcher:
    """The progress function of an enumeration. It raises `Huge` where the game turns out to have more than HUGE histories,
    unless it has more than `most`, so that something else is to be said of it. Small games are never asked."""
    asked = False

    def look(now: Progress) -> None:
        nonlocal asked
        if progress:
            progress(now)
        if now.done > MANY and not asked:
            asked = True
            if HUGE < estimated_histories(game) < most:
                raise Huge

    return look


def estimated_histories(game: Any, seed: int = 0) -> float:
    """About how many histories a game has. The same seed gives the same number."""
    shape = game.shape()
    state, actions = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64)
    found = _mean(game, state, actions, shape.moves, dice.seeded(seed), GAMES)
    require_fine(ENDLESS if math.isnan(found) else 0, game)
    return float(found)


@kernel
def _mean(game, state, actions, moves, random, games):
    """The mean, or no number where a game does not end in time."""
    total = 0.0
    for _ in range(games):
        game.start(state)
        weight, player, played = 1.0, game.player(state), 0
        total += 1.0
        while player != OVER:
            if played == moves:
                return np.nan
            count = game.actions(state, actions)
            weight *= count
            total += weight
            game.step(state, actions[dice.below(random, count)])
            player = game.player(state)
            played += 1
    return total / games
