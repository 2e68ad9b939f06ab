"""A tournament: every seating of the agents on the sides of a game plays so many matches, because it matters who sits where.

Each side, of one player or of partners, is played by one agent, of which every player of the side has a copy. A game of two
sides is a round robin of ordered pairs. With more sides, what an agent gets depends on all others at the table; with a agents
and s sides there are a^s seatings, repetitions included, and the result is what each agent got on each side, on average over
all seatings of the others. Match number k has the same chance moves in every seating, so seatings differ by their agents and
not by luck.

A side wins a match if it gets the most. Where several sides do, it is a draw between them, and each has an equal part of the
win: half of it between two. Only games of two sides have ratings, for these are made from wins of one over one other.

Agents that draw nothing would play one match many times where there is no chance. Their matches begin from random openings
(`openings.py`), a different one each. With `openings=0` they begin at the start all the same, and then intervals count one
match and not its repeats.

An agent that fails, or that does not answer in time, forfeits its match, and the tournament goes on. Why is counted in
`Tournament.reasons`. Agents of a user's own have a minute for a move unless told otherwise; Fogtree's own have budgets.

The matches of a seating are played in blocks, which are the pieces of a run: they are shared among the cores, and a
tournament that was stopped can be resumed.
"""

import collections
import csv
import itertools
import math
import os
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..files import appearing, refusing
from ..game import sides
from ..measure.intervals import mean_half, wilson
from ..runs import Run
from ..runs.cluster import require_cluster
from ..text import markup
from ..text.naming import as_game, load
from ..text.naming import name as name_of
from ..text.notation import Course, course
from ..walk.slices import Progress, Watcher, number, whole
from .agents import agents_for, as_agent, load_agent, require_fit, several, side_order, standing_for
from .openings import Opening, random_openings, repeats_itself, usual_plies
from .patience import allowed
from .referee import play
from .rehearsal import rehearse

BLOCK = 25  # matches in a piece
SHARE = 1 << 32  # matches that a seed can deal
PAIR = 2  # sides of a game that has a cross table and ratings
MOST_SEATINGS = 1_000  # of more than two sides
MOST_REASONS = 3  # for forfeits that a block keeps


class Cell(NamedTuple):
    """The matches of some seatings, as one side sees them: of two sides, unless it says otherwise, as the first sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    payoff: float = 0.0  # summed
    squares: float = 0.0  # of the payoffs, summed
    forfeits: int = 0
    crowded: float = 0.0  # what draws of three sides or more lack to half a win each, summed
    repeats: int = 0  # matches that were played before, move by move

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def different(self) -> int:
        """Matches that tell something new: intervals count these."""
        return self.matches - self.repeats

    @property
    def rate(self) -> float:
        """Won, a draw as half or as an equal part."""
        return (self.wins + 0.5 * self.draws - self.crowded) / self.matches if self.matches else math.nan

    @property
    def mean(self) -> float:
        return self.payoff / self.matches if self.matches else math.nan

    def interval(self) -> tuple[float, float]:
        """95 % interval of the rate (Wilson); with draws it is a little wider than need be."""
        return wilson(self.rate, self.different)

    def half(self) -> float:
        """Half the width of the 95 % interval of the mean payoff."""
        part = self.different / self.matches if self.matches else 0.0
        return mean_half(part * self.payoff, part * self.squares, self.different)

    def __add__(self, other: "Cell") -> "Cell":  # type: ignore[override]
        return Cell._make(a + b for a, b in zip(self, other, strict=True))


class Standing(NamedTuple):
    """The `detail` of a tournament's progress."""

    found: "Tournament"  # so far
    left: float | None  # seconds, as far as it can be told


class Tournament(NamedTuple):
    """What came of all seatings. A seating is the number of the agent on each side."""

    game: str
    agents: tuple[str, ...]
    sides: int
    seats: dict[tuple[tuple[int, ...], int], Cell]  # [seating, side] the matches as the side sees them
    reasons: Mapping[str, int] = types.MappingProxyType({})  # why matches were forfeited, and how many of them
    opened: Mapping[tuple[int, ...], int] = types.MappingProxyType({})  # [seating] from how many openings, where any
    plies: int = 0  # moves of an opening

    @property
    def cells(self) -> dict[tuple[int, ...], Cell]:
        """The matches of each seating, as the first side sees them: [agent on the first side, agent on the second]."""
        return {seating: cell for (seating, side), cell in self.seats.items() if side == 0}

    @property
    def forfeits(self) -> int:
        """How many matches ended by forfeit."""
        return sum(cell.forfeits for cell in self.cells.values())

    def of(self, agent: int, side: int | None = None) -> Cell:
        """All matches of an agent, on one side or on all."""
        mine = (cell for (seating, at), cell in self.seats.items() if seating[at] == agent and side in (None, at))
        return sum(mine, start=Cell())

    def order(self) -> list[int]:
        """The agents, the one with the highest mean payoff first."""
        means = [self.of(agent).mean for agent in range(len(self.agents))]
        return sorted(range(len(means)), key=lambda agent: math.inf if math.isnan(means[agent]) else -means[agent])

    def counts(self) -> np.ndarray:
        """[first, second, (wins, draws, losses)], as ratings want them, without repeats."""
        if self.sides != PAIR:
            raise Invalid(f"ratings need a game of {PAIR} sides, and {self.game} has {self.sides}")
        found = np.zeros((len(self.agents), len(self.agents), 3))
        for pair, cell in self.cells.items():
            found[pair] = cell.wins, cell.draws, cell.losses
            found[pair] *= cell.different / max(cell.matches, 1)
        return found

    def _repr_html_(self) -> str:
        """Of two sides a cross table: rows are the first side, columns the second, and a cell is the share won by the first,
        a draw as half, with a 95 % interval. Of more, what each agent got on each side."""
        cells, size = self.cells, len(self.agents)
        caption = f"{self.game}: {sum(cell.matches for cell in cells.values()):,} matches"
        if self.sides != PAIR:
            means = [[f"{self.of(agent, side).mean:.3g}" for side in range(self.sides)] for agent in self.order()]
            rows = [(self.agents[agent], *row) for agent, row in zip(self.order(), means, strict=True)]
            return markup.table(("mean payoff", *(f"side {side}" for side in range(self.sides))), rows, caption)
        rows = [(name, *(_won(cells[i, j]) for j in range(size))) for i, name in enumerate(self.agents)]
        return markup.table(("won by", *self.agents), rows, caption)


def _won(cell: Cell) -> str:
    return f"{cell.rate:.1%} [{', '.join(f'{end:.1%}' for end in cell.interval())}]" if cell.matches else ""


def tournament(
    game: Any,
    agents: Sequence[Any],
    *,
    matches: int = 1000,
    openings: int | None = None,
    plies: int | None = None,
    seed: int = 0,
    move_seconds: float | None = None,
    store: str | os.PathLike | None = None,
    cores: int | None = None,
    on: str | None = None,
    name: str = "tournament",
    progress: Watcher | None = None,
) -> Tournament:
    """All seatings of the agents on the sides of the game, `matches` matches each: of two sides all ordered pairs, themselves
    included. Agents are given by their names, so that other processes can make them and the store can tell them apart; a game
    by its name, or as one that has a name. An agent that takes longer than `move_seconds` for a move forfeits the match; if
    nothing is said, agents of your own have 60 s (`patience.py`) and others any time.

    An agent may also be an object, or a strategy, a solution or a search. Such a tournament is played in this process, each
    player with a copy of the agent, and is not stored. Copies of agents that come with Fogtree draw numbers of their own; a
    class of your own must see to it that two copies do not draw the same.

    With `openings`, each seating plays so many matches, each from another random opening of `plies` moves; a game that has
    fewer openings is played from all of them. Where no number is given, only seatings that would repeat one match do so,
    from as many openings as there are matches; 0 forbids it.

    If more matches of the same tournament are asked for, the stored ones are used; any other change makes another run.
    `progress` is called after each block with the number of matches; its detail is a `Standing`.
    """
    game, agents = game if isinstance(game, str) else name_of(as_game(game)), several(agents)
    if handed := {called(one, at): one for at, one in enumerate(agents) if not isinstance(one, str)}:
        if store is not None or on is not None or cores not in (None, 1):
            raise Invalid(
                "agents that are objects play in this process and are not stored: leave out store, cores and on"
            )
        names = [one if isinstance(one, str) else called(one, at) for at, one in enumerate(agents)]
        with standing_for(handed):
            how: dict[str, Any] = {"openings": openings, "plies": plies, "seed": seed, "move_seconds": move_seconds}
            return tournament(game, names, matches=matches, cores=1, name=name, progress=progress, **how)
    if on is not None:
        require_cluster(on)
    sides = check(game, agents, matches, seed)
    limit = {} if move_seconds is None else {"move_seconds": number(move_seconds, "move_seconds", above=0)}
    plies = usual_plies(load(game)) if plies is None else whole(plies, "plies", least=1)
    given = _openings_of(load(game), agents, sides, matches, openings, plies, seed)
    pieces = []
    for match in range(0, matches if openings is None else max(matches, openings), BLOCK):
        for seating in itertools.product(agents, repeat=sides):
            drawn = given[seating]
            left = min(BLOCK, (matches if drawn is None else len(drawn)) - match)
            if left > 0:
                piece = {"game": game, "agents": list(seating), "seed": seed, "match": match, "matches": left, **limit}
                begin = {} if drawn is None else {"openings": drawn[match : match + left]}
                pieces.append(piece | begin)
    seatings = list(itertools.product(range(len(agents)), repeat=sides))
    empty = {(seating, side): Cell() for seating in seatings for side in range(sides)}
    reasons: dict[str, int] = {}
    opened = {seating: len(drawn) for seating in seatings if (drawn := given[tuple(agents[i] for i in seating)])}
    found = Tournament(game, tuple(agents), sides, empty, reasons, opened, plies)
    goal = sum(piece["matches"] for piece in pieces)

    def add(now: Progress) -> None:
        step = now.detail
        seating = tuple(agents.index(agent) for agent in step.piece["agents"])
        for side, cell in enumerate(block_cells(step.result)):
            found.seats[seating, side] += cell
        for reason, times in step.result.get("reasons", {}).items():
            reasons[reason] = reasons.get(reason, 0) + times
        if progress:
            played = sum(cell.matches for cell in found.cells.values())
            progress(Progress("matches", played, goal, Standing(found, step.left)))

    parameters = {"game": game, "agents": list(agents), "seed": seed}
    run = Run(store, name, play_block, parameters, games=[load(game)])
    run.map(pieces, cores=cores, on=on, rehearse=lambda: block_seconds(game, agents, seed), progress=add)
    return found


def called(agent: Any, number: int) -> str:
    """What an agent that is an object is called in the tables of a tournament: its name, or its class and its place."""
    as_agent(agent)  # refuses what does not play
    return str(getattr(agent, "name", "") or f"{type(agent).__name__} {number + 1}")


def _openings_of(
    game: Any, agents: Sequence[str], sides: int, matches: int, openings: int | None, plies: int, seed: int
) -> dict[tuple[str, ...], list[Opening] | None]:
    """The openings of each seating; None where its matches begin at the start."""
    wanted, same = whole(matches if openings is None else openings, "openings"), set(agents)
    if openings is None:
        same = {name for name in agents if repeats_itself(game, [load_agent(name, seed)])}
    drawn = random_openings(game, wanted, plies, seed) if same and wanted else []
    if openings and not drawn:
        raise Invalid(f"{name_of(game)} has no openings of {plies} moves: give fewer plies")
    seatings = itertools.product(agents, repeat=sides)
    return {seating: drawn if drawn and set(seating) <= same else None for seating in seatings}


def block_seconds(game: str, agents: Sequence[str], seed: int) -> float | None:
    """Compile what the agents need, and return how many seconds a block of matches takes, if that can be said."""
    seconds = rehearse(load(game), agents, seed)
    return None if seconds is None else BLOCK * seconds


def check(game: str, agents: Sequence[str], matches: int, seed: int) -> int:
    """Refuse what makes no sense before the work begins. Returns the number of sides."""
    made = load(game)
    whole(matches, "matches", least=1)
    if not agents:
        raise Invalid("a tournament needs agents: random, rm, uct:iterations=5000, strategy:FILE.npz")
    if twice := {name for name in agents if list(agents).count(name) > 1}:
        raise Invalid(f"{min(twice)} is given twice; each agent plays itself anyway")
    for name in agents:
        require_fit(load_agent(name, seed), made)
    count = len(side_order(made))
    if count > PAIR and (seatings := len(agents) ** count) > MOST_SEATINGS:
        raise Invalid(
            f"{len(agents)} agents on {count} sides have {seatings:,} seatings, and {MOST_SEATINGS:,} are allowed"
        )
    return count


def play_block(
    game: str,
    agents: Sequence[str],
    seed: int,
    match: int,
    matches: int,
    openings: Sequence[Opening] = (),
    move_seconds: float | None = None,
) -> dict[str, Any]:
    """The matches of a seating from one number on, as `block_cells` reads them. Each block seeds its agents anew. Matches
    begin at the start, or each at its opening."""
    made = load(game)
    table = agents_for(made, agents, seed, match)
    starts: list[Course | None] = [course(made, opening) for opening in openings] or [None] * matches
    same = not openings and repeats_itself(made, table)
    reasons: collections.Counter[str] = collections.Counter()
    leader = [sides(made).index(side) for side in side_order(made)]  # whose payoff is that of their side
    cells = [Cell() for _ in leader]
    for each, start in enumerate(starts, match):
        played = play(made, table, seed=seed * SHARE + each, start=start, seconds=move_seconds or allowed(table))
        if played.forfeit is not None:
            reasons[played.forfeit.reason] += 1
        got = [played.payoffs[player] for player in leader]
        best, forfeits = got.count(max(got)), int(played.forfeit is not None)
        for side, gain in enumerate(got):
            first, alone = gain == max(got), best == 1
            ends = int(first and alone), int(first and not alone), int(not first)
            lacking = 0.5 - 1 / best if first and not alone else 0.0
            cells[side] += Cell(*ends, gain, gain * gain, forfeits, lacking, int(same and each > 0))
    told = {"reasons": dict(reasons.most_common(MOST_REASONS))} if reasons else {}
    return {**cells[0]._asdict(), "others": [list(cell) for cell in cells[1:]], **told}


def block_cells(block: dict[str, Any]) -> list[Cell]:
    """[side] The matches of a block as each side sees them. It is stored as the fields of the first side's cell, and those of
    the others in a list."""
    first = {field: block[field] for field in Cell._fields if field in block}  # older runs know no repeats
    return [Cell(**first), *(Cell(*fields) for fields in block["others"])]


def write_csv(found: Tournament, path: str | os.PathLike) -> None:
    """Of two sides a line for each cell, else one for each side of each seating."""
    with refusing(path), appearing(path, "t") as file:
        csv.writer(file).writerows(_pairs(found) if found.sides == PAIR else _seats(found))


def _pairs(found: Tournament) -> Iterator[list[Any]]:
    yield ["first", "second", "matches", "wins", "draws", "losses", "rate", "low", "high", "payoff", "half", "forfeits"]
    for pair, cell in found.cells.items():
        numbers = [f"{x:.6g}" for x in (cell.rate, *cell.interval(), cell.mean, cell.half())]
        yield [*(found.agents[agent] for agent in pair), cell.matches, *cell[:3], *numbers, cell.forfeits]


def _seats(found: Tournament) -> Iterator[list[Any]]:
    yield [*(f"side {side}" for side in range(found.sides)), "side", "matches", "payoff", "half", "first"]
    for (seating, side), cell in found.seats.items():
        numbers = (f"{x:.6g}" for x in (cell.mean, cell.half(), cell.rate))
        yield [*(found.agents[agent] for agent in seating), side, cell.matches, *numbers]
