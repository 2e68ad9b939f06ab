"""Briedoň 2015, 4.6: three games of two rounds."""

from collections.abc import Callable

import numpy as np

from ...draw.panels import band, titled
from ...games.printed import CATALOGUE, PLANS
from ...measure.track import SHORT
from ..claims import Claim, inside, likely
from ..laboratory import Lab
from ..report import Section
from .courses import INSIDE, Runs, draw_course, exploited, runs_on, strategies
from .printed import ATTRACTOR, EPSILON, FLAT, NEAR, PRINTED_416, ROUNDED

EPSILONS_46 = (0.1, 0.05, 0.01, 0.0001)


def first_game_runs(lab: Lab, epsilon: float) -> Runs:
    return runs_on(lab, "figure4.10", f"uct-eps:epsilon={epsilon}")


def first_game(lab: Lab) -> Section:
    runs = {epsilon: first_game_runs(lab, epsilon) for epsilon in EPSILONS_46}
    said = {0.1: 0.0375, 0.05: 0.0136, 0.01: None, 0.0001: 7.192}
    claims = [inside(f"exploitability, epsilon {e}", said[e], found.ends) for e, found in runs.items()]
    for epsilon, found in runs.items():
        claims.append(likely(f"share of runs below 0.08, epsilon {epsilon}", found.ends < 0.08))
        claims.append(likely(f"share of runs above 6.5, epsilon {epsilon}", found.ends > 6.5))
    claims += strategies(runs[0.1], *ATTRACTOR, PLANS)
    apart, what = runs[0.01].apart(*FLAT), "share of runs near the printed profile of epsilon 0.01"
    claims.append(likely(what, apart <= NEAR, f"nearest {apart.min():.2f}"))
    near = runs[0.1].apart(*ATTRACTOR) <= NEAR
    if near.any():
        mean = runs[0.1].x[near, -1].mean(axis=0), runs[0.1].y[near, -1].mean(axis=0)
        chosen = "not judged: these runs were chosen because they are near"
        claims.append(Claim("(A,F1) of the runs at the printed place", None, float(mean[0][1]), note=chosen))
        claims.append(Claim("(D,H2) of the runs at the printed place", None, float(mean[1][3]), note=chosen))
        low = float(np.median(runs[0.1].ends[near]))
        note = f"the median of {int(near.sum())} runs"
        claims.append(Claim("exploitability of the runs at the printed place", 0.0375, low, kind="amount", note=note))
    prose = (
        "The first game of two rounds (payoffs reconstructed). The thesis concludes that one needs the right epsilon. "
        f"Of the runs with epsilon 0.1 {np.mean(runs[0.1].ends < 0.08):.0%} end below 0.08 and "
        f"{np.mean(runs[0.1].ends > 6.5):.0%} above 6.5, of those with 0.0001 {np.mean(runs[0.0001].ends < 0.08):.0%} and "
        f"{np.mean(runs[0.0001].ends > 6.5):.0%}: the printed contrast is one between two "
        "single runs. The printed end of epsilon 0.1 is a place where runs come to rest: "
        f"{int(near.sum())} of {len(near)} end there. Measured: {runs[0.1].length} for each epsilon. {INSIDE}"
    )
    return Section("section4.6.1", "4.6.1 First problematic game", prose, claims)


def figure_411(lab: Lab) -> Section:
    figure, one = titled("Figure 4.11: exploitability on the first game, by epsilon", "exploitability")
    for epsilon in EPSILONS_46:
        runs = first_game_runs(lab, epsilon)
        band(one, runs.simulations, runs.exploitability, f"epsilon {epsilon}")
    for said, where in ((0.0375, "0.1"), (7.192, "0.0001")):
        one.axhline(said, color="black", ls=":", lw=1)
        one.annotate(f"printed, {where}", (30, said), fontsize=8, va="bottom")
    one.set_yscale("log")
    one.legend(frameon=False, loc="lower left")
    prose = f"Medians and the middle 90 % of {runs.length} for each epsilon."
    return Section("figure4.11", "Figure 4.11", prose, (), {}, {"figure4.11": figure})


def course_of_first(number: str, player: int) -> Callable[[Lab], Section]:
    def part(lab: Lab) -> Section:
        title = f"Figure {number}: {('first', 'second')[player]} player's strategy, epsilon 0.1 and 0.01"
        figure, sides = titled(title, "probability", count=2)
        for one, epsilon, place in zip(sides, (0.1, 0.01), (ATTRACTOR, FLAT), strict=True):
            runs = first_game_runs(lab, epsilon)
            chosen = int(runs.apart(*place).argmin())
            for plan, name in enumerate(PLANS[player]):
                one.plot(runs.simulations, (runs.x, runs.y)[player][chosen, :, plan], label=name)
            one.set_title(f"epsilon {epsilon}", fontsize=9)
            one.legend(frameon=False, fontsize=8)
        prose = f"For each epsilon the run of {len(runs.ends)} that ends nearest to the printed one."
        return Section(f"figure{number}", title, prose, (), {}, {f"figure{number}": figure})

    return part


def second_game(lab: Lab) -> Section:
    runs = runs_on(lab, "figure4.14", EPSILON)
    raised = runs_on(lab, "figure4.14-raised", "uct-eps:epsilon=0.1", SHORT)
    stuck = (runs.x[:, -1, 1] > 0.99) & (runs.y[:, -1, 2] > 0.98)
    claims = [
        inside("exploitability", 0.996, runs.ends),
        inside("(A,F1)", 0.99999, runs.x[:, -1, 1], "rate", note="printed as (A,E1), which does not give 0.996"),
        inside("(D,G2)", 0.99999, runs.y[:, -1, 2], "rate"),
        likely("share of runs stuck on that pair", stuck),
        inside("exploitability with a payoff raised to 200, epsilon 0.1", 67.807, raised.ends),
    ]
    prose = (
        "The second game (payoffs reconstructed): its equilibrium is nearly pure for the first player, and the "
        f"printed run (`{EPSILON}`) ends on the pure pair, where the second player's strategy is far off. Measured: "
        f"{runs.length}. {INSIDE}"
    )
    return Section("section4.6.2", "4.6.2 Second problematic game", prose, claims)


def figure_415(lab: Lab) -> Section:
    runs = runs_on(lab, "figure4.14", EPSILON)
    figure, one = titled("Figure 4.15: exploitability on the second game, epsilon 0.0001", "exploitability")
    band(one, runs.simulations, runs.exploitability, f"{len(runs.ends)} runs")
    one.axhline(0.996, color="black", ls=":", lw=1, label="printed end")
    one.legend(frameon=False)
    middle = np.median(runs.exploitability, axis=0)
    at = int(middle.argmin())
    note = f"the median there is {middle[at]:.4g}; at 200,000 simulations it is {middle[runs.at(200_000)]:.4g}"
    lowest = float(runs.simulations[at])
    claim = Claim("simulations where exploitability is lowest", 200_000, lowest, kind="duration", note=note)
    prose = (
        "The thesis sees exploitability fall until about 200,000 simulations and then rise, as the second player leaves an "
        f"action that the equilibrium needs. Measured: {runs.length}; the claim is about their median."
    )
    return Section("figure4.15", "Figure 4.15", prose, [claim], {}, {"figure4.15": figure})


WINDOW_416 = "uct-window:window=70000,epsilon=0.0001"


def third_game(lab: Lab) -> Section:
    x, y = PRINTED_416
    runs = runs_on(lab, "figure4.16", WINDOW_416, SHORT, 40)
    payoffs = CATALOGUE["figure4.16"].game.payoffs
    early, later = runs.exploitability[:, runs.at(2_600)], runs.exploitability[:, runs.at(80_000)]
    full = runs.exploitability[:, runs.simulations > min(200_000, runs.simulations[-2])]
    claims = [
        exploited(payoffs, x, y, 1.463, rounding=ROUNDED),
        inside("exploitability at the end", 1.463, runs.ends),
        inside("at 2,600 simulations", 0.48, early),
        inside("at 80,000 simulations", 3.14, later),
        inside("the best of a run, once the window is full", 0.27, full.min(axis=1)),
        inside("the worst", 5.5, full.max(axis=1)),
        *strategies(runs, x, y, PLANS)[:8],
    ]
    prose = (
        f"The third game (payoffs reconstructed) with a window of 70,000 simulations a selector (`{WINDOW_416}`). The "
        f"strategy goes on wandering, so a printed end is one moment of a walk. Measured: {runs.length}. {INSIDE}"
    )
    return Section("section4.6.3", "4.6.3 Third game", prose, claims)


def course_of_third(number: str, player: int) -> Callable[[Lab], Section]:
    def part(lab: Lab) -> Section:
        runs = runs_on(lab, "figure4.16", WINDOW_416, SHORT, 40)
        title = f"Figure {number}: {('first', 'second')[player]} player's strategy with a window of 70,000"
        figure = draw_course(runs, 0, player, PLANS[player], title)
        prose = f"The first of {runs.length}; dashed: the median of all. The thesis shows 3.1 million simulations."
        return Section(f"figure{number}", title, prose, (), {}, {f"figure{number}": figure})

    return part
