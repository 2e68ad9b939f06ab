"""What each of MoGo's improvements is worth on 9x9, and how strong that is beside GNU Go: matches at equal simulations.

    python benchmarks/go_strength.py                        all matches, 100 games each
    python benchmarks/go_strength.py rave:1000 uct:1000     one match, named by two of PLAYERS and their simulations
    python benchmarks/go_strength.py --games 20 prior:3000 gnugo:10

Colours are exchanged from game to game, with one seed for both games of a pair. Every game is stored as soon as it is over,
in go-strength.sqlite; the same command goes on from there. Shares have Wilson's 95 % intervals. A search that thinks that it
wins less than one game in 25 resigns. GNU Go never does, and plays by area rules (level 10, or another).
"""

import math
import sys

import numpy as np

from fogtree.bandits import RAVE, HandSelectedRAVE, UCB1Tuned
from fogtree.bridges.gtp_client import EngineFault, GtpAgent
from fogtree.game import OVER, label, legal, new_state, read
from fogtree.games.go import Go, MoGo, NoEyes
from fogtree.games.go.priors import FirstSight
from fogtree.judges import Playout
from fogtree.runs import Run
from fogtree.search.mcts import MCTS

LONG = True
STORE, GAMES = "go-strength.sqlite", 100
GAME = Go(9)
RESIGN, EARLY = 0.04, 20  # mean reward, moves
MEMORY = 2**30
PLAYERS = {  # bandit, playouts, prior, places of the waiting room
    "uniform": (UCB1Tuned(), NoEyes(), None, 0),
    "uct": (UCB1Tuned(), MoGo(), None, 0),
    "urgency": (UCB1Tuned(urgency=1.0), MoGo(), None, 0),
    "narrow": (UCB1Tuned(width=0.5), MoGo(), None, 0),
    "rave": (RAVE(confidence=0), MoGo(), None, 0),
    "hand": (HandSelectedRAVE(confidence=0), MoGo(), None, 0),
    "prior": (RAVE(), MoGo(), FirstSight(), 0),
    "careful": (RAVE(), MoGo(careful=True), FirstSight(), 0),
    "waiting": (RAVE(), MoGo(careful=True), FirstSight(), 1 << 16),
}
MATCHES = (
    ("uct:1000", "uniform:1000", 0.65),
    ("rave:1000", "uct:1000", 0.80),
    ("prior:1000", "rave:1000", 0.60),
    ("careful:3000", "gnugo:10", 0.50),
)


class Searcher:
    """One of PLAYERS, at so many simulations a move."""

    def __init__(self, name: str, simulations: int, seed: int):
        bandit, playouts, prior, waiting = PLAYERS[name]
        self.simulations = simulations
        options = {"judge": Playout(playouts), "prior": prior, "waiting": waiting, "memory": MEMORY}
        self.search = MCTS(GAME, bandit, seed, **options)

    def move(self, state, moves) -> int | None:
        """An action, or None to resign."""
        action = self.search.think(state, iterations=self.simulations).best(state)
        mean = self.search.means(state).get(action, 1.0)
        return None if len(moves) > EARLY and mean < RESIGN else action


class GnuGo:
    """GNU Go, as a program of its own."""

    def __init__(self, level: int, seed: int):
        self.agent = GtpAgent.from_text("gtp", f"gnugo:level={level}", seed)

    def move(self, state, moves) -> int | None:
        actions = tuple(legal(GAME, state))
        labels = tuple(label(GAME, state, action) for action in actions)
        try:
            return read(GAME, state, self.agent.act(Told(GAME, int(GAME.player(state)), actions, labels, tuple(moves))))
        except EngineFault as fault:
            print(fault, file=sys.stderr)
            return None


class Told:
    """The part of a sight that a program needs."""

    def __init__(self, game, player, actions, labels, moves):
        self.game, self.player, self.actions, self.labels, self.moves = game, player, actions, labels, moves


def made(text: str, seed: int):
    name, _, number = text.partition(":")
    return GnuGo(int(number), seed) if name == "gnugo" else Searcher(name, int(number), seed)


def won(one: str, other: str, seed: int, black: str) -> int:
    """1 if the first of two players wins a game in which `black` says who is black, first or second."""
    players, state, moves = [made(one, 2 * seed), made(other, 2 * seed + 1)], new_state(GAME), []
    if black == "second":
        players.reverse()
    with np.errstate(over="ignore"):
        while (turn := int(GAME.player(state))) != OVER:
            action = players[turn].move(state, moves)
            if action is None:
                winner = 1 - turn
                break
            moves.append((turn, action))
            GAME.step(state, action)
        else:
            winner = 0 if GAME.payoff(state, 0) > 0 else 1
    return int(winner == (black == "second"))


def match(one: str, other: str, games: int) -> list[int]:
    pieces = [
        {"one": one, "other": other, "seed": game // 2, "black": ("first", "second")[game % 2]} for game in range(games)
    ]

    def tell(step) -> None:
        if sys.stderr.isatty():
            print(f"\r{one} against {other}: {step.done} of {step.total}", end="", file=sys.stderr)

    settings = {name: repr(player) for name, player in PLAYERS.items() if name in (one + other)}
    run = Run(STORE, "go-strength", {"one": one, "other": other, "game": repr(GAME), "players": settings})
    return run.map(won, pieces, cores=1, progress=tell)


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval."""
    share, z = wins / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def measure(matches=MATCHES, games: int = GAMES):
    from row import Row

    rows = []
    for one, other, bar in matches:
        results = match(one, other, games)
        low, high = interval(sum(results), games)
        what = f"{other}; {games} games, {low:.0%} to {high:.0%}"
        rows.append(Row(f"9x9, {one}", sum(results) / games, bar=bar, unit="won", peer=what))
        print(f"{one} against {other}: {sum(results)} of {games} won, {low:.0%} to {high:.0%}", flush=True)
    return rows


if __name__ == "__main__":
    words = sys.argv[1:]
    count = GAMES
    if "--games" in words:
        at = words.index("--games")
        count = int(words[at + 1])
        del words[at : at + 2]
    measure([(words[0], words[1], None)] if words else MATCHES, count)
