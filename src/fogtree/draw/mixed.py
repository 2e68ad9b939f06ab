"""A board with how often each of its places is played."""

from typing import Any

import numpy as np

from ..shapes import INK, SECOND
from .board import picture, shapes
from .svg import colour, scaled, words

SEEN, DARK = 0.005, 0.75  # shares below it get no number | from it on, a number is light


def placed(game: Any, state: np.ndarray, player: int) -> dict[int, tuple[float, float]]:
    """Where the picture of a player's view has a place for an action: {action: (x, y)}."""
    found = {}
    for shape in shapes(game, state, player):
        action = getattr(shape, "action", None)
        if action is not None:
            found[int(action)] = (shape.x, shape.y)
    return found


def mixed(game: Any, state: np.ndarray, player: int, mix: dict[int, float]) -> str:
    """What the player sees, with the probability of each action on its place."""
    places, parts = placed(game, state, player), []
    for action, share in mix.items():
        if action in places and share >= SEEN:
            x, y = places[action]
            box = scaled(x=x - 0.4, y=y - 0.4, width=0.8, height=0.8, rx=0.12)
            parts.append(f'<rect {box} fill="{colour(SECOND)}" fill-opacity="{0.15 + 0.8 * share:.2f}"/>')
            parts.append(words(x, y, f"{share:.0%}", INK if share < DARK else "on-piece", 0.32))
    return picture(game, state, player).replace("</svg>", "\n".join([*parts, "</svg>"]))
