"""Briedoň 2015, 3.3.2 to 4.5.3 and 5.1: matrix games. Two selectors that fall into step; dominated actions; three variants of
UCT on one game; a game of the 3x3 family that it creeps through; the thesis' own improvement, which sets counts back."""

from collections.abc import Callable

import numpy as np

from ...draw.panels import band, titled
from ...games.printed import CATALOGUE, PLANS, like_figure_49
from ...measure.track import MIDDLE, SHORT, matrix_exploitability
from ...solvers.exact.dominance import dominated, iterated_dominance
from ...solvers.exact.simplex import solve_matrix
from ..claims import Claim, inside, likely
from ..laboratory import Lab
from ..report import Section
from .courses import INSIDE, draw_course, exploited, runs_on, strategies
from .printed import ACTIONS, DETERMINISTIC, EPSILON, PRINTED_32, PRINTED_41, PRINTED_49, PRINTED_51, ROUNDED
from .rounds import first_game_runs

WINDOW_41 = "uct-window:window=1000000,epsilon=0.0001"
RESET = "uct-reset"


def equilibrium(name: str) -> Callable[[Lab], Section]:
    """The part of a game that the thesis only shows: its equilibrium by our solver beside the printed one."""

    def part(lab: Lab) -> Section:
        printed = CATALOGUE[name]
        found = solve_matrix(printed.game.payoffs)
        rounds = printed.game.payoffs.shape == (4, 4) and name != "table4.1"
        names = PLANS if rounds else ((*ACTIONS, "4th action"),) * 2
        rounding = 5e-3 if rounds else 5e-4
        claims = [Claim("value of the game", printed.value, found.value, rounding=5e-3)]
        for player, (said, ours) in enumerate(((printed.first, found.x), (printed.second, found.y))):
            for action, probability in enumerate(said):
                what = f"equilibrium of the {('first', 'second')[player]} player, {names[player][action]}"
                claims.append(Claim(what, probability, float(ours[action]), rounding=rounding))
        payoffs = [[f"{u:g}" for u in row] for row in printed.game.payoffs]
        note = f"Note: {printed.note}." if printed.note else ""
        prose = f"`fogtree solve briedon2015/{name}`. {note}"
        header = [f"column {j + 1}" for j in range(printed.game.payoffs.shape[1])]
        return Section(name, f"The game {name}", prose, claims, {f"{name}-payoffs": (header, payoffs)})

    return part


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
    title = "Figure 3.2's game: deterministic UCT, and with epsilon 0.0001"
    figure, one = titled(title, "exploitability (half the gains)")
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
    two = "Table 4.2 shows two; the removals that the text lists leave one"
    when = {row: "dominated at once" if row in rows else "dominated later" for row in (1, 2, 3)}
    both = "rows that are dominated later beside those dominated at once"
    turned = "the printed ratio, the other way round"
    claims = [
        Claim("value of the game", 2.0, solve_matrix(game.payoffs).value),
        Claim("rows left by iterated weak dominance", 1, len(left.actions[0])),
        Claim("columns left", 2, len(left.actions[1]), note=two),
        *(inside(f"row {row + 1}, {told}", None, shares[:, row], "rate") for row, told in when.items()),
        likely("share of runs that play each dominated row below 0.0001", (shares[:, 1:] < 1e-4).all(axis=1)),
        inside(both, 2.0, _ratio(shares, later, rows), rounding=0.5),
        inside("row 4 beside rows 2 and 3", None, _ratio(shares, [3], [1, 2]), note=turned),
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
    title = f"Figure 4.1's game, epsilon 0.0001: where {len(runs.ends)} runs end"
    figure, one = titled(title, "runs", xlabel="exploitability", xscale="linear")
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
    nearer = "share of runs that end nearer to equilibrium than the median without a window"
    claims = [
        inside("exploitability at the end", 0.468, runs.ends),
        *strategies(runs, x, (), (ACTIONS, ACTIONS))[:3],
        inside("the best exploitability of a run, once the window is full", None, later.min(axis=1)),
        inside("the worst", None, later.max(axis=1)),
        likely(nearer, runs.ends < np.median(plain.ends)),
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


def improvement(lab: Lab) -> Section:
    x, y = PRINTED_51
    runs, plain = runs_on(lab, "figure4.1", RESET), runs_on(lab, "figure4.1", EPSILON)
    first, before = runs_on(lab, "figure4.10", RESET), first_game_runs(lab, 0.0001)
    payoffs = CATALOGUE["figure4.1"].game.payoffs
    summed = "the printed number is the sum of both gains, not half as elsewhere in the thesis"
    claims = [
        exploited(payoffs, x, y, 0.1013, summed),
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
    title = "5.1 Where runs end, with and without the reset"
    figure, sides = titled(title, "share of runs", xlabel="exploitability", xscale="linear", count=2)
    for one, pair, name in zip(sides, ((plain, runs), (before, first)), ("Figure 4.1", "Figure 4.10"), strict=True):
        for each, label in zip(pair, ("without", "with the reset"), strict=True):
            ends = np.sort(each.ends)
            one.step(ends, np.arange(1, len(ends) + 1) / len(ends), where="post", label=label)
        one.set_title(name, fontsize=9)
        one.legend(frameon=False)
    return Section("section5.1", "5.1 The reset", prose, claims, {}, {"section5.1": figure})
