"""Briedoň 2015, 5.1: the thesis' own improvement, which sets counts back."""

import numpy as np

from ...draw.panels import titled
from ...games.printed import CATALOGUE
from ..claims import inside, likely
from ..laboratory import Lab
from ..report import Section
from .courses import INSIDE, exploited, runs_on, strategies
from .printed import ACTIONS, EPSILON, PRINTED_51
from .rounds import first_game_runs

RESET = "uct-reset"


def improvement(lab: Lab) -> Section:
    x, y = PRINTED_51
    runs, plain = runs_on(lab, "figure4.1", RESET), runs_on(lab, "figure4.1", EPSILON)
    first, before = runs_on(lab, "figure4.10", RESET), first_game_runs(lab, 0.0001)
    payoffs = CATALOGUE["figure4.1"].game.payoffs
    claims = [
        exploited(
            payoffs, x, y, 0.1013, "the printed number is the sum of both gains, not half as elsewhere in the thesis"
        ),
        inside("Figure 4.1's game: sum of both gains, with the reset", 0.1013, 2 * runs.ends),
        *strategies(runs, x, y, (ACTIONS, ACTIONS)),
        likely("share of runs with a sum below 0.15, with the reset", 2 * runs.ends < 0.15),
        likely("share of runs with a sum below 0.15, without", 2 * plain.ends < 0.15),
        inside("first game of two rounds, with the reset", 0.056, first.ends),
        inside("without", 7.192, before.ends),
        likely("share of runs below 0.08, with the reset", first.ends < 0.08),
        likely("share of runs below 0.08, without", before.ends < 0.08),
        likely("share of runs above 6.5, with the reset", first.ends > 6.5),
        likely("share of runs above 6.5, without", before.ends > 6.5),
    ]
    prose = (
        f"The thesis' own improvement (`{RESET}`): when an action's value turns round, counts are set back to 100 and values "
        "are kept. The printed gains (0.166 to 0.1013, and 7.192 to 0.056) are single runs before and after. Without the "
        f"reset: `{EPSILON}`. Measured: {runs.length} of each. {INSIDE}"
    )
    figure, sides = titled(
        "5.1 Where runs end, with and without the reset",
        "share of runs",
        xlabel="exploitability",
        xscale="linear",
        count=2,
    )
    for one, pair, name in zip(sides, ((plain, runs), (before, first)), ("Figure 4.1", "Figure 4.10"), strict=True):
        for each, label in zip(pair, ("without", "with the reset"), strict=True):
            ends = np.sort(each.ends)
            one.step(ends, np.arange(1, len(ends) + 1) / len(ends), where="post", label=label)
        one.set_title(name, fontsize=9)
        one.legend(frameon=False)
    return Section("section5.1", "5.1 The reset", prose, claims, {}, {"section5.1": figure})
