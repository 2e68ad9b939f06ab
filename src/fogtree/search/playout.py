"""Random games: every legal action equally likely, chance by its odds. The floor that every search stands on."""

import time
from typing import NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..walk.slices import next_slice


class Playouts(NamedTuple):
    """What a number of random games came to."""

    games: int
    moves: int  # in all games together, chance's included
    payoff: np.ndarray  # [player] the mean
    seconds: float


def play_out(game, state, action, chance, random):
    """Play a state at random to its end, in place; returns the moves made. action and chance are scratch."""
    moves = 0
    while True:
        player = game.player(state)
        if player == OVER:
            return moves
        count = game.actions(state, action)
        if player == CHANCE:
            game.odds(state, chance)
            game.step(state, action[dice.pick(random, chance, count)])
        else:
            game.step(state, action[dice.below(random, count)])
        moves += 1


@kernel
def playouts_slice(game, games, state, action, chance, total, random):
    """Play games from the start; adds the payoffs to total [player], returns the moves made."""
    moves = 0
    for _ in range(games):
        game.start(state)
        moves += play_out(game, state, action, chance, random)
        for player in range(total.shape[0]):
            total[player] += game.payoff(state, player)
    return moves


def playouts(game, games: int | None = None, *, seconds: float | None = None, seed: int = 0, progress=None) -> Playouts:
    """Play random games, as many as asked for or for as long as asked for.

    `progress(done, games)` is called after each slice. The games played depend on the seed alone.
    """
    if (games is None) == (seconds is None):
        raise Invalid("give either a number of games or a number of seconds")
    if (games or 0) < 0 or (seconds or 0) < 0:
        raise Invalid("a number of games or of seconds is 0 or more")
    shape = game.shape()
    random = dice.seeded(seed)
    state = np.zeros(shape.words, np.int64)
    action, chance = np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
    total = np.zeros(shape.players)
    done, moves, size = 0, 0, 1
    playouts_slice(game, 0, state, action, chance, total, random)  # compile before the clock starts
    start = time.perf_counter()
    while games is None or done < games:
        began = time.perf_counter()
        count = size if games is None else min(size, games - done)
        moves += playouts_slice(game, count, state, action, chance, total, random)
        done += count
        now = time.perf_counter()
        if progress:
            progress(done, games)
        if seconds is not None and now - start >= seconds:
            break
        size = next_slice(size, now - began)
    return Playouts(done, moves, total / max(done, 1), time.perf_counter() - start)
