"""Arenz 2012, Go: one game between two agents of the arena, as a piece of work whose result is stored.

Agents are given by their texts, so that the store can compare them:

    rave:confidence=0,playouts=mogo,prior=none,iterations=1000      tree search: bandit, playouts, prior
    tuned:playouts=mogo,prior=[first-sight:distance=3],threads=2
    alphabeta                                                       with the game's own evaluation
    gtp:gnugo:level=10                                              GNU Go, which never resigns
    flat:playouts=mogo,iterations=1000                              flat Monte Carlo, "basic" in the paper: only here

`ms` are milliseconds of the processor's time for a move, in each thread, in place of the budget in the text. A search that
expects less than RESIGN resigns, but not in the first moves of a game.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ...arena.agents import load_agent
from ...arena.agents.alphabeta import AlphaBetaAgent
from ...arena.agents.searching import SearchAgent
from ...arena.referee import play
from ...arena.sight import Sight, sight
from ...game import new_state
from ...judges import Playout
from ...search.trees.mcts import LEAST_TRIED, MCTS
from ...text.naming import load
from ...text.parameters import build
from .timed import Timed

RESIGN = 0.04  # of a win
FIRST, SECOND = "first", "second"
FLAT = "flat"


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
        self.search.run(roots=state[None], iterations=self.how.iterations)
        means = self.search.means(seen.player, seen.view)
        return max(means, key=lambda action: means[action]) if means else seen.actions[0]


def unlimited(value: float) -> str:
    """A number in the text of a bandit."""
    return "inf" if math.isinf(value) else f"{value:g}"
