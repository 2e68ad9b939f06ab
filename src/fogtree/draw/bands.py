"""Lines with a band around them: how far runs lie apart."""

from typing import Any

import numpy as np

from .methods import method_colour


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
