"""Auger 2011, Table 1 and Figure 1: players of growing size against each other; and when ours play as the printed ones.
Figures 2 and 3: fixed players against an opponent that evolves."""

from typing import Any

import numpy as np

from ...draw.panels import panels
from ...measure.intervals import share_half, student_half
from ..claims import POINTS, Claim, unjudged
from ..laboratory import Lab, grouped
from ..report import Section
from .pieces import bounds, evolve, exact, grow
from .printed import GAME, NAMES, PRINTED_HALF, READINGS, REDUCED, SIZES, TABLE_1, VALUE

GAMES = 10_000  # a cell and seed


def _grown(lab: Lab, aim: str) -> list[dict[str, Any]]:
    """The runs that Table 1 and Figure 1 share."""
    sizes = [size // 500 for size in SIZES] if lab.quick else list(SIZES)
    setting = {"game": GAME, "aim": aim, "clock": READINGS[aim], "simulations": sizes[-1], "sizes": sizes}
    seeds = 1 if lab.quick else 5
    pieces = [{**setting, "seed": lab.seed + run, "games": GAMES} for run in range(seeds)]
    return lab.map(f"players-{aim}", setting, grow, pieces)


def table1(lab: Lab) -> Section:
    tables = {aim: [run["table"] for run in _grown(lab, aim)] for aim in READINGS}
    found = {aim: 100 * np.array(table) for aim, table in tables.items()}  # [runs, row, column, 2]
    claims = _judged(found["win"], lab.quick)
    apart = np.array([claim.difference for claim in claims])
    header = ["first \\ second", *NAMES]
    shown = {
        f"table1-{aim}": (header, [[first, *_cells(runs[:, i])] for i, first in enumerate(NAMES)])
        for aim, runs in found.items()
    }
    prose = f"""
        Percent of the games won by the first and by the second player: {GAMES:,} games a cell and seed, and
        {len(found["win"])} seed{"s" if len(found["win"]) > 1 else ""}. Where a player was trained the intervals are
        over seeds. As in the paper a win counts 1 and everything else 0 (`aim=win`, exploration by simulations). The
        second table is the same with zero-sum rewards and exploration by visits.
    """
    if lab.quick:
        sizes = ", ".join(f"{size // 500:,}" for size in SIZES)
        prose += f"\n\nQuick scale: {sizes} simulations in place of 500K, 5M and 50M."
    else:
        asks = "Part `sizes` asks after how many simulations our players play as the printed ones."
        prose += f"\n\n{_stronger(apart)} {asks}"
    return Section("table1", "Table 1: all ordered pairs", prose, claims, shown)


def _stronger(apart: np.ndarray) -> str:
    """By how much our trained players win more than the printed ones, in words; `apart` [numbers of the table]."""
    table = apart.reshape(5, 5, 2)
    first, second = table[:3, 3:, 0].mean(axis=1), table[3:, :3, 1].mean(axis=0)  # against those that learn nothing
    words = [
        f"{name} wins {one:+.1f} percentage points as the first player and {two:+.1f} as the second"
        for name, one, two in zip(NAMES, first, second, strict=False)
    ]
    square = np.sqrt((apart**2).mean())
    return (
        f"Beside print, on average against Random and Belief: {'; '.join(words)}. The root mean square difference is "
        f"{square:.1f} points."
    )


def _judged(found: np.ndarray, quick: bool) -> list[Claim]:
    """Each number of a table [runs, row, column, player] beside the printed one."""
    claims = []
    for i, j, seat in np.ndindex(5, 5, 2):
        ours, half = _mean(found[:, i, j, seat], games=GAMES, trained=min(i, j) < 3)
        what = f"{NAMES[i]} v {NAMES[j]}, {('first', 'second')[seat]} wins (%)"
        note = "exactly 58.492 and 28.810" if i == j == 3 else ""
        claim = Claim(what, None, ours, half, note=note)
        if not quick:
            claim = claim._replace(printed=TABLE_1[i][j][seat], printed_half=PRINTED_HALF, kind="percent")
        claims.append(claim)
    return claims


def _mean(values: np.ndarray, games: int, trained: bool) -> tuple[float, float]:
    """The mean of percentages over seeds, and half its 95 % interval: between seeds, or of the games alone."""
    mean, runs = float(values.mean()), len(values)
    share = min(max(mean / 100, 1e-4), 1 - 1e-4)
    sampled = 100 * share_half(share, games * runs)
    if not trained or runs == 1:
        return mean, sampled
    return mean, max(sampled, student_half(values))


def _cells(row: np.ndarray) -> list[str]:
    return [f"{first:.1f} / {second:.1f}" for first, second in row.mean(axis=0)]


def figure1(lab: Lab) -> Section:
    grown = {aim: np.array([run["alone"] for run in _grown(lab, aim)]) for aim in READINGS}  # [runs, marks, 5]
    ours = [_mean(100 * grown["win"][:, -1, 1 + seat], GAMES, True) for seat in (0, 1)]
    apart = [_mean(100 * (runs[:, -1, 1] - runs[:, -1, 2]), GAMES, True) for runs in grown.values()]
    last = int(grown["win"][0, -1, 0])
    claims = [
        Claim(f"first player wins, {last:,} simulations (%)", 85, *ours[0], PRINTED_HALF, "percent"),
        Claim(f"second player wins, {last:,} simulations (%)", 4, *ours[1], PRINTED_HALF, "percent"),
        Claim("their difference, win-only rewards", 0.81, apart[0][0] / 100, apart[0][1] / 100, 0.01, "rate"),
        Claim("their difference, zero-sum rewards", None, apart[1][0] / 100, apart[1][1] / 100),
    ]
    if not lab.quick:
        low, high = lab.map("value", {"game": REDUCED}, bounds, [{"game": REDUCED, "iterations": 150}])[0]["bounds"]
        note = "not the value of the zero-sum game, which lies between our bounds"
        claims.append(Claim("value of the game", 0.81, (low + high) / 2, (high - low) / 2, rounding=0.005, note=note))
    rows = [
        [aim, int(mark), *(f"{x:.5g}" for x in runs[:, at, 1:].mean(axis=0))]
        for aim, runs in grown.items()
        for at, mark in enumerate(runs[0, :, 0])
    ]
    prose = """
        The players of growing size against themselves. The paper calls the limit of the difference, 0.81, the value of the
        game. But its rewards count a draw as a loss for both players, so they do not play a zero-sum game; with zero-sum
        rewards the difference is lower. The value is 2/3, by `fogtree solve phantom-ttt`.
    """
    figure, sides = panels(2, sharey=True)
    for panel, (aim, runs) in zip(sides, grown.items(), strict=True):
        marks, first, second = runs.mean(axis=0).T[:3]
        for name, values in {"first wins": first, "second wins": second, "difference": first - second}.items():
            panel.plot(marks, values, marker="o", markersize=3, label=name)
        panel.axhline(0.81, color="grey", linestyle=":", label="printed value, 0.81")
        panel.axhline(VALUE, color="black", linestyle="--", label="true value, 2/3")
        panel.set(xscale="log", xlabel="simulations", title=f"{aim} rewards")
        panel.grid(alpha=0.3)
    sides[0].legend(frameon=False, fontsize=8)
    header = ["aim", "simulations", "first wins", "second wins", "seconds", "infosets"]
    title, judged = "Figure 1: wins as simulations grow", unjudged(claims) if lab.quick else claims
    return Section("figure1", title, prose, judged, {"figure1-points": (header, rows)}, {"figure1": figure})


def readings(lab: Lab) -> Section:
    """Which reading of the open questions gives the printed wins?"""
    simulations, seeds = (10**5, 1) if lab.quick else (SIZES[-1], 2)
    setting = {"game": GAME, "simulations": simulations, "sizes": [simulations]}
    pieces = [
        {**setting, "aim": aim, "clock": clock, "seed": lab.seed + run, "games": GAMES}
        for aim in ("win", "zero-sum")
        for clock in ("simulation", "node")
        for run in range(seeds)
    ]
    rows, claims = [], []
    for (aim, clock), runs in grouped(pieces, lab.map("readings", setting, grow, pieces), "aim", "clock").items():
        table = np.array([run["table"] for run in runs]) * 100  # [runs, 3, 3, 2]: the trained player, Random, Belief
        rows.append([f"{aim}, by {clock}", *_cells(table[:, [0, 0, 0, 1, 2], [0, 1, 2, 0, 0]])])
        for seat in (0, 1):
            ours, half = _mean(table[:, 0, 0, seat], GAMES, True)
            what = f"{aim} rewards, exploration by {clock}: {('first', 'second')[seat]} wins (%)"
            printed = None if lab.quick else TABLE_1[2][2][seat]
            claims.append(Claim(what, printed, ours, half, PRINTED_HALF, "percent"))
    rows.append(["printed", "85 / 4", "93 / 2", "82 / 3", "41 / 47", "68 / 22"])
    header = ["reading", "v itself", "v Random", "v Belief", "Random v it", "Belief v it"]
    prose = f"""
        Players of {simulations:,} simulations: percent won by the first and by the second player. The text leaves
        open whether a draw counts 0 or as a loss. It reads as if exploration depended on the simulations, not on the
        visits of a node. Seeds: {seeds}.
    """
    title = "Which reading gives the printed wins?"
    return Section("readings", title, prose, claims, {"readings-table": (header, rows)})


SLOWER = (1000, 500, 200, 100, 50, 20)


def sizes(lab: Lab) -> Section:
    """After how many simulations do our players play as the printed ones?"""
    slower, seeds = ((500, 100), 1) if lab.quick else (SLOWER, 5)
    setting = {"game": GAME, "aim": "win", "clock": READINGS["win"], "games": GAMES}
    pieces: list[dict[str, Any]] = []
    for factor in slower:
        fewer = [size // factor for size in SIZES]
        pieces += [
            {**setting, "simulations": fewer[-1], "sizes": fewer, "seed": lab.seed + run} for run in range(seeds)
        ]
    runs = lab.map("sizes", {"game": GAME, "aim": "win"}, grow, pieces)
    tables = np.array([run["table"] for run in runs]).reshape(len(slower), seeds, 5, 5, 2) * 100
    trained = np.ones((5, 5), bool)
    trained[3:, 3:] = False  # where nobody was trained, nothing depends on the size
    apart = (tables.mean(axis=1) - np.array(TABLE_1))[:, trained]
    numbers = apart[0].size
    best = int((apart**2).mean(axis=(1, 2)).argmin())
    cells = [
        [first, *(f"{ours} ({a} / {b})" for ours, (a, b) in zip(_cells(tables[best][:, i]), TABLE_1[i], strict=True))]
        for i, first in enumerate(NAMES)
    ]
    claims = []
    for factor, mine in zip(slower, apart, strict=True):
        what = f"1 / {factor} of the simulations: root mean square difference (points)"
        note = f"{int((np.abs(mine) <= POINTS).sum())} of {numbers} within {POINTS:g} points"
        claims.append(Claim(what, None, float(np.sqrt((mine**2).mean())), note=note))
    prose = f"""
        The same players after a fraction of the printed simulations: how far their {numbers} numbers in Table 1 lie from the
        printed ones (root mean square, in points), and how many of them lie within {POINTS:g} points. Seeds:
        {seeds}. The nearest fraction is 1 / {slower[best]}; its table is below, with the printed numbers in
        brackets. The fraction was chosen to fit, so this is no test. But one fraction for all three players brings
        the whole table near: the printed players seem to have learned as ours do, only more slowly. The paper does
        not say enough to see why.
    """
    title = "After how many simulations do our players play as the printed ones?"
    return Section("sizes", title, prose, claims, {"sizes-nearest": (["first \\ second", *NAMES], cells)})


# --- Figures 2 and 3 -------------------------------------------------------------------------------------------------


def against_fixed(lab: Lab) -> dict[tuple[str, int], float]:
    """(player, seat of the best response) -> the first player's payoff, exactly; takes minutes."""
    if lab.quick:
        return {}
    setting: dict[str, Any] = {"game": GAME, "aim": "win", "clock": "simulation", "simulations": 0, "seed": 0}
    pieces = [{**setting, "player": player, "seat": seat} for player in ("random", "belief") for seat in (0, 1)]
    found = grouped(pieces, lab.map("exact-fixed", setting, exact, pieces), "player", "seat")
    return {(player, seat): run["value"] * (1 - 2 * seat) for (player, seat), (run,) in found.items()}


def resisting(ends: dict[str, dict[str, float]], seat: int) -> str:
    """Which fixed player keeps the most against an evolving opponent in a seat; `ends` are rewards -> player -> payoff."""
    better = max if seat == 1 else min  # the first player wants a high payoff, the second a low one
    best = [f"with {aim} rewards {better(mine, key=lambda name: mine[name])}" for aim, mine in ends.items()]
    return f"Here the player that resists best is {', '.join(best)}."


def evolving(lab: Lab, name: str, title: str, seat: int) -> Section:
    """Figures 2 and 3: all fixed players against an opponent that evolves in a seat."""
    trained, simulations = (SIZES[-1] // 500, 10**5) if lab.quick else (SIZES[-1], 10**7)
    setting = {"game": GAME, "seat": seat, "trained": trained, "simulations": simulations}
    pieces = [
        {**setting, "player": player, "aim": aim, "clock": clock, "seed": lab.seed + run}
        for run in range(1 if lab.quick else 2)
        for aim, clock in READINGS.items()
        for player in ("mmcts", "belief", "random")
    ]
    found = grouped(pieces, lab.map(name, setting, evolve, pieces), "aim", "player")
    rows, claims, levels = list[Any](), list[Claim](), against_fixed(lab)
    ends: dict[str, dict[str, float]] = {aim: {} for aim in READINGS}
    figure, sides = panels(2, sharey=True)
    for panel, aim in zip(sides, READINGS, strict=True):
        for player in ("mmcts", "belief", "random"):
            curve = np.mean([run["curve"] for run in found[aim, player]], axis=0)
            label = {"mmcts": f"MMCTS {trained:,}", "belief": "Belief Sampler", "random": "Random"}[player]
            (line,) = panel.plot(curve[:, 0], curve[:, 1], label=label)
            note = "the last tenth of a decade"
            if level := levels.get((player, seat)):
                panel.axhline(level, color=line.get_color(), linestyle=":", linewidth=1)
                note = f"against an exact best response: {level:.5f}"
            ends[aim][label] = float(curve[-1, 1])
            what = f"{label}, {aim} rewards, after {simulations:,} simulations"
            claims.append(Claim(what, None, ends[aim][label], note=note))
            rows += [[aim, player, int(n), f"{payoff:.5g}"] for n, payoff in curve]
        panel.axhline(VALUE, color="black", linestyle="--", linewidth=1, label="value of the game")
        panel.set(xscale="log", xlabel="simulations of the evolving opponent", title=f"{aim} rewards")
        panel.grid(alpha=0.3)
    sides[0].legend(frameon=False, fontsize=8)
    sides[0].set(ylabel="first player's wins less second's")
    seeds = len({piece["seed"] for piece in pieces})
    prose = f"""
        One player is fixed; the other evolves from nothing by a one-sided search with the same EXP3. The curves are
        means over consecutive windows of simulations, as payoffs of the first player. Seeds: {seeds}. Dotted: the
        payoff against an exact best response. The paper prints no numbers in these figures, so nothing is judged; it
        finds that MMCTS resists best as the first player, and that the Belief Sampler resists better than MMCTS as
        the second. {resisting(ends, seat)}
    """
    tables = {f"{name}-curves": (["aim", "fixed", "simulations", "payoff"], rows)}
    return Section(name, title, prose, claims, tables, {name: figure})
