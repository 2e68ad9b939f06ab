"""Measurements: curves of searches, counts of histories, the speed of random games, games that a bandit fails on."""

import math
import typing
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ...kernels.lanes import CPU
from ...measure.intervals import student_half

if typing.TYPE_CHECKING:  # these need not be loaded for commands that do not draw them
    from ...measure.count import Count
    from ...search.playout import Playouts


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


def perft(found: "Count") -> Table:
    table = Table(show_footer=True)
    columns = [("depth", "all"), ("histories", found.histories), ("ends", found.ends), ("chance", found.chance)]
    for header, total in [*columns, ("decisions", found.histories - found.ends - found.chance)]:
        table.add_column(header, footer=total if isinstance(total, str) else f"{total:,}", justify="right")
    for depth, row in enumerate(found.by_depth.tolist()):
        if sum(row):
            table.add_row(str(depth), *(f"{number:,}" for number in (sum(row), *row)))
    return table


def playouts_table(device: str) -> Table:
    where = "one core" if device == CPU else "a GPU"
    table = Table(title=f"Random games, {where}; intervals are 95 %", title_justify="left")
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
