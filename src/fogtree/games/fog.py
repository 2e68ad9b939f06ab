"""What may stand in the fog of fog-of-war chess: men of the other side on squares that a player does not see.

A world is drawn that agrees with what the player sees now and with these counts, which follow from what the player has seen:

* how many men of each kind the other still has: those of the set-up without those taken. A man that is one too many for the
  set-up was a pawn; of a promotion that was not seen the player knows nothing;
* how many moves the other has made: so many men, at most, stand elsewhere than at the start, those in sight included;
* a square straight ahead of an own pawn that is not seen holds a man; one slanting ahead that is not seen holds none; and a
  king that may castle sees whether the way is free.

The world need not agree with what the player saw earlier, for a state keeps of that nothing but a hash. So it may be one that
a player with a perfect memory can rule out.
"""

import numpy as np

from .. import dice
from ..kernels.bits import count, lowest
from .chess.boards import ONE, PAWN, THIRD, bit, forward
from .chess.moves import (
    KINGS,
    PAWNS,
    PLY,
    QUEENS,
    RIGHTS,
    ROOKS,
    SIDE,
    WHITE_LONG,
    WHITE_SHORT,
    ZERO,
    board,
)

BITS = 8  # of a count in a word
MOST = (1 << BITS) - 1
KINDS = KINGS + 1
B1, C1, D1, F1, G1 = (np.uint64(1 << square) for square in (1, 2, 3, 5, 6))


# --- how many men are left, as a word ---------------------------------------------------------------------------------


def stock_of(state, player):
    """The men of a player by kind, packed into a word."""
    men, word = board(state, SIDE + player), 0
    for kind in range(KINDS):
        word += count(board(state, kind) & men) << (BITS * kind)
    return word


def without(stock, kind):
    """The stock after a man of this kind was seen to go. One that nobody had at the start was a pawn."""
    if (stock >> (BITS * kind)) & MOST == 0:
        kind = PAWNS
    return stock - (1 << (BITS * kind))


def many(stock, kind):
    """How many men of a kind are in a stock."""
    return (stock >> (BITS * kind)) & MOST


# --- a world ----------------------------------------------------------------------------------------------------------


def hidden_men(state, me, stock, seen):
    """The men that a player knows of and does not see."""
    foe = board(state, SIDE + 1 - me) & seen
    for kind in range(KINDS):
        men = board(state, kind) & foe
        while men:
            stock = without(stock, kind)
            men &= men - ONE
    return stock


def held(state, me, seen, walls, random):
    """Unseen squares on which a man of the other must stand."""
    own = board(state, SIDE + me)
    empty = seen & ~(own | board(state, SIDE + 1 - me))
    ahead = forward(own & board(state, PAWNS), me)
    squares = ahead & ~(seen | walls)
    if walls == ZERO:
        squares |= forward(ahead & empty & THIRD[me], me) & ~seen
        side = np.uint64(56 * me)
        rights, here = (state[RIGHTS] >> 2 * me) & 3, empty >> side
        taken, unseen = own >> side, ~seen >> side
        if rights & WHITE_SHORT and here & F1 and unseen & G1:
            squares |= G1 << side
        if rights & WHITE_LONG and here & D1 and unseen & C1 and taken & B1 == ZERO:
            if here & B1:
                squares |= C1 << side
            elif unseen & B1:
                squares |= (C1 if dice.below(random, 2) else B1) << side
    return squares


def barred(state, me, seen):
    """Unseen squares on which no man of the other can stand: an own pawn could take it there, and so would see it."""
    pawns, squares = board(state, SIDE + me) & board(state, PAWNS), ZERO
    while pawns:
        squares |= PAWN[me, lowest(pawns)]
        pawns &= pawns - ONE
    return squares & ~seen


def draw_square(squares, random):
    """One of these squares, each equally likely; there is one."""
    for _ in range(dice.below(random, count(squares))):
        squares &= squares - ONE
    return squares & (~squares + ONE)


def draw_kind(stock, least, random):
    """The kind of a man drawn from a stock; only kinds from `least` on."""
    total = 0
    for kind in range(least, KINDS):
        total += many(stock, kind)
    left = dice.below(random, total) if total else 0
    for kind in range(least, KINDS):
        left -= many(stock, kind)
        if left < 0:
            return kind
    return QUEENS  # there was none: a pawn has become a queen


def fill(state, me, stock, seen, walls, ends, home, random):
    """Rewrite the men of the other side that the player does not see. `home` are the sets of men of the set-up, by kind and
    by side. `stock` is what the other has left."""
    other = 1 - me
    needed = held(state, me, seen, walls, random)
    free = ~(seen | walls | barred(state, me, seen))
    stock = hidden_men(state, me, stock, seen)
    visible = board(state, SIDE + me) | seen
    away = 0  # men of the other that are known to stand elsewhere than at the start
    for kind in range(KINDS):
        men = board(state, kind) & visible
        foe = men & board(state, SIDE + other)
        away += count(foe & ~(np.uint64(home[kind]) & np.uint64(home[SIDE + other])))
        state[kind] = np.int64(men)
    state[SIDE + other] = np.int64(board(state, SIDE + other) & seen)

    while needed:  # squares that hold a man in any case
        square = needed & (~needed + ONE)
        needed ^= square
        kind = KINDS
        for each in range(KINDS):
            if np.uint64(home[each]) & np.uint64(home[SIDE + other]) & square and many(stock, each):
                kind = each  # most likely it has not moved
        if kind == KINDS:
            kind = draw_kind(stock, PAWNS if square & ends == ZERO else PAWNS + 1, random)
            away += 1
        stock = put(state, other, stock, kind, square)
        free &= ~square

    at_home, could_stay = 0, 0
    for kind in range(KINDS):
        at_home += min(many(stock, kind), count(np.uint64(home[kind]) & np.uint64(home[SIDE + other]) & free))
        could_stay += many(stock, kind)
    moved = (state[PLY] + (1 if other == 0 else 0)) // 2 - away - (could_stay - at_home)
    leaving = dice.below(random, min(max(moved, 0), at_home) + 1)
    for _ in range(at_home - leaving):  # those who stay at home, drawn from all who could
        squares = ZERO
        for kind in range(KINDS):
            if many(stock, kind):
                squares |= np.uint64(home[kind]) & np.uint64(home[SIDE + other]) & free
        if squares == ZERO:
            break
        square = draw_square(squares, random)
        for kind in range(KINDS):
            if np.uint64(home[kind]) & square:
                stock = put(state, other, stock, kind, square)
                break
        free &= ~square

    pawn_home = np.uint64(home[PAWNS]) & np.uint64(home[SIDE + other])
    for kind in range(KINDS):  # pawns first, for they cannot stand everywhere
        for _ in range(many(stock, kind)):
            squares, becomes = free, kind
            if kind == PAWNS:
                squares = free & ~(ends | pawn_home)
                if squares == ZERO:
                    squares = free & ~ends
                if squares == ZERO:
                    squares, becomes = free, QUEENS
            if squares == ZERO:
                break
            square = draw_square(squares, random)
            state[becomes] = np.int64(board(state, becomes) | square)
            state[SIDE + other] = np.int64(board(state, SIDE + other) | square)
            free &= ~square
    restore_rights(state, other)


def put(state, player, stock, kind, square):
    """Set up a man of the stock, and return what is left of it."""
    state[kind] = np.int64(board(state, kind) | square)
    state[SIDE + player] = np.int64(board(state, SIDE + player) | square)
    return without(stock, kind)


def restore_rights(state, player):
    """A player may castle in a world in which king and rook stand at home, for nobody can tell that they have moved."""
    men, side = board(state, SIDE + player), 56 * player
    state[RIGHTS] &= ~(3 << 2 * player)
    if board(state, KINGS) & men & bit(4 + side):
        if board(state, ROOKS) & men & bit(7 + side):
            state[RIGHTS] |= WHITE_SHORT << 2 * player
        if board(state, ROOKS) & men & bit(side):
            state[RIGHTS] |= WHITE_LONG << 2 * player
