"""Samples of OOS a second, beside outcome sampling in OpenSpiel's C++; and what the weight of a move is worth.

OpenSpiel has an OOS in C++, which its Python package does not contain. Its outcome sampling does the same work for a sample,
without a target. An iteration of it is two samples, one for each player. The absolute bars are for a core that has nothing
else to do.

The second part plays OOS at every information set of Leduc, with the weight that is multiplied, without it, and without a
target: the mean of the seeds' own exploitabilities, which is no bar.
"""

import pyspiel

from fogtree.arena.soundness import soundness
from fogtree.search.trees.oos import OOS
from row import Row, rates

BAR, TIMES = 2e6, 10
BATCH, FEW = 200_000, 2_000  # samples a call, and iterations of the peer
GOOFSPIEL = "goofspiel(imp_info=True,num_cards=6,points_order=descending,returns_type=win_loss)"
GAMES = {
    "Liar's Dice": ("liars-dice", "liars_dice"),
    "Goofspiel-6": ("goofspiel:cards=6", f"turn_based_simultaneous_game(game={GOOFSPIEL})"),
}
READINGS = {
    "multiplied, as the authors' program": "oos",
    "none, as OpenSpiel and as printed": "oos:weigh=no",
    "no target": "oos:target=none",
}
SEEDS, SAMPLES = 8, 3_000


def measure() -> list[Row]:
    return [*speed(), *weights()]


def speed() -> list[Row]:
    rows = []
    for title, (text, peer) in GAMES.items():
        found = rates({"ours": ours(text), "theirs": theirs(peer)})
        mine, other = found["ours"], found["theirs"]
        rows.append(Row(title, mine, bar=BAR, unit="samples/s"))
        rows.append(Row(title, mine, other, mine / other, TIMES, "samples/s", "OpenSpiel's outcome sampling, C++"))
    return rows


def ours(text):
    search = OOS(text, seed=1).run(iterations=BATCH)

    def work():
        search.run(iterations=BATCH)
        return BATCH

    return work


def theirs(text):
    solver = pyspiel.OutcomeSamplingMCCFRSolver(pyspiel.load_game(text), seed=1)

    def work():
        for _ in range(FEW):
            solver.run_iteration()
        return 2 * FEW

    return work


def weights() -> list[Row]:
    texts = [f"{agent}{',' if ':' in agent else ':'}iterations={SAMPLES}" for agent in READINGS.values()]
    found = soundness("leduc", texts, seeds=SEEDS, cores=1)
    rows = []
    for title, each in zip(READINGS, found, strict=True):
        words = f"Leduc, {SAMPLES:,} samples a move, weight: {title}"
        rows.append(Row(words, each.own, unit="total of one seed"))
    return rows
