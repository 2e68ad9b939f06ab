"""CFR+ iterations a second beside OpenSpiel's C++ and LiteEFG's, and how soon games of the papers are nearly solved.

An iteration updates both players once and adds to the average strategy, in all three. OpenSpiel deals the cards from 1, so
ours do here. LiteEFG (`pip install LiteEFG`) brings JAX along and compiles for minutes, so it is asked only where it is
installed already.
"""

import contextlib
import importlib.util
import io
import tempfile
import time

import pyspiel

import fogtree
from row import Row, one_core, rates

UNIT = "iterations/s"
OPENSPIEL, LITEEFG = "OpenSpiel, C++", "LiteEFG, C++"
GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel("
    "imp_info=True,num_cards={},points_order=descending,returns_type=win_loss))"
)
# our game, theirs, iterations of ours a call, the bar against OpenSpiel and against LiteEFG
GAMES = {
    "Leduc": ("leduc", "leduc_poker", 1_000, 100, 20),
    "Goofspiel-5": ("goofspiel:cards=5,lowest=1", GOOFSPIEL.format(5), 500, 200, 50),
    "Goofspiel-6": ("goofspiel:cards=6,lowest=1", GOOFSPIEL.format(6), 20, 300, 100),
}
# total exploitability, and the seconds within which it should be reached, building included
TARGETS = {
    "goofspiel:cards=6": ((0.01, 3.0), (0.001, 10.0)),
    "phantom-ttt:rules=forced-centre,winning_first=true": ((0.0001, 5.0),),
}


def measure() -> list[Row]:
    return [*iterations(), *targets()]


def iterations() -> list[Row]:
    rows = []
    for name, (ours, theirs, batch, bar, lite_bar) in GAMES.items():
        peers = {OPENSPIEL: (openspiel, bar)}
        if importlib.util.find_spec("LiteEFG"):
            peers[LITEEFG] = (liteefg, lite_bar)
        game = pyspiel.load_game(theirs)
        contestants = {peer: make(game) for peer, (make, _) in peers.items()}
        found = rates({"ours": fogtrees(fogtree.load(ours), batch), **contestants}, rounds=5)
        for peer, (_, least) in peers.items():
            rows.append(Row(name, found["ours"], found[peer], found["ours"] / found[peer], least, UNIT, peer))
        if LITEEFG not in peers:
            rows.append(Row(name, found["ours"], unit=UNIT, peer="LiteEFG is not installed here"))
    return rows


def targets() -> list[Row]:
    rows = []
    for text, aims in TARGETS.items():
        game = fogtree.load(text)
        fogtree.solve(game, iterations=1)  # compiles it
        for target, bar in aims:
            with one_core():
                start = time.process_time()
                fogtree.solve(game, target=target, threads=1)
                spent = time.process_time() - start
            rows.append(Row(f"{text} to a total of {target:g}", spent, bar=bar, unit="s", at_most=True))
    return rows


# --- the contestants ---------------------------------------------------------------------------------------------


def fogtrees(game, batch):
    cfr = fogtree.CFR(fogtree.sequence_form(game), "cfr+", threads=1)

    def work():
        cfr.run(iterations=batch)
        return batch

    return work


def openspiel(game):
    solver = pyspiel.CFRPlusSolver(game)

    def work():
        solver.evaluate_and_update_policy()
        return 1

    return work


def liteefg(game):
    import LiteEFG
    from LiteEFG.baselines.CFRplus import graph

    with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(tempfile.mkdtemp()):
        env = LiteEFG.OpenSpielEnv(game, traverse_type="Enumerate", regenerate=True)
        rule = graph()
        env.set_graph(rule)

    def work():
        rule.update_graph(env)
        env.update_strategy(rule.current_strategy())
        return 1

    return work
