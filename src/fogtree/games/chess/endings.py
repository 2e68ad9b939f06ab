"""The endings of chess that have tables: all of three men, and all of four men without pawns.

An ending is named by its men, those of the stronger side first: KBNK is king, bishop and knight against king. A position has
the colours exchanged where Black is the stronger side, and is turned and reflected until White's king stands in the
triangle a1 d1 d4, or with a pawn on the board on one of the files a to d. Its number is made of the squares of the men and of
who is to move:

    number = first + ((king of the stronger * 64 + other king) * 64 + first man) * 64 + second man) * 2 + turn

King against king, alone or with one bishop or knight, is no ending here: the rules say that it is drawn. Positions in which
somebody may castle or take in passing have no number.
"""

import itertools
from typing import NamedTuple

import numpy as np

from ...endings import OUTSIDE
from ...errors import Invalid
from ...game import NONE
from ...kernels.bits import count, lowest
from . import moves
from .boards import ENDS, KING, ONE, bit
from .moves import CHECKERS, CLOCK, FIFTY, KINGS, NOWHERE, PASSING, PAWNS, PLY, RIGHTS, SIDE, TURN, ZERO

LETTERS = "PNBRQ"  # by kind of man
KINDS, NO_MAN = 5, 10  # a man is its kind, and KINDS more for Black; NO_MAN stands where there is none
MEN = 2  # beside the kings, at most
STRENGTH = "QRBNP"  # names put stronger men first
THREE = ("KQK", "KRK", "KPK")
FOUR = tuple(f"K{a}{b}K" for a, b in itertools.combinations_with_replacement("QRBN", 2)) + tuple(
    f"K{a}K{b}" for a, b in itertools.combinations_with_replacement("QRBN", 2)
)
GROUPS = {"three": THREE, "four": (*THREE, *FOUR), "all": (*THREE, *FOUR)}


def _slots() -> np.ndarray:
    """[without or with pawns, square] the place of the stronger king among those where it may stand, or NONE."""
    table = np.full((2, 64), NONE)
    for square in range(64):
        rank, file = divmod(square, 8)
        if file < 4:
            table[1, square] = 4 * rank + file
            if rank <= file:
                table[0, square] = rank * 4 + file - rank * (rank + 1) // 2
    return table


SLOT = _slots()
SLOTS = (10, 32)
SQUARE = np.array(
    [[np.flatnonzero(SLOT[p] == slot)[0] if slot < SLOTS[p] else 0 for slot in range(32)] for p in (0, 1)]
)


class Endings(NamedTuple):
    """The places of some endings; `endings_of` makes them."""

    stage: np.ndarray  # [man, man] the stage of an ending with these men, the smaller number first, or NONE
    man: np.ndarray  # [stage, 2] its men
    first: np.ndarray  # [stage + 1] the first number of each stage
    pawns: np.ndarray  # [stage] 1 where there are any

    def stages(self):
        sizes = np.diff(self.first).tolist()
        return [(_name(*pair), size) for pair, size in zip(self.man.tolist(), sizes, strict=True)]

    def version(self):
        return 1

    def patience(self, game, state):
        return FIFTY - state[CLOCK]

    def number(self, game, state):
        return number_of(state, self.stage, self.first, self.pawns)

    def place(self, game, number, state):
        stage = 0
        while number >= self.first[stage + 1]:  # numbers lie below the last of these
            stage += 1
        return set_up(state, number - self.first[stage], self.man[stage, 0], self.man[stage, 1], self.pawns[stage])


# Plain functions of what they need, for methods are copied into all their callers.


def number_of(state, stages, first, pawned):
    """The number of a state, or OUTSIDE."""
    kings, men = moves.board(state, KINGS), moves.board(state, SIDE) | moves.board(state, SIDE + 1)
    rest = men ^ kings
    if count(rest) > MEN or rest == ZERO or state[RIGHTS] or state[PASSING] != NOWHERE:
        return OUTSIDE
    here, there, two = lowest(rest), 0, NO_MAN
    one = man_on(state, here)
    rest &= rest - ONE
    if rest:
        there = lowest(rest)
        two = man_on(state, there)
    flip = 0
    stage = stages[min(one, two), max(one, two)]
    if stage == NONE:
        flip = 1
        one, two = other_colour(one), other_colour(two)
        stage = stages[min(one, two), max(one, two)]
        if stage == NONE:
            return OUTSIDE
    if one > two:
        one, two, here, there = two, one, there, here
    strong = lowest(kings & moves.board(state, SIDE + flip))
    weak = lowest(kings & moves.board(state, SIDE + 1 - flip))
    change = 56 * flip  # exclusive or reflects: 56 exchanges the ranks, 7 the files
    if strong & 7 > 3:
        change ^= 7
    pawns = pawned[stage]
    if not pawns and (strong ^ change) >> 3 > 3:
        change ^= 56
    strong, weak, here, there = strong ^ change, weak ^ change, here ^ change, there ^ change
    number = pack(pawns, one, two, strong, weak, here, there)
    if not pawns and strong >> 3 >= strong & 7:  # on the diagonal or above it
        mirrored = pack(pawns, one, two, turned(strong), turned(weak), turned(here), turned(there))
        number = mirrored if strong >> 3 > strong & 7 else min(mirrored, number)
    return first[stage] + number * 2 + (state[TURN] ^ flip)


def pack(pawns, one, two, strong, weak, here, there):
    """The number of men on these squares."""
    number = SLOT[pawns, strong] * 64 + weak
    if two == NO_MAN:
        return number * 64 + here
    if one == two and here > there:
        here, there = there, here
    return (number * 64 + here) * 64 + there


def set_up(state, rest, one, two, pawns):
    """Write the position of a number inside its stage; False where there is none."""
    turn, rest, there = rest & 1, rest >> 1, 0
    if two != NO_MAN:
        there, rest = rest & 63, rest >> 6
    here, rest = rest & 63, rest >> 6
    weak, strong = rest & 63, SQUARE[pawns, rest >> 6]
    if KING[strong] & bit(weak):
        return False
    for word in range(SIDE + 2):
        state[word] = 0
    state[KINGS] = np.int64(bit(strong) | bit(weak))
    state[SIDE], state[SIDE + 1] = np.int64(bit(strong)), np.int64(bit(weak))
    put(state, one, here)
    if two != NO_MAN:
        put(state, two, there)
    men = moves.board(state, SIDE) | moves.board(state, SIDE + 1)
    if count(men) != 3 + (two != NO_MAN) or moves.board(state, PAWNS) & ENDS:
        return False
    state[RIGHTS], state[PASSING], state[CLOCK], state[PLY] = 0, NOWHERE, 0, turn
    state[TURN] = 1 - turn
    moves.look(state)
    if state[CHECKERS]:  # the mover could take a king
        return False
    state[TURN] = turn
    moves.begin(state)
    return True


def man_on(state, square):
    """The man on a square: its kind, and KINDS more for Black."""
    there, found = bit(square), 0
    for kind in range(KINDS):
        if moves.board(state, kind) & there:
            found = kind
    return found if moves.board(state, SIDE) & there else found + KINDS


def other_colour(man):
    """The same man of the other side."""
    if man == NO_MAN:
        return man
    return man - KINDS if man >= KINDS else man + KINDS


def turned(square):
    """The square on the other side of the diagonal from a1 to h8."""
    return (square & 7) * 8 + (square >> 3)


def put(state, man, square):
    """Set up a man."""
    black = man >= KINDS
    kind = man - KINDS if black else man
    state[kind] = np.int64(moves.board(state, kind) | bit(square))
    state[SIDE + black] = np.int64(moves.board(state, SIDE + black) | bit(square))


# --- by name ----------------------------------------------------------------------------------------------------------


def endings_of(which: str = "three") -> Endings:
    """The places of endings: `three` for all of three men, `four` for these and all of four men without pawns, or names
    such as KBNK or KQKR+KBNK. What captures and promotions lead to is added."""
    wanted: dict[str, None] = {}
    for word in str(which).replace(",", "+").split("+"):
        word = word.strip()
        if word.lower() in GROUPS:
            wanted |= dict.fromkeys(GROUPS[word.lower()])
            continue
        name = _sorted_name(word.upper())
        if name not in GROUPS["all"]:
            raise Invalid(
                f"there is no endgame table '{word}': valid are three, four, and men as in KQK or KRKN, at most four of "
                "them, and no pawns among four"
            )
        wanted |= dict.fromkeys([*(part for part in GROUPS["all"] if _leads_to(name, part)), name])
    names = [name for name in (*THREE, *FOUR) if name in wanted]
    stage, man, size = np.full((NO_MAN + 1, NO_MAN + 1), NONE), [], []
    for at, name in enumerate(names):
        pair = _men(name)
        stage[pair] = at
        man.append(pair)
        size.append(SLOTS["P" in name] * 64 ** len(name.replace("K", "")) * 64 * 2)
    first = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    return Endings(stage, np.array(man), first, np.array([int("P" in name) for name in names]))


def _men(name: str) -> tuple[int, int]:
    """The men of an ending beside the kings, the smaller number first."""
    white, black = name[1:].split("K")
    men = [LETTERS.index(letter) for letter in white] + [KINDS + LETTERS.index(letter) for letter in black]
    return tuple(sorted([*men, NO_MAN][:MEN]))  # type: ignore[return-value]


def _name(one: int, two: int) -> str:
    men = [man for man in (one, two) if man != NO_MAN]
    sides = ["".join(LETTERS[man % KINDS] for man in men if man // KINDS == side) for side in (0, 1)]
    return "".join("K" + "".join(sorted(side, key=STRENGTH.index)) for side in sides)


def _sorted_name(word: str) -> str:
    """The name of an ending with its men in our order; the word itself where it is no such name."""
    if word[:1] != "K" or word.count("K") != 2 or set(word) - set("K" + LETTERS):
        return word
    sides = [sorted(side, key=STRENGTH.index) for side in word[1:].split("K")]
    sides.sort(key=lambda side: (-len(side), [STRENGTH.index(man) for man in side]))
    return "".join("K" + "".join(side) for side in sides)


def _leads_to(name: str, part: str) -> bool:
    """Whether a capture or a promotion may lead from one ending to another."""
    if len(part) != 3:
        return False
    return "P" in name or (len(name) == 4 and part[1] in name)
