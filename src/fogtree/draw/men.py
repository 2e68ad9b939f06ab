"""The men of chess as paths in a square of 100 by 100, drawn for this project."""

from ..shapes import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Man
from .svg import UNIT, colour, fill, pixels, short

OUTLINES = {  # a kind's outline, and the lines inside it
    PAWN: (
        "M50 17a13 13 0 0 1 8.5 22.8h6q3 0 3 3.5t-3 3.5h-5.5q1.5 16 12 25.2h2q6 4 6 12v4h-58v-4q0-8 6-12h2"
        "q10.5-9.2 12-25.2h-5.5q-3 0-3-3.5t3-3.5h6a13 13 0 0 1 8.5-22.8z",
        "M30 72h40",
    ),
    ROOK: (
        "M27 18h10v7h8v-7h10v7h8v-7h10v17l-8 7v27l8 8v5h5v6h-56v-6h5v-5l8-8v-27l-8-7z",
        "M35 42h30M35 69h30M27 82h46",
    ),
    BISHOP: (
        "M50 20a5.5 5.5 0 1 1 .1 0c13 8 19 20 19 29c0 8-4 13-8 16h4v7h-6c1 3 5 5 10 6c7 1 10 3 10 10h-58c0-7 3-9 10-10"
        "c5-1 9-3 10-6h-6v-7h4c-4-3-8-8-8-16c0-9 6-21 19-29z",
        "M50 35v17M42 43h16M39 65h22M41 72h18",
    ),
    KNIGHT: (
        "M36 24l2-11l9 9c20 0 32 17 32 42c0 10-1 17-1 24h-51c0-12 8-18 14-25c4-5 4-9 4-12c-6 4-12 4-16 9c-2 3-5 5-8 4"
        "c-4-1-7-5-7-9c0-6 9-14 12-22c1-4 5-7 10-9z",
        "M52 29c13 5 19 18 19 37M35 36l4 3M20 56l2-2",
    ),
    QUEEN: (
        "M15 31a4.5 4.5 0 1 1 2-.5l11 19.5l2-28a4.5 4.5 0 1 1 3-.3l11 25.3l4.5-30a4.5 4.5 0 1 1 3 0l4.5 30"
        "l11-25.3a4.5 4.5 0 1 1 3 .3l2 28l11-19.5a4.5 4.5 0 1 1 2 .5l-10 37c-1 3-1 5 2 9c2 3 2 6 2 11h-58"
        "c0-5 0-8 2-11c3-4 3-6 2-9z",
        "M26 68q24-8 48 0M23 77q27-8 54 0",
    ),
    KING: (
        "M47 8h6v5h5v6h-5v11q-1.5 2.5-3 6q-1.5-3.5-3-6v-11h-5v-6h5zM50 36c2-7 10-13 20-12c12 1 18 12 14 22c-3 8-9 13-10 22"
        "c0 3 0 5 2 9c2 3 3 6 3 11h-58c0-5 1-8 3-11c2-4 2-6 2-9c-1-9-7-14-10-22c-4-10 2-21 14-22c10-1 18 5 20 12z",
        "M50 36v26M26 68q24-8 48 0M24 77q26-8 52 0",
    ),
}
SIZE = 100  # of the square in which the paths are drawn


def man(shape: Man, size: float = 0.94) -> str:
    """A man as a path; `size` is how high the square is in which he stands, in cells."""
    outline, inside = OUTLINES[shape.kind]
    scale, corner = UNIT * size / SIZE, size / 2
    edge = BLACK if shape.tone != BLACK else "edge"
    line = BLACK if shape.tone == WHITE else WHITE
    where = f'transform="translate({pixels(shape.x - corner)} {pixels(shape.y - corner)}) scale({short(scale)})"'
    return (
        f'<g {where} stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{outline}" {fill(shape.tone)} stroke="{colour(edge)}" stroke-width="4"/>'
        f'<path d="{inside}" fill="none" stroke="{colour(line)}" stroke-width="3.2"/></g>'
    )
