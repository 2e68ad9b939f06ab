"""Empty pictures: axes side by side, with a grid."""

from typing import Any

import numpy as np


def panels(count: int, *, size: tuple[float, float] = (11, 4.6), rows: int = 1, **options: Any) -> tuple[Any, Any]:
    """An empty picture, and its axes: so many side by side, or a single one; and several rows of them if asked."""
    from matplotlib.figure import Figure  # slow to load, and only pictures need it

    figure = Figure(figsize=size, layout="constrained")
    made = figure.subplots(rows, count, **options)
    for axes in np.atleast_1d(made).flat:
        axes.grid(alpha=0.3)
    return figure, made


def titled(
    title: str, ylabel: str, *, xlabel: str = "simulations", xscale: str = "log", count: int = 1
) -> tuple[Any, Any]:
    """An empty picture with its words, and its axes: one, or several side by side that share the vertical one."""
    figure, made = panels(count, size=(7.5 if count == 1 else 4.2 * count, 4.2), sharey=True)
    for each in np.atleast_1d(made):
        each.set(xlabel=xlabel, title=title if count == 1 else "", xscale=xscale)
    np.atleast_1d(made)[0].set_ylabel(ylabel)
    if count > 1:
        figure.suptitle(title)
    return figure, made


def new_axes(**words: Any) -> Any:
    """Axes of their own, which notebooks show: logarithmic, with these words."""
    import matplotlib.pyplot as pyplot  # the figure must be known to the notebook

    axes = pyplot.subplots(figsize=(7.5, 4.2), layout="constrained")[1]
    axes.grid(alpha=0.3)
    axes.set(**({"xscale": "log", "yscale": "log"} | words))
    return axes
