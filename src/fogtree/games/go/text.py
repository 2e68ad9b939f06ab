"""Go positions and moves as text: vertices as in GTP, a board for people, a position with its moves on one line."""

import itertools
import re
from typing import Any

import numpy as np

from ... import shapes
from ...errors import Illegal, Invalid
from ...game import HASHED, OVER, legal, seen
from . import board
from .board import BLACK, COUNT, EMPTY, KO, PLACE, SETUP, STONE, TURN, VIEW, WHITE

COLUMNS = "ABCDEFGHJKLMNOPQRST"  # no I
PASS = "pass"
HIDDEN, FAILED = 4, 5  # what a player does not see, and where a try failed: beside stones, for those who draw a board
MARKS = {EMPTY: ".", BLACK: "X", WHITE: "O", HIDDEN: "?", FAILED: "!"}
TONES = {  # [mark] and how large its disc is
    EMPTY: (shapes.CLEAR, 0.45),
    BLACK: (shapes.BLACK, 0.45),
    WHITE: (shapes.WHITE, 0.45),
    HIDDEN: (shapes.HIDDEN, 0.2),
    FAILED: (shapes.MARKED, 0.4),
}
STARRED, LAST = 7, "\u25cb"  # the smallest board with marked points | the sign on the last stone
COLOURS = ("b", "w")  # [player]
NAMES = ("black", "white")  # [player]
VERTEX = re.compile(r"([A-HJ-Z])([1-9]\d?)", re.IGNORECASE)
ROW = re.compile(r"[1-9]\d?|[XO]")
WHITE_SET_UP, TO_MOVE = 512, 1024  # symbols of a view


def vertex(action: int, side: int) -> str:
    """D4, or pass."""
    row, column = divmod(int(action), side)
    return PASS if row == side else f"{COLUMNS[column]}{row + 1}"


def action_of(typed: str, side: int) -> int:
    """The action of a vertex."""
    if typed.strip().lower() == PASS:
        return side * side
    found = VERTEX.fullmatch(typed.strip())
    column = COLUMNS[:side].find(found[1].upper()) if found else NOWHERE
    if not found or column == NOWHERE or int(found[2]) > side:
        corner = vertex(side * side - 1, side)
        raise Illegal(
            f"'{typed.strip()}' is no point of this board: valid are A1 to {corner}, without the column I, and pass"
        )
    return (int(found[2]) - 1) * side + column


NOWHERE = -1


def read(game: Any, state: np.ndarray, typed: str) -> int:
    """The legal action that a person typed, or the reason why it is none."""
    action = action_of(typed, game.side)
    if action in legal(game, state):
        return action
    raise Illegal(f"{vertex(action, game.side)} {why_not(game, state, action)}")


def why_not(game: Any, state: np.ndarray, action: int) -> str:
    """What is wrong with an action that is not legal."""
    if game.player(state) == OVER:
        return "comes too late: the game is over"
    point = int(PLACE[game.side, action])
    if state[point] & STONE != EMPTY:
        return "is taken: a stone is put on an empty point"
    if point == state[KO]:
        return "would take a ko back at once, which is not allowed"
    if not game.may_play(state, point):
        return "would be suicide, which is not allowed"
    return "would repeat an earlier position, which superko does not allow"


# --- for people ---


def show(state: np.ndarray, side: int) -> str:
    """The board with coordinates, and who moves."""
    return f"{drawn(stones(state, side), side)}\n{said(state, side)}"


def drawn(marks: list[list[int]], side: int) -> str:
    """A board with coordinates: [row from the bottom, column] its stones."""
    letters = "   " + " ".join(COLUMNS[:side])
    lines = [f"{row + 1:2} {' '.join(MARKS[mark] for mark in marks[row])} {row + 1}" for row in reversed(range(side))]
    return "\n".join([letters, *lines, letters])


def draw(
    marks: list[list[int]], side: int, last: int | None = None, ko: int | None = None, owned: bool = False
) -> list[Any]:
    """The same as shapes. Each point carries its action; the stone played last is marked, and so is where ko forbids to play.
    `owned` marks whose each empty point is, in the end."""
    made: list[Any] = [shapes.Cell((side - 1) / 2, (side - 1) / 2, width=side, height=side)]
    for i in range(side):
        made.append(shapes.Line(0, i, side - 1, i, width=0.02))
        made.append(shapes.Line(i, 0, i, side - 1, width=0.02))
    if side >= STARRED:
        near = 3 if side > 11 else 2
        stars = sorted({near, side // 2, side - 1 - near} if side % 2 else {near, side - 1 - near})
        made += [shapes.Disc(x, y, tone=shapes.INK, radius=0.08) for x in stars for y in stars]
    for action in range(side * side):
        row, column = divmod(action, side)
        tone, radius = TONES[marks[row][column]]
        text = LAST if action == last else "!" if marks[row][column] == FAILED else ""
        made.append(shapes.Disc(column, side - 1 - row, text, tone, action, vertex(action, side), radius))
        if action == ko:
            made.append(shapes.Mark(column, side - 1 - row, shapes.BARRED))
    for action, owner in (territory(marks, side) if owned else {}).items():
        row, column = divmod(action, side)
        made.append(shapes.Mark(column, side - 1 - row, shapes.OWNED, TONES[owner][0]))
    return made + shapes.coordinates(COLUMNS[:side], [str(row + 1) for row in reversed(range(side))])


def territory(marks: list[list[int]], side: int) -> dict[int, int]:
    """The owner of each empty point from which stones of one colour alone can be reached."""
    found: dict[int, int] = {}
    left = {row * side + column for row in range(side) for column in range(side) if marks[row][column] == EMPTY}
    while left:  # each turn takes a region out
        region, colours, waiting = set[int](), set[int](), [left.pop()]
        while waiting:  # each turn takes a point that is not yet in the region
            point = waiting.pop()
            region.add(point)
            row, column = divmod(point, side)
            for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if 0 <= r < side and 0 <= c < side:
                    if marks[r][c] != EMPTY:
                        colours.add(marks[r][c])
                    elif (near := r * side + c) in left:
                        left.remove(near)
                        waiting.append(near)
        if len(colours) == 1:
            found |= dict.fromkeys(region, colours.pop())
    return found


def counted(marks: list[list[int]], side: int, komi: float) -> str:
    """The areas in words."""
    held = [mark for row in marks for mark in row] + list(territory(marks, side).values())
    more = f" and {komi:g} komi" if komi else ""
    return f"black has {held.count(BLACK)} points, white {held.count(WHITE)}{more}"


def said(state: np.ndarray, side: int) -> str:
    """What the board does not show."""
    happened = ""
    if state[COUNT] > state[SETUP]:
        happened = f"{NAMES[1 - state[TURN]]} played {vertex(moves(state, side)[-1], side)}; "
    return happened + ("the game is over" if state[board.ENDED] else f"{NAMES[state[TURN]]} to move")


def stones(state: np.ndarray, side: int) -> list[list[int]]:
    """[row from the bottom, column] the stones."""
    spots = state[PLACE[side, : side * side]] & STONE
    return spots.reshape(side, side).tolist()


# --- a position and its moves on one line ---


def moves(state: np.ndarray, side: int) -> list[int]:
    """The actions that were played, after the position that was set up."""
    start = board.events(side)
    played = state[start + 1 + state[SETUP] : start + 1 + state[COUNT]] & board.PLAYED
    return (played & ~board.WHITES).tolist()


def notation(state: np.ndarray, side: int) -> str:
    """The position at the beginning by rows from the top (X, O, and numbers of empty points), who moved first, and the moves:
    `3/1X1/3 w A1 pass`. All earlier positions follow from it."""
    start = board.events(side)
    rows = [["."] * side for _ in range(side)]
    for played in (state[start + 1 : start + 1 + state[SETUP]] & board.PLAYED).tolist():
        row, column = divmod(played & ~board.WHITES, side)
        rows[row][column] = MARKS[WHITE if played & board.WHITES else BLACK]
    played = moves(state, side)
    first = COLOURS[(int(state[TURN]) + len(played)) % 2]
    return " ".join(["/".join(packed(row) for row in reversed(rows)), first, *(vertex(a, side) for a in played)])


def from_notation(game: Any, written: str, state: np.ndarray) -> None:
    """Write the state that a notation describes; every move of it must be legal."""
    rows, first, *played = [*written.split(), "", ""][: max(2, len(written.split()))]
    set_up(game, unpack(rows, game.side), first, state)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for number, typed in enumerate(played, 1):
            try:
                action = read(game, state, typed)
            except Illegal as error:
                raise Invalid(f"move {number} of the notation is not legal: {error}") from None
            game.step(state, action)


def set_up(game: Any, rows: list[str], first: str, state: np.ndarray) -> None:
    """Put stones on an empty board: rows from the bottom of X, O and dots, and the colour that moves first, b or w."""
    if first not in COLOURS:
        raise Invalid(f"the second word of a notation says who moves first, b or w, not '{first}'")
    game.start(state)
    placed = [
        (row, column) for row, column in itertools.product(range(game.side), repeat=2) if rows[row][column] != "."
    ]
    for row, column in placed:
        action = row * game.side + column
        stone = BLACK if rows[row][column] == MARKS[BLACK] else WHITE
        before = state[board.EMPTIES]
        with np.errstate(over="ignore"):
            board.place(state, game.row(), int(PLACE[game.side, action]), stone)
            board.remember(state, game.side, action, stone)
            state[VIEW] = seen(state[VIEW] | HASHED, action + (WHITE_SET_UP if stone == WHITE else 0), 2)
        if state[board.EMPTIES] != before - 1:
            raise Invalid("the position of the notation has a group without liberties, so it cannot arise")
    state[SETUP] = state[COUNT]
    state[TURN] = COLOURS.index(first)
    if placed or state[TURN]:
        with np.errstate(over="ignore"):
            state[VIEW] = seen(state[VIEW] | HASHED, TO_MOVE + state[TURN], 2)


def packed(row) -> str:
    """One row, runs of empty points as numbers."""
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), "".join(row))


def unpack(rows: str, side: int) -> list[str]:
    """The rows of a notation, from the bottom, as X, O and dots."""
    found = []
    for row in rows.split("/"):
        parts = ROW.findall(row)
        wide = "".join("." * int(part) if part.isdecimal() else part for part in parts)
        if "".join(parts) != row or len(wide) != side:
            raise Invalid(
                f"row '{row}' of the notation must be {side} points, written as X, O and numbers of empty points"
            )
        found.append(wide)
    if len(found) != side:
        raise Invalid(f"a notation for side {side} has {side} rows between slashes, not {len(found)}")
    return found[::-1]
