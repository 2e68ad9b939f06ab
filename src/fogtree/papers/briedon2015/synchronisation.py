"""Briedoň 2015, 3.3.2 and 4.3: two selectors that fall into step; dominated actions."""

import numpy as np

from ...draw.panels import band, titled
from ...games.printed import CATALOGUE
from ...measure.track import SHORT, matrix_exploitability
from ...solvers.exact.dominance import dominated, iterated_dominance
from ...solvers.exact.simplex import solve_matrix
from ..claims import Claim, inside, likely
from ..laboratory import Lab
from ..report import Section
from .courses import INSIDE, exploited, runs_on, strategies
from .printed import ACTIONS, DETERMINISTIC, EPSILON, PRINTED_32


def synchronisation(lab: Lab) -> Section:
    x, y = PRINTED_32
    runs, mended = runs_on(lab, "figure3.2", DETERMINISTIC), runs_on(lab, "figure3.2", EPSILON, SHORT, 20)
    payoffs = CATALOGUE["figure3.2"].game.payoffs
    claims = [
        exploited(payoffs, x, y, 0.1445),
        inside("exploitability of deterministic UCT", 0.1445, runs.ends),
        *strategies(runs, x, y, (ACTIONS, ACTIONS)),
        inside("exploitability of nondeterministic UCT, epsilon 0.0001", None, mended.ends),
    ]
    uniform = (1 / 3,) * 3
    middle = [np.median(mix[:, -1], axis=0) for mix in (runs.x, runs.y)]
    equilibrium = solve_matrix(payoffs).x
    prose = (
        f"Deterministic UCT (`{DETERMINISTIC}`) against itself on the modified rock-paper-scissors. The two selectors fall "
        f"into step. In the median run the first player plays the second action {middle[0][1]:.0%} of the time; in the "
        f"equilibrium {equilibrium[1]:.1%}. Two players who drew independently from the median strategies would meet on the "
        f"diagonal, where each gets the value of the game, {middle[0] @ middle[1]:.0%} of the time. The thesis takes the "
        "uniform mix for the equilibrium; its exploitability is "
        f"{matrix_exploitability(payoffs, uniform, uniform):.2f}. Measured: {runs.length}; with epsilon 0.0001 "
        f"{mended.length}. {INSIDE}"
    )
    figure, one = titled(
        "Figure 3.2's game: deterministic UCT, and with epsilon 0.0001", "exploitability (half the gains)"
    )
    band(one, runs.simulations, runs.exploitability, "deterministic")
    band(one, mended.simulations, mended.exploitability, "epsilon 0.0001")
    one.axhline(0.1445, color="black", ls=":", lw=1, label="printed")
    one.set_yscale("log")
    one.legend(frameon=False)
    return Section("section3.3.2", "3.3.2 Synchronisation", prose, claims, {}, {"section3.3.2": figure})


def dominance(lab: Lab) -> Section:
    game = CATALOGUE["table4.1"].game
    runs = runs_on(lab, "table4.1", DETERMINISTIC)
    left = iterated_dominance(game)
    once = dominated(game)
    rows = [one.action for one in once if one.player == 0]
    later = sorted({one.action for one in left.removed if one.player == 0} - set(rows))
    shares = runs.x[:, -1]
    claims = [
        Claim("value of the game", 2.0, solve_matrix(game.payoffs).value),
        Claim("rows left by iterated weak dominance", 1, len(left.actions[0])),
        Claim(
            "columns left",
            2,
            len(left.actions[1]),
            note="Table 4.2 shows two; the removals that the text lists leave one",
        ),
        *(
            inside(
                f"row {row + 1}, {'dominated at once' if row in rows else 'dominated later'}",
                None,
                shares[:, row],
                "rate",
            )
            for row in (1, 2, 3)
        ),
        likely("share of runs that play each dominated row below 0.0001", (shares[:, 1:] < 1e-4).all(axis=1)),
        inside(
            "rows that are dominated later beside those dominated at once",
            2.0,
            _ratio(shares, later, rows),
            rounding=0.5,
        ),
        inside(
            "row 4 beside rows 2 and 3",
            None,
            _ratio(shares, [3], [1, 2]),
            note="the printed ratio, the other way round",
        ),
        inside("exploitability", None, runs.ends),
    ]
    words = "; ".join(str(one) for one in left.removed)
    prose = (
        "Table 4.1 has dominated actions, and others that are dominated once those are gone; UCT gives up all "
        f"of them. By our dominance program (rows and columns from 0): {words}. The thesis calls "
        "the *first* row dominated, which is the equilibrium: it means the last. The thesis says that each "
        f"dominated row is played with less than 0.0001 after 3 million simulations. Measured: {runs.length}. {INSIDE}"
    )
    return Section("section4.3", "4.3 Iterated dominance", prose, claims)


def _ratio(shares: np.ndarray, these: list[int], those: list[int]) -> np.ndarray:
    """How much likelier these rows are than those, on average [runs]."""
    return shares[:, these].mean(axis=1) / shares[:, those].mean(axis=1)
