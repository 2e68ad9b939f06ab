"""The games of Briedoň 2015, by name: `fogtree solve briedon2015/figure4.1`.

Payoffs go to the first player; actions are numbered from 0 here and from 1 in print. In Figure 3.2 the second player gets 1
less what the first gets, which changes no choice of any player. The trees of Figures 4.10, 4.14 and 4.16 are lost (they are
pictures without numbers in the text): their payoffs are **reconstructions**, of which the cells that the printed equilibria
and utilities pin down are firm and the rest is one filling of many. Rows are the plans (A,E1), (A,F1), (B,E2), (B,F2),
columns (C,G1), (C,H1), (D,G2), (D,H2).
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..text.parameters import matrix
from .matrix import MatrixGame
from .rounds import Rounds


class Printed(NamedTuple):
    """A game and what the thesis prints of its equilibrium."""

    game: Any
    value: float  # as printed
    first: tuple[float, ...]  # the first player's equilibrium, as printed
    second: tuple[float, ...]
    note: str = ""


FIRST = ((-7, -1, -1, 2), (5, -5, 7, -8), (-1, 6, -2, 6), (-1, 2, -1, -8))
SECOND = ((-7, 5, 5, -8), (8, 8, 3, 4), (0, -5, 0, 0), (-6, -7, -7, -8))
RAISED = ((-7, 5, 5, -8), (8, 8, 3, 4), (0, -5, 200, 0), (-6, -7, -7, -8))
THIRD = ((2, 5, -8, -1), (-8, 1, 8, -5), (4, -6, -3, -8), (5, -3, 6, 6))
THIRDS = (1 / 3, 1 / 3, 1 / 3)
RECONSTRUCTED = "a reconstruction: the support's payoffs follow from print, the others are one filling of many"

CATALOGUE = {
    "figure3.2": Printed(
        MatrixGame(matrix([[0.5, 0.75, 0], [0.25, 0.5, 0.55], [1, 0.45, 0.5]])),
        0.5,
        THIRDS,
        THIRDS,
        "the equilibrium is (1, 10, 5) / 16 for both players, not uniform as printed",
    ),
    "table4.1": Printed(
        MatrixGame(matrix([[2, 3.5, 3, 2], [2.1, 4, 1, 1], [3, 1, 1, 1], [1, 2, 3, 2]])), 2, (1, 0, 0, 0), (0, 0, 0, 1)
    ),
    "figure4.1": Printed(
        MatrixGame(matrix([[-4, 0], [3, -3], [0, -2]])),
        -1.35,
        (0.6, 0.4, 0),
        (0.3, 0.7),
        "the value is -1.2, not -1.35",
    ),
    "figure4.9": Printed(
        MatrixGame(matrix([[0, 1, -1], [1, -1, 1], [-1, 1, 1]])), 0.2, (0.4, 0.4, 0.2), (0.4, 0.4, 0.2)
    ),
    "figure4.10": Printed(Rounds(matrix(FIRST)), 1.1, (0, 0.35, 0.65, 0), (0.7, 0, 0, 0.3), RECONSTRUCTED),
    "figure4.14": Printed(
        Rounds(matrix(SECOND)), 3.143, (0.07143, 0.92857, 0, 0), (0, 0, 0.85714, 0.14286), RECONSTRUCTED
    ),
    "figure4.14-raised": Printed(
        Rounds(matrix(RAISED)), 3.98, (), (), RECONSTRUCTED + "; one cell raised from 0 to 200"
    ),
    "figure4.16": Printed(Rounds(matrix(THIRD)), 0.96, (0.39, 0.21, 0, 0.4), (0, 0.56, 0.2, 0.24), RECONSTRUCTED),
}
PLANS = (("(A,E1)", "(A,F1)", "(B,E2)", "(B,F2)"), ("(C,G1)", "(C,H1)", "(D,G2)", "(D,H2)"))


def like_figure_49() -> list[MatrixGame]:
    """The games that behave like Figure 4.9, says 4.5.3: a single -1 in each row and in each column, one 0, else 1."""
    found = []
    for lost in itertools.permutations(range(3)):
        for cell in range(9):
            payoffs = np.ones((3, 3))
            payoffs.flat[cell] = 0.0
            payoffs[range(3), lost] = -1.0
            if (payoffs == 0.0).any():
                found.append(MatrixGame(payoffs))
    return found


def load_printed(text: str) -> Any:
    """The game that a text like `briedon2015/figure4.1` names."""
    name = text.partition("/")[2]
    if name not in CATALOGUE:
        raise Invalid(f"briedon2015 has no game '{name}': valid are {', '.join(CATALOGUE)}")
    return CATALOGUE[name].game
