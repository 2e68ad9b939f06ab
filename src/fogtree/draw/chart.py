"""Lines over logarithmic axes as one SVG, drawn without Matplotlib, so that a notebook shows a curve at once.

    chart([Trace("rm", iterations, mean, band)], x="iterations", y="total exploitability")

Points that are not positive have no place on such axes and are left out.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import Invalid
from ..shapes import END, FAINT, INK, START
from .methods import colours
from .svg import pixels, scaled, stroke, svg, words

WIDE, HIGH = 12.0, 7.0  # of the area of the lines, in cells
LETTERS = 0.3  # their size


class Trace(NamedTuple):
    """A line, and how far the truth may lie from it."""

    name: str
    x: np.ndarray  # [points]
    y: np.ndarray  # [points]
    band: np.ndarray | float = 0.0  # [points] half the width of an interval


class Axis(NamedTuple):
    """A logarithmic axis from 10^low to 10^high, so long."""

    low: float
    high: float
    length: float

    def at(self, value: float) -> float:
        return self.length * (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Powers of ten; where few of them fit, also twice and five times as much."""
        steps = (1, 2, 5) if self.high - self.low < 2.5 else (1,)
        powers = range(math.floor(self.low), math.floor(self.high) + 1)
        marks = [step * 10.0**power for power in powers for step in steps]
        return [mark for mark in marks if self.low <= math.log10(mark) <= self.high]


def chart(traces: Sequence[Trace], *, x: str, y: str, below: bool = False) -> str:
    """The picture of some lines. Their names stand beside it, or below it where a page may be narrow."""
    shown = [(trace, _positive(trace)) for trace in traces]
    points = [(trace.x[keep], trace.y[keep]) for trace, keep in shown if keep.any()]
    if not points:
        raise Invalid("there is nothing to draw: no line has a point above 0")
    across, up = _axis([p for p, _ in points], WIDE), _axis([q for _, q in points], HIGH)
    parts = [*_grid(across, up), words(WIDE / 2, HIGH + 1.1, x, INK, 0.34), _upright(y)]
    for number, ((trace, keep), colour) in enumerate(zip(shown, colours([one.name for one in traces]), strict=True)):
        parts += _line(trace, keep, across, up, colour)
        left, y_at = (0.2, HIGH + 1.8 + 0.6 * number) if below else (WIDE + 0.4, 0.3 + 0.5 * number)
        key = scaled(x1=left, y1=y_at, x2=left + 0.7, y2=y_at)
        parts.append(f'<line {key} stroke="{colour}" stroke-width="3"/>')
        parts.append(words(left + 0.9, y_at, trace.name, INK, LETTERS, START))
    longest = max(len(trace.name) for trace in traces)
    aside = (
        (WIDE + 0.4, HIGH + 1.7 + 0.6 * len(traces)) if below else (WIDE + 1.5 + 0.56 * LETTERS * longest, HIGH + 1.3)
    )
    box = (-2.2, -0.8, *aside)
    return svg(parts, box, f"{y} against {x}: {', '.join(trace.name for trace in traces)}")


def _positive(trace: Trace) -> np.ndarray:
    """[points] which of them have a place."""
    with np.errstate(invalid="ignore"):
        return (np.asarray(trace.x) > 0) & (np.asarray(trace.y) > 0) & np.isfinite(trace.y)


def _axis(values: list[np.ndarray], length: float) -> Axis:
    low = min(math.log10(float(each.min())) for each in values)
    high = max(math.log10(float(each.max())) for each in values)
    return Axis(low - 0.05, max(high, low + 0.5) + 0.05, length)


def _grid(across: Axis, up: Axis) -> list[str]:
    made = [f'<rect {scaled(x=0, y=0, width=WIDE, height=HIGH)} fill="none" {stroke(FAINT)}/>']
    for value in across.ticks():
        place = across.at(value)
        made.append(f"<line {scaled(x1=place, y1=0, x2=place, y2=HIGH)} {stroke(FAINT, 0.4)}/>")
        made.append(words(place, HIGH + 0.4, f"{value:,.0f}" if 1 <= value < 1e6 else f"{value:g}", FAINT, LETTERS))
    for value in up.ticks():
        place = HIGH - up.at(value)
        made.append(f"<line {scaled(x1=0, y1=place, x2=WIDE, y2=place)} {stroke(FAINT, 0.4)}/>")
        made.append(words(-0.2, place, f"{value:g}", FAINT, LETTERS, END))
    return made


def _upright(text: str) -> str:
    turn = f' transform="rotate(-90 {pixels(-1.8)} {pixels(HIGH / 2)})"'
    return words(-1.8, HIGH / 2, text, INK, 0.34, more=turn)


def _line(trace: Trace, keep: np.ndarray, across: Axis, up: Axis, colour: str) -> list[str]:
    """The line, and under it its band."""
    xs, ys = np.asarray(trace.x)[keep], np.asarray(trace.y)[keep]
    half = np.broadcast_to(np.nan_to_num(trace.band), keep.shape)[keep]
    floor = 10.0**up.low

    def spots(values: np.ndarray) -> list[str]:
        heights = [min(HIGH, max(0.0, HIGH - up.at(max(float(value), floor)))) for value in values]
        return [f"{pixels(across.at(float(at)))},{pixels(height)}" for at, height in zip(xs, heights, strict=True)]

    made = []
    if half.any():
        around = [*spots(ys + half), *reversed(spots(ys - half))]
        made.append(f'<polygon points="{" ".join(around)}" fill="{colour}" opacity="0.2"/>')
    return [*made, f'<polyline points="{" ".join(spots(ys))}" fill="none" stroke="{colour}" stroke-width="2"/>']
