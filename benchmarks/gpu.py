"""An NVIDIA GPU beside one core of the same machine, in one run: random games, counts, many searches, batches, duels,
self-play of bandits, searches with open cards, a game of your own, the first call.

It needs a GPU, and is left out where there is none. On a machine without OpenSpiel: `python benchmarks/run.py gpu`. Where pgx
can be imported (it runs on JAX, and steps whole batches of games), it plays random games on the same GPU; without it those
rows are left out.

As a command this file names all benchmarks of a GPU: `python benchmarks/gpu.py engine` runs this one, `python
benchmarks/gpu.py solvers` those of the solvers.
"""

import importlib.util
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import fogtree
from fogtree.bandits import UCB1Tuned, load_bandit
from fogtree.bandits.risk import Risk
from fogtree.games.family import Family
from fogtree.kernels import cuda
from fogtree.kernels.engines import on
from fogtree.measure.duel import duel
from fogtree.measure.everywhere import Everywhere, places
from fogtree.policy import Uniform
from fogtree.search.selfplay import BySet, new_selectors, side_by_side
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
SEARCHES = {
    "goofspiel:cards=6": 300,
    "phantom-ttt": 300,
    "liars-dice": 300,
    "leduc": None,
    "holdem": 100,
    "dark-chess": None,
}
MANY, FEW, ITERATIONS = 65_536, 64, 1000
LARGE = {"dark-chess": (16_384, 8, 100)}  # searches on the GPU, on one core, and iterations, where a tree is large
STEPS, BATCH = 200, 1 << 20
LABORATORY = {"rm": 1e10, "rm+": 1e10, "uct": 1e10, "uct-eps:epsilon=0.0001": 1e10, "exp3": 1e10}
LANES, GAMES_OF_A_LANE = 1 << 17, 50_000
WORLD_ITERATIONS = 500
ONE_CORE, GPU = 2.0, 3.0  # seconds of random games
FIRST_CALL, FIRST_CALLS = 1.0, 5  # the bar: seconds more than on the CPU, where the code is cached | repetitions
PEER = "one core"
PGX_BAR, PGX_STEPS, PGX_ROUNDS = 10, 64, 5
PGX = {  # its name | batches, the best of which counts | what is counted: games where chance moves too
    "chess": ("chess", (1 << 11, 1 << 13), "moves"),
    "connect-four": ("connect_four", (1 << 17, 1 << 20), "moves"),
    "kuhn": ("kuhn_poker", (1 << 18, 1 << 21), "games"),
    "leduc": ("leduc_holdem", (1 << 18, 1 << 21), "games"),
    "go:side=9": ("go_9x9", (1 << 13, 1 << 15), "moves"),
    "go:side=19": ("go_19x19", (1 << 11, 1 << 13), "moves"),
}


def measure() -> list[Row]:
    ours = [*random_games(), *counts(), *searches(), batch(), *duels(), *laboratory(), *worlds(), own_game()]
    return [*ours, first_call(), *beside_pgx()]


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
        most, few, iterations = LARGE.get(name, (MANY, FEW, ITERATIONS))
        for many, device in ((few, "cpu"), (most, "cuda")):
            roots = np.repeat(state[None, None], many, axis=0)
            with one_core():
                fogtree.search_many(game, "rm", roots[:few], iterations, device=device, cores=1)  # compile and load
                start = time.perf_counter()
                fogtree.search_many(game, "rm", roots, iterations, device=device, cores=1)
                rates.append(many * iterations / (time.perf_counter() - start))
        what = f"{name}, {most:,} searches of {iterations:,}"
        rows.append(Row(what, rates[1], rates[0], rates[1] / rates[0], bar, "iterations/s", PEER))
    return rows


def first_call() -> Row:
    """How much longer than on the CPU one waits for the first games of a process, when their code is in the cache."""
    waited = {}
    for device in ("cpu", "cuda"):
        command = [sys.executable, "-m", "fogtree", "playouts", "kuhn", "--seconds", "0.01", "--device", device]
        times = []
        for _ in range(FIRST_CALLS + 1):  # the first fills the cache
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        waited[device] = statistics.median(times[1:])
    more = waited["cuda"] - waited["cpu"]
    return Row("first call with cached code, more than on the CPU", more, bar=FIRST_CALL, unit="s", at_most=True)


def beside_pgx() -> list[Row]:
    """Random games here and in pgx, on the same GPU."""
    if importlib.util.find_spec("pgx") is None or importlib.util.find_spec("jax") is None:
        print("pgx is not installed here (pip install pgx), so nothing is measured beside it")
        return []
    rows = []
    for name, (theirs, batches, what) in PGX.items():
        many = fogtree.playouts(name, seconds=GPU, device="cuda")
        ours, peer = getattr(many, what) / many.seconds, max(pgx_rate(theirs, size, what) for size in batches)
        rows.append(Row(f"{name}, random games beside pgx", ours, peer, ours / peer, PGX_BAR, f"{what}/s", "pgx"))
    return rows


def pgx_rate(name: str, size: int, what: str) -> float:
    """Moves or games of a batch of random games that begin again at their end, a second."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the rest of the memory is ours
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(state, key):
        draw, chance = jax.random.split(key)
        action = jax.random.categorical(draw, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        state = step(state, action, jax.random.split(chance, size))
        return state, (state.terminated | state.truncated).sum()

    @jax.jit
    def some(state, key):
        state, ends = jax.lax.scan(play, state, jax.random.split(key, PGX_STEPS))
        return state, ends.sum()

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), size))
    state, ends = some(state, jax.random.PRNGKey(1))
    times, games = [], 0
    for number in range(PGX_ROUNDS):
        start = time.perf_counter()
        state, ends = some(state, jax.random.PRNGKey(2 + number))
        games += int(ends)  # waits for it
        times.append(time.perf_counter() - start)
    return (games if what == "games" else PGX_ROUNDS * PGX_STEPS * size) / sum(times)


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


def duels() -> list[Row]:
    """Two stored strategies, and two policies."""
    rows = []
    for name, few, many in (("kuhn", 1_000_000, 4_000_000_000), ("leduc", 500_000, 400_000_000)):
        game = fogtree.load(name)
        solved = fogtree.CFR(game).run(iterations=100).strategy()
        for words, plays in (("stored strategies", solved), ("uniform play", Uniform())):
            rates = []
            for games, device in ((few, "cpu"), (many, "cuda")):
                with one_core():
                    duel(game, plays, plays, 1000, device=device)
                    start = time.perf_counter()
                    duel(game, plays, plays, games, device=device)
                    rates.append(games / (time.perf_counter() - start))
            rows.append(
                Row(f"{name}, duels of {words}", rates[1], rates[0], rates[1] / rates[0], unit="games/s", peer=PEER)
            )
    return rows


def laboratory() -> list[Row]:
    """Self-play of bandits: games of the 3x3 family, some seeds each."""
    family = Family()
    rows, boards = [], [family[number] for number in range(0, len(family), 20)]
    for name in LABORATORY:
        bandit, rates = load_bandit(name), []
        for lanes, games, device in ((1, 5_000_000, "cpu"), (LANES, GAMES_OF_A_LANE, "cuda")):
            some = [new_selectors(game, bandit) for game in boards]
            each = [some[n % len(some)] for n in range(lanes)]
            random = np.array([fogtree.seeded(1, n) for n in range(lanes)])
            work, own = side_by_side(bandit, BySet(), each, random, np.array([1 << 40]))
            with one_core():
                made = on(device, work._replace(games=100), own)
                made.run(0, lanes)  # all sets are met
                made.change(games=games)
                start = time.perf_counter()
                made.run(0, lanes)
                rates.append(lanes * games / (time.perf_counter() - start))
        rows.append(
            Row(f"3x3 games, self-play of {name}", rates[1], bar=LABORATORY[name], unit="games/s"),
        )
        rows.append(Row("the same beside one core", *rates[::-1], rates[1] / rates[0], unit="games/s", peer=PEER))
    return rows


def worlds() -> list[Row]:
    """PIMC and UCT-Risk at every information set of a game, over many runs."""
    rows = []
    for name, depth, above, runs in (("leduc", 0, None, 64), ("leduc", 1, Risk(), 64), ("liars-dice", 1, None, 2)):
        where, rates = places(fogtree.load(name)), []
        some = where._replace(first=where.first[:100], player=where.player[:99], view=where.view[:99])
        for sets, many, device in ((some, 1, "cpu"), (where, runs, "cuda")):
            search = Everywhere(
                sets, UCB1Tuned(), above, depth=depth, worlds=20, iterations=WORLD_ITERATIONS, device=device
            )
            with one_core():
                search.runs([(1, 0)] if device == "cpu" else [(1, run) for run in range(many)])
                start = time.perf_counter()
                search.runs([(2, run) for run in range(many)])
                rates.append(len(sets.player) * many * WORLD_ITERATIONS / (time.perf_counter() - start))
        words = "PIMC" if depth == 0 else "UCT-Risk" if above else "EPIMC"
        searches = len(where.player) * runs
        text = f"{name}, {words} at every set, {searches:,} searches"
        rows.append(Row(text, rates[1], rates[0], rates[1] / rates[0], unit="iterations/s", peer=PEER))
    return rows


def own_game() -> Row:
    """The game of docs/your-own-game.md, from its text."""
    page = (pathlib.Path(__file__).parent.parent / "docs" / "your-own-game.md").read_text()
    first = page.partition("## 7. Check it")[0]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "boxes.py"
        file.write_text("".join(re.findall(r"```python\n(.*?)```", first, re.DOTALL)))
        game = fogtree.load(f"{file}:boxes=4")
        with one_core():
            one = fogtree.playouts(game, seconds=ONE_CORE)
        many = fogtree.playouts(game, seconds=GPU, device="cuda")
    ours, theirs = many.games / many.seconds, one.games / one.seconds
    return Row("the game of your-own-game.md", ours, theirs, ours / theirs, 300, "games/s", PEER)


GROUPS = {"engine": ["gpu"], "solvers": ["gpu_solvers", "gpu_exploitability", "gpu_holdem"]}  # files of this folder

if __name__ == "__main__":
    from run import main  # which imports this file

    if unknown := [word for word in sys.argv[1:] if word not in GROUPS]:
        sys.exit(f"there are no benchmarks of a GPU called '{unknown[0]}': valid are {', '.join(GROUPS)}")
    main([name for group in sys.argv[1:] or GROUPS for name in GROUPS[group]])
