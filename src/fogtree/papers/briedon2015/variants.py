"""Briedoň 2015, 4.4 and 4.5.3: three variants of UCT on one game, and a game of the 3x3 family that it creeps through."""

from collections.abc import Callable

import numpy as np

from ...draw.panels import band, titled
from ...games.printed import CATALOGUE, like_figure_49
from ...measure.track import MIDDLE
from ...solvers.exact.simplex import solve_matrix
from ..claims import Claim, inside, likely
from ..laboratory import Lab
from ..report import Section
from .courses import INSIDE, draw_course, exploited, runs_on, strategies
from .printed import ACTIONS, DETERMINISTIC, EPSILON, PRINTED_41, PRINTED_49, ROUNDED

WINDOW_41 = "uct-window:window=1000000,epsilon=0.0001"


def plain_uct(lab: Lab) -> Section:
    x, y = PRINTED_41[DETERMINISTIC]
    runs = runs_on(lab, "figure4.1", DETERMINISTIC)
    claims = strategies(runs, x, y, (ACTIONS, ACTIONS))
    claims += [
        inside("exploitability", None, runs.ends),
        likely("share of runs that all but drop the 2nd action, as printed", runs.x[:, -1, 1] < 0.01),
        likely("share of runs with exploitability below 0.05", runs.ends < 0.05),
    ]
    prose = (
        f"Deterministic UCT (`{DETERMINISTIC}`) on Figure 4.1's game. The printed run drops the second action, which the "
        f"equilibrium plays 40 % of the time, and plays the third one, which is dominated. Measured: {runs.length}. {INSIDE}"
    )
    return Section("section4.4.1", "4.4.1 UCT", prose, claims)


def nondeterministic(lab: Lab) -> Section:
    x, y = PRINTED_41[EPSILON]
    runs = runs_on(lab, "figure4.1", EPSILON)
    payoffs = CATALOGUE["figure4.1"].game.payoffs
    worth = payoffs @ np.array(y)
    claims = [
        inside("exploitability", 0.166, runs.ends),
        exploited(payoffs, x, y, 0.166, "the printed action values give 0.166; the printed strategies do not"),
        *(
            Claim(f"value of the {ACTIONS[i]} against the printed strategy", said, float(worth[i]), rounding=ROUNDED)
            for i, said in enumerate((-1.288, -1.065, -1.354))
        ),
        *strategies(runs, x, y, (ACTIONS, ACTIONS)),
        likely("share of runs stuck without the 2nd action, as printed", runs.x[:, -1, 1] < 0.01),
        likely("share of runs with exploitability below 0.05", runs.ends < 0.05),
    ]
    prose = (
        f"With epsilon 0.0001 (`{EPSILON}`) the printed run is stuck in the same place. That is one end of several: "
        f"{int((runs.x[:, -1, 1] < 0.01).sum())} of {len(runs.ends)} runs drop the second action, the others keep it and end "
        f"elsewhere. Measured: {runs.length}. {INSIDE}"
    )
    figure, one = titled(
        f"Figure 4.1's game, epsilon 0.0001: where {len(runs.ends)} runs end",
        "runs",
        xlabel="exploitability",
        xscale="linear",
    )
    one.hist(runs.ends, bins=40)
    one.axvline(0.166, color="black", ls=":", lw=1, label="printed")
    one.legend(frameon=False)
    return Section("section4.4.2", "4.4.2 Nondeterministic UCT", prose, claims, {}, {"section4.4.2": figure})


def course_of_41(number: str, player: int, values: bool) -> Callable[[Lab], Section]:
    """Figures 4.2 to 4.5: one player's strategy or selector values over the run that ends nearest to print."""

    def part(lab: Lab) -> Section:
        runs = runs_on(lab, "figure4.1", EPSILON)
        chosen = int(runs.apart(*PRINTED_41[EPSILON]).argmin())
        who = ("first", "second")[player]
        title = f"Figure {number}: {who} player's {'values' if values else 'strategy'}"
        names = ACTIONS[: 3 - player]
        if values:
            assert runs.values is not None
            figure, one = titled(title, "mean payoff of the action in its selector")
            for action, name in enumerate(names):
                one.plot(runs.simulations, runs.values[player][chosen, :, action], label=name)
            one.axhline((-1.2, 1.2)[player], color="black", ls=":", lw=1, label="value of the game")
            one.legend(frameon=False)
        else:
            figure = draw_course(runs, chosen, player, names, title)
        prose = f"The run of {len(runs.ends)} that ends nearest to the printed strategies (seed {lab.seed + chosen})."
        if not values:
            prose += " Dashed: the median of all runs."
        return Section(f"figure{number}", title, prose, (), {}, {f"figure{number}": figure})

    return part


def sliding_window(lab: Lab) -> Section:
    x: tuple = (0.6692, 0.2463, 0.0845)
    runs = runs_on(lab, "figure4.1", WINDOW_41, MIDDLE, 20)
    plain = runs_on(lab, "figure4.1", EPSILON)
    full = runs.simulations > 2_000_000
    later = runs.exploitability[:, full] if full.any() else runs.exploitability[:, -1:]
    claims = [
        inside("exploitability at the end", 0.468, runs.ends),
        *strategies(runs, x, (), (ACTIONS, ACTIONS))[:3],
        inside("the best exploitability of a run, once the window is full", None, later.min(axis=1)),
        inside("the worst", None, later.max(axis=1)),
        likely(
            "share of runs that end nearer to equilibrium than the median without a window",
            runs.ends < np.median(plain.ends),
        ),
    ]
    prose = (
        f"A window of 1,000,000 simulations (`{WINDOW_41}`). Once it is full the strategy does not settle: where a run ends "
        f"is where it happens to be. Measured: {runs.length}. {INSIDE}"
    )
    figure, one = titled("Figure 4.1's game: with a window of 1,000,000, and without", "exploitability")
    band(one, runs.simulations, runs.exploitability, "window")
    band(one, plain.simulations, plain.exploitability, "epsilon 0.0001, no window")
    one.plot(runs.simulations, runs.exploitability[0], lw=0.8, color="black", label="one run with the window")
    one.axhline(0.468, color="black", ls=":", lw=1, label="printed")
    one.legend(frameon=False)
    return Section("section4.4.3", "4.4.3 Sliding window", prose, claims, {}, {"section4.4.3": figure})


def problematic(lab: Lab) -> Section:
    x, y = PRINTED_49
    runs = runs_on(lab, "figure4.9", EPSILON)
    payoffs = CATALOGUE["figure4.9"].game.payoffs
    values = {round(solve_matrix(game.payoffs).value, 9) for game in like_figure_49()}
    claims = [
        exploited(payoffs, x, y, 0.062),
        inside("exploitability", 0.062, runs.ends),
        *strategies(runs, x, y, (ACTIONS, ACTIONS)),
        Claim("games with one -1 a row and a column, one 0, else 1", None, len(like_figure_49())),
        Claim("different values among them", None, len(values), note="they are one game with its actions renamed"),
    ]
    prose = (
        f"A game of the 3x3 family in which nondeterministic UCT (`{EPSILON}`) comes only slowly to the equilibrium "
        f"(0.4, 0.4, 0.2). Measured: {runs.length}. {INSIDE}"
    )
    figure, one = titled("Figure 4.9's game, epsilon 0.0001", "exploitability")
    band(one, runs.simulations, runs.exploitability, f"{len(runs.ends)} runs")
    one.plot([429_889_708], [0.062], "kx", label="printed")
    one.set_yscale("log")
    one.legend(frameon=False)
    return Section("section4.5.3", "4.5.3 A problematic game", prose, claims, {}, {"section4.5.3": figure})
