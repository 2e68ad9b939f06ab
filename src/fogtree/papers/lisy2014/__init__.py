"""Lisý 2014, Alternative Selection Functions for Information Set Monte Carlo Tree Search: all its tables and figures.

Budgets are iterations: the paper's seconds times the iterations a second that it states for each selection function and
game, so that nothing here depends on our speed. (It states them for the two small games; the large ones take the same rates.)

How the printed numbers are read, where the text leaves it open or the authors' code differs from it:
* UCT is the code's: no 2 under the root, C = 2, random among actions within 0.01 of the best (`uct-eps`).
* In matches all three draw from their mix and search anew at each move. Nothing of this is in the text, and the code can
  also keep its trees and play UCT's most visited action: part `readings` tries these.
* All Phantom experiments try winning cells first: two random players then score 70.8 %, as printed, and 64.8 % otherwise.
"""

from functools import partial

from ..report import Paper
from .draws import weighted
from .figures import figure2, figure3, full_phantom
from .tables import readings, win_rates

PAPER = Paper(
    "lisy2014",
    "Alternative Selection Functions for Information Set Monte Carlo Tree Search",
    "V. Lisý, Acta Polytechnica 54(5), 2014.",
    {
        "table1": partial(win_rates, name="table1", title="Table 1: win rates in 6-card Goofspiel"),
        "table3": partial(win_rates, name="table3", title="Table 3: win rates in full Phantom Tic-Tac-Toe"),
        "figure2": figure2,
        "figure3": figure3,
        "readings": readings,
        "full-phantom": full_phantom,
        "weighted": weighted,
        "table2": partial(win_rates, name="table2", title="Table 2: win rates in 13-card Goofspiel"),
    },
    by_matches=("table1", "table3", "readings", "weighted", "table2"),
)
