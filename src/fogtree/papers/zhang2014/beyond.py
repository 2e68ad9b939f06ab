"""Beyond Zhang and Wang 2014: what open cards and the fear of risk cost, measured exactly in games that can be solved.

Each contestant is run at every information set of a game (`measure/everywhere.py`), several times, and the mean of what
it would play is its strategy. The sum of both players' exploitabilities of that strategy is exact, and so is what two
strategies get against each other.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ...bandits.risk import Centre, Form, Norm, Risk
from ...bandits.tuned import UCB1Tuned
from ...draw.panels import panels
from ...measure.everywhere import Everywhere, mean_strategy, places, solved_everywhere
from ...measure.exploitability import exploitability
from ...measure.intervals import student_half
from ...names import load
from ...search.opinion import Verdict
from ...solvers.response import plan_of, value_of
from ...solvers.sequence import sequence_form
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .printed import RISKS

ALL = 1000  # decisions: the cards are never opened
DEPTHS = (0, 1, 2, 3, 4, 6, ALL)
TINY = ("kuhn",)  # at quick scale
SMALL = ("kuhn", "liars-dice:faces=3")
LARGEST = "phantom-ttt:rules=forced-centre,winning_first=on"
LARGER = ("small-army:longest=3", LARGEST)  # of part beyond-larger, which takes minutes
GAMES = (*SMALL, "leduc", "dark-hex:side=2")
LARGE = 10_000  # information sets; with more, fewer runs are made
WORLDS, SIMULATIONS, RUNS, FEW_RUNS, SEEDS = 10, 300, 8, 4, 3
BUDGETS = (30, 100, 300)  # simulations a move
WORLD_COUNTS = (2, 10, 50)
BEFORE, GREEDY = "IS-MCTS", "UCT-Risk, R = 0"


class Contestant(NamedTuple):
    """A search with open cards."""

    name: str
    above: Any
    depth: int
    verdict: Verdict = Verdict.VOTES


def contestants() -> list[Contestant]:
    """All that are compared at one budget. Only `above` and the depth differ: the bandit with open cards is
    UCB1-Tuned."""
    tuned = UCB1Tuned()
    by_depth = [Contestant(f"EPIMC, depth {depth}", tuned, depth) for depth in DEPTHS if 0 < depth < ALL]
    risky = [Contestant(f"UCT-Risk, R = {r:g}", Risk(r=r), 1) for r in RISKS]  # R = 0 is epsilon-greedy
    return [
        Contestant("PIMC, votes", tuned, 0),
        Contestant("PIMC, means", tuned, 0, Verdict.MEANS),
        *by_depth,
        Contestant(BEFORE, tuned, ALL),
        *risky,
    ]


READINGS = {  # of the formulas, at R = 0.4
    "as printed, with epsilon = 0.1": Risk(r=0.4),
    "no exploration": Risk(r=0.4, epsilon=0.0),
    "root mean square": Risk(r=0.4, norm=Norm.RMS),
    "each action around its own mean": Risk(r=0.4, centre=Centre.ACTION),
    "root mean square around its own mean": Risk(r=0.4, norm=Norm.RMS, centre=Centre.ACTION),
    "convex": Risk(r=0.4, form=Form.CONVEX),
}


def compare(game: str, worlds: int, simulations: int, runs: int, seed: int, kind: str) -> dict[str, Any]:
    """The total exploitability of every contestant of a kind, and what each gets against each other, as the mean over
    both seats: plays[i][j] for i against j."""
    made = load(game)
    form, where = sequence_form(made), places(made)
    runs = min(runs, FEW_RUNS) if len(where.player) > LARGE else runs
    table = {
        "all": contestants(),
        "depths": [each for each in contestants() if each.name.startswith(("PIMC, v", "EPIMC", BEFORE))],
        "readings": [Contestant(name, bandit, 1) for name, bandit in READINGS.items()],
    }[kind]
    strategies = []
    for one in table:
        search = Everywhere(
            where,
            UCB1Tuned(),
            one.above,
            depth=one.depth,
            worlds=worlds,
            simulations=simulations,
            verdict=one.verdict,
        )
        strategies.append(search.strategy(seed, runs))
    plans = [[plan_of(form, each, player)[0] for player in (0, 1)] for each in strategies]
    value = np.array([[value_of(form, first[0], second[1]) for second in plans] for first in plans])
    return {
        "names": [one.name for one in table],
        "sets": len(where.player),
        "runs": runs,
        "totals": [exploitability(form, each).total for each in strategies],
        "plays": ((value - value.T) / 2).tolist(),
    }


def limits(game: str) -> dict[str, float]:
    """The total exploitability of PIMC where every state of a set is a world and every world is solved."""
    made = load(game)
    form, where = sequence_form(made), places(made)
    return {
        verdict.value: exploitability(form, mean_strategy(where, [solved_everywhere(where, verdict)])).total
        for verdict in Verdict
    }


def fusion(lab: Lab) -> Section:
    """What strategy fusion costs."""
    games, budgets, seeds = _sizes(lab)
    found = {
        (game, budget): _totals(results)
        for game in games
        for (budget, _), results in _compared(lab, game, budgets, [WORLDS], seeds, "depths").items()
    }
    ends = {game: lab.map("limits", {"game": game}, limits, [{"game": game}])[0] for game in games}
    rows, claims = [], []
    for game in games:
        for verdict, total in ends[game].items():
            rows.append([game, "all", "all", f"PIMC, every world solved, {verdict}", total, 0.0])
        for simulations in budgets:
            for name, (mean, half) in found[game, simulations].items():
                rows.append([game, simulations, WORLDS, name, mean, half])
        at = found[game, SIMULATIONS if SIMULATIONS in budgets else budgets[-1]]
        for name in ("PIMC, votes", "EPIMC, depth 1", BEFORE):
            claims.append(Claim(f"{game}: {name}", None, *at[name], kind="amount"))
    header = ["game", "simulations a move", "worlds", "search", "total exploitability", "± 95 %"]
    prose = f"""
        The total exploitability (exact, for the mean strategy of the runs) of a search that opens the cards after so
        many decisions: at depth 0 each world is searched alone, as PIMC does; at the right end the cards are never
        opened, which is IS-MCTS from the same {WORLDS} worlds. The inner search is UCB1-Tuned in all, with random
        playouts. The dashed line is PIMC without noise: every state of an information set is a world, with its weight,
        and every world is solved.


        {_cost(games, found, budgets[-1])}
    """
    title = "Beyond the paper: what strategy fusion costs, exactly"
    pictures = {"beyond-fusion": _picture(games, budgets, found, ends)}
    return Section("beyond-fusion", title, prose, claims, {"beyond-fusion-numbers": (header, rows)}, pictures)


def _cost(games: list[str], found: dict[tuple[str, int], dict[str, tuple[float, float]]], budget: int) -> str:
    """What the cards cost that are opened after the first decision, in each game, in a sentence."""
    words = []
    for game in games:
        (early, one), (late, other) = found[game, budget]["EPIMC, depth 1"], found[game, budget][BEFORE]
        noise = math.hypot(*np.nan_to_num([one, other], nan=math.inf))
        told = "more" if early - late > noise else "less" if late - early > noise else "not to be told from it"
        words.append(f"{game} {early:.3g} against {late:.3g} ({told})")
    return f"At {budget} simulations, cards opened after one decision and cards never opened: {'; '.join(words)}."


def risk(lab: Lab) -> Section:
    """Whether the fear of risk helps, exactly."""
    games, _, seeds = _sizes(lab)
    budget = 30 if lab.quick else SIMULATIONS
    rows, duels = [], []
    for game in games:
        mine = _compared(lab, game, [budget], [WORLDS], seeds, "all")[budget, WORLDS]
        names = mine[0]["names"]
        totals = np.array([result["totals"] for result in mine])
        plays = np.array([result["plays"] for result in mine])
        rivals = [names.index(name) for name in ("EPIMC, depth 1", GREEDY, BEFORE)]
        for i, name in enumerate(names):
            rows.append([game, name, float(totals[:, i].mean()), _half(totals[:, i])])
            for j in rivals:
                if i != j:
                    duels.append([game, name, names[j], float(plays[:, i, j].mean()), _half(plays[:, i, j])])
    prose = f"""
        All searches at {budget} simulations a move in {WORLDS} worlds. First the total exploitability of each, then
        what it gets from three rivals when both play their mean strategies: exact, and the mean over both seats. R = 0
        is epsilon-greedy at the first decision, so what R does is to be read down from there. Intervals are Student's
        over {seeds} seeds.

        {_effect(games, rows)}
    """
    tables: dict[str, Any] = {
        "beyond-risk-exploitability": (["game", "search", "total exploitability", "± 95 %"], rows),
        "beyond-risk-duels": (["game", "search", "against", "payoff", "± 95 %"], duels),
    }
    pictures = {"beyond-risk": _risk_picture(games, rows)}
    title = "Beyond the paper: does the fear of risk help? Exact answers"
    return Section("beyond-risk", title, prose, [], tables, pictures)


def _effect(games: list[str], rows: list[list[Any]]) -> str:
    """Whether R = 1 is less exploitable than R = 0, in each game, in a sentence."""
    words = []
    for game in games:
        mine = {name: (total, half) for where, name, total, half in rows if where == game}
        (none, one), (full, other) = mine[GREEDY], mine[f"UCT-Risk, R = {RISKS[-1]:g}"]
        noise = math.hypot(*np.nan_to_num([one, other], nan=math.inf))
        told = "less" if none - full > noise else "more" if full - none > noise else "not to be told from it"
        words.append(f"{game} {full:.3g} against {none:.3g} ({told})")
    return f"R = {RISKS[-1]:g} against R = 0: {'; '.join(words)}."


def readings(lab: Lab) -> Section:
    """The readings of the formulas and the number of worlds, exactly."""
    games, _, seeds = _sizes(lab)
    games = [game for game in games if game in (*TINY, *SMALL)]
    counts = (5, 20) if lab.quick else WORLD_COUNTS
    budget, rows = 30 if lab.quick else SIMULATIONS, []
    for game in games:
        for (_, worlds), results in _compared(lab, game, [budget], counts, seeds, "readings").items():
            rows += [[game, worlds, name, *numbers] for name, numbers in _totals(results).items()]
    header = ["game", "worlds", "reading, R = 0.4", "total exploitability", "± 95 %"]
    prose = (
        "The formulas of the paper can be read in several ways. Each reading is measured exactly, with different numbers "
        "of worlds."
    )
    title = "Beyond the paper: each reading of the formulas, and more worlds"
    return Section("beyond-readings", title, prose, tables={"beyond-readings-numbers": (header, rows)})


def _sizes(lab: Lab) -> tuple[list[str], tuple[int, ...], int]:
    """The games, the budgets and the number of seeds."""
    return (list(TINY), (10, 30), 2) if lab.quick else (list(GAMES), BUDGETS, SEEDS)


def _compared(lab: Lab, game: str, budgets: Any, counts: Any, seeds: int, kind: str) -> dict[tuple[int, int], Any]:
    """(simulations, worlds) -> the results of all seeds. Each game is a run of its own."""
    runs = 2 if lab.quick else RUNS
    pieces = [
        {"game": game, "worlds": worlds, "simulations": budget, "runs": runs, "seed": lab.seed + seed, "kind": kind}
        for budget in budgets
        for worlds in counts
        for seed in range(seeds if game != LARGEST else 1)
    ]
    found: dict[tuple[int, int], Any] = {}
    for piece, result in zip(pieces, lab.map(f"everywhere-{kind}", {}, compare, pieces), strict=True):
        found.setdefault((piece["simulations"], piece["worlds"]), []).append(result)
    return found


def _totals(results: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """The mean total exploitability of each search, and half its interval."""
    totals = np.array([result["totals"] for result in results])
    return {name: (float(totals[:, i].mean()), _half(totals[:, i])) for i, name in enumerate(results[0]["names"])}


def _half(values: np.ndarray) -> float:
    """Half an interval; nothing is known from one value."""
    half = student_half(values)
    return round(half, 12) if math.isfinite(half) else math.nan  # without the noise of floating-point numbers


def _picture(games: Any, budgets: Any, found: Any, ends: Any) -> Any:
    figure, axes = panels(len(games), size=(3.6 * len(games), 4.2))
    for panel, game in zip(np.atleast_1d(axes), games, strict=True):
        for budget in budgets:
            means, halves = zip(*found[game, budget].values(), strict=True)
            panel.errorbar(
                range(len(means)),
                means,
                np.nan_to_num(halves),
                marker="o",
                markersize=3,
                capsize=2,
                label=f"{budget:,}",
            )
        panel.axhline(ends[game]["votes"], color="black", linestyle="--", linewidth=1, label="all worlds solved")
        labels = ["all" if depth == ALL else str(depth) for depth in DEPTHS]
        panel.set_xticks(range(len(labels)), labels)
        panel.set(title=game, xlabel="decisions before the cards are opened", ylim=(0, None))
    first = np.atleast_1d(axes)[0]
    first.set_ylabel("total exploitability, exact")
    first.legend(frameon=False, fontsize=8, title="simulations")
    return figure


def _risk_picture(games: Any, rows: Any) -> Any:
    figure, axes = panels(1, size=(7.5, 4.6))
    for game in games:
        mine = [(total, half) for name, search, total, half in rows if name == game and search.startswith("UCT-Risk")]
        start = mine[0][0]
        if start == 0:
            continue  # nothing is a multiple of 0
        means, halves = np.array([m[0] for m in mine]) / start, np.nan_to_num([m[1] for m in mine]) / start
        axes.errorbar(RISKS, means, halves, marker="o", markersize=3, capsize=2, label=game)
    axes.set(
        xlabel="R", ylabel="total exploitability, as a multiple of R = 0", title="UCT-Risk in games that can be solved"
    )
    axes.legend(frameon=False, fontsize=8)
    return figure


def larger(lab: Lab) -> Section:
    """The same in larger games: army chess on 12 points, and forced-centre Phantom Tic-Tac-Toe."""
    budget, rows = 30 if lab.quick else SIMULATIONS, []
    for game in TINY if lab.quick else LARGER:
        results = _compared(lab, game, [budget], [WORLDS], SEEDS, "all")[budget, WORLDS]
        size = [game, results[0]["sets"], results[0]["runs"]]
        rows += [[*size, name, *numbers] for name, numbers in _totals(results).items()]
    prose = f"All searches at {budget} simulations a move in {WORLDS} worlds, each the mean of so many runs."
    header = ["game", "information sets", "runs", "search", "total exploitability", "± 95 %"]
    title = "Beyond the paper: larger games"
    return Section("beyond-larger", title, prose, tables={"beyond-larger-numbers": (header, rows)})


PARTS = {"beyond-fusion": fusion, "beyond-risk": risk, "beyond-readings": readings, "beyond-larger": larger}
