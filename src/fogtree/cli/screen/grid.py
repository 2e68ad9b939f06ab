"""The 169 kinds of starting hands as the grid that poker players know: pairs on the diagonal, suited hands above it.

A cell is a bar in the colours of the actions, as long as each is played. Where there are no colours, the number in the cell
says how often the hand bets or raises, in percent; where it may fold, a second grid says how often it calls. Where the grid
would be wider than the screen its cells have 5 letters, so that it needs 78 columns; a number has only two of them, and 100
is written as two stars.
"""

from collections.abc import Sequence

import numpy as np
from rich.text import Text

RANKS = "AKQJT98765432"
CELL, NUMBERED, NARROW = 6, 7, 5  # letters of a cell, with colours, with numbers, and on a narrow screen
ALWAYS = "**"  # 100 percent in a narrow cell
GREEN, BLUE, INK = (46, 125, 50), (66, 96, 140), (255, 255, 255)
SOFT, HARD = np.array((214, 134, 74)), np.array((140, 20, 28))  # the smallest and the largest bet
PASSIVE = ("check", "call")


def colours(actions: Sequence[str]) -> list[tuple[int, int, int]]:
    """Of each action: folding blue, checking and calling green, bets from orange to dark red."""
    bets = [a for a in actions if a != "fold" and a not in PASSIVE]
    found = []
    for action in actions:
        if action in bets:
            share = (bets.index(action) + 1) / max(len(bets), 1) if len(bets) > 1 else 0.5
            red, green, blue = np.rint(SOFT + share * (HARD - SOFT)).astype(int).tolist()
            found.append((red, green, blue))
        else:
            found.append(GREEN if action in PASSIVE else BLUE)
    return found


def by_class(names: Sequence[str], mix: np.ndarray, weight: np.ndarray) -> dict[str, np.ndarray]:
    """[action] how the hands of each kind are played, by their weights; [action, hand] is given."""
    found: dict[str, np.ndarray] = {}
    total: dict[str, float] = {}
    for h, called in enumerate(names):
        found[called] = found.get(called, 0.0) + weight[h] * mix[:, h]
        total[called] = total.get(called, 0.0) + float(weight[h])
    return {called: row / total[called] for called, row in found.items() if total[called] > 0}


def kind(row: int, column: int) -> str:
    """What the hand of a cell is called."""
    high, low = RANKS[min(row, column)], RANKS[max(row, column)]
    return high + low if row == column else high + low + ("s" if column > row else "o")


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
    bold = [a for a in range(len(actions)) if actions[a] not in (*PASSIVE, "fold")]
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
