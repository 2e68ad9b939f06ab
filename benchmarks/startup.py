"""How long one waits before the first game: importing, compiling a kernel, loading a compiled one.

Each number comes from processes of its own, and is what the process itself sees: without the start of the interpreter,
and for kernels from the call to its return, with nothing played. All of it is one thread's work on files that the system
has at hand, so the bar judges the processor's seconds; by the clock it takes about as long on an idle machine, longer on a
busy one, and the table shows that too.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from row import Row, one_core

GAMES = ("goofspiel", "phantom-ttt", "dark-hex", "leduc")
COLD_BAR, WARM_BAR, IMPORT_BAR = 3.0, 0.4, 0.5  # seconds
IMPORTS, COMPILES = 5, 3  # repetitions, of which the median counts

START = """
import time
start = time.process_time(), time.perf_counter()
"""

END = """
print(time.process_time() - start[0], time.perf_counter() - start[1])
"""

KERNEL = """
import numpy as np
import fogtree
from fogtree.kernels.lanes import lanes_slice
from fogtree.policy import Uniform
from fogtree.search.playout import new_games, new_own
game = fogtree.load("{name}")
work, own = new_games(game, Uniform(), 1), new_own(game.shape())
{start}
lanes_slice(work, 0, 0, own)
"""


def measure() -> list[Row]:
    with one_core():
        seconds("import fogtree")  # the first may have to write bytecode
        rows = [row("import fogtree", [seconds("import fogtree") for _ in range(IMPORTS)], IMPORT_BAR)]
        for name in GAMES:
            cold, warm = zip(*(compiled_and_loaded(name) for _ in range(COMPILES)), strict=True)
            rows.append(row(f"playouts of {name}, compiled", cold, COLD_BAR))
            rows.append(row(f"playouts of {name}, loaded", warm, WARM_BAR))
    return rows


def row(name: str, times, bar: float) -> Row:
    worked, waited = (statistics.median(column) for column in zip(*times, strict=True))
    return Row(name, worked, bar=bar, unit="CPU s", peer=f"none; {waited:.2f} s by the clock", at_most=True)


def compiled_and_loaded(name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """One process with an empty cache, and another with what the first left there."""
    with tempfile.TemporaryDirectory() as cache:
        code = KERNEL.format(name=name, start=START)
        return seconds(code, cache), seconds(code, cache)


def seconds(code: str, cache: str | None = None) -> tuple[float, ...]:
    """The seconds that a program takes in a process of its own, from START on: the processor's, and the clock's."""
    settings = os.environ | ({"FOGTREE_CACHE": cache} if cache else {})
    whole = (code if START in code else START + code) + END
    done = subprocess.run([sys.executable, "-c", whole], env=settings, capture_output=True, text=True, check=True)
    return tuple(map(float, done.stdout.split()))
