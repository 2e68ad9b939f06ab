"""The 169 kinds of starting hands as the grid that poker players know: pairs on the diagonal, suited hands above it.

    hand_grid(cells, "OOP after check")        an SVG

A cell is a bar from side to side in the colours of the actions, each as wide as it is played, and as high as the hand is
held. Or it has one colour for a number, which stands in it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..shapes import FAINT, MIDDLE
from .svg import Picture, clean, scaled, short, svg, words

RANKS = "AKQJT98765432"
Colour = tuple[int, int, int]
FOLD, PASSIVE = "fold", ("check", "call")
BLUE, GREEN = (58, 92, 140), (42, 115, 56)
SOFT, HARD = np.array((186, 92, 24)), np.array((118, 14, 30))  # the smallest and the largest bet
GROUND, LIGHT = "#3f4653", "#fff"  # of a hand that is held, and of what is written on it, by day and by night
LOW, EVEN, HIGH = np.array((150, 46, 52)), np.array((92, 92, 104)), np.array((24, 112, 70))
GAP = 0.04


class HandCell(NamedTuple):
    """What there is to see of one kind of hand."""

    parts: Sequence[tuple[float, Colour]]  # shares side by side; they sum to 1
    high: float = 1.0  # how much of its height the bar has
    number: str = ""
    told: str = ""  # in words


def colours(actions: Sequence[str]) -> list[Colour]:
    """Of each action: folding blue, checking and calling green, bets from orange to dark red. White can be read on each."""
    bets = [a for a in actions if a != FOLD and a not in PASSIVE]
    found = []
    for action in actions:
        if action in bets:
            found.append(_between(SOFT, HARD, bets.index(action) / (len(bets) - 1) if len(bets) > 1 else 0.4))
        else:
            found.append(GREEN if action in PASSIVE else BLUE)
    return found


def shade(share: float) -> Colour:
    """The colour of a number from 0, bad, to 1, good."""
    share = min(1.0, max(0.0, share))
    return _between(LOW, EVEN, 2 * share) if share < 0.5 else _between(EVEN, HIGH, 2 * share - 1)


def kind(row: int, column: int) -> str:
    """What the hand of a cell is called."""
    high, low = RANKS[min(row, column)], RANKS[max(row, column)]
    return high + low if row == column else high + low + ("s" if column > row else "o")


def by_class(names: Sequence[str], mix: np.ndarray, weight: np.ndarray) -> dict[str, np.ndarray]:
    """[action] how the hands of each kind are played, by their weights; [action, hand] is given."""
    found: dict[str, np.ndarray] = {}
    total: dict[str, float] = {}
    for h, called in enumerate(names):
        found[called] = found.get(called, 0.0) + weight[h] * mix[:, h]
        total[called] = total.get(called, 0.0) + float(weight[h])
    return {called: row / total[called] for called, row in found.items() if total[called] > 0}


def hand_grid(
    cells: Mapping[str, HandCell],
    title: str,
    legend: Sequence[tuple[str, Colour]] = (),
    around: Callable[[str, str], str] | None = None,
) -> Picture:
    """The grid of what is known of each kind of hand, by its name. `around(name, drawn)` may put a link around a cell."""
    parts = []
    for row in range(len(RANKS)):
        for column in range(len(RANKS)):
            called = kind(row, column)
            drawn = _cell(row, column, called, cells.get(called))
            parts.append(around(called, drawn) if around and called in cells else drawn)
    low = 13.0
    for number, (name, colour) in enumerate(legend):
        x, y = 6.5 * (number % 2), 13.45 + 0.65 * (number // 2)
        parts.append(f'<rect {scaled(x=x, y=y - 0.2, width=0.45, height=0.4)} fill="{rgb(colour)}"/>')
        parts.append(words(x + 0.6, y, name, "ink", 0.36, "start"))
        low = y + 0.3
    return svg(parts, (0.0, 0.0, 13.0, low), title)


def rgb(colour: Colour) -> str:
    return f"rgb{colour}".replace(" ", "")


def _cell(row: int, column: int, called: str, cell: HandCell | None) -> str:
    size = 1 - GAP
    box = scaled(x=column, y=row, width=size, height=size)
    if cell is None:
        ground = f'<rect {box} fill="var(--hidden, #b9bec6)" fill-opacity="0.25"/>'
        return ground + words(column + size / 2, row + 0.5, called, FAINT, 0.32)
    made = [f"<title>{clean(cell.told)}</title>"] if cell.told else []
    made.append(f'<rect {box} fill="{GROUND}"/>')
    at, high = 0.0, size * cell.high
    for share, colour in cell.parts:
        if share > 0:
            part = scaled(x=column + size * at, y=row + size - high, width=size * share, height=high)
            made.append(f'<rect {part} fill="{rgb(colour)}"/>')
            at += share
    up = 0.3 if cell.number else 0.5
    made.append(_light(column + size / 2, row + up, called, 0.34))
    if cell.number:
        made.append(_light(column + size / 2, row + 0.72, cell.number, 0.28))
    return "".join(made)


def _light(x: float, y: float, text: str, size: float) -> str:
    where = f'{scaled(x=x, y=y + 0.35 * size)} font-size="{short(40 * size)}" text-anchor="{MIDDLE}"'
    return f'<text {where} fill="{LIGHT}">{clean(text)}</text>'


def _between(first: np.ndarray, last: np.ndarray, share: float) -> Colour:
    red, green, blue = np.rint(first + share * (last - first)).astype(int).tolist()
    return red, green, blue
