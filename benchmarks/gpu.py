"""An NVIDIA GPU beside one core of the same machine, in one run: random games, counts, many searches, batches.

It needs a GPU, and is left out where there is none. On a machine without OpenSpiel: `python benchmarks/run.py gpu`.
"""

import time

import numpy as np

import fogtree
from fogtree.kernels import cuda
from row import Row, one_core

SKIP = cuda.trouble()  # why this cannot be measured here, or an empty text
GAMES = {  # bars: how many times one core
    "kuhn": 400,
    "liars-dice": 400,
    "goofspiel:cards=6": 400,
    "leduc": 400,
    "connect-four": 400,
    "phantom-ttt": 400,
    "dark-hex": 400,
    "chess": 300,
    "dark-chess": 300,
    "holdem": 200,
    "breakthrough": 200,
    "luzhanqi": 200,
    "phantom-go:side=9": 200,
    "siguo": 120,
    "go:side=9": 100,
    "go:side=19": None,
}
SEARCHES = {"goofspiel:cards=6": 300, "phantom-ttt": 300, "liars-dice": 300, "leduc": None, "holdem": 100}
MANY, FEW, ITERATIONS = 65_536, 64, 1000
STEPS, BATCH = 200, 1 << 20
ONE_CORE, GPU = 2.0, 3.0  # seconds of random games
PEER = "one core"


def measure() -> list[Row]:
    return [*random_games(), *counts(), *searches(), batch()]


def random_games() -> list[Row]:
    rows = []
    for name, bar in GAMES.items():
        with one_core():
            one = fogtree.playouts(name, seconds=ONE_CORE)
        many = fogtree.playouts(name, seconds=GPU, device="cuda")
        ours, theirs = many.games / many.seconds, one.games / one.seconds
        rows.append(Row(f"{name}, random games", ours, theirs, ours / theirs, bar, "games/s", PEER))
    return rows


def counts() -> list[Row]:
    rows = []
    for name, depth, bar in (("phantom-ttt", None, 4.0), ("chess", 6, 0.2)):
        fogtree.count(name, depth, device="cuda")
        found = fogtree.count(name, depth, device="cuda")
        rows.append(Row(f"{name}, {found.histories:,} histories", found.seconds, bar=bar, unit="s", at_most=True))
    return rows


def searches() -> list[Row]:
    rows = []
    for name, bar in SEARCHES.items():
        game = fogtree.load(name)
        state = fogtree.new_state(game)
        while game.player(state) == fogtree.CHANCE:
            game.step(state, fogtree.legal(game, state)[0])
        rates = []
        for many, device in ((FEW, "cpu"), (MANY, "cuda")):
            given = game, "rm", [state[None]] * many, ITERATIONS
            with one_core():
                fogtree.search_many(*given, device=device, cores=1)
                start = time.perf_counter()
                fogtree.search_many(*given, device=device, cores=1)
                rates.append(many * ITERATIONS / (time.perf_counter() - start))
        rows.append(
            Row(f"{name}, {MANY:,} searches", rates[1], rates[0], rates[1] / rates[0], bar, "iterations/s", PEER)
        )
    return rows


def batch() -> Row:
    rates = []
    for many, device in ((1 << 14, "cpu"), (BATCH, "cuda")):
        with one_core():
            games = fogtree.batch("connect-four", many, device=device, cores=1)
            start = time.perf_counter()
            for _ in range(STEPS):
                games.step(_first(games))
                games.restart()
            rates.append(many * STEPS / (time.perf_counter() - start))
    return Row("connect-four, steps of a batch", rates[1], rates[0], rates[1] / rates[0], unit="moves/s", peer=PEER)


def _first(games):
    """The first legal action of each game, where the games are."""
    if games.device == "cpu":
        return np.ascontiguousarray(games.legal[:, 0])
    import cupy

    return cupy.ascontiguousarray(cupy.from_dlpack(games.legal)[:, 0])
