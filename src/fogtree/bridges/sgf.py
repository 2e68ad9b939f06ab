"""Games of Go as SGF files, which every Go program reads and writes.

    write_sgf(game, state, "game.sgf")
    game, state = read_sgf("game.sgf")

Written are the board, komi, the position at the beginning where one was set up, all moves, and the result once the game is
over. Read is the main line; variations, comments and what else may be in a file are left out. Every move must be legal. SGF
does not say in one word whether suicide and superko are allowed, so the reader is told: `read_sgf(path, superko="none")`.

sgfmill does the reading and writing of the format: pip install 'fogtree[go]'.
"""

import os
import pathlib
from typing import Any

import numpy as np

from ..errors import Illegal, Invalid
from ..files import appearing, refusing
from ..game import new_state
from ..games.go import Go, board, text

LARGEST_FILE = 10_000_000  # bytes
GO = 1  # the number of the game in SGF's property GM


def write_sgf(game: Go, state: np.ndarray, path: str | os.PathLike, *, black: str = "", white: str = "") -> None:
    """Write a game up to this state, with the names of the players where they are given."""
    written = to_sgf(game, state, black=black, white=white)
    with refusing(path), appearing(path, "t") as file:
        file.write(written)


def read_sgf(path: str | os.PathLike, **rules: Any) -> tuple[Go, np.ndarray]:
    """The game of a file and the state after its last move; `rules` are parameters of Go that SGF does not hold."""
    try:
        if pathlib.Path(path).stat().st_size > LARGEST_FILE:
            raise Invalid(f"{os.fspath(path)} is longer than {LARGEST_FILE:,} bytes, which no game of Go is")
        written = pathlib.Path(path).read_bytes()
    except OSError as error:
        raise Invalid(f"{os.fspath(path)} cannot be read: {error.strerror or error}") from None
    try:
        return from_sgf(written, **rules)
    except Invalid as error:
        raise Invalid(f"{os.fspath(path)}: {error}") from None


def to_sgf(game: Go, state: np.ndarray, *, black: str = "", white: str = "") -> str:
    """The text of an SGF file."""
    made = _sgfmill().sgf.Sgf_game(game.side)
    root = made.get_root()
    root.set("KM", game.komi)
    for word, name in (("PB", black), ("PW", white)):
        if name:
            root.set(word, name)
    rows, first, *played = text.notation(state, game.side).split()
    placed: dict[str, set] = {"X": set(), "O": set()}
    for row, line in enumerate(text.unpack(rows, game.side)):
        for column, mark in enumerate(line):
            if mark in placed:
                placed[mark].add((row, column))
    if placed["X"] or placed["O"] or first != "b":
        root.set_setup_stones(placed["X"], placed["O"])
        root.set("PL", first)
    if state[board.ENDED]:
        root.set("RE", result(game, state))
    colour = first
    for vertex in played:
        action = text.action_of(vertex, game.side)
        where = None if action == game.side * game.side else divmod(action, game.side)
        made.extend_main_sequence().set_move(colour, where)
        colour = "w" if colour == "b" else "b"
    return made.serialise().decode("utf-8")


def from_sgf(written: bytes | str, **rules: Any) -> tuple[Go, np.ndarray]:
    """The game of an SGF text and the state after its last move."""
    sgfmill = _sgfmill()
    try:
        found = sgfmill.sgf.Sgf_game.from_bytes(written.encode() if isinstance(written, str) else written)
        root = found.get_root()
        side, komi, setup = found.get_size(), found.get_komi(), root.get_setup_stones()
        kind, handicap, turn = (root.get(word) if root.has_property(word) else None for word in ("GM", "HA", "PL"))
        game = Go(**{"side": side, "komi": komi, **rules})
        moves = sgfmill.sgf_moves.get_setup_and_moves(found)[1]
    except Invalid:
        raise
    except (ValueError, KeyError, IndexError) as error:
        reason = " ".join(str(error).split())  # it may quote lines of the file
        reason = reason or "it has a point that is not on its board, or a word that is no colour"
        raise Invalid(f"this is no SGF file of a game of Go: {reason}") from None
    if kind not in (None, GO):
        raise Invalid(f"this is no SGF file of a game of Go: its property GM says {kind}, and Go is {GO}")
    if game.side != side:
        raise Invalid(f"the board of this file is {side} points wide, not {game.side}")
    state = new_state(game)
    first = turn or (moves[0][0] if moves else "w" if handicap else "b")
    rows = [["."] * side for _ in range(side)]
    for mark, points in zip("XO", setup, strict=False):
        for row, column in points:
            rows[row][column] = mark
    text.set_up(game, ["".join(row) for row in rows], first, state)
    for number, (colour, where) in enumerate(moves, 1):
        mover = int(state[board.TURN])
        if colour != text.COLOURS[mover]:
            raise Invalid(f"move {number} is made out of turn: it is {text.NAMES[mover]}'s")
        action = side * side if where is None else where[0] * side + where[1]
        try:
            action = text.read(game, state, text.vertex(action, side))
        except Illegal as error:
            raise Invalid(f"move {number} is not legal: {error}") from None
        with np.errstate(over="ignore"):  # views may be hashes, which wrap round
            game.step(state, action)
    return game, state


def result(game: Go, state: np.ndarray) -> str:
    """The score of a finished game as people write it: B+3.5, W+0.5 or 0."""
    lead = float(state[board.SCORE]) - game.komi
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


def _sgfmill() -> Any:
    try:
        import sgfmill.sgf
        import sgfmill.sgf_moves
    except ImportError:
        raise Invalid("sgfmill is not installed, which reads and writes SGF: pip install 'fogtree[go]'") from None
    return sgfmill
