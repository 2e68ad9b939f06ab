"""The agent for open games: Monte Carlo tree search of the position on the board, with what the game knows of itself.

A game may say how its playouts are played and what a player thinks of a move at first sight, by two optional methods that
return policies (see policy.py):

    playout_policy()    for the judge of the search; without it, playouts are uniform
    prior_policy()      for the prior of the search; without it, all actions are alike

It plays the action that it tried most. The tree is kept from move to move, and begun anew when a match begins or when it is
full. Where a tree begins in a position of MANY legal actions, it has a waiting room (`search/trees/prior.py`): a position
enters it when it is met for the second time. On 19x19 a position takes 12 kB and most are met once: the tree is a third as
large, and the search a tenth faster.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import BANDITS, bandit_name
from ...errors import Invalid
from ...game import identity, legal
from ...judges import Playout
from ...search.trees.mcts import MCTS
from ...text.parameters import accepts, build, parts
from ...walk.slices import Budget, budget, number, whole

ITERATIONS = 10_000  # a move, where nothing else is said
MEMORY = 2**30  # bytes of a tree
MANY, PLACES = 150, 1 << 16  # legal actions, from which on positions wait until they are met again; and how many wait


def iterations(value: Any) -> int | None:
    """a whole number of 1 or more"""
    return None if value is None else whole(value, "iterations", least=1)


def seconds(value: Any) -> float | None:
    """a number above 0"""
    return None if value is None else number(value, "seconds", above=0)


@accepts(iterations=iterations, seconds=seconds, threads=range(1, 257))
class Thinking(NamedTuple):
    """How long an agent thinks. Without a budget it makes ITERATIONS iterations a move."""

    iterations: int | None = None  # a move
    seconds: float | None = None  # a move
    threads: int = 1


class TreeAgent:
    """Plays open games by tree search with a bandit that keeps means. `judge` and `prior` are the game's own unless given."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, bandit: Any, seed: int = 0, *path: int, judge: Any = None, prior: Any = None, **thinking: Any):
        self.bandit, self.judge, self.prior, self.how = bandit, judge, prior, Thinking(**thinking)
        if self.how.iterations is None and self.how.seconds is None:
            self.how = self.how._replace(iterations=ITERATIONS)
        self.random = dice.seeded(seed, *path)
        self.search: MCTS | None = None
        self._table = ""

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "TreeAgent":
        """With the bandit of this name. Parameters are the bandit's and those of `Thinking`."""
        kind, own, rest = BANDITS[name], list[str](), list[str]()
        for part in parts(text):
            key = part.partition("=")[0].strip().replace("-", "_")
            if key not in (*kind._fields, *Thinking._fields):
                valid = ", ".join((*kind._fields, *Thinking._fields))
                raise Invalid(f"{name} has no parameter '{key}': valid are {valid}")
            (rest if key in kind._fields else own).append(part)
        how = build(Thinking, ",".join(own), name)
        return cls(build(kind, ",".join(rest), name), seed, *path, **how._asdict())

    @classmethod
    def with_budget(cls, text: str, iterations: int) -> str:
        """The text of the parameters, with so many iterations a move unless it gives a budget."""
        given = {part.partition("=")[0].strip() for part in parts(text)}
        return text if {"iterations", "seconds"} & given else ",".join([*parts(text), f"iterations={iterations}"])

    @property
    def name(self) -> str:
        return bandit_name(self.bandit)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fits(self, game: Any) -> None:
        """Refuse games in which something is hidden, and bandits without means."""
        MCTS(game, self.bandit)

    def fresh(self) -> None:
        """A new match begins."""
        self.search = None

    def act(self, sight: Any) -> int:
        if len(sight.actions) == 1:
            return int(sight.actions[0])
        return self.choose(sight.game, sight.worlds(1)[0])

    def choose(self, game: Any, state: np.ndarray, seconds: float | None = None) -> int:
        """The action for the player to move in this state; `seconds` instead of the budget, where a clock runs."""
        search = self._search_of(game, state)
        spend = {"iterations": self.how.iterations, "seconds": self.how.seconds}
        if seconds is not None:
            spend = {"iterations": None, "seconds": seconds}
        with np.errstate(over="ignore"):  # views may be hashes, which wrap round
            return search.think(state, threads=self.how.threads, **spend).best(state)

    def _search_of(self, game: Any, state: np.ndarray) -> MCTS:
        """The search of this match; a new one where the match is new, and where the tree is full."""
        if self.search is None or self._table != identity(game) or self.search.search.note:
            judge, prior = self.judge, self.prior
            if judge is None:
                judge = Playout(game.playout_policy()) if hasattr(game, "playout_policy") else Playout()
            if prior is None and hasattr(game, "prior_policy"):
                prior = game.prior_policy()
            with np.errstate(over="ignore"):  # random bits wrap round
                seed = int(dice.draw(self.random) >> np.uint64(1))
            waiting = PLACES if len(legal(game, state)) >= MANY else 0
            self.search = MCTS(game, self.bandit, seed, judge=judge, prior=prior, waiting=waiting, memory=MEMORY)
            self._table = identity(game)
        return self.search
