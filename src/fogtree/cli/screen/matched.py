"""Matches: tournaments, ratings, and what an agent thought in a match."""

import itertools
import math
import typing
from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from ...walk.slices import Progress
from .figures import columns, spoken

if typing.TYPE_CHECKING:  # these need not be loaded for commands that do not draw them
    from ...arena.agents import Thought

FAINT = 0.005  # smaller shares are printed as one sum


def matrix_table(found: Any, now: Progress | None = None) -> Table:
    """How much each agent won: the agent of the row plays first, the agent of the column second."""
    table = columns(["first \\ second"], [Text(agent) for agent in found.agents], show_lines=True)
    for i, agent in enumerate(found.agents):
        row = [found.cells[i, j] for j in range(len(found.agents))]
        table.add_row(Text(agent), *(_cell(cell) if cell.matches else "" for cell in row))
    if now is not None:
        left = "" if now.detail.left is None else f", {spoken(now.detail.left)} left"
        table.caption = f"{now.done:,} of {now.goal:,} matches{left}"
    return table


def _cell(cell: Any) -> str:
    low, high = cell.interval()
    return f"{100 * cell.rate:.1f} %\n{100 * low:.1f} - {100 * high:.1f}\n{cell.mean:+.3g}"


def seats_table(found: Any, now: Progress | None = None) -> Table:
    """What each agent gets on each side of a game of several sides, on average over all seatings of the others."""
    title = None if now is None else f"{now.done:,} of {now.goal or 0:,} matches"
    sides = [f"side {side}" for side in range(found.sides)]
    table = columns(["agent", *sides, "all sides", "comes first"], title=title)
    for agent in found.order():
        means = [_mean(found.of(agent, side)) for side in range(found.sides)]
        whole = found.of(agent)
        table.add_row(escape(found.agents[agent]), *means, _mean(whole), f"{100 * whole.rate:.1f} %")
    return table


def _mean(seat: Any) -> str:
    return f"{seat.mean:.3f} +- {seat.half():.3f}" if seat.matches else ""


def standing_table(found: Any, rated: Any, judged: dict[str, Any]) -> Table:
    """The agents, sorted by rating. `judged` holds their exploitabilities; it is empty if none is known."""
    headers = ["rating", "better than the next", "won", "matches", *(["exploitability"] if judged else [])]
    table = columns(["agent"], headers)
    order, halves = rated.order(), rated.half
    for i, after in itertools.zip_longest(order, order[1:]):
        cells = [
            f"{rated.rating[i]:+.0f} +- {halves[i]:.0f}",
            "" if after is None else f"{100 * rated.superiority[i, after]:.1f} %",
            f"{100 * rated.score[i]:.1f} %",
            f"{rated.matches[i]:,.0f}",
        ]
        if judged:
            known = judged[found.agents[i]]
            noise = f" +- {known.half:.2g}" if known.runs else ""
            cells.append("" if math.isnan(known.total) else f"{known.total:.4g}{noise}")
        table.add_row(Text(found.agents[i]), *cells)
    return table


def rating_words(rated: Any) -> str:
    """A sentence that explains the ratings."""
    first = f"to play first is worth {rated.advantage:+.0f} +- {rated.advantage_half:.0f} points"
    words = f"rating: Elo's points by maximum likelihood, 95 % interval; {first}, equals draw {100 * rated.draws:.1f} %"
    if rated.model != "davidson":
        words += f" (model of draws: {rated.model})"
    if rated.prior:
        words += f"; {rated.prior:g} match a pair was added, half won, for without it no finite ratings are likeliest"
    return words


def judged_words(judged: dict[str, Any]) -> list[str]:
    """Sentences that explain the column of exploitabilities."""
    exact = [name for name, known in judged.items() if not known.runs and not known.why]
    words = [f"exploitability: the total of what is played at the table; exact for {', '.join(exact) or 'none'}"]
    if estimated := sorted({known.runs for known in judged.values() if known.runs}):
        runs = " or ".join(map(str, estimated))
        words[0] += f"; for the others estimated from {runs} searches at each information set, 95 % interval"
    return words + [f"not known for {name}: {known.why}" for name, known in judged.items() if known.why]


def thoughts_table(thoughts: "Sequence[Thought]") -> Table:
    """What a search agent believed, and how it mixed, at each of its moves."""
    number, held = Column("move", justify="right"), Column("held possible", justify="right")
    table = columns([number, "it saw", held, "its mix", "played"], show_lines=True)
    for at, thought in enumerate(thoughts, 1):
        states = f"{thought.states:,} state{'s' if thought.states != 1 else ''}"
        if math.isnan(thought.coverage):
            states += "\nimagined"
        elif thought.coverage < 1:
            states += f"\n{thought.coverage:.2g} of all"
        mix = f"{_mix(thought.mix)}\n{thought.iterations:,} iterations"
        if len(thought.mix) == 1 and not thought.iterations and not thought.found:
            mix = "no choice"
        elif thought.found:
            mix = f"{mix}\nfound: {_mix(thought.found)}"
        table.add_row(*map(Text, (str(at), thought.text, states, mix, thought.played)))
    return table


def _mix(mix: dict[str, float]) -> str:
    ranked = sorted(mix.items(), key=lambda pair: -pair[1])
    parts = [f"{label}={share:.0%}" for label, share in ranked if share >= FAINT]
    rest = sum(share for _, share in ranked if share < FAINT)
    return ", ".join(parts + ([f"others={rest:.0%}"] if rest >= FAINT else []))
