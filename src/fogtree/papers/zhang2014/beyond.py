"""Beyond Zhang and Wang 2014: what open cards and the fear of risk cost, measured exactly in games that can be solved.

In small games each contestant is run at every information set (`measure/everywhere.py`), in larger ones at every information
set that its own play can reach (`measure/reached.py`). It is run several times, and the mean of what it would play is its
strategy. The sum of both players' exploitabilities of that strategy is exact, and so is what two strategies get against
each other.

Larger games are played in their reduced form (`solvers/forms/reduction.py`), where they have one: a try that would complete a
line or a chain of the own stones is the only action. Such a try is never worse, so a best response gains nothing by leaving
it out, and the exploitability is that of the same strategy in the whole game.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ...draw.panels import panels
from ...measure.intervals import student_half
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .contestants import (
    ALL,
    BEFORE,
    DEPTHS,
    FIRST,
    GREEDY,
    RIVALS,
    compare,
    compare_reached,
    contestants,
    limits,
    limits_reached,
)
from .printed import RISKS

WORLDS = 10  # where nothing else is said
IN_A_ROW = 3  # panels


class Plan(NamedTuple):
    """How a game is measured. With fewer simulations than moves in a world PIMC plays blindly, and blind play reaches so
    many sets that few runs can be afforded."""

    budgets: tuple[int, ...] = (30, 100, 300)  # simulations a move
    usual: int = 300  # of them: where one is said for all games, and where the numbers of worlds are compared
    worlds: tuple[int, ...] = (2, WORLDS, 50)
    runs: int = 8
    seeds: int = 3


SMALL = {"kuhn": Plan(), "liars-dice:faces=3": Plan(), "leduc": Plan(worlds=(WORLDS,))}  # searched at every set
LARGER = {  # searched at the sets that are reached
    "small-army:longest=4": Plan((30, 100), 100, (2, WORLDS), 4),
    "phantom-ttt:rules=forced-centre": Plan((100, 300), worlds=(2, WORLDS), seeds=5),
    "dark-hex": Plan((300,), worlds=(WORLDS,), runs=16, seeds=5),
}
UNSOLVED = ("phantom-ttt:rules=forced-centre", "dark-hex")  # too many worlds to solve them all
QUICK = Plan((10, 30), 30, (5, WORLDS), 2, 1)
TINY, TINY_REACHED = {"kuhn": QUICK}, {"kuhn:cards=4": QUICK._replace(budgets=(30,))}
READ = ("kuhn", "liars-dice:faces=3")  # games of the part about readings


def fusion(lab: Lab) -> Section:
    """What strategy fusion costs."""
    plans = _plans(lab)
    found = {(game, n): _totals(_found(lab, game, n, WORLDS)) for game, plan in plans.items() for n in plan.budgets}
    ends = _ends(lab)
    deep = [one.name for one in contestants() if one.name.startswith(("PIMC, v", "EPIMC", BEFORE))]
    rows, claims, cost = [], [], []
    for game, plan in plans.items():
        usual = found[game, plan.usual]
        cost.append(f"{game} {_apart(usual[FIRST], usual[BEFORE])}")
        for verdict, total in ends.get(game, {}).items():
            rows.append([game, "all", "all", f"PIMC, every world solved, {verdict}", total, 0.0])
        for budget in plan.budgets:
            rows += [[game, budget, WORLDS, name, *found[game, budget][name]] for name in deep]
        for name in ("PIMC, votes", FIRST, BEFORE):
            claims.append(Claim(f"{game}: {name}", None, *usual[name], kind="amount"))
    header = ["game", "simulations a move", "worlds", "search", "total exploitability", "± 95 %"]
    prose = f"""
        The total exploitability (exact, for the mean strategy of the runs) of a search that opens the cards after so
        many decisions: at depth 0 each world is searched alone, as PIMC does; at the right end the cards are never
        opened, which is IS-MCTS from the same {WORLDS} worlds. The inner search is UCB1-Tuned in all, with random
        playouts. The dashed line is PIMC without noise, where it was computed: every state of an information set is a
        world, with its weight, and every world is solved.

        {_ways(lab)}

        At {_usual(plans)} simulations, cards opened after one decision and cards never opened: {"; ".join(cost)}.
    """
    title = "Beyond the paper: what strategy fusion costs, exactly"
    pictures = {"beyond-fusion": _picture(plans, deep, found, ends)}
    return Section("beyond-fusion", title, prose, claims, {"beyond-fusion-numbers": (header, rows)}, pictures)


def _apart(one: tuple[float, float], other: tuple[float, float]) -> str:
    """Two numbers with half their intervals, and whether the first is more or less."""
    noise, gap = math.hypot(*np.nan_to_num([one[1], other[1]], nan=math.inf)), one[0] - other[0]
    told = "more" if gap > noise else "less" if -gap > noise else "not to be told from it"
    return f"{one[0]:.3g} against {other[0]:.3g} ({told})"


def risk(lab: Lab) -> Section:
    """Whether the fear of risk helps, exactly."""
    plans = _plans(lab)
    rows, duels = [], []
    for game, plan in plans.items():
        mine = _found(lab, game, plan.usual, WORLDS)
        rows += [[game, name, *numbers] for name, numbers in _totals(mine).items()]
        for name, plays in _plays(mine).items():
            duels += [[game, name, rival, *numbers] for rival, numbers in plays.items() if rival != name]
    prose = f"""
        All searches at {_usual(plans)} simulations a move in {WORLDS} worlds. First the total exploitability of each, then
        what it gets from three rivals when both play their mean strategies: exact, and the mean over both seats. R = 0
        is epsilon-greedy at the first decision, so what R does is to be read down from there. Intervals are Student's
        over the seeds.

        {_effect(plans, rows)}
    """
    tables = {
        "beyond-risk-exploitability": (["game", "search", "total exploitability", "± 95 %"], rows),
        "beyond-risk-duels": (["game", "search", "against", "payoff", "± 95 %"], duels),
    }
    pictures = {"beyond-risk": _risk_picture(plans, rows)}
    title = "Beyond the paper: does the fear of risk help? Exact answers"
    return Section("beyond-risk", title, prose, [], tables, pictures)


def _effect(plans: dict[str, Plan], rows: list[list[Any]]) -> str:
    """Whether R = 1 is less exploitable than R = 0, in each game, in a sentence."""
    words = []
    for game in plans:
        mine = {name: (total, half) for where, name, total, half in rows if where == game}
        words.append(f"{game} {_apart(mine[f'UCT-Risk, R = {RISKS[-1]:g}'], mine[GREEDY])}")
    return f"R = {RISKS[-1]:g} against R = 0: {'; '.join(words)}."


def settings(lab: Lab) -> Section:
    """Every search with other budgets and other numbers of worlds, exactly."""
    plans, rows, found = _plans(lab), [], {}
    for game, plan in plans.items():
        for budget, worlds in _settings(plan):
            results = _found(lab, game, budget, worlds)
            found[game, budget, worlds] = totals = _totals(results)
            sets = np.mean([result["sets"] for result in results], axis=0)
            for (name, plays), size in zip(_plays(results).items(), sets, strict=True):
                against = [number for rival in RIVALS for number in plays[rival]]
                how = [game, worlds, budget, plan.seeds, plan.runs, round(float(size))]
                rows.append([*how, name, *totals[name], *against])
    prose = f"""
        What more simulations and more worlds change: the total exploitability of each search, and what it gets from each of
        three rivals with the same budget, all exact; measured as in part beyond-fusion. The picture is UCT-Risk's
        exploitability over R, at each budget with {WORLDS} worlds and at {_usual(plans)} simulations with other numbers of
        worlds.

        {_growth(plans, found)}
    """
    rivals = [word for rival in RIVALS for word in (f"against {rival}", f"against {rival} ± 95 %")]
    first = ["game", "worlds", "simulations a move", "seeds", "runs of each", "sets with a choice", "search"]
    tables = {"beyond-settings-numbers": ([*first, "total exploitability", "± 95 %", *rivals], rows)}
    title = "Beyond the paper: more simulations, more worlds"
    pictures = {"beyond-settings": _settings_picture(plans, found)}
    return Section("beyond-settings", title, prose, [], tables, pictures)


def _growth(plans: dict[str, Plan], found: Any) -> str:
    """What the largest budget and the most worlds do to a few searches, in each game, in sentences."""
    lines = []
    for name in ("PIMC, votes", BEFORE, "UCT-Risk, R = 1"):
        more, wide = [], []
        for game, plan in plans.items():
            low, high, few, many = plan.budgets[0], plan.budgets[-1], plan.worlds[0], plan.worlds[-1]
            if low < high:
                more.append(f"{game} {_apart(found[game, high, WORLDS][name], found[game, low, WORLDS][name])}")
            if few < many:
                wide.append(f"{game} {_apart(found[game, plan.usual, many][name], found[game, plan.usual, few][name])}")
        lines.append(f"{name}, the largest budget against the smallest: {'; '.join(more)}.")
        lines.append(f"{name}, the most worlds against the fewest: {'; '.join(wide)}.")
    return "\n\n".join(lines)


def readings(lab: Lab) -> Section:
    """The readings of the formulas and the number of worlds, exactly."""
    rows = []
    for game in TINY if lab.quick else READ:
        plan = _plans(lab)[game]
        for worlds in plan.worlds:
            results = _found(lab, game, plan.usual, worlds, "readings")
            rows += [[game, worlds, name, *numbers] for name, numbers in _totals(results).items()]
    header = ["game", "worlds", "reading, R = 0.4", "total exploitability", "± 95 %"]
    prose = (
        "The formulas of the paper can be read in several ways. Each reading is measured exactly, with different numbers "
        "of worlds."
    )
    title = "Beyond the paper: each reading of the formulas, and more worlds"
    return Section("beyond-readings", title, prose, tables={"beyond-readings-numbers": (header, rows)})


# --- what is measured ----------------------------------------------------------------------------------------------


def _larger(lab: Lab) -> dict[str, Plan]:
    """The games that are searched at the sets that are reached."""
    return TINY_REACHED if lab.quick else LARGER


def _plans(lab: Lab) -> dict[str, Plan]:
    return (TINY if lab.quick else SMALL) | _larger(lab)


def _usual(plans: dict[str, Plan]) -> str:
    """The budget at which games are compared, in words."""
    return " or ".join(str(budget) for budget in sorted({plan.usual for plan in plans.values()}))


def _settings(plan: Plan) -> list[tuple[int, int]]:
    """(simulations, worlds): each budget with the usual worlds, and the usual budget with other numbers of worlds."""
    others = [(plan.usual, worlds) for worlds in plan.worlds if worlds != WORLDS]
    return [*((budget, WORLDS) for budget in plan.budgets), *others]


def _found(lab: Lab, game: str, budget: int, worlds: int, kind: str = "") -> list[dict[str, Any]]:
    """The results of all seeds, of a kind of contestants: all of them with the usual number of worlds, a few with others."""
    plan, kind = _plans(lab)[game], kind or ("all" if worlds == WORLDS else "few")
    how = {"game": game, "worlds": worlds, "iterations": budget, "runs": plan.runs, "kind": kind}
    pieces = [{**how, "seed": lab.seed + seed} for seed in range(plan.seeds)]
    if game in _larger(lab):
        return lab.map(f"reached-{kind}", {}, compare_reached, pieces)
    return lab.map(f"everywhere-{kind}", {}, compare, pieces)


def _ends(lab: Lab) -> dict[str, dict[str, float]]:
    """PIMC without noise, in the games where it is computed."""
    ends = {}
    for game in _plans(lab):
        if game not in UNSOLVED:
            task = limits_reached if game in _larger(lab) else limits
            ends[game] = lab.map(task.__name__, {"game": game}, task, [{"game": game}])[0]
    return ends


def _ways(lab: Lab) -> str:
    """How the games are searched, in a few sentences."""
    return (
        f"In {', '.join(_larger(lab))} a search is run at the information sets that its own play can reach, because what it "
        "would play elsewhere changes nothing that anybody gets; in the other games it is run at every set. The numbers of "
        "part beyond-settings say how often and at how many sets. Fewer runs leave more noise, which a best response "
        "exploits too: so numbers are to be compared within a game. Phantom Tic-Tac-Toe and Dark Hex are played "
        "in their reduced form, by the search and by the best response: a try that would complete an own line or chain is "
        "the only action. Such a try is never worse, so the exploitability is that of the same strategy in the whole game."
    )


def _totals(results: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """The mean total exploitability of each search, and half its interval."""
    totals = np.array([result["totals"] for result in results])
    return {name: (float(totals[:, i].mean()), _half(totals[:, i])) for i, name in enumerate(results[0]["names"])}


def _plays(results: list[dict[str, Any]]) -> dict[str, dict[str, tuple[float, float]]]:
    """What each search gets on average against each rival, and half the interval."""
    plays = np.array([result["plays"] for result in results])
    return {
        name: {rival: (float(plays[:, i, j].mean()), _half(plays[:, i, j])) for j, rival in enumerate(RIVALS)}
        for i, name in enumerate(results[0]["names"])
    }


def _half(values: np.ndarray) -> float:
    """Half an interval; nothing is known from one value."""
    half = student_half(values)
    return round(half, 12) if math.isfinite(half) else math.nan  # without the noise of floating-point numbers


# --- pictures ------------------------------------------------------------------------------------------------------


def _panels(games: dict[str, Plan]) -> tuple[Any, list[Any]]:
    """A panel for each game, three in a row."""
    rows = -(-len(games) // IN_A_ROW)
    figure, axes = panels(min(len(games), IN_A_ROW), size=(3.8 * min(len(games), IN_A_ROW), 4.0 * rows), rows=rows)
    return figure, list(np.atleast_1d(axes).flat)


def _picture(plans: dict[str, Plan], deep: Any, found: Any, ends: Any) -> Any:
    figure, axes = _panels(plans)
    for panel, (game, plan) in zip(axes, plans.items(), strict=False):
        for budget in plan.budgets:
            _errorbar(panel, range(len(deep)), [found[game, budget][name] for name in deep], f"{budget:,}")
        if game in ends:
            panel.axhline(ends[game]["votes"], color="black", linestyle="--", linewidth=1, label="all worlds solved")
        labels = ["all" if depth == ALL else str(depth) for depth in DEPTHS]
        panel.set_xticks(range(len(labels)), labels)
        panel.set(title=game, xlabel="decisions before the cards are opened", ylim=(0, None))
        panel.legend(frameon=False, fontsize=7, title="simulations")
    axes[0].set_ylabel("total exploitability, exact")
    return figure


def _errorbar(panel: Any, at: Any, numbers: list[tuple[float, float]], label: str) -> None:
    means, halves = zip(*numbers, strict=True)
    panel.errorbar(at, means, np.nan_to_num(halves), marker="o", markersize=3, capsize=2, label=label)


def _risk_picture(games: Any, rows: Any) -> Any:
    figure, axes = panels(1, size=(7.5, 4.6))
    for game in games:
        mine = [(total, half) for name, search, total, half in rows if name == game and search.startswith("UCT-Risk")]
        start = mine[0][0]
        if start == 0:
            continue  # nothing is a multiple of 0
        _errorbar(axes, RISKS, [(mean / start, half / start) for mean, half in mine], game)
    axes.set(xlabel="R", ylabel="total exploitability, as a multiple of R = 0")
    axes.set_title("UCT-Risk in games that can be solved")
    axes.legend(frameon=False, fontsize=8)
    return figure


def _settings_picture(plans: dict[str, Plan], found: Any) -> Any:
    figure, axes = _panels(plans)
    for panel, (game, plan) in zip(axes, plans.items(), strict=False):
        for budget, worlds in _settings(plan):
            mine = found[game, budget, worlds]
            risks = [r for r in RISKS if f"UCT-Risk, R = {r:g}" in mine]
            label = f"{budget:,} in {worlds} worlds"
            _errorbar(panel, risks, [mine[f"UCT-Risk, R = {r:g}"] for r in risks], label)
        panel.set(title=game, xlabel="R", ylim=(0, None))
        panel.legend(frameon=False, fontsize=7, title="simulations")
    axes[0].set_ylabel("total exploitability, exact")
    return figure
