"""RootStrap and TreeStrap: an evaluation learns from the search that it has just been used in (Veness and others 2009).

With V(s) the value of position s inside a search and H(s) = w . phi(s) its evaluation, both by the weights before the update:

    RootStrap              w += step * (V(s_t) - H(s_t)) phi(s_t)                  the root s_t alone
    TreeStrap(minimax)     w += step / n * sum over s of (V(s) - H(s)) phi(s)      all positions of the tree
    TreeStrap(alpha-beta)  w += step / n * sum over s of e(s) phi(s)               with bounds a <= V <= b in place of V:
                           e = a - H where H < a, b - H where H > b, else 0

The sums run over the transposition table, so a position counts once however often it was reached, if it was searched at
least `least` plies deep (1: quiescence teaches nothing). n is the number of positions that teach something; the paper has no
n, but without it a step that is right for one depth is wrong for the next. A decided game counts as its payoff: mates are
neither skipped, for at first nothing else carries information, nor larger than a game is worth. Differences between values
are measured by a link (`links.py`), and how far a weight moves is the matter of `steps.py`.

A position whose best action is noisy teaches nothing unless it is decided, to RootStrap as well. Most positions inside a
tree come from a blunder, and the best answer takes something. What it takes is in the value, and no feature can tell that a
man will be taken. So such positions teach that men are worth little: without this rule TreeStrap hardly learns what a pawn is
worth.
"""

from typing import Any, NamedTuple

import numpy as np

from ..bandits.sharing import shares
from ..search.open.alphabeta import Found
from ..search.open.pruning import Sound
from .pupil import Pupil


class RootStrap(NamedTuple):
    """The root's evaluation moves to the root's value."""

    step: float = 0.003
    pruning: Any = Sound()

    def begin(self, pupil: Pupil) -> None:
        pass

    def learn(self, pupil: Pupil, state: np.ndarray, found: Found) -> None:
        if pupil.teaches(state, found):
            error = pupil.error(pupil.for_first(state, found.value), pupil.value(state))
            pupil.toward(*pupil.features(state), error, self.step)

    def finish(self, pupil: Pupil, payoff: float | None) -> None:
        pass


@shares(RootStrap.begin, RootStrap.finish)
class TreeStrap(NamedTuple):
    """All evaluations inside the search move to their bounds. After a search that prunes nothing, bounds are values: that is
    TreeStrap(minimax)."""

    step: float = 0.003
    least: int = 1  # plies below a position that is learned from
    pruning: Any = Sound()

    def learn(self, pupil: Pupil, state: np.ndarray, found: Found) -> None:
        gradient, taught = pupil.gather(state, self.least)
        if taught:
            pupil.move(gradient / taught, self.step)
