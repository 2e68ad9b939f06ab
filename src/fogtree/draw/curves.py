"""Pictures of curves: a comparison, total exploitability against iterations above the equilibrium; and the story of the demo,
against seconds, where searches stop improving and the exact method goes on."""

import os
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .methods import method_colour
from .panels import panels, trace


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
    lowest = min(float(curve.mean().min()) for curve in curves if len(curve.iterations))
    level = max(exact.total, lowest / 1000)
    word = f"{exact.total:.1g}{'' if exact.total == level else ', far below'}"
    with _small():
        for path in paths:
            draw(curves, path, title=title, level=(f"equilibrium by {exact.method}: {word}", level))


def story(paths: Sequence[str | os.PathLike], curves: Sequence[Any], exact: Any, title: str) -> None:
    """Total exploitability against seconds: curves of searches, and the course of a `Solution`."""
    figure, axes = panels(1, size=(7.5, 4.6))
    for curve in curves:
        trace(axes, curve, curve.mean_seconds(), linewidth=1.8)
    seconds, total = exact_course(exact)
    colour = method_colour(exact.method) or "black"
    axes.plot(seconds, total, color=colour, linestyle="--", marker="o", markersize=3, label=f"{exact.method}, exact")
    axes.set(
        xscale="log", yscale="log", xlabel="seconds", ylabel="total exploitability: 0 is perfect play", title=title
    )
    axes.legend(frameon=False)
    with _small():
        for path in paths:
            figure.savefig(path, dpi=150)


def exact_course(exact: Any) -> tuple[np.ndarray, np.ndarray]:
    """Seconds since the first iteration began, as far as that can be told without the compiler's time, and exploitability."""
    course = exact.course
    if len(course) < 2:
        return np.array([exact.seconds]), np.array([max(exact.total, np.finfo(float).tiny)])
    first, last = course[0], course[-1]
    one = (last.seconds - first.seconds) / max(1, last.iterations - first.iterations)  # seconds of an iteration
    total = np.array([point.high - point.low for point in course])
    return np.array([point.seconds - first.seconds + one * first.iterations for point in course]), total


def _small() -> Any:
    """While this lasts, SVG files are small, and the same each time."""
    import matplotlib  # slow to load

    return matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "fogtree"})
