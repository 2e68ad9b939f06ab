"""Lisý 2014, Tables 1 to 3, and the same tables under other readings of what the text leaves open."""

import math

import numpy as np

from ...arena.tournament import Cell, Tournament
from ..claims import POINTS, Claim
from ..laboratory import Lab
from ..report import Section
from .printed import BANDIT, GOOFSPIEL_13, NAMES, RATES, TABLES, Printed

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


def agent(name: str, game: str, seconds: float, extra: str = "play_best=no") -> str:
    """The agent behind a name in a table: a bandit with the budget of so many of the paper's seconds."""
    if name == "RAND":
        return "random"
    iterations = round(RATES[game.partition(":")[0]][name] * seconds)
    return f"{BANDIT[name]}:iterations={iterations},{extra}"


def win_rates(lab: Lab, name: str, title: str) -> Section:
    """A table of the paper, at each budget that it has."""
    claims: list[Claim] = []
    sizes = {table: _matches(lab, table) for table in TABLES if table.startswith(name)}
    for table in sizes:
        claims += _judged(table.partition(", ")[2], TABLES[table], _played(lab, table))
    agents = [
        f"{table}: {', '.join(f'{who} is `{agent(who, TABLES[table].game, _seconds(lab, table))}`' for who in NAMES)}"
        for table in sizes
    ]
    prose = (
        "Win rates of the row player in percent; a draw counts as half. Matches a cell: "
        f"{', '.join(f'{matches:,} ({table})' for table, matches in sizes.items())}. Agents, with the paper's budgets in "
        f"iterations: {'; '.join(agents)}."
    )
    return Section(name, title, prose, claims)


def _matches(lab: Lab, table: str) -> int:
    """How many matches a cell gets: more where a match costs less."""
    quick, full = MATCHES[table]
    return lab.matches_or(quick if lab.quick else full)


def _other(lab: Lab) -> int:
    """How many matches a cell of another reading gets."""
    return lab.matches_or(1 if lab.quick else 400)


def _seconds(lab: Lab, table: str) -> float:
    """The budget of a move."""
    return 0.1 if lab.quick and TABLES[table].game == GOOFSPIEL_13 else TABLES[table].seconds


def _played(lab: Lab, table: str, reading: str = AS_ABOVE, matches: int | None = None) -> Tournament:
    printed = TABLES[table]
    agents = [
        agent(who, printed.game, _seconds(lab, table), READINGS[reading].get(who, "play_best=no")) for who in NAMES
    ]
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
            "percent",
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
                found = _played(lab, table, reading, None if reading in (AS_ABOVE, KEPT) else _other(lab))
            claims = _judged("", TABLES[table], found)
            apart = np.array([claim.difference for claim in claims])
            worst = claims[int(np.abs(apart).argmax())]
            near = sum(abs(c.difference) <= max(POINTS, math.hypot(c.half, c.printed_half)) for c in claims)
            farthest = f"{worst.what.strip(', ')}: {worst.difference:+.1f}"
            lines.append([table, reading, near, found.cells[0, 0].matches, float(np.sqrt((apart**2).mean())), farthest])
    header = [
        "table",
        "reading",
        f"cells of 16 within {POINTS:g} points or the joint interval",
        "matches",
        "root mean square difference",
        "farthest",
    ]
    prose = """
        The same tables under other readings of what the paper leaves open, one change at a time. Fewer matches make wider
        intervals, so rows are best compared by their differences.
    """
    return Section("readings", "Which reading gives the printed tables?", prose, tables={"readings": (header, lines)})
