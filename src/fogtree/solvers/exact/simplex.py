"""Equilibria of zero-sum matrix games by a small dense simplex, compiled: millions of 3x3 games a second.

Dantzig's reduction (1951): with all payoffs positive and the value v, the column player's best mix is v z, where z solves

    maximise  z_1 + ... + z_n   subject to   A z <= 1,  z >= 0          and the maximum is 1 / v.

The row player's mix is v times the dual solution, which the same tableau holds. It starts feasible (z = 0) and is kept
condensed, (m + 1) x (n + 1), slacks and variables changing places (Tucker's scheme): a pivot touches m n numbers.

Payoffs are moved and scaled to lie in [1, 2], so that tolerances mean the same in every game. The column with the best rate
enters; of the rows that limit it, up to rounding, that with the largest pivot leaves (Harris 1973). Small whole payoffs make
many pivots that gain nothing: after as many as there are lines, Bland's rule (1977) takes over, which cannot go in circles.

Nothing is taken on trust: the value returned lies in the middle between what the two mixes guarantee against every answer,
and a game where these differ by more than AGREE is refused.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import FogtreeError, Invalid
from ...game import NONE
from ...kernels import kernel

AGREE = 1e-9  # how far the two guarantees may lie apart, relative to the spread of the payoffs
TINY = 1e-11  # what counts as 0 in a tableau of payoffs from 1 to 2
SLACK = 1e-14  # how far a variable may fall below 0 for the sake of a larger pivot
PIVOTS_A_LINE = 50  # far more than are needed: a tableau still not done has lost its way by rounding
LARGEST = 1e100


class Unsolved(FogtreeError):
    """A program without a solution that holds what it claims."""


class Equilibrium(NamedTuple):
    """The value for the row player, and the mixes that guarantee it; for many games with a leading axis."""

    value: Any  # a float, or [games]
    x: np.ndarray  # [rows]
    y: np.ndarray  # [columns]


class Tableau(NamedTuple):
    """Scratch. Row i says: basic variable i = cell[i, n] - sum over j of cell[i, j] times the j-th other variable."""

    cell: np.ndarray  # [rows + 1, columns + 1] last row: the rates, negative; last column: the solution
    basic: np.ndarray  # [rows] the variable of a row: a column of the game, or, for a slack, columns + a row
    other: np.ndarray  # [columns] the variable of a column


def fill(tableau, payoffs):
    """Write the first tableau; returns the least payoff and the spread by which all were scaled."""
    rows, columns = payoffs.shape
    low, high = payoffs[0, 0], payoffs[0, 0]
    for i in range(rows):
        for j in range(columns):
            low, high = min(low, payoffs[i, j]), max(high, payoffs[i, j])
    spread = high - low if high > low else 1.0
    cell = tableau.cell
    for i in range(rows):
        for j in range(columns):
            cell[i, j] = 1.0 + (payoffs[i, j] - low) / spread
        cell[i, columns] = 1.0
        tableau.basic[i] = columns + i
    for j in range(columns):
        cell[rows, j] = -1.0
        tableau.other[j] = j
    cell[rows, columns] = 0.0
    return low, spread


def entering(tableau, careful):
    """The column whose variable raises the objective fastest, or if careful that with the lowest number; else NONE."""
    rate, other, chosen = tableau.cell[-1], tableau.other, NONE
    for j in range(other.shape[0]):
        if rate[j] < -TINY and (chosen == NONE or (other[j] < other[chosen] if careful else rate[j] < rate[chosen])):
            chosen = j
    return chosen


def leaving(tableau, s, careful):
    """The row whose variable falls to 0 first as that of column s grows: of (nearly) equal ones that with the largest
    pivot, or if careful that with the lowest number."""
    cell, basic, chosen = tableau.cell, tableau.basic, NONE
    least = np.inf
    for i in range(basic.shape[0]):
        if cell[i, s] > TINY:
            least = min(least, (cell[i, -1] + SLACK) / cell[i, s])
    for i in range(basic.shape[0]):
        if (
            cell[i, s] > TINY
            and cell[i, -1] / cell[i, s] <= least
            and (chosen == NONE or (basic[i] < basic[chosen] if careful else cell[i, s] > cell[chosen, s]))
        ):
            chosen = i
    return chosen


def pivot(tableau, r, s):
    """The variables of row r and column s change places."""
    cell = tableau.cell
    inverse = 1.0 / cell[r, s]
    for j in range(cell.shape[1]):
        cell[r, j] *= inverse
    cell[r, s] = inverse
    for i in range(cell.shape[0]):
        factor = cell[i, s]
        if i != r and factor != 0.0:
            cell[i, s] = 0.0
            for j in range(cell.shape[1]):
                cell[i, j] -= factor * cell[r, j]
    tableau.basic[r], tableau.other[s] = tableau.other[s], tableau.basic[r]


def optimise(tableau):
    """Pivot until no column raises the objective."""
    lines = tableau.basic.shape[0] + tableau.other.shape[0]
    stalled = 0
    for _ in range(PIVOTS_A_LINE * lines):
        careful = stalled > lines
        s = entering(tableau, careful)
        if s == NONE:
            return
        r = leaving(tableau, s, careful)
        if r == NONE:  # only by rounding: a positive matrix bounds the objective
            return
        before = tableau.cell[-1, -1]
        pivot(tableau, r, s)
        stalled = 0 if tableau.cell[-1, -1] > before + TINY else stalled + 1


def read_off(tableau, x, y):
    """Write the mixes, which the tableau holds up to a common factor and to rounding."""
    columns = y.shape[0]
    x[:], y[:] = 0.0, 0.0
    for i in range(x.shape[0]):
        if tableau.basic[i] < columns:
            y[tableau.basic[i]] = tableau.cell[i, -1]
    for j in range(columns):
        if tableau.other[j] >= columns:
            x[tableau.other[j] - columns] = tableau.cell[-1, j]
    normalise(x)
    normalise(y)


def normalise(mix):
    total = 0.0
    for i in range(mix.shape[0]):
        if mix[i] < TINY:
            mix[i] = 0.0
        total += mix[i]
    for i in range(mix.shape[0]):
        mix[i] /= total


def guarantees(payoffs, base, x, y):
    """What the row player gets at least by x, and at most against y, more than the base."""
    rows, columns = payoffs.shape
    low, high = np.inf, -np.inf
    for j in range(columns):
        worth = 0.0
        for i in range(rows):
            worth += x[i] * (payoffs[i, j] - base)
        low = min(low, worth)
    for i in range(rows):
        worth = 0.0
        for j in range(columns):
            worth += (payoffs[i, j] - base) * y[j]
        high = max(high, worth)
    return low, high


@kernel
def solve_each(payoffs, tableau, value, x, y):
    """Solve the games in turn; returns the first that failed, or NONE. Written: value, x, y; the tableau is scratch."""
    for n in range(payoffs.shape[0]):
        base, spread = fill(tableau, payoffs[n])
        optimise(tableau)
        read_off(tableau, x[n], y[n])
        low, high = guarantees(payoffs[n], base, x[n], y[n])
        value[n] = base + 0.5 * (low + high)
        if not high - low <= AGREE * spread:
            return n
    return NONE


def solve_matrix(payoffs: Any) -> Equilibrium:
    """The value of a zero-sum game and an equilibrium; payoffs[row, column] goes to the row player."""
    found = solve_matrices([payoffs])
    return Equilibrium(float(found.value[0]), found.x[0], found.y[0])


def solve_matrices(payoffs: Any) -> Equilibrium:
    """The same for many games of one size, payoffs[game, row, column]."""
    try:
        batch = np.ascontiguousarray(payoffs, np.float64)
    except (TypeError, ValueError):
        batch = np.empty(0)
    if batch.ndim != 3 or 0 in batch.shape[1:] or not (np.abs(batch) < LARGEST).all():
        raise Invalid(f"payoffs must be a matrix of numbers below {LARGEST:g} a game, all of one size")
    games, rows, columns = batch.shape
    tableau = Tableau(np.empty((rows + 1, columns + 1)), np.empty(rows, np.int64), np.empty(columns, np.int64))
    value, x, y = np.empty(games), np.empty((games, rows)), np.empty((games, columns))
    failed = solve_each(batch, tableau, value, x, y)
    if failed != NONE:
        raise Unsolved(
            f"game {failed} is too badly conditioned for this simplex: use solve_normal_form, or equal scales"
        )
    return Equilibrium(value, x, y)
