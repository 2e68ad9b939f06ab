"""Measures the opponents that the page offers: `python benchmarks/opponents.py [GAME ...]`.

In each game a ladder of agents plays a small tournament, as `fogtree tournament` does, and is rated with random play at 0.
The ratings, and what each agent won on average, are written to src/fogtree/web/opponents.json, each with the command that
makes it again. A ladder is chosen by what a game is; how many matches it plays, by how long the first ones take.
"""

import json
import pathlib
import sys
import time

import fogtree
from fogtree.arena.agents import side_order
from fogtree.arena.rating import rate
from fogtree.arena.tournament import PAIR, tournament
from fogtree.files import appearing

DATA = pathlib.Path(__file__).parents[1] / "src" / "fogtree" / "web" / "opponents.json"
SECONDS, LEAST, MOST = 30.0, 2, 300  # for a game | matches of an ordered pair
RANDOM = "random"
LADDERS = {  # of games that ask for one of their own
    "chess": ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=5"],
    "breakthrough": ["uct:iterations=30", "uct:iterations=300", "uct:iterations=3000"],
    "go": ["uct:iterations=20", "uct:iterations=200"],
    "phantom-go": ["rm:iterations=10", "rm:iterations=100"],
    "holdem": ["rm:iterations=10", "rm:iterations=100", "rm:iterations=1000"],
    "dark-chess": ["rm:iterations=20", "rm:iterations=200"],
    "siguo": ["rm:iterations=20", "rm:iterations=100"],
    "luzhanqi": ["rm:iterations=20", "rm:iterations=200"],
    "matrix": ["rm:iterations=10", "rm:iterations=100", "rm:iterations=1000"],
    "bimatrix": ["rm:iterations=10", "rm:iterations=100", "rm:iterations=1000"],
}


def ladder(name, game):
    search = "uct" if game.shape().open else "rm"
    return LADDERS.get(name, [f"{search}:iterations={10**power}" for power in range(1, 5)])


def measure(name):
    """The ratings of a game's ladder, or None where a game has no two sides."""
    game = fogtree.load(name)
    if len(side_order(game)) != PAIR:
        return None
    agents = [RANDOM, *ladder(name, game)]
    tournament(name, agents, matches=1, seed=1, cores=1)  # compiles what is needed
    began = time.monotonic()
    tournament(name, agents, matches=1, seed=2, cores=1)
    matches = max(LEAST, min(MOST, int(SECONDS / (time.monotonic() - began))))
    found = tournament(name, agents, matches=matches, cores=1)
    rated = rate(found.counts(), found.agents, anchor=(RANDOM, 0.0))
    rows = []
    for number, agent in enumerate(agents):
        rating, half = (round(float(each[number])) for each in (rated.rating, rated.half))
        rows.append([agent, rating, half, *(round(each, 3) for each in payoff(found, number))])
    command = f"fogtree tournament {name} {' '.join(agents)} --matches {matches} --seed 0 --anchor random=0"
    return {"command": command, "rated": rows}


def payoff(found, number):
    """The mean payoff of an agent against all others, and half its 95 % interval: wins say little where cards decide."""
    cells = [found.seats[seating, seating.index(number)] for seating in found_pairs(found, number)]
    matches = sum(cell.matches for cell in cells)
    mean = sum(cell.payoff for cell in cells) / matches
    spread = max(0.0, sum(cell.squares for cell in cells) / matches - mean**2)
    return mean, 1.96 * (spread / matches) ** 0.5


def found_pairs(found, number):
    """The seatings of an agent with another one."""
    return [seating for seating, side in found.seats if side == 0 and seating.count(number) == 1]


def main(names):
    known = json.loads(DATA.read_text()) if DATA.exists() else {}
    for name in names or fogtree.GAMES:
        began = time.monotonic()
        if (found := measure(name)) is not None:
            known[name] = found
            with appearing(DATA, "t") as file:
                file.write(json.dumps({name: known[name] for name in sorted(known)}, indent=1) + "\n")
        print(f"{name}: {time.monotonic() - began:.0f} s {found and found['rated']}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
