"""An evaluation from how games ended: the weights that expect the results of positions best.

Given positions s with what player 0's side got in the end, z(s), and features phi, the weights are those of

    minimise   sum over s of (z(s) - w . phi(s))^2 / n  +  sum over j of pull_j (w_j - w0_j)^2

the mean square error, with a pull towards the weights w0 that are known before. It is a linear system, solved once. The mean
of z at a position is what play as good as that of the games brings, so the evaluation is in the unit of payoffs.

Positions of one game end alike, so an error over them is no error over independent positions: `Fitted.held_out` is measured
on games that were left out, whole.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..evaluation import features_of, linear
from ..game import identity
from ..kernels import kernel
from ..text.naming import as_game
from .weights import Weights

HELD = 5  # one game in so many is left out, to measure the error


class Fitted(NamedTuple):
    """What was learned from the ends of games."""

    weights: Weights
    positions: int
    games: int
    held_out: float  # the mean square error of the weights on games that they have not seen
    before: float  # that of the weights known before, there
    nothing: float  # that of the mean result, there


@kernel
def describe_all(game, features, states, which, worth, dense):
    """Write the features of all states into dense [states, features]."""
    for n in range(states.shape[0]):
        for k in range(features.find(game, states[n], which, worth)):
            dense[n, which[k]] += worth[k]


def table_of(game: Any, features: Any, states: np.ndarray) -> np.ndarray:
    """[states, features] how much of each feature each state has."""
    words = game.shape().words
    if states.ndim != 2 or states.shape[1] > words:
        raise Invalid(f"positions are states of at most {words} words, not an array of the shape {states.shape}")
    whole = np.zeros((len(states), words), np.int64)
    whole[:, : states.shape[1]] = states  # the words behind tell of the course of the game, and no feature reads them
    dense, active = np.zeros((len(states), int(features.size()))), int(features.active(game))
    describe_all(game, features, whole, np.zeros(active, np.int64), np.zeros(active), dense)
    return dense


def fit(
    game: Any,
    states: np.ndarray,
    number: np.ndarray,
    payoff: np.ndarray,
    *,
    features: Any = None,
    known: Sequence[float] | None = None,
    pull: float | Sequence[float] = 1e-3,
    command: str = "",
) -> Fitted:
    """Weights from positions [n, words], the number of the game that each comes from, and what player 0 got there."""
    game = as_game(game)
    features = features_of(game) if features is None else features
    phi, z = table_of(game, features, np.asarray(states, np.int64)), np.asarray(payoff, float)
    if z.shape != (len(phi),) or len(phi) != len(number) or not len(z):
        raise Invalid("give one game's number and one payoff for each position, and one position or more")
    if not np.isfinite(z).all():
        raise Invalid("payoffs must be finite numbers")
    size = phi.shape[1]
    before = np.zeros(size) if known is None else np.asarray(known, float)
    if before.shape != (size,) or not np.isfinite(before).all():
        raise Invalid(f"known must be {size} finite numbers, a weight for each feature")
    weight = np.asarray(pull, float)
    if weight.shape not in ((), (size,)) or not np.isfinite(weight).all() or (weight < 0).any():
        raise Invalid(f"pull must be finite numbers of 0 or more: one, or {size}")
    weight = np.broadcast_to(weight, before.shape)
    numbers = np.unique(number)
    held = np.isin(number, numbers[::HELD]) if len(numbers) > HELD else np.zeros(len(z), bool)
    found = _solve(phi[~held], z[~held], before, weight)
    errors = [
        float(np.mean((z[held] - guess) ** 2)) if held.any() else float("nan")
        for guess in (phi[held] @ found, phi[held] @ before, np.full(held.sum(), z[~held].mean()))
    ]
    learned = linear(game, features, _solve(phi, z, before, weight))
    stored = Weights(identity(game), identity(features), command, learned.weight.copy())
    return Fitted(stored, len(z), len(numbers), *errors)


def _solve(phi: np.ndarray, z: np.ndarray, before: np.ndarray, pull: np.ndarray) -> np.ndarray:
    left = phi.T @ phi / len(z) + np.diag(np.maximum(pull, 1e-12))
    return before + np.linalg.solve(left, phi.T @ (z - phi @ before) / len(z))
