"""Axes of Matplotlib: empty ones side by side, with a grid; and lines with a band around them: how far runs lie apart."""

from typing import Any

import numpy as np

from .methods import method_colour


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


def trace(axes: Any, curve: Any, along: np.ndarray, **style: Any) -> None:
    """A curve (measure/curve.py) with its band. A band that reaches below 0, as it may with few runs, has no lower end on a
    logarithmic axis: it is left out there."""
    mean, band = curve.mean(), curve.band()
    shown = ~np.isnan(mean) & (along > 0)
    (line,) = axes.plot(along[shown], mean[shown], label=curve.name, **_coloured(axes, curve.name, style))
    narrow = shown & (band < mean)
    low, high = np.where(narrow, mean - band, np.nan), np.where(narrow, mean + band, np.nan)
    axes.fill_between(along[shown], low[shown], high[shown], color=line.get_color(), alpha=0.2, lw=0)


def band(axes: Any, x: np.ndarray, runs: np.ndarray, label: str, **style: Any) -> None:
    """The median of runs [runs, points], and a band that holds the middle 90 % of them."""
    low, middle, high = np.quantile(runs, [0.05, 0.5, 0.95], axis=0)
    (line,) = axes.plot(x, middle, label=label, **_coloured(axes, label, style))
    axes.fill_between(x, low, high, color=line.get_color(), alpha=0.15, lw=0)


def _coloured(axes: Any, name: str, style: dict[str, Any]) -> dict[str, Any]:
    """A style with the colour of the method that a name names, unless another line of the picture has it already."""
    own = method_colour(name)
    if own is None or own in [line.get_color() for line in axes.get_lines()]:
        return style
    return {"color": own} | style
