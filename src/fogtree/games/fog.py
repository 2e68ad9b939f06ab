"""What may stand in the fog of fog-of-war chess: men of the other side on squares that a player does not see.

A world is drawn that agrees with what the player sees now, and with what follows from all that the player has seen:

* how many men the other still has: those of the set-up without those taken. A man that is one too many for the set-up was a
  pawn. Of the pawns that are hidden any may have been promoted out of sight; most worlds have few of those;
* how many moves the other has made. Every man that stands elsewhere than at the start has cost a move, a promoted pawn as
  many as it needs to cross the board, and king and rook together only one if the other has castled. Where a game begins
  with a position that somebody typed, nobody knows what was played before, and a man may stand anywhere;
* a square straight ahead of an own pawn that is not seen holds a man; one slanting ahead that is not seen holds none; and a
  king that may castle sees whether the way is free;
* king and rooks that stand at home may have moved and come back, so that the right to castle is lost.

Every world that a player with a perfect memory holds possible can be drawn. So can others: a state keeps of what was seen
earlier nothing but a hash and these counts.
"""

import numpy as np

from .. import dice
from ..kernels.bits import count, lowest
from .chess.boards import ONE, PAWN, THIRD, bit, forward
from .chess.moves import KINGS, KNIGHTS, PAWNS, QUEENS, RIGHTS, ROOKS, SIDE, WHITE_LONG, WHITE_SHORT, ZERO, board

BITS = 8  # of a count in a word
MOST = (1 << BITS) - 1
KINDS = KINGS + 1
SELDOM = 3  # once in so many times a hidden pawn was promoted, and then another; or a right to castle was lost
CASTLING = 3  # the king's move, and one of each man between king and rook, unless he was taken
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


def men_in(stock):
    """How many men are in a stock."""
    men = 0
    for kind in range(KINDS):
        men += many(stock, kind)
    return men


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
    """The kind of a man drawn from a stock; only kinds from `least` on, of which there is one."""
    left = 0
    for kind in range(least, KINDS):
        left += many(stock, kind)
    left = dice.below(random, left)
    for kind in range(least, KINGS):
        left -= many(stock, kind)
        if left < 0:
            return kind
    return KINGS


def fill(state, me, stock, moves, seen, walls, ends, home, steps, random):
    """Rewrite the men of the other side that the player does not see. `stock` is what the other has left, `moves` how many
    moves the other may have made, `home` the sets of men of the set-up, by kind and by side, and `steps` how many moves a
    pawn needs at least to be promoted."""
    other = 1 - me
    needed = held(state, me, seen, walls, random)
    free = ~(seen | walls | barred(state, me, seen))
    stay = np.uint64(home[SIDE + other])  # where men may stand who have never moved
    castlings = 0
    if walls == ZERO and moves + count(stay) - men_in(stock) >= CASTLING and dice.below(random, 2):
        left_by = castled(state, other, seen, home, random)
        stay &= ~left_by
        castlings = 1 if left_by else 0
    stock = hidden_men(state, me, stock, seen)
    left = moves + castlings - forget(state, me, seen, home)  # so many hidden men may have left those squares

    pawns = many(stock, PAWNS)
    promoted = max(0, pawns - count(free & ~ends), count(needed & ends) + pawns - men_in(stock))
    most = min(pawns, (moves - castlings) // steps, left // (steps - 1))  # a man in sight may be the one promoted
    while promoted < most and dice.below(random, SELDOM) == 0:
        promoted += 1
    for _ in range(promoted):
        kind = QUEENS if dice.below(random, 2) else KNIGHTS + dice.below(random, QUEENS - KNIGHTS)
        stock += (1 << (BITS * kind)) - (1 << (BITS * PAWNS))
    left -= promoted * (steps - 1)

    while needed:  # squares that hold a man in any case, first those on which no pawn can stand
        squares = needed & ends if needed & ends else needed
        square = squares & (~squares + ONE)
        needed ^= square
        kind = kind_at(home, stay & square)
        if square & ends == ZERO and many(stock, PAWNS) >= count(free & ~ends):
            kind = PAWNS  # they need every square that is left to them
        elif kind == KINDS or many(stock, kind) == 0 or (left > 0 and dice.below(random, 2)):
            kind = draw_kind(stock, PAWNS if square & ends == ZERO else KNIGHTS, random)
        left -= np.uint64(home[kind]) & stay & square == ZERO
        stock = put(state, other, stock, kind, square)
        free &= ~square

    at_home = 0
    for kind in range(KINDS):
        at_home += min(many(stock, kind), count(np.uint64(home[kind]) & stay & free))
    left -= men_in(stock) - at_home
    staying = at_home - dice.below(random, min(max(left, 0), at_home) + 1)
    for _ in range(staying):  # drawn from all who could
        squares = ZERO
        for kind in range(KINDS):
            if many(stock, kind):
                squares |= np.uint64(home[kind]) & stay & free
        square = draw_square(squares, random)
        stock = put(state, other, stock, kind_at(home, square), square)
        free &= ~square

    for kind in range(KINDS):  # pawns first, for they cannot stand everywhere
        for _ in range(many(stock, kind)):
            squares = free
            if kind == PAWNS:
                squares &= ~ends
                if squares & ~(np.uint64(home[PAWNS]) & stay):
                    squares &= ~(np.uint64(home[PAWNS]) & stay)
            square = draw_square(squares, random)
            stock = put(state, other, stock, kind, square)
            free &= ~square
    if walls == ZERO:
        draw_rights(state, other, moves, random)


def castled(state, player, seen, home, random):
    """The places of the king and of a rook that castled, or none if what is seen speaks against it."""
    men = np.uint64(home[SIDE + player])
    standing = board(state, SIDE + player) & seen
    king, corners = np.uint64(home[KINGS]) & men, np.uint64(home[ROOKS]) & men & ~(standing & board(state, ROOKS))
    if standing & board(state, KINGS) & king or corners == ZERO:
        return ZERO
    return king | draw_square(corners, random)


def forget(state, me, seen, home):
    """Take all hidden men of the other off the board. Returns how many men in sight stand elsewhere than at the start."""
    other, away = 1 - me, 0
    visible, foe = board(state, SIDE + me) | seen, board(state, SIDE + other) & seen
    for kind in range(KINDS):
        away += count(board(state, kind) & foe & ~(np.uint64(home[kind]) & np.uint64(home[SIDE + other])))
        state[kind] = np.int64(board(state, kind) & visible)
    state[SIDE + other] = np.int64(foe)
    return away


def kind_at(home, square):
    """The kind of the man who stands on a square in the set-up, or KINDS."""
    for kind in range(KINDS):
        if np.uint64(home[kind]) & square:
            return kind
    return KINDS


def put(state, player, stock, kind, square):
    """Set up a man of the stock, and return what is left of it."""
    state[kind] = np.int64(board(state, kind) | square)
    state[SIDE + player] = np.int64(board(state, SIDE + player) | square)
    return without(stock, kind)


def draw_rights(state, player, moves, random):
    """The rights to castle of a player whose king and rooks stand at home, unless they have moved and come back."""
    men, side, rights = board(state, SIDE + player), 56 * player, 0
    if board(state, KINGS) & men & bit(4 + side):
        if board(state, ROOKS) & men & bit(7 + side):
            rights |= WHITE_SHORT
        if board(state, ROOKS) & men & bit(side):
            rights |= WHITE_LONG
    if rights and moves > 1 and dice.below(random, SELDOM) == 0:
        rights &= dice.below(random, WHITE_SHORT | WHITE_LONG)
    state[RIGHTS] = (state[RIGHTS] & ~(3 << 2 * player)) | rights << 2 * player
