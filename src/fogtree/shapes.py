"""What pictures of games are made of: a few simple shapes, which know nothing of files or pages.

A game may have the method `draw(state, player)`, which only Python calls. It returns a list of shapes: what the player sees,
and no more; REFEREE sees all. `fogtree.draw.board.picture` turns the list into an SVG.

Places are given in units of one cell of a board, x to the right and y downwards, and always mean the middle of a shape. The
picture is as large as the shapes need. A shape may carry an `action`: where that action is legal, the shape can be clicked.
It may carry it always, legal or not, so that `draw` need not ask who moves, which the player may not know. Actions that no
shape carries become buttons below the picture.

A shape may carry a `place`: the name of where it stands, the same in everybody's picture. A square and a man on it have the
same place. It is by these names, and never by x and y, that pictures of the same game are compared: another player may see
the board from another side. So whatever some player does not see (a man, a card, a die) should have one.

In games whose moves go from one place to another, as in chess, the game has a second method, `path(state, action)`, which
returns the names of the two places, and as a third the shape of what comes to stand there, where there is a choice, as in a
promotion. The picture marks where a move leads to.

A `Mark` says something of a place: that the last move was there, that a king is in check, that nobody may play there now, or
whose it is.

    class Nim(NamedTuple):
        ...
        def draw(self, state, player):
            return [Disc(i, 0, tone=FIRST, action=state[HEAP] - i) for i in range(state[HEAP])]
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

# The tones of shapes. A page gives each a colour by a CSS variable of this name.
INK, PAPER, FAINT, CLEAR = "ink", "paper", "faint", "clear"  # text and lines | ground | what matters less | see-through
BOARD, LIGHT, DARK, HIDDEN, MARKED = "board", "light", "dark", "hidden", "marked"  # cells
FIRST, SECOND, THIRD, FOURTH = "first", "second", "third", "fourth"  # what belongs to players 0, 1, 2 and 3
RED, WHITE, BLACK = "red", "white", "black"  # hearts and diamonds | men and stones that have these colours
PLAYERS = (FIRST, SECOND, THIRD, FOURTH)  # [player]
ORDER = ("first", "second", "third", "fourth")
START, MIDDLE, END = "start", "middle", "end"  # where a text stands: from its x on, around it, or up to it


LAST, CHECK, BARRED, OWNED = "last", "check", "barred", "owned"  # kinds of marks
KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = "king", "queen", "rook", "bishop", "knight", "pawn"  # kinds of men


class Cell(NamedTuple):
    """A rectangle, with a text in it."""

    x: float
    y: float
    text: str = ""
    tone: str = BOARD
    action: int | None = None
    place: str = ""
    width: float = 1.0
    height: float = 1.0


class Disc(NamedTuple):
    """A circle, with a text in it: a stone, a man, a point of a board."""

    x: float
    y: float
    text: str = ""
    tone: str = FIRST
    action: int | None = None
    place: str = ""
    radius: float = 0.4


class Hexagon(NamedTuple):
    """A hexagon that stands on a corner. Neighbours in a row are 1 apart, and rows are ROW apart."""

    x: float
    y: float
    text: str = ""
    tone: str = BOARD
    action: int | None = None
    place: str = ""


class Card(NamedTuple):
    """A playing card, 0.9 wide and 1.3 high. A card without a text lies face down."""

    x: float
    y: float
    text: str = ""
    tone: str = INK
    action: int | None = None
    place: str = ""


class Die(NamedTuple):
    """A die that shows so many points. With 0 points nobody can see it."""

    x: float
    y: float
    points: int = 0
    action: int | None = None
    place: str = ""


class Man(NamedTuple):
    """A man of chess, in black or white or in the tone of a player."""

    x: float
    y: float
    kind: str = PAWN
    tone: str = WHITE
    action: int | None = None
    place: str = ""


class Mark(NamedTuple):
    """What is to be said of a place; a mark in a list before a man lies under him. OWNED has the tone of its owner."""

    x: float
    y: float
    kind: str = LAST
    tone: str = INK
    place: str = ""


class Text(NamedTuple):
    """A line of text, `size` high."""

    x: float
    y: float
    text: str
    tone: str = INK
    size: float = 0.36
    anchor: str = MIDDLE


class Typed(NamedTuple):
    """Lines of letters that are all equally wide, from x to the right and from y downwards."""

    x: float
    y: float
    text: str
    size: float = 0.36


class Line(NamedTuple):
    """A line from one point to another."""

    x: float
    y: float
    to_x: float
    to_y: float
    tone: str = INK
    width: float = 0.04


class Button(NamedTuple):
    """A word that stands for an action."""

    x: float
    y: float
    text: str
    action: int | None = None
    width: float = 2.0


ROW = 0.75**0.5  # between the rows of hexagons, whose columns are 1 apart
SUITS = {"s": ("\u2660", INK), "h": ("\u2665", RED), "d": ("\u2666", RED), "c": ("\u2663", INK)}


# --- groups of shapes that many games need ---


def poker_card(x: float, y: float, name: str, place: str = "") -> Card:
    """A card that is called by its rank and the letter of its suit, as Th or Kd; without a name it lies face down."""
    return Card(x, y, card_text(name), SUITS[name[-1]][1] if name else INK, place=place)


def card_text(name: str) -> str:
    """The same as people write it: T\u2665."""
    return name[:-1] + SUITS[name[-1]][0] if name else ""


def seat(player: int) -> str:
    """What a player is called who has no other name."""
    return f"{ORDER[player]} player" if player < len(ORDER) else f"player {player + 1}"


def whose(what: str, owner: int, player: int) -> str:
    """The title of what belongs to one player, as a player reads it: your cards, or the name of the other seat."""
    return f"your {what}" if player == owner else seat(owner)


def row_of_cards(
    x: float, y: float, title: str, cards: Iterable[tuple[str, int | None]], tone: str = INK, place: str = ""
) -> list[Any]:
    """A title and, to the right of it, cards as (text, action). With a place, each card's is that with its number."""
    return [
        Text(x, y, title, anchor=END),
        *(
            Card(x + 0.8 + i, y, text, tone, action, f"{place} {i + 1}" if place else "")
            for i, (text, action) in enumerate(cards)
        ),
    ]


def coordinates(columns: Sequence[str], rows: Sequence[str]) -> list[Any]:
    """The names of columns below a board whose cells are at 0, 1, ..., and those of rows, from the top, to the left of it."""
    below = [Text(x, len(rows) - 0.28, name, FAINT, 0.3) for x, name in enumerate(columns)]
    return below + [Text(-0.72, y, name, FAINT, 0.3) for y, name in enumerate(rows)]
