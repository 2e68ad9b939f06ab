"""A round robin: every ordered pair of agents plays so many matches, because it matters who plays first.

A game has two sides, of one player each or of partners; each side is played by one agent, of which every player of the side
has a copy. Match number k has the same chance moves in every cell, so cells differ by their agents and not by luck. A draw is
half a win. The matches of a cell are played in blocks, which are the pieces of a run: they are shared among the cores, and a
tournament that was stopped can be resumed.
"""

import csv
import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..files import appearing, refusing
from ..game import sides
from ..measure.intervals import mean_half, wilson
from ..runs import Run
from ..text import markup
from ..text.naming import as_game, load
from ..text.naming import name as name_of
from ..walk.slices import Progress, Watcher, whole
from .agents import agents_for, load_agent, require_fit, side_order
from .referee import play
from .rehearsal import rehearse

BLOCK = 25  # matches in a piece
SHARE = 1 << 32  # matches that a seed can deal


class Cell(NamedTuple):
    """The matches of one agent on the first side against another on the second, as the first sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    payoff: float = 0.0  # summed
    squares: float = 0.0  # of the payoffs, summed
    forfeits: int = 0

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """Won, a draw as half."""
        return (self.wins + 0.5 * self.draws) / self.matches if self.matches else math.nan

    @property
    def mean(self) -> float:
        return self.payoff / self.matches if self.matches else math.nan

    def interval(self) -> tuple[float, float]:
        """95 % interval of the rate (Wilson); with draws it is a little wider than need be."""
        return wilson(self.rate, self.matches)

    def half(self) -> float:
        """Half the width of the 95 % interval of the mean payoff."""
        return mean_half(self.payoff, self.squares, self.matches)

    def __add__(self, other: "Cell") -> "Cell":  # type: ignore[override]
        return Cell._make(a + b for a, b in zip(self, other, strict=True))


class Standing(NamedTuple):
    """The `detail` of a tournament's progress."""

    found: Any  # the `Tournament` or the `RoundTable` so far
    left: float | None  # seconds, as far as it can be told


class Tournament(NamedTuple):
    game: str
    agents: tuple[str, ...]
    cells: dict[tuple[int, int], Cell]  # [agent on the first side, agent on the second]

    def counts(self) -> np.ndarray:
        """[first, second, (wins, draws, losses)], as ratings want them."""
        found = np.zeros((len(self.agents), len(self.agents), 3))
        for pair, cell in self.cells.items():
            found[pair] = cell.wins, cell.draws, cell.losses
        return found

    def _repr_html_(self) -> str:
        """Rows are the first side, columns the second: the share won by the first, a draw as half, with a 95 % interval."""
        rows = []
        for i, name in enumerate(self.agents):
            cells = [self.cells[i, j] for j in range(len(self.agents))]
            told = [f"{cell.rate:.1%} [{', '.join(f'{end:.1%}' for end in cell.interval())}]" for cell in cells]
            rows.append((name, *(text if cell.matches else "" for text, cell in zip(told, cells, strict=True))))
        played = sum(cell.matches for cell in self.cells.values())
        return markup.table(("won by", *self.agents), rows, f"{self.game}: {played:,} matches")


def tournament(
    game: Any,
    agents: Sequence[str],
    *,
    matches: int = 1000,
    seed: int = 0,
    store: str | os.PathLike | None = None,
    cores: int | None = None,
    on: str | None = None,
    name: str = "tournament",
    progress: Watcher | None = None,
) -> Tournament:
    """All ordered pairs of agents, themselves included, `matches` matches each. Agents are given by their names, so that
    other processes can make them and the store can tell them apart; a game by its name, or as one that has a name.

    If more matches of the same tournament are asked for, the stored ones are used; any other change makes another run.
    `progress` is called after each block with the number of matches; its detail is a `Standing`.
    """
    game = game if isinstance(game, str) else name_of(as_game(game))
    check(game, agents, matches, seed)
    size = len(agents)
    blocks = [(match, min(BLOCK, matches - match)) for match in range(0, matches, BLOCK)]
    pieces = [
        {"game": game, "first": first, "second": second, "seed": seed, "match": match, "matches": block}
        for match, block in blocks
        for first in agents
        for second in agents
    ]
    found = Tournament(game, tuple(agents), {(i, j): Cell() for i in range(size) for j in range(size)})

    def add(now: Progress) -> None:
        step = now.detail
        pair = agents.index(step.piece["first"]), agents.index(step.piece["second"])
        found.cells[pair] += Cell(**step.result)
        if progress:
            played = sum(cell.matches for cell in found.cells.values())
            progress(Progress("matches", played, matches * size * size, Standing(found, step.left)))

    parameters = {"game": game, "agents": list(agents), "seed": seed}
    run = Run(store, name, play_block, parameters, games=[load(game)])
    run.map(pieces, cores=cores, on=on, rehearse=lambda: block_seconds(game, agents, seed), progress=add)
    return found


def block_seconds(game: str, agents: Sequence[str], seed: int) -> float | None:
    """Compile what the agents need, and return how many seconds a block of matches takes, if that can be said."""
    seconds = rehearse(load(game), agents, seed)
    return None if seconds is None else BLOCK * seconds


def check(game: str, agents: Sequence[str], matches: int, seed: int) -> None:
    """Refuse what makes no sense before the work begins."""
    made = load(game)
    if (count := len(side_order(made))) != 2:
        raise Invalid(
            f"a round robin needs a game of 2 sides, and {game} has {count}: fogtree.round_table seats any number"
        )
    check_agents(game, agents, matches, seed)


def check_agents(game: str, agents: Sequence[str], matches: int, seed: int) -> None:
    """Refuse agents and numbers that make no sense."""
    made = load(game)
    whole(matches, "matches", least=1)
    if not agents:
        raise Invalid("a tournament needs agents: random, rm, uct:iterations=5000, strategy:FILE.npz")
    if objects := [one for one in agents if not isinstance(one, str)]:
        what = type(objects[0]).__name__
        raise Invalid(f"a tournament's agents are texts, such as rm:iterations=500 or strategy:FILE.npz, not a {what}")
    if twice := {name for name in agents if list(agents).count(name) > 1}:
        raise Invalid(f"{min(twice)} is given twice; each agent plays itself anyway")
    for name in agents:
        require_fit(load_agent(name, seed), made)


def play_block(game: str, first: str, second: str, seed: int, match: int, matches: int) -> dict[str, Any]:
    """The matches from one number on, as the fields of a Cell. Each block seeds its agents anew."""
    made = load(game)
    table = agents_for(made, (first, second), seed, match)
    leader = [sides(made).index(side) for side in side_order(made)]  # whose payoff is that of their side
    cell = Cell()
    for number in range(match, match + matches):
        played = play(made, table, seed=seed * SHARE + number)
        gain, other = (played.payoffs[player] for player in leader)
        forfeits = int(played.forfeit is not None)
        cell += Cell(int(gain > other), int(gain == other), int(gain < other), gain, gain * gain, forfeits)
    return cell._asdict()


def write_csv(found: Tournament, path: str | os.PathLike) -> None:
    """A line for each cell."""
    with refusing(path), appearing(path, "t") as file:
        out = csv.writer(file)
        out.writerow(
            [
                "first",
                "second",
                "matches",
                "wins",
                "draws",
                "losses",
                "rate",
                "low",
                "high",
                "payoff",
                "half",
                "forfeits",
            ]
        )
        for (i, j), cell in found.cells.items():
            numbers = [f"{x:.6g}" for x in (cell.rate, *cell.interval(), cell.mean, cell.half())]
            out.writerow([found.agents[i], found.agents[j], cell.matches, *cell[:3], *numbers, cell.forfeits])
