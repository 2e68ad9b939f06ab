"""Two fixed strategies against each other: how often each wins and what each gets.

    duel          over many games (`match.py` is the loop)
    duplicate     over pairs of games with the same chance and exchanged seats
    exact_duel    exactly, by a walk through the whole game

A player wins a game by getting more than the other, so no duel needs a zero-sum game: in the Prisoner's Dilemma both may do
badly, and nobody wins.

In the second game of a pair chance throws the same dice as in the first, one throw for each of its moves: in poker both games
have the same deal, however far each goes. The players' own dice are others. So luck with the cards falls on both, and far
fewer games tell two players apart. A pair gives one number, what the first strategy got on average over both seats, and the
interval is that of the mean over pairs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import new_state
from ..judges import new_room
from ..kernels import kernel
from ..policy import as_policy
from ..solvers.forms.expected import visit_ends
from ..strategy import strategy_of
from ..text.naming import as_game
from ..trouble import require_fine
from ..walk.slices import Progress, Watcher, budget, in_slices, telling, whole
from .intervals import mean_half, share_half
from .match import Nobody, play_on

WON, DRAWN, LOST = 0, 1, 2  # words of a total: how often player 0 got more than, as much as and less than player 1
SUM, SQUARES = 3, 5  # and, for each player, the sum of the payoffs and of their squares
WORDS = 7
PAIR_SUM, PAIR_SQUARES = 0, 1  # words of a total of pairs
SECOND = 0b10  # player 1, as a set of players; shifted by one it is player 0


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


class Duplicate(NamedTuple):
    """What the first strategy got a game, over both seats."""

    pairs: int
    payoff: float  # a game
    half: float  # half the width of the 95 % interval


@kernel
def duel_slice(game, first, second, state, room, total, games, random):
    """Play games from the start and add up how they end; returns how many were played, or a trouble."""
    for _ in range(games):
        game.start(state)
        trouble = play_on(game, first, second, SECOND, state, room, random, random, Nobody(), room.moves)
        if trouble < 0:
            return trouble
        count_end(game, state, total, 1.0)
    return games


@kernel
def duplicate_slice(game, first, second, state, room, deal, source, total, pairs, random):
    """Play pairs of games; deal [2, 4] are the dice of chance in both games, drawn anew for each pair from `source`."""
    for _ in range(pairs):
        for word in range(4):
            deal[0, word] = deal[1, word] = dice.draw(source)
        got = 0.0
        for player in range(2):  # in which the first strategy sits
            game.start(state)
            bits = SECOND >> player
            trouble = play_on(game, first, second, bits, state, room, deal[player], random, Nobody(), room.moves)
            if trouble < 0:
                return trouble
            got += 0.5 * game.payoff(state, player)
        total[PAIR_SUM] += got
        total[PAIR_SQUARES] += got * got
    return pairs


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
    state, room, total, random = new_state(game), new_room(game.shape()), np.zeros(WORDS), dice.seeded(seed)
    _play(game, lambda count: duel_slice(game, *policies, state, room, total, count, random), games, "games", progress)
    halves = [mean_half(total[SUM + player], total[SQUARES + player], games) for player in (0, 1)]
    return _result(games, total / games, halves)


def duplicate(
    game: Any, first: Any, second: Any, pairs: int = 10_000, *, seed: int = 0, progress: Watcher | None = None
) -> Duplicate:
    """Play so many pairs of games with exchanged seats. `progress` is called after each slice with the number of pairs."""
    game = as_game(game)
    policies = both_policies(game, first, second)
    pairs = whole(pairs, "the pairs of a duel", least=2)
    state, room, total, random = new_state(game), new_room(game.shape()), np.zeros(2), dice.seeded(seed, 0)
    deal, source = np.zeros((2, 4), np.uint64), dice.seeded(seed, 1)
    given = state, room, deal, source, total
    _play(game, lambda count: duplicate_slice(game, *policies, *given, count, random), pairs, "pairs", progress)
    payoff, half = total[PAIR_SUM] / pairs, mean_half(total[PAIR_SUM], total[PAIR_SQUARES], pairs)
    return Duplicate(pairs, float(payoff), float(half))


def _play(game: Any, play: Callable[[int], int], goal: int, unit: str, progress: Watcher | None) -> None:
    """Play so many games or pairs, in slices."""
    done = 0

    def work(count: int) -> int:
        nonlocal done
        played = int(play(count))
        require_fine(played, game)
        done += played
        return played

    in_slices(work, budget(goal, what=unit), tell=telling(progress, lambda: Progress(unit, done, goal)))


class ByPlayer(NamedTuple):
    """The policy of two players: player 1 plays by the second."""

    first: Any
    second: Any

    def weigh(self, game, state, player, choice, odds):
        if player == 1:
            return self.second.weigh(game, state, player, choice, odds)
        return self.first.weigh(game, state, player, choice, odds)


class Total(NamedTuple):
    """The ends of a game, as `solvers/forms/expected.py` hands them over."""

    total: np.ndarray  # [WORDS]

    def add(self, game, state, share):
        count_end(game, state, self.total, share)


def exact_duel(game: Any, first: Any, second: Any, *, progress: Watcher | None = None) -> Duel:
    """The same without sampling: every history of the game, with its probability. `progress` is called after each slice with
    the number of histories."""
    game = as_game(game)
    ends = Total(np.zeros(WORDS))
    visit_ends(game, ByPlayer(*both_policies(game, first, second)), ends, progress)
    return _result(0, ends.total, [0.0, 0.0])


def _result(games: int, share: np.ndarray, halves: list[float]) -> Duel:
    won, drawn, lost = (float(share[word]) for word in (WON, DRAWN, LOST))
    first, second = (float(share[SUM + player]) for player in (0, 1))
    return Duel(games, (won, lost), drawn, (first, second), (halves[0], halves[1]))


def both_policies(game: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Both as policies; `Invalid` where the game has not two players or a strategy belongs to another game."""
    if game.shape().players != 2:
        raise Invalid(f"a duel is between 2 players, not {game.shape().players}")
    return as_policy(game, strategy_of(first)), as_policy(game, strategy_of(second))
