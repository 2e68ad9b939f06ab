"""What the command line draws: live lines while it works, tables, sparklines. It computes nothing."""

import contextlib
import inspect
import itertools
import json
import math
import os
import sys
import time
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as LiveLine
from rich.table import Table
from rich.text import Text

from ..kernels import compiling, workers_compile
from ..measure.intervals import student_half
from ..measure.told import mixed_words
from ..solvers.solution import Bounds, Solution
from ..text.parameters import brief, valid
from ..walk.slices import Progress, Watcher
from .stopping import doing

if typing.TYPE_CHECKING:  # what is only drawn here need not be loaded for commands that do not draw it
    from ..arena.agents import Thought
    from ..measure.count import Count
    from ..measure.exploitability import Exploitability
    from ..measure.told import StrategyTable
    from ..search.playout import Playouts

WIDE = 150  # columns if the output is not a terminal, so that tables are not squeezed
BARS = "▁▂▃▄▅▆▇█"
LONG = 200  # characters of parameters or results that are shown
FAINT = 0.005  # smaller shares are printed as one sum
MANY = 1e5  # rates a second from here on are printed in millions


def console(stderr: bool = False) -> Console:
    made = Console(stderr=stderr, highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDE
    return made


# --- while it works ----------------------------------------------------------------------------------------------


class Compiling(ProgressColumn):
    """Says that the compiler is at work, while it is: in this process or in those that it has started."""

    max_refresh = 0.2

    def render(self, task: Any) -> Text:
        return Text("compiling," if compiling() or workers_compile() else "")


def progress(*columns: Any) -> LiveLine:
    """A live line on stderr that disappears at the end. If stderr is not a terminal, nothing is shown."""
    err = console(stderr=True)
    texts = [TextColumn(column, markup=False) if isinstance(column, str) else column for column in columns]
    return LiveLine(
        SpinnerColumn(),
        Compiling(),
        *texts,
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


@contextlib.contextmanager
def watch(what: str) -> Iterator[Watcher]:
    """A live line that shows how far the work is: a solver's bounds, or how much was counted."""
    words = [what]
    with progress("{task.description}") as bar, doing(lambda: words[0]):
        task, pace, course = bar.add_task(what), Pace(), list[Bounds]()

        def look(now: Progress) -> None:
            words[0] = f"working: {now.done:,} {now.what} so far"
            if isinstance(now.detail, Bounds):
                if course and course[-1][2:] == now.detail[2:]:  # the same bounds, some iterations later
                    course.pop()
                course.append(now.detail)
                bar.update(task, description=_standing(course))
            else:
                bar.update(task, description=pace(now))

        yield look


@contextlib.contextmanager
def steps() -> Iterator[Callable[[str, Progress], None]]:
    """A progress bar with the name of a run."""
    columns = ("{task.description}", BarColumn(), "{task.completed}/{task.total}", "{task.fields[left]}")
    words = ["preparing the work"]
    with progress(*columns) as bar, doing(lambda: words[0]):
        task = bar.add_task("preparing", total=None, left="")

        def look(name: str, now: Progress) -> None:
            words[0] = f"doing {name}, {now.done} of {now.goal}"
            left = "" if now.detail.left is None else f"{_spoken(now.detail.left)} left"
            bar.update(task, description=name, completed=now.done, total=now.goal, left=left)

        yield look


def _spoken(seconds: float) -> str:
    """A time to wait, as people say it."""
    return (
        f"{seconds:.0f} s"
        if seconds < 90
        else f"{seconds / 60:.0f} min"
        if seconds < 5400
        else f"{seconds / 3600:.1f} h"
    )


class Pace:
    """How much was counted, and how fast. A new count begins when the number falls or when the word changes. The first
    call starts the clock, so the time of compiling is left out."""

    def __init__(self) -> None:
        self.first, self.last = 0, Progress("", 0)
        self.began: float | None = None

    def __call__(self, now: Progress) -> str:
        clock = time.perf_counter()
        if self.began is None or now.what != self.last.what or now.done < self.last.done / 2:
            self.first, self.began = now.done, clock
        self.last = now
        rate = (now.done - self.first) / (clock - self.began) if clock > self.began else 0.0
        count = f"{now.done:,}" if now.goal is None else f"{now.done:,} of {now.goal:,}"
        speed = f"{rate / 1e6:.1f} million" if rate >= MANY else f"{rate:,.0f}"
        return f"{count} {now.what}" + (f", {speed} a second" if rate else "")


def _standing(course: list[Bounds]) -> str:
    """The present bounds of a solver, short enough for a line of 80 columns."""
    now, totals = course[-1], [point.high - point.low for point in course]
    low, high = (decimal(bound, min(5, places(totals[-1]))) for bound in (now.low, now.high))
    return f"iteration {now.iterations:,}  total {totals[-1]:.2g}  value [{low}, {high}]  {sparkline(totals, 10)}"


@contextlib.contextmanager
def live_table() -> Iterator[Callable[[Table], None]]:
    """A table on stderr that is updated during the work and disappears at the end. If stderr is not a terminal, nothing
    is shown."""
    err = console(stderr=True)
    if not err.is_terminal:
        yield lambda table: None
        return
    began, shown = time.perf_counter(), list[Table]()

    def now() -> Group:
        words = "compiling, " if compiling() or workers_compile() else ""
        return Group(*shown, Text(f"{words}{time.perf_counter() - began:.0f} s, Ctrl-C stops"))

    def update(table: Table) -> None:
        shown[:] = [table]

    with Live(get_renderable=now, console=err, transient=True, refresh_per_second=4):
        yield update


def sparkline(values: Sequence[float], width: int) -> str:
    """Positive numbers on a logarithmic scale, in at most `width` characters."""
    logs = [math.log(max(value, 1e-300)) for value in values if value > 0 and math.isfinite(value)]
    if not logs:
        return ""
    if len(logs) > width:
        logs = [logs[round(i * (len(logs) - 1) / (width - 1))] for i in range(width)]
    low, high = min(logs), max(logs)
    step = (high - low) / (len(BARS) - 1)
    return "".join(BARS[round((log - low) / step)] if step > 0 else BARS[0] for log in logs)


@contextlib.contextmanager
def thinking(player: int) -> Iterator[None]:
    """A live line while a player thinks."""
    with doing(f"player {player} was thinking"), console(stderr=True).status(f"player {player} is thinking"):
        yield


# --- results -----------------------------------------------------------------------------------------------------


def facts(rows: Sequence[tuple[str, str]]) -> Text:
    """Names and their meanings, one pair per line."""
    wide = max(len(name) for name, _ in rows)
    return Text("\n".join(f"{name:<{wide}}  {text}" for name, text in rows))


def solution_facts(found: Solution, unicode: bool = True) -> Text:
    if not found.certified:
        rows = [
            ("certificate", "none, sampled: the value is not known (fogtree exploit measures what --save keeps)"),
            ("method", f"{found.method}, {found.iterations:,} iterations, {found.seconds:.2f} s"),
        ]
        return facts(rows + ([("note", found.note)] if found.note else []))
    digits = places(found.total)
    rows = [
        ("value", f"{decimal(found.value, digits)} for player 0"),
        ("certificate", f"the value lies between {decimal(found.low, digits)} and {decimal(found.high, digits)}"),
        ("exploitability", _both(found.total)),
        ("method", f"{found.method}, {found.iterations:,} iterations, {found.seconds:.2f} s"),
    ]
    totals = [point.high - point.low for point in found.course]
    if unicode and len(totals) > 1:
        rows.append(("course", f"{sparkline(totals, 40)} total {totals[0]:.2g} to {totals[-1]:.2g}, logarithmic"))
    return facts(rows)


def profile_facts(found: Any, unicode: bool = True) -> Text:
    """What `solve_general` found."""
    digits = places(found.total)
    rows = [
        (f"player {player}", f"gets {decimal(value, digits)}, and could gain {max(gain, 0.0):.2g} by a best response")
        for player, (value, gain) in enumerate(zip(found.values, found.gains, strict=True))
    ]
    rows.append(("NashConv", f"{found.total:.6g} (the sum of all players' gains, 0 in a Nash equilibrium)"))
    rows.append(("method", f"{found.method}, {found.iterations:,} iterations, {found.seconds:.2f} s"))
    totals = [point.total for point in found.course]
    if unicode and len(totals) > 1 and totals[-1] > 0:
        rows.append(("course", f"{sparkline(totals, 40)} NashConv {totals[0]:.2g} to {totals[-1]:.2g}, logarithmic"))
    return facts(rows)


def correlated_facts(found: Any, concept: str) -> Text:
    """What the linear program of a correlated equilibrium found."""
    rows = [("concept", concept)]
    rows += [(f"player {player}", f"gets {decimal(value, 6)}") for player, value in enumerate(found.values)]
    rows.append(("certificate", f"nobody gains more than {max(0.0, *found.gains):.2g} by any rule of deviating"))
    sizes = " x ".join(f"{size:,}" for size in found.probability.shape)
    rows.append(("method", f"linear program over {sizes} profiles of pure strategies, {found.seconds:.2f} s"))
    return facts(rows)


def profiles_table(found: Any, most: int) -> Table:
    """The profiles that a mediator draws."""
    drawn = found.profiles()
    more = f", the likeliest {most} of {len(drawn):,}" if len(drawn) > most else ""
    columns = [f"player {player}" for player in range(found.probability.ndim)]
    table = Table("drawn", *columns, title=f"profiles{more}", title_justify="left", box=SIMPLE_HEAD)
    for probability, names in drawn[:most]:
        table.add_row(f"{probability:.4f}", *map(escape, names))
    return table


def equilibria_table(found: Sequence[Any]) -> Table:
    """Equilibria of a game in which two players choose once."""
    table = Table("player 0 mixes", "player 1 mixes", "gets", "gets", box=SIMPLE_HEAD)
    for mixes in found:
        words = (" ".join(f"{p:.4g}" for p in mix) for mix in (mixes.x, mixes.y))
        table.add_row(*words, *(decimal(payoff, 4) for payoff in mixes.payoffs))
    return table


def strategy_tables(found: "StrategyTable", most: int) -> Iterator[Table]:
    """What a strategy says, one table a player: the likeliest sets first."""
    for player in sorted({row.player for row in found.rows}):
        rows = list(found.of(player))
        more = f", the likeliest {most} of {len(rows):,} sets" if len(rows) > most else ""
        table = Table(
            "sees", "plays", "reach", "value", title=f"player {player}{more}", title_justify="left", box=SIMPLE_HEAD
        )
        for row in rows[:most]:
            value = "" if row.value is None else decimal(row.value, 4)
            table.add_row(escape(row.seen), escape(mixed_words(row.mix)), f"{row.reach:.4f}", value)
        yield table


def exploit_facts(what: str, found: "Exploitability", seconds: float) -> Text:
    rows = [("strategy", what)]
    for player, best in enumerate(found.values):
        gain = f", a gain of {decimal(found.gains[player], 6)}" if found.gains else ""
        rows.append(
            (f"player {player}", f"a best response gets {'' if found.exact else 'at least '}{decimal(best, 6)}{gain}")
        )
    players = len(found.values)
    if found.value is not None:
        follow = "both follow" if players == 2 else "all follow"
        rows.append(("value", f"{decimal(found.value, 6)} for player 0 where {follow} the strategy"))
    rows.append(("exploitability", _both(found.total) if players == 2 else _all(found.total, players)))
    rows.append(("engine", f"{found.engine}, {'exact' if found.exact else 'a lower bound'}, {seconds:.2f} s"))
    if found.missing is None:
        missing = "not counted when streamed"
    else:
        missing = ", ".join(f"{count:,} of player {player}" for player, count in enumerate(found.missing))
    rows.append(("not listed", f"{missing}; such sets play uniformly"))
    return facts(rows)


def _both(total: float) -> str:
    return f"total {total:.6g} (the sum of both players' gains), mean {total / 2:.6g}"


def _all(total: float, players: int) -> str:
    return f"total {total:.6g} (NashConv, the sum of all players' gains), mean {total / players:.6g}"


def decimal(number: float, digits: int) -> str:
    """A number with so many decimal places; never "-0.000"."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def places(total: float) -> int:
    """How many decimal places of a value are worth printing when it is certain up to `total`."""
    return 12 if total < 1e-10 else min(12, max(4, 2 - math.floor(math.log10(total))))


def reached(curve: Any, share: float) -> Any:
    """A curve, cut after the last point that a given share of its runs has reached. Runs without any point do not count."""
    runs = (~np.isnan(curve.total)).sum(axis=0)
    points = int((runs >= max(1, share * runs[0])).sum()) if len(runs) else 0
    return curve._replace(
        iterations=curve.iterations[:points], seconds=curve.seconds[:, :points], total=curve.total[:, :points]
    )


def curve_table(curves: Sequence[Any]) -> Table:
    """Where each curve ends, and the lowest mean on its way."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("bandit")
    for header in ("runs", "iterations", "seconds", "total", "lowest on the way"):
        table.add_column(header, justify="right")
    for curve in curves:
        if not len(curve.iterations):
            table.add_row(Text(curve.name))
            continue
        mean, band, runs = curve.mean(), curve.band()[-1], int((~np.isnan(curve.total[:, -1])).sum())
        low = int(np.argmin(mean))
        table.add_row(
            Text(curve.name),
            f"{runs}/{len(curve.total)}",
            f"{curve.iterations[-1]:,}",
            f"{curve.mean_seconds()[-1]:.2f}",
            f"{mean[-1]:.3f} +- {band:.3f}" if runs > 1 else f"{mean[-1]:.3f}",
            f"{mean[low]:.3f} at {curve.iterations[low]:,}",
        )
    return table


def matrix_table(found: Any, now: Progress | None = None) -> Table:
    """How much each agent won: the agent of the row plays first, the agent of the column second."""
    table = Table(box=SIMPLE_HEAD, show_lines=True)
    table.add_column("first \\ second")
    for agent in found.agents:
        table.add_column(Text(agent), justify="right")
    cells = found.cells
    for i, agent in enumerate(found.agents):
        row = [cells[i, j] for j in range(len(found.agents))]
        table.add_row(Text(agent), *(_cell(cell) if cell.matches else "" for cell in row))
    if now is not None:
        left = "" if now.detail.left is None else f", {_spoken(now.detail.left)} left"
        table.caption = f"{now.done:,} of {now.goal:,} matches{left}"
    return table


def _cell(cell: Any) -> str:
    low, high = cell.interval()
    return f"{100 * cell.rate:.1f} %\n{100 * low:.1f} - {100 * high:.1f}\n{cell.mean:+.3g}"


def seats_table(found: Any, now: Progress | None = None) -> Table:
    """What each agent gets on each side of a game of several sides, on average over all seatings of the others."""
    title = None if now is None else f"{now.done:,} of {now.goal or 0:,} matches"
    sides = [f"side {side}" for side in range(found.sides)]
    table = Table("agent", *sides, "all sides", "comes first", title=title, box=SIMPLE_HEAD)
    for agent in found.order():
        means = [_mean(found.of(agent, side)) for side in range(found.sides)]
        whole = found.of(agent)
        table.add_row(escape(found.agents[agent]), *means, _mean(whole), f"{100 * whole.rate:.1f} %")
    return table


def _mean(seat: Any) -> str:
    return f"{seat.mean:.3f} +- {seat.half():.3f}" if seat.matches else ""


def standing_table(found: Any, rated: Any, judged: dict[str, Any]) -> Table:
    """The agents, sorted by rating. `judged` holds their exploitabilities; it is empty if none is known."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("agent")
    headers = ["rating", "better than the next", "won", "matches", *(["exploitability"] if judged else [])]
    for header in headers:
        table.add_column(header, justify="right")
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


def runs_table(stored: Sequence[Any]) -> Table:
    """The runs in a store."""
    table = Table("id", "run", "parameters", "began", box=SIMPLE_HEAD)
    for header in ("pieces", "work"):
        table.add_column(header, justify="right")
    for known in stored:
        texts = map(Text, (known.id, known.name, _pairs(known.parameters), known.began))
        table.add_row(*texts, f"{known.done:,}/{known.wanted:,}", _spoken(known.seconds))
    return table


def run_facts(known: Any) -> Text:
    """All that is known about a run."""
    rows = [("id", known.id), ("run", known.name)]
    rows += [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in known.parameters.items()]
    for file, digest in known.basis.get("files", {}).items():
        rows.append(("file", f"{file}, digest {digest}"))
    rows += [("rules", rules) for rules in known.basis.get("rules", [])]
    rows += [("began", known.began), ("on", f"{known.machine}, Fogtree {known.version}")]
    rows.append(("done", f"{known.done:,} of {known.wanted:,} pieces, {_spoken(known.seconds)} of work"))
    return facts(rows)


def pieces_table(pieces: Sequence[tuple[dict[str, Any], Any, float]]) -> Table:
    """Pieces with their results."""
    table = Table("piece", "result", box=SIMPLE_HEAD)
    table.add_column("seconds", justify="right")
    for piece, result, seconds in pieces:
        told = _pairs(result) if isinstance(result, dict) else json.dumps(result)
        table.add_row(Text(_pairs(piece)), Text(told), f"{seconds:.3g}")
    return table


def _pairs(values: dict[str, Any]) -> str:
    text = ", ".join(f"{k}={v if isinstance(v, str) else json.dumps(v)}" for k, v in values.items())
    return text if len(text) <= LONG else f"{text[:LONG]} ..."


def stubborn_table(failures: Sequence[Any]) -> Table:
    """Games that a bandit failed on, and their equilibria."""
    table = Table("game", "stands for", "exploitability", "runs above", "value", "support", "distance", box=SIMPLE_HEAD)
    for failure in failures:
        kind = failure.support
        words = ["", "", ""]
        if kind is not None:
            sizes = f"{kind.sizes[0]} and {kind.sizes[1]}{', a saddle point' if kind.saddle else ''}"
            words = [
                f"{kind.value:.4g}",
                sizes,
                "none outside" if math.isnan(kind.distance) else f"{kind.distance:.4g}",
            ]
        table.add_row(
            Text(failure.name), f"{failure.stands_for:,}", f"{failure.median:.4g}", f"{failure.above:.0%}", *words
        )
    return table


def papers_table(papers: Sequence[Any]) -> Table:
    """The papers and their parts."""
    table = Table("paper", "title", "parts", box=SIMPLE_HEAD)
    for paper in papers:
        table.add_row(paper.name, paper.title, " ".join(paper.parts))
    return table


def sections_table(sections: Sequence[Any]) -> Table:
    """How many printed numbers of each part agree, how many differ and how many cannot be judged, and the one that
    differs most."""
    table = Table("part", "agree", "differ", "cannot tell", "new", "farthest apart", box=SIMPLE_HEAD)
    for section in sections:
        verdicts = [claim.verdict() for claim in section.claims]
        apart = [claim for claim in section.claims if claim.verdict() == "differs"]
        worst = max(apart, key=lambda claim: claim.excess, default=None)
        words = f"{worst.what}: printed {worst.printed:g}, ours {worst.ours:.4g}" if worst else ""
        table.add_row(
            section.name,
            *(str(verdicts.count(word)) for word in ("agrees", "differs", "cannot tell", "new")),
            Text(words),
        )
    return table


def thoughts_table(thoughts: "Sequence[Thought]") -> Table:
    """What a search agent believed, and how it mixed, at each of its moves."""
    table = Table(box=SIMPLE_HEAD, show_lines=True)
    for header, justify in (("move", "right"), ("it saw", "left"), ("held possible", "right"), ("its mix", "left")):
        table.add_column(header, justify=justify)  # type: ignore[arg-type]
    table.add_column("played")
    for number, thought in enumerate(thoughts, 1):
        states = f"{thought.states:,} state{'s' if thought.states != 1 else ''}"
        if math.isnan(thought.coverage):
            states += "\nimagined"
        elif thought.coverage < 1:
            states += f"\n{thought.coverage:.2g} of all"
        mix = "no choice" if len(thought.mix) == 1 else f"{_mix(thought.mix)}\n{thought.iterations:,} iterations"
        table.add_row(*map(Text, (str(number), thought.text, states, mix, thought.played)))
    return table


def _mix(mix: dict[str, float]) -> str:
    ranked = sorted(mix.items(), key=lambda pair: -pair[1])
    parts = [f"{label}={share:.0%}" for label, share in ranked if share >= FAINT]
    rest = sum(share for _, share in ranked if share < FAINT)
    return ", ".join(parts + ([f"others={rest:.0%}"] if rest >= FAINT else []))


def perft(found: "Count") -> Table:
    table = Table(show_footer=True)
    columns = [("depth", "all"), ("histories", found.histories), ("ends", found.ends), ("chance", found.chance)]
    for header, total in [*columns, ("decisions", found.histories - found.ends - found.chance)]:
        table.add_column(header, footer=total if isinstance(total, str) else f"{total:,}", justify="right")
    for depth, row in enumerate(found.by_depth.tolist()):
        if sum(row):
            table.add_row(str(depth), *(f"{number:,}" for number in (sum(row), *row)))
    return table


def playouts_table() -> Table:
    table = Table(title="Random games, one core; intervals are 95 %", title_justify="left")
    table.add_column("game")
    for header in ("games a second", "mean payoff of player 0", "moves a game"):
        table.add_column(header, justify="right")
    return table


def timed(batches: "list[Playouts]") -> tuple[str, str, str]:
    games = sum(batch.games for batch in batches)
    means = np.array([batch.payoff[0] for batch in batches])
    rate = games / sum(batch.seconds for batch in batches)
    return (
        f"{rate:,.0f}",
        f"{means.mean():+.4f} +- {student_half(means):.4f}",
        f"{sum(batch.moves for batch in batches) / games:.2f}",
    )


# --- games -------------------------------------------------------------------------------------------------------


def games_table(games: Mapping[str, Any], sizes: dict[str, tuple[int | None, int | None]]) -> Table:
    table = Table("game", "what it is, parameters=defaults (what is valid)", box=SIMPLE_HEAD)
    for header in ("players", "infosets", "ends"):
        table.add_column(header, justify="right")
    for name, cls in games.items():
        about = rule_book(cls).partition("\n")[0].partition(" Rules version")[0]
        parameters = [f"  {field}={brief(cls._field_defaults[field])} ({rule})" for field, rule in rules(cls)]
        numbers = ["-" if number is None else f"{number:,}" for number in (cls().shape().players, *sizes[name])]
        table.add_row(name, Text("\n".join([about, *parameters])), *numbers)
    return table


def names_table(what: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Names, each with what it stands for."""
    table = Table(what, "what it is", box=SIMPLE_HEAD)
    for name, about in rows:
        table.add_row(Text(name), Text(about))
    return table


def parameters_table(game: Any) -> Table:
    table = Table("parameter", "here", "default", "valid", box=SIMPLE_HEAD)
    for field, rule in rules(type(game)):
        default = brief(game._field_defaults[field]) if field in game._field_defaults else "none"
        table.add_row(*map(Text, (field, brief(getattr(game, field)), default, rule)))
    return table


def rule_book(cls: Any) -> str:
    """The docstring of the game's file, or else of its class."""
    return inspect.getdoc(sys.modules[cls.__module__]) or inspect.getdoc(cls) or cls.__name__


def rules(cls: Any) -> list[tuple[str, str]]:
    """Each parameter with the values that it accepts, in words. A class without `@accepts` lists the fields that can be
    given as text."""
    if rules := getattr(cls, "accepts", None):
        return [(field, valid(rules[field])) for field in cls._fields]
    hints = typing.get_type_hints(cls)
    return [(field, valid(hints[field])) for field in cls._fields if hints[field] in (bool, int, float)]
