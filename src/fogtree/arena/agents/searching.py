"""The agent that searches: IS-MCTS from what its player believes."""

import enum
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import BANDITS, bandit_name
from ...errors import Invalid
from ...game import new_state
from ...policy import Trembling
from ...search.trees.ismcts import ISMCTS
from ...strategy import Strategy
from ...text.parameters import accepts, build, parts
from ...walk.slices import Budget, budget, number, whole
from ..sight import Sight
from .believing import Believed, Believer
from .tree_search import TreeAgent
from .words import draw_seed, keys

ITERATIONS = 10_000  # a move, where nothing else is said
TREMBLE = 0.1  # how often the others are taken to move at random, where states are drawn by weight
WORLDS = 4096  # states that are imagined where they are too many to be enumerated


def iterations(value: Any) -> int | None:
    """a whole number of 1 or more"""
    return None if value is None else whole(value, "iterations", least=1)


def seconds(value: Any) -> float | None:
    """a number above 0"""
    return None if value is None else number(value, "seconds", above=0)


class Draw(enum.IntEnum):
    """How a search draws the states that its player believes possible."""

    EVEN = 0  # each equally likely
    WEIGHTED = 1  # by their weight under the strategy that the last search gave the others


@accepts(iterations=iterations, seconds=seconds, draw=Draw)
class Searching(NamedTuple):
    """How a search agent searches, whatever its bandit. Without a budget it makes ITERATIONS iterations a move."""

    iterations: int | None = None  # a move
    seconds: float | None = None  # a move
    keep_tree: bool = False  # go on with the tree of the move before, instead of searching anew
    play_best: bool = False  # play the likeliest action, instead of drawing from the mix
    draw: Draw = Draw.EVEN


class Thought(NamedTuple):
    """What a search agent believed and meant at one of its moves, for people who ask afterwards."""

    view: int
    text: str  # what its player saw
    states: int  # that it believed possible
    coverage: float  # of all such states
    mix: dict[str, float]  # action label -> probability
    played: str
    iterations: int  # of the tree that the mix came from; 0 where there was nothing to choose


class SearchAgent:
    """IS-MCTS from the states that the player believes possible, each equally likely (Lisý 2014).

    With the draw `weighted` a state is drawn by its weight: the odds of chance, times the probabilities with which the others
    have made the moves that lead to it, by the strategy that the agent's own search at its move before has found for them.
    TREMBLE of the time they are taken to move at random, so that nothing is impossible. At the first move there is no search
    before, so the agent first makes one more search, from the start of the game.

    It searches anew at each move, or goes on with its tree (`keep_tree`); it draws from the resulting mix, or plays the
    likeliest action (`play_best`). Further options go to the search. One agent plays any number of matches: `fresh` begins
    the next, and where nobody calls it, a view that can only be the first of a match does.

    Where the states that fit are too many to be enumerated and the game has `imagine`, it searches from WORLDS imagined ones.
    """

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(
        self,
        bandit: Any,
        seed: int = 0,
        *path: int,
        iterations: int | None = None,
        seconds: float | None = None,
        keep_tree: bool = False,
        play_best: bool = False,
        draw: Draw = Draw.EVEN,
        **options: Any,
    ):
        self.bandit, self.options = bandit, options
        self.how = Searching(iterations, seconds, keep_tree, play_best, draw)
        if iterations is None and seconds is None:
            self.how = self.how._replace(iterations=ITERATIONS)
        self.random = dice.seeded(seed, *path)
        self.thoughts: list[Thought] = []
        self._believer = Believer(self.random)
        self._search: ISMCTS | None = None
        self._open: TreeAgent | None = None  # who plays instead where nothing is hidden

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int, kind: Any = None) -> "SearchAgent":
        """With the bandit of this name, or of this class. Parameters are the bandit's and those of `Searching`."""
        kind = kind or BANDITS[name]
        known = (*kind._fields, *Searching._fields)
        if strange := [key for key in keys(text) if key not in known]:
            raise Invalid(f"{name} has no parameter '{strange[0]}': valid are {', '.join(known)}")
        own = [part for key, part in zip(keys(text), parts(text), strict=True) if key not in kind._fields]
        rest = [part for key, part in zip(keys(text), parts(text), strict=True) if key in kind._fields]
        if kind is BANDITS["uct"] and "play_best" not in keys(text):
            own.append("play_best=yes")  # its visit counts are no mix to draw from
        how = build(Searching, ",".join(own), name)
        return cls(build(kind, ",".join(rest), name), seed, *path, **how._asdict())

    @classmethod
    def with_budget(cls, text: str, iterations: int) -> str:
        """The text of the parameters, with so many iterations a move unless it gives a budget."""
        if {"iterations", "seconds"} & set(keys(text)):
            return text
        return ",".join([*parts(text), f"iterations={iterations}"])

    @property
    def name(self) -> str:
        return bandit_name(self.bandit)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts, self._search, self._open = [], None, None
        self._believer.fresh()

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked: it goes on from there."""
        with np.errstate(over="ignore"):
            believed = self._believe(sight)
            if self.how.keep_tree or self.how.draw == Draw.WEIGHTED:
                self._think(sight, believed)
        believed.acted(sight, action)

    def act(self, sight: Sight) -> int:
        return self._choose(sight)[0]

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which one search would act here; `follow` tells it of the moves before."""
        return self._choose(sight)[1]

    def _choose(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """The action, and the probabilities by which it was drawn."""
        if sight.game.shape().open and hasattr(self.bandit, "means"):
            return self._choose_openly(sight)
        with np.errstate(over="ignore"):  # random bits wrap round
            believed = self._believe(sight)
            mix, done = self._think(sight, believed)
            action, odds = self._pick(mix)
        believed.acted(sight, action)
        labels = dict(zip(sight.actions, sight.labels, strict=True))
        named = {labels[a]: p for a, p in mix.items()}
        told = len(believed.state), believed.coverage, named, labels[action], done
        self.thoughts.append(Thought(sight.view, sight.text, *told))
        return action, odds

    def _choose_openly(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """In an open game: the best move by tree search with what the game knows of itself (`tree_search.py`)."""
        if self._open is None:
            how = {"iterations": self.how.iterations, "seconds": self.how.seconds}
            self._open = TreeAgent(self.bandit, draw_seed(self.random), **how, **self.options)
        action, mix = self._open.act(sight), dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        if self._open.search is not None:
            mix = self._open.search.search.policy(sight.player, sight.view) or mix
        labels = dict(zip(sight.actions, sight.labels, strict=True))
        named = {labels[a]: p for a, p in mix.items()}
        done = self._open.search.search.iterations if self._open.search is not None else 0
        self.thoughts.append(Thought(sight.view, sight.text, 1, 1.0, named, labels[action], done))
        return action, {action: 1.0}

    def _think(self, sight: Sight, believed: Believed) -> tuple[dict[int, float], int]:
        """The mix of a search from the states that are believed possible, and the iterations of its tree."""
        mix = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        if not len(believed.state) or len(sight.actions) == 1:
            return mix, 0
        if self._search is None or not self.how.keep_tree:
            self._search = ISMCTS(sight.game, self.bandit, draw_seed(self.random), **self.options)
        weights = believed.weight if self.how.draw == Draw.WEIGHTED else None
        self._search.run(
            iterations=self.how.iterations, seconds=self.how.seconds, roots=believed.state, weights=weights
        )
        return self._search.policy(sight.player, sight.view) or mix, self._search.iterations

    def _believe(self, sight: Sight) -> Believed:
        """What the player believes; a new match begins with empty hands."""
        if self.how.draw == Draw.WEIGHTED:
            self._believer.expect(self._others(sight))
        found = self._believer.believe(sight, WORLDS)
        if found.anew:
            self.thoughts, self._search, self._open = [], None, None
        return found

    def _others(self, sight: Sight) -> Trembling:
        """How the others play, as far as the agent can tell: by its last search, or by one from the start of the game."""
        game = sight.game
        if self._search is not None:
            found = self._search.strategy()
        elif game.player(new_state(game)) == sight.player:  # nobody has moved before
            found = Strategy.uniform(game)
        else:
            first = ISMCTS(game, self.bandit, draw_seed(self.random), **self.options)
            found = first.run(iterations=self.how.iterations, seconds=self.how.seconds).strategy()
        return Trembling(found.policy_of(game), TREMBLE)

    def _pick(self, mix: dict[int, float]) -> tuple[int, dict[int, float]]:
        """An action, and the probabilities by which it was drawn."""
        if not self.how.play_best:
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))], mix
        best = max(mix.values())
        top = [action for action, share in mix.items() if share == best]
        return top[dice.below(self.random, len(top))], dict.fromkeys(top, 1 / len(top))
