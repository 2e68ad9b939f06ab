"""Lisy 2014, Alternative Selection Functions for Information Set Monte Carlo Tree Search: all its tables and figures.

Budgets are iterations: the paper's seconds times the iterations a second that it states for each selection function and
game, so that nothing here depends on our speed. (It states them for the two small games; the large ones take the same rates.)

How the printed numbers are read, where the text leaves it open or the authors' code differs from it:
* UCT is the code's: no 2 under the root, C = 2, random among actions within 0.01 of the best (`uct-eps`).
* In matches all three draw from their mix and search anew at each move. Nothing of this is in the text, and the code can
  also keep its trees and play UCT's most visited action: part `readings` tries these.
* All Phantom experiments try winning cells first: two random players then score 70.8 %, as printed, and 64.8 % otherwise.
"""

from typing import Any, NamedTuple

import numpy as np

from ..arena.tournament import Cell, Tournament
from ..measure.curve import PER_DECADE, Curve, follow, gathered, panels, rows, trace
from .report import AGREES, Claim, Lab, Paper, Section, unjudged

GOOFSPIEL, GOOFSPIEL_13 = "goofspiel:cards=6", "goofspiel:cards=13"
PHANTOM, FORCED = "phantom-ttt:winning_first=on", "phantom-ttt:rules=forced-centre,winning_first=on"

NAMES = ("UCT", "EXP3", "RM", "RAND")
RATES = {  # iterations a second on the author's machine
    "goofspiel": {"UCT": 3.9e4, "EXP3": 3.4e4, "RM": 5.9e4},
    "phantom-ttt": {"UCT": 5.1e4, "EXP3": 3.4e4, "RM": 9.5e4},
}
BANDIT = {"UCT": "uct-eps", "EXP3": "exp3", "RM": "rm"}
POINTS = 3.0  # percentage points that count as no difference between two win rates


class Printed(NamedTuple):
    """A table of win rates in percent, the row player's, with half the width of each 95 % interval."""

    game: str
    seconds: float
    rates: list[list[float]]
    halves: list[list[float]]


TABLES = {
    "table1, 0.1 s": Printed(
        GOOFSPIEL,
        0.1,
        [[62.9, 55.6, 62.7, 84.0], [74.5, 62.8, 74.8, 88.0], [70.6, 60.0, 73.1, 87.8], [15.7, 8.2, 10.3, 49.7]],
        [[2.6, 2.1, 2.5, 2.1], [2.2, 1.6, 2.0, 1.9], [1.7, 1.6, 2.1, 1.4], [2.2, 1.6, 1.8, 3.0]],
    ),
    "table1, 1 s": Printed(
        GOOFSPIEL,
        1.0,
        [[61.5, 54.0, 64.5, 84.2], [74.5, 61.8, 75.7, 87.8], [72.8, 59.2, 75.2, 88.8], [14.9, 8.7, 10.6, 48.7]],
        [[2.7, 2.1, 2.5, 2.1], [2.2, 1.5, 2.0, 1.9], [2.3, 1.7, 2.1, 1.9], [2.1, 1.7, 1.8, 3.0]],
    ),
    "table2, 1 s": Printed(
        GOOFSPIEL_13,
        1.0,
        [[70.0, 67.7, 61.0, 90.6], [79.5, 63.2, 66.4, 95.6], [73.8, 68.2, 67.5, 92.8], [6.2, 4.0, 4.9, 49.0]],
        [[2.8, 2.9, 3.0, 1.8], [2.5, 2.8, 2.9, 1.2], [2.7, 2.8, 2.9, 1.5], [1.5, 1.2, 1.3, 3.0]],
    ),
    "table3, 0.1 s": Printed(
        PHANTOM,
        0.1,
        [[85.9, 84.8, 82.3, 95.6], [87.2, 88.1, 85.3, 96.6], [87.7, 88.1, 85.2, 96.0], [50.5, 46.1, 48.0, 71.4]],
        [[1.7, 1.7, 1.8, 1.1], [1.6, 1.5, 1.6, 1.0], [1.6, 1.4, 1.5, 1.0], [3.0, 3.0, 3.0, 2.7]],
    ),
    "table3, 1 s": Printed(
        PHANTOM,
        1.0,
        [[86.5, 86.3, 84.0, 95.2], [88.5, 88.5, 87.0, 96.2], [90.0, 87.4, 85.2, 96.3], [52.0, 48.9, 46.2, 70.9]],
        [[1.8, 1.7, 1.8, 1.1], [1.6, 1.5, 1.6, 1.0], [1.4, 1.5, 1.5, 1.0], [3.0, 3.0, 2.9, 2.7]],
    ),
}


MATCHES = {  # a cell, at quick and at full scale
    "table1, 0.1 s": (4, 1000),
    "table1, 1 s": (1, 300),
    "table2, 1 s": (1, 300),  # at quick scale with a tenth of the budget
    "table3, 0.1 s": (4, 1000),
    "table3, 1 s": (1, 300),
}
AS_ABOVE, KEPT, TENTH = "as the tables above", "trees kept from move to move", "a tenth of the budget"
READINGS: dict[str, dict[str, str]] = {  # what else the text or the code might mean, one change at a time
    AS_ABOVE: {},
    KEPT: dict.fromkeys(BANDIT, "play_best=no,keep_tree=yes"),
    "UCT plays its most visited action": {"UCT": "play_best=yes"},
    "RM explores with 0.2": {"RM": "gamma=0.2,play_best=no"},
}
TRIED = {
    "table1, 0.1 s": tuple(READINGS),
    "table1, 1 s": (AS_ABOVE, KEPT, TENTH),
    "table3, 0.1 s": tuple(READINGS),
    "table3, 1 s": (AS_ABOVE, KEPT, TENTH),
}


# --- tables ------------------------------------------------------------------------------------------------------


def agent(name: str, game: str, seconds: float, extra: str = "play_best=no") -> str:
    """The agent behind a name in a table: a bandit with the budget of so many of the paper's seconds."""
    if name == "RAND":
        return "random"
    iterations = round(RATES[game.partition(":")[0]][name] * seconds)
    return f"{BANDIT[name]}:iterations={iterations},{extra}"


def table1(lab: Lab) -> Section:
    return _tables(lab, "table1", "Table 1: win rates in 6-card Goofspiel")


def table2(lab: Lab) -> Section:
    return _tables(lab, "table2", "Table 2: win rates in 13-card Goofspiel")


def table3(lab: Lab) -> Section:
    return _tables(lab, "table3", "Table 3: win rates in full Phantom Tic-Tac-Toe")


def _tables(lab: Lab, name: str, title: str) -> Section:
    claims: list[Claim] = []
    sizes = {table: _matches(lab, table) for table in TABLES if table.startswith(name)}
    for table in sizes:
        claims += _judged(table.partition(", ")[2], TABLES[table], _played(lab, table))
    near = [claim.verdict() for claim in claims].count(AGREES)
    prose = (
        f"Win rates of the row player in percent, a draw as half; {near} of {len(claims)} cells agree: they lie within "
        f"{POINTS:g} points of the printed ones or inside the joint 95 % intervals. Matches a cell: "
        f"{', '.join(f'{matches:,} ({table})' for table, matches in sizes.items())}."
    )
    return Section(name, title, prose, claims)


def _matches(lab: Lab, table: str) -> int:
    """Of a cell. The less a match costs, the more."""
    quick, full = MATCHES[table]
    return quick if lab.quick else full


def _played(lab: Lab, table: str, reading: str = AS_ABOVE, matches: int | None = None) -> Tournament:
    printed = TABLES[table]
    seconds = 0.1 if lab.quick and printed.game == GOOFSPIEL_13 else printed.seconds
    agents = [agent(who, printed.game, seconds, READINGS[reading].get(who, "play_best=no")) for who in NAMES]
    name = table if reading == AS_ABOVE else f"{table}, {reading}"
    return lab.tournament(name, printed.game, agents, matches or _matches(lab, table))


def _judged(budget: str, printed: Printed, found: Tournament) -> list[Claim]:
    return [
        Claim(
            f"{NAMES[i]} v {NAMES[j]}, {budget}",
            printed.rates[i][j],
            100 * cell.rate,
            _half(cell, printed.rates[i][j]),
            printed.halves[i][j],
            POINTS,
        )
        for (i, j), cell in found.cells.items()
    ]


def _half(cell: Cell, printed: float) -> float:
    """How far the interval reaches from the rate towards the printed one: with few matches it is lopsided."""
    low, high = cell.interval()
    return 100 * (high - cell.rate if printed > 100 * cell.rate else cell.rate - low)


def readings(lab: Lab) -> Section:
    """Which reading of the open questions gives the printed tables?"""
    lines = []
    for table, tried in TRIED.items():
        for reading in tried:
            if reading == TENTH:
                found = _played(lab, table.replace("1 s", "0.1 s"))
            else:
                found = _played(lab, table, reading, None if reading in (AS_ABOVE, KEPT) else 1 if lab.quick else 400)
            claims = _judged("", TABLES[table], found)
            apart = np.array([claim.difference for claim in claims])
            worst = claims[int(np.abs(apart).argmax())]
            near = [claim.verdict() for claim in claims].count(AGREES)
            farthest = f"{worst.what.strip(', ')}: {worst.difference:+.1f}"
            lines.append([table, reading, near, found.cells[0, 0].matches, float(np.sqrt((apart**2).mean())), farthest])
    header = ["table", "reading", "cells of 16 that agree", "matches", "root mean square difference", "farthest"]
    prose = """
        The same tables under other readings of what the paper leaves open, one change at a time. Fewer matches make wider
        intervals, so rows are best compared by their differences.
    """
    return Section("readings", "Which reading gives the printed tables?", prose, tables={"readings": (header, lines)})


# --- figures -----------------------------------------------------------------------------------------------------

LONG = round(100 * 10 ** (22 / PER_DECADE))  # 3.2e7, a mark of every curve
EXTRA = {"CFR+": "cfr+", "MCCFR external": "external", "MCCFR outcome": "outcome"}  # beyond the paper


def figure2(lab: Lab) -> Section:
    """Convergence in 6-card Goofspiel."""
    found = _curves(lab, "figure2", GOOFSPIEL, longest=10**8)
    rates = RATES["goofspiel"]
    lowest, when = _lowest(found["UCT"])
    claims = [
        Claim("UCT, lowest", 0.39, lowest, _band_at(found["UCT"], when)),
        Claim(
            "UCT, lowest at (s, paper's clock)", 25.0, when / rates["UCT"], tolerance=25.0, note="the valley is flat"
        ),
        _at("EXP3 after 500 s", 0.41, found["EXP3"], 500 * rates["EXP3"]),
        _at("RM after 500 s", 0.27, found["RM"], 500 * rates["RM"]),
        Claim("UCT, last point", None, *_last(found["UCT"]), note="it rises again, as printed"),
        *(Claim(f"{name}, last point", None, *_last(found[name])) for name in ("UCT as in the text", *EXTRA)),
    ]
    prose = """
        Sum of both players' exploitabilities of the strategy from the root. Left on the paper's clock (iterations over its
        own iterations a second), right in seconds of our processor, with CFR+ and Monte Carlo CFR beside. Bands are 95 %
        intervals of the mean.
    """
    return Section(
        "figure2",
        "Figure 2: convergence in 6-card Goofspiel",
        prose,
        claims if not lab.quick else unjudged(claims),
        {"figure2-curves": rows(list(found.values()))},
        {
            "figure2": _draw(
                found, rates, "6-card Goofspiel", {"UCT": (25, 0.39), "EXP3": (500, 0.41), "RM": (500, 0.27)}
            )
        },
    )


def figure3(lab: Lab) -> Section:
    """Convergence in Phantom Tic-Tac-Toe with both first moves forced to the centre."""
    found = _curves(lab, "figure3", FORCED, longest=round(100 * 10 ** (25 / PER_DECADE)))
    rates = RATES["phantom-ttt"]
    lowest, when = _lowest(found["UCT"])
    claims = [
        Claim("UCT, lowest", 0.27, lowest, _band_at(found["UCT"], when)),
        Claim(
            "UCT, lowest at (s, paper's clock)", 10.0, when / rates["UCT"], tolerance=25.0, note="the valley is flat"
        ),
        _at("RM after 30 min", 0.13, found["RM"], 1800 * rates["RM"]),
        Claim("UCT, last point", None, *_last(found["UCT"])),
        Claim("EXP3, last point", None, *_last(found["EXP3"])),
        *(Claim(f"{name}, last point", None, *_last(found[name])) for name in ("UCT as in the text", *EXTRA)),
    ]
    prose = (
        "As Figure 2, in Phantom Tic-Tac-Toe with winning tries first and the first try of both players in the centre."
    )
    return Section(
        "figure3",
        "Figure 3: convergence in forced-centre Phantom Tic-Tac-Toe",
        prose,
        claims if not lab.quick else unjudged(claims),
        {"figure3-curves": rows(list(found.values()))},
        {"figure3": _draw(found, rates, "forced-centre Phantom Tic-Tac-Toe", {"UCT": (10, 0.27), "RM": (1800, 0.13)})},
    )


def full_phantom(lab: Lab) -> Section:
    """What the paper could not compute: exact exploitability in the full game of 10^10 histories."""
    game = "phantom-ttt:rules=forced-centre,winning_first=on" if lab.quick else PHANTOM
    long = {"UCT": 10**4, "EXP3": 10**4, "RM": 10**4, "CFR+": 30} if lab.quick else {
        "UCT": LONG, "EXP3": LONG, "RM": LONG, "CFR+": 316
    }  # fmt: skip
    pieces = [
        {"game": game, "algorithm": (BANDIT | EXTRA)[name], "iterations": long[name], "seed": lab.seed + run}
        for run in range(1 if lab.quick else 2)
        for name in long
        if run == 0 or name in BANDIT
    ]
    runs = lab.map("full-phantom", {"game": game}, follow, pieces)
    found = _by_name(pieces, runs, BANDIT | EXTRA)
    claims = [
        Claim(f"{name}, {int(curve.iterations[-1]):,} iterations", None, *_last(curve)) for name, curve in found.items()
    ]
    prose = """
        The paper measures exploitability with the first move forced, for the full game was out of reach. Here the full game's
        sequence form (winning tries first, which changes no value) gives the exact sum of exploitabilities on the way. Two
        runs each.
    """
    if lab.quick:
        prose += "\n\n Quick scale: the forced-centre game in its place."
    return Section(
        "full-phantom",
        "Beyond the paper: exact exploitability in full Phantom Tic-Tac-Toe",
        prose,
        claims,
        {"full-phantom-curves": rows(list(found.values()))},
        {"full-phantom": _draw(found, RATES["phantom-ttt"], "full Phantom Tic-Tac-Toe")},
    )


def _curves(lab: Lab, name: str, game: str, longest: int) -> dict[str, Curve]:
    """The paper's three and the extra ones. A few runs go on to the paper's half hour, the others to a third of it."""
    searches = BANDIT | {"UCT as in the text": "uct"}
    runs, few = (2, 0) if lab.quick else (20, 2)
    pieces = [
        {
            "game": game,
            "algorithm": bandit,
            "iterations": 10**4 if lab.quick else longest if run < few else LONG,
            "seed": lab.seed + run,
        }
        for run in range(runs)
        for bandit in searches.values()
    ]
    last = {"cfr+": 100, "external": 1000, "outcome": 10**4} if lab.quick else {
        "cfr+": 3162, "external": 10**5, "outcome": 10**7
    }  # fmt: skip
    pieces += [
        {"game": game, "algorithm": method, "iterations": last[method], "seed": lab.seed + run}
        for run in range(1 if lab.quick else 3)
        for method in EXTRA.values()
        if run == 0 or method != "cfr+"  # which is the same each time
    ]
    return _by_name(pieces, lab.map(name, {"game": game}, follow, pieces), searches | EXTRA)


def _by_name(pieces: list[dict[str, Any]], runs: list[Any], names: dict[str, str]) -> dict[str, Curve]:
    by = {
        name: [run for piece, run in zip(pieces, runs, strict=True) if piece["algorithm"] == key]
        for name, key in names.items()
    }
    return {name: gathered(name, mine) for name, mine in by.items() if mine}


def _lowest(curve: Curve) -> tuple[float, int]:
    """The lowest mean, and after how many iterations; only points that all runs have reached."""
    mean = np.where(np.isnan(curve.total).any(axis=0), np.inf, curve.mean())
    at = int(mean.argmin())
    return float(mean[at]), int(curve.iterations[at])


def _last(curve: Curve) -> tuple[float, float]:
    """Mean and half its interval at the last point that all runs have reached."""
    at = int(np.flatnonzero(~np.isnan(curve.total).any(axis=0))[-1])
    return float(curve.mean()[at]), float(curve.band()[at])


def _band_at(curve: Curve, iterations: float) -> float:
    return float(curve.band()[_nearest(curve, iterations)])


def _nearest(curve: Curve, iterations: float) -> int:
    return int(np.abs(np.log(curve.iterations / iterations)).argmin())


def _at(what: str, printed: float, curve: Curve, iterations: float) -> Claim:
    """The claim at the measured point nearest to so many iterations."""
    at = _nearest(curve, iterations)
    runs = int((~np.isnan(curve.total[:, at])).sum())
    note = f"at {int(curve.iterations[at]):,} iterations, {runs} runs"
    return Claim(what, printed, float(curve.mean()[at]), float(curve.band()[at]), note=note)


def _draw(found: dict[str, Curve], rates: dict[str, float], title: str, printed: dict[str, Any] | None = None) -> Any:
    """Two panels: the paper's clock with its (seconds, total) points, and ours."""
    figure, (theirs, ours) = panels(2, sharey=True)
    for at, (name, curve) in enumerate(found.items()):
        if rate := rates.get(name.partition(" ")[0]):
            trace(theirs, curve, curve.iterations / rate, color=f"C{at}", linewidth=1.4)
        trace(ours, curve, curve.mean_seconds(), color=f"C{at}", linewidth=1.4)
    for name, (seconds, total) in (printed or {}).items():
        theirs.plot(seconds, total, "x", color=f"C{list(found).index(name)}", label=f"{name}, printed")
    theirs.set(xlabel="seconds on the paper's clock", ylabel="total exploitability", title=title)
    ours.set(xlabel="seconds of our processor", title="the same, and beyond the paper")
    for panel in (theirs, ours):
        panel.set(xscale="log", yscale="log")
        panel.legend(frameon=False, fontsize=8)
    return figure


PAPER = Paper(
    "lisy2014",
    "Alternative Selection Functions for Information Set Monte Carlo Tree Search",
    "V. Lisy, Acta Polytechnica 54(5), 2014.",
    {
        "table1": table1,
        "table3": table3,
        "figure2": figure2,
        "figure3": figure3,
        "readings": readings,
        "full-phantom": full_phantom,
        "table2": table2,
    },
)
