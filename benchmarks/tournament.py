"""What a tournament costs besides its agents: the referee, the store, the bookkeeping.

A round robin of the searches of Lisý (2014), 5,900 iterations a move, on 6-card Goofspiel, in this process and with its
results stored in a file. The overhead is the share of the processor's seconds that is spent outside the agents' `act`, which
is to believe and to search. The second line counts the agents' beliefs and their talk as overhead too, and only
`ISMCTS.run` as searching.
"""

import pathlib
import tempfile
import time

from fogtree.arena.agents import SearchAgent
from fogtree.arena.tournament import tournament
from fogtree.search.trees.ismcts import ISMCTS
from row import Row, one_core

GAME, BUDGET, BAR = "goofspiel:cards=6", 5_900, 0.05
AGENTS = [f"{name}:iterations={BUDGET}" for name in ("rm", "uct", "exp3")]
MATCHES = 25  # of each of the nine ordered pairs: 225 matches


def measure() -> list[Row]:
    with one_core():
        played(1)  # compiles
        total, act, search = played(MATCHES)
    what = f"Goofspiel-6, {BUDGET:,} iterations a move"
    return [
        Row(f"{what}, all but the agents", 1 - act / total, bar=BAR, unit="of the time", at_most=True),
        Row(f"{what}, all but the search itself", 1 - search / total, unit="of the time"),
    ]


def played(matches: int) -> tuple[float, float, float]:
    """Seconds of a tournament: in all, in the agents, in their searches."""
    act, run = Stopwatch(SearchAgent.act), Stopwatch(ISMCTS.run)
    SearchAgent.act, ISMCTS.run = act.timed, run.timed
    try:
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            tournament(GAME, AGENTS, matches=matches, store=pathlib.Path(folder) / "runs.sqlite", cores=1)
            return time.process_time() - began, act.seconds, run.seconds
    finally:
        SearchAgent.act, ISMCTS.run = act.method, run.method


class Stopwatch:
    """The seconds spent in a method."""

    def __init__(self, method):
        self.method, self.seconds = method, 0.0

        def timed(*args, **kwargs):
            began = time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                self.seconds += time.process_time() - began

        self.timed = timed
