"""What results look like, for rooms that draw no pictures.

A result holds numbers, and `draw/results.py` knows how it looks. The package's `__init__.py` installs that file here. So
`curve.plot()` draws, although `measure` imports nothing of `draw`: it calls `looks().plot_curve(curve, ax)`.
"""

from collections.abc import Callable
from typing import Any

_drawing: Callable[[], Any]  # see `install`


def install(drawing: Callable[[], Any]) -> None:
    """From now on, what `drawing()` returns draws the results: a module with the functions of `draw/results.py`."""
    global _drawing
    _drawing = drawing


def looks() -> Any:
    """The module that draws results."""
    return _drawing()
