"""The picture of the demo: searches stop improving where the exact method goes on."""

import os
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .bands import trace
from .methods import method_colour
from .panels import panels


def story(paths: Sequence[str | os.PathLike], curves: Sequence[Any], exact: Any, title: str) -> None:
    """Total exploitability against seconds: curves of searches, and the course of a `Solution`."""
    import matplotlib  # slow to load

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
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "fogtree"}):  # small, and the same each time
        for path in paths:
            figure.savefig(pathlib.Path(path), dpi=150)


def exact_course(exact: Any) -> tuple[np.ndarray, np.ndarray]:
    """Seconds since the first iteration began, as far as that can be told without the compiler's time, and exploitability."""
    course = exact.course
    if len(course) < 2:
        return np.array([exact.seconds]), np.array([max(exact.total, np.finfo(float).tiny)])
    first, last = course[0], course[-1]
    one = (last.seconds - first.seconds) / max(1, last.iterations - first.iterations)  # seconds of an iteration
    total = np.array([point.high - point.low for point in course])
    return np.array([point.seconds - first.seconds + one * first.iterations for point in course]), total
