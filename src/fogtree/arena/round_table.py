"""A tournament of games with any number of sides: every seating of the agents plays so many matches.

A round robin of pairs (`tournament.py`) needs two sides. With more, what an agent gets depends on all others at the
table, so every way to seat the agents is played, repetitions included: with a agents and s sides there are a^s
seatings. Match number k has the same chance moves in every seating. The result is what each agent got on each side, on
average over all seatings of the others. An agent comes first in a match if its side gets the most; where several sides
share the first place, each gets an equal part of it.

There are no ratings: they are made from wins of one over one other, and here three or more meet at once. The matches of
a seating are played in blocks, which are the pieces of a run: they are shared among the cores, and a tournament that
was stopped can be resumed.
"""

import csv
import itertools
import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import Invalid
from ..files import appearing, refusing
from ..game import sides
from ..measure.intervals import mean_half
from ..runs import Run
from ..text.naming import as_game, load
from ..text.naming import name as name_of
from ..walk.slices import Progress, Watcher
from .agents import agents_for, side_order
from .referee import play
from .tournament import BLOCK, SHARE, Standing, block_seconds, check_agents

MOST_SEATINGS = 1_000


class Seat(NamedTuple):
    """The matches of one agent on one side."""

    matches: int = 0
    payoff: float = 0.0  # summed
    squares: float = 0.0  # of the payoffs, summed
    firsts: float = 0.0  # first places, shared ones in part

    @property
    def mean(self) -> float:
        return self.payoff / self.matches if self.matches else math.nan

    @property
    def rate(self) -> float:
        """How often it comes first."""
        return self.firsts / self.matches if self.matches else math.nan

    def half(self) -> float:
        """Half the width of the 95 % interval of the mean payoff."""
        return mean_half(self.payoff, self.squares, self.matches)

    def __add__(self, other: "Seat") -> "Seat":  # type: ignore[override]
        return Seat._make(a + b for a, b in zip(self, other, strict=True))


class RoundTable(NamedTuple):
    game: str
    agents: tuple[str, ...]
    sides: int
    seats: dict[tuple[tuple[int, ...], int], Seat]  # [the agent of each side, side]
    forfeits: list[int]  # [1] matches that ended by forfeit

    def of(self, agent: int, side: int | None = None) -> Seat:
        """All matches of an agent, on one side or on all."""
        mine = Seat()
        for (seating, at), seat in self.seats.items():
            if seating[at] == agent and side in (None, at):
                mine += seat
        return mine

    def order(self) -> list[int]:
        """The agents, the one with the highest mean payoff first."""
        means = [self.of(agent).mean for agent in range(len(self.agents))]
        return sorted(range(len(means)), key=lambda agent: math.inf if math.isnan(means[agent]) else -means[agent])


def round_table(
    game: Any,
    agents: Sequence[str],
    *,
    matches: int = 1000,
    seed: int = 0,
    store: str | os.PathLike | None = None,
    cores: int | None = None,
    on: str | None = None,
    name: str = "round-table",
    progress: Watcher | None = None,
) -> RoundTable:
    """All seatings of the agents, `matches` matches each. Agents and the game are given as for `tournament`. `progress` is
    called after each block with the number of matches; its detail is a `Standing`."""
    game = game if isinstance(game, str) else name_of(as_game(game))
    check_agents(game, agents, matches, seed)
    count = len(side_order(load(game)))
    if (seatings := len(agents) ** count) > MOST_SEATINGS:
        raise Invalid(
            f"{len(agents)} agents on {count} sides have {seatings:,} seatings, and {MOST_SEATINGS:,} are allowed"
        )
    pieces = [
        {"game": game, "agents": list(seating), "seed": seed, "match": match, "matches": min(BLOCK, matches - match)}
        for match in range(0, matches, BLOCK)
        for seating in itertools.product(agents, repeat=count)
    ]
    found = RoundTable(game, tuple(agents), count, {}, [0])

    def add(now: Progress) -> None:
        step = now.detail
        seating = tuple(agents.index(agent) for agent in step.piece["agents"])
        for side, fields in enumerate(step.result["seats"]):
            found.seats[seating, side] = found.seats.get((seating, side), Seat()) + Seat(*fields)
        found.forfeits[0] += step.result["forfeits"]
        if progress:
            played = sum(seat.matches for (_, side), seat in found.seats.items() if side == 0)
            progress(Progress("matches", played, matches * seatings, Standing(found, step.left)))

    run = Run(store, name, play_seating, {"game": game, "agents": list(agents), "seed": seed}, games=[load(game)])
    run.map(pieces, cores=cores, on=on, rehearse=lambda: block_seconds(game, agents, seed), progress=add)
    return found


def play_seating(game: str, agents: list[str], seed: int, match: int, matches: int) -> dict[str, Any]:
    """The matches from one number on: the fields of a `Seat` for each side. Each block seeds its agents anew."""
    made = load(game)
    table = agents_for(made, agents, seed, match)
    leader = [sides(made).index(side) for side in side_order(made)]  # whose payoff is that of their side
    seats, forfeits = [Seat() for _ in leader], 0
    for number in range(match, match + matches):
        played = play(made, table, seed=seed * SHARE + number)
        got = [played.payoffs[player] for player in leader]
        winners = got.count(max(got))
        for side, gain in enumerate(got):
            seats[side] += Seat(1, gain, gain * gain, 1 / winners if gain == max(got) else 0.0)
        forfeits += played.forfeit is not None
    return {"seats": [list(seat) for seat in seats], "forfeits": forfeits}


def write_csv(found: RoundTable, path: str | os.PathLike) -> None:
    """A line for each side of each seating."""
    with refusing(path), appearing(path, "t") as file:
        out = csv.writer(file)
        out.writerow([*(f"side {side}" for side in range(found.sides)), "side", "matches", "payoff", "half", "first"])
        for (seating, side), seat in found.seats.items():
            numbers = (f"{x:.6g}" for x in (seat.mean, seat.half(), seat.rate))
            out.writerow([*(found.agents[agent] for agent in seating), side, seat.matches, *numbers])
