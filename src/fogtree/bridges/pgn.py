"""PGN: games of chess as other programs write them, read and written by python-chess (`pip install chess`).

A file becomes a list of scoresheets, one a game, and a list of scoresheets becomes a file. A scoresheet keeps the tags, the
position from which the game began, the moves as our actions, and the result as it is written. Comments, variations and
clock times are left out. Players at a board may go on where our rules end a game by themselves, after a position that
occurred three times for instance: all moves that were made are kept.

What is wrong with a file is said in one sentence with the number of the game. A file is written whole or not at all.
"""

import io
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..errors import Invalid
from ..files import appearing, refusing, text_of
from ..game import OVER, new_state
from ..games.chess import Chess
from ..games.chess.text import long_label

GAME = Chess()
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}  # in every PGN
RESULTS = {(1, -1): "1-0", (-1, 1): "0-1", (0, 0): "1/2-1/2"}
UNKNOWN = "*"
RESULT_WORDS = {*RESULTS.values(), UNKNOWN}
TAG = re.compile(r'^\[\w+ "', re.MULTILINE)
ESCAPED = re.compile(r'\\(["\\])')  # a quote or a backslash in a tag, which python-chess leaves as it is written
OWN_TAGS = ("FEN", "SetUp", "Result")  # which are written from the fields of a scoresheet
MOST_ACTIONS = 5 * 4096  # see games/chess/moves.py
STANDARD = {"standard", "chess", "normal", "from position"}  # names of no variant


class Scoresheet(NamedTuple):
    """One game of chess."""

    actions: tuple[int, ...]
    result: str = UNKNOWN  # 1-0, 0-1, 1/2-1/2 or *
    tags: dict[str, str] = {}
    start: str = ""  # a FEN, or nothing for the usual position

    def states(self) -> list[np.ndarray]:
        """The state before each move, and the last one."""
        state = new_state(GAME)
        if self.start:
            GAME.from_notation(self.start, state)
        found = [state]
        for played, action in enumerate(self.actions):
            if (move := _uci(action)) is None or GAME.read(state, move) != action:
                raise Invalid(f"action {action} is not legal after {played} half-moves")
            state = state.copy()
            GAME.step(state, action)
            found.append(state)
        return found


def scoresheet(actions: Iterable[int], *, start: str = "", **tags: str) -> Scoresheet:
    """A game that was played here: its result is what our rules say, and * where the game is not over."""
    sheet = Scoresheet(tuple(int(action) for action in actions), UNKNOWN, {**ROSTER, **tags}, start)
    last = sheet.states()[-1]
    if GAME.player(last) == OVER:
        sheet = sheet._replace(result=RESULTS[int(GAME.payoff(last, 0)), int(GAME.payoff(last, 1))])
    return sheet


def read_pgn(path: str | os.PathLike) -> list[Scoresheet]:
    """The games of a PGN file."""
    pgn = _python_chess()
    text = text_of(path)
    file = io.StringIO(text, newline=None)  # lines may end as on any system
    sheets: list[Scoresheet] = []
    while (game := _next_game(pgn, file, path, len(sheets) + 1)) is not None:
        sheets.append(_sheet(game, lambda reason: _refuse(path, len(sheets) + 1, reason)))
    if not any(sheet.actions for sheet in sheets) and not (TAG.search(text) or text.strip() in RESULT_WORDS):
        raise Invalid(f"{os.fspath(path)} has no game in PGN")  # python-chess takes any text for a game without moves
    return sheets


def _next_game(pgn: Any, file: Any, path: Any, number: int) -> Any:
    """The next game of a file, or None."""
    try:
        return pgn.read_game(file, Visitor=_silent(pgn))
    except (IndexError, ValueError, RecursionError) as error:  # what variations without end provoke in python-chess
        return _refuse(path, number, f"it cannot be read ({type(error).__name__}: {error})")


def write_pgn(path: str | os.PathLike, sheets: Iterable[Scoresheet]) -> None:
    """Write games to a file."""
    pgn = _python_chess()
    texts = []
    for number, sheet in enumerate(sheets, 1):
        game = _game(pgn, sheet, lambda reason, number=number: _refuse(path, number, reason))
        texts.append(game.accept(pgn.StringExporter(variations=False, comments=False)))
    with refusing(path), appearing(path, "t") as file:
        file.write("\n\n".join(texts) + "\n")


def _sheet(game: Any, refuse: Any) -> Scoresheet:
    if game.errors:
        refuse(" ".join(str(game.errors[0]).split()))
    tags = {name: ESCAPED.sub(r"\1", value) for name, value in game.headers.items()}
    variant = tags.get("Variant", "standard")
    if variant.lower() not in STANDARD:
        refuse(f"the rules are those of {variant}, not of chess")
    start, state = tags.pop("FEN", ""), new_state(GAME)
    tags.pop("SetUp", None)
    result = tags.pop("Result", UNKNOWN)
    if start:
        try:
            GAME.from_notation(start, state)
        except Invalid as error:
            refuse(str(error))
    actions: list[int] = []
    for move in game.mainline_moves():
        action = GAME.read(state, move.uci())
        if action < 0:
            refuse(f"{move.uci()} is not legal after {len(actions)} half-moves")
        actions.append(action)
        GAME.step(state, action)
    return Scoresheet(tuple(actions), result, tags, start)


def _game(pgn: Any, sheet: Scoresheet, refuse: Any) -> Any:
    game = pgn.Game()
    if sheet.result not in (*RESULTS.values(), UNKNOWN):
        refuse(f"a result is {', '.join(RESULTS.values())} or {UNKNOWN}, not {sheet.result}")
    if sheet.start:
        state = new_state(GAME)
        GAME.from_notation(sheet.start, state)
        game.setup(GAME.notation(state))
        game.headers["FEN"] = sheet.start
    for name, value in sheet.tags.items():
        if name in OWN_TAGS:
            refuse(f"a scoresheet has no tag {name}: its fields start and result say from where and how it went")
        if "\n" in str(value) or "\r" in str(value):
            refuse(f"a tag cannot be written: {name} has more than one line")
        try:
            str(value).encode()  # which refuses half a sign
            game.headers[name] = re.sub(r'(["\\])', r"\\\1", str(value))
        except ValueError as error:
            refuse(f"a tag cannot be written: {error}")
    game.headers["Result"] = sheet.result
    node, board = game, game.board()
    for played, action in enumerate(sheet.actions):
        try:
            node = node.add_variation(board.push_uci(_uci(action) or ""))
        except ValueError:
            refuse(f"action {action} is not legal after {played} half-moves")
    return game


def _uci(action: int) -> str | None:
    """The text of a move, or nothing where a number can be no move."""
    return long_label(action) if 0 <= action < MOST_ACTIONS else None


def _silent(pgn: Any) -> Any:
    class Builder(pgn.GameBuilder):
        """python-chess's own, which keeps errors with the game and prints nothing."""

        def handle_error(self, error):
            self.game.errors.append(error)

    return Builder


def _refuse(path: Any, number: int, reason: str) -> NoReturn:
    raise Invalid(f"{os.fspath(path)}, game {number}: {reason}") from None


def _python_chess() -> Any:
    try:
        import chess.pgn
    except ImportError:
        raise Invalid("python-chess is not installed: pip install chess") from None
    return chess.pgn
