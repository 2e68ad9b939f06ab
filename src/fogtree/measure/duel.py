"""Two fixed strategies against each other: how often each wins, exactly or over many games.

A match of agents (`match.py`) asks each of them for every move; here both are tables, and a million games
take a second or so.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import OVER
from ..kernels import kernel
from ..policy import moves
from ..trouble import FOREIGN
from ..walk.slices import next_slice
from ..walk.whole import walk_through

WON, DRAWN, LOST, SUM, SQUARES = 0, 1, 2, 3, 4  # by player 0; the sum of its payoffs and of their squares
NORMAL = 1.959964  # standard errors to each side of a mean that make its 95 % interval


class Duel(NamedTuple):
    """How often player 0 won, nobody won and player 1 won, and what player 0 got, with 95 % half-widths."""

    games: int  # 0: exact
    wins: tuple[float, float]  # [player] share of the games
    draws: float
    payoff: float  # of player 0
    half: float  # of the payoff

    def half_of(self, share: float) -> float:
        """The half-width of a share of the games."""
        return NORMAL * math.sqrt(share * (1 - share) / self.games) if self.games else 0.0


class Board(NamedTuple):
    """The room in which a game is played."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    total: np.ndarray  # [5] see above


@kernel
def duel_slice(game, first, second, board, games, random):
    """Play games from the start and add up how they end; returns how many were played, or FOREIGN."""
    state, choice, odds = board.state, board.choice, board.odds
    for _ in range(games):
        game.start(state)
        player = game.player(state)
        while player != OVER:
            if player == 1:
                count = moves(second, game, state, player, choice, odds)
            else:
                count = moves(first, game, state, player, choice, odds)
            if count == FOREIGN:
                return FOREIGN
            game.step(state, choice[dice.pick(random, odds, count)])
            player = game.player(state)
        count_end(board.total, game.payoff(state, 0), 1.0)
    return games


def count_end(total, payoff, share):
    total[WON if payoff > 0.0 else LOST if payoff < 0.0 else DRAWN] += share
    total[SUM] += share * payoff
    total[SQUARES] += share * payoff * payoff


def duel(game: Any, first: Any, second: Any, games: int = 10_000, *, seed: int = 0, progress=None) -> Duel:
    """Play so many games, player 0 by the first strategy and player 1 by the second. `progress(games)` looks on."""
    _check(game, first, second)
    if games < 2:
        raise Invalid(f"a duel is of 2 games or more, not {games}")
    shape = game.shape()
    board = Board(
        np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions), np.zeros(5)
    )
    random, done, size = dice.seeded(seed), 0, 64
    while done < games:
        began, asked = time.perf_counter(), min(size, games - done)
        if duel_slice(game, first.entries, second.entries, board, asked, random) == FOREIGN:
            raise Invalid("a strategy lists an action that the game does not have")
        done += asked
        size = next_slice(asked, time.perf_counter() - began)
        if progress:
            progress(done)
    won, drawn, lost, total, squares = (board.total / games).tolist()
    spread = math.sqrt(max(squares - total * total, 0.0) / (games - 1))
    return Duel(games, (won, lost), drawn, total, NORMAL * spread)


class Reached(NamedTuple):
    """A visitor of the walk: with what probability each history comes about."""

    first: Any
    second: Any
    reach: np.ndarray  # [moves + 2] of the history at each depth
    odds: np.ndarray  # [moves + 1, actions]
    total: np.ndarray  # [5]
    strange: np.ndarray  # [1] whether a strategy listed an action that the game does not have

    def room(self):
        return True

    def enter(self, game, state, player, actions, count, depth):
        if player == OVER:
            count_end(self.total, game.payoff(state, 0), self.reach[depth])
            return 0
        if self.reach[depth] == 0.0:
            return 0
        if player == 1:
            found = moves(self.second, game, state, player, actions, self.odds[depth])
        else:
            found = moves(self.first, game, state, player, actions, self.odds[depth])
        if found == FOREIGN:
            self.strange[0] = 1
            return 0
        return count

    def descend(self, depth, position):
        self.reach[depth + 1] = self.reach[depth] * self.odds[depth, position]


def exact_duel(game: Any, first: Any, second: Any, *, progress=None) -> Duel:
    """The same without chance: every history of the game, with its probability. `progress(histories)` looks on."""
    _check(game, first, second)
    shape = game.shape()
    visitor = Reached(
        first.entries,
        second.entries,
        np.ones(shape.moves + 2),
        np.zeros((shape.moves + 1, shape.actions)),
        np.zeros(5),
        np.zeros(1, np.int64),
    )
    visitor, _ = walk_through(game, visitor, lambda full: full, progress)
    if visitor.strange[0]:
        raise Invalid("a strategy lists an action that the game does not have")
    won, drawn, lost, total, _ = visitor.total.tolist()
    return Duel(0, (won, lost), drawn, total, 0.0)


def _check(game, first, second) -> None:
    if game.shape().players != 2:
        raise Invalid(f"a duel is between 2 players, not {game.shape().players}")
    for strategy in (first, second):
        strategy.belongs_to(game)
