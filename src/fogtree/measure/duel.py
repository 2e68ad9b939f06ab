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

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..judges import Room, Unheard
from ..kernels.engines import chosen, on
from ..kernels.lanes import CPU
from ..policy import as_policy
from ..search.playout import LONG, ROWS, Tally, new_own
from ..solvers.forms.expected import visit_ends
from ..strategy import strategy_of
from ..text.naming import as_game
from ..walk.slices import Budget, Progress, Watcher, in_slices, telling, whole
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
    device: str = CPU  # what computed it

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
    device: str = CPU  # what computed it


class Own(NamedTuple):
    """The scratch of a lane."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    random: np.ndarray  # [4] the dice of the policies
    deal: np.ndarray  # [2, 4] those of chance in both games of a pair
    source: np.ndarray  # [4] from which these are drawn anew for each pair


class Games(NamedTuple):
    """Work: a lane plays `each` games from the start, and writes the sums of how they end."""

    game: Any
    first: Any
    second: Any
    seed: np.ndarray  # [4]
    each: int  # games of a lane
    games: int  # in all: the last lane may play fewer
    moves: int  # what shape() says: the most in one game, and the range of payoffs
    low: float
    high: float
    total: np.ndarray  # [ROWS, WORDS] by lane, round and round
    trouble: np.ndarray  # [ROWS]

    def writes(self):
        return ("total", "trouble")

    def lane(self, number, own):
        game, row = self.game, number % self.trouble.shape[0]
        room = Room(own.choice, own.odds, Unheard(), self.moves, self.low, self.high)
        dice.of_lane(self.seed, number, own.random)
        self.trouble[row] = 0
        self.total[row] = 0.0
        for _ in range(min(self.each, self.games - number * self.each)):
            game.start(own.state)
            random = own.random
            made = play_on(game, self.first, self.second, SECOND, own.state, room, random, random, Nobody(), self.moves)
            if made < 0:
                self.trouble[row] = made
                return
            count_end(game, own.state, self.total[row], 1.0)


class Pairs(NamedTuple):
    """Work: the same with pairs of games, whose chance throws the same dice."""

    game: Any
    first: Any
    second: Any
    seed: np.ndarray  # [4]
    deals: np.ndarray  # [4] the seed of chance
    each: int  # pairs of a lane
    games: int  # pairs in all
    moves: int
    low: float
    high: float
    total: np.ndarray  # [ROWS, 2]
    trouble: np.ndarray  # [ROWS]

    def writes(self):
        return ("total", "trouble")

    def lane(self, number, own):
        game, row = self.game, number % self.trouble.shape[0]
        room = Room(own.choice, own.odds, Unheard(), self.moves, self.low, self.high)
        dice.of_lane(self.seed, number, own.random)
        dice.of_lane(self.deals, number, own.source)
        self.trouble[row] = 0
        self.total[row] = 0.0
        for _ in range(min(self.each, self.games - number * self.each)):
            for word in range(4):
                own.deal[0, word] = own.deal[1, word] = dice.draw(own.source)
            got = 0.0
            for player in range(2):  # in which the first strategy sits
                game.start(own.state)
                deal, bits = own.deal[player], SECOND >> player
                made = play_on(
                    game, self.first, self.second, bits, own.state, room, deal, own.random, Nobody(), self.moves
                )
                if made < 0:
                    self.trouble[row] = made
                    return
                got += 0.5 * game.payoff(own.state, player)
            self.total[row, PAIR_SUM] += got
            self.total[row, PAIR_SQUARES] += got * got


def count_end(game, state, total, share):
    """Add the end of a game to a total, with its share of all games."""
    mine, theirs = game.payoff(state, 0), game.payoff(state, 1)
    total[WON if mine > theirs else LOST if mine < theirs else DRAWN] += share
    for player in range(2):
        payoff = mine if player == 0 else theirs
        total[SUM + player] += share * payoff
        total[SQUARES + player] += share * payoff * payoff


def duel(
    game: Any,
    first: Any,
    second: Any,
    games: int = 10_000,
    *,
    seed: int = 0,
    device: str = CPU,
    cores: int | None = 1,
    progress: Watcher | None = None,
) -> Duel:
    """Play so many games, player 0 by the first strategy or policy and player 1 by the second. They depend on the seed alone,
    not on the device ("cpu", "cuda", "auto") or on the number of cores (None for all). `progress` is called after each slice
    with the number of games."""
    game = as_game(game)
    policies = both_policies(game, first, second)
    games = whole(games, "the games of a duel", least=2)
    given = _given(game, games, LONG // game.shape().moves, WORDS)
    total, device = _played(game, Games(game, *policies, dice.seeded(seed), *given), "games", device, cores, progress)
    halves = [mean_half(total[SUM + player], total[SQUARES + player], games) for player in (0, 1)]
    return _result(games, total / games, halves)._replace(device=device)


def duplicate(
    game: Any,
    first: Any,
    second: Any,
    pairs: int = 10_000,
    *,
    seed: int = 0,
    device: str = CPU,
    cores: int | None = 1,
    progress: Watcher | None = None,
) -> Duplicate:
    """Play so many pairs of games with exchanged seats, on any device. `progress` is called after each slice with the number
    of pairs."""
    game = as_game(game)
    policies = both_policies(game, first, second)
    pairs = whole(pairs, "the pairs of a duel", least=2)
    given = _given(game, pairs, LONG // game.shape().moves // 2, 2)
    work = Pairs(game, *policies, dice.seeded(seed, 0), dice.seeded(seed, 1), *given)
    total, device = _played(game, work, "pairs", device, cores, progress)
    payoff, half = total[PAIR_SUM] / pairs, mean_half(total[PAIR_SUM], total[PAIR_SQUARES], pairs)
    return Duplicate(pairs, float(payoff), float(half), device)


def _given(game: Any, games: int, each: int, words: int) -> tuple[Any, ...]:
    """What both kinds of work are told alike: how much to play, within which limits, and where to write."""
    shape = game.shape()
    limits = max(1, each), games, shape.moves, float(shape.low), float(shape.high)
    return (*limits, np.zeros((ROWS, words)), np.zeros(ROWS, np.int64))


def _played(
    game: Any, work: Any, unit: str, device: str, cores: int | None, progress: Watcher | None
) -> tuple[np.ndarray, str]:
    """The total of all games or pairs of a work, played in slices, and the device that played them."""
    wanted = -(-work.games // work.each)  # lanes
    own = Own(*new_own(game.shape()), np.zeros((2, 4), np.uint64), np.zeros(4, np.uint64))
    lanes = on(chosen(device, wanted), work, own, cores=cores)
    tally = Tally(lanes, work.total, work.trouble, game, "a strategy")

    def some(count: int) -> int:
        rows = tally.run(count)
        return rows.stop - rows.start

    now = lambda: Progress(unit, min(tally.done * work.each, work.games), work.games)  # noqa: E731
    in_slices(some, Budget(iterations=wanted), tell=telling(progress, now), first=lanes.start, pace=lanes.pace)
    return tally.total, lanes.device


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
