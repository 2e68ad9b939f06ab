"""The 169 kinds of starting hands as the grid that poker players know: pairs on the diagonal, suited hands above it.

A cell is a bar in the colours of the actions, as long as each is played. Where there are no colours, the number in the cell
says how often the hand bets or raises, in percent; where it may fold, a second grid says how often it calls. Where the grid
would be wider than the screen its cells have 5 letters, so that it needs 78 columns; a number has only two of them, and 100
is written as two stars.
"""

from collections.abc import Sequence

import numpy as np
from rich.text import Text

from ...draw.hand_grid import FOLD, PASSIVE, RANKS, colours, kind

CELL, NUMBERED, NARROW = 6, 7, 5  # letters of a cell, with colours, with numbers, and on a narrow screen
ALWAYS = "**"  # 100 percent in a narrow cell
INK = (255, 255, 255)


def grid(actions: Sequence[str], shares: dict[str, np.ndarray], coloured: bool, width: int) -> Text:
    """The grid, with a legend below it, for a screen of so many columns."""
    return _painted(actions, shares, width) if coloured else _numbered(actions, shares, width)


def _painted(actions: Sequence[str], shares: dict[str, np.ndarray], width: int) -> Text:
    cell = _cell(CELL, width)
    paint = [f"rgb{colour}".replace(" ", "") for colour in colours(actions)]
    text = Text()
    for row in range(len(RANKS)):
        for column in range(len(RANKS)):
            called = kind(row, column)
            if called in shares:
                _bar(text, called.ljust(cell), shares[called], paint)
            else:
                text.append(called.ljust(cell), "rgb(110,110,110)")
            text.append(" ")
        text.append("\n")
    text.append("\n")
    for action, colour in zip(actions, paint, strict=True):
        text.append(f" {action} ", f"{_ink()} on {colour}")
        text.append("  ")
    return text


def _numbered(actions: Sequence[str], shares: dict[str, np.ndarray], width: int) -> Text:
    cell = _cell(NUMBERED, width)
    stars = f"; {ALWAYS} is always" if cell == NARROW else ""
    bold = [a for a in range(len(actions)) if actions[a] not in (*PASSIVE, FOLD)]
    parts = [("bets or raises", bold)] if bold or "call" not in actions else []
    if "call" in actions:
        parts.append(("calls", [list(actions).index("call")]))
    text = Text()
    for said, counted in parts:
        for row in range(len(RANKS)):
            for column in range(len(RANKS)):
                called, told = kind(row, column), ""
                if called in shares:
                    often = round(100 * float(shares[called][counted].sum()))
                    told = ALWAYS if cell == NARROW and often == 100 else str(often)
                text.append(called + told.rjust(cell - len(called)) + " ")
            text.append("\n")
        text.append(f"(numbers: how often a hand {said}, in percent{stars})\n\n")
    text.append(f"actions: {', '.join(actions)}")
    return text


def _cell(usual: int, width: int) -> int:
    return usual if len(RANKS) * (usual + 1) <= width else NARROW


def _bar(text: Text, letters: str, share: np.ndarray, paint: list[str]) -> None:
    edges = np.cumsum(share)
    for i, letter in enumerate(letters):
        action = int(min(np.searchsorted(edges, (i + 0.5) / len(letters) * edges[-1]), len(paint) - 1))
        text.append(letter, f"{_ink()} on {paint[action]}")


def _ink() -> str:
    return f"rgb{INK}".replace(" ", "")
