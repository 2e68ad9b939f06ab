"""Results: equilibria, strategies and what exploits them; curves of searches, counts, the speed of random games."""

import math
import typing
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from rich.box import HEAVY_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ...kernels.lanes import CPU
from ...measure.intervals import student_half
from ...measure.told import mixed_words
from ...solvers.solution import Solution
from .figures import columns, decimal, facts, places, sparkline

if typing.TYPE_CHECKING:  # these need not be loaded for commands that do not draw them
    from ...measure.count import Count
    from ...measure.exploitability import Exploitability
    from ...measure.told import StrategyTable
    from ...search.playout import Playouts
    from ...solvers.certified import Certified


def equilibrium_facts(found: Any, unicode: bool = True) -> Text:
    """What `solve` or `solve_general` found."""
    return solution_facts(found, unicode) if isinstance(found, Solution) else profile_facts(found, unicode)


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
        ("exploitability", _gains(found.total, 2)),
        ("method", f"{found.method}, {found.iterations:,} iterations, {found.seconds:.2f} s{_where(found.device)}"),
    ]
    totals = [point.high - point.low for point in found.course]
    if unicode and len(totals) > 1:
        rows.append(("course", f"{sparkline(totals, 40)} total {totals[0]:.2g} to {totals[-1]:.2g}, logarithmic"))
    return facts(rows + (found.detail.rows() if found.detail else []))


def _where(device: str) -> str:
    return "" if device == CPU else f" on {device}"


def certified_facts(found: "Certified") -> Text:
    """An equilibrium of the box."""
    digits = places(found.total)
    return facts(
        [
            ("game", found.game),
            ("value", f"{decimal(found.value, digits)} for player 0"),
            ("certificate", f"the value lies between {decimal(found.low, digits)} and {decimal(found.high, digits)}"),
            ("exploitability", _gains(found.total, 2)),
            ("sets", f"{len(found.strategy):,}"),
            ("made by", found.command),
            ("confirmed by", f"fogtree exploit {found.name} perfect"),
        ]
    )


def certified_table(found: Sequence["Certified"]) -> Table:
    """The equilibria of the box."""
    table = columns(["game"], ["value", "exploitability", "sets"])
    for one in found:
        numbers = decimal(one.value, places(one.total)), f"{max(one.total, 0.0):.2g}", f"{len(one.strategy):,}"
        table.add_row(Text(one.name), *numbers)
    return table


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
    players = [f"player {player}" for player in range(found.probability.ndim)]
    rows = [(f"{probability:.4f}", *map(escape, names)) for probability, names in drawn[:most]]
    return columns(["drawn", *players], rows=rows, title=f"profiles{more}", title_justify="left")


def equilibria_table(found: Sequence[Any]) -> Table:
    """Equilibria of a game in which two players choose once."""
    table = columns(["player 0 mixes", "player 1 mixes", "gets", "gets"])
    for mixes in found:
        words = (" ".join(f"{p:.4g}" for p in mix) for mix in (mixes.x, mixes.y))
        table.add_row(*words, *(decimal(payoff, 4) for payoff in mixes.payoffs))
    return table


def strategy_tables(found: "StrategyTable", most: int) -> Iterator[Table]:
    """What a strategy says, one table a player: the likeliest sets first."""
    for player in sorted({row.player for row in found.rows}):
        rows = list(found.of(player))
        of = (
            f" of {len(rows):,}" if found.complete else ""
        )  # how many there are, only a whole walk knows, and their values
        more = f", the likeliest {most}{of} sets" if len(rows) > most else ""
        title = {"title": f"player {player}{more}", "title_justify": "left"}
        table = columns(["sees", "plays", "reach", *(["value"] if found.complete else [])], **title)
        for row in rows[:most]:
            value = "" if row.value is None else decimal(row.value, 4)
            cells = escape(row.seen), escape(mixed_words(row.mix)), f"{row.reach:.4f}"
            table.add_row(*cells, *([value] if found.complete else []))
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
    rows.append(("exploitability", _gains(found.total, players)))
    engine = f"{found.engine} on {found.device}" if found.engine == "lanes" else found.engine
    rows.append(("engine", f"{engine}, {'exact' if found.exact else 'a lower bound'}, {seconds:.2f} s"))
    if found.missing is None:
        missing = "not counted when streamed"
    else:
        missing = ", ".join(f"{count:,} of player {player}" for player, count in enumerate(found.missing))
    rows.append(("not listed", f"{missing}; such sets play uniformly"))
    return facts(rows)


def _gains(total: float, players: int) -> str:
    words = "the sum of both players' gains" if players == 2 else "NashConv, the sum of all players' gains"
    return f"total {total:.6g} ({words}), mean {total / players:.6g}"


def curve_table(curves: Sequence[Any]) -> Table:
    """Where each curve ends, and the lowest mean on its way."""
    table = columns(["bandit"], ["runs", "iterations", "seconds", "total", "lowest on the way"])
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


def perft(found: "Count") -> Table:
    table = Table(show_footer=True)
    counts = [("depth", "all"), ("histories", found.histories), ("ends", found.ends), ("chance", found.chance)]
    for header, total in [*counts, ("decisions", found.histories - found.ends - found.chance)]:
        table.add_column(header, footer=total if isinstance(total, str) else f"{total:,}", justify="right")
    for depth, row in enumerate(found.by_depth.tolist()):
        if sum(row):
            table.add_row(str(depth), *(f"{number:,}" for number in (sum(row), *row)))
    return table


def playouts_table(device: str) -> Table:
    where = "one core" if device == CPU else "a GPU"
    headers = ["games a second", "mean payoff of player 0", "moves a game"]
    title = f"Random games, {where}; intervals are 95 %"
    return columns(["game"], headers, title=title, title_justify="left", box=HEAVY_HEAD)


def timed(batches: "list[Playouts]") -> tuple[str, str, str]:
    games = sum(batch.games for batch in batches)
    means = np.array([batch.payoff[0] for batch in batches])
    rate = games / sum(batch.seconds for batch in batches)
    return (
        f"{rate:,.0f}",
        f"{means.mean():+.4f} +- {student_half(means):.4f}",
        f"{sum(batch.moves for batch in batches) / games:.2f}",
    )


def stubborn_table(failures: Sequence[Any]) -> Table:
    """Games that a bandit failed on, and their equilibria."""
    table = columns(["game", "stands for", "exploitability", "runs above", "value", "support", "distance"])
    for failure in failures:
        kind = failure.support
        words = ["", "", ""]
        if kind is not None:
            sizes = f"{kind.sizes[0]} and {kind.sizes[1]}{', a saddle point' if kind.saddle else ''}"
            distance = "none outside" if math.isnan(kind.distance) else f"{kind.distance:.4g}"
            words = [f"{kind.value:.4g}", sizes, distance]
        table.add_row(
            Text(failure.name), f"{failure.stands_for:,}", f"{failure.median:.4g}", f"{failure.above:.0%}", *words
        )
    return table


def soundness_table(found: Sequence[Any]) -> Table:
    """How exploitable agents are as they play."""
    table = columns(["agent", "exploitability", "of one seed", "seeds", "searches", "ms each"])
    for each in found:
        bracket = f"{each.high:.4g}" if math.isnan(each.low) else f"{min(each.low, each.high):.4g} to {each.high:.4g}"
        own = f"{each.own:.4g}" + (f" +- {each.half:.2g}" if math.isfinite(each.half) else "")
        spent = [f"{each.thoughts:,}", f"{1000 * each.seconds:.3g}"] if each.thoughts else ["", ""]
        table.add_row(Text(each.agent), bracket, own, f"{each.seeds}", *spent)
    return table
