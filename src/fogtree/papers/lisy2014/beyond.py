"""Lisý 2014, beyond the paper: exact exploitability in the full Phantom Tic-Tac-Toe."""

from ...measure.curve import follow, rows
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .figures import EXTRA, LEGEND, LONG, by_name, draw_clocks, last_point, runs_in_words
from .printed import BANDIT, PHANTOM, RATES


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
    found = by_name(pieces, runs, BANDIT | EXTRA)
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
    return Section(
        "full-phantom",
        "Beyond the paper: exact exploitability in full Phantom Tic-Tac-Toe",
        prose,
        claims,
        {"full-phantom-curves": rows(list(found.values()))},
        {"full-phantom": draw_clocks(found, RATES["phantom-ttt"], "full Phantom Tic-Tac-Toe")},
    )
