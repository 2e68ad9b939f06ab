"""Lisý 2014, beyond the paper: Table 1 with states drawn by their weight and not evenly.

The paper's searches take all states that fit what a player has seen for equally likely. In Goofspiel that concerns the
second player: at each bid the other has bid already, unseen. An even draw answers a bid at random, and the more
iterations there are, the more precisely it does so. So the first seat wins more than half, and with ten times the
iterations still more.

Here a search draws a state by its weight: the probabilities of the moves that lead to it, by the strategy that the
agent's own search at the move before has found for the other (`draw=weighted`, see `arena/agents/searching.py`).
"""

from typing import Any

from ...arena.tournament import BLOCK, Cell, block_cells, play_block
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .printed import BANDIT, GOOFSPIEL, NAMES, TABLES
from .tables import agent

EVEN, WEIGHTED = "even", "weighted"
EXTRA = {EVEN: "play_best=no", WEIGHTED: "play_best=no,draw=weighted"}
BRIEF, SHORT, LONG = "0.01 s", "0.1 s", "1 s"
BUDGETS = {BRIEF: 0.01, SHORT: 0.1, LONG: 1.0}  # seconds on the paper's clock
RANDOM = "RAND"
BOTH = [(first, second) for first in EXTRA for second in EXTRA]
MATCHES = {  # of a cell, at quick and at full scale
    "pairs": (2, 125),  # at 0.1 s, all pairs of draws
    BRIEF: (2, 125),  # each draw against itself
    "random": (2, 50),  # at 0.1 s, against RAND
    LONG: (1, 25),  # each draw against itself
}

Cells = dict[tuple[str, str, str], Cell]  # [budget, first, second]


def weighted(lab: Lab) -> Section:
    """What becomes of the first seat's advantage where states are drawn by their weight?"""
    found = _played(lab)
    claims = []
    for budget, first, second in found:
        cell = found[budget, first, second]
        low, high = cell.interval()
        what = f"{first} v {second}, {budget}"
        claims.append(Claim(what, None, 100 * cell.rate, 50 * (high - low), note=f"{cell.matches} matches"))
    header, lines = ["search", "budget", "draw", "first seat wins", "95 %", "matches", "printed"], []
    names = _names(lab)
    groups = [[name] for name in names] + ([names] if len(names) > 1 else [])  # each search, and all together
    for who in groups:
        for budget in BUDGETS:
            for draw in EXTRA:
                cell = sum((found[budget, called(name, draw), called(name, draw)] for name in who), Cell())
                low, high = cell.interval()
                shown = f"{100 * cell.rate:.1f}", f"{100 * low:.1f} to {100 * high:.1f}", cell.matches
                told = len(who) == 1 and draw == EVEN and budget != BRIEF
                lines.append([" and ".join(who), budget, draw, *shown, _printed(who[0], budget) if told else ""])
    agents = ", ".join(f"{name} is `{_agent(name, WEIGHTED, SHORT)}`" for name in _names(lab))
    prose = f"""
        6-card Goofspiel, as in Table 1, with searches that draw the states they believe possible by weight: the strategy
        that the search at the move before found for the other says how likely each is. A tenth of the time the other is
        taken to move at random. The second player has made no search before the first move, so it makes one more, from
        the start of the game: its first move costs twice the budget. Win rates of the first seat in percent; a draw
        counts as half. At 0.1 s, {agents}. The first table has each search against itself, with the paper's number where
        it is the paper's search, and all searches taken together.
    """
    title = "Beyond the paper: states drawn by their weight"
    return Section("weighted", title, prose, claims, {"first-seat": (header, lines)})


def _names(lab: Lab) -> list[str]:
    """The searches that are measured; at quick scale one of them, because each is compiled."""
    return ["RM"] if lab.quick else list(BANDIT)


def called(name: str, draw: str) -> str:
    """What a search is called in the claims."""
    return name if draw == EVEN else f"{name} weighted"


def _printed(name: str, budget: str) -> float:
    at = NAMES.index(name)
    return TABLES[f"table1, {budget}"].rates[at][at]


def _agent(name: str, draw: str, budget: str) -> str:
    return agent(name, GOOFSPIEL, BUDGETS[budget], EXTRA[draw])


def _played(lab: Lab) -> Cells:
    """All cells, through the run store, a block of each after the other."""
    wanted: list[tuple[str, tuple[str, str], tuple[str, str], int]] = []  # budget, first, second, matches
    count = {kind: lab.matches_or(sizes[0 if lab.quick else 1]) for kind, sizes in MATCHES.items()}
    for name in _names(lab):
        wanted += [(SHORT, (name, first), (name, second), count["pairs"]) for first, second in BOTH]
    for name in _names(lab):
        wanted += [(BRIEF, (name, draw), (name, draw), count[BRIEF]) for draw in EXTRA]
    for name in _names(lab):
        wanted += [(SHORT, (name, WEIGHTED), (RANDOM, EVEN), count["random"])]
        wanted += [(SHORT, (RANDOM, EVEN), (name, WEIGHTED), count["random"])]
    for name in _names(lab):
        wanted += [(LONG, (name, draw), (name, draw), count[LONG]) for draw in EXTRA]
    pieces: dict[tuple, dict[str, Any]] = {}  # at quick scale one piece may stand for several budgets
    places: list[tuple[tuple[str, str, str], tuple]] = []
    for match in range(0, max(matches for *_, matches in wanted), BLOCK):
        for budget, first, second, matches in wanted:
            if match < matches:
                clock = BRIEF if lab.quick else budget  # at quick scale with the least of the budgets
                names = [_agent(*side, clock) for side in (first, second)]
                block = {"match": match, "matches": min(BLOCK, matches - match)}
                key = (*names, *block.values())
                pieces[key] = {"game": GOOFSPIEL, "agents": names, "seed": lab.seed, **block}
                places.append(((budget, called(*first), called(*second)), key))
    results = lab.map("weighted", {"game": GOOFSPIEL}, play_block, list(pieces.values()))
    blocks = dict(zip(pieces, results, strict=True))
    found: Cells = {}
    for place, key in places:
        found[place] = found.get(place, Cell()) + block_cells(blocks[key])[0]
    return found
