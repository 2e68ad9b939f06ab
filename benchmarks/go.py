"""Go playouts a second: ours against OpenSpiel's compiled random games and against GNU Go's own Monte Carlo.

OpenSpiel's players fill their own eyes, so that its games are half as long again as ours, 162 moves against 111; a playout is
a playout. GNU Go (Debian's package gnugo) is timed by its own clock, which counts its processor's time: it is asked for a
move by so many simulations, from the same position as ours. Its tree is part of that time, and cannot be taken out.
"""

import os
import shutil
import statistics
import subprocess
import time

import numpy as np
import pyspiel

from fogtree import dice
from fogtree.game import new_state, read
from fogtree.games.go import Go, MoGo, NoEyes
from fogtree.judges import Playout, new_room
from fogtree.kernels import kernel
from playouts import bots, evaluator
from row import Row, one_core, rates

BATCH = {9: 1_000, 13: 500, 19: 200}  # [side] games a call
OPENSPIEL_BAR, GNU_GO_BAR, PATTERN_BAR = 10, 3, 40_000
UNIT = "games/s"
OPENING = ("E5", "C4", "D6", "F3")  # after which GNU Go has no book
SIMULATIONS, ROUNDS = 16_000, 5
GNU_GO = ("gnugo", "/usr/games/gnugo")


def measure() -> list[Row]:
    game = Go(9)
    peer = pyspiel.load_game("go(board_size=9,komi=6.5)")
    found = rates(
        {
            "ours": whole_games(game, NoEyes()),
            "evaluator": evaluator(peer, [peer.new_initial_state()], 100),
            "bots": bots(peer),
        }
    )
    best = max(("evaluator", "bots"), key=found.__getitem__)
    ratio = found["ours"] / found[best]
    what = f"OpenSpiel, C++ {best}"
    rows = [Row("9x9, uniform but for eyes", found["ours"], found[best], ratio, OPENSPIEL_BAR, UNIT, what)]
    for policy, name, patterns in ((NoEyes(), "uniform", "uniform"), (MoGo(), "MoGo", "mogo_classic")):
        if theirs := next(filter(None, map(shutil.which, GNU_GO)), None):
            ours, others = beside_gnu_go(whole_games(game, policy, OPENING), theirs, patterns)
            bar = GNU_GO_BAR if name == "uniform" else None
            rows.append(
                Row(f"9x9, {name}", ours, others, ours / others, bar, UNIT, f"GNU Go, {patterns}, with its tree")
            )
    more = {(side, policy): whole_games(Go(side), policy) for side in BATCH for policy in (NoEyes(), MoGo())}
    for (side, policy), rate in rates(more).items():
        bar = PATTERN_BAR if (side, policy) == (9, MoGo()) else None
        rows.append(Row(f"{side}x{side}, {type(policy).__name__}", rate, bar=bar, unit=UNIT))
    return rows


def whole_games(game, policy, opening=()):
    root, payoff, room, random = new_state(game), np.zeros(2), new_room(game.shape()), dice.seeded(1)
    with np.errstate(over="ignore"):
        for vertex in opening:
            game.step(root, read(game, root, vertex))
    state = root.copy()

    def play():
        playouts(Playout(policy), game, root, BATCH[game.side], state, payoff, room, random)
        return BATCH[game.side]

    return play


@kernel
def playouts(judge, game, root, games, state, payoff, room, random):
    total = 0.0
    for _ in range(games):
        for word in range(root.shape[0]):
            state[word] = root[word]
        judge.finish(game, state, payoff, room, random)
        total += payoff[0]
    return total


def beside_gnu_go(play, program, patterns):
    """Our games a second and GNU Go's, medians of rounds in which they take turns on one core."""
    ours, theirs = [], []
    with one_core(), Engine(program, patterns) as engine:
        play()
        for _ in range(ROUNDS):
            done, start = 0, time.process_time()
            while (spent := time.process_time() - start) < 0.5:
                done += play()
            ours.append(done / spent)
            theirs.append(engine.rate())
    return statistics.median(ours), statistics.median(theirs)


class Engine:
    """GNU Go as a process that answers GTP commands."""

    def __init__(self, program, patterns):
        options = "--mode gtp --monte-carlo --level 1 --nofusekidb --nofuseki --nojosekidb"
        command = [program, *options.split(), "--mc-games-per-level", str(SIMULATIONS), "--mc-patterns", patterns]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
        )
        self.ask("boardsize 9")
        for colour, vertex in zip("bwbw", OPENING, strict=True):
            self.ask(f"play {colour} {vertex}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate("quit\n", timeout=60)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        self.process.stdout.readline()  # the empty line after it
        return answer.removeprefix("=").strip()

    def rate(self):
        """Simulations a second of one search."""
        before = float(self.ask("cputime"))
        self.ask("genmove b")
        spent = float(self.ask("cputime")) - before
        self.ask("undo")
        return SIMULATIONS / spent
