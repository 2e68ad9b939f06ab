"""Auger 2011, beyond the paper: exact exploitability, threads, and MMCTS beside the other algorithms."""

from typing import Any

import numpy as np

from ...draw.panels import panels, trace
from ...measure.curve import Curve, gathered
from ...measure.curve import rows as curve_rows
from ...measure.intervals import student_half
from ..claims import Claim
from ..laboratory import Lab, grouped
from ..report import Section
from .pieces import exact, learn, marks, split, streamed
from .players import against_fixed
from .printed import GAME, READINGS, REDUCED, SIZES, SMALLER, VALUE


def exactly(lab: Lab) -> Section:
    """The exact exploitability of every player."""
    game = SMALLER if lab.quick else GAME
    sizes = marks(10**5) if lab.quick else [10**5, *SIZES]  # in the full game each takes minutes
    players = [(aim, size) for aim in READINGS for size in sizes]
    setting = {"game": game, "player": "mmcts", "seed": lab.seed}
    pieces: list[dict[str, Any]] = [
        {**setting, "aim": aim, "clock": READINGS[aim], "simulations": size, "seat": seat}
        for aim, size in sorted(players, key=lambda player: (player[1] not in SIZES, -player[1]))  # what matters first
        for seat in (0, 1)
    ]
    found = grouped(pieces, lab.map("exact", {"game": game}, exact, pieces), "aim", "simulations")
    pairs = np.array([[run["value"] for run in found[player]] for player in players])  # [players, who responds]
    totals = pairs.sum(axis=1)
    fixed = against_fixed(lab)
    rows = [
        [player, "", f"{fixed[player, 1]:.5f}", f"{fixed[player, 0]:.5f}", f"{fixed[player, 0] - fixed[player, 1]:.5f}"]
        for player in dict.fromkeys(player for player, _ in fixed)
    ] + [
        [f"MMCTS, {aim}", str(size), f"{-second:.5f}", f"{first:.5f}", f"{first + second:.5f}"]
        for (aim, size), (first, second) in zip(players, pairs, strict=True)
    ]
    claims = [
        Claim(f"{player} as the {('second', 'first')[seat]} player, against a best response", None, payoff)
        for (player, seat), payoff in fixed.items()
    ]
    claims += [
        Claim(f"MMCTS {size:,}, {aim} rewards: total exploitability", None, float(total))
        for (aim, size), total in zip(players, totals, strict=True)
        if size == sizes[-1]
    ]
    figure, sides = panels(2)
    for aim in READINGS:
        at = [i for i, (a, _) in enumerate(players) if a == aim]
        sides[0].plot(sizes, totals[at], marker="o", markersize=3, label=f"MMCTS, {aim} rewards")
        sides[1].plot(sizes, -pairs[at, 1], marker="o", markersize=3, label=f"as the first player, {aim} rewards")
        sides[1].plot(sizes, pairs[at, 0], marker="o", markersize=3, label=f"as the second player, {aim} rewards")
    if not lab.quick:
        sides[1].axhline(VALUE, color="black", linestyle="--", linewidth=1, label="value of the game")
    sides[0].set(ylabel="total exploitability", ylim=(0, None))
    sides[1].set(ylabel="first player's payoff against a best response")
    for panel in sides:
        panel.set(xscale="log", xlabel="simulations")
        panel.grid(alpha=0.3)
        panel.legend(frameon=False, fontsize=8)
    prose = """
        What the paper could not see: the exact best response to players like those of Figure 1, in the full game of
        19.9 billion histories. The paper calls its player of 50 million simulations approximately optimal, because
        its evolving opponent could not beat it. In equilibrium the total is 0 and both payoffs are 2/3. Each player
        is trained once.
    """
    if lab.quick:
        prose += "\n\nQuick scale: with both first moves in the centre and winning tries first."
    header = ["player", "simulations", "as first player at least", "as second player at most", "total exploitability"]
    title, tables = "Beyond the paper: exact exploitability", {"exact-values": (header, rows)}
    return Section("exact", title, prose, claims, tables, {"exact": figure})


LEARNERS = {
    "MMCTS": "mmcts-zero-sum",
    "MMCTS, win-only": "mmcts-win",
    "IS-MCTS UCT": "uct",
    "IS-MCTS Exp3": "exp3",
    "IS-MCTS RM": "rm",
    "MCCFR external": "external",
    "MCCFR outcome": "outcome",
    "CFR+": "cfr+",
}
OTHER_GAMES = {  # game -> last iterations of searches, external, outcome, CFR+; runs
    SMALLER: (10**7, 10**5, 10**7, 1000, 3),
    "goofspiel:cards=6": (10**7, 10**5, 10**7, 1000, 3),
    "leduc": (10**7, 10**5, 10**7, 3162, 3),
    "liars-dice": (10**7, 31_623, 10**7, 1000, 3),
}
FULL_GAME = {REDUCED: (31_622_777, 1000, 31_622_777, 100, 1)}
QUICK_GAME = {"leduc": (10**4, 100, 10**4, 100, 1)}


def side_by_side(lab: Lab, part: str, title: str, full: dict[str, tuple[int, int, int, int, int]]) -> Section:
    """MMCTS beside all others, game by game; `full` are the games of the full scale."""
    games = QUICK_GAME if lab.quick else full
    claims: list[Claim] = []
    tables, pictures = dict[str, Any](), dict[str, Any]()
    for game, (search, external, outcome, cfr, runs) in games.items():
        last = {"external": external, "outcome": outcome, "cfr+": cfr}
        pieces = [
            {"game": game, "algorithm": key, "iterations": last.get(key, search), "seed": lab.seed + run}
            for key in LEARNERS.values()
            for run in range(runs)
            if run == 0 or key != "cfr+"  # which is the same each time
        ]
        results = grouped(pieces, lab.map(f"others-{game}", {"game": game}, learn, pieces), "algorithm")
        found = {name: gathered(name, results[key]) for name, key in LEARNERS.items()}
        stem = f"{part}-" + game.partition(":")[0] + ("-forced" if "forced" in game else "")
        tables[stem] = curve_rows(list(found.values()))
        pictures[stem] = _draw(found, game)
        for name, curve in found.items():
            what = f"{game}: {name}, {int(curve.iterations[-1]):,} iterations"
            end, half = float(curve.mean()[-1]), float(curve.band()[-1])
            claims.append(Claim(what, None, end, half, note=f"{curve.mean_seconds()[-1]:.3g} s"))
    searches = ", ".join(f"{name} by `{key}`" for name, key in LEARNERS.items() if name.startswith("IS-MCTS"))
    prose = f"""
        Exact total exploitability at equal iterations, and at equal time of one core. An iteration of CFR+ goes
        through the whole game, one of external sampling through all choices of one player; all others play one game.
        {searches}, with their default parameters. Runs:
        {", ".join(f"{number} in `{game}`" for game, (*_, number) in games.items())}; CFR+, which has no dice, 1.
    """
    return Section(part, title, prose, claims, tables, pictures)


def dark_hex(lab: Lab) -> Section:
    """A game of 19 billion histories, measured exactly all the same."""
    game, last = ("dark-hex:side=2", [10**3]) if lab.quick else ("dark-hex", [10**5, 10**6, 10**7])
    names = {name: key for name, key in LEARNERS.items() if key not in ("external", "cfr+")}
    if lab.quick:
        names = {"MMCTS": "mmcts-zero-sum"}
    pieces: list[dict[str, Any]] = [
        {"game": game, "algorithm": key, "iterations": n, "seed": lab.seed} for n in last for key in names.values()
    ]
    runs = lab.map("dark-hex", {"game": game}, streamed, pieces)
    label = {key: name for name, key in names.items()}
    rows, claims = [], []
    for piece, run in zip(pieces, runs, strict=True):
        name, iterations = label[piece["algorithm"]], piece["iterations"]
        numbers = [f"{number:.4f}" for number in (*run["values"], run["total"])]
        rows.append([name, iterations, f"{run['seconds']:.3g}", *numbers])
        if iterations == last[-1]:
            claims.append(Claim(f"{name}, {iterations:,} iterations: total exploitability", None, run["total"]))
    header = ["algorithm", "iterations", "seconds", "first's response", "second's response", "total"]
    prose = f"""
        `{game}`. What best responses get against what each algorithm has learned, exactly, by streaming. Each algorithm
        is run once, so this is no ranking. The seconds are those of learning on one core.
    """
    return Section("dark-hex", "Beyond the paper: Dark Hex", prose, claims, {"dark-hex-exact": (header, rows)})


def threads(lab: Lab) -> Section:
    """What root parallelism costs."""
    claims, seeds = [], 2 if lab.quick else 8
    for game in ("leduc",) if lab.quick else ("leduc", "goofspiel:cards=6", SMALLER):
        simulations = 10**4 if lab.quick else 2 * 10**6
        setting = {"game": game, "algorithm": "zero-sum", "simulations": simulations}
        pieces = [{**setting, "threads": count, "seed": lab.seed + run} for count in (1, 2, 4) for run in range(seeds)]
        found = grouped(pieces, lab.map(f"threads-{game}", {"game": game}, split, pieces), "threads")
        for count, runs in found.items():
            totals = np.array([run["total"] for run in runs])
            what = f"{game}: {count} thread(s), {simulations:,} simulations in all"
            claims.append(Claim(what, None, float(totals.mean()), student_half(totals)))
    prose = f"""
        Root parallelism: each thread grows trees of its own with its share of the simulations, and the frequencies of all are
        added. Total exploitability at equal total simulations. Runs: {seeds} each.
    """
    return Section("threads", "Beyond the paper: what threads cost", prose, claims)


def _draw(found: dict[str, Curve], title: str) -> Any:
    """Two panels: iterations, and seconds of one core."""
    figure, (left, right) = panels(2, sharey=True)
    for curve in found.values():
        trace(left, curve, curve.iterations, linewidth=1.4)
        trace(right, curve, curve.mean_seconds(), linewidth=1.4)
    left.set(xscale="log", yscale="log", xlabel="iterations", ylabel="total exploitability", title=title)
    right.set(xscale="log", yscale="log", xlabel="seconds of one core", title="the same")
    right.legend(frameon=False, fontsize=8)
    return figure
