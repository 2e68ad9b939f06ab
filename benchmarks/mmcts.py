"""Multiple-tree search on full Phantom Tic-Tac-Toe: simulations a second, 50 million of them, and two threads beside one.

The 2011 paper made 50 million simulations in just under an hour, 14 thousand a second.
"""

import multiprocessing
import statistics
import time

import fogtree
from fogtree.bandits import RegretMatching
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mmcts import MMCTS, DeepExp3
from ismcts import seconds_of_processes
from row import Row, one_core, rates

UNIT = "simulations/s"
SPEED_BAR, MANY, SECONDS_BAR, BYTES_BAR, THREADS_BAR = 1e6, 50_000_000, 90, 4, 1.7
BATCH, CALLS, ROUNDS = 100_000, 10, 7


def measure() -> list[Row]:
    return [*speeds(), *many(), threads("MMCTS"), threads("IS-MCTS, rm")]


def speeds() -> list[Row]:
    contestants = {
        "win-only rewards": searching(DeepExp3(aim="win")),
        "zero-sum rewards": searching(DeepExp3()),
        "zero-sum, exploring by visits": searching(DeepExp3(clock="node")),
        "regret matching in place of EXP3": searching(RegretMatching()),
    }
    return [Row(name, rate, bar=SPEED_BAR, unit=UNIT) for name, rate in rates(contestants).items()]


def searching(bandit):
    search = MMCTS(fogtree.PhantomTicTacToe(), bandit, 1)

    def work():
        search.run(iterations=BATCH)
        return BATCH

    return work


def many() -> list[Row]:
    """The largest player of the paper, by the processor's seconds."""
    search = MMCTS(fogtree.PhantomTicTacToe(), DeepExp3(aim="win"), 1).run(iterations=1)
    with one_core():
        began = time.process_time()
        search.run(iterations=MANY)
        spent = time.process_time() - began
    return [
        Row(f"{MANY:,} simulations", spent, bar=SECONDS_BAR, unit="s", at_most=True),
        Row("its trees", search.memory / 2**30, bar=BYTES_BAR, unit="GiB", at_most=True),
    ]


def threads(which: str) -> Row:
    """One search in two threads beside two searches in processes, by the clock and by turns: half of the processes' rate is
    what one search has to itself, however busy the machine is."""
    search = made(which, 1)
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for seed in (1, 2):
        mine, yours = context.Pipe()
        processes.append(context.Process(target=work_when_asked, args=(which, seed, yours)))
        processes[-1].start()
        pipes.append(mine)
    try:
        for pipe in pipes:
            pipe.recv()  # it has compiled
        search.run(iterations=BATCH, threads=2)
        took = [(seconds_of_two(search), seconds_of_processes(pipes)) for _ in range(ROUNDS)]
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            pipe.send(0)
            process.join()
    two, one = (2 * CALLS * BATCH / statistics.median(seconds) for seconds in zip(*took, strict=True))
    return Row(f"{which}, two threads", two, one / 2, 2 * two / one, THREADS_BAR, UNIT, "a process of two")


def made(which, seed):
    game = fogtree.PhantomTicTacToe()
    return MMCTS(game, seed=seed) if which == "MMCTS" else ISMCTS(game, RegretMatching(), seed)


def seconds_of_two(search):
    began = time.perf_counter()
    search.run(iterations=2 * CALLS * BATCH, threads=2)
    return time.perf_counter() - began


def work_when_asked(which, seed, pipe):
    """What a process of its own does: so many batches whenever it is told to, until it is told none."""
    search = made(which, seed)
    search.run(iterations=BATCH)
    pipe.send(None)
    while calls := pipe.recv():
        search.run(iterations=calls * BATCH)
        pipe.send(None)
