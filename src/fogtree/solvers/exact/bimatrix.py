"""Nash equilibria of games in which two players choose once: support enumeration, and the path of Lemke and Howson.

Player 0 gets first[i, j] and player 1 gets second[i, j] for the row i and the column j. In an equilibrium every action
that a player uses is a best response to the other's mix. The two methods share no code, so that each can check the
other:

* `support_equilibria` tries all pairs of supports of equal size. On given supports the mixes follow from linear
  equations: each mix makes the other player indifferent among the actions of their support. Those whose probabilities
  are not negative, and against which no action outside is better, are equilibria. In a nondegenerate game, where no mix
  of k actions has more than k best responses, these are all (Nash 1951; von Stengel 2007). In a degenerate game there
  may be others.
* `lemke_howson` follows a path of pivots from a corner where nobody plays anything. Beside one label, which is dropped
  at the start, all labels are kept: an action is unplayed or a best response. The path ends where the dropped label is
  found again (Lemke and Howson 1964). It is computed in fractions, so nothing is rounded, and ties are broken
  lexicographically, so that it cannot go in circles. Each label to drop gives an equilibrium, often the same.

`mixes_of` says what each player could win by another answer. It is computed from the two matrices alone.
"""

import itertools
import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...errors import FogtreeError, Invalid
from ...text.parameters import matrix
from ...walk.slices import whole

TINY = 1e-9  # relative to the spread of the payoffs
MOST_PAIRS = 200_000  # of supports
MOST_PIVOTS = 100_000


class Lost(FogtreeError):
    """A path that did not end within the pivots that are allowed."""


class Mixes(NamedTuple):
    """A pair of mixed strategies, and what it pays."""

    x: np.ndarray  # [rows]
    y: np.ndarray  # [columns]
    payoffs: tuple[float, float]
    gains: tuple[float, float]  # [player] what the best answer gets more

    @property
    def total(self) -> float:
        return sum(self.gains)


def support_equilibria(first: Any, second: Any, *, most: int = MOST_PAIRS) -> list[Mixes]:
    """All equilibria whose two supports have the same size: all there are in a nondegenerate game."""
    (first, second), most = _pair(first, second), whole(most, "the most pairs of supports", 1)
    rows, columns = first.shape
    if (pairs := math.comb(rows + columns, rows) - 1) > most:
        raise Invalid(f"a {rows} x {columns} game has {pairs:,} pairs of supports, and {most:,} are allowed")
    slack = _slack(first), _slack(second)
    found = []
    for size in range(1, min(rows, columns) + 1):
        for mine in itertools.combinations(range(rows), size):
            for theirs in itertools.combinations(range(columns), size):
                y = _indifferent(first[np.ix_(mine, theirs)], theirs, columns)
                x = None if y is None else _indifferent(second[np.ix_(mine, theirs)].T, mine, rows)
                if x is not None and y is not None:
                    made = mixes_of(first, second, x, y)
                    if all(gain <= most for gain, most in zip(made.gains, slack, strict=True)):
                        found.append(made)
    return found


def _slack(payoffs: np.ndarray) -> float:
    """What a player may gain by a better answer, so that it counts as rounding."""
    return TINY * float(np.ptp(payoffs)) + sum(payoffs.shape) * float(np.spacing(np.abs(payoffs).max()))


def _indifferent(payoffs: np.ndarray, support: tuple[int, ...], size: int) -> np.ndarray | None:
    """The mix over a support that makes all rows of the payoffs equal, as one over all actions; None if there is none."""
    k = len(support)
    system = np.ones((k, k))
    system[:-1] = payoffs[:-1] - payoffs[1:]
    system[:-1] /= float(np.abs(system[:-1]).max(initial=0.0)) or 1.0  # what is singular does not depend on the unit
    right = np.zeros(k)
    right[-1] = 1.0
    if abs(np.linalg.det(system)) < TINY:
        return None
    mix = np.linalg.solve(system, right)
    if (mix < TINY).any():  # an action of probability 0 belongs to a smaller support
        return None
    whole = np.zeros(size)
    whole[list(support)] = mix
    return whole


def lemke_howson(first: Any, second: Any, label: int = 0) -> Mixes:
    """The equilibrium at the end of the path on which this label is dropped: a row, or the number of rows + a column."""
    first, second = _pair(first, second)
    rows, columns = first.shape
    if isinstance(label, bool) or label not in range(rows + columns):
        raise Invalid(
            f"a label of a {rows} x {columns} game is a whole number from 0 to {rows + columns - 1}, not {label!r}"
        )
    # The row player's tableau says second' x + slack = 1, the column player's says first y + slack = 1.
    tableaux = _Tableau(_positive(second).T, rows, 0, rows), _Tableau(_positive(first), 0, rows, columns)
    entering, turn = label, 0 if label < rows else 1
    for _ in range(MOST_PIVOTS):
        entering = tableaux[turn].enter(entering)
        if entering == label:
            x, y = tableaux[0].mix(), tableaux[1].mix()
            return mixes_of(first, second, x, y)
        turn = 1 - turn
    raise Lost(f"the path did not end within {MOST_PIVOTS:,} pivots")


class _Tableau:
    """One player's equations, payoffs * z + slack = 1, in fractions. The variables are called by their labels: z of action
    k is called z_from + k, and the slack of equation j is called slack_from + j."""

    def __init__(self, payoffs: list[list[Fraction]] | np.ndarray, slack_from: int, z_from: int, actions: int):
        count = len(payoffs)
        self.actions = range(z_from, z_from + actions)
        self.slacks = range(slack_from, slack_from + count)
        self.column = {called: k for k, called in enumerate([*self.actions, *self.slacks])}
        unit = [[Fraction(int(i == j)) for j in range(count)] for i in range(count)]
        self.row = [[*payoffs[i], *unit[i], Fraction(1)] for i in range(count)]
        self.basic = list(self.slacks)

    def enter(self, called: int) -> int:
        """Bring a variable into the basis; returns the label of the one that leaves."""
        at = self.column[called]
        ties = [i for i, row in enumerate(self.row) if row[at] > 0]
        # the ratio first, then the columns of the slacks: no two rows are equal in all of these
        columns = [-1, *(self.column[slack] for slack in self.slacks)]
        leaving = min(ties, key=lambda i: [self.row[i][c] / self.row[i][at] for c in columns])
        pivot = self.row[leaving][at]
        self.row[leaving] = [value / pivot for value in self.row[leaving]]
        for i, row in enumerate(self.row):
            if i != leaving and row[at]:
                factor = row[at]
                self.row[i] = [value - factor * top for value, top in zip(row, self.row[leaving], strict=True)]
        out, self.basic[leaving] = self.basic[leaving], called
        return out

    def mix(self) -> np.ndarray:
        """The mix over the actions."""
        value = dict(zip(self.basic, (row[-1] for row in self.row), strict=True))
        amounts = [value.get(called, Fraction(0)) for called in self.actions]
        return np.array([float(amount / sum(amounts)) for amount in amounts])


def _positive(payoffs: np.ndarray) -> np.ndarray:
    """The payoffs as fractions, moved to be 1 or more, which changes no best response."""
    exact = np.array([[Fraction(value) for value in row] for row in payoffs.tolist()], object)
    return exact - exact.min() + 1


def mixes_of(first: np.ndarray, second: np.ndarray, x: np.ndarray, y: np.ndarray) -> Mixes:
    """A pair of mixes with its payoffs and gains."""
    payoffs = float(x @ first @ y), float(x @ second @ y)
    mine, theirs = first @ y, x @ second
    return Mixes(x, y, payoffs, (float(mine.max() - x @ mine), float(theirs.max() - theirs @ y)))


def _pair(first: Any, second: Any) -> tuple[np.ndarray, np.ndarray]:
    try:
        first, second = matrix(first), matrix(second)
    except ValueError as error:
        raise Invalid(f"the payoffs of each player are {error}") from None
    if first.shape != second.shape:
        raise Invalid(f"both matrices must have the same size, not {first.shape} and {second.shape}")
    return first, second
