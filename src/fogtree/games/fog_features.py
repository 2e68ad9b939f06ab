"""Features of fog-of-war chess for an evaluation that learns: the evaluation of open chess by hand, and what only matters in
the fog. Each is White's minus that of Black seen from the other side, so exchanging the colours changes the sign.

    hand            1   the evaluation by hand (`dark_chess.FogMen`), ten pawns as 1
    squares       384   a man of a kind on a square: what learning adds to the tables by hand
    seen            1   squares that the player sees, sixteen as 1
    spied           6   men of the other that the player sees, by kind; the king last
    loose          10   own men that the other attacks and no own man guards, by kind and by whether their player is to move
    ambushed       12   own men that a man attacks whom the player does not see, by kind and by whether they are to move
    attacked        2   the own king is attacked by a man in sight, by whether they are to move
    pressed         1   squares around the own king that the other attacks, eight as 1
    stalked         1   the same, by men whom the player does not see
    move            1   whose move it is
"""

from ..kernels.bits import count, lowest
from .chess.boards import KING, ONE, bishop, knight_attacks, pawn_attacks, rook
from .chess.moves import BISHOPS, KINGS, KNIGHTS, PAWNS, QUEENS, ROOKS, SIDE, TURN, ZERO, board

HAND = 0
SQUARES = HAND + 1
SEEN = SQUARES + 6 * 64
SPIED = SEEN + 1
LOOSE = SPIED + 6
AMBUSHED = LOOSE + 2 * 5
ATTACKED = AMBUSHED + 2 * 6
PRESSED = ATTACKED + 2
STALKED = PRESSED + 1
MOVE = STALKED + 1
TOTAL = MOVE + 1
TENFOLD = 2.0  # the evaluation by hand has 20 pawns as 1
MOST_ACTIVE = 2 * (16 + 1 + 6 + 5 + 6 + 1 + 3) + 2


def describe(state, side, hand, seen, walls, which, worth):
    """Write the features of a position on a board of `side` ranks: their numbers and how much of each. `hand` is its
    evaluation by hand, and `seen` the squares that each player sees. Returns how many there are."""
    which[0], worth[0] = HAND, TENFOLD * hand
    found = 1
    for player in range(2):
        sign, sight = 1.0 if player == 0 else -1.0, seen[player]
        own, foe = board(state, SIDE + player), board(state, SIDE + 1 - player)
        theirs, hidden = attacks(state, foe, 1 - player), attacks(state, foe & ~sight, 1 - player)
        guarded = attacks(state, own, player)
        moving = 1 if state[TURN] == player else 0
        for kind in range(6):
            men = board(state, kind) & own
            left = men
            while left:
                square = lowest(left)
                left &= left - ONE
                mirrored = 8 * (side - 1) - (square & 56) + (square & 7)
                which[found] = SQUARES + 64 * kind + (square if player == 0 else mirrored)
                worth[found] = sign
                found += 1
            found = put(which, worth, found, SPIED + kind, sign * count(board(state, kind) & foe & sight))
            if kind < KINGS:
                loose = count(men & theirs & ~guarded)
                found = put(which, worth, found, LOOSE + 5 * moving + kind, sign * loose)
            found = put(which, worth, found, AMBUSHED + 6 * moving + kind, sign * count(men & hidden))
        king = board(state, KINGS) & own
        if king:
            ring = KING[lowest(king)] & ~walls
            if king & attacks(state, foe & sight, 1 - player):
                found = put(which, worth, found, ATTACKED + moving, sign)
            found = put(which, worth, found, PRESSED, sign * count(ring & theirs) / 8.0)
            found = put(which, worth, found, STALKED, sign * count(ring & hidden) / 8.0)
        found = put(which, worth, found, SEEN, sign * count(sight) / 16.0)
    which[found], worth[found] = MOVE, 1.0 if state[TURN] == 0 else -1.0
    return found + 1


def put(which, worth, found, feature, amount):
    """Enter a feature unless there is none of it. Returns how many there are now."""
    if amount == 0.0:
        return found
    which[found], worth[found] = feature, amount
    return found + 1


def attacks(state, men, player):
    """The squares that some men of a player attack, their own men's included."""
    everybody = board(state, SIDE) | board(state, SIDE + 1)
    found = pawn_attacks(men & board(state, PAWNS), player) | knight_attacks(men & board(state, KNIGHTS))
    queens = board(state, QUEENS)
    left = men & (board(state, ROOKS) | queens)
    while left:
        found |= rook(lowest(left), everybody)
        left &= left - ONE
    left = men & (board(state, BISHOPS) | queens)
    while left:
        found |= bishop(lowest(left), everybody)
        left &= left - ONE
    king = men & board(state, KINGS)
    return found | KING[lowest(king)] if king else found | ZERO
