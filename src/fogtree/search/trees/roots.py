"""Where the simulations of a search begin: the states that the searching player believes possible, and how one is drawn.

    EvenRoots(state)             each equally likely, as in Lisý 2014
    WeightedRoots(state, upto)   by weights: how likely each is by the odds of chance and by the strategy that the others are
                                 believed to follow (`belief.py`)

The even draw is wrong wherever the others do not play at random. It takes a state that a good opponent would avoid for
as likely as any other, and with more iterations the search answers that mistake more and more precisely.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid


def drawn_from(upto, first, last, random):
    """A number from `first` to `last - 1`: the first whose sum of weights is above a number drawn from [0, 1)."""
    drawn, low, high = dice.unit(random), first, last - 1
    while low < high:  # each round halves what is left
        middle = (low + high) // 2
        if upto[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return np.int64(low)


class EvenRoots(NamedTuple):
    """Each state equally likely."""

    state: np.ndarray  # [states, words]

    def draw(self, random):
        """The number of a state."""
        return dice.below(random, self.state.shape[0]) if self.state.shape[0] > 1 else np.int64(0)


class WeightedRoots(NamedTuple):
    """States by their weights."""

    state: np.ndarray  # [states, words]
    upto: np.ndarray  # [states] the weights of all states up to this one, it included; the last is 1

    def draw(self, random):
        """The number of a state."""
        return drawn_from(self.upto, 0, self.upto.shape[0], random)


def roots_of(game: Any, state: Any, weight: Any = None) -> EvenRoots | WeightedRoots:
    """Roots from what a caller has: states of their own are looked at before compiled code runs on them
    (`contract/states.py`). Roots that are made already come from the game itself, and are taken as they are."""
    if isinstance(state, EvenRoots | WeightedRoots):
        return state
    from ...contract.states import require_states  # not on top: the searches of agents bring no states of their own

    made = as_roots(state, weight, game.shape().words)
    require_states(game, made.state)
    return made


def as_roots(state: Any, weight: Any, words: int) -> EvenRoots | WeightedRoots:
    """Roots of the right form from states [states, words] and their weights, or None for an even draw."""
    try:
        given = np.asarray(state)
        state = given.astype(np.int64)
    except (TypeError, ValueError):  # no numbers, or rows of different lengths
        raise Invalid(f"roots are states, rows of {words} whole numbers each") from None
    if state.ndim != 2 or len(state) == 0 or state.shape[1] != words:
        raise Invalid(f"roots are one state or more, each of {words} words, not {state.shape}")
    if given.dtype.kind not in "iu" or (state != given).any():
        raise Invalid(f"roots are states, rows of {words} whole numbers each")
    if weight is None:
        return EvenRoots(state)
    weight = np.asarray(weight, np.float64)
    if weight.shape != (len(state),) or not np.isfinite(weight).all() or (weight < 0).any() or weight.sum() <= 0:
        raise Invalid(f"weights are {len(state)} numbers of 0 or more, one for each root, and not all of them 0")
    upto = np.cumsum(weight / weight.sum())
    upto[np.flatnonzero(weight)[-1] :] = 1.0  # rounding must not draw a state of weight 0
    return WeightedRoots(state, upto)
