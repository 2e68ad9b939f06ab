"""What the equilibria of a matrix game look like: which actions some equilibrium plays, and how far off the others are.

A player's equilibrium mixes are those that guarantee the value v: x >= 0, sum x = 1, x A >= v, a polytope. Its corners are
found by trying every set of inequalities that could be tight, few in small games; their mean lies inside and plays every
action that any equilibrium plays. Against such a mix of the other player an action that no equilibrium plays is worth
strictly less than the value (Goldman and Tucker 1956): that loss is its distance. The least distance in a game is what
Briedoň 2015 (4.6.1, 6) suspects of deciding how soon UCT finds the equilibrium.
"""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from .simplex import solve_matrix

TINY = 1e-9  # relative to the spread of the payoffs
MOST = 6  # rows and columns


class Support(NamedTuple):
    """The equilibria of a game, by one in their middle."""

    value: float
    x: np.ndarray  # [rows]
    y: np.ndarray  # [columns]
    corners: tuple[int, int]  # how many corners each player's equilibria have; 1 where there is but one
    distance: float  # the least that an action outside the support loses; NaN where all are inside
    saddle: bool  # whether a pair of single actions is an equilibrium

    @property
    def sizes(self) -> tuple[int, int]:
        """How many actions of each player some equilibrium plays, the smaller number first."""
        low, high = sorted((int((self.x > 0).sum()), int((self.y > 0).sum())))
        return low, high


def support(payoffs: Any) -> Support:
    """The support of a game of at most six rows and columns."""
    solved = solve_matrix(payoffs)  # refuses what is no matrix of numbers
    payoffs = np.asarray(payoffs, np.float64)
    if max(payoffs.shape) > MOST:
        raise Invalid(f"supports are found in matrices of at most {MOST} x {MOST}")
    least = float(payoffs.min())  # far from 0 a value is rounded by more than TINY of a small spread
    payoffs = payoffs - least
    value = float((solved.x @ payoffs).min() + (payoffs @ solved.y).max()) / 2.0
    first, second = corners(payoffs, value), corners(-payoffs.T, -value)
    x, y = first.mean(axis=0), second.mean(axis=0)
    lost = np.concatenate([(value - payoffs @ y)[x == 0], (x @ payoffs - value)[y == 0]])
    distance = float(lost.min()) if len(lost) else math.nan
    saddle = payoffs.min(axis=1).max() == payoffs.max(axis=0).min()
    return Support(value + least, x, y, (len(first), len(second)), distance, bool(saddle))


def corners(payoffs: np.ndarray, value: float) -> np.ndarray:
    """The corners [corners, rows] of the row player's equilibria in a game of this value."""
    rows, columns = payoffs.shape
    spread = float(np.ptp(payoffs)) or 1.0
    # x . (payoffs - value) >= 0 says the same as x A >= v, for x sums to 1
    bounds = np.vstack([np.eye(rows), (payoffs.T - value) / spread])  # [inequalities, rows], each at least 0
    tight = np.array(list(itertools.combinations(range(rows + columns), rows - 1)), np.int64)  # [choices, rows - 1]
    system = np.concatenate([bounds[tight], np.ones((len(tight), 1, rows))], axis=1)
    system = system[np.abs(np.linalg.det(system)) > TINY]
    right = np.zeros((len(system), rows, 1))
    right[:, -1] = 1.0
    found = np.linalg.solve(system, right)[:, :, 0]
    found = found[(found @ bounds.T >= -TINY).all(axis=1)]
    found[found < TINY] = 0.0
    return np.unique(np.round(found, 9), axis=0)
