"""Tree search of Go: simulations a second with MoGo's playouts, bytes of a position in the tree, seconds to compile.

A simulation is a descent of the tree, a new position and a playout. The tree grows from an empty board to a few thousand
positions and is then begun anew, as in a game. Seconds to compile are those of a process of its own with an empty cache.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from fogtree.bandits import RAVE, UCB1Tuned
from fogtree.game import new_state
from fogtree.games.go import Go, MoGo
from fogtree.games.go.priors import FirstSight
from fogtree.judges import Playout
from fogtree.search.trees.mcts import MCTS
from row import Row, one_core, rates

SIMULATIONS = {9: 3_000, 19: 500}  # [side] of one tree
SPEED_BAR, COLD_BAR = 30_000, 6.0
COMPILES = 3  # repetitions, of which the median counts
COLD = """
import time
from go_search import RAVE, Go, Searched
start = time.process_time()
Searched(Go(9), RAVE(), True).think(iterations=1)
print(time.process_time() - start)
"""


class Searched:
    """A search from the empty board."""

    def __init__(self, game, bandit, prior):
        self.state = new_state(game)
        self.tree = MCTS(game, bandit, 1, judge=Playout(MoGo()), prior=FirstSight() if prior else None)

    def think(self, iterations):
        return self.tree.think(self.state, iterations=iterations)


def measure() -> list[Row]:
    kinds = {"UCB1-Tuned": (UCB1Tuned(), False), "RAVE": (RAVE(), False), "RAVE with priors": (RAVE(), True)}
    work = {
        f"{side}x{side}, {name}": simulations(Go(side), *kind) for side in SIMULATIONS for name, kind in kinds.items()
    }
    rows = []
    for name, rate in rates(work).items():
        rows.append(Row(name, rate, bar=SPEED_BAR if name == "9x9, RAVE" else None, unit="simulations/s"))
    for side in SIMULATIONS:
        found = Searched(Go(side), RAVE(), False).think(SIMULATIONS[side]).search
        rows.append(Row(f"{side}x{side}, RAVE, a position", found.memory / found.infosets, unit="bytes"))
    with one_core():
        rows.append(
            Row(
                "compile RAVE with priors",
                statistics.median(cold() for _ in range(COMPILES)),
                bar=COLD_BAR,
                unit="s",
                at_most=True,
            )
        )
    return rows


def simulations(game, bandit, prior):
    count = SIMULATIONS[game.side]

    def work():
        Searched(game, bandit, prior).think(count)
        return count

    return work


def cold() -> float:
    """The processor's seconds to the first simulation, where nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", COLD],
            env={**os.environ, "FOGTREE_CACHE": cache},
            cwd=os.path.dirname(os.path.abspath(__file__)),
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout)
