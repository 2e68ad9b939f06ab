"""Fog-of-war chess: chess in which one sees only where one's own men can go. Rules version 1.

Men move and take as in chess, and White is player 0, but there is no check: a king may step into danger or stay in it, may
castle out of an attack and through one, and can be taken like any other man. Whoever takes the king wins. The game is
drawn if the player to move has no move, at the third occurrence of a position, and after a hundred half-moves without a
capture or a move of a pawn. There are no dead positions. Payoffs 1, 0, -1.

A player sees, after every move of either side: their own men; every square that one of their men could go to if it were
their turn, with what stands there (a pawn sees the squares ahead if they are free, and those slanting ahead only if there is
a man to take); a pawn that they may take in passing, with the square that it has passed; whose turn it is; their own
rights to castle; the clock of a hundred half-moves; and how the game has ended. Of the other's moves nothing else is told.
Players remember everything. These are the rules and the sights of OpenSpiel's `dark_chess`.

Boards of 4 and 8 ranks and files are set up as there, 5 as in Gardner's chess and 6 as in Los Alamos chess. On boards
smaller than 8 pawns never go two squares and nobody castles.

Actions and squares are numbered as in chess: 64 * from + to with a1 = 0, b1 = 1, a2 = 8 on every board; see `games/chess`.
People write e4, Nf3, exd5 or e2e4; a sign for check would tell what is hidden.
"""

import functools
from typing import NamedTuple

import numpy as np

from .. import dice
from ..game import OVER, REFEREE, Shape
from ..kernels.bits import count, lowest, times
from ..text.parameters import accepts
from . import fog, fog_features
from .chess import text
from .chess.boards import KING, KNIGHT, ONE, PAWN, THIRD, bishop, bit, forward, knight_attacks, pawn_attacks, rook
from .chess.moves import (
    BISHOPS,
    CLOCK,
    FIFTY,
    KEY,
    KINGS,
    KNIGHTS,
    LONG_FREE,
    LONG_GOAL,
    NOWHERE,
    PASSING,
    PASSING_KEY,
    PAWNS,
    PLY,
    QUEENS,
    RIGHTS,
    ROOKS,
    SHORT_FREE,
    SHORT_GOAL,
    SIDE,
    TURN,
    WHITE_LONG,
    WHITE_SHORT,
    ZERO,
    board,
    shift,
    whole_key,
    write_moves,
)
from .chess.ordering import WORTH, promise
from .chess.piece_squares import SCALE, PieceSquares

# A state begins like one of chess, up to the key.
VIEW, RESULT, STOCK, EARLIER, KEYS = (
    14,  # two views
    16,  # how the game ended
    17,  # what the other knows of the men that each player has left: two words
    19,  # how many moves each may have made before the state began
    20,  # the keys of earlier positions by clock
)
ANY_NUMBER = 1 << 20  # of moves: more than matter
WORDS = KEYS + FIFTY + 1
OPEN, TAKEN, STALEMATE, QUIET, REPEATED = range(5)
KING_TAKEN = 64.0  # how good it looks to take the king
VIEW_FACTOR = np.uint64(0xD1342543DE82EF95)
SET_UP = {  # by size: the men, as the first field of a FEN
    4: "r1kr/pppp/PPPP/R1KR",
    5: "rnbqk/ppppp/5/PPPPP/RNBQK",
    6: "rnqknr/pppppp/6/6/PPPPPP/RNQKNR",
    8: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
}
ENDINGS = {
    STALEMATE: "a draw: no move is left",
    QUIET: "a draw: a hundred half-moves without a capture or a move of a pawn",
    REPEATED: "a draw: the same position for the third time",
}

WALLS = np.zeros(9, np.uint64)  # [size] the squares that are not on the board
ENDS = np.zeros(9, np.uint64)  # [size] the first and the last rank
HOME = np.zeros((9, SIDE + 2), np.int64)  # [size, word] the sets of men at the start
MEN = (0, 0, 0, 0, 7, 10, 12, 0, 16)  # [size] how many men each side has then
for _size, _placed in SET_UP.items():
    _inside = sum(1 << 8 * rank + file for rank in range(_size) for file in range(_size))
    WALLS[_size] = ~np.uint64(_inside)
    ENDS[_size] = sum(1 << 8 * rank + file for rank in (0, _size - 1) for file in range(_size))
    text.set_up(f"{_placed} w - - 0 1", _state := np.zeros(WORDS, np.int64), text.refusal(_placed), _size)
    HOME[_size] = _state[: SIDE + 2]


def board_size(value):
    """4, 5, 6 or 8"""
    if isinstance(value, bool) or value not in SET_UP:
        raise ValueError
    return int(value)


@accepts(size=(board_size, "ranks and files of the board"))
class DarkChess(NamedTuple):
    size: int = 8

    def shape(self):
        # No man has more moves than a queen on an empty board. A pawn makes at most
        # size - 2 moves; every move of a pawn and every capture sets the clock to 0.
        men = MEN[self.size]
        zeroing = 2 * self.size * (self.size - 2) + 2 * men
        return Shape(2, WORDS, men * 4 * (self.size - 1), zeroing * FIFTY, -1.0, 1.0)

    def start(self, state):
        state[:] = 0
        for word in range(SIDE + 2):
            state[word] = HOME[self.size, word]
        state[RIGHTS], state[PASSING] = 15 if self.size == 8 else 0, NOWHERE
        begin(state, WALLS[self.size])

    def player(self, state):
        return state[TURN] if state[RESULT] == OPEN else OVER

    def actions(self, state, out):
        return generate(state, WALLS[self.size], ENDS[self.size], ~ZERO, out)

    def step(self, state, action):
        walls, me = WALLS[self.size], state[TURN]
        count_capture(state, action)
        state[VIEW + me] = np.int64(mixed(board(state, VIEW + me), np.uint64(action + 1)))
        shift(state, action)
        if state[PASSING] != NOWHERE:
            keep_passing(state)
        state[KEYS + min(state[CLOCK], FIFTY)] = state[KEY]
        state[RESULT] = judge(state, walls)
        look_around(state, walls)

    def by_course(self, state):
        """Whether a repetition or the clock ended the game."""
        return state[RESULT] == REPEATED or state[RESULT] == QUIET

    def payoff(self, state, player):
        if state[RESULT] != TAKEN:
            return 0.0
        return -1.0 if state[TURN] == player else 1.0

    def view(self, state, player):
        return state[VIEW + player]

    def imagine(self, state, player, random):
        """A world that agrees with what the player sees now, with the men that the other has left and with the number of
        the other's moves (`fog.py`). It need not agree with all that the player saw earlier. The other's view, and which
        positions have occurred before, are not known in it."""
        steps = self.size - 3 if self.size == 8 else self.size - 2  # of a pawn, until it is promoted
        imagine_fog(state, player, WALLS[self.size], ENDS[self.size], HOME[self.size], steps, random)

    def position(self, state):
        return state[KEY]

    def forget(self, state, player):
        """Whoever came here by another course has the same position: which positions have occurred before is forgotten, and
        the other is taken to know the position."""
        state[VIEW + 1 - player] = np.int64(mixed(board(state, KEY), VIEW_FACTOR))
        state[KEYS : KEYS + min(state[CLOCK], FIFTY)] = 0

    def noisy(self, state, out):
        """Captures and promotions."""
        return generate(state, WALLS[self.size], ENDS[self.size], board(state, SIDE + 1 - state[TURN]), out)

    def promise(self, state, action):
        """The king first, else as in chess."""
        taken = board(state, KINGS) & board(state, SIDE + 1 - state[TURN]) & bit(action & 63)
        return KING_TAKEN if taken else promise(state, action)

    def evaluation(self):
        return FogMen(self.size)

    def features(self):
        """What learned evaluations are made of."""
        return FogFeatures(self.size)

    def live(self, state):
        """How many words of the state matter; what stands behind them need not be copied."""
        return KEYS + min(state[CLOCK], FIFTY) + 1

    def version(self):
        return 1

    def show(self, state, player):
        men = self.men_seen(state, player)
        lines = [
            f"{rank + 1} {' '.join(men[8 * rank : 8 * rank + self.size])}" for rank in range(self.size - 1, -1, -1)
        ]
        mover, result = text.COLOUR[state[TURN]], int(state[RESULT])
        quiet = f", half-moves without a capture or a move of a pawn: {state[CLOCK]}" if state[CLOCK] else ""
        last = f"{mover} to move{quiet}" if result == OPEN else f"{mover} has lost the king"
        return "\n".join([*lines, f"  {' '.join(text.FILES[: self.size])}", ENDINGS.get(result, last)])

    def draw(self, state, player):
        return text.draw(self.men_seen(state, player), self.size, player)

    def path(self, state, action):
        return text.path(action, int(state[TURN]))

    def who(self, player):
        return text.COLOUR[player]

    def ending(self, state):
        taken = f"{text.COLOUR[state[TURN]]}'s king was taken"
        return ENDINGS.get(int(state[RESULT]), taken).removeprefix("a draw: ")

    def heard(self, state, action, player):
        """A man that was taken is missed, for one always sees one's own."""
        men, origin, target = text.letters(state), int(action) >> 6 & 63, int(action) & 63
        if men[target] == "." and men[origin] in "Pp" and (target - origin) % 8:
            target += 8 * (origin // 8 - target // 8)  # a pawn is taken in passing
        mine = str.islower if player else str.isupper
        return f"takes on {text.SQUARES[target]}" if mine(men[target]) and player != state[TURN] else ""

    def men_seen(self, state, player):
        """[square] the letter of the man on it, as far as a player sees it."""
        men = text.letters(state)
        if player == REFEREE:
            return men
        seen = text.squares_of(sight(state, player, WALLS[self.size]))
        return [man if square in seen else text.UNSEEN for square, man in enumerate(men)]

    def label(self, state, action):
        return names(self, state[:KEYS].tobytes()).get(int(action)) or text.long_label(action)

    def read(self, state, typed):
        return text.find_move(typed, names(self, state[:KEYS].tobytes()), text.letters(state))

    def notation(self, state):
        return text.notation(state, self.size)

    def from_notation(self, fen, state):
        found, refuse = np.zeros(len(state), np.int64), text.refusal(fen)
        text.set_up(fen, found, refuse, self.size)
        if self.size < 8 and (found[RIGHTS] or found[PASSING] != NOWHERE):
            refuse("on a small board nobody castles, and no pawn goes two squares")
        for player, who in enumerate(text.COLOUR):
            if (men := int(board(found, SIDE + player)).bit_count()) > MEN[self.size]:
                refuse(f"{who} has {men} men, and {MEN[self.size]} is the most")
        begin(found, WALLS[self.size])
        state[:] = 0
        self.start(state)
        if not np.array_equal(found, state):
            state[:] = found
            tell_beginning(state)


class FogMen(NamedTuple):
    """The evaluation of open chess by hand, or on a small board the men alone, as if nothing were hidden."""

    size: int

    def value(self, game, state):
        if state[RESULT] != OPEN:
            return game.payoff(state, 0)
        if self.size == 8:
            return PieceSquares().value(game, state)
        total = 0.0
        for kind in range(KINGS):
            men = board(state, kind)
            total += WORTH[kind] * (count(men & board(state, SIDE)) - count(men & board(state, SIDE + 1)))
        return total / SCALE


class FogFeatures(NamedTuple):
    """The features of `fog_features.py`, on a board of so many ranks and files."""

    side: int = 8

    def size(self):
        return fog_features.TOTAL

    def active(self, game):
        return fog_features.MOST_ACTIVE

    def version(self):
        return 1

    def find(self, game, state, which, worth):
        if state[RESULT] != OPEN:  # what it is worth then, payoffs say
            which[0], worth[0] = fog_features.HAND, 0.0
            return 1
        walls, hand = WALLS[self.side], FogMen(self.side).value(game, state)
        seen = sight(state, 0, walls), sight(state, 1, walls)
        return fog_features.describe(state, self.side, hand, seen, walls, which, worth)


@functools.lru_cache(maxsize=64)
def names(game, words):
    """The moves of a position with their names."""
    state, out = np.frombuffer(words, np.int64), np.zeros(game.shape().actions, np.int64)
    actions, men = out[: game.actions(state, out)].tolist(), text.letters(state)
    return {action: text.san(action, actions, men) for action in actions}


def keep_passing(state):
    """Forget the pawn that has just passed if no pawn can take it; else make it a part of the key."""
    if may_pass(state, state[TURN]):
        state[KEY] = np.int64(board(state, KEY) ^ PASSING_KEY[state[PASSING]])
    else:
        state[PASSING] = NOWHERE


def begin(state, walls):
    """After the men were set up: the words of a state that follow from the board, the clock and the counters."""
    state[VIEW] = state[VIEW + 1] = 1
    for player in range(2):
        state[STOCK + player] = fog.stock_of(state, player)
    keep_passing(state)
    state[KEY] = state[KEYS + state[CLOCK]] = whole_key(state)
    state[RESULT] = judge(state, walls)
    look_around(state, walls)


def tell_beginning(state):
    """Both players learn how many men of each kind the other has and the number of the move, and not what was played."""
    for player in range(2):
        view = mixed(board(state, VIEW + player), board(state, STOCK + 1 - player))
        state[VIEW + player] = np.int64(mixed(view, board(state, PLY)))
    state[EARLIER] = ANY_NUMBER


# --- where men can go ---------------------------------------------------------------------------------------------


def reach(state, me, origin, walls):
    """Where a man could go to if it were the turn of its player."""
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    man, men = bit(origin), own | foe | walls
    if man & board(state, PAWNS):
        step = forward(man, me) & ~men
        targets = step | (PAWN[me, origin] & foe)
        if walls == ZERO:
            targets |= forward(step & THIRD[me], me) & ~men
        if state[PASSING] != NOWHERE and state[TURN] == me:
            targets |= PAWN[me, origin] & bit(state[PASSING])
        return targets
    targets = ZERO
    queens = board(state, QUEENS)
    if man & board(state, KNIGHTS):
        targets |= KNIGHT[origin]
    if man & (board(state, ROOKS) | queens):
        targets |= rook(origin, men)
    if man & (board(state, BISHOPS) | queens):
        targets |= bishop(origin, men)
    if man & board(state, KINGS):
        rights, side = (state[RIGHTS] >> 2 * me) & 3, np.uint64(56 * me)
        targets |= KING[origin]
        if rights & WHITE_SHORT and (men >> side) & SHORT_FREE == ZERO:
            targets |= SHORT_GOAL << side
        if rights & WHITE_LONG and (men >> side) & LONG_FREE == ZERO:
            targets |= LONG_GOAL << side
    return targets & ~(own | walls)


def generate(state, walls, ends, wanted, out):
    """Write the moves to a set of squares, and all promotions and captures in passing, ascending; how many."""
    me = state[TURN]
    men, pawns = board(state, SIDE + me), board(state, PAWNS)
    passing = ZERO if state[PASSING] == NOWHERE else bit(state[PASSING])
    promoting, found = ZERO, 0
    while men:
        origin = lowest(men)
        men &= men - ONE
        targets = reach(state, me, origin, walls)
        if bit(origin) & pawns:
            if targets & ends:
                promoting |= bit(origin)
                continue
            targets &= wanted | passing
        else:
            targets &= wanted
        found = write_moves(origin * 64, targets, out, found)
    if promoting:
        for kind in range(KNIGHTS, KINGS):
            men = promoting
            while men:
                origin = lowest(men)
                men &= men - ONE
                targets = reach(state, me, origin, walls)
                found = write_moves(kind * 4096 + origin * 64, targets, out, found)
    return found


# --- what players see ---------------------------------------------------------------------------------------------


def sight(state, me, walls):
    """The squares that a player sees: those of the own men, and all that `reach` says, of all men of a kind together."""
    own, foe = board(state, SIDE + me), board(state, SIDE + 1 - me)
    men, queens = own | foe | walls, board(state, QUEENS)
    pawns = own & board(state, PAWNS)
    step = forward(pawns, me) & ~men
    seen = step | (pawn_attacks(pawns, me) & foe)
    if walls == ZERO:
        seen |= forward(step & THIRD[me], me) & ~men
    if may_pass(state, me):
        seen |= bit(state[PASSING]) | bit(state[PASSING] ^ 8)
    seen |= knight_attacks(own & board(state, KNIGHTS))
    sliders = own & (board(state, ROOKS) | queens)
    while sliders:
        seen |= rook(lowest(sliders), men)
        sliders &= sliders - ONE
    sliders = own & (board(state, BISHOPS) | queens)
    while sliders:
        seen |= bishop(lowest(sliders), men)
        sliders &= sliders - ONE
    king = own & board(state, KINGS)
    if king:
        seen |= reach(state, me, lowest(king), walls)
    return own | (seen & ~walls)


def may_pass(state, me):
    """Whether a player may take a pawn in passing."""
    if state[PASSING] == NOWHERE or state[TURN] != me:
        return False
    return PAWN[1 - me, state[PASSING]] & board(state, SIDE + me) & board(state, PAWNS) != ZERO


def look_around(state, walls):
    """Add to both views what the players see now."""
    for player in range(2):
        seen = sight(state, player, walls)
        view = mixed(board(state, VIEW + player), seen)
        for word in range(SIDE + 1):
            view = mixed(view, board(state, word) & seen)
        passing = state[PASSING] if may_pass(state, player) else NOWHERE
        rights = (state[RIGHTS] >> 2 * player) & 3
        told = state[CLOCK] + 256 * (passing + 128 * (rights + 4 * state[RESULT]))
        state[VIEW + player] = np.int64(mixed(view, np.uint64(told)))


def mixed(view, word):
    """The key of a view after one more observation."""
    view = times(view ^ word, VIEW_FACTOR)
    return view ^ (view >> np.uint64(32))


def count_capture(state, action):
    """Before a move: the man that it takes is no longer in the stock of its player."""
    me, target = state[TURN], action & 63
    foe = board(state, SIDE + 1 - me)
    if foe & bit(target):
        for kind in range(KINGS + 1):
            if board(state, kind) & bit(target):
                state[STOCK + 1 - me] = fog.without(state[STOCK + 1 - me], kind)
                break
    elif target == state[PASSING] and board(state, PAWNS) & bit((action >> 6) & 63):
        state[STOCK + 1 - me] = fog.without(state[STOCK + 1 - me], PAWNS)


def imagine_fog(state, me, walls, ends, home, steps, random):
    """Draw a world anew where the player does not see it, and with it all words that tell of what is hidden."""
    seen, moves = sight(state, me, walls), state[EARLIER] + (state[PLY] + me) // 2  # of the other
    fog.fill(state, me, state[STOCK + 1 - me], moves, seen, walls, ends, home, steps, random)
    state[VIEW + 1 - me] = np.int64(dice.draw(random))
    state[KEY] = whole_key(state)
    state[KEYS:] = 0
    state[KEYS + min(state[CLOCK], FIFTY)] = state[KEY]


# --- how it ends --------------------------------------------------------------------------------------------------


def judge(state, walls):
    """How the game has ended, or OPEN."""
    me = state[TURN]
    men = board(state, SIDE + me)
    if men & board(state, KINGS) == ZERO:
        return TAKEN
    clock = state[CLOCK]
    if clock >= FIFTY:
        return QUIET
    if clock >= 8:
        key, again = state[KEY], 0
        for earlier in range(clock - 4, -1, -2):
            again += state[KEYS + earlier] == key
        if again >= 2:
            return REPEATED
    while men:
        if reach(state, me, lowest(men), walls):
            return OPEN
        men &= men - ONE
    return STALEMATE
