"""Sound search at the table: a report of our own. All searches of Fogtree that think at the table, in games that can be
measured exactly: how exploitable they are, beside how much they win.

The papers that introduced these searches stop at win rates. Šustr et al. 2021 say what should be measured; the numbers that
were printed before are in `printed.py`.
"""

from functools import partial

from ..report import Paper
from .games import SETTINGS
from .measured import advice, checks, matches, of_game, tabular

PAPER = Paper(
    "soundness",
    "Sound search at the table, measured exactly",
    "A report of Fogtree's own, after M. Šustr et al., Sound Algorithms in Imperfect Information Games, AAMAS 2021; V. Lisý, "
    "M. Lanctot and M. Bowling, Online Monte Carlo Counterfactual Regret Minimization, AAMAS 2015; M. Šustr, V. Kovařík "
    "and V. Lisý, Monte Carlo Continual Resolving, AAMAS 2019.",
    {
        "checks": checks,
        **{part: partial(of_game, part=part) for part in SETTINGS},
        "tabular": tabular,
        "matches": matches,
        "advice": advice,
    },
    in_lanes=True,
    by_matches=("matches",),
)
