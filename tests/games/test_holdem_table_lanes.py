"""Hold'em's tables made in lanes are those of one core, to the last digit."""

import importlib.util

import numpy as np
import pytest

from fogtree.games.holdem import Holdem, table_lanes
from fogtree.games.holdem.buckets import Bucketing, cuts_of, make_cuts
from fogtree.games.holdem.strength import UNIT, all_hands, all_sets, canonical, make_strengths
from fogtree.games.holdem.table_lanes import strengths_in_lanes, tallied
from fogtree.kernels import cuda
from fogtree.kernels.lanes import CpuLanes

GAMES = [
    Holdem(ranks=4, suits=3, rounds=4, flop=1),
    Holdem(ranks=4, suits=2, rounds=3, hole=1, flop=2),
    Holdem(ranks=5, suits=2, rounds=2, flop=2),
]
K = 3


@pytest.mark.parametrize("game", GAMES)
def test_strengths_and_cuts_are_the_same_in_lanes(game):
    here, there = make_strengths(game), strengths_in_lanes(game, "cpu")
    assert (here.value == there.value).all() and here.top == there.top and len(set(here.value.ravel().tolist())) > 5
    cut = make_cuts(game, K, here)
    flop, weight = np.unique(canonical(all_sets(game, game.flop))[0], return_counts=True)
    for stage in range(1, game.rounds):
        values = here.top + 1 if stage == game.rounds - 1 else UNIT + 1
        counted = tallied(game, Bucketing(K, cut, here, all_hands(game)), stage, flop, weight, values, "cpu")
        assert (cut[stage, : K**stage] == [cuts_of(row, K) for row in counted]).all()


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
def test_tables_compile_for_a_gpu(monkeypatch):
    made = []

    def compiled(device, work, own, cores=1):
        made.append((type(work).__name__, cuda.compiled(work, own, (9, 0)).code[:4]))
        return CpuLanes(work, own, cores)

    monkeypatch.setattr(table_lanes, "on", compiled)
    game = GAMES[0]
    table = strengths_in_lanes(game, "cpu")
    cut = np.zeros((4, K**3, K - 1), np.int64)
    tallied(game, Bucketing(K, cut, table, all_hands(game)), 3, *np.ones((2, 1), np.int64), table.top + 1, "cpu")
    assert {name for name, _ in made} == {"Strong", "Beaten", "Averaged", "Counted"}
    assert {code for _, code in made} == {b"\x7fELF"}
