"""Lisý 2014, Figures 2 and 3: how exploitability falls, and rises again; and the same in the full Phantom Tic-Tac-Toe."""

from typing import Any

import numpy as np

from ...draw.methods import colours
from ...draw.panels import panels, trace
from ...measure.curve import PER_DECADE, Curve, follow, gathered, rows
from ..claims import Claim, unjudged
from ..laboratory import Lab, grouped
from ..report import Section
from .printed import BANDIT, FORCED, GOOFSPIEL, PHANTOM, RATES

LONG = round(100 * 10 ** (22 / PER_DECADE))  # 3.2e7, a mark of every curve
AS_IN_THE_TEXT = "UCT as in the text"
LEGEND = (
    f"{', '.join(f'{name} is `{bandit}`' for name, bandit in BANDIT.items())}, and {AS_IN_THE_TEXT} is `uct`, all with their "
    "default parameters."
)
EXTRA = {"CFR+": "cfr+", "MCCFR external": "external", "MCCFR outcome": "outcome"}  # beyond the paper


def figure2(lab: Lab) -> Section:
    """Convergence in 6-card Goofspiel."""
    found, rates = _curves(lab, "figure2", GOOFSPIEL, longest=10**8), RATES["goofspiel"]
    rises = "printed: it rises again after its lowest point"
    claims = [
        *_valley(found["UCT"], 0.39, 25.0, rates["UCT"]),
        _at("EXP3 after 500 s", 0.41, found["EXP3"], 500 * rates["EXP3"]),
        _at("RM after 500 s", 0.27, found["RM"], 500 * rates["RM"]),
        Claim("UCT, last point", None, *last_point(found["UCT"]), note=rises),
        *_last_points(found, AS_IN_THE_TEXT, *EXTRA),
    ]
    prose = f"""
        The sum of both players' exploitabilities of the strategy from the root. Left: by the paper's clock
        (iterations divided by its own iterations a second). Right: by seconds of our processor, with CFR+ and Monte
        Carlo CFR. Bands are 95 % intervals of the mean. {LEGEND} {runs_in_words(found)}
    """
    figure = draw_clocks(found, rates, "6-card Goofspiel", {"UCT": (25, 0.39), "EXP3": (500, 0.41), "RM": (500, 0.27)})
    title = "Figure 2: convergence in 6-card Goofspiel"
    return _section("figure2", title, prose, unjudged(claims) if lab.quick else claims, found, figure)


def figure3(lab: Lab) -> Section:
    """Convergence in Phantom Tic-Tac-Toe with both first moves forced to the centre."""
    found = _curves(lab, "figure3", FORCED, longest=round(100 * 10 ** (25 / PER_DECADE)))
    rates, game = RATES["phantom-ttt"], "forced-centre Phantom Tic-Tac-Toe"
    claims = [
        *_valley(found["UCT"], 0.27, 10.0, rates["UCT"]),
        _at("RM after 30 min", 0.13, found["RM"], 1800 * rates["RM"]),
        *_last_points(found, "UCT", "EXP3", AS_IN_THE_TEXT, *EXTRA),
    ]
    prose = f"""
        As Figure 2, in Phantom Tic-Tac-Toe with winning tries first and the first try of both players in the centre. {LEGEND}
        {runs_in_words(found)}
    """
    figure = draw_clocks(found, rates, game, {"UCT": (10, 0.27), "RM": (1800, 0.13)})
    shown = unjudged(claims) if lab.quick else claims
    return _section("figure3", f"Figure 3: convergence in {game}", prose, shown, found, figure)


def full_phantom(lab: Lab) -> Section:
    """What the paper could not compute: exact exploitability in the full game of 10^10 histories."""
    game, search, sweeps, seeds = (FORCED, 10**4, 30, 1) if lab.quick else (PHANTOM, LONG, 316, 2)
    pieces = [
        {"game": game, "algorithm": key, "iterations": search if name in BANDIT else sweeps, "seed": lab.seed + run}
        for run in range(seeds)
        for name, key in {**BANDIT, "CFR+": EXTRA["CFR+"]}.items()
        if run == 0 or name in BANDIT
    ]
    found = by_name(pieces, lab.map("full-phantom", {"game": game}, follow, pieces), BANDIT | EXTRA)
    claims = [
        Claim(f"{name}, {int(curve.iterations[-1]):,} iterations", None, *last_point(curve))
        for name, curve in found.items()
    ]
    prose = f"""
        The paper measures exploitability with the first move forced, because the full game was out of reach. Here
        the sequence form of the full game (with winning tries first, which changes no value) gives the exact sum of
        exploitabilities at each point. {LEGEND} {runs_in_words(found)}
    """
    if lab.quick:
        prose += "\n\n Quick scale: the forced-centre game in its place."
    figure = draw_clocks(found, RATES["phantom-ttt"], "full Phantom Tic-Tac-Toe")
    title = "Beyond the paper: exact exploitability in full Phantom Tic-Tac-Toe"
    return _section("full-phantom", title, prose, claims, found, figure)


def _section(name: str, title: str, prose: str, claims: list[Claim], found: dict[str, Curve], figure: Any) -> Section:
    return Section(name, title, prose, claims, {f"{name}-curves": rows(list(found.values()))}, {name: figure})


def _last_points(found: dict[str, Curve], *names: str) -> list[Claim]:
    return [Claim(f"{name}, last point", None, *last_point(found[name])) for name in names]


def _curves(lab: Lab, name: str, game: str, longest: int) -> dict[str, Curve]:
    """The paper's three and the extra ones. A few runs go on to the paper's half hour, the others to a third of it."""
    searches = BANDIT | {AS_IN_THE_TEXT: "uct"}
    runs, few, usual, far = (2, 0, 10**4, 10**4) if lab.quick else (20, 2, LONG, longest)
    pieces = [
        {"game": game, "algorithm": bandit, "iterations": far if run < few else usual, "seed": lab.seed + run}
        for run in range(runs)
        for bandit in searches.values()
    ]
    last = dict(zip(EXTRA.values(), (100, 1000, 10**4) if lab.quick else (3162, 10**5, 10**7), strict=True))
    pieces += [
        {"game": game, "algorithm": method, "iterations": last[method], "seed": lab.seed + run}
        for run in range(1 if lab.quick else 3)
        for method in EXTRA.values()
        if run == 0 or method != "cfr+"  # which is the same each time
    ]
    return by_name(pieces, lab.map(name, {"game": game}, follow, pieces), searches | EXTRA)


def runs_in_words(found: dict[str, Curve]) -> str:
    """How many runs there are of each, and how far they go."""
    parts = []
    for name, curve in found.items():
        reached = (~np.isnan(curve.total)).sum(axis=0)
        all_ = int(curve.iterations[np.flatnonzero(reached == reached[0])[-1]])
        further = f", {reached[-1]} of them to {int(curve.iterations[-1]):,}" if reached[-1] < reached[0] else ""
        parts.append(f"{name} {reached[0]} to {all_:,} iterations{further}")
    return f"Runs: {'; '.join(parts)}."


def by_name(pieces: list[dict[str, Any]], runs: list[Any], names: dict[str, str]) -> dict[str, Curve]:
    found = grouped(pieces, runs, "algorithm")
    return {name: gathered(name, found[key]) for name, key in names.items() if key in found}


def _valley(curve: Curve, lowest: float, seconds: float, rate: float) -> list[Claim]:
    """The lowest mean and when it is reached, beside the printed ones; only points that all runs have reached.

    A valley may be flat: the time is as uncertain as the points are many whose means cannot be told from the lowest one.
    """
    mean, band = np.where(np.isnan(curve.total).any(axis=0), np.inf, curve.mean()), curve.band()
    at = int(mean.argmin())
    floor = curve.iterations[np.flatnonzero(np.abs(mean - mean[at]) <= np.hypot(band, band[at]))]
    when = float(curve.iterations[at])
    factor = float(max(floor[-1] / when, when / floor[0]))
    note = f"from {floor[0] / rate:.3g} to {floor[-1] / rate:.3g} s no mean can be told from the lowest"
    spread = factor if factor > 1 else 0.0
    return [
        Claim("UCT, lowest", lowest, float(mean[at]), float(band[at]), kind="amount"),
        Claim("UCT, lowest at (s, paper's clock)", seconds, when / rate, spread, kind="duration", note=note),
    ]


def last_point(curve: Curve) -> tuple[float, float]:
    """Mean and half its interval at the last point that all runs have reached."""
    at = int(np.flatnonzero(~np.isnan(curve.total).any(axis=0))[-1])
    return float(curve.mean()[at]), float(curve.band()[at])


def _at(what: str, printed: float, curve: Curve, iterations: float) -> Claim:
    """The claim at the measured point nearest to so many iterations."""
    at = int(np.abs(np.log(curve.iterations / iterations)).argmin())
    runs = int((~np.isnan(curve.total[:, at])).sum())
    note = f"at {int(curve.iterations[at]):,} iterations, {runs} runs"
    return Claim(what, printed, float(curve.mean()[at]), float(curve.band()[at]), kind="amount", note=note)


def draw_clocks(
    found: dict[str, Curve], rates: dict[str, float], title: str, printed: dict[str, Any] | None = None
) -> Any:
    """Two panels: the paper's clock with its (seconds, total) points, and ours."""
    figure, (theirs, ours) = panels(2, sharey=True)
    shade = dict(zip(found, colours(list(found)), strict=True))
    for name, curve in found.items():
        if rate := rates.get(name.partition(" ")[0]):
            trace(theirs, curve, curve.iterations / rate, color=shade[name], linewidth=1.4)
        trace(ours, curve, curve.mean_seconds(), color=shade[name], linewidth=1.4)
    for name, (seconds, total) in (printed or {}).items():
        theirs.plot(seconds, total, "x", color=shade[name], label=f"{name}, printed")
    theirs.set(xlabel="seconds on the paper's clock", ylabel="total exploitability", title=title)
    ours.set(xlabel="seconds of our processor", title="the same, and beyond the paper")
    for panel in (theirs, ours):
        panel.set(xscale="log", yscale="log")
        panel.legend(frameon=False, fontsize=8)
    return figure
