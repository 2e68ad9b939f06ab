"""Limit hold'em on an NVIDIA GPU: buckets solved from nothing, iterations of matrix CFR, deals of chance-sampled CFR, and
flops of the exact best response beside one core.

It needs a GPU, and is left out where there is none: `python benchmarks/run.py gpu_holdem`. The plan that is answered plays at
random: a response takes equally long to every plan.
"""

import tempfile
import time
from typing import Any

import numpy as np

from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.kernels import cuda
from fogtree.solvers.public.betting import betting_tree, nested
from fogtree.solvers.public.board_lanes import BoardLanes, DealtBoards
from fogtree.solvers.public.bucket_forms import bucket_form
from fogtree.solvers.public.chance_lanes import LanesChanceSampled
from fogtree.solvers.public.chance_sampled import ChanceSampled
from fogtree.solvers.public.lines import TypePlan
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import PublicResponse
from row import Row, one_core

SKIP = cuda.trouble()  # why this cannot be measured here, or an empty text
LONG = True
GAME, DEVICE = Holdem(), "cuda"
K, BOARDS, ITERATIONS, FEW = 8, 200_000, 350, 3  # one core: a few iterations
ANSWERED, FLOPS, SEED = 5, 40, 1
SETTLED = 400_000  # deals
PEER = "one core"


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [*solving(folder), *sampling(folder), *answering(folder)]


def solving(folder: str) -> list[Row]:
    """Tables, boards and iterations; code is compiled by a first call with few boards."""
    bucket_form(Buckets(GAME, 2, folder=f"{folder}/first", device=DEVICE), 10, (9,), folder=folder, device=DEVICE)
    start = time.perf_counter()
    buckets = Buckets(GAME, K, folder=folder, device=DEVICE)
    tables = time.perf_counter() - start
    form, _ = bucket_form(buckets, BOARDS, (0, SEED), folder=folder, device=DEVICE)
    there = MatrixCFR(form, "dcfr", device=DEVICE)
    start_of_iterations = time.perf_counter()
    there.run(iterations=ITERATIONS)
    each = (time.perf_counter() - start_of_iterations) / ITERATIONS
    low, _, high = there.bounds()
    whole = time.perf_counter() - start
    with one_core():
        here = MatrixCFR(form, "dcfr").run(iterations=1)
        start = time.perf_counter()
        here.run(iterations=FEW)
        theirs = (time.perf_counter() - start) / FEW
    inside = f"{500 * (high - low) / GAME.bet_size(0):.2f} thousandths"
    return [
        Row(f"tables of hands and the cuts of {K} buckets", tables, unit="s", at_most=True),
        Row(f"{K} buckets, {ITERATIONS} iterations from nothing to {inside}", whole, unit="s", at_most=True),
        Row("an iteration", 1e3 * each, 1e3 * theirs, theirs / each, unit="ms", peer=PEER),
    ]


def sampling(folder: str) -> list[Row]:
    """Deals a second of chance-sampled CFR, after so many that most of the tree is left out."""
    buckets = Buckets(GAME, ANSWERED, folder=folder, device=DEVICE)
    of = betting_tree(GAME), nested(ANSWERED, GAME.rounds), buckets.dealer()

    def rate(cfr: Any, settled: int, more: int) -> float:
        cfr.run(iterations=settled)
        start = time.perf_counter()
        cfr.run(iterations=more)
        return more / (time.perf_counter() - start)

    ours = rate(LanesChanceSampled(*of, device=DEVICE), SETTLED, SETTLED)
    with one_core():
        theirs = rate(ChanceSampled(*of), SETTLED, SETTLED // 10)
    return [Row("chance-sampled CFR", ours, theirs, ours / theirs, unit="deals/s", peer=PEER)]


def answering(folder: str) -> list[Row]:
    """Flops of the response to a random plan."""
    tree, cuts, rng = betting_tree(GAME), nested(ANSWERED, GAME.rounds), np.random.default_rng(SEED)

    def table(node: int) -> np.ndarray:
        drawn = rng.random((len(tree.below(node)), len(cuts[tree.stage[node]]) - 1))
        return drawn / drawn.sum(axis=0)

    cards = Buckets(GAME, ANSWERED, folder=folder, device=DEVICE).cards
    response = PublicResponse(cards, TypePlan(tree, cuts, table), 0, dtype=np.float32)
    kinds = [board for board, _ in response.first_boards()]
    chosen = [kinds[at] for at in rng.permutation(len(kinds))[:FLOPS]]
    dealt = DealtBoards(cards, at_once=4, device=DEVICE)
    lanes = BoardLanes(response, dealt)
    spent = []
    for first in range(0, len(chosen), dealt.at_once):
        start = time.perf_counter()
        dealt.deal(chosen[first : first + dealt.at_once])
        lanes.values()
        spent.append(time.perf_counter() - start)
    ours = float(np.mean(spent[1:])) / dealt.at_once
    with one_core():
        response.board_values(chosen[0])
        start = time.perf_counter()
        response.board_values(chosen[-1])
        theirs = time.perf_counter() - start
    whole = ours * len(kinds)
    return [
        Row("a flop of the best response", 1e3 * ours, 1e3 * theirs, theirs / ours, unit="ms", peer=PEER),
        Row(f"so all {len(kinds):,} kinds of flops, one seat", whole, bar=600, unit="s", at_most=True),
    ]
