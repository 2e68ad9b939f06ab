"""Whole games by one policy, counted and timed. The speed of uniform play bounds the speed of every search.

Games are played in lanes (`kernels/lanes.py`). A lane plays as many short games as make about LONG moves, so that it is worth
its start, or one long game, so that it does not keep the others waiting. A lane throws dice of its own, and sums are taken in
the order of the lanes: the same seed gives the same games and the same means on one core, on all of them and on a GPU."""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..entrance import PLAYOUT
from ..errors import Invalid
from ..game import OVER
from ..judges import Room, Unheard, play_on
from ..kernels.engines import chosen, on
from ..kernels.lanes import CPU
from ..policy import Uniform, as_policy
from ..text.naming import as_game
from ..trouble import ENDLESS, require_fine
from ..walk.slices import Progress, Watcher, budget, in_slices

LONG, SHORT = 4096, 256  # moves in a lane, about; a game that may take more than SHORT has a lane of its own
LOCAL = 1 << 16  # bytes of a state in the local memory of a GPU's thread: the states of all games fit
ROWS = 1 << 18  # lanes whose sums are held at once
ENDLESSLY = (1 << 63) - 1  # games


class Playouts(NamedTuple):
    """What a number of games came to."""

    games: int
    moves: int  # in all games together, chance's included
    payoff: np.ndarray  # [player] the mean
    seconds: float
    device: str = CPU


class Own(NamedTuple):
    """The scratch of a lane that plays games."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    random: np.ndarray  # [4]


def new_own(shape: Any) -> Own:
    return Own(
        np.zeros(shape.words, np.int64),
        np.zeros(shape.actions, np.int64),
        np.zeros(shape.actions),
        np.zeros(4, np.uint64),
    )


class Games(NamedTuple):
    """Work: a lane plays `each` games from the start, and writes the sum of the payoffs, the moves, and a trouble if there
    was one."""

    game: Any
    policy: Any
    seed: np.ndarray  # [4]
    each: int  # games of a lane
    games: int  # in all: the last lane may play fewer
    moves: int  # what shape() says: the most in one game, and the range of payoffs
    low: float
    high: float
    payoff: np.ndarray  # [ROWS, players] by lane, round and round
    made: np.ndarray  # [ROWS] moves, or a trouble

    def writes(self):
        return ("payoff", "made")

    def local(self):
        return LOCAL

    def lane(self, number, own):
        game, row = self.game, number % self.made.shape[0]
        room = Room(own.choice, own.odds, Unheard(), self.moves, self.low, self.high)
        dice.of_lane(self.seed, number, own.random)
        paid, moves = self.payoff[row], 0
        for player in range(paid.shape[0]):
            paid[player] = 0.0
        for _ in range(min(self.each, self.games - number * self.each)):
            game.start(own.state)
            made = play_on(self.policy, game, own.state, room, self.moves, own.random)
            if made >= 0 and game.player(own.state) != OVER:
                made = ENDLESS
            if made < 0:
                moves = made
                break
            moves += made
            for player in range(paid.shape[0]):
                paid[player] += game.payoff(own.state, player)
        self.made[row] = moves


class Tally:
    """What the games of lanes came to, in the order of the lanes, however they are sliced. Lane n writes row n % ROWS of
    `rows` [ROWS, words] and, where something went wrong, a number below 0 into `trouble` [ROWS]."""

    def __init__(self, lanes: Any, rows: np.ndarray, trouble: np.ndarray, game: Any, player: str):
        self.lanes, self.rows, self.trouble, self.game, self.player = lanes, rows, trouble, game, player
        self.total, self.done = np.zeros(rows.shape[1]), 0

    def run(self, count: int) -> slice:
        """Run the next lanes, at most so many, and add what they wrote; returns which rows that was."""
        count, begin = min(count, ROWS - self.done % ROWS), self.done % ROWS
        self.lanes.run(self.done, count)
        self.lanes.fetch()
        rows = slice(begin, begin + count)
        require_fine(int(min(0, self.trouble[rows].min(initial=0))), self.game, self.player)
        self.total = np.vstack((self.total, self.rows[rows])).cumsum(axis=0)[-1]  # strictly one row after the other
        self.done += count
        return rows


def new_games(game: Any, policy: Any, seed: int, games: int = ENDLESSLY, rows: int = ROWS) -> Games:
    """Games to be played, none of them yet."""
    shape = game.shape()
    each = 1 if shape.moves > SHORT else LONG // shape.moves
    limits = each, games, shape.moves, float(shape.low), float(shape.high)
    return Games(game, policy, dice.seeded(seed), *limits, np.zeros((rows, shape.players)), np.zeros(rows, np.int64))


def playouts(
    game: Any,
    games: int | None = None,
    *,
    seconds: float | None = None,
    policy: Any = Uniform(),  # noqa: B008  (a tuple cannot change)
    seed: int = 0,
    device: str = CPU,
    cores: int | None = 1,
    progress: Watcher | None = None,
) -> Playouts:
    """Play games from the start, as many as asked for or for as long as asked for; everybody follows the policy, without one
    at random. The games played depend on the seed alone, not on the device ("cpu", "cuda", "auto") or on the number of cores
    (None for all). Where seconds are given, at least one lane of games is played."""
    if (games is None) == (seconds is None):
        raise Invalid("give either a number of games or a number of seconds")
    game = as_game(game)
    spend, shape, follow = budget(games, seconds, what="games"), game.shape(), as_policy(game, policy, PLAYOUT)
    work = new_games(game, follow, seed, ENDLESSLY if games is None else int(spend.iterations))
    each, limit, made = work.each, work.games, work.made
    wanted = math.inf if games is None else -(-limit // each)  # lanes
    lanes = on(chosen(device, wanted), work, new_own(shape), cores=cores)
    tally, moves = Tally(lanes, work.payoff, made, game, "the policy"), 0

    def play(count: int) -> int:
        nonlocal moves
        rows = tally.run(count)
        moves += int(made[rows].sum())
        return rows.stop - rows.start

    def tell() -> None:
        if progress:
            progress(Progress("games", min(tally.done * each, limit), games))

    start = clock()
    if seconds is not None:
        play(1)
        tell()
    in_slices(play, spend._replace(iterations=wanted), tell=tell, first=lanes.many, least=lanes.many, pace=lanes.pace)
    played = min(tally.done * each, limit)
    return Playouts(played, moves, tally.total / max(played, 1), clock() - start, lanes.device)
