"""The picture of soundness: total exploitability against thinking time, the bracket of each agent as a bar."""

import math
import os
from collections.abc import Sequence
from typing import Any

from .methods import OF_SOLVERS, OTHERS, method_colour
from .panels import panels

PERFECT = 1e-6  # exploitability that is none


def sound_figure(found: Sequence[Any], title: str = "") -> Any:
    """Agents (`measure/soundness.py`) against milliseconds of a search; those that do not search are lines."""
    figure, axes = panels(1, size=(7.5, 4.6))
    plot(axes, found, floor := least(found))
    axes.set(xscale="log", yscale="log", xlabel="milliseconds a move", ylabel="total exploitability", title=title)
    axes.set_ylim(bottom=floor)
    axes.legend(frameon=False, fontsize=8)
    return figure


def least(found: Sequence[Any]) -> float:
    """Where a logarithmic axis begins: it has no 0."""
    return 0.7 * min((each.high for each in found if each.high > PERFECT), default=PERFECT)


def plot(axes: Any, found: Sequence[Any], floor: float) -> None:
    """The same into given axes. Brackets that begin below the floor are drawn from there."""
    names = list(dict.fromkeys(short(each.agent) for each in found))
    for name, colour in zip(names, distinct(names), strict=True):
        mine = sorted((each for each in found if short(each.agent) == name), key=lambda each: each.seconds)
        if not mine[0].thoughts:
            axes.axhline(mine[0].high, color=colour, linestyle="--", linewidth=1, label=name)
            continue
        x = [1000 * each.seconds for each in mine]
        axes.plot(x, [max(floor, each.high) for each in mine], color=colour, marker="o", markersize=4, label=name)
        top = [max(floor, each.high) for each in mine]
        low = [
            high if math.isnan(each.low) else max(floor, min(each.low, high))
            for each, high in zip(mine, top, strict=True)
        ]
        axes.vlines(x, low, top, color=colour, alpha=0.6)


def distinct(names: Sequence[str]) -> list[str]:
    """A colour for each agent: that of its bandit, or one that no other has."""
    own = [method_colour(name) for name in names]
    free = (colour for colour in dict.fromkeys((*OTHERS, *OF_SOLVERS)) if colour not in own)
    return [colour or next(free, "black") for colour in own]


def short(agent: str) -> str:
    """The text of an agent without its budget."""
    head, _, text = agent.partition(":")
    kept = [part for part in text.split(",") if part and part.partition("=")[0] not in ("iterations", "seconds")]
    return f"{head}:{','.join(kept)}" if kept else head


def pictures(paths: Sequence[str | os.PathLike], found: Sequence[Any], title: str) -> None:
    """The picture, PNG or SVG by the ending of each path."""
    import matplotlib  # slow to load

    figure = sound_figure(found, title)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "fogtree"}):
        for path in paths:
            figure.savefig(path, dpi=150)
