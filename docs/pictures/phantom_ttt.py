"""Draws phantom-ttt.svg: one state of Phantom Tic-Tac-Toe as X, O and the referee see it.

    python docs/pictures/phantom_ttt.py

What is in the cells comes from the game's own `show`.
"""

import pathlib

from fogtree import REFEREE, PhantomTicTacToe
from fogtree.game import new_state

MOVES = (
    4,
    4,
    0,
    8,
    2,
    0,
    6,
)  # X centre; O finds it taken and takes a corner; X, O; X finds that corner taken, and goes on
PANELS = (("X sees", 0), ("O sees", 1), ("the referee sees", REFEREE))
CELL, GAP, TOP, EDGE = 56, 48, 48, 24  # pixels
INK, RED, BLUE, LINE, FOG, PAPER = "#24292f", "#b3261e", "#1f5fbf", "#8c959f", "#d0d7de", "#ffffff"


def draw() -> str:
    game = PhantomTicTacToe()
    state = new_state(game)
    for move in MOVES:
        game.step(state, move)
    width, height = 2 * EDGE + 3 * 3 * CELL + 2 * GAP, TOP + 3 * CELL + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    for number, (title, player) in enumerate(PANELS):
        left = EDGE + number * (3 * CELL + GAP)
        parts.append(f'<text x="{left + 1.5 * CELL:g}" y="{TOP - 16}" font-size="17" fill="{INK}">{title}</text>')
        for cell, mark in enumerate(game.show(state, player).split()):
            parts += square(left + cell % 3 * CELL, TOP + cell // 3 * CELL, mark, player)
    return "\n".join([*parts, "</svg>", ""])


def square(x: int, y: int, mark: str, player: int) -> list[str]:
    """A cell: a mark that is known, fog where the player knows nothing, or an empty cell before the referee."""
    fill = PAPER if mark in "XO" or player == REFEREE else FOG
    parts = [f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{LINE}"/>']
    near, far, middle = CELL // 4, CELL - CELL // 4, CELL // 2
    if mark == "X":
        path = f"M{x + near} {y + near}L{x + far} {y + far}M{x + far} {y + near}L{x + near} {y + far}"
        parts.append(f'<path d="{path}" stroke="{RED}" stroke-width="6" stroke-linecap="round"/>')
    elif mark == "O":
        circle = f'cx="{x + middle}" cy="{y + middle}" r="{middle - near + 1}"'
        parts.append(f'<circle {circle} fill="none" stroke="{BLUE}" stroke-width="6"/>')
    return parts


if __name__ == "__main__":
    path = pathlib.Path(__file__).with_name("phantom-ttt.svg")
    path.write_text(draw())
    print(f"wrote {path}")
