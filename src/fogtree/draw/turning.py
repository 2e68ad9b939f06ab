"""Boards seen from another side: shapes are moved around, and what they show stays upright."""

from collections.abc import Sequence
from typing import Any

from ..shapes import END, MIDDLE, START, Cell, Line, Text, Typed

OTHER_END = {START: END, MIDDLE: MIDDLE, END: START}
NEAR = 0.01  # of a cell: places that are no further apart are the same


def turned(drawn: Sequence[Any], quarters: int) -> list[Any]:
    """The shapes after so many quarter turns to the right. Names beside a board stay below it or to the left of it. Lines of
    text that are set as they are typed cannot be turned, and then nothing is."""
    quarters %= 4
    if quarters == 0 or any(isinstance(shape, Typed) for shape in drawn):
        return list(drawn)
    box = _board(drawn)
    return [_turned_shape(shape, quarters, box) for shape in drawn]


def facing(drawn: Sequence[Any], like: Sequence[Any]) -> list[Any]:
    """The shapes, turned so that their places lie as they do in another picture of the game, if a turn does that."""
    other = _places(like)
    for quarters in range(4):
        made = turned(drawn, quarters)
        mine = _places(made)
        both = [name for name in mine if name in other]
        if len(both) < 2:
            break
        x, y = mine[both[0]][0] - other[both[0]][0], mine[both[0]][1] - other[both[0]][1]
        if all(abs(mine[n][0] - other[n][0] - x) + abs(mine[n][1] - other[n][1] - y) < NEAR for n in both):
            return made
    return list(drawn)


def _places(drawn: Sequence[Any]) -> dict[str, tuple[float, float]]:
    return {shape.place: (shape.x, shape.y) for shape in drawn if getattr(shape, "place", "")}


def _board(drawn: Sequence[Any]) -> tuple[float, float, float, float] | None:
    """The box around the middles of all places."""
    places = _places(drawn).values()
    if not places:
        return None
    xs, ys = zip(*places, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _point(x: float, y: float, quarters: int) -> tuple[float, float]:
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _turned_shape(shape: Any, quarters: int, box: tuple[float, float, float, float] | None) -> Any:
    x, y = shape.x, shape.y
    if isinstance(shape, Text) and box is not None and quarters == 2:
        left, top, right, bottom = box
        x = left + right - x if not left <= x <= right else x
        y = top + bottom - y if not top <= y <= bottom else y
    new_x, new_y = _point(x, y, quarters)
    made = shape._replace(x=new_x, y=new_y)
    if isinstance(shape, Line):
        to_x, to_y = _point(shape.to_x, shape.to_y, quarters)
        return made._replace(to_x=to_x, to_y=to_y)
    if isinstance(shape, Text) and quarters == 2 and box is None:
        return made._replace(anchor=OTHER_END[shape.anchor])
    if isinstance(shape, Cell) and quarters % 2 and not shape.place:
        return made._replace(width=shape.height, height=shape.width)
    return made
