"""How many histories a game has, estimated from a few thousand random games (Knuth 1975).

A random game that had b1, b2, ... legal actions to choose from stands for 1 + b1 + b1 b2 + ... histories, and the mean over
many games is right on average. The order of magnitude is what it is good for: to give up an enumeration soon that would
fill the memory first (`unless_huge`), or not to begin one that has no hope (`require_fewer`).
"""

import math
from typing import Any

import numpy as np

from .. import dice
from ..clock import clock
from ..errors import FogtreeError
from ..game import OVER
from ..kernels import kernel
from ..trouble import ENDLESS, require_fine
from .slices import Progress, Watcher

GAMES = 4_000
MANY = 10_000_000  # histories that are enumerated before anybody asks how many there are
HUGE = 1e9  # histories from which on a game is better streamed than enumerated

HOPELESS = 1e13  # histories: a game with more is neither enumerated nor streamed
PROBES, SURELY = 100, 100_000  # random games | how many times more histories they must stand for than there may be
FAR = 100  # times more histories than allowed, as estimated: then an enumeration is given up
TRIED = 0.5  # seconds for them


class TooLarge(FogtreeError):
    """A game whose histories are too many, or whose sequence form does not fit in the memory allowed."""


class Huge(Exception):
    """A game that is better streamed than enumerated."""


def unless_huge(game: Any, progress: Watcher | None, most: float = math.inf) -> Watcher:
    """The progress function of an enumeration. It raises `Huge` where the game turns out to have more than HUGE histories,
    unless it has more than `most`, and `TooLarge` where it has FAR times as many. Small games are never asked."""
    asked = False

    def look(now: Progress) -> None:
        nonlocal asked
        if progress:
            progress(now)
        if now.done > MANY and not asked:
            asked = True
            found = estimated_histories(game)
            if found > FAR * most:
                raise too_large(game, most)
            if HUGE < found < most:
                raise Huge

    return look


def require_fewer(game: Any, most: float = HOPELESS) -> None:
    """Raise `TooLarge` at once where a game has surely more histories."""
    if surely_more(game, most):
        raise too_large(game, most)


def too_large(game: Any, most: float) -> TooLarge:
    """The error for a game that has more histories than can be enumerated."""
    return TooLarge(
        f"{type(game).__name__} has more than {most:.0e} histories, so it cannot be enumerated: search it, as `fogtree play` "
        "does, or take a smaller game"
    )


def surely_more(game: Any, most: float, surely: float = SURELY) -> bool:
    """Whether a game has more histories, for certain. Some random games are played in plain Python, and each stands for as
    many histories as there are, on average (Knuth 1975). So a smaller game is mistaken for one with more at most once in
    `surely` times (Markov's inequality). A larger game may go unnoticed. With `surely` 1 it is a mere estimate."""
    shape, random, end = game.shape(), dice.seeded(0), clock() + TRIED
    state, actions = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64)
    total = 0
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for _ in range(PROBES):
            game.start(state)
            weight, played = 1, 0
            while played < shape.moves and game.player(state) != OVER and clock() < end:
                count = int(game.actions(state, actions))
                weight *= count
                if total + weight > PROBES * surely * most:
                    return True
                game.step(state, int(actions[dice.below(random, count)]))
                played += 1
            total += weight
    return False


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
