"""What results look like: a curve of a search, the bounds of a solution, the states of a belief.

`looks.py` hands these functions down to the rooms whose results they draw. A function is given the result and reads its
numbers. Those that plot take axes of Matplotlib, or make new ones, and return them.
"""

from typing import Any

from ..game import REFEREE, show
from ..text import markup
from .board import picture
from .chart import Trace, chart
from .methods import method_colour
from .panels import new_axes, trace
from .spotted import hands_table, place_table

__all__ = ["belief_table", "curve_svg", "hands_table", "place_table", "plot_belief", "plot_bounds", "plot_curve"]
ITERATIONS, TOTAL = "iterations", "total exploitability"  # what the axes of a curve are called


def plot_curve(curve: Any, ax: Any = None) -> Any:
    """A curve of `measure/curve.py` with its band."""
    axes = new_axes(xlabel=ITERATIONS, ylabel=TOTAL) if ax is None else ax
    trace(axes, curve, curve.iterations)
    axes.legend(frameon=False)
    return axes


def curve_svg(curve: Any) -> str:
    """The same as SVG, without Matplotlib."""
    return chart([Trace(curve.name, curve.iterations, curve.mean(), curve.band())], x=ITERATIONS, y=TOTAL)


def plot_bounds(solution: Any, ax: Any = None) -> Any:
    """How the bounds of a solution's value closed in."""
    axes = new_axes(xlabel=ITERATIONS, ylabel="value of player 0", yscale="linear") if ax is None else ax
    at = [point.iterations for point in solution.course]
    low, high = ([getattr(point, side) for point in solution.course] for side in ("low", "high"))
    colour = method_colour(solution.method.split()[0])
    axes.fill_between(at, low, high, color=colour, alpha=0.25, lw=0, label=f"between the bounds, {solution.method}")
    axes.plot(at, low, color=colour, marker="." if len(at) == 1 else "", lw=1)
    axes.plot(at, high, color=colour, marker="." if len(at) == 1 else "", lw=1)
    axes.axhline(solution.value, color="black", linestyle="--", linewidth=1, label=f"value {solution.value:.6g}")
    axes.legend(frameon=False)
    return axes


def plot_belief(belief: Any, ax: Any = None) -> Any:
    """The shares of the likeliest states of a belief."""
    axes = new_axes(xscale="linear", yscale="linear", ylabel="share of the belief") if ax is None else ax
    found = belief.likeliest()
    axes.bar(range(len(found)), [share for share, _ in found])
    axes.set_xticks(range(len(found)), [show(belief.game, state, REFEREE) for _, state in found], fontsize=6)
    axes.set_title(repr(belief)[1:-1])
    return axes


def belief_table(belief: Any) -> str:
    """The likeliest states of a belief, each with its picture, as HTML."""
    rows = [(f"{share:.2%}", markup.Safe(picture(belief.game, state))) for share, state in belief.likeliest()]
    return markup.table(("share", "state"), rows, f"{repr(belief)[1:-1]}; the likeliest {len(rows)}")
