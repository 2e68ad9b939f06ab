"""Long work in independent, seeded pieces, each stored as soon as it is done.

A run is a name, a task (a function of a module) and parameters. A piece is a set of keyword arguments of the task, its seed
among them. Its result goes into one SQLite file in a transaction of its own. If the run is started again, only the missing
pieces are done, and the numbers are those of a run without a break.

    run = Run("fogtree-runs.sqlite", "coin", toss, {"sides": 2})
    results = run.map([{"seed": 0}, {"seed": 1}])      # on all cores; on="ray" takes a cluster

    run.py         a run: what is missing is done, and what is done is kept
    identity.py    all that can change a result, and so makes it another run
    reach.py       the code that a task can reach
    store.py       the SQLite file
    workers.py     pieces on the cores of this machine
    cluster.py     pieces on a Ray cluster
"""

from .identity import machine
from .run import Run, Step
from .store import STORE, StoredRun, export, pieces_of, stored_run, stored_runs

__all__ = ["STORE", "Run", "Step", "StoredRun", "export", "machine", "pieces_of", "stored_run", "stored_runs"]
