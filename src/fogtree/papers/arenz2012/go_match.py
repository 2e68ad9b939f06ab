"""Arenz 2012, Go: who plays whom in the parts, one game between two agents of the arena as a piece of work whose result is
stored, and matches of such games.

Agents are given by their texts, so that the store can compare them:

    rave:confidence=0,playouts=mogo,prior=none,iterations=1000      tree search: bandit, playouts, prior
    tuned:playouts=mogo,prior=[first-sight:distance=3],threads=2
    alphabeta                                                       with the game's own evaluation
    gtp:gnugo:level=10                                              GNU Go, which never resigns
    flat:playouts=mogo,iterations=1000                              flat Monte Carlo, "basic" in the paper: only here

`ms` are milliseconds of the processor's time for a move, in each thread, in place of the budget in the text. A search that
expects less than RESIGN resigns, but not in the first moves of a game.

In a match colours are exchanged from game to game, and the two games of a pair have the same seed. The points of a match have
Wilson's 95 % interval.
"""

import functools
import shutil
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...arena.agents import load_agent
from ...arena.agents.alphabeta import AlphaBetaAgent
from ...arena.agents.searching import SearchAgent
from ...arena.rating import Ratings, rate
from ...arena.referee import play
from ...arena.sight import Sight, sight
from ...bridges.program import PLACES
from ...game import new_state
from ...judges import Playout
from ...measure.intervals import wilson, wilson_half
from ...search.trees.mcts import LEAST_TRIED, MCTS
from ...search.trees.roots import EvenRoots
from ...text.naming import load
from ...text.parameters import build
from ..claims import Claim
from ..laboratory import Lab
from .timed import Timed

RESIGN = 0.04  # of a win
FIRST, SECOND = "first", "second"
FLAT = "flat"
NINE, THIRTEEN, QUICK_BOARD = "go:side=9", "go:side=13", "go:side=5,komi=0.5"
GNU_GO = "gtp:gnugo:level=10"
PLAIN = "playouts=mogo,prior=none"
KINDS = {
    "basic Monte Carlo": "flat:playouts=mogo",
    "UCB1": f"uct:{PLAIN}",
    "uniform playouts": "tuned:playouts=no-eyes,prior=none",
    "UCT": f"tuned:{PLAIN}",
    "RAVE": f"rave:confidence=0,{PLAIN}",
    "RAVE with priors": "rave:playouts=mogo,prior=first-sight",
    "careful RAVE with priors": "rave:playouts=[mogo:careful=yes],prior=first-sight",
}
SLICE = 200  # simulations between two looks at the clock, at first
RUN = "go-games"  # in the store; parts share its games


def go_game(game: str, one: str, other: str, black: str, seed: int, ms: float = 0.0) -> dict[str, Any]:
    """The first player's points of one game, 1, 1/2 or 0. `black` is `first` or `second`. A program that fails loses."""
    made = load(game)
    _prepare(game, one)
    _prepare(game, other)
    players = [_player(text, 2 * seed + at, ms) for at, text in enumerate((one, other))]
    played = play(made, players if black == FIRST else players[::-1])
    for player in players:
        player.close()
    worth = float(np.sign(played.payoffs[0 if black == FIRST else 1]))
    resigned = played.forfeit is not None and played.forfeit.resigned
    fault = "" if played.forfeit is None or resigned else played.forfeit.reason
    work = [[player.done, round(player.spent, 3), player.moves] for player in players]
    return {"points": (1 + worth) / 2, "moves": len(played.moves), "resigned": resigned, "fault": fault, "work": work}


def _player(text: str, seed: int, ms: float) -> Timed:
    """The agent of a text, timed where it is one of ours."""
    agent = _agent(text, seed)
    seconds = ms / 1000 * getattr(agent.how, "threads", 1) if hasattr(agent, "how") else 0.0
    if isinstance(agent, (SearchAgent, Flat)):
        return Timed(agent, "iterations", seconds, resign=RESIGN, expects=functools.partial(_expected, agent))
    return Timed(agent, "nodes" if isinstance(agent, AlphaBetaAgent) and ms else "", seconds)


def _agent(text: str, seed: int) -> Any:
    kind, _, given = text.partition(":")
    return Flat(build(Basic, given, FLAT), seed) if kind == FLAT else load_agent(text, seed)


@functools.lru_cache(maxsize=64)
def _prepare(game: str, text: str) -> None:
    """Compile what the clock should not count."""
    agent, made = _agent(text, 0), load(game)
    if getattr(agent, "compiles", False):
        with np.errstate(over="ignore"):  # keys wrap round
            agent.act(sight(made, new_state(made), 0))


def _expected(agent: Any, seen: Sight, action: int) -> float:
    """What a search expects of a move: 0 for a loss, 1 for a win."""
    shape, reward = seen.game.shape(), agent.bandit.reward
    worst, best = (reward(payoff, shape.low, shape.high) for payoff in (shape.low, shape.high))
    means = (agent.search and agent.search.means(seen.player, seen.view)) or {}
    return (means[action] - worst) / (best - worst) if action in means else 1.0


class Basic(NamedTuple):
    """How flat Monte Carlo plays."""

    playouts: str = "mogo"
    iterations: int = 200


class Flat:
    """All moves equally often; the best mean is played."""

    compiles = True
    bandit = LEAST_TRIED

    def __init__(self, how: Basic, seed: int):
        self.how, self.seed = how, seed
        self.search: Any = None
        self._moves = -1  # of the position that is searched

    def fresh(self) -> None:
        """A new match begins."""
        self._moves = -1

    def act(self, seen: Sight) -> int:
        state = seen.worlds(1)[0]
        if self._moves != len(seen.moves):
            self._moves, self.seed = len(seen.moves), self.seed + (1 << 32)
            judge = Playout(seen.game.playout_policy(self.how.playouts))
            self.search = MCTS(seen.game, LEAST_TRIED, self.seed, judge=judge, sets=1).search
        self.search.run(roots=EvenRoots(state[None]), iterations=self.how.iterations)
        means = self.search.means(seen.player, seen.view)
        return max(means, key=lambda action: means[action]) if means else seen.actions[0]


# --- matches ----------------------------------------------------------------------------------------------------------


class Spend(NamedTuple):
    """Of a move: simulations, or milliseconds of the processor's time."""

    simulations: int = 0
    ms: float = 0.0

    def of(self, text: str) -> str:
        """The text of an agent with this budget; where a clock decides, with the work of its first slice."""
        return f"{text},iterations={self.simulations or SLICE}"


def player(name: str, budget: Spend) -> str:
    """The text of a player by its name and a budget."""
    return budget.of(KINDS[name])


class Games(NamedTuple):
    """What came of the games of two players."""

    one: str
    other: str
    points: np.ndarray  # [games] of the first player; games with the first as black are even
    work: np.ndarray  # [games, 2, 3] simulations or nodes, seconds of the processor, moves of both players
    faults: tuple[str, ...]

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def percent(self) -> float:
        return 100 * float(self.points.mean())

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval, in percent."""
        low, high = wilson(float(self.points.mean()), self.games)
        return 100 * low, 100 * high

    @property
    def rates(self) -> tuple[float, float]:
        """Simulations or nodes in a second of the processor, of both players; 0 of a program, which is not timed."""
        total = self.work.sum(axis=0)
        first, second = (float(total[who, 0] / max(total[who, 1], 1e-9)) for who in (0, 1))
        return first, second

    def claim(self, what: str, printed: float | None = None, printed_half: float = 0.0) -> Claim:
        half, (low, high) = 100 * wilson_half(float(self.points.mean()), self.games), self.bounds
        note = f"{self.games} games, {low:.0f} to {high:.0f} %"
        return Claim(what, printed, self.percent, half, printed_half, "percent", note=note)


def match(lab: Lab, game: str, one: str, other: str, games: int, ms: float = 0.0) -> Games:
    """So many games of two players, each a piece in the store; with `ms` at equal time."""
    common = {"game": game, "one": one, "other": other, "ms": ms}
    pieces = [common | {"black": (FIRST, SECOND)[at % 2], "seed": lab.seed + at // 2} for at in range(games)]
    found = lab.map(RUN, {}, go_game, pieces)
    return Games(
        one,
        other,
        np.array([each["points"] for each in found]),
        np.array([each["work"] for each in found]),
        tuple(each["fault"] for each in found if each["fault"]),
    )


def ratings(matches: Sequence[Games], names: dict[str, str], anchor: str) -> Ratings:
    """The ratings of all players of these matches, which a chain of matches must link. `names` are by their texts."""
    texts = list(dict.fromkeys(text for each in matches for text in (each.one, each.other)))
    counts = np.zeros((len(texts), len(texts), 3))
    for each in matches:
        one, other = texts.index(each.one), texts.index(each.other)
        for at, points in enumerate(each.points.tolist()):
            black, white, worth = (one, other, points) if at % 2 == 0 else (other, one, 1 - points)
            counts[black, white, round(2 - 2 * worth)] += 1
    return rate(counts, [names[text] for text in texts], anchor=(anchor, 0.0))


def rated(found: Ratings) -> tuple[list[str], list[list[Any]]]:
    """The table of ratings, strongest first."""
    header = ["player", "rating", "95 %", "games"]
    return header, [
        [found.names[i], round(float(found.rating[i])), f"± {found.half[i]:.0f}", int(found.matches[i])]
        for i in found.order()
    ]


@functools.cache
def has_gnu_go() -> bool:
    """Whether GNU Go is on this machine."""
    return bool(shutil.which("gnugo") or shutil.which("gnugo", path=PLACES))
