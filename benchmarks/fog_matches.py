"""Matches of fog-of-war chess from paired random openings: KLUSS against the other agents, and without one of its parts.

    python benchmarks/fog_matches.py bar                    at a second a move against the strongest of the others
    python benchmarks/fog_matches.py round 0.1              all agents against KLUSS, at 0.1 s a move
    python benchmarks/fog_matches.py parts 0.1 --games 200  KLUSS against itself without one of its parts
    python benchmarks/fog_matches.py pairs AGENT OTHER      any two agents

    --games 200   of each line       --first 100      leave out so many games, which were played elsewhere
    --cores 13    processes
    --limit 500   seconds, after which it stops       --store FILE     where every game is stored as soon as it is over

The same command goes on from the store. Two games are played from each opening of four random moves, with colours exchanged.
Lines are played in turn, so that a run which is stopped has about as many games of each. Shares have Wilson's 95 % intervals.
"""

import argparse
import sys
import time
from typing import Any

from fogtree.arena.agents import agents_for
from fogtree.arena.openings import random_openings
from fogtree.arena.referee import play
from fogtree.arena.rehearsal import rehearse
from fogtree.measure.intervals import wilson
from fogtree.runs import Run
from fogtree.text.naming import load
from fogtree.text.notation import course

GAME, PLIES = "dark-chess", 4
STRONGEST = "pimc:inner=[alphabeta:depth={depth}],verdict=means"  # of the other agents; in 20 worlds
DEPTHS = {0.1: 3, 0.2: 4, 1.0: 5}  # 0.1 to 0.2 s, 0.2 s and 1.1 s a move
OTHERS = ("pimc", "epimc", "uct", "rm")
PARTS = ("play=last", "frozen=yes", "even=1", "growth=both")


class Enough(Exception):
    """The time is up."""


def game_of(one: str, other: str, number: int, seat: int, opening: list) -> dict[str, Any]:
    """One game from an opening, with the first agent on a seat: its points, the moves, and why it was forfeited."""
    game = load(GAME)
    table = agents_for(game, [one, other] if seat == 0 else [other, one], 1 + seat, number)
    found = play(game, table, seed=2 * number + seat, start=course(game, [tuple(move) for move in opening]))
    reason = None if found.forfeit is None else found.forfeit.reason
    return {"points": (1 + found.payoffs[seat]) / 2, "plies": len(found.moves), "forfeit": reason}


def lines(what: str, words: list[str]) -> list[tuple[str, str]]:
    """The agents that meet."""
    if what == "pairs":
        return list(zip(words[::2], words[1::2], strict=True))
    spend = float(words[0]) if words else 1.0
    budget, whole = f"seconds={spend:g}", f"kluss:seconds={spend:g}"
    strongest = STRONGEST.format(depth=DEPTHS.get(spend, 4))
    if what == "bar":
        return [(whole, strongest)]
    if what == "round":
        return [(whole, strongest), *((whole, f"{name}:{budget}") for name in OTHERS), (whole, "random")]
    return [(whole, f"{whole},{part}") for part in PARTS]


def told(found: dict[tuple[str, str], list[list[dict]]]) -> None:
    """A line for each pair of agents."""
    for (one, other), seats in found.items():
        points = [[each["points"] for each in games] for games in seats]
        both = points[0] + points[1]
        if not both:
            continue
        share = sum(both) / len(both)
        low, high = wilson(share, len(both))
        verdict = "more" if low > 0.5 else "less" if high < 0.5 else "cannot tell"
        won, drawn = both.count(1.0), both.count(0.5)
        seated = ", ".join(f"{name} {sum(p)} of {len(p)}" for name, p in zip(("white", "black"), points, strict=True))
        length = sum(each["plies"] for games in seats for each in games) / len(both)
        reasons = [each["forfeit"] for games in seats for each in games if each["forfeit"]]
        print(
            f"{one} against {other}: {share:.1%} ({low:.1%} to {high:.1%}, {verdict}) of {len(both)} games:"
            f" {won} won, {drawn} drawn; {seated}; {length:.0f} moves a game"
            + (f"; {len(reasons)} forfeits, {reasons[0]}" if reasons else ""),
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("bar", "round", "parts", "pairs"))
    parser.add_argument("words", nargs="*")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cores", type=int, default=None)
    parser.add_argument("--limit", type=float, default=float("inf"))
    parser.add_argument("--store", default="fog-matches.sqlite")
    asked = parser.parse_args()
    began, game, meet = time.monotonic(), load(GAME), lines(asked.what, asked.words)
    openings = random_openings(game, asked.games // 2, PLIES, 0)
    pieces = [
        {"one": one, "other": other, "number": number, "seat": seat, "opening": [list(move) for move in opening]}
        for number, opening in enumerate(openings)
        if number >= asked.first // 2
        for one, other in meet
        for seat in range(2)
    ]
    found: dict[tuple[str, str], list[list[dict]]] = {line: [[], []] for line in meet}

    def tell(now: Any) -> None:
        piece = now.detail.piece
        found[piece["one"], piece["other"]][piece["seat"]].append(now.detail.result)
        if now.done % 25 == 0:
            print(f"{now.done} of {now.goal} games, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        if time.monotonic() - began > asked.limit and now.detail.left is not None:
            raise Enough

    def ready() -> None:
        for line in meet:
            rehearse(game, line, 0)

    run = Run(asked.store, "fog-matches", game_of, {}, games=[game])
    try:
        run.map(pieces, cores=asked.cores, rehearse=ready, progress=tell)
    except (Enough, KeyboardInterrupt):
        print("stopped; the same command goes on from the store", flush=True)
    told(found)


if __name__ == "__main__":
    main()
