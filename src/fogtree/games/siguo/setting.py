"""Setting up an army: which man stands where at the start.

Camps stay empty, and one man stands on every other point of the home area. The flag is in a headquarters, mines are
in the two rows at the back, and bombs are not in the front row. So there are

    2 * C(9, 3) * C(16, 2) * 19! / (2!^4 3!^3) = 709,596,419,051,520,000

ways to set up 25 men, and the cube of that is the 3.57 * 10^53 worlds of zhang2014.

Men are set one after the other, from the back to the front: the two headquarters first, then the rest of row 6, row 5
and so on. In this order, the points where a flag, a mine or a bomb may stand come first, so the first LIMIT[kind]
points are those of a kind, and what is left to set can be set exactly if it fits into what is left of these points.

Even odds over all set-ups follow from this: the flag is equally likely in each headquarters that is left; of the
other points of the back rows each is as likely to hold one of the mines that are left; and so on for bombs and for
the rest. The sensible odds multiply these by weights: mines stand beside the flag, a headquarters without the flag
holds a weak man, bombs and high ranks stand behind the front, and engineers are not in front.
"""

import enum
import math

import numpy as np

from .board import BOARDS, FOUR, GRAPHS, MEN, MOST_MEN, SMALL, TWO
from .pieces import ARMY, BOMB, FLAG, KINDS, MINE, SIGNS, SMALL_ARMY


class SetUp(enum.IntEnum):
    EVEN = 0  # drawn by chance, each legal one equally likely
    SENSIBLE = 1  # drawn by chance, as people like to set up
    CHOSEN = 2  # by the players themselves, man by man


LEFT_FIRST = "the flag is in a headquarters, mines are in the back rows, bombs not in front, and all must find room"
NARROW = 4  # bits for each kind in a word of counts
COUNT = np.zeros((BOARDS, KINDS), np.int64)  # [board, kind] men of one player
LIMIT = np.zeros((BOARDS, KINDS), np.int64)  # [board, kind] a kind may stand on so many of the first points
for _board, _army, _back, _middle in ((FOUR, ARMY, 10, 20), (TWO, ARMY, 10, 20), (SMALL, SMALL_ARMY, 3, 3)):
    COUNT[_board] = _army
    LIMIT[_board] = MEN[_board]
    LIMIT[_board, BOMB], LIMIT[_board, MINE], LIMIT[_board, FLAG] = _middle, _back, 2
WHOLE = np.array([sum(int(n) << NARROW * kind for kind, n in enumerate(army)) for army in COUNT])  # [board] all men
ALLOWED = np.zeros((BOARDS, MOST_MEN), np.int64)  # [board, man] the kinds that may stand there, as bits
for _board in range(BOARDS):
    for _man in range(MEN[_board]):
        ALLOWED[_board, _man] = sum(1 << k for k in range(KINDS) if COUNT[_board, k] and _man < LIMIT[_board, k])


def left_of(left, kind):
    """How many men of a kind are left to set, of a word of counts."""
    return (left >> (NARROW * kind)) & 15


def may_set(board, man, left, kind):
    """Whether a kind may be set on a point, so that all that is left can still be set."""
    if left_of(left, kind) == 0 or man >= LIMIT[board, kind]:
        return False
    left -= np.int64(1) << (NARROW * kind)
    flags, mines, bombs = left_of(left, FLAG), left_of(left, MINE), left_of(left, BOMB)
    after = man + 1
    if flags and after + flags > LIMIT[board, FLAG]:
        return False
    if mines and after + flags + mines > LIMIT[board, MINE]:
        return False
    return not bombs or after + flags + mines + bombs <= LIMIT[board, BOMB]


def even_odds(board, man, left, kind):
    """The probability of a kind on a point, where each set-up is equally likely."""
    flags, mines, bombs = left_of(left, FLAG), left_of(left, MINE), left_of(left, BOMB)
    flag_here = flags / max(LIMIT[board, FLAG] - man, 1) if flags else 0.0
    if kind == FLAG:
        return flag_here
    mine_here = mines / (LIMIT[board, MINE] - man - flags) if mines else 0.0
    if kind == MINE:
        return (1.0 - flag_here) * mine_here
    bomb_here = bombs / (LIMIT[board, BOMB] - man - flags - mines) if bombs else 0.0
    if kind == BOMB:
        return (1.0 - flag_here) * (1.0 - mine_here) * bomb_here
    others = MEN[board] - man - flags - mines - bombs
    return (1.0 - flag_here) * (1.0 - mine_here) * (1.0 - bomb_here) * left_of(left, kind) / others


def number_of_set_ups(board: int) -> int:
    """How many there are for one player."""
    army, limit = [int(n) for n in COUNT[board]], [int(n) for n in LIMIT[board]]
    ways, taken = 1, 0
    for kind in (FLAG, MINE, BOMB):
        ways *= math.comb(limit[kind] - taken, army[kind])
        taken += army[kind]
    rest = [n for kind, n in enumerate(army) if kind < BOMB]
    return ways * math.factorial(sum(rest)) // math.prod(math.factorial(n) for n in rest)


# --- sensible set-ups ---------------------------------------------------------------------------------------------


def kinds_of(signs: str) -> list[int]:
    """The kinds that have these signs."""
    return [SIGNS.index(sign) for sign in signs]


ROWS = (6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1)  # [man] of the large boards
SENSE = np.ones((BOARDS, 2, MOST_MEN, KINDS))  # [board, where the flag is, man, kind] times the even odds
for _board in (FOUR, TWO):
    for _flag in range(2):
        _home = GRAPHS[_board].homes[0]
        _joints = GRAPHS[_board].roads | GRAPHS[_board].rails
        for _man in range(MEN[_board]):
            _row, _weight = ROWS[_man], SENSE[_board, _flag, _man]
            if {_home[_man], _home[_flag]} in map(set, _joints):
                _weight[MINE] = 6.0  # mines around the flag
            if _row == 6:
                _weight[kinds_of("987B")] = 0.1
                _weight[kinds_of("32")] = 3.0
            if _man < 2:
                _weight[kinds_of("9876B1")] = 0.05  # locked in for the whole game
            if _row in (2, 3, 4):
                _weight[kinds_of("98B")] = 2.0
            if _row == 1:
                _weight[kinds_of("91")] = 0.2
                _weight[kinds_of("654")] = 2.0
