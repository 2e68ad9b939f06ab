"""Games of fog-of-war chess to learn an evaluation from: KLUSS against itself, and how each position ended.

    python benchmarks/fog_lessons.py play out/fog-games.npz --seconds 0.03 --limit 240 --cores 12

`play` begins each game with some random moves, so that games differ, and writes the words of every position that matter,
which game it comes from, and what White got in the end.
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
from fogtree.games.dark_chess import KEYS

PLIES = 8  # random moves before a game, at most
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("path")
    playing.add_argument("--seconds", type=float, default=0.03, help="for a move")
    playing.add_argument("--limit", type=float, default=240.0, help="for all games, in seconds")
    playing.add_argument("--cores", type=int, default=2)
    playing.add_argument("--first", type=int, default=1, help="number of the first game, which seeds it")
    given = parser.parse_args()
    play(given.path, given.seconds, given.limit, given.cores, given.first)


if __name__ == "__main__":
    main()
