"""The picture of a comparison as SVG: total exploitability against iterations, both axes logarithmic.

It is drawn anew twice a second for a page that looks on, so it is written by hand: Matplotlib takes a hundred times as long.
"""

import math
from typing import Any

from .html import esc

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 32, 16, 44
SERIES = ("#1b4f8a", "#c2551b", "#2a7d4f", "#7a3f96", "#8a6d00", "#b3202c", "#00798c", "#5c5c5c")
LEAST = 1e-9  # what a logarithmic axis shows as 0
FLOOR = 1e-3  # the equilibrium is drawn no lower than this share of the lowest point


def plot(curves: list[dict[str, Any]], exact: list[Any] | None, last: int) -> str:
    """Curves with their bands, above a dashed line for the equilibrium, a (method, total). `last` is the last iteration."""
    values = [value for curve in curves for value in curve["mean"] if value is not None]
    low, high = max(LEAST, min(values, default=0.01)), max(LEAST, *values, 1.0) if values else 1.0
    level = None
    if exact is not None:
        level = max(exact[1], low * FLOOR, LEAST)
        low = min(low, max(level, low / 10))
    down, up = math.floor(math.log10(low)), math.ceil(math.log10(high) + 1e-9)
    first, end = 2, max(3, math.ceil(math.log10(max(last, 101)) - 1e-9))

    def x(iterations: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(max(iterations, 1)) - first) / (end - first)

    def y(total: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(max(total, LEAST)) - down) / max(1, up - down)

    parts = []
    for power in range(first, end + 1):
        parts.append(_line(x(10**power), TOP, x(10**power), HEIGHT - BOTTOM))
        parts.append(_text(x(10**power), HEIGHT - BOTTOM + 18, _power(power), "middle"))
    for power in range(down, up + 1):
        parts.append(_line(LEFT, y(10**power), WIDTH - RIGHT, y(10**power)))
        parts.append(_text(LEFT - 8, y(10**power) + 4, _power(power), "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "iterations", "middle"))
    parts.append(
        f'<g transform="translate(14 {HEIGHT / 2}) rotate(-90)">{_text(0, 0, "total exploitability", "middle")}</g>'
    )
    if level is not None and exact is not None:
        height = min(y(level), HEIGHT - BOTTOM)
        parts.append(_line(LEFT, height, WIDTH - RIGHT, height, 'stroke="var(--ink, #222)" stroke-dasharray="6 4"'))
        parts.append(_text(WIDTH - RIGHT - 4, height - 5, f"equilibrium by {exact[0]}: {exact[1]:.1g}", "end"))
    for number, curve in enumerate(curves):
        parts.append(_curve(curve, number, x, y, 10**down))
    told = "; ".join(f"{c['name']} {_last(c)}" for c in curves)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">'
        f"<title>Total exploitability against iterations: {esc(told or 'nothing yet')}</title>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper, #fff)"/>{"".join(parts)}</svg>'
    )


def series(number: int) -> str:
    """The colour of a curve."""
    place = number % len(SERIES)
    return f"var(--series-{place + 1}, {SERIES[place]})"


def _curve(curve: dict[str, Any], number: int, x: Any, y: Any, floor: float) -> str:
    points = [p for p in zip(curve["iterations"], curve["mean"], curve["band"], strict=True) if p[1] is not None]
    if not points:
        return ""
    ink = series(number)
    narrow = [(n, m, b or 0.0) for n, m, b in points if (b or 0.0) < m]
    above = [f"{x(n):.1f},{y(m + b):.1f}" for n, m, b in narrow]
    below = [f"{x(n):.1f},{y(max(m - b, floor)):.1f}" for n, m, b in reversed(narrow)]
    line = " ".join(f"{x(n):.1f},{y(m):.1f}" for n, m, _ in points)
    dots = "".join(f'<circle cx="{x(n):.1f}" cy="{y(m):.1f}" r="2.5" fill="{ink}"/>' for n, m, _ in points)
    name_y = TOP + 16 + 16 * number
    return (
        f'<polygon points="{" ".join(above + below)}" fill="{ink}" fill-opacity="0.18"/>'
        f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="1.8"/>{dots}'
        f'<rect x="{LEFT + 10}" y="{name_y - 8}" width="14" height="4" fill="{ink}"/>'
        + _text(LEFT + 30, name_y, curve["name"], "start")
    )


def _last(curve: dict[str, Any]) -> str:
    reached = [(n, m) for n, m in zip(curve["iterations"], curve["mean"], strict=True) if m is not None]
    return f"{reached[-1][1]:.3g} after {reached[-1][0]:,} iterations" if reached else "not measured yet"


def _power(power: int) -> str:
    return f"{10**power:,}" if 0 <= power < 6 else f"{10.0**power:g}"


def _line(x1: float, y1: float, x2: float, y2: float, more: str = 'stroke="var(--line, #ccc)"') -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {more}/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="var(--ink, #222)">{esc(words)}</text>'
