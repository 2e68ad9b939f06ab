"""Two fixed strategies against each other: how often each wins and what each gets, exactly or over many games.

A match of agents (`arena/referee.py`) asks each of them for every move; here both are policies (`policy.py`), and a million
games take a second or so. A player wins a game by getting more than the other, so nothing here needs a zero-sum game: in the
Prisoner's Dilemma both may do badly, and nobody wins.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import OVER
from ..kernels import kernel
from ..policy import as_policy, draw_move, moves, new_room
from ..strategy import strategy_of
from ..text.naming import as_game
from ..trouble import ENDLESS, FOREIGN, require_fine
from ..walk.slices import Progress, Watcher, budget, in_slices, whole
from ..walk.whole import walk_through
from .intervals import mean_half, share_half

WON, DRAWN, LOST = 0, 1, 2  # words of a total: how often player 0 got more than, as much as and less than player 1
SUM, SQUARES = 3, 5  # and, for each player, the sum of the payoffs and of their squares
WORDS = 7


class Duel(NamedTuple):
    """How often each player won and nobody did, and what each player got."""

    games: int  # 0: exact
    wins: tuple[float, float]  # [player] share of the games in which the player got more than the other
    draws: float
    payoffs: tuple[float, float]  # [player] on average
    halves: tuple[float, float]  # [player] half the width of the payoff's 95 % interval; 0 where it is exact

    @property
    def payoff(self) -> float:
        """Of player 0; in a zero-sum game that says all."""
        return self.payoffs[0]

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval of player 0's payoff."""
        return self.halves[0]

    def half_of(self, share: float) -> float:
        """Half the width of the 95 % interval of a share of the games."""
        return share_half(share, self.games) if self.games else 0.0


@kernel
def duel_slice(game, first, second, state, room, total, games, random):
    """Play games from the start and add up how they end; returns how many were played, or a trouble."""
    for _ in range(games):
        game.start(state)
        player = game.player(state)
        for _ in range(room.moves):
            if player == OVER:
                break
            if player == 1:
                action = draw_move(second, game, state, player, room, random)
            else:
                action = draw_move(first, game, state, player, room, random)
            if action == FOREIGN:
                return FOREIGN
            game.step(state, action)
            player = game.player(state)
        if player != OVER:
            return ENDLESS
        count_end(game, state, total, 1.0)
    return games


def count_end(game, state, total, share):
    """Add the end of a game to a total, with its share of all games."""
    mine, theirs = game.payoff(state, 0), game.payoff(state, 1)
    total[WON if mine > theirs else LOST if mine < theirs else DRAWN] += share
    for player in range(2):
        payoff = mine if player == 0 else theirs
        total[SUM + player] += share * payoff
        total[SQUARES + player] += share * payoff * payoff


def duel(
    game: Any, first: Any, second: Any, games: int = 10_000, *, seed: int = 0, progress: Watcher | None = None
) -> Duel:
    """Play so many games, player 0 by the first strategy or policy and player 1 by the second. `progress` is called after
    each slice with the number of games."""
    game = as_game(game)
    policies = both_policies(game, first, second)
    games = whole(games, "the games of a duel", least=2)
    shape, random = game.shape(), dice.seeded(seed)
    state, room, total = np.zeros(shape.words, np.int64), new_room(shape), np.zeros(WORDS)

    def work(count: int) -> int:
        played = int(duel_slice(game, *policies, state, room, total, count, random))
        require_fine(played, game)
        return played

    def tell() -> None:
        if progress:
            progress(Progress("games", int(total[[WON, DRAWN, LOST]].sum()), games))

    in_slices(work, budget(games, what="games"), tell=tell)
    halves = [mean_half(total[SUM + player], total[SQUARES + player], games) for player in (0, 1)]
    return _result(games, total / games, halves)


class Reached(NamedTuple):
    """A visitor of the walk: with what probability each history comes about."""

    first: Any
    second: Any
    reach: np.ndarray  # [moves + 2] of the history at each depth
    odds: np.ndarray  # [moves + 1, actions]
    total: np.ndarray  # [WORDS]
    strange: np.ndarray  # [1] 0, or the trouble that a policy made

    def room(self):
        return True

    def enter(self, game, state, player, actions, count, depth):
        if player == OVER:
            count_end(game, state, self.total, self.reach[depth])
            return 0
        if self.reach[depth] == 0.0:
            return 0
        if player == 1:
            found = moves(self.second, game, state, player, actions, self.odds[depth])
        else:
            found = moves(self.first, game, state, player, actions, self.odds[depth])
        if found == FOREIGN:
            self.strange[0] = FOREIGN
            return 0
        return found

    def descend(self, depth, position):
        self.reach[depth + 1] = self.reach[depth] * self.odds[depth, position]


def exact_duel(game: Any, first: Any, second: Any, *, progress: Watcher | None = None) -> Duel:
    """The same without sampling: every history of the game, with its probability. `progress` is called after each slice with
    the number of histories."""
    game = as_game(game)
    policies = both_policies(game, first, second)
    shape = game.shape()
    visitor = Reached(
        *policies,
        np.ones(shape.moves + 2),
        np.zeros((shape.moves + 1, shape.actions)),
        np.zeros(WORDS),
        np.zeros(1, np.int64),
    )
    visitor, _ = walk_through(game, visitor, lambda full: full, progress)
    require_fine(int(visitor.strange[0]), game)
    return _result(0, visitor.total, [0.0, 0.0])


def _result(games: int, share: np.ndarray, halves: list[float]) -> Duel:
    won, drawn, lost = (float(share[word]) for word in (WON, DRAWN, LOST))
    first, second = (float(share[SUM + player]) for player in (0, 1))
    return Duel(games, (won, lost), drawn, (first, second), (halves[0], halves[1]))


def both_policies(game: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Both as policies; `Invalid` where the game has not two players or a strategy belongs to another game."""
    if game.shape().players != 2:
        raise Invalid(f"a duel is between 2 players, not {game.shape().players}")
    return as_policy(game, strategy_of(first)), as_policy(game, strategy_of(second))
