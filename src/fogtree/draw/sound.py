"""The picture of soundness: total exploitability against thinking time, the bracket of each agent as a bar."""

import os
from collections.abc import Sequence
from typing import Any

from .methods import colours
from .panels import panels


def sound_figure(found: Sequence[Any], title: str = "") -> Any:
    """Agents (`measure/soundness.py`) against milliseconds of a search; those that do not search are lines."""
    figure, axes = panels(1, size=(7.5, 4.6))
    plot(axes, found)
    axes.set(xscale="log", xlabel="milliseconds a move", ylabel="total exploitability", title=title)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
    return figure


def plot(axes: Any, found: Sequence[Any]) -> None:
    """The same into given axes."""
    names = list(dict.fromkeys(short(each.agent) for each in found))
    for name, colour in zip(names, colours(names), strict=True):
        mine = sorted((each for each in found if short(each.agent) == name), key=lambda each: each.seconds)
        if not mine[0].thoughts:
            axes.axhline(mine[0].high, color=colour, linestyle="--", linewidth=1, label=name)
            continue
        x = [1000 * each.seconds for each in mine]
        axes.plot(x, [each.high for each in mine], color=colour, marker="o", markersize=4, label=name)
        axes.vlines(
            x, [min(each.low, each.high) for each in mine], [each.high for each in mine], color=colour, alpha=0.6
        )


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
