"""Zhang and Wang 2014: Tables 2, 3 and 4, Figure 5, and each reading of the formulas."""

import math
from typing import Any

import numpy as np

from ...draw.panels import panels
from ..claims import Claim, unjudged
from ..laboratory import Lab, grouped
from ..report import Section
from .matches import BLOCKS, CLOSED, POINTS, Setting, Tally, play_pair, tally
from .printed import BLOCK, GREEDY, RISKS, TABLES, TUNED, VARIANCE

FULL = Setting("siguo", worlds=20, iterations=500, horizon=2)
TWO = Setting("luzhanqi", worlds=20, iterations=100, horizon=2)  # the game for two, with a smaller budget
QUICK = Setting("small-army", worlds=3, iterations=12, horizon=1)
PAIRS = 200  # of games, for each line at full scale
COUNTS = ("games", "wins", "draws", "losses")
RATES = ("percent", "percent ± 95 %", "profit", "profit ± 95 %", "drop", "drop ± 95 %")
BUDGETS = (25, 100, 400)  # simulations a move
IN_POINTS, SCALED = f"tuned:width={POINTS:g}", "tuned"
BANDIT = {TUNED: IN_POINTS, GREEDY: "greedy"}
READINGS = {  # of what the paper leaves open: the two sides
    "R = 0.4 as printed, with epsilon = 0.1": ("risk:r=0.4", IN_POINTS),
    "no exploration after one try each": ("risk:r=0.4,epsilon=0.0", IN_POINTS),
    "R = 0 without exploration": ("risk:r=0,epsilon=0.0", IN_POINTS),
    "the root of the mean square": ("risk:r=0.4,norm=rms", IN_POINTS),
    "each move around its own mean": ("risk:r=0.4,centre=action", IN_POINTS),
    "the root of the mean square around its own mean": ("risk:r=0.4,norm=rms,centre=action", IN_POINTS),
    "R weighs mean against risk": ("risk:r=0.4,form=convex", IN_POINTS),
    "R = 0.4, UCT-Tuned with rewards from 0 to 1": ("risk:r=0.4", SCALED),
    "R = 0, UCT-Tuned with rewards from 0 to 1": ("risk:r=0", SCALED),
    "UCT-Tuned in points against UCT-Tuned with rewards from 0 to 1": (IN_POINTS, SCALED),
}
HIDDEN = {  # IS-MCTS, which never opens the cards
    f"{CLOSED}{bandit}": (f"{CLOSED}{bandit}", IN_POINTS) for bandit in (IN_POINTS, "greedy", "risk:r=0.4", "rm")
}
READINGS_STORY = """
    UCB1-Tuned is made for rewards from 0 to 1. Where the profit is scaled to that range, moves differ by a few
    thousandths, and at such budgets the rule tries all moves alike: its choice is then nearly blind. In the paper the
    profit runs from -100 to 100 and the formulas are printed without scaling, so that the rule exploits almost at once.
"""
HIDDEN_STORY = """
    IS-MCTS takes all decisions of a simulation at information sets, its own and those of others, with one bandit, and
    never opens the cards. The paper does not compare it. What it plays is the action that the bandit would play most
    often.
"""
LEGEND = (
    "A pair of games has the same deal, with the sides exchanged; partners use the same search. A draw counts as half a win. "
    "Profit is 100 times the evaluation (material of both sides), and 100 or -100 where the game is decided; a drop is the "
    "largest fall of the own profit between neighbouring own steps, before the end."
)


def played(lab: Lab, how: Setting, rows: list[tuple[str, str]], pairs: int) -> dict[tuple[str, str], Tally]:
    """The tally of each (bandit, bandit), through the run store. Pairs are played in turn, so that a run that was
    stopped has played about as many of each."""
    pieces = [
        {**how._asdict(), "one": one, "two": two, "seed": lab.seed, "pair": pair}
        for pair in range(pairs)
        for one, two in dict.fromkeys(rows)
    ]
    found = grouped(pieces, lab.map("matches", {}, play_pair, pieces), "one", "two")
    return {row: tally([game for both in pairs_of for game in both]) for row, pairs_of in found.items()}


def risk(r: float) -> str:
    return f"risk:r={r:g}"


def _at_scale(lab: Lab, full: Setting) -> tuple[Setting, int]:
    """The setting, and the pairs of games."""
    how, pairs = (QUICK, 1) if lab.quick else (full, PAIRS)
    return how, -(-lab.matches_or(2 * pairs) // 2)


def table(lab: Lab, name: str, title: str, rival: str, full: Setting) -> Section:
    """Tables 2 and 3: UCT-Risk with each R against a rival."""
    how, pairs = _at_scale(lab, full)
    found = played(lab, how, [(risk(r), BANDIT[rival]) for r in RISKS], pairs)
    rows, claims = [], []
    for r in RISKS:
        mine, printed = found[risk(r), BANDIT[rival]], TABLES[rival][r]
        claims += [
            Claim(f"R = {r:g}: won, percent", printed.win, mine.rate, mine.half, _printed_half(printed.win), "percent"),
            Claim(f"R = {r:g}: average profit", printed.profit, *mine.profit, kind="amount"),
            Claim(f"R = {r:g}: largest drop", printed.drop, *mine.drop, kind="amount"),
        ]
        rows.append([r, *_numbers(mine), mine.decisions])
    header = ["R", *COUNTS, *RATES, "decisions"]
    prose = f"{_conditions(how, found)} {LEGEND}\n\n{_shape(found, rival)}"
    pictures = {name: _picture(found, rival, title)}
    shown = unjudged(claims) if lab.quick else claims
    return Section(name, title, prose, shown, {f"{name}-games": (header, rows)}, pictures)


def _numbers(mine: Tally) -> list[float]:
    """What COUNTS and RATES name."""
    return [mine.games, mine.wins, mine.draws, mine.losses, mine.rate, mine.half, *mine.profit, *mine.drop]


def _printed_half(percent: float) -> float:
    """What 100 games can tell; if the tables are percentages of 20 games, it is more than twice as much."""
    return 196 * math.sqrt(max(percent * (100 - percent), 1.0) / 1e4 / 100)


def _conditions(how: Setting, found: dict[Any, Tally]) -> str:
    games = sorted({each.games for each in found.values()})
    return (
        f"Games of `{how.game}`, {' or '.join(map(str, games))} for each line, {how.worlds} worlds and {how.iterations:,} "
        f"simulations a move (all worlds together), each cut {how.horizon} moves after it leaves the tree. The first "
        "decision is taken by the rule that is compared, all others by UCB1-Tuned with open cards. UCB1-Tuned adds its "
        "bounds to the profit in points from -100 to 100, as the paper's formulas read (`tuned:width=0.005`)."
    )


def _shape(found: dict[tuple[str, str], Tally], rival: str) -> str:
    """The two claims of the paper, judged on these games."""
    mine = [found[risk(r), BANDIT[rival]] for r in RISKS]
    best = max(range(len(RISKS)), key=lambda k: mine[k].rate)
    ends = [mine[0], mine[-1]]
    above = [mine[best].rate - end.rate > math.hypot(mine[best].half, end.half) for end in ends]
    if 0 < best < len(RISKS) - 1 and all(above):
        shape = "so the inverted U is there"
    elif any(above):
        shape = "which one end of the range cannot reach, but the other can: no inverted U is proved"
    else:
        shape = "which cannot be told from both ends of the range: no inverted U is proved"
    first, last = mine[0].drop, mine[-1].drop
    gap, noise = last[0] - first[0], math.hypot(first[1], last[1])
    drops = "falls" if gap < -noise else "rises" if gap > noise else "changes by less than its interval"
    return (
        f"Claim 1, an inverted U of the win rate: the best is {mine[best].rate:.1f} % at R = {RISKS[best]:g}, {shape}. "
        f"Claim 2, risk lowers the drops: from R = 0 to R = 1 the largest drop {drops} ({first[0]:.1f} to {last[0]:.1f})."
    )


def table4(lab: Lab) -> Section:
    """The variance of the profit in blocks of 16 steps; Figure 5 is its picture."""
    sources = {TUNED: IN_POINTS, GREEDY: "greedy", "R = 0.3": risk(0.3), "R = 0.7": risk(0.7), "R = 1": risk(1.0)}
    how, pairs = _at_scale(lab, TWO)
    found = played(lab, how, [(one, IN_POINTS) for one in sources.values()], pairs)
    ours = {name: found[one, IN_POINTS] for name, one in sources.items()}
    steps = [(block + 1) * BLOCK for block in range(BLOCKS)]
    rows = [[step, *(float(mine.variance[at]) for mine in ours.values())] for at, step in enumerate(steps)]
    claims, note = [], "one printed game or few, and no interval"
    for at, step in enumerate(steps):
        for name, mine in ours.items():
            numbers = float(mine.variance[at]), float(mine.variance_half[at])
            if np.isfinite(numbers).all():
                what, said = f"{name}, to step {step}", VARIANCE[name][at]
                claims.append(Claim(what, said, *numbers, kind="amount", note=note))
    order = ", ".join(
        f"{name} {_over_blocks(mine.variance):.1f} (printed {np.mean(VARIANCE[name]):.0f})"
        for name, mine in ours.items()
    )
    prose = f"""{_conditions(how, found)} All play against UCT-Tuned; steps are the own steps of a side.

        Mean over the blocks: {order}.
    """
    figure, axes = panels(1, size=(7.5, 4.4))
    for at, (name, mine) in enumerate(ours.items()):
        axes.plot(steps, mine.variance, marker="o", markersize=3, label=name, color=f"C{at}")
        axes.plot(steps, VARIANCE[name], linestyle=":", color=f"C{at}", linewidth=1)
    axes.set(xlabel="own steps", ylabel="variance of the profit", yscale="symlog", title="Figure 5; dotted: as printed")
    axes.legend(frameon=False, fontsize=8)
    title, tables = (
        "Table 4 and Figure 5: the variance of the profit",
        {"table4-variance": (["to step", *sources], rows)},
    )
    return Section("table4", title, prose, unjudged(claims) if lab.quick else claims, tables, {"figure5": figure})


def _over_blocks(variance: np.ndarray) -> float:
    """The mean of what is known."""
    known = variance[~np.isnan(variance)]
    return float(known.mean()) if len(known) else math.nan


def rows_of(lab: Lab, name: str, title: str, sides: dict[str, tuple[str, str]], story: str) -> Section:
    """A row of games for each pair of sides."""
    how, pairs = _at_scale(lab, TWO)
    found = played(lab, how, list(sides.values()), pairs)
    rows = [[label, *_numbers(found[pair])] for label, pair in sides.items()]
    header = ["side", *COUNTS, *RATES]
    prose = f"{_conditions(how, found)} {LEGEND}\n\n{story}"
    return Section(name, title, prose, tables={f"{name}-games": (header, rows)})


def by_budget(lab: Lab) -> Section:
    """Whether the budget decides the answer."""
    how, pairs = _at_scale(lab, TWO)
    figure, axes = panels(1, size=(7.5, 4.4))
    rows, found, budgets = [], {}, BUDGETS[:1] if lab.quick else BUDGETS
    for r in RISKS[:: len(RISKS) - 1] if lab.quick else (0.0, 0.4, 1.0):
        line, pair = [], (risk(r), BANDIT[TUNED])
        for iterations in budgets:
            found = played(lab, how._replace(iterations=iterations), [pair], pairs)
            mine = found[pair]
            line.append((mine.rate, mine.half))
            rows.append([r, iterations, mine.games, mine.rate, mine.half, *mine.drop])
        axes.errorbar(budgets, *zip(*line, strict=True), marker="o", capsize=2, label=f"R = {r:g}")
    axes.axhline(50, color="grey", ls=":")
    title = f"UCT-Risk by budget, in {how.game}"
    axes.set(
        xlabel="simulations a move", ylabel="won against UCT-Tuned, percent", xscale="log", ylim=(0, 100), title=title
    )
    axes.set_xticks(BUDGETS, [str(budget) for budget in BUDGETS], minor=False)
    axes.minorticks_off()
    axes.legend(frameon=False)
    header = ["R", "simulations", "games", *RATES[:2], *RATES[4:]]
    prose = f"{_conditions(how, found)} Here the number of simulations a move varies."
    return Section("budgets", "UCT-Risk by budget", prose, (), {"budgets-games": (header, rows)}, {"budgets": figure})


def _picture(found: dict[tuple[str, str], Tally], rival: str, title: str) -> Any:
    figure, (left, right) = panels(2)
    mine, printed = [found[risk(r), BANDIT[rival]] for r in RISKS], [TABLES[rival][r] for r in RISKS]
    left.errorbar(RISKS, [t.rate for t in mine], [t.half for t in mine], marker="o", capsize=2, label="ours")
    left.plot(RISKS, [row.win for row in printed], "x:", color="black", label="printed")
    right.errorbar(RISKS, [t.drop[0] for t in mine], [t.drop[1] for t in mine], marker="o", capsize=2, label="ours")
    right.plot(RISKS, [row.drop for row in printed], "x:", color="black", label="printed")
    left.set(xlabel="R", ylabel="won, percent", title=title, ylim=(0, 100))
    right.set(xlabel="R", ylabel="largest drop of the profit", title="What a game loses at worst", ylim=(0, None))
    left.legend(frameon=False)
    return figure
