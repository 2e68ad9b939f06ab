"""Whole games by one policy, counted and timed. The speed of uniform play bounds the speed of every search."""

import time
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import OVER
from ..judges import new_room, play_on
from ..kernels import kernel
from ..policy import Uniform, as_policy
from ..text.naming import as_game
from ..trouble import ENDLESS, require_fine
from ..walk.slices import Progress, Watcher, budget, in_slices

MOVES = 0  # word of `tally`


class Playouts(NamedTuple):
    """What a number of games came to."""

    games: int
    moves: int  # in all games together, chance's included
    payoff: np.ndarray  # [player] the mean
    seconds: float


@kernel
def playouts_slice(game, policy, games, state, room, total, tally, random):
    """Play games from the start. Adds the payoffs to total [player] and the moves to the tally. Returns the games played, or
    a trouble."""
    for _ in range(games):
        game.start(state)
        made = play_on(policy, game, state, room, room.moves, random)
        if made < 0:
            return made
        if game.player(state) != OVER:
            return ENDLESS
        tally[MOVES] += made
        for player in range(total.shape[0]):
            total[player] += game.payoff(state, player)
    return games


def playouts(
    game: Any,
    games: int | None = None,
    *,
    seconds: float | None = None,
    policy: Any = Uniform(),  # noqa: B008  (a tuple cannot change)
    seed: int = 0,
    progress: Watcher | None = None,
) -> Playouts:
    """Play games from the start, as many as asked for or for as long as asked for; everybody follows the policy, without one
    at random. The games played depend on the seed alone. At least one game is played where seconds are given."""
    if (games is None) == (seconds is None):
        raise Invalid("give either a number of games or a number of seconds")
    game = as_game(game)
    spend, shape, follow = budget(games, seconds, what="games"), game.shape(), as_policy(game, policy)
    random, room, tally = dice.seeded(seed), new_room(shape), np.zeros(1, np.int64)
    state, total, done = np.zeros(shape.words, np.int64), np.zeros(shape.players), 0

    def play(count: int) -> int:
        nonlocal done
        played = playouts_slice(game, follow, count, state, room, total, tally, random)
        require_fine(played, game, "the policy")
        done += played
        return played

    def tell() -> None:
        if progress:
            progress(Progress("games", done, games))

    play(0)  # compile before the clock starts
    start = time.perf_counter()
    if seconds is not None:
        play(1)
        tell()
    in_slices(play, spend, tell=tell, first=1)
    return Playouts(done, int(tally[MOVES]), total / max(done, 1), time.perf_counter() - start)
