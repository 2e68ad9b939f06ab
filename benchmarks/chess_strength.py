"""How strong our chess is beside Stockfish at limited strengths: matches of two agents from paired random openings.

    python benchmarks/chess_strength.py                                                     all matches, 100 games each
    python benchmarks/chess_strength.py alphabeta:depth=4 uci:stockfish:elo=1400 --games 20   one match, of any two agents

Two games are played from each opening, with colours exchanged. Every pair is stored as soon as it is over, in
chess-strength.sqlite; the same command goes on from there. Shares have Wilson's 95 % intervals. Budgets in seconds mean
something on an idle machine only.
"""

import sys

from fogtree.arena.agents import load_agent
from fogtree.arena.pairs import play_pair, points
from fogtree.dice import seeded
from fogtree.games.chess import Chess
from fogtree.learn.training import OPENING, random_opening
from fogtree.measure.intervals import wilson
from fogtree.runs import Run
from fogtree.text.notation import Course

LONG = True
STORE, GAMES = "chess-strength.sqlite", 100
MATCHES = (
    ("alphabeta:seconds=0.1", "uci:stockfish:elo=1800,seconds=0.1", 0.50),
    ("alphabeta:weights=chess,seconds=0.1", "uci:stockfish:elo=1700,seconds=0.1", 0.50),
)


def pair(one: str, other: str, number: int) -> list[float]:
    """What the first agent gets in two games from one opening, with either colour."""
    game = Chess()
    agents = [load_agent(one, number, 0), load_agent(other, number, 1)]
    start = Course(random_opening(game, OPENING, seeded(number)))
    try:
        return list(points(game, play_pair(game, *agents, start=start, seed=number)))
    finally:
        for agent in agents:
            if hasattr(agent, "close"):
                agent.close()


def match(one: str, other: str, games: int) -> list[float]:
    pieces = [{"one": one, "other": other, "number": number} for number in range(games // 2)]

    def tell(now) -> None:
        if sys.stderr.isatty():
            print(f"\r{one} against {other}: {2 * now.done} of {games}", end="", file=sys.stderr)

    run = Run(STORE, "chess-strength", pair, {"one": one, "other": other}, games=[Chess()])
    return [share for both in run.map(pieces, cores=1, progress=tell) for share in both]


def measure(matches=MATCHES, games: int = GAMES):
    from row import Row

    rows = []
    for one, other, bar in matches:
        found = match(one, other, games)
        share = sum(found) / len(found)
        low, high = wilson(share, len(found))
        rows.append(Row(f"chess, {one}", share, bar=bar, unit="scored", peer=f"{other}; {len(found)} games"))
        print(f"{one} against {other}: {share:.1%} of {len(found)} games, {low:.0%} to {high:.0%}", flush=True)
    return rows


if __name__ == "__main__":
    words, count = sys.argv[1:], GAMES
    if "--games" in words:
        at = words.index("--games")
        count = int(words[at + 1])
        del words[at : at + 2]
    measure([(words[0], words[1], None)] if words else MATCHES, count)
