"""Arenz 2012, Go: one game between two players, as a piece of work whose result is stored.

A player is written as a text of words between blanks, so that the store can compare it:

    tree rave:confidence=0 mogo none simulations=1000       tree search: bandit, playouts, prior
    tree tuned mogo first-sight:distance=3 ms=20 threads=2
    flat mogo simulations=1000                              flat Monte Carlo, "basic" in the paper
    alphabeta ms=20                                         alpha-beta with the evaluation `Nearness`
    gnugo level=10                                          GNU Go, which never resigns

`ms` are milliseconds of the processor's time for a move, in each thread, so that other work on the machine takes nothing
away from a player. Trees are kept from move to move, and begun anew where they are full. A search that expects less than
RESIGN resigns, but not in the first moves of a game.
"""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...bandits import load_bandit
from ...bridges.gtp_client import EngineFault, GtpAgent
from ...errors import Illegal
from ...game import OVER, label, legal, new_state, read
from ...games.go import MoGo, NoEyes
from ...games.go.evaluation import Nearness
from ...games.go.priors import FirstSight
from ...judges import Playout
from ...search.open.alphabeta import AlphaBeta
from ...search.open.pruning import Risky
from ...search.trees.mcts import LEAST_TRIED, MCTS
from ...text.naming import load
from ...text.parameters import build

RESIGN, EARLY = 0.04, 20  # mean reward, moves
MEMORY = 2**30  # bytes of a tree
SIMULATIONS, NODES = 200, 500  # between two looks at the clock
MOST_SLICES = 10_000  # of a move
PLAYOUTS, PRIORS = {"mogo": MoGo, "uniform": NoEyes}, {"first-sight": FirstSight}
FIRST, SECOND = "first", "second"


def go_game(game: str, one: str, other: str, black: str, seed: int) -> dict[str, Any]:
    """The first player's points of one game, 1, 1/2 or 0. `black` is `first` or `second`. A program that fails loses."""
    made = load(game)
    players = [_player(made, one, 2 * seed), _player(made, other, 2 * seed + 1)]
    table = players if black == FIRST else players[::-1]
    state, moves, fault, resigned = new_state(made), list[tuple[int, int]](), "", False
    with np.errstate(over="ignore"):  # keys wrap round
        while (turn := int(made.player(state))) != OVER:
            try:
                action = table[turn].move(state, moves)
            except EngineFault as error:
                action, fault = None, str(error)
            if action is None:
                resigned = True
                break
            moves.append((turn, action))
            made.step(state, action)
        worth = (-1.0 if turn == 0 else 1.0) if resigned else float(np.sign(made.payoff(state, 0)))
    for player in players:
        player.close()
    points = (1 + (worth if black == FIRST else -worth)) / 2
    work = [[player.simulations, round(player.seconds, 3), player.moves] for player in players]
    return {"points": points, "moves": len(moves), "resigned": resigned, "fault": fault, "work": work}


class Words(NamedTuple):
    """The words of a player that are written key=value."""

    simulations: int = 0
    ms: float = 0.0
    threads: int = 1
    waiting: int = 0
    level: int = 10


class Player:
    """Somebody at the board, who counts simulations or nodes, and the processor's seconds."""

    def __init__(self, game: Any, budget: Words):
        self.game, self.budget = game, budget
        self.simulations, self.seconds, self.moves = 0, 0.0, 0

    def move(self, state: np.ndarray, moves: list[tuple[int, int]]) -> int | None:
        """An action, or None to resign."""
        self.moves += 1
        self.begin(state)
        began = time.process_time()
        self.think(state)
        self.seconds += time.process_time() - began
        action, mean = self.choice(state)
        return None if len(moves) > EARLY and mean < RESIGN else action

    def begin(self, state: np.ndarray) -> None:
        """Compile what the clock should not count."""

    def think(self, state: np.ndarray) -> None:
        """Spend the budget."""
        if self.budget.simulations:
            self.simulations += self.work(state, self.budget.simulations)
            return
        began, spend = time.process_time(), self.budget.ms / 1000 * self.budget.threads
        for _ in range(MOST_SLICES):
            self.simulations += self.work(state, self.slice)
            if time.process_time() - began >= spend:
                break

    slice = SIMULATIONS

    def work(self, state: np.ndarray, count: int) -> int:
        """Search on; returns the simulations made."""
        raise NotImplementedError

    def choice(self, state: np.ndarray) -> tuple[int, float]:
        """The move to play and what it brings, from 0 to 1."""
        raise NotImplementedError

    def close(self) -> None:
        """The game is over."""


class Tree(Player):
    def __init__(self, game: Any, seed: int, bandit: Any, judge: Any, prior: Any, budget: Words):
        super().__init__(game, budget)
        self.seed, self.parts = seed, (bandit, judge, prior)
        self.slice = SIMULATIONS * budget.threads
        self.search = self._new()

    def _new(self) -> MCTS:
        bandit, judge, prior = self.parts
        self.seed += 1 << 32
        return MCTS(self.game, bandit, self.seed, judge=judge, prior=prior, waiting=self.budget.waiting, memory=MEMORY)

    def begin(self, state: np.ndarray) -> None:
        if self.search.search.note:  # the tree is full
            self.search = self._new()
        self.search.think(state, iterations=0)

    def work(self, state: np.ndarray, count: int) -> int:
        self.search.think(state, iterations=count, threads=self.budget.threads)
        return count

    def choice(self, state: np.ndarray) -> tuple[int, float]:
        action = self.search.best(state)
        return action, self.search.means(state).get(action, 1.0)


class Flat(Player):
    """All moves equally often; the best mean is played."""

    def __init__(self, game: Any, seed: int, judge: Any, budget: Words):
        super().__init__(game, budget)
        self.seed, self.judge = seed, judge
        self.search: MCTS | None = None

    def begin(self, state: np.ndarray) -> None:
        self.seed += 1 << 32
        self.search = MCTS(self.game, LEAST_TRIED, self.seed, judge=self.judge, sets=1)
        self.search.think(state, iterations=0)

    def work(self, state: np.ndarray, count: int) -> int:
        assert self.search is not None
        self.search.think(state, iterations=count)
        return count

    def choice(self, state: np.ndarray) -> tuple[int, float]:
        assert self.search is not None
        means = self.search.means(state)
        if not means:
            return legal(self.game, state)[0], 1.0
        best = max(means, key=lambda action: means[action])
        return best, (1 + means[best]) / 2


class Looker(Player):
    """Alpha-beta; it counts nodes, and never resigns."""

    slice = NODES

    def __init__(self, game: Any, budget: Words):
        super().__init__(game, budget)
        self.search = AlphaBeta(game, Nearness(), pruning=Risky())
        self.found: Any = None

    def begin(self, state: np.ndarray) -> None:
        self.search.think(state, nodes=1)

    def work(self, state: np.ndarray, count: int) -> int:
        before = self.search.nodes
        self.found = self.search.think(state, nodes=count)
        return self.search.nodes - before

    def choice(self, state: np.ndarray) -> tuple[int, float]:
        return int(self.found.action), 1.0


class GnuGo(Player):
    """The program, told every move. Its own seconds are not counted."""

    def __init__(self, game: Any, seed: int, budget: Words):
        super().__init__(game, budget)
        self.agent = GtpAgent.from_text("gtp", f"gnugo:level={budget.level}", seed)

    def move(self, state: np.ndarray, moves: list[tuple[int, int]]) -> int | None:
        self.moves += 1
        actions = tuple(legal(self.game, state))
        labels = tuple(label(self.game, state, action) for action in actions)
        told = Told(self.game, int(self.game.player(state)), actions, labels, tuple(moves))
        try:
            return read(self.game, state, self.agent.act(told))
        except Illegal as error:
            raise EngineFault(str(error)) from None

    def close(self) -> None:
        self.agent.close()


class Told(NamedTuple):
    """The part of a sight that a program needs."""

    game: Any
    player: int
    actions: tuple[int, ...]
    labels: tuple[str, ...]
    moves: tuple[tuple[int, int], ...]


def _player(game: Any, text: str, seed: int) -> Player:
    kind, *words = text.split()
    plain = [word for word in words if "=" not in word or ":" in word]
    budget = build(Words, ",".join(word for word in words if word not in plain), kind)
    makers: dict[str, Callable[..., Player]] = {
        "tree": lambda bandit, playouts, prior: Tree(
            game, seed, load_bandit(bandit), _judge(playouts), _named(PRIORS, prior), budget
        ),
        "flat": lambda playouts: Flat(game, seed, _judge(playouts), budget),
        "alphabeta": lambda: Looker(game, budget),
        "gnugo": lambda: GnuGo(game, seed, budget),
    }
    return makers[kind](*plain)


def _judge(text: str) -> Playout:
    return Playout(_named(PLAYOUTS, text))


def _named(kinds: dict[str, Any], text: str) -> Any:
    name, _, given = text.partition(":")
    return None if name == "none" else build(kinds[name], given, name)


def unlimited(value: float) -> str:
    """A number in the text of a bandit."""
    return "inf" if math.isinf(value) else f"{value:g}"
