"""Hidden board games solved, and strategies measured: minutes on all cores, so only with `--long` or by name.

Each number comes from a process of its own, by the clock on the wall, compiling included. The processor's time stands below
it: twice the clock on two free cores, and what to look at on a busy machine. Memory is the most that the process ever held.
The hardest case for the engine that streams is a strategy that lists every information set and plays everything everywhere.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import fogtree
from fogtree.games.tic_tac_toe import WINS
from row import Row

LONG = True
MEMORY_BAR = 4.0  # GiB

HEAD = """
import json, resource, time
import fogtree
forced, full = fogtree.load("phantom-ttt:rules=forced-centre"), fogtree.load("phantom-ttt")
def report(work):
    start, busy = time.perf_counter(), time.process_time()
    result = work()
    found = {"seconds": time.perf_counter() - start, "processor": time.process_time() - busy}
    print(json.dumps(found | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}))
    return result
"""
FORCED = "report(lambda: fogtree.solve(fogtree.sequence_form(forced), target=0.002))"
FULL = "report(lambda: fogtree.solve(full, target=0.0001)).strategy.save({file!r})"
STREAMED = "report(lambda: fogtree.solve({game!r}, 'streamed-oracle', target={target}))"
BOARDS = {
    "dark-hex": 1e-6,
    "phantom-ttt": 1e-6,
    "dark-hex:abrupt=true": 0.001,
    "phantom-ttt:rules=abrupt": 0.01,
}  # targets
JUDGE = """
strategy = fogtree.Strategy.load({file!r}, full)
report(lambda: fogtree.exploitability(full, strategy, engine="stream"))
"""


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        solved, everywhere = os.path.join(folder, "solved.npz"), os.path.join(folder, "everywhere.npz")
        rows = timed("forced centres, nothing pruned, to a total of 0.002", FORCED, 120)
        rows += timed("full game, certified to a total of 0.0001", FULL.format(file=solved), 300)
        rows += timed("exact exploitability of that strategy", JUDGE.format(file=solved), 300)
        play_everywhere(fogtree.load("phantom-ttt"), seed=1).save(everywhere)
        rows += timed("exact exploitability of a strategy that plays everything", JUDGE.format(file=everywhere), 120)
    for game, target in BOARDS.items():
        rows += timed(f"{game} by the streamed oracle, to {target:g}", STREAMED.format(game=game, target=target), 300)
    return rows


def timed(name: str, code: str, bar: float) -> list[Row]:
    done = subprocess.run([sys.executable, "-c", HEAD + code], stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)
    return [
        Row(name, found["seconds"], bar=bar, unit="s", at_most=True),
        Row(f"{name}: processor, all cores", found["processor"], unit="s"),
        Row(f"{name}: memory", found["memory"], bar=MEMORY_BAR, unit="GiB", at_most=True),
    ]


def play_everywhere(game, seed: int) -> fogtree.Strategy:
    """Random probabilities at every information set of the classical game.

    A view is a list of tries with their results. All lists are made, try by try, that leave the player on the move: no line,
    fewer marks than the board holds for them, and no more marks of the other found than the other may have.
    """
    random, found = np.random.default_rng(seed), []
    lines = np.asarray(WINS).astype(bool)
    for player in (0, 1):
        view, tried, marks = np.ones(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
        while len(view):
            found.append((np.full(len(view), player), view, tried))
            grown = []
            for cell in range(9):
                free = tried >> cell & 1 == 0
                for blocked in (0, 1):
                    mark = marks[free] | (1 - blocked) << cell
                    grown.append((view[free] * 18 + 2 * cell + blocked, tried[free] | 1 << cell, mark))
            view, tried, marks = (np.concatenate(column) for column in zip(*grown, strict=True))
            placed = np.bitwise_count(marks).astype(np.int64)
            blocked = np.bitwise_count(tried) - placed
            on = ~lines[marks] & (placed <= 4 - player) & (blocked <= placed + player) & (placed + blocked < 9)
            near = np.flatnonzero(on)[
                np.argsort(view[on])
            ]  # alike beside alike, as a walk over the game would list them
            view, tried, marks = view[near], tried[near], marks[near]
    owner, view, tried = (np.concatenate(column) for column in zip(*found, strict=True))
    free = tried[:, None] >> np.arange(9) & 1 == 0  # [infosets, cells]
    weight = random.random(free.shape) * free
    weight /= weight.sum(axis=1, keepdims=True)
    first = np.concatenate([[0], np.cumsum(free.sum(axis=1))])
    return fogtree.Strategy(game, owner, view, first, np.nonzero(free)[1], weight[free])
