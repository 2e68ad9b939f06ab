"""Games of self-play a second, by one core: each bandit against itself in a matrix game, and in the games of two rounds.

The same game and bandit through IS-MCTS, which finds its sets in a hash table, stands beside it: the numbers that come out
are the same to the last bit. Then what looking costs, and how long the sweeps and the longest runs of Briedoň 2015 take.
"""

import time

import numpy as np

from fogtree import ISMCTS, load
from fogtree.bandits import load_bandit
from fogtree.games.family import Family
from fogtree.measure.track import LONGEST, SHORT, schedule, track
from row import Row, one_core, rates

GAME = "briedon2015/figure4.9"
BARS = {
    "uct": 15e6,
    "uct-det": 15e6,
    "uct-eps:epsilon=0.0001": 15e6,
    "uct-window:window=100000": 15e6,
    "uct-reset": 15e6,
    "tuned": 15e6,
    "exp3": 10e6,
    "rm": 10e6,
    "rm+": 10e6,
}
ROUNDS = {"briedon2015/figure4.10": "uct-eps:epsilon=0.1", "briedon2015/figure4.16": "uct-window:window=70000"}
BATCH, SEARCHED = 2_000_000, 200_000
LOOKING, MINUTE, SWEEP, CLASSES = 5.0, 60.0, 60.0, 10.0  # bars: per cent; seconds; minutes on two cores
EVERY = 12  # classes of the family that are timed: one in so many
UNIT = "games/s"


def measure() -> list[Row]:
    rows, slowest = [], {}
    for name, bar in BARS.items():
        found = rates({"ours": playing(GAME, name), "ISMCTS": searching(GAME, name)}, rounds=5, seconds=0.4)
        rows.append(Row(f"{GAME.rpartition('/')[2]}, {name}", found["ours"], bar=bar, unit=UNIT))
        rows.append(
            Row("the same beside IS-MCTS", *found.values(), found["ours"] / found["ISMCTS"], unit=UNIT, peer="ISMCTS")
        )
        slowest[name] = found["ours"]
    last = float(schedule(LONGEST)[-1])
    uct = min(rate for name, rate in slowest.items() if name.startswith("uct"))
    rows.append(Row("429,889,708 games, UCT's slowest variant", last / uct, bar=MINUTE, unit="s", at_most=True))
    for game, name in ROUNDS.items():
        found = rates({"ours": playing(game, name)}, rounds=5, seconds=0.4)
        rows.append(Row(f"{game.rpartition('/')[2]}, {name}", found["ours"], unit=UNIT))
        rows.append(Row("429,889,708 games of it", last / found["ours"], bar=MINUTE, unit="s", at_most=True))
    return rows + looking() + sweeping()


def playing(game, name):
    made, bandit, seeds = load(game), load_bandit(name), iter(range(10**9))

    def play():
        track(made, bandit, [BATCH], seed=next(seeds))
        return BATCH

    return play


def searching(game, name):
    search = ISMCTS(load(game), load_bandit(name), 1)

    def play():
        search.run(iterations=SEARCHED)
        return SEARCHED

    return play


def looking() -> list[Row]:
    """What the 250 looks of a run cost."""
    game, bandit, marks = load(GAME), load_bandit("uct-eps:epsilon=0.0001"), schedule(SHORT)

    def tracked(at):
        def play():
            track(game, bandit, at, seed=1)
            return int(marks[-1])

        return play

    found = rates({"often": tracked(marks), "once": tracked(marks[-1:])}, rounds=9, seconds=0.4)
    slower = 100.0 * (found["once"] / found["often"] - 1.0)
    return [Row("looking at 250 steps", slower, bar=LOOKING, unit="% slower", at_most=True)]


def sweeping() -> list[Row]:
    """The sweep over the 3x3 family, from some of its classes."""
    family, bandit = Family(), load_bandit("uct-eps:epsilon=0.0001")
    sample = family.classes()[::EVERY]
    spent = np.empty(len(sample))
    with one_core():
        for n, kind in enumerate(sample):
            began = time.process_time()
            track(family[kind.first], bandit, SHORT, seed=n)
            spent[n] = time.process_time() - began
    minutes = spent.mean() / 60 / 2
    weights = [len(kind.members) for kind in sample]
    every = float(np.average(spent, weights=weights)) / 60 / 2 * len(family)
    words = "minutes on 2 cores, from 31 classes"
    return [
        Row("all 19,680 games of 3x3", every, bar=SWEEP, unit=words, at_most=True),
        Row("its 372 classes", float(minutes) * len(family.classes()), bar=CLASSES, unit=words, at_most=True),
    ]
