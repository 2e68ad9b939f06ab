"""Training by self-play: from random openings both sides play the best move of their search, and learn after each.

The work is cut into parts, each of so many games or of so many seconds of the processor. A part goes into the run store with
the weights that it ended with, so training that was stopped goes on from there; the stored parts are the learning curve.
Trained by games, the same seed gives the same weights to the last bit. Trained by time, it gives the same openings.
"""

import base64
import functools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..evaluation import linear
from ..game import OVER, identity
from ..runs import Run
from ..search.open.pruning import Whole
from ..walk.slices import Progress, Watcher, number, whole
from .bootstrap import RootStrap, TreeStrap
from .differences import TDLeaf, TDRoot
from .links import Squashed
from .pupil import Pupil, advance, wander
from .steps import Adaptive
from .weights import Weights, weights_of

METHODS: dict[str, Callable[..., Any]] = {
    "rootstrap": RootStrap,
    "treestrap": TreeStrap,
    "treestrap-minimax": functools.partial(TreeStrap, pruning=Whole()),
    "td-leaf": TDLeaf,
    "td-root": TDRoot,
}
SPREAD = 0.001  # deviation of the random weights at the beginning
OPENING = 8  # random plies at the beginning of a game, at most
MOST_PLIES = 400  # of a game that learning plays; it is then left without a result
PART_SECONDS, PART_GAMES = 10.0, 25
OPENINGS, FIRST_WEIGHTS = 0, 1  # parts of the seed


class Snapshot(NamedTuple):
    """A point of the learning curve."""

    seconds: float  # of the processor, spent so far
    games: int
    moves: int
    nodes: int
    weight: np.ndarray


class Training:
    """Self-play of one pupil. `lesson` plays on; `train` does so through the run store."""

    def __init__(
        self,
        game: Any,
        features: Any,
        by: str = "treestrap",
        *,
        seed: int = 0,
        depth: int = 3,
        step: float | None = None,
        opening: int = OPENING,
        link: Any = Squashed(),  # noqa: B008  (a tuple cannot change)
        steps: Any = Adaptive(),  # noqa: B008
    ):
        if by not in METHODS:
            raise Invalid(f"there is no way to learn called '{by}': valid are {', '.join(METHODS)}")
        self.game, self.by, self.seed, self.depth = game, by, seed, whole(depth, "depth", 1)
        self.opening = whole(opening, "opening")
        self.method = METHODS[by]() if step is None else METHODS[by](step=number(step, "step", above=0))
        evaluation = linear(game, features)
        random = np.random.default_rng(dice.seeded(seed, FIRST_WEIGHTS))
        evaluation.weight[:] = SPREAD * random.standard_normal(len(evaluation.weight))
        self.pupil = Pupil(game, evaluation, self.method.pruning, link=link, steps=steps)
        self.games = self.moves = 0
        self.seconds = 0.0

    @property
    def identity(self) -> dict[str, Any]:
        """What makes this training what it is."""
        return {
            "game": identity(self.game),
            "features": identity(self.pupil.evaluation.features),
            "by": self.by,
            "step": self.method.step,
            "depth": self.depth,
            "seed": self.seed,
            "opening": self.opening,
            "link": identity(self.pupil.link),
            "steps": identity(self.pupil.steps),
        }

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.seconds, self.games, self.moves, self.pupil.nodes, self.pupil.evaluation.weight.copy())

    def weights(self, command: str = "") -> Weights:
        return weights_of(self.game, self.pupil.evaluation, command)

    def warm_up(self) -> None:
        """Compile before any clock starts."""
        state = self._opened(0)
        kept = self.pupil.evaluation.weight.copy()
        self.method.begin(self.pupil)
        self.method.learn(self.pupil, state, self.pupil.think(state, depth=1))
        self.method.begin(self.pupil)
        self.pupil.evaluation.weight[:], self.pupil.memory[:], self.pupil.nodes = kept, 0, 0

    def play(self) -> None:
        """One game, from the next opening."""
        state = self._opened(self.games)
        self.method.begin(self.pupil)
        payoff = None
        for _ in range(MOST_PLIES):
            found = self.pupil.think(state, depth=self.depth)
            self.method.learn(self.pupil, state, found)
            mover = advance(self.game, state, np.array([found.action]))
            self.moves += 1
            if mover == OVER:
                payoff = float(self.game.payoff(state, 0))
                break
        self.method.finish(self.pupil, payoff)
        self.games += 1

    def lesson(self, part: int, games: int | None = None, seconds: float | None = None) -> dict[str, Any]:
        """Play so many games, or until so many seconds of the processor are over. What it returns, `restore` takes."""
        began, last = time.process_time(), self.games + (games or 0)
        while self.games < last if games is not None else time.process_time() - began < (seconds or 0.0):
            self.play()
        self.seconds += time.process_time() - began
        found = self.snapshot
        rows = {"weight": found.weight, "memory": self.pupil.memory}
        return found._asdict() | {name: base64.b64encode(row.tobytes()).decode() for name, row in rows.items()}

    def restore(self, stored: dict[str, Any]) -> Snapshot:
        """Go to where a lesson ended."""
        for name, row in (("weight", self.pupil.evaluation.weight), ("memory", self.pupil.memory)):
            row[:] = np.frombuffer(base64.b64decode(stored[name]))
        self.games, self.moves, self.pupil.nodes = stored["games"], stored["moves"], stored["nodes"]
        self.seconds = stored["seconds"]
        return self.snapshot

    def _opened(self, game: int) -> np.ndarray:
        return random_opening(self.game, self.opening, dice.seeded(self.seed, OPENINGS, game))


def random_opening(game: Any, plies: int, random: np.ndarray) -> np.ndarray:
    """A position after at most so many random moves, at which the game is not over."""
    shape = game.shape()
    state = np.zeros(shape.words, np.int64)
    wander(game, state, state.copy(), np.zeros(shape.actions, np.int64), plies, random)
    return state


def train(
    training: Training,
    *,
    games: int | None = None,
    minutes: float | None = None,
    store: Any = None,
    progress: Watcher | None = None,
) -> list[Snapshot]:
    """Train for so many games, or for so many minutes of the processor, and return the learning curve, which begins before
    the first game. `store` is the file of a run store; the same training goes on there where it stopped."""
    parts, piece = _parts(games, minutes)
    run = Run(store, "learn", training.lesson, training.identity, games=[training.game])
    training.warm_up()
    curve = [training.snapshot]
    with run.alone():
        for part in range(parts):
            (stored,) = run.map([piece(part)], cores=1, wanted=parts)
            curve.append(training.restore(stored))
            if progress:
                progress(Progress("parts", part + 1, parts, curve[-1]))
    return curve


def _parts(games: int | None, minutes: float | None) -> tuple[int, Callable[[int], dict[str, Any]]]:
    """Into how many parts the work is cut, and each of them."""
    if (games is None) == (minutes is None):
        raise Invalid("give a number of games or of minutes")
    if games is not None:
        goal = whole(games, "games", 1)
        return -(-goal // PART_GAMES), lambda k: {"part": k, "games": min(PART_GAMES, goal - k * PART_GAMES)}
    seconds = 60 * number(minutes, "minutes", above=0, finite=True)
    many = max(1, round(seconds / PART_SECONDS))
    return many, lambda k: {"part": k, "seconds": seconds / many}
