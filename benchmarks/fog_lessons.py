"""Games of fog-of-war chess to learn an evaluation from: KLUSS against itself, and how each position ended.

    python benchmarks/fog_lessons.py play out/fog-games.npz --seconds 0.03 --limit 240 --cores 12

    python benchmarks/fog_lessons.py fit out/fog-games.npz out/more-games.npz --save out/dark-chess.npz

`play` begins each game with some random moves, so that games differ, and writes the words of every position that matter,
which game it comes from, and what White got in the end. `fit` regresses that on the features of the positions
(`fogtree/learn/outcomes.py`), with a pull towards the evaluation by hand.
"""

import argparse
import multiprocessing
import os
import time

import numpy as np

from fogtree import DarkChess, dice
from fogtree.arena.agents import load_agent
from fogtree.arena.sight import sight
from fogtree.files import appearing
from fogtree.game import OVER, legal, new_state
from fogtree.games import fog_features as fog
from fogtree.games.dark_chess import KEYS
from fogtree.learn.outcomes import fit

PLIES = 8  # random moves before a game, at most
PULL, GENTLE = 1.0, 1e-4  # of the men on squares, and of all else
GROUPS = ("HAND", "SQUARES", "SEEN", "SPIED", "LOOSE", "AMBUSHED", "ATTACKED", "PRESSED", "STALKED", "MOVE")
LONGEST = 300  # half-moves; a game that is not over then is left out


def one(task: tuple[int, float, float]) -> tuple[int, np.ndarray, float]:
    """A game: its number, its positions [n, words], what White got. No position if the time is over."""
    number, seconds, stop = task
    with np.errstate(over="ignore"):  # random bits wrap round
        game, random = DarkChess(), dice.seeded(number, 77)
        state, rows = new_state(game), []
        agents = [load_agent(f"kluss:seconds={seconds}", number, player) for player in range(2)]
        opening = int(dice.below(random, PLIES + 1))
        for ply in range(LONGEST):
            player = int(game.player(state))
            if player == OVER:
                return number, np.array(rows), float(game.payoff(state, 0))
            if time.time() > stop:
                break
            if ply < opening:
                actions = legal(game, state)
                action = actions[dice.below(random, len(actions))]
                agents[player].follow(sight(game, state, player), action)
            else:
                rows.append(state[:KEYS].copy())
                action = agents[player].act(sight(game, state, player, random=random))
            game.step(state, action)
    return number, np.zeros((0, KEYS), np.int64), 0.0


def play(path: str, seconds: float, limit: float, cores: int, first: int) -> None:
    one((0, seconds, time.time() + 5))  # compiled once, before the workers start
    began, rows, numbers, payoffs = time.time(), [], [], []
    stop, told = began + limit, began
    tasks = ((n, seconds, stop) for n in range(first, first + 1_000_000))
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        for number, positions, payoff in pool.imap_unordered(one, tasks):
            if len(positions):
                rows.append(positions)
                numbers.append(np.full(len(positions), number))
                payoffs.append(np.full(len(positions), payoff))
            if time.time() > stop:
                pool.terminate()
                break
            if time.time() - told > 30:
                told = time.time()
                print(f"{len(rows)} games after {told - began:.0f} s", flush=True)
    with appearing(path) as file:
        parts = {"state": np.concatenate(rows), "game": np.concatenate(numbers), "payoff": np.concatenate(payoffs)}
        np.savez_compressed(file, **parts)
    ends = np.array([p[0] for p in payoffs])
    print(
        f"{len(rows)} games, {sum(map(len, rows))} positions, White won {(ends > 0).mean():.3f}, drew"
        f" {(ends == 0).mean():.3f}, {time.time() - began:.0f} s, {os.path.getsize(path) / 1e6:.1f} MB",
        flush=True,
    )


def learn(paths: list[str], pull: float, save: str) -> None:
    parts = [np.load(path) for path in paths]
    state, payoff = (np.concatenate([part[name] for part in parts]) for name in ("state", "payoff"))
    number = np.concatenate([part["game"] + n * 10_000_000 for n, part in enumerate(parts)])
    known, pulls = np.zeros(fog.TOTAL), np.full(fog.TOTAL, GENTLE)
    known[fog.HAND] = 1.0 / fog.TENFOLD
    pulls[fog.SQUARES : fog.SEEN] = pull
    command = f"python benchmarks/fog_lessons.py fit, {len(np.unique(number))} games"
    found = fit(DarkChess(), state, number, payoff, known=known, pull=pulls, command=command)
    found.weights.save(save)
    print(
        f"{found.games} games, {found.positions} positions; mean square error on games that were left out: the mean result"
        f" {found.nothing:.4f}, by hand {found.before:.4f}, learned {found.held_out:.4f}"
    )
    marks = {name: getattr(fog, name) for name in GROUPS}
    for (name, first), end in zip(marks.items(), [*list(marks.values())[1:], fog.TOTAL], strict=True):
        if end - first < 64:
            print(f"{name.lower():10}", " ".join(f"{w:+.3f}" for w in found.weights.weight[first:end]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("path")
    playing.add_argument("--seconds", type=float, default=0.03, help="for a move")
    playing.add_argument("--limit", type=float, default=240.0, help="for all games, in seconds")
    playing.add_argument("--cores", type=int, default=2)
    playing.add_argument("--first", type=int, default=1, help="number of the first game, which seeds it")
    learning = commands.add_parser("fit")
    learning.add_argument("paths", nargs="+")
    learning.add_argument("--save", required=True)
    learning.add_argument("--pull", type=float, default=PULL, help="of the men on squares to the evaluation by hand")
    given = parser.parse_args()
    if given.command == "play":
        play(given.path, given.seconds, given.limit, given.cores, given.first)
    else:
        learn(given.paths, given.pull, given.save)


if __name__ == "__main__":
    main()
