"""A state of a game as a picture, as one player sees it.

`picture(game, state, player, moves)` is one `<svg>` text: from the shapes of the game's own `draw` (see `shapes.py`), or else
from the text of its `show`. It has no script and no ids, so that many pictures fit on one page. Its colours are CSS variables
with a value for pages that set none: `var(--ink, #222)`.

`moves` are the legal actions, where they are to be marked. A shape that carries one of them is a group

    <g class="move" data-action="3" data-label="b2"> ... </g>

A move from one place to another is a dot where it leads to, a group of the class "way" with data-from and data-to: the names
of two places, which shapes bear as data-place. An action that has no place on the board is a button below it. So each action
of `moves` is found in the picture once or more.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from ..errors import Invalid
from ..game import REFEREE, label, show
from ..shapes import (
    BARRED,
    BLACK,
    CHECK,
    CLEAR,
    END,
    FAINT,
    HIDDEN,
    INK,
    LAST,
    MIDDLE,
    OWNED,
    PAPER,
    PLAYERS,
    START,
    WHITE,
    Button,
    Card,
    Cell,
    Die,
    Disc,
    Hexagon,
    Line,
    Man,
    Mark,
    Text,
    Typed,
)
from .men import man
from .svg import UNIT, Box, Picture, clean, dot, fill, pixels, scaled, stroke, svg, words
from .turning import facing, turned

WIDE = 0.6  # of a letter of equal width, in its size
NARROW = 0.56  # of a usual letter, about
KEPT = 20_000  # shapes that are drawn once
NO_FILL = 'fill="none" '
BUTTON_GAP, BUTTON_HEIGHT, LEAST_WIDTH = 0.2, 0.8, 7.0
PIPS = {  # [points] where they are
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Look(NamedTuple):
    """How a picture is looked at, and what is written on it."""

    toward: int | None = None  # the player from whose side the referee's picture is seen
    flipped: bool = False  # seen from the other side
    last: Sequence[str] = ()  # the places of the last move
    best: Sequence[tuple[int, float, str]] = ()  # (action, weight from 0 to 1, words) of moves to point out


PLAIN = Look()


def picture(
    game: Any,
    state: np.ndarray,
    player: int | None = None,
    moves: Sequence[int] | None = None,
    look: Look = PLAIN,
) -> Picture:
    """The state as the player sees it, or as the referee does, as one SVG; `moves` are actions to mark."""
    who = REFEREE if player is None else player
    if who != REFEREE and who not in range(game.shape().players):
        raise Invalid(
            f"there is no player {player}: valid are 0 to {game.shape().players - 1}, and None for the referee"
        )
    drawn = seen_by(game, state, who, look)
    names = {int(move): label(game, state, int(move)) for move in moves or ()}
    ways = _ways(game, state, drawn, names)
    carried = {getattr(shape, "action", None) for shape in drawn}
    missing = [(move, name) for move, name in names.items() if move not in carried and move not in ways]
    drawn = drawn + _buttons(drawn, missing)
    what = f"{type(game).__name__} as {'the referee' if who == REFEREE else f'player {who}'} sees it"
    pointed = _pointed(game, state, drawn, look.best)
    made = [*(_shape(shape, names) for shape in drawn), *ways.values(), *pointed]
    return svg(made, _around(drawn), what, names)


def paint(drawn: Sequence[Any], title: str, over: Sequence[str] = ()) -> str:
    """Shapes as one SVG, and what lies on them."""
    return svg([*(_shape(shape, {}) for shape in drawn), *over], _around(drawn), title)


def seen_by(game: Any, state: np.ndarray, player: int, look: Look = PLAIN) -> list[Any]:
    """What the game draws for a player, looked at as asked."""
    drawn = shapes(game, state, player)
    if player == REFEREE and look.toward is not None:
        drawn = facing(drawn, shapes(game, state, look.toward))
    if look.flipped:
        drawn = turned(drawn, 2)
    return _with_last(drawn, look.last)


def is_board(game: Any, state: np.ndarray, player: int) -> bool:
    """Whether the picture is a board: its actions are places or ways between them, and not cards or words."""
    if hasattr(game, "path"):
        return True
    return any(isinstance(shape, (Disc, Hexagon, Cell)) and shape.place for shape in shapes(game, state, player))


def _with_last(drawn: list[Any], places: Sequence[str]) -> list[Any]:
    """With a mark on the places of the last move, each right behind the shape of its ground."""
    left, made = set(places), []
    for shape in drawn:
        made.append(shape)
        if getattr(shape, "place", "") in left:
            left.remove(shape.place)
            made.append(Mark(shape.x, shape.y, LAST))
    return made


def shapes(game: Any, state: np.ndarray, player: int) -> list[Any]:
    """What the game draws for a player, or the text that it shows."""
    with np.errstate(over="ignore"):
        drawn = game.draw(state, player) if hasattr(game, "draw") else None
        if drawn is None:
            return [Typed(0, 0, show(game, state, player))]
    for shape in (drawn := list(drawn)):
        if type(shape) not in DRAWERS:
            names = ", ".join(kind.__name__ for kind in DRAWERS)
            raise Invalid(f"draw of {type(game).__name__} returned {shape!r}, which is no shape: valid are {names}")
    return drawn


def _fitting(text: str, width: float, most: float) -> float:
    """The size at which a text fits into a width."""
    return min(most, width / (NARROW * max(1, len(text)) + 0.3))


# --- shapes as SVG ---


def _shape(shape: Any, names: dict[int, str]) -> str:
    """A shape, as a group where it can be clicked."""
    action = getattr(shape, "action", None)
    if action is None or int(action) not in names:
        return _still(shape)
    number, inner, place = int(action), DRAWERS[type(shape)](shape, True), getattr(shape, "place", "")
    at = f" data-place={quoteattr(place)}" if place else ""
    return f"<g {_move(number, names)}{at}><title>{clean(names[number])}</title>{inner}</g>"


@functools.lru_cache(KEPT, typed=True)  # shapes of different kinds can be equal as tuples
def _still(shape: Any) -> str:
    """A shape that cannot be clicked. Most of a board are such shapes, and most of them stay from move to move."""
    inner, place = DRAWERS[type(shape)](shape, False), getattr(shape, "place", "")
    at = f" data-place={quoteattr(place)}" if place else ""
    if place and _piece(shape) is not None:
        at += ' class="piece"'
    return f"<g{at}>{inner}</g>" if at else inner


def _move(action: int, names: dict[int, str], kind: str = "move") -> str:
    return f'class="{kind}" data-action="{action}" data-label="{clean(names[action]).replace(chr(34), "&quot;")}"'


def _edge(live: bool, tone: str = FAINT) -> str:
    return stroke("move", 3) if live else stroke(tone, 1)


def _on(tone: str) -> str:
    """The tone of a text on a ground of this tone."""
    if tone in (BLACK, WHITE):
        return WHITE if tone == BLACK else BLACK
    return "on-piece" if tone in PLAYERS else INK


def _rectangle(x: float, y: float, width: float, height: float, more: str, rounded: float = 0) -> str:
    corner = f" {scaled(rx=rounded)}" if rounded else ""
    return f"<rect {scaled(x=x - width / 2, y=y - height / 2, width=width, height=height)}{corner} {more}/>"


def _cell(cell: Cell, live: bool) -> str:
    inset = 0.04 if live else 0.0
    edge = _edge(live) if live or cell.tone != CLEAR else ""
    box = _rectangle(
        cell.x, cell.y, cell.width - 2 * inset, cell.height - 2 * inset, f"{fill(cell.tone)} {edge}".rstrip()
    )
    size = _fitting(cell.text, cell.width, 0.55 * min(cell.height, 1.2))
    return box + (words(cell.x, cell.y, cell.text, _on(cell.tone), size) if cell.text else "")


def _disc(disc: Disc, live: bool) -> str:
    if disc.tone in (BLACK, WHITE):
        made = _stone(disc, live)
    else:
        made = dot(disc.x, disc.y, disc.radius, disc.tone, "" if disc.tone == CLEAR else f" {_edge(live)}")
    if live and disc.tone == CLEAR:
        made += dot(disc.x, disc.y, 0.12, "move", ' class="spot"')
    size = _fitting(disc.text, 1.5 * disc.radius, 1.1 * disc.radius)
    return made + (words(disc.x, disc.y, disc.text, _on(disc.tone), size) if disc.text else "")


def _stone(disc: Disc, live: bool) -> str:
    """A stone that throws a shadow and shines."""
    r, shine = disc.radius, 0.22 if disc.tone == BLACK else 0.9
    shadow = dot(disc.x + 0.1 * r, disc.y + 0.14 * r, r, BLACK, ' fill-opacity="0.3"')
    edge = _edge(live, "edge" if disc.tone == BLACK else FAINT)  # by night a black stone needs a light one
    body = dot(disc.x, disc.y, r, disc.tone, f" {edge}")
    shape = scaled(cx=disc.x - 0.3 * r, cy=disc.y - 0.36 * r, rx=0.38 * r, ry=0.26 * r)
    return f'{shadow}{body}<ellipse {shape} {fill(WHITE)} fill-opacity="{shine}"/>'


def _hexagon(cell: Hexagon, live: bool) -> str:
    radius = 1 / 3**0.5 - (0.04 if live else 0)
    turns = [k * math.pi / 3 for k in range(6)]
    corners = [(cell.x + radius * math.sin(turn), cell.y - radius * math.cos(turn)) for turn in turns]
    points = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in corners)
    made = f'<polygon points="{points}" {fill(cell.tone)} {_edge(live)}/>'
    return made + (words(cell.x, cell.y, cell.text, _on(cell.tone), _fitting(cell.text, 0.8, 0.4)) if cell.text else "")


def _card(card: Card, live: bool) -> str:
    if not card.text:
        back = _rectangle(card.x, card.y, 0.9, 1.3, f"{fill(HIDDEN)} {_edge(live)}", 0.1)
        return back + _rectangle(card.x, card.y, 0.7, 1.1, f'fill="none" {stroke(PAPER, 1.5)}', 0.06)
    made = _rectangle(card.x, card.y, 0.9, 1.3, f"{fill(PAPER)} {_edge(live)}", 0.1)
    return made + words(card.x, card.y, card.text, card.tone, _fitting(card.text, 0.72, 0.5))


def _die(die: Die, live: bool) -> str:
    made = _rectangle(die.x, die.y, 0.9, 0.9, f"{fill(PAPER if die.points else HIDDEN)} {_edge(live)}", 0.15)
    return made + "".join(dot(die.x + 0.24 * x, die.y + 0.24 * y, 0.08, INK) for x, y in PIPS.get(die.points, ()))


def _text(text: Text, live: bool) -> str:
    """A text; one in black or white is a man, and gets an edge."""
    edge = f" {stroke(_on(text.tone), 0.8)}" if text.tone in (BLACK, WHITE) else ""
    return words(text.x, text.y, text.text, text.tone, text.size, text.anchor, edge)


def _typed(typed: Typed, live: bool) -> str:
    more = ' font-family="ui-monospace, DejaVu Sans Mono, monospace" xml:space="preserve"'
    lines = typed.text.splitlines()
    return "\n".join(
        words(typed.x, typed.y + (0.7 + 1.4 * i) * typed.size, line, INK, typed.size, START, more)
        for i, line in enumerate(lines)
        if line.strip()
    )


def _man(shape: Man, live: bool) -> str:
    return man(shape)


def _mark(mark: Mark, live: bool) -> str:
    """What is said of a place."""
    x, y = mark.x, mark.y
    if mark.kind == LAST:
        ground = fill("last") + ' fill-opacity="0.42"'
        return f'<g class="mark-last">{_rectangle(x, y, 1, 1, ground)}</g>'
    if mark.kind == CHECK:
        rings = [(0.5, 0.35), (0.42, 0.45), (0.3, 0.6)]
        made = "".join(dot(x, y, radius, "check", f' fill-opacity="{dense}"') for radius, dense in rings)
        return f'<g class="mark-check"><title>check</title>{made}</g>'
    if mark.kind == BARRED:
        return f'<g class="mark-barred"><title>ko</title>{_rectangle(x, y, 0.4, 0.4, NO_FILL + stroke("check", 3))}</g>'
    if mark.kind == OWNED:
        return _rectangle(x, y, 0.3, 0.3, f"{fill(mark.tone)} {stroke(FAINT, 1)}")
    raise Invalid(f"there is no mark '{mark.kind}': valid are {LAST}, {CHECK}, {BARRED} and {OWNED}")


def _line(line: Line, live: bool) -> str:
    ends = scaled(x1=line.x, y1=line.y, x2=line.to_x, y2=line.to_y)
    return f'<line {ends} {stroke(line.tone, UNIT * line.width)} stroke-linecap="round"/>'


def _button(button: Button, live: bool) -> str:
    made = _rectangle(button.x, button.y, button.width, BUTTON_HEIGHT, f"{fill(PAPER)} {_edge(live)}", 0.2)
    return made + words(button.x, button.y, button.text, INK, _fitting(button.text, button.width, 0.36))


DRAWERS: dict[Any, Any] = {
    Cell: _cell,
    Disc: _disc,
    Hexagon: _hexagon,
    Card: _card,
    Die: _die,
    Man: _man,
    Mark: _mark,
    Text: _text,
    Typed: _typed,
    Line: _line,
    Button: _button,
}


# --- what moves need ---


def _ways(game: Any, state: np.ndarray, drawn: list[Any], names: dict[int, str]) -> dict[int, str]:
    """By action, a dot for each move that the game says goes from one place to another."""
    grounds = _grounds(drawn)
    held = contents(drawn)
    found = {}
    for move in names if hasattr(game, "path") else ():
        if (ends := game.path(state, move)) is not None:
            found[move] = _way(move, _ends(game, grounds, ends), names, ends[1] in held, ends[2:])
    return found


def _grounds(drawn: Sequence[Any]) -> dict[str, Any]:
    """By its name, the first shape of a place."""
    found: dict[str, Any] = {}
    for shape in drawn:
        if name := getattr(shape, "place", ""):
            found.setdefault(name, shape)
    return found


def _ends(game: Any, grounds: dict[str, Any], ends: Sequence[Any]) -> tuple[Any, Any]:
    if ends[0] not in grounds or ends[1] not in grounds:
        raise Invalid(f"path of {type(game).__name__} leads from {ends[0]} to {ends[1]}, but draw makes no such places")
    return grounds[ends[0]], grounds[ends[1]]


def _way(action: int, ends: tuple[Any, Any], names: dict[int, str], taken: bool, choice: Sequence[Any]) -> str:
    """A dot where a move leads to, or a ring around what stands there. Clicks go through it to the place."""
    origin, target = ends
    where = f"data-from={quoteattr(origin.place)} data-to={quoteattr(target.place)}"
    if taken:
        made = f"<circle {scaled(cx=target.x, cy=target.y, r=0.42)} {NO_FILL}{stroke('move', 4)}/>"
    else:
        made = dot(target.x, target.y, 0.15, "move")
    picked = "".join(f'<g class="choice" display="none">{_shape(shape._replace(x=0, y=0), {})}</g>' for shape in choice)
    inner = f"<title>{clean(names[action])}</title>{made}{picked}"
    return f'<g {_move(action, names, "move way")} {where} opacity="0.45" pointer-events="none">{inner}</g>'


def _pointed(game: Any, state: np.ndarray, drawn: list[Any], best: Sequence[tuple[int, float, str]]) -> list[str]:
    """Moves that are pointed out: an arrow from place to place or a ring on the spot, the wider the weightier. Those
    that have no place on the board are left out."""
    grounds, made = _grounds(drawn), []
    spots = {getattr(shape, "action", None): shape for shape in drawn}
    for rank, (action, weight, told) in enumerate(best, 1):
        ends = game.path(state, action) if hasattr(game, "path") else None
        if ends is not None:
            shape = _arrow(*_ends(game, grounds, ends), weight)
            x, y = grounds[ends[1]].x, grounds[ends[1]].y
        elif (spot := spots.get(action)) is not None:
            x, y = spot.x, spot.y
            shape = f"<circle {scaled(cx=x, cy=y, r=0.4)} {NO_FILL}{stroke('best', 1.5 + 5 * weight)}/>"
        else:
            continue
        number = dot(x + 0.3, y - 0.3, 0.19, "best") + words(x + 0.3, y - 0.3, str(rank), "on-best", 0.26)
        dense = 0.35 + 0.6 * weight
        made.append(f'<g class="best" opacity="{dense:.2f}"><title>{clean(told)}</title>{shape}{number}</g>')
    return made[::-1]  # the best on top


def _arrow(origin: Any, target: Any, weight: float) -> str:
    """An arrow from the middle of one shape to that of another."""
    dx, dy = target.x - origin.x, target.y - origin.y
    length = math.hypot(dx, dy) or 1.0
    ux, uy, wide = dx / length, dy / length, 0.06 + 0.2 * weight
    head = min(0.5, 0.22 + wide)
    neck_x, neck_y = target.x - head * ux, target.y - head * uy
    side = 0.16 + 0.6 * wide
    corners = [
        (origin.x - uy * wide / 2, origin.y + ux * wide / 2),
        (neck_x - uy * wide / 2, neck_y + ux * wide / 2),
        (neck_x - uy * side, neck_y + ux * side),
        (target.x, target.y),
        (neck_x + uy * side, neck_y - ux * side),
        (neck_x + uy * wide / 2, neck_y - ux * wide / 2),
        (origin.x + uy * wide / 2, origin.y - ux * wide / 2),
    ]
    points = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in corners)
    return f'<polygon points="{points}" {fill("best")}/>'


# --- what stands where ---


class Piece(NamedTuple):
    """What a place holds, without where that is."""

    kind: type
    text: str
    tone: str


def contents(drawn: Sequence[Any]) -> dict[str, Piece]:
    """By the name of a place, what belongs to a player and stands there: a man, a stone, an open card, a die that shows."""
    found = {}
    for shape in drawn:
        if (name := getattr(shape, "place", "")) and (piece := _piece(shape)) is not None:
            found[name] = piece
    return found


def _piece(shape: Any) -> Piece | None:
    kind, tone = type(shape), getattr(shape, "tone", "")
    if isinstance(shape, Card):
        return Piece(kind, shape.text, tone) if shape.text else None
    if isinstance(shape, Die):
        return Piece(kind, str(shape.points), tone) if shape.points else None
    if tone not in (*PLAYERS, BLACK, WHITE) or isinstance(shape, Mark):
        return None
    return Piece(kind, shape.kind if isinstance(shape, Man) else getattr(shape, "text", ""), tone)


def _buttons(drawn: list[Any], moves: list[tuple[int, str]]) -> list[Button]:
    """Buttons below a picture, in as many rows as they need."""
    if not moves:
        return []
    left, _, right, bottom = _around(drawn)
    x, y, most = left, bottom + 0.35 + BUTTON_HEIGHT / 2, max(right, left + LEAST_WIDTH)
    made = []
    for action, name in moves:
        width = max(1.0, 0.36 * NARROW * len(name) + 0.7)
        if x > left and x + width > most:
            x, y = left, y + BUTTON_HEIGHT + BUTTON_GAP
        made.append(Button(x + width / 2, y, name, action, width))
        x += width + BUTTON_GAP
    return made


# --- how large it is ---


def _around(drawn: Sequence[Any]) -> Box:
    """The box around all shapes."""
    boxes = [_box(shape) for shape in drawn] or [(0.0, 0.0, 1.0, 1.0)]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@functools.lru_cache(KEPT, typed=True)
def _box(shape: Any) -> Box:
    if isinstance(shape, Line):
        xs, ys = sorted((shape.x, shape.to_x)), sorted((shape.y, shape.to_y))
        return xs[0], ys[0], xs[1], ys[1]
    if isinstance(shape, Typed):
        lines = shape.text.splitlines() or [""]
        width = WIDE * shape.size * max(1, *(len(line) for line in lines), 1)
        return shape.x, shape.y, shape.x + width, shape.y + 1.4 * shape.size * len(lines)
    if isinstance(shape, Text):
        width = NARROW * 1.1 * shape.size * len(shape.text)
        left = shape.x - {START: 0.0, MIDDLE: width / 2, END: width}[shape.anchor]
        return left, shape.y - 0.6 * shape.size, left + width, shape.y + 0.6 * shape.size
    wide, high = _size(shape)
    return shape.x - wide / 2, shape.y - high / 2, shape.x + wide / 2, shape.y + high / 2


def _size(shape: Any) -> tuple[float, float]:
    if isinstance(shape, (Man, Mark)):
        return 0.9, 0.9
    if isinstance(shape, Cell):
        return shape.width, shape.height
    if isinstance(shape, Disc):
        return 2 * shape.radius, 2 * shape.radius
    if isinstance(shape, Hexagon):
        return 1.0, 2 / 3**0.5
    if isinstance(shape, Card):
        return 0.9, 1.3
    return (0.9, 0.9) if isinstance(shape, Die) else (shape.width, BUTTON_HEIGHT)
