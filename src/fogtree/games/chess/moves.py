"""The moves of chess: the layout of a state, what is legal, and what a move changes.

Legal moves are generated directly. A state keeps which men give check and which of the mover's own men are pinned. In
check by one man, a move must take it or step between; in check by two, only the king moves; a pinned man stays on the line
through it and its king; the king goes where nobody would attack it. So no move is made only to see whether it was legal.

The square that a pawn has just passed over is kept only if a pawn can legally take it there. So the key of a position,
like the rule of repetition, tells two positions apart by it only where it matters.

An action is 64 times the square that a man leaves plus the square that it goes to, and for a promotion 4096 times the kind of
the new man more. Castling is a move of the king.
"""

import numpy as np

from ...kernels.bits import count, lowest, times
from .boards import (
    BETWEEN,
    BISHOP,
    DARK,
    ENDS,
    KING,
    KNIGHT,
    LINE,
    NINE,
    NOT_A,
    NOT_H,
    ONE,
    PAWN,
    ROOK,
    SEVEN,
    THIRD,
    bishop,
    bit,
    forward,
    knight_attacks,
    pawn_attacks,
    reached,
    rook,
)

# A state. The first six words are also the kinds of men.
PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS = range(6)  # sets of squares by kind of man
SIDE = 6  # two sets of squares by player
TURN = 8
RIGHTS = 9  # to castle
PASSING = 10  # the square on which a pawn may be taken in passing, or NOWHERE
CLOCK = 11  # half-moves since a capture or a move of a pawn
PLY = 12  # half-moves since White's first move, as the number of the move tells
KEY, VIEW = 13, 14
CHECKERS, PINNED = 15, 16  # sets of squares: men who give check | men of the mover that are pinned
RESULT = 17
KEYS = 18  # [clock] the keys of the positions since the last capture or move of a pawn; beyond the clock anything may stand
FIFTY = 100  # half-moves
WORDS = KEYS + FIFTY + 1

OPEN, MATE, STALEMATE, QUIET, REPEATED, DEAD = range(6)  # results
NOWHERE = 64
NO_MAN = 6  # the kind of man on an empty square
ZERO = np.uint64(0)

WHITE_SHORT, WHITE_LONG, BLACK_SHORT, BLACK_LONG = 1, 2, 4, 8
SHORT_FREE, SHORT_GOAL = np.uint64(0x60), np.uint64(0x40)  # for White: f1 g1 must be free, the king goes to g1
LONG_FREE, LONG_GOAL = np.uint64(0x0E), np.uint64(0x04)
RIGHTS_KEPT = np.full(64, 15)  # [square] the rights that remain after a move from it or to it
for _square, _lost in ((0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)):
    RIGHTS_KEPT[_square] &= ~_lost


def _random_words(count: int) -> np.ndarray:
    """The first numbers of splitmix64 (Steele, Lea and Flood 2014)."""
    word = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


_RANDOM = _random_words(896 + 16 + 65 + 1)
MAN_KEY = _RANDOM[:896].reshape(2, 7, 64).copy()  # [player, kind, square]
MAN_KEY[:, NO_MAN] = 0
RIGHTS_KEY = _RANDOM[896:912].copy()  # [rights]
PASSING_KEY = _RANDOM[912:977].copy()  # [square or NOWHERE]
PASSING_KEY[NOWHERE] = 0
TURN_KEY = _RANDOM[977]
VIEW_FACTOR = np.uint64(0xD1342543DE82EF95)


def board(state, word):
    """A word of the state as a set of squares."""
    return np.uint64(state[word])


# --- what is legal ------------------------------------------------------------------------------------------------


def king_targets(state, me):
    """Where the king may go to, castling included."""
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    men, kings = own | foe, board(state, KINGS)
    targets = KING[lowest(kings & own)] & ~own
    short, long = ZERO, ZERO
    rights = (state[RIGHTS] >> 2 * me) & 3
    if rights and not state[CHECKERS]:
        shift = np.uint64(56 * me)
        if rights & WHITE_SHORT and (men >> shift) & SHORT_FREE == ZERO:
            short = SHORT_GOAL << shift
        if rights & WHITE_LONG and (men >> shift) & LONG_FREE == ZERO:
            long = LONG_GOAL << shift
        targets |= short | long
    if targets == ZERO:
        return targets
    queens = board(state, QUEENS)
    straight, diagonal = foe & (board(state, ROOKS) | queens), foe & (board(state, BISHOPS) | queens)
    targets &= ~(pawn_attacks(foe & board(state, PAWNS), 1 - me) | KING[lowest(kings & foe)])
    targets &= ~knight_attacks(foe & board(state, KNIGHTS))
    men ^= kings & own  # a king does not hide behind itself
    left = targets
    while left:
        square = lowest(left)
        left &= left - ONE
        if reached(square, men, straight, diagonal):
            targets ^= bit(square)
    if short and targets & (short >> ONE) == ZERO:  # the king must not pass over an attacked square either
        targets &= ~short
    if long and targets & (long << ONE) == ZERO:
        targets &= ~long
    return targets


def evasions(state, home):
    """Where a man other than the king may go to: to any square, but in check only to the man who gives it, or between."""
    checkers = board(state, CHECKERS)
    if checkers == ZERO:
        return ~ZERO
    if checkers & (checkers - ONE):
        return ZERO
    return checkers | BETWEEN[home, lowest(checkers)]


def pawn_targets(state, me, origin, men):
    """Where a pawn goes to, without captures in passing."""
    step = forward(bit(origin), me) & ~men
    return step | (forward(step & THIRD[me], me) & ~men) | (PAWN[me, origin] & board(state, SIDE + 1 - me))


def may_pass(state, me, origin):
    """Whether a pawn on a square may take the pawn that has just passed."""
    square = state[PASSING]
    if PAWN[me, origin] & bit(square) == ZERO:
        return False
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    taken = bit(square ^ 8)
    men = ((own | foe) ^ bit(origin) ^ taken) | bit(square)
    queens = board(state, QUEENS)
    straight, diagonal = foe & (board(state, ROOKS) | queens), foe & (board(state, BISHOPS) | queens)
    # the capture may uncover a slider, and it must do away with every other check
    others = board(state, CHECKERS) & ~(taken | straight | diagonal)
    return others == ZERO and reached(lowest(board(state, KINGS) & own), men, straight, diagonal) == ZERO


def generate(state, wanted, out):
    """Write the legal moves to a set of squares, and all promotions and captures in passing, ascending; how many."""
    me = state[TURN]
    own = board(state, SIDE + me)
    men = own | board(state, SIDE + 1 - me)
    pawns, knights, kings = board(state, PAWNS), board(state, KNIGHTS), board(state, KINGS)
    queens = board(state, QUEENS)
    straight, diagonal = board(state, ROOKS) | queens, board(state, BISHOPS) | queens
    pinned, passing = board(state, PINNED), state[PASSING]
    home = lowest(kings & own)
    allowed = evasions(state, home) & ~own
    movers = own if allowed else kings & own
    promoting = ZERO
    found = 0
    while movers:
        origin = lowest(movers)
        man = bit(origin)
        movers ^= man
        if man & pawns:
            targets = pawn_targets(state, me, origin, men) & allowed
            if man & pinned:
                targets &= LINE[home, origin]
            if targets & ENDS:
                promoting |= man
                continue
            targets &= wanted
            if passing != NOWHERE and may_pass(state, me, origin):
                targets |= bit(passing)
        elif man & kings:
            targets = king_targets(state, me) & wanted
        else:
            targets = ZERO
            if man & knights:
                targets = KNIGHT[origin]
            if man & straight:
                targets |= rook(origin, men)
            if man & diagonal:
                targets |= bishop(origin, men)
            targets &= allowed & wanted
            if man & pinned:
                targets &= LINE[home, origin]
        found = write_moves(origin * 64, targets, out, found)
    if promoting:
        for kind in range(KNIGHTS, KINGS):
            movers = promoting
            while movers:
                origin = lowest(movers)
                movers &= movers - ONE
                targets = pawn_targets(state, me, origin, men) & allowed
                if bit(origin) & pinned:
                    targets &= LINE[home, origin]
                found = write_moves(kind * 4096 + origin * 64, targets, out, found)
    return found


def write_moves(base, targets, out, found):
    """Write the moves of a man to some squares after those found before; how many there are then."""
    while targets:
        out[found] = base + lowest(targets)
        found += 1
        targets &= targets - ONE
    return found


def choices(state):
    """How many legal moves there are, without listing them."""
    me = state[TURN]
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    men, pinned = own | foe, board(state, PINNED)
    home = lowest(board(state, KINGS) & own)
    found = count(king_targets(state, me))
    allowed = evasions(state, home) & ~own
    if allowed == ZERO:
        return found
    pawns = own & board(state, PAWNS)
    walkers = pawns & ~pinned
    step = forward(walkers, me) & ~men
    found += count(forward(step & THIRD[me], me) & ~men & allowed)
    step &= allowed
    if me == 0:
        east, west = ((walkers & NOT_H) << NINE) & foe & allowed, ((walkers & NOT_A) << SEVEN) & foe & allowed
    else:
        east, west = ((walkers & NOT_H) >> SEVEN) & foe & allowed, ((walkers & NOT_A) >> NINE) & foe & allowed
    found += count(step) + count(east) + count(west)
    if (step | east | west) & ENDS:
        found += 3 * (count(step & ENDS) + count(east & ENDS) + count(west & ENDS))
    pawns &= pinned
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - ONE
        targets = pawn_targets(state, me, origin, men) & allowed & LINE[home, origin]
        found += count(targets) * (4 if targets & ENDS else 1)
    if state[PASSING] != NOWHERE:
        pawns = PAWN[1 - me, state[PASSING]] & own & board(state, PAWNS)
        while pawns:
            found += may_pass(state, me, lowest(pawns))
            pawns &= pawns - ONE
    knights = own & board(state, KNIGHTS) & ~pinned
    while knights:
        found += count(KNIGHT[lowest(knights)] & allowed)
        knights &= knights - ONE
    queens = board(state, QUEENS)
    straight, diagonal = own & (board(state, ROOKS) | queens), own & (board(state, BISHOPS) | queens)
    left = straight & ~pinned
    while left:
        found += count(rook(lowest(left), men) & allowed)
        left &= left - ONE
    left = diagonal & ~pinned
    while left:
        found += count(bishop(lowest(left), men) & allowed)
        left &= left - ONE
    left = (straight | diagonal) & pinned
    while left:
        origin = lowest(left)
        left &= left - ONE
        line = allowed & LINE[home, origin]
        if bit(origin) & straight:
            found += count(rook(origin, men) & line)
        if bit(origin) & diagonal:
            found += count(bishop(origin, men) & line)
    return found


# --- what a move changes ------------------------------------------------------------------------------------------


def move(state, action):
    """Make a move on the board. The view, the earlier keys and the result are left as they are."""
    shift(state, action)
    look(state)
    if state[PASSING] != NOWHERE:
        keep_passing(state)
        state[KEY] = np.int64(board(state, KEY) ^ PASSING_KEY[state[PASSING]])


def shift(state, action):
    """Move the men, and all that goes with them but checkers and pins. A square that a pawn has passed over is set, but not
    yet part of the key."""
    me = state[TURN]
    other = 1 - me
    origin, target = (action >> 6) & 63, action & 63
    start, goal = bit(origin), bit(target)
    kept = ~(start | goal)
    kind = taken = 0
    for man in range(6):  # no branches: which man it is cannot be foreseen
        squares = board(state, man)
        here = (squares >> np.uint64(origin)) & ONE
        kind += man * np.int64(here)
        taken += man * np.int64((squares >> np.uint64(target)) & ONE)
        state[man] = np.int64((squares & kept) | (here << np.uint64(target)))
    own, foe = board(state, SIDE + me), board(state, SIDE + other)
    capture = foe & goal
    if capture == ZERO:
        taken = NO_MAN
    own, foe = (own & kept) | goal, foe & kept
    rights, passing = state[RIGHTS], state[PASSING]
    remaining = rights & RIGHTS_KEPT[origin] & RIGHTS_KEPT[target]
    key = board(state, KEY) ^ TURN_KEY ^ PASSING_KEY[passing] ^ RIGHTS_KEY[rights] ^ RIGHTS_KEY[remaining]
    key ^= MAN_KEY[me, kind, origin] ^ MAN_KEY[me, kind, target] ^ MAN_KEY[other, taken, target]
    state[PASSING] = NOWHERE
    if kind == PAWNS:
        if action >= 4096:
            promoted = action >> 12
            state[PAWNS] = np.int64(board(state, PAWNS) ^ goal)
            state[promoted] = np.int64(board(state, promoted) | goal)
            key ^= MAN_KEY[me, PAWNS, target] ^ MAN_KEY[me, promoted, target]
        elif target == passing:
            foe ^= bit(target ^ 8)
            state[PAWNS] = np.int64(board(state, PAWNS) ^ bit(target ^ 8))
            key ^= MAN_KEY[other, PAWNS, target ^ 8]
        elif origin ^ target == 16:
            state[PASSING] = (origin + target) >> 1
    elif kind == KINGS and (origin + 2 == target or target + 2 == origin):
        corner, beside = (target + 1, target - 1) if target > origin else (target - 2, target + 1)
        state[ROOKS] = np.int64(board(state, ROOKS) ^ bit(corner) ^ bit(beside))
        own ^= bit(corner) ^ bit(beside)
        key ^= MAN_KEY[me, ROOKS, corner] ^ MAN_KEY[me, ROOKS, beside]
    state[SIDE + me], state[SIDE + other] = np.int64(own), np.int64(foe)
    state[TURN] = other
    state[RIGHTS] = remaining
    state[CLOCK] = 0 if kind == PAWNS or capture else state[CLOCK] + 1
    state[PLY] += 1
    state[KEY] = np.int64(key)


def look(state):
    """Find the men who give check, and those of the mover's men who are pinned."""
    me = state[TURN]
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    men, queens = own | foe, board(state, QUEENS)
    home = lowest(board(state, KINGS) & own)
    checkers = foe & ((KNIGHT[home] & board(state, KNIGHTS)) | (PAWN[me, home] & board(state, PAWNS)))
    snipers = foe & ((ROOK[home] & (board(state, ROOKS) | queens)) | (BISHOP[home] & (board(state, BISHOPS) | queens)))
    pinned = ZERO
    while snipers:
        square = lowest(snipers)
        snipers &= snipers - ONE
        between = BETWEEN[home, square] & men
        if between == ZERO:
            checkers |= bit(square)
        elif between & (between - ONE) == ZERO:
            pinned |= between & own
    state[CHECKERS], state[PINNED] = np.int64(checkers), np.int64(pinned)


def keep_passing(state):
    """Forget the pawn that has just passed if no pawn can take it."""
    me = state[TURN]
    pawns = PAWN[1 - me, state[PASSING]] & board(state, SIDE + me) & board(state, PAWNS)
    while pawns:
        if may_pass(state, me, lowest(pawns)):
            return
        pawns &= pawns - ONE
    state[PASSING] = NOWHERE


def finish(state, action):
    """After a move: remember it in the view, remember the position, and see whether the game is over."""
    view = times(board(state, VIEW) ^ np.uint64(action + 1), VIEW_FACTOR)
    state[VIEW] = np.int64(view ^ (view >> np.uint64(32)))
    state[KEYS + min(state[CLOCK], FIFTY)] = state[KEY]  # people may play on after a draw
    state[RESULT] = judge(state)


def judge(state):
    """How the game has ended, or OPEN."""
    if stuck(state):
        return MATE if state[CHECKERS] else STALEMATE
    clock = state[CLOCK]
    if clock >= FIFTY:
        return QUIET
    if state[PAWNS] | state[ROOKS] | state[QUEENS] == 0 and dead(state):
        return DEAD
    if clock >= 8:
        key, again = state[KEY], 0
        for earlier in range(clock - 4, -1, -2):
            again += state[KEYS + earlier] == key
        if again >= 2:
            return REPEATED
    return OPEN


def stuck(state):
    """Whether the mover has no legal move."""
    me = state[TURN]
    if not state[CHECKERS]:  # a pawn that may step forward is all the proof that most positions need
        own = board(state, SIDE + me)
        walkers = own & board(state, PAWNS) & ~board(state, PINNED)
        if forward(walkers, me) & ~(own | board(state, SIDE + 1 - me)):
            return False
    return choices(state) == 0


def dead(state):
    """Whether nobody could ever give mate, where no pawn, rook or queen is left."""
    knights, bishops = board(state, KNIGHTS), board(state, BISHOPS)
    if knights:
        return count(knights | bishops) == 1
    return bishops & DARK == ZERO or bishops & ~DARK == ZERO


def whole_key(state):
    """The key of a position, from the board alone; `move` keeps it up to date."""
    key = RIGHTS_KEY[state[RIGHTS]] ^ PASSING_KEY[state[PASSING]]
    if state[TURN]:
        key ^= TURN_KEY
    for player in range(2):
        for man in range(6):
            squares = board(state, man) & board(state, SIDE + player)
            while squares:
                key ^= MAN_KEY[player, man, lowest(squares)]
                squares &= squares - ONE
    return np.int64(key)


def begin(state):
    """After the men were set up: the words of a state that follow from the board, the clock and the counters."""
    state[RESULT] = OPEN
    state[KEYS:] = 0
    look(state)
    if state[PASSING] != NOWHERE:
        keep_passing(state)
    state[KEY] = state[VIEW] = state[KEYS + state[CLOCK]] = whole_key(state)
    state[RESULT] = judge(state)


def by_course(state):
    """Whether a repetition or the clock ended the game."""
    return state[RESULT] == REPEATED or state[RESULT] == QUIET


def skip(state):
    """Let the mover pass. It is no good in check, nor with pawns alone, where having to move is often what hurts."""
    me = state[TURN]
    men = board(state, SIDE + me)
    if men & ~(board(state, PAWNS) | board(state, KINGS)) == ZERO:
        return False
    state[KEY] = np.int64(board(state, KEY) ^ TURN_KEY ^ PASSING_KEY[state[PASSING]])
    state[PASSING], state[TURN] = NOWHERE, 1 - me
    state[CLOCK] = 0  # what came before cannot be repeated
    state[KEYS] = state[KEY]
    state[PLY] += 1
    look(state)
    return True
