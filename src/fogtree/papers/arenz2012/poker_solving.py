"""Hold'em solved on its buckets: matrices, solvers and plans, kept in the cache folder so that other parts can use them.

All of it works on any size of the game: the parts run it on small decks at quick scale and on the full one at full scale.
"""

import functools
import json
import pathlib
import time
from typing import Any

from ...files import appearing
from ...kernels import cache_folder
from ...kernels.lanes import CPU
from ...solvers.public.betting import BettingForm, BettingTree, betting_tree
from ...solvers.public.bucket_forms import ALL, bucket_form
from ...solvers.public.cards import Buckets, bucketed
from ...solvers.public.lines import TypePlan
from ...solvers.public.matrix_cfr import MatrixCFR
from ...text.naming import load

UNITS = 2.0  # a small bet, in the units of the game
MILLI = 1000.0 / UNITS  # thousandths of a small bet in a unit of the game
KEPT = 2  # format of what is kept
FIRST = 10  # iterations before the first measurement of a curve
MEASURED = 1.6  # how much the iterations grow between two measurements of a curve


@functools.cache
def tree_of(game: str) -> BettingTree:
    return betting_tree(load(game))


@functools.cache
def buckets_of(game: str, k: int, device: str = CPU) -> Buckets:
    """Tables and cuts come from the cache folder or are made."""
    return bucketed(load(game), k, device=device)


def _kept(game: str, *facts: Any) -> pathlib.Path:
    """A file of the cache folder for what was made of a game."""
    held = load(game)
    size = f"{held.ranks}-{held.suits}-{held.rounds}-{held.raises}-{held.hole}-{held.flop}"
    return cache_folder() / f"holdem-{size}-{'-'.join(map(str, facts))}-v{held.version()}.{KEPT}.npz"


def form_of(game: str, k: int, boards: int, seed: int, device: str = CPU) -> tuple[BettingForm, float]:
    """The abstract game with matrices from so many boards, or ALL; and the seconds that counting took: of the processor, or
    of a GPU."""
    return bucket_form(buckets_of(game, k, device), boards, () if boards == ALL else (0, seed), device=device)


def solved(game: str, k: int, boards: int, seed: int, rule: str, iterations: int, device: str = CPU) -> MatrixCFR:
    """A solver after so many iterations, from the cache folder or run."""
    form, _ = form_of(game, k, boards, seed, device)
    cfr, path = MatrixCFR(form, rule, device=device), _kept(game, "plan", k, boards, seed, rule, iterations)
    if path.exists():
        cfr.resume(path)
    if cfr.iterations < iterations:
        cfr.run(iterations=iterations - cfr.iterations)
        cfr.save(path)
    return cfr


def plan_of(cfr: MatrixCFR, player: int) -> TypePlan:
    return TypePlan(cfr.form.tree, cfr.form.cuts[player], cfr.table)


# --- tasks of the run store ------------------------------------------------------------------------------------------


def curve(
    game: str, k: int, boards: int, fresh: int, rule: str, iterations: int, seed: int, device: str = CPU
) -> dict[str, Any]:
    """Exploitability against time while the abstraction is solved, on the matrices that are used and on fresh ones; in
    thousandths of a small bet. Processor seconds, or those of a GPU; measuring is not counted. Each point is kept, so that
    work that was stopped goes on from there."""
    watch = time.process_time if device == CPU else time.perf_counter
    form, counting = form_of(game, k, boards, seed + 1, device)
    other = form if fresh == boards == ALL else form_of(game, k, fresh, seed + 2, device)[0]
    cfr, path = MatrixCFR(form, rule, device=device), _kept(game, "plan", k, boards, seed + 1, rule, iterations)
    points: list[dict[str, float]] = []
    so_far = path.with_suffix(".json")
    if path.exists() and so_far.exists():
        cfr.resume(path)
        points = json.loads(so_far.read_text())
    spent, due = points[-1]["seconds"] if points else 0.0, FIRST
    while cfr.iterations < iterations:
        due = min(round(due * MEASURED), iterations) if points else FIRST
        if due <= cfr.iterations:
            continue
        began = watch()
        cfr.run(iterations=due - cfr.iterations)
        spent += watch() - began
        points.append({"iterations": cfr.iterations, "seconds": spent, **measured(cfr, other)})
        cfr.save(path)
        with appearing(so_far, "t") as file:
            json.dump(points, file)
    return {"counting": counting, "points": points}


def measured(cfr: MatrixCFR, other: BettingForm) -> dict[str, float]:
    """The certificates on the solver's own matrices and on others."""
    found: dict[str, float] = {}
    for name, form in (("own", None), ("fresh", other)):
        low, value, high = cfr.bounds(form)
        found |= {
            name: MILLI * (high - low) / 2,
            f"{name} low": MILLI * low,
            f"{name} value": MILLI * value,
            f"{name} high": MILLI * high,
        }
    return found
