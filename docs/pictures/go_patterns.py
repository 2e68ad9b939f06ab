"""Draws the eleven patterns of MoGo's playouts, a picture each: go-hane-1.svg and so on.

    python docs/pictures/go_patterns.py

The mover is black and may play on the red cross. A point without a sign is empty, a question mark is anything, a stone that
is crossed out is anything but that stone, and the thick line is the edge of the board. An exception stands beside it, framed.
"""

import pathlib

from fogtree.games.go.patterns import PATTERNS, Pattern

CELL, EDGE, GAP = 40, 12, 24  # pixels
INK, RED, LINE, FOG, WOOD, PAPER = "#24292f", "#b3261e", "#57606a", "#8c959f", "#f3dfb4", "#ffffff"


def draw(pattern: Pattern) -> str:
    """The picture of a pattern and of its exceptions."""
    drawings = [pattern.rows, *pattern.exceptions]
    width = 2 * EDGE + len(drawings) * 3 * CELL + (len(drawings) - 1) * GAP
    height = 2 * EDGE + 3 * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    for number, rows in enumerate(drawings):
        left = EDGE + number * (3 * CELL + GAP)
        parts += board(left, rows)
        if number:
            frame = f'x="{left}" y="{EDGE}" width="{3 * CELL}" height="{3 * CELL}"'
            parts.append(f'<rect {frame} fill="none" stroke="{RED}" stroke-width="2" stroke-dasharray="5 4"/>')
    return "\n".join([*parts, "</svg>", ""])


def board(left: int, rows: tuple[str, str, str]) -> list[str]:
    """Three by three points, or three by two where the last row is off the board."""
    on_board = [row for row in rows if "#" not in row]
    bottom = EDGE + len(on_board) * CELL - (CELL // 2 if len(on_board) < 3 else 0)
    parts = [f'<rect x="{left}" y="{EDGE}" width="{3 * CELL}" height="{bottom - EDGE}" fill="{WOOD}"/>']
    for column in range(3):
        x = left + column * CELL + CELL // 2
        parts.append(f'<path d="M{x} {EDGE}V{bottom}" stroke="{LINE}"/>')
    for row in range(len(on_board)):
        y = EDGE + row * CELL + CELL // 2
        thick = ' stroke-width="4"' if y == bottom else ""
        parts.append(f'<path d="M{left} {y}H{left + 3 * CELL}" stroke="{LINE}"{thick}/>')
    for row, signs in enumerate(on_board):
        for column, sign in enumerate(signs):
            parts += point(left + column * CELL + CELL // 2, EDGE + row * CELL + CELL // 2, sign)
    return parts


def point(x: int, y: int, sign: str) -> list[str]:
    """What may stand on a point."""
    near = CELL // 4
    cross = f"M{x - near} {y - near}L{x + near} {y + near}M{x + near} {y - near}L{x - near} {y + near}"
    if sign in "XO":
        return [stone(x, y, sign, CELL // 2 - 3)]
    if sign in "xo":
        return [stone(x, y, sign.upper(), CELL // 4 + 2), f'<path d="{cross}" stroke="{RED}" stroke-width="2"/>']
    if sign == "+":
        return [f'<path d="{cross}" stroke="{RED}" stroke-width="5" stroke-linecap="round"/>']
    if sign == "?":
        circle = f'<circle cx="{x}" cy="{y}" r="{CELL // 4 + 1}" fill="{WOOD}"/>'
        return [circle, f'<text x="{x}" y="{y + 7}" font-size="20" fill="{FOG}">?</text>']
    return []


def stone(x: int, y: int, sign: str, radius: int) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{INK if sign == "X" else PAPER}" stroke="{INK}"/>'


def file_of(pattern: Pattern) -> pathlib.Path:
    return pathlib.Path(__file__).with_name(f"go-{pattern.name.replace(' ', '-')}.svg")


if __name__ == "__main__":
    for each in PATTERNS:
        file_of(each).write_text(draw(each))
    print(f"wrote {len(PATTERNS)} pictures beside {__file__}")
