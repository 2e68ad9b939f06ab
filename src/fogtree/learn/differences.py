"""Temporal differences over searches: an evaluation learns from the next search (Samuel 1959; Baxter, Tridgell, Weaver 1998).

With s_1, ..., s_T the positions of a game, V(s_t) the value of the search at s_t, l_t the leaf of its principal variation,
whose evaluation H(l_t) is that value; the result of the game comes after the last:

    TD-Root            w += step * (V(s_{t+1}) - H(s_t)) phi(s_t)
    TD-Leaf(lambda)    w += step * sum over t of phi(l_t) * sum over j >= t of lambda^(j-t) (H(l_{j+1}) - H(l_j))

TD-Root learns as soon as the next value is known, TD-Leaf when the game is over. A line that ends the game has no leaf to
learn from; its value counts for the one before.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import OVER
from ..search.open.alphabeta import Found
from ..search.open.pruning import Sound
from .links import Straight
from .pupil import Pupil, advance


class Seen(NamedTuple):
    """What a search has left to learn from."""

    which: np.ndarray  # the features of a position
    worth: np.ndarray
    value: float  # for player 0's side


class TDRoot:
    """The root's evaluation moves to the value of the next search."""

    pruning = Sound()

    def __init__(self, step: float = 0.003):
        self.step = step
        self.last: tuple[np.ndarray, np.ndarray] | None = None

    def begin(self, pupil: Pupil) -> None:
        self.last = None

    def learn(self, pupil: Pupil, state: np.ndarray, found: Found) -> None:
        self._settle(pupil, pupil.for_first(state, found.value))
        self.last = pupil.features(state)

    def finish(self, pupil: Pupil, payoff: float | None) -> None:
        if payoff is not None:
            self._settle(pupil, payoff)

    def _settle(self, pupil: Pupil, target: float) -> None:
        if self.last is not None:
            which, worth = self.last
            pupil.toward(which, worth, pupil.error(target, float(pupil.evaluation.weight[which] @ worth)), self.step)


class TDLeaf:
    """The evaluation of each principal leaf moves to those of the later ones."""

    pruning = Sound()

    def __init__(self, step: float = 0.003, decay: float = 0.7):
        self.step, self.decay = step, decay
        self.course: list[Seen] = []

    def begin(self, pupil: Pupil) -> None:
        self.course = []

    def learn(self, pupil: Pupil, state: np.ndarray, found: Found) -> None:
        leaf = state.copy()
        mover = advance(pupil.game, leaf, np.array(found.line))
        value = pupil.for_first(state, found.value)
        if mover == OVER:
            self.course.append(Seen(np.zeros(0, np.int64), np.zeros(0), value))
        else:
            self.course.append(Seen(*pupil.features(leaf), value))

    def finish(self, pupil: Pupil, payoff: float | None) -> None:
        for seen, error in zip(self.course, self.errors(payoff, pupil.link), strict=True):
            pupil.toward(seen.which, seen.worth, error, self.step)

    def errors(self, payoff: float | None, link: Any = Straight()) -> list[float]:  # noqa: B008  (a tuple cannot change)
        """[t] the sum over j >= t of decay^(j-t) times the difference of the values j and j+1."""
        values = [seen.value for seen in self.course]
        values.append(payoff if payoff is not None else values[-1] if values else 0.0)
        values = [float(link.of(value)) for value in values]
        found, later = [], 0.0
        for t in range(len(self.course) - 1, -1, -1):
            later = values[t + 1] - values[t] + self.decay * later
            found.append(later)
        return found[::-1]
