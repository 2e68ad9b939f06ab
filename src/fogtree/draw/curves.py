"""The picture of a comparison: total exploitability against iterations, above the equilibrium."""

import os
import pathlib
from collections.abc import Sequence
from typing import Any

from .bands import trace
from .panels import panels


def draw(
    curves: Sequence[Any], path: str | os.PathLike, *, title: str = "", level: tuple[str, float] | None = None
) -> None:
    """A picture, PNG or SVG by its ending: curves with their bands, and a dashed line at a (name, level)."""
    figure, axes = panels(1, size=(7.5, 4.6))
    for curve in curves:
        trace(axes, curve, curve.iterations, marker="o", markersize=3)
    if level is not None:
        axes.axhline(level[1], color="black", linestyle="--", linewidth=1, label=level[0])
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="total exploitability", title=title)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def pictures(paths: Sequence[pathlib.Path], curves: Sequence[Any], exact: Any, title: str) -> None:
    """The curves above a dashed line for the equilibrium, a `Solution`. One that is exact up to rounding is drawn below the
    curves, for a logarithmic axis has no 0."""
    import matplotlib  # slow to load

    lowest = min(float(curve.mean().min()) for curve in curves if len(curve.iterations))
    level = max(exact.total, lowest / 1000)
    word = f"{exact.total:.1g}{'' if exact.total == level else ', far below'}"
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "fogtree"}):  # small, and the same each time
        for path in paths:
            draw(curves, path, title=title, level=(f"equilibrium by {exact.method}: {word}", level))
