"""What people read and write in chess: the board, moves as SAN and as UCI's long algebraic notation, positions as FEN.

FEN is read strictly: a text that is no FEN, and a position that no game can reach for a simple reason, are refused in one
sentence. The square that a pawn has passed is written only where a pawn may legally take it there, as python-chess does;
other programs always write it, and both are read.
"""

import functools
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ... import shapes
from ...errors import Invalid
from ...game import NONE
from ...kernels import kernel
from ...kernels.bits import count, lowest
from . import moves
from .boards import DARK, KING, bit

UNSEEN = "?"  # a square that a player does not see
LETTERS = "PNBRQK"
FILES, RANKS = "abcdefgh", "12345678"
SQUARES = [file + rank for rank in RANKS for file in FILES]
CASTLING = {"K": moves.WHITE_SHORT, "Q": moves.WHITE_LONG, "k": moves.BLACK_SHORT, "q": moves.BLACK_LONG}
CORNERS = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}  # where king and rook stand
COLOUR = ("White", "Black")
FIELDS = "the men, who moves, castling, the square passed by a pawn, the clock and the number of the move"
SAN = re.compile(r"([NBRQK])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:[=/]?\(?([NBRQnbrq])\)?)?(?: ?e\.?p\.?)?")
CASTLES = re.compile(r"[O0o]-?[O0o](-?[O0o])?")
ENDINGS = {
    moves.MATE: "mate",
    moves.STALEMATE: "a draw: stalemate",
    moves.QUIET: "a draw: a hundred half-moves without a capture or a move of a pawn",
    moves.REPEATED: "a draw: the same position for the third time",
    moves.DEAD: "a draw: nobody can give mate",
}
PLAIN, CHECK, CHECKMATE = 0, 1, 2  # what a move does
SUFFIX = ("", "+", "#")


# --- the board ----------------------------------------------------------------------------------------------------


def letters(state: np.ndarray) -> list[str]:
    """[square] the letter of the man on it, capital for White, or a dot."""
    found = ["."] * 64
    for player in (0, 1):
        for kind, letter in enumerate(LETTERS):
            for square in squares_of(moves.board(state, kind) & moves.board(state, moves.SIDE + player)):
                found[square] = letter.lower() if player else letter
    return found


def squares_of(word: np.uint64) -> list[int]:
    """The numbers of the squares of a set."""
    return [square for square in range(64) if int(word) >> square & 1]


def show(state: np.ndarray) -> str:
    """The board as White sees it, and whose move it is."""
    men = letters(state)
    lines = [f"{rank + 1} {' '.join(men[8 * rank : 8 * rank + 8])}" for rank in range(7, -1, -1)]
    mover, result = COLOUR[state[moves.TURN]], int(state[moves.RESULT])
    if result == moves.OPEN:
        last = f"{mover} to move{', in check' if state[moves.CHECKERS] else ''}"
    else:
        last = f"{mover} is mated" if result == moves.MATE else ENDINGS[result]
    return "\n".join([*lines, f"  {' '.join(FILES)}", last])


MEN = dict(
    zip("KQRBNP", (shapes.KING, shapes.QUEEN, shapes.ROOK, shapes.BISHOP, shapes.KNIGHT, shapes.PAWN), strict=True)
)
TONES = (shapes.WHITE, shapes.BLACK)  # [player]


def draw(men: list[str], size: int, player: int, checked: str = "") -> list[Any]:
    """Squares with men; those that the player does not see are grey. Black sees the board from the other side. `checked` is
    the letter of the king in check."""
    made: list[Any] = []
    step = 1 if player == 1 else -1
    for square, man in enumerate(men):
        rank, file = divmod(square, 8)
        if rank < size and file < size:
            x, y = (size - 1 - file, rank) if player == 1 else (file, size - 1 - rank)
            tone = shapes.HIDDEN if man == UNSEEN else shapes.LIGHT if (rank + file) % 2 else shapes.DARK
            made.append(shapes.Cell(x, y, tone=tone, place=SQUARES[square]))
            if man == checked:
                made.append(shapes.Mark(x, y, shapes.CHECK, place=SQUARES[square]))
            if man.upper() in MEN:
                made.append(shapes.Man(x, y, MEN[man.upper()], TONES[man.islower()], place=SQUARES[square]))
    return made + shapes.coordinates(FILES[:size][::-step], RANKS[:size][::step])


def path(action: int, player: int) -> tuple[Any, ...]:
    """Where a move begins and ends, and what a pawn becomes; castling is the king's move."""
    ends, promoted = (SQUARES[int(action) >> 6 & 63], SQUARES[int(action) & 63]), int(action) >> 12
    return (*ends, shapes.Man(0, 0, MEN[LETTERS[promoted]], TONES[player])) if promoted else ends


# --- moves --------------------------------------------------------------------------------------------------------

SHARE = 0.0005  # 1.5 ms a position, interpreted, of the 3 s that compiling takes


@kernel
def _list_effects(state, action, effect, child):
    """Write the legal moves and what each does; returns how many."""
    found = moves.generate(state, ~moves.ZERO, action)
    for i in range(found):
        for word in range(moves.KEYS):
            child[word] = state[word]
        moves.move(child, action[i])
        effect[i] = PLAIN
        if child[moves.CHECKERS]:
            effect[i] = CHECKMATE if moves.stuck(child) else CHECK
    return found


@functools.lru_cache(maxsize=64)
def _names(words: bytes) -> dict[int, str]:
    """The legal moves of a position with their names in SAN."""
    state, child = np.frombuffer(words, np.int64).copy(), np.zeros(moves.KEYS, np.int64)
    action, effect = np.zeros(256, np.int64), np.zeros(256, np.int64)
    total = _list_effects.briefly(SHARE, state, action, effect, child)
    actions, men = action[:total].tolist(), letters(state)
    return {
        action: san(action, actions, men) + SUFFIX[does]
        for action, does in zip(actions, effect[:total].tolist(), strict=True)
    }


def san(action: int, actions: list[int], men: list[str]) -> str:
    """The name of an action among others, without a sign for check."""
    origin, target, promoted = action >> 6 & 63, action & 63, action >> 12
    letter = men[origin].upper()
    if letter == "K" and abs(target - origin) == 2:
        return "O-O" if target > origin else "O-O-O"
    takes = "x" if men[target] != "." or (letter == "P" and (target - origin) % 8) else ""
    if letter == "P":
        line = FILES[origin % 8] if takes else ""
        return f"{line}{takes}{SQUARES[target]}{'=' + LETTERS[promoted] if promoted else ''}"
    rivals = [other >> 6 & 63 for other in actions if other & 63 == target and men[other >> 6 & 63] == men[origin]]
    rivals.remove(origin)
    which = ""
    if rivals:
        if all(rival % 8 != origin % 8 for rival in rivals):
            which = FILES[origin % 8]
        elif all(rival // 8 != origin // 8 for rival in rivals):
            which = RANKS[origin // 8]
        else:
            which = SQUARES[origin]
    return f"{letter}{which}{takes}{SQUARES[target]}"


def label(state: np.ndarray, action: int) -> str:
    """A move in SAN."""
    return _names(state[: moves.KEYS].tobytes()).get(int(action)) or long_label(action)


def long_label(action: int) -> str:
    """A move in UCI's notation: e2e4, e7e8q; castling is the king's move."""
    action = int(action)
    promoted = action >> 12
    return SQUARES[action >> 6 & 63] + SQUARES[action & 63] + (LETTERS[promoted].lower() if promoted else "")


def read(state: np.ndarray, typed: str) -> int:
    """The legal move that a text names, in SAN or in UCI's notation; NONE where there is none, or more than one."""
    return find_move(typed, _names(state[: moves.KEYS].tobytes()), letters(state))


def find_move(typed: str, names: dict[int, str], men: list[str]) -> int:
    """The one action among those with names that a text means, or NONE."""
    bare = typed.strip().rstrip("+#!?")
    for action, name in names.items():
        if bare == name.rstrip("+#"):
            return action
    if castles := CASTLES.fullmatch(bare):
        wanted = "O-O-O" if castles[1] else "O-O"
        return next((action for action, name in names.items() if name.rstrip("+#") == wanted), NONE)
    if not (said := SAN.fullmatch(bare)):
        return NONE
    letter, file, rank, goal, promoted = said.groups()
    if letter is None and not (file and rank):
        letter = "P"
    fitting = [
        action
        for action in names
        if SQUARES[action & 63] == goal
        and (letter is None or men[action >> 6 & 63].upper() == letter)
        and (file is None or FILES[action >> 6 & 7] == file)
        and (rank is None or RANKS[action >> 9 & 7] == rank)
        and (LETTERS[action >> 12] if action >> 12 else None) == (promoted and promoted.upper())
    ]
    return fitting[0] if len(fitting) == 1 else NONE


# --- positions ----------------------------------------------------------------------------------------------------


def notation(state: np.ndarray, size: int = 8) -> str:
    """The position as a FEN, on a board of so many ranks and files."""
    rights = "".join(letter for letter, right in CASTLING.items() if state[moves.RIGHTS] & right) or "-"
    passing = "-" if state[moves.PASSING] == moves.NOWHERE else SQUARES[state[moves.PASSING]]
    placed = placement(letters(state), size)
    clock, number = state[moves.CLOCK], state[moves.PLY] // 2 + 1
    return f"{placed} {'wb'[state[moves.TURN]]} {rights} {passing} {clock} {number}"


def placement(men: list[str], size: int) -> str:
    """The first field of a FEN, from the letters on the squares."""
    rows = ["".join(men[8 * rank : 8 * rank + size]) for rank in range(size - 1, -1, -1)]
    return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)


def from_notation(fen: str, state: np.ndarray) -> None:
    """Write the position of a FEN, with or without its last two fields. What happened before it is not known."""
    found, refuse = np.zeros(len(state), np.int64), refusal(fen)
    set_up(fen, found, refuse)
    _count_men(found, refuse)
    first, second = (
        lowest(moves.board(found, moves.KINGS) & moves.board(found, moves.SIDE + player)) for player in (0, 1)
    )
    if KING[first] & bit(second):
        refuse("the kings stand side by side")
    found[moves.TURN] ^= 1
    moves.look(found)
    if found[moves.CHECKERS]:
        refuse(f"{COLOUR[found[moves.TURN]]} has just moved and is in check")
    found[moves.TURN] ^= 1
    moves.look(found)
    if count(moves.board(found, moves.CHECKERS)) > 2:
        refuse("three men give check at once")
    moves.begin(found)
    state[:] = found


def refusal(fen: str) -> Callable[[str], NoReturn]:
    """What to call with the reason why a FEN is no position."""

    def refuse(reason: str) -> NoReturn:
        raise Invalid(f"'{' '.join(fen.split())}' is no position of chess: {reason}")

    return refuse


def set_up(fen: str, state: np.ndarray, refuse: Callable[[str], NoReturn], size: int = 8) -> None:
    """Write the fields of a FEN into a state of zeros: men, turn, rights, the square passed over, clock and move number."""
    fields = fen.split()
    if len(fields) not in (4, 6):
        refuse(f"a FEN has six fields ({FIELDS}), of which the last two may be left out, not {len(fields)}")
    placed, turn, rights, passing, clock, number = [*fields, "0", "1"][:6]
    _place(placed, state, refuse, size)
    if turn not in ("w", "b"):
        refuse(f"w or b is to move, not {turn}")
    state[moves.TURN] = "wb".index(turn)
    for player, who in enumerate(COLOUR):
        if (kings := count(moves.board(state, moves.KINGS) & moves.board(state, moves.SIDE + player))) != 1:
            refuse(f"{who} has {kings} kings instead of 1")
        ends = {8 * rank + file for rank in (0, size - 1) for file in range(size)}
        if ends & set(squares_of(moves.board(state, moves.PAWNS) & moves.board(state, moves.SIDE + player))):
            refuse(f"{who} has a pawn on the first or the last rank")
    state[moves.RIGHTS] = _castling(rights, state, refuse)
    state[moves.PASSING] = _passed(passing, state, refuse)
    if not (clock.isdecimal() and clock.isascii() and int(clock[:9]) <= moves.FIFTY):
        refuse(f"the clock of half-moves is a whole number from 0 to {moves.FIFTY}, not {clock}")
    if not (number.isdecimal() and number.isascii() and 1 <= int(number[:9]) < 10**6):
        refuse(f"the number of the move is a whole number from 1 to 999999, not {number}")
    state[moves.CLOCK], state[moves.PLY] = int(clock), 2 * (int(number) - 1) + state[moves.TURN]


def _place(placed, state, refuse, size):
    rows = placed.split("/")
    if len(rows) != size:
        refuse(f"the men stand on {size} ranks, not {len(rows)}")
    for rank, row in zip(range(size - 1, -1, -1), rows, strict=True):
        file = 0
        if re.search("[1-8][1-8]", row):
            refuse(f"rank {rank + 1} has two numbers side by side")
        for letter in row:
            if letter in "12345678":
                file += int(letter)
                continue
            kind = LETTERS.find(letter.upper())
            if kind < 0 or not letter.isascii():
                refuse(f"'{letter}' is no man: valid are {LETTERS} for White and {LETTERS.lower()} for Black")
            if file < size:
                man = np.int64(bit(8 * rank + file))
                state[kind] |= man
                state[moves.SIDE + letter.islower()] |= man
            file += 1
        if file != size:
            refuse(f"rank {rank + 1} has {file} squares instead of {size}")


def _count_men(state, refuse):
    for player, who in enumerate(COLOUR):
        own = moves.board(state, moves.SIDE + player)
        pawns, knights, bishops, rooks, queens, _ = (own & moves.board(state, kind) for kind in range(moves.NO_MAN))
        if count(pawns) > 8:
            refuse(f"{who} has {count(pawns)} pawns, and 8 is the most")
        extra = [count(queens) - 1, count(rooks) - 2, count(knights) - 2]
        extra += [count(bishops & DARK) - 1, count(bishops & ~DARK) - 1]
        promoted = sum(max(0, more) for more in extra)
        if promoted > 8 - count(pawns):
            refuse(f"{who} has {promoted} promoted men, but only {8 - count(pawns)} pawns are missing")


def _castling(text, state, refuse) -> int:
    if text == "-":
        return 0
    if len(set(text)) < len(text) or not set(text) <= set(CASTLING):
        refuse(f"castling rights are - or some of KQkq, not {text}")
    for letter in text:
        player = int(letter.islower())
        own = moves.board(state, moves.SIDE + player)
        for kind, square in zip((moves.KINGS, moves.ROOKS), CORNERS[letter], strict=True):
            if not int(own & moves.board(state, kind)) >> square & 1:
                what = "king" if kind == moves.KINGS else "rook"
                refuse(
                    f"{COLOUR[player]} cannot have the right to castle {letter} without a {what} on {SQUARES[square]}"
                )
    return sum(CASTLING[letter] for letter in text)


def _passed(text, state, refuse) -> int:
    if text == "-":
        return moves.NOWHERE
    if text not in SQUARES:
        refuse(f"the square passed by a pawn is - or a square, not {text}")
    square, me = SQUARES.index(text), int(state[moves.TURN])
    if square // 8 != (2 if me else 5):
        refuse(f"a pawn that {COLOUR[me]} may take in passing passes a square of rank {3 if me else 6}, not {text}")
    ahead, behind = square ^ 8, square + (-8 if me else 8)
    men = moves.board(state, moves.SIDE) | moves.board(state, moves.SIDE + 1)
    if not int(moves.board(state, moves.SIDE + 1 - me) & moves.board(state, moves.PAWNS)) >> ahead & 1:
        refuse(f"no pawn on {SQUARES[ahead]} has passed {text}")
    if int(men) >> square & 1 or int(men) >> behind & 1:
        refuse(f"a pawn cannot have passed {text}, for {SQUARES[square]} and {SQUARES[behind]} must be free")
    return square
