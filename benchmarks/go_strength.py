"""What each of MoGo's improvements is worth on 9x9, and how strong that is beside GNU Go: matches at equal simulations.

    python benchmarks/go_strength.py                        all matches, 100 games each
    python benchmarks/go_strength.py rave:1000 uct:1000     one match, named by two of PLAYERS and their simulations
    python benchmarks/go_strength.py --games 20 prior:3000 gnugo:10

Colours are exchanged from game to game, with one seed for both games of a pair. Every game is stored as soon as it is over,
in go-strength.sqlite; the same command goes on from there. Shares have Wilson's 95 % intervals. A game is played as in the
parts about Go of `fogtree paper arenz2012`, by players that are texts (`papers/arenz2012/go_match.py`).
"""

import sys

from fogtree.measure.intervals import wilson
from fogtree.papers.arenz2012.go_match import FIRST, SECOND, go_game
from fogtree.runs import Run

LONG = True
STORE, GAMES = "go-strength.sqlite", 100
GAME = "go:side=9"
PLAYERS = {
    "uniform": "tree tuned uniform none",
    "uct": "tree tuned mogo none",
    "urgency": "tree tuned:urgency=1 mogo none",
    "narrow": "tree tuned:width=0.5 mogo none",
    "rave": "tree rave:confidence=0 mogo none",
    "hand": "tree rave-hand:confidence=0 mogo none",
    "prior": "tree rave mogo first-sight",
    "careful": "tree rave mogo:careful=yes first-sight",
    "waiting": "tree rave mogo:careful=yes first-sight waiting=65536",
}
MATCHES = (
    ("uct:1000", "uniform:1000", 0.65),
    ("rave:1000", "uct:1000", 0.80),
    ("prior:1000", "rave:1000", 0.60),
    ("careful:3000", "gnugo:10", 0.50),
)


def written(text: str) -> str:
    """A player as the paper's games write it."""
    name, _, number = text.partition(":")
    if name != "gnugo" and name not in PLAYERS:
        sys.exit(f"there is no player '{name}': valid are gnugo, {', '.join(PLAYERS)}")
    if not number.isdecimal():
        sys.exit(f"write {name}:NUMBER, simulations of a move or GNU Go's level, not '{text}'")
    return f"gnugo level={number}" if name == "gnugo" else f"{PLAYERS[name]} simulations={number}"


def match(one: str, other: str, games: int) -> list[dict]:
    players = {"one": written(one), "other": written(other)}
    pieces = [{"game": GAME, **players, "black": (FIRST, SECOND)[game % 2], "seed": game // 2} for game in range(games)]

    def tell(now) -> None:
        if sys.stderr.isatty():
            print(f"\r{one} against {other}: {now.done} of {now.goal}", end="", file=sys.stderr)

    return Run(STORE, "go-strength", go_game, {"game": GAME}).map(pieces, cores=1, progress=tell)


def measure(matches=MATCHES, games: int = GAMES):
    from row import Row

    rows = []
    for one, other, bar in matches:
        found = match(one, other, games)
        share, faults = (
            sum(game["points"] for game in found) / games,
            [game["fault"] for game in found if game["fault"]],
        )
        low, high = wilson(share, games)
        what = f"{other}; {games} games, {low:.0%} to {high:.0%}"
        rows.append(Row(f"9x9, {one}", share, bar=bar, unit="won", peer=what))
        print(f"{one} against {other}: {share:.1%} of {games} games won, {low:.0%} to {high:.0%}", flush=True)
        for fault in faults:
            print(fault, file=sys.stderr)
    return rows


if __name__ == "__main__":
    words = sys.argv[1:]
    count = GAMES
    if "--games" in words:
        at = words.index("--games")
        count = int(words[at + 1])
        del words[at : at + 2]
    measure([(words[0], words[1], None)] if words else MATCHES, count)
