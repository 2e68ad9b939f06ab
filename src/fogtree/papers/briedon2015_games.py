"""Briedon 2015, the parts about single games: 3.3.2, 4.3, 4.4, 4.5.3, 4.6 and 5.1."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..games.printed import CATALOGUE, PLANS, like_figure_49
from ..measure.track import LONGEST, MIDDLE, SHORT, matrix_exploitability
from ..solvers.dominance import dominated, iterated_dominance
from ..solvers.simplex import solve_matrix
from .laboratory import Runs, axes, draw_band, draw_course, inside, likely, runs_of
from .report import Claim, Lab, Section

DETERMINISTIC, EPSILON = "uct-det", "uct-eps:epsilon=0.0001"
NEAR = 0.02  # a run is like the printed one when no probability differs by more
ROUNDED = 0.005
QUICK_STEPS, QUICK_RUNS, RUNS, LONG_RUNS = 190, 8, 100, 1
ACTIONS = ("1st action", "2nd action", "3rd action")
PRINTED_32 = (0.08721, 0.80719, 0.1056), (0.08366, 0.7974, 0.11894)  # the strategies at the end of printed runs
PRINTED_41 = {
    DETERMINISTIC: ((0.42502, 0.00015, 0.57483), (0.42492, 0.57508)),
    EPSILON: ((0.322, 0.0, 0.678), (0.323, 0.677)),
}
PRINTED_49 = (0.4428742, 0.389712, 0.167414), (0.459178, 0.389666, 0.151156)
PRINTED_416 = (0.29452, 0.0027, 0.0, 0.70231), (0.00822, 0.41104, 0.00226, 0.57847)
PRINTED_51 = (0.57861, 0.4033, 0.01809), (0.30921, 0.69079)
INSIDE = (
    "Of single runs, ours is the middle of the range that holds 95 of 100 of our runs, and the interval is that range."
)


def _runs(lab: Lab, name: str, bandit: str, steps: int = SHORT, runs: int = RUNS) -> Runs:
    """A hundred runs to 3,190,936 simulations, started as the library does."""
    game = f"briedon2015/{name}"
    return runs_of(lab, game, bandit, QUICK_STEPS, QUICK_RUNS) if lab.quick else runs_of(lab, game, bandit, steps, runs)


def _strategies(runs: Runs, x: tuple, y: tuple, names: tuple, rounding: float = 5e-4) -> list[Claim]:
    """Two printed strategies beside those of the runs, probability by probability, and how near the runs come to both."""
    claims = []
    for player, (printed, ours) in enumerate(((x, runs.x), (y, runs.y))):
        for action, probability in enumerate(printed):
            what = f"{('first', 'second')[player]} player, {names[player][action]}"
            claims.append(inside(what, probability, ours[:, -1, action], rounding))
    apart = runs.apart(x, y)
    note = f"the nearest run is {apart.min():.3f} off"
    return [*claims, likely(f"share of runs within {NEAR} of all these probabilities", apart <= NEAR, note)]


def equilibrium(name: str) -> Callable[[Lab], Section]:
    """The part of a game that is only shown: its equilibrium by our solver beside the printed one."""

    def part(lab: Lab) -> Section:
        printed = CATALOGUE[name]
        found = solve_matrix(printed.game.payoffs)
        rounds = printed.game.payoffs.shape == (4, 4) and name != "table4.1"
        names = PLANS if rounds else ((*ACTIONS, "4th action"),) * 2
        tolerance = 0.006 if rounds else 5e-4
        claims = [Claim("value of the game", printed.value, found.value, tolerance=5e-3)]
        for player, (said, ours) in enumerate(((printed.first, found.x), (printed.second, found.y))):
            for action, probability in enumerate(said):
                what = f"equilibrium of the {('first', 'second')[player]} player, {names[player][action]}"
                claims.append(Claim(what, probability, float(ours[action]), tolerance=tolerance))
        payoffs = [[f"{u:g}" for u in row] for row in printed.game.payoffs]
        note = f"Note: {printed.note}." if printed.note else ""
        prose = f"`fogtree solve briedon2015/{name}`. {note}"
        header = [f"column {j + 1}" for j in range(printed.game.payoffs.shape[1])]
        return Section(name, f"The game {name}", prose, claims, {f"{name}-payoffs": (header, payoffs)})

    return part


# --- 3.3.2, 4.3 --------------------------------------------------------------------------------------------------


def synchronisation(lab: Lab) -> Section:
    x, y = PRINTED_32
    runs, mended = _runs(lab, "figure3.2", DETERMINISTIC), _runs(lab, "figure3.2", EPSILON, SHORT, 20)
    payoffs = CATALOGUE["figure3.2"].game.payoffs
    claims = [
        Claim("exploitability of the printed strategies", 0.1445, matrix_exploitability(payoffs, x, y), tolerance=5e-4),
        inside("exploitability of deterministic UCT", 0.1445, runs.ends),
        *_strategies(runs, x, y, (ACTIONS, ACTIONS)),
        inside("exploitability of nondeterministic UCT, epsilon 0.0001", None, mended.ends),
    ]
    prose = (
        "Deterministic UCT against itself on the modified rock-paper-scissors. The two selectors fall into step and "
        "play the second action four times out of five; the equilibrium plays it five times out of eight. The "
        f"thesis takes the uniform mix for the equilibrium, which has an exploitability of 0.15. {INSIDE}"
    )
    figure, one = axes(
        "Figure 3.2's game: deterministic UCT, and with epsilon 0.0001", "exploitability (half the gains)"
    )
    draw_band(one, runs.simulations, runs.exploitability, "deterministic")
    draw_band(one, mended.simulations, mended.exploitability, "epsilon 0.0001")
    one.axhline(0.1445, color="black", ls=":", lw=1, label="printed")
    one.set_yscale("log")
    one.legend(frameon=False)
    return Section("section3.3.2", "3.3.2 Synchronisation", prose, claims, {}, {"section3.3.2": figure})


def dominance(lab: Lab) -> Section:
    game = CATALOGUE["table4.1"].game
    runs = _runs(lab, "table4.1", DETERMINISTIC)
    left = iterated_dominance(game)
    once = dominated(game)
    rows = [one.action for one in once if one.player == 0]
    later = sorted({one.action for one in left.removed if one.player == 0} - set(rows))
    shares = runs.x[:, -1]
    claims = [
        Claim("value of the game", 2.0, solve_matrix(game.payoffs).value, tolerance=1e-9),
        Claim("rows left by iterated weak dominance", 1, len(left.actions[0])),
        Claim(
            "columns left",
            2,
            len(left.actions[1]),
            note="Table 4.2 shows two; the removals that the text lists leave one",
        ),
        *(
            inside(f"row {row + 1}, {'dominated at once' if row in rows else 'dominated later'}", None, shares[:, row])
            for row in (1, 2, 3)
        ),
        likely("share of runs that play each dominated row below 0.0001", (shares[:, 1:] < 1e-4).all(axis=1)),
        inside("rows that are dominated later beside those dominated at once", 2.0, _ratio(shares, later, rows), 0.5),
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
        "Table 4.1 has dominated actions, and others that are dominated once those are gone; UCT stops playing all "
        f"of them, with no trouble. By our dominance program (rows and columns from 0): {words}. The thesis calls "
        "the *first* row dominated, which is the equilibrium: it means the last. The thesis says that each "
        f"dominated row is played with less than 0.0001 after 3 million simulations. {INSIDE}"
    )
    return Section("section4.3", "4.3 Iterated dominance", prose, claims)


def _ratio(shares: np.ndarray, these: list[int], those: list[int]) -> np.ndarray:
    """How much likelier these rows are than those, on average [runs]."""
    return shares[:, these].mean(axis=1) / shares[:, those].mean(axis=1)


# --- 4.4: three variants on one game -----------------------------------------------------------------------------

WINDOW_41 = "uct-window:window=1000000,epsilon=0.0001"


def plain_uct(lab: Lab) -> Section:
    x, y = PRINTED_41[DETERMINISTIC]
    runs = _runs(lab, "figure4.1", DETERMINISTIC)
    claims = _strategies(runs, x, y, (ACTIONS, ACTIONS))
    claims += [
        inside("exploitability", None, runs.ends),
        likely("share of runs that all but drop the 2nd action, as printed", runs.x[:, -1, 1] < 0.01),
        likely("share of runs that end within 0.05 of the equilibrium's value", runs.ends < 0.05),
    ]
    prose = (
        "Deterministic UCT on Figure 4.1's game drops the second action, which the equilibrium plays 40 % of the "
        f"time, and plays the dominated third one. {INSIDE}"
    )
    return Section("section4.4.1", "4.4.1 UCT", prose, claims)


def nondeterministic(lab: Lab) -> Section:
    x, y = PRINTED_41[EPSILON]
    runs = _runs(lab, "figure4.1", EPSILON)
    payoffs = CATALOGUE["figure4.1"].game.payoffs
    worth = payoffs @ np.array(y)
    claims = [
        inside("exploitability", 0.166, runs.ends),
        Claim(
            "exploitability of the printed strategies",
            0.166,
            matrix_exploitability(payoffs, x, y),
            tolerance=5e-4,
            note="the printed action values give 0.166; the printed strategies do not",
        ),
        *(
            Claim(f"value of the {ACTIONS[i]} against the printed strategy", said, float(worth[i]), tolerance=ROUNDED)
            for i, said in enumerate((-1.288, -1.065, -1.354))
        ),
        *_strategies(runs, x, y, (ACTIONS, ACTIONS), ROUNDED),
        likely("share of runs stuck without the 2nd action, as printed", runs.x[:, -1, 1] < 0.01),
        likely("share of runs with exploitability below 0.05", runs.ends < 0.05),
    ]
    prose = (
        "With epsilon 0.0001 the printed run is stuck in the same place. It is one of several: some runs drop the "
        f"second action, others keep it and stay elsewhere. {INSIDE}"
    )
    figure, one = axes(
        f"Figure 4.1's game, epsilon 0.0001: where {len(runs.ends)} runs end",
        "runs",
        xlabel="exploitability",
        log=False,
    )
    one.hist(runs.ends, bins=40)
    one.axvline(0.166, color="black", ls=":", lw=1, label="printed")
    one.legend(frameon=False)
    return Section("section4.4.2", "4.4.2 Nondeterministic UCT", prose, claims, {}, {"section4.4.2": figure})


def course_of_41(number: str, player: int, values: bool) -> Callable[[Lab], Section]:
    """Figures 4.2 to 4.5: one player's strategy or selector values over the run that ends nearest to print."""

    def part(lab: Lab) -> Section:
        runs = _runs(lab, "figure4.1", EPSILON)
        chosen = int(runs.apart(*PRINTED_41[EPSILON]).argmin())
        who = ("first", "second")[player]
        title = f"Figure {number}: {who} player's {'values' if values else 'strategy'}"
        names = ACTIONS[: 3 - player]
        if values:
            assert runs.values is not None
            figure, one = axes(title, "mean payoff of the action in its selector")
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
    runs = _runs(lab, "figure4.1", WINDOW_41, MIDDLE, 20)
    plain = _runs(lab, "figure4.1", EPSILON)
    full = runs.simulations > 2_000_000
    later = runs.exploitability[:, full] if full.any() else runs.exploitability[:, -1:]
    claims = [
        inside("exploitability at the end", 0.468, runs.ends),
        *_strategies(runs, x, (), (ACTIONS, ACTIONS))[:3],
        inside("the best exploitability of a run, once the window is full", None, later.min(axis=1)),
        inside("the worst", None, later.max(axis=1)),
        likely(
            "share of runs that end nearer to equilibrium than the median without a window",
            runs.ends < np.median(plain.ends),
        ),
    ]
    prose = (
        "A window of 1,000,000 simulations. Once it is full the strategy never settles: where a run ends is where "
        f"it happens to be. {INSIDE}"
    )
    figure, one = axes("Figure 4.1's game: with a window of 1,000,000, and without", "exploitability")
    draw_band(one, runs.simulations, runs.exploitability, "window")
    draw_band(one, plain.simulations, plain.exploitability, "epsilon 0.0001, no window")
    one.plot(runs.simulations, runs.exploitability[0], lw=0.8, color="black", label="one run with the window")
    one.axhline(0.468, color="black", ls=":", lw=1, label="printed")
    one.legend(frameon=False)
    return Section("section4.4.3", "4.4.3 Sliding window", prose, claims, {}, {"section4.4.3": figure})


def problematic(lab: Lab) -> Section:
    x, y = PRINTED_49
    runs = _runs(lab, "figure4.9", EPSILON)
    payoffs = CATALOGUE["figure4.9"].game.payoffs
    values = {round(solve_matrix(game.payoffs).value, 9) for game in like_figure_49()}
    claims = [
        Claim("exploitability of the printed strategies", 0.062, matrix_exploitability(payoffs, x, y), tolerance=5e-4),
        inside("exploitability", 0.062, runs.ends),
        *_strategies(runs, x, y, (ACTIONS, ACTIONS)),
        Claim("games with one -1 a row and a column, one 0, else 1", None, len(like_figure_49())),
        Claim("different values among them", None, len(values), note="they are one game with its actions renamed"),
    ]
    prose = (
        "A game of the 3x3 family in which nondeterministic UCT creeps towards the equilibrium (0.4, 0.4, 0.2). "
        f"{INSIDE}"
    )
    figure, one = axes("Figure 4.9's game, epsilon 0.0001", "exploitability")
    draw_band(one, runs.simulations, runs.exploitability, f"{len(runs.ends)} runs")
    one.plot([429_889_708], [0.062], "kx", label="printed")
    one.set_yscale("log")
    one.legend(frameon=False)
    return Section("section4.5.3", "4.5.3 A problematic game", prose, claims, {}, {"section4.5.3": figure})


# --- 4.6: two rounds ---------------------------------------------------------------------------------------------

EPSILONS_46 = (0.1, 0.05, 0.01, 0.0001)
# The printed shares of (A,F1) and (B,E2), and of (D,G2) and (D,H2), are exchanged: so they give the printed utilities.
ATTRACTOR = ((0.0, 0.35228, 0.64772, 0.0), (0.49979, 0.0, 0.16978, 0.33021))
FLAT = ((0.65588, 0.26776, 0.07634, 0.0), (0.0, 0.0, 0.88811, 0.11182))


def _first_game(lab: Lab, epsilon: float) -> Runs:
    return _runs(lab, "figure4.10", f"uct-eps:epsilon={epsilon}")


def first_game(lab: Lab) -> Section:
    runs = {epsilon: _first_game(lab, epsilon) for epsilon in EPSILONS_46}
    said = {0.1: 0.0375, 0.05: 0.0136, 0.01: None, 0.0001: 7.192}
    claims = [
        inside(f"exploitability, epsilon {epsilon}", said[epsilon], runs[epsilon].ends) for epsilon in EPSILONS_46
    ]
    for epsilon in EPSILONS_46:
        ends = runs[epsilon].ends
        claims.append(likely(f"share of runs below 0.08, epsilon {epsilon}", ends < 0.08))
        claims.append(likely(f"share of runs above 6.5, epsilon {epsilon}", ends > 6.5))
    claims += _strategies(runs[0.1], *ATTRACTOR, PLANS)
    apart = runs[0.01].apart(*FLAT)
    claims.append(
        likely("share of runs near the printed profile of epsilon 0.01", apart <= NEAR, f"nearest {apart.min():.2f}")
    )
    near = runs[0.1].apart(*ATTRACTOR) <= NEAR
    if near.any():
        mean = runs[0.1].x[near, -1].mean(axis=0), runs[0.1].y[near, -1].mean(axis=0)
        claims.append(
            Claim("(A,F1) of the runs at the printed place", ATTRACTOR[0][1], float(mean[0][1]), tolerance=ROUNDED)
        )
        claims.append(
            Claim("(D,H2) of the runs at the printed place", ATTRACTOR[1][3], float(mean[1][3]), tolerance=ROUNDED)
        )
        low = float(np.median(runs[0.1].ends[near]))
        claims.append(Claim("exploitability of the runs at the printed place", 0.0375, low, tolerance=ROUNDED))
    prose = (
        "The first game of two rounds (payoffs reconstructed). The thesis concludes that one needs the right "
        "epsilon. Over many seeds each epsilon ends anywhere between nearly right and as wrong as can be: the "
        "contrast of the printed runs is mostly the luck of the start, though a larger epsilon has better luck. The "
        "printed end of epsilon 0.1 is a place that runs come to rest in, whatever fills the unknown payoffs. "
        f"{INSIDE}"
    )
    return Section("section4.6.1", "4.6.1 First problematic game", prose, claims)


def figure_411(lab: Lab) -> Section:
    figure, one = axes("Figure 4.11: exploitability on the first game, by epsilon", "exploitability")
    for epsilon in EPSILONS_46:
        runs = _first_game(lab, epsilon)
        draw_band(one, runs.simulations, runs.exploitability, f"epsilon {epsilon}")
    for said, where in ((0.0375, "0.1"), (7.192, "0.0001")):
        one.axhline(said, color="black", ls=":", lw=1)
        one.annotate(f"printed, {where}", (30, said), fontsize=8, va="bottom")
    one.set_yscale("log")
    one.legend(frameon=False, loc="lower left")
    return Section("figure4.11", "Figure 4.11", "Medians and the middle 90 %.", (), {}, {"figure4.11": figure})


def course_of_first(number: str, player: int) -> Callable[[Lab], Section]:
    def part(lab: Lab) -> Section:
        title = f"Figure {number}: {('first', 'second')[player]} player's strategy, epsilon 0.1 and 0.01"
        figure, sides = axes(title, "probability", count=2)
        for one, epsilon, place in zip(sides, (0.1, 0.01), (ATTRACTOR, FLAT), strict=True):
            runs = _first_game(lab, epsilon)
            chosen = int(runs.apart(*place).argmin())
            for plan, name in enumerate(PLANS[player]):
                one.plot(runs.simulations, (runs.x, runs.y)[player][chosen, :, plan], label=name)
            one.set_title(f"epsilon {epsilon}", fontsize=9)
            one.legend(frameon=False, fontsize=8)
        prose = "For each epsilon the run that ends nearest to the printed one."
        return Section(f"figure{number}", title, prose, (), {}, {f"figure{number}": figure})

    return part


def second_game(lab: Lab) -> Section:
    runs, raised = (
        _runs(lab, "figure4.14", EPSILON),
        _runs(lab, "figure4.14-raised", "uct-eps:epsilon=0.1", SHORT),
    )
    stuck = (runs.x[:, -1, 1] > 0.99) & (runs.y[:, -1, 2] > 0.98)
    claims = [
        inside("exploitability", 0.996, runs.ends),
        inside("(A,F1)", 0.99999, runs.x[:, -1, 1], 1e-3, "printed as (A,E1), which does not give 0.996"),
        inside("(D,G2)", 0.99999, runs.y[:, -1, 2], 1e-3),
        likely("share of runs stuck on that pair", stuck),
        inside("exploitability with a payoff raised to 200, epsilon 0.1", 67.807, raised.ends),
    ]
    prose = (
        "The second game (payoffs reconstructed): an equilibrium that is nearly pure for the first player draws UCT "
        f"onto the pure pair, where the second player's strategy is far off. {INSIDE}"
    )
    return Section("section4.6.2", "4.6.2 Second problematic game", prose, claims)


def figure_415(lab: Lab) -> Section:
    runs = _runs(lab, "figure4.14", EPSILON)
    figure, one = axes("Figure 4.15: exploitability on the second game, epsilon 0.0001", "exploitability")
    draw_band(one, runs.simulations, runs.exploitability, f"{len(runs.ends)} runs")
    one.axhline(0.996, color="black", ls=":", lw=1, label="printed end")
    one.legend(frameon=False)
    lowest = runs.simulations[np.median(runs.exploitability, axis=0).argmin()]
    claim = Claim("simulations where exploitability is lowest", 200_000, float(lowest), tolerance=200_000)
    prose = "It falls, and then rises again as the second player leaves an action that the equilibrium needs."
    return Section("figure4.15", "Figure 4.15", prose, [claim], {}, {"figure4.15": figure})


WINDOW_416 = "uct-window:window=70000,epsilon=0.0001"


def third_game(lab: Lab) -> Section:
    x, y = PRINTED_416
    runs = _runs(lab, "figure4.16", WINDOW_416, SHORT, 40)
    payoffs = CATALOGUE["figure4.16"].game.payoffs
    early, later = runs.exploitability[:, runs.at(2_600)], runs.exploitability[:, runs.at(80_000)]
    full = runs.exploitability[:, runs.simulations > min(200_000, runs.simulations[-2])]
    claims = [
        Claim(
            "exploitability of the printed strategies", 1.463, matrix_exploitability(payoffs, x, y), tolerance=ROUNDED
        ),
        inside("exploitability at the end", 1.463, runs.ends),
        inside("at 2,600 simulations", 0.48, early),
        inside("at 80,000 simulations", 3.14, later),
        inside("the best of a run, once the window is full", 0.27, full.min(axis=1)),
        inside("the worst", 5.5, full.max(axis=1)),
        *_strategies(runs, x, y, PLANS)[:8],
    ]
    prose = (
        "The third game (payoffs reconstructed) with a window of 70,000 simulations a selector. The strategy "
        f"wanders for ever, so a printed end is one moment of a walk. {INSIDE}"
    )
    return Section("section4.6.3", "4.6.3 Third game", prose, claims)


def course_of_third(number: str, player: int) -> Callable[[Lab], Section]:
    def part(lab: Lab) -> Section:
        runs = _runs(lab, "figure4.16", WINDOW_416, SHORT, 40)
        title = f"Figure {number}: {('first', 'second')[player]} player's strategy with a window of 70,000"
        figure = draw_course(runs, 0, player, PLANS[player], title)
        prose = "The first run; dashed, the median of all. The thesis shows it to 3.1 million simulations."
        return Section(f"figure{number}", title, prose, (), {}, {f"figure{number}": figure})

    return part


# --- 5.1 ---------------------------------------------------------------------------------------------------------

RESET = "uct-reset"


def improvement(lab: Lab) -> Section:
    x, y = PRINTED_51
    runs, plain = _runs(lab, "figure4.1", RESET), _runs(lab, "figure4.1", EPSILON)
    first, before = _runs(lab, "figure4.10", RESET), _first_game(lab, 0.0001)
    payoffs = CATALOGUE["figure4.1"].game.payoffs
    claims = [
        Claim(
            "exploitability of the printed strategies",
            0.1013,
            matrix_exploitability(payoffs, x, y),
            tolerance=5e-4,
            note="the printed number is the sum of both gains, not half of it as elsewhere in the thesis",
        ),
        inside("Figure 4.1's game: sum of both gains, with the reset", 0.1013, 2 * runs.ends),
        *_strategies(runs, x, y, (ACTIONS, ACTIONS)),
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
        "The thesis' own improvement: when an action's value turns round, counts are set back to 100 and values "
        "kept. The printed gains (0.166 to 0.1013, and 7.192 to 0.056) are single runs before and after; the claims "
        f"below set a hundred beside a hundred. {INSIDE}"
    )
    figure, sides = axes(
        "5.1 Where runs end, with and without the reset", "share of runs", xlabel="exploitability", log=False, count=2
    )
    for one, pair, name in zip(sides, ((plain, runs), (before, first)), ("Figure 4.1", "Figure 4.10"), strict=True):
        for each, label in zip(pair, ("without", "with the reset"), strict=True):
            ends = np.sort(each.ends)
            one.step(ends, np.arange(1, len(ends) + 1) / len(ends), where="post", label=label)
        one.set_title(name, fontsize=9)
        one.legend(frameon=False)
    return Section("section5.1", "5.1 The reset", prose, claims, {}, {"section5.1": figure})


# --- constants ---------------------------------------------------------------------------------------------------


def _constants(
    lab: Lab, name: str, title: str, games: tuple, bandits: dict[str, str], prose: str, axis: str
) -> Section:
    """Where runs end, by a constant of the bandit and by game."""
    rows: list[list[Any]] = []
    figure, one = axes(title, "exploitability: median and middle 90 %", xlabel=axis)
    for game in games:
        found = [_runs(lab, game, bandit, SHORT, 10) for bandit in bandits.values()]
        quantiles = np.array([np.quantile(runs.ends, [0.05, 0.5, 0.95]) for runs in found])
        at = [float(constant) for constant in bandits]
        (line,) = one.plot(at, quantiles[:, 1], marker="o", ms=3, label=game)
        one.fill_between(at, quantiles[:, 0], quantiles[:, 2], color=line.get_color(), alpha=0.15, lw=0)
        for constant, runs, row in zip(bandits, found, quantiles.tolist(), strict=True):
            rows.append([game, constant, *row, float(runs.ends.min()), float(runs.ends.max())])
    one.set_yscale("log")
    one.legend(frameon=False)
    header = ["game", axis, "5 %", "median", "95 %", "best", "worst"]
    return Section(name, title, prose, (), {name: (header, rows)}, {name: figure})


def epsilons(lab: Lab) -> Section:
    constants = ("0.00001", "0.0001", "0.001", "0.01", "0.05", "0.1", "0.3")
    return _constants(
        lab,
        "epsilons",
        "How large an epsilon?",
        ("figure4.1", "figure4.9", "figure4.10"),
        {constant: f"uct-eps:epsilon={constant}" for constant in constants},
        "The thesis tries four values of epsilon on one game. Exploitability after 3,190,936 simulations, 20 runs "
        "each.",
        "epsilon",
    )


def windows(lab: Lab) -> Section:
    constants = ("1000", "10000", "70000", "300000", "1000000")
    return _constants(
        lab,
        "windows",
        "How long a window?",
        ("figure4.1", "figure4.9", "figure4.16"),
        {constant: f"uct-window:window={constant},epsilon=0.0001" for constant in constants},
        "The thesis tries one window a game. Exploitability after 3,190,936 simulations, 10 runs each.",
        "window",
    )


# --- the thesis' own end -----------------------------------------------------------------------------------------


def ends(lab: Lab) -> Section:
    stuck = ((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    cases: list[tuple[str, str, float, Any]] = [
        ("figure4.1", EPSILON, 0.166, PRINTED_41[EPSILON]),
        ("figure4.9", EPSILON, 0.062, PRINTED_49),
        ("figure3.2", DETERMINISTIC, 0.1445, PRINTED_32),
        (
            "figure4.1",
            DETERMINISTIC,
            matrix_exploitability(CATALOGUE["figure4.1"].game.payoffs, *PRINTED_41[DETERMINISTIC]),
            PRINTED_41[DETERMINISTIC],
        ),
        ("figure4.10", "uct-eps:epsilon=0.1", 0.0375, ATTRACTOR),
        ("figure4.14", EPSILON, 0.996, stuck),
        ("figure4.1", RESET, 0.1013 / 2, PRINTED_51),
        ("figure4.16", WINDOW_416, 1.463, PRINTED_416),
    ]
    rows: list[list[Any]] = []
    for name, bandit, said, place in cases:
        game = f"briedon2015/{name}"
        runs = runs_of(lab, game, bandit, QUICK_STEPS if lab.quick else LONGEST, LONG_RUNS)
        apart = runs.apart(*place)
        for run, (end, far) in enumerate(zip(runs.ends, apart, strict=True)):
            before = float(runs.exploitability[run, runs.at(3_190_936)])
            spent = float(runs.seconds[run])
            rows.append([name, bandit, lab.seed + run, float(said), before, float(end), float(far), spent])
    header = [
        "game",
        "bandit",
        "seed",
        "printed exploitability",
        "ours at 3,190,936",
        "at the end",
        "off the printed strategies",
        "seconds of a core",
    ]
    prose = (
        f"Runs as far as those of the thesis, {runs.simulations[-1]:,} simulations, to see whether the hundred shorter "
        "ones above are a fair picture. Off the printed strategies: the largest difference of a probability."
    )
    return Section("ends", "The thesis' own end: 429,889,708 simulations", prose, (), {"ends": (header, rows)})
