"""Iterations a second of external and outcome sampling, against OpenSpiel's solvers in C++.

An iteration updates both players once, on both sides: `run_iteration` goes through the players as ours does (two games an
iteration of outcome sampling, counted on a game written in Python). To show that it is worth the same, the exploitability
after equally many iterations stands below each rate: the total of both gains, mean over a few seeds, without a bar.

OpenSpiel plays Goofspiel turn by turn (its transform), and the forced last card by itself; ours plays it as a move.
"""

import statistics

import pyspiel

import fogtree
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.mccfr import MCCFR, External, Outcome
from row import Row, rates

BAR = 5
SEEDS = range(1, 6)
GOOFSPIEL = "goofspiel(imp_info=True,num_cards=5,points_order=descending,returns_type=win_loss)"
GAMES = {
    "Leduc": (fogtree.Leduc(), "leduc_poker"),
    "Goofspiel-5": (fogtree.Goofspiel(cards=5, lowest=1), f"turn_based_simultaneous_game(game={GOOFSPIEL})"),
}
SCHEMES = {
    "external": (External(), pyspiel.ExternalSamplingMCCFRSolver),
    "outcome": (Outcome(0.6), pyspiel.OutcomeSamplingMCCFRSolver),
}
SETTLED = {"external": 1000, "outcome": 20_000}  # iterations before the clock starts: most sets have been met
EQUAL = {"Leduc": {"external": 20_000, "outcome": 50_000}, "Goofspiel-5": {"external": 2000, "outcome": 50_000}}
PEER = "OpenSpiel, C++"


def measure() -> list[Row]:
    rows = []
    for title, (game, text) in GAMES.items():
        peer = pyspiel.load_game(text)
        for scheme in SCHEMES:
            found = rates({"ours": ours(game, scheme), "theirs": theirs(peer, scheme)})
            mine, other = found["ours"], found["theirs"]
            rows.append(Row(f"{title}, {scheme}", mine, other, mine / other, BAR, "iterations/s", PEER))
            rows.append(worth(title, game, peer, scheme))
    return rows


def ours(game, scheme):
    solver = MCCFR(game, SCHEMES[scheme][0], seed=1).run(iterations=SETTLED[scheme])

    def work():
        solver.run(iterations=SETTLED[scheme])
        return SETTLED[scheme]

    return work


def theirs(game, scheme):
    solver = SCHEMES[scheme][1](game, seed=1)
    iterate(solver, SETTLED[scheme])
    few = SETTLED[scheme] // 20

    def work():
        iterate(solver, few)
        return few

    return work


def iterate(solver, count):
    for _ in range(count):
        solver.run_iteration()


def worth(title, game, peer, scheme) -> Row:
    """The exploitability that equally many iterations lead to."""
    iterations, form = EQUAL[title][scheme], sequence_form(game)
    mine, other = [], []
    for seed in SEEDS:
        solver = MCCFR(game, SCHEMES[scheme][0], seed=seed).run(iterations=iterations)
        mine.append(exploitability(form, solver.strategy()).total)
        rival = SCHEMES[scheme][1](peer, seed=seed)
        iterate(rival, iterations)
        other.append(pyspiel.nash_conv(peer, rival.average_policy(), use_state_get_policy=True))
    a, b = statistics.mean(mine), statistics.mean(other)
    return Row(f"  exploitability after {iterations:,}", a, b, b / a, None, "total", PEER)
