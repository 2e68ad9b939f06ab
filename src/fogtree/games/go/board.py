"""The Go board: stones, groups, liberties and captures, kept up to date move by move in a row of words.

    | header | sets of points | a record for each point, with a border round the board | a filter | events, a word each |

A set has a bit for each point, by its number as an action: the black stones, the white ones, and the points from which a
stone was ever taken. Many points are looked at in one step by sets, and one point by its record.

A point is known by the index of its record in the row, so that `state[point + HEAD]` is a field of it, and its neighbours are
a fixed distance away. The fields of a point:

    SPOT    the stone (EMPTY, BLACK, WHITE, or BORDER off the board), then the stones of the eight neighbours as a code of
            16 bits, then the number of the point as an action
    HEAD    the group that it belongs to, known by one of its stones; an empty point is a group of its own
    NEXT    of a stone: the next in the ring of its group. Of an empty point: its place in the list of empty points
    SIZE    of a head: the number of stones in its group
    LIBS    of a head: its pseudo-liberties. Of an empty point: its empty neighbours
    LISTED  entry k of the list of empty points stands in record k

Pseudo-liberties count a liberty once for every stone beside it. One word holds how many they are, the sum of their numbers
and the sum of the squares of their numbers. A point enters or leaves by one addition or subtraction of `liberty(number)`, two
groups merge by one addition, and a group without liberties has 0. All pseudo-liberties are the same point, which is called
atari, if and only if count * squares == sum * sum (Cauchy and Schwarz). A stone is subtracted from the groups of its four
neighbours whatever they are: no branch is needed, because empty points are groups too.

Events are what was played, with the key of the position after it. Superko asks whether a position was there before. The
filter answers for most that were not: each position sets three bits in one of its words, and where one of them is missing
nobody need go through the events.

What is short is copied into its callers (`inlined`). What is long and needed in several places is a plain function, which the
compiler sees once: so a search compiles in two thirds of the time, and runs no slower.
"""

import numpy as np

from ...kernels import inlined
from ...kernels.bits import count

SMALLEST, LARGEST = 2, 19  # boards
EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
NO_POINT = 0  # no point: the index of no record

TURN, KO, PASSES, LAST, KEY, VIEW, COUNT, SETUP = 0, 1, 2, 3, 4, 5, 6, 7
# header: who moves | the point that ko forbids | passes in a row | the last stone | the Zobrist key of the stones | the key
# of all that happened | events | those of them that set up the position
EMPTIES, ENDED, SCORE, SETS = 8, 9, 10, 11
# | empty points | whether the game is over | black's area minus white's, once it is
TAKEN, WIDE = (
    2,
    6,
)  # sets: those of black's and white's stones, and of points from which a stone was taken, of so many words
HEADER = SETS + 3 * WIDE
SPOT, HEAD, NEXT, SIZE, LIBS, LISTED, FIELDS = 0, 1, 2, 3, 4, 5, 6

# SPOT: two bits for the stone; from CODE on two bits for each neighbour, first the orthogonal ones N E S W, then the diagonal
# ones NE SE SW NW; from NUMBER on the action
STONE, CODE, DIAGONAL, NUMBER = 3, 2, 10, 18
FOUR, EIGHT = 0xFF, 0xFFFF  # the code of four neighbours, and of all eight
# codes of points at an edge: three neighbours are off the board
NORTH_EDGE, EAST_EDGE, SOUTH_EDGE, WEST_EDGE = 0xC303, 0x0F0C, 0x3C30, 0xF0C0

# LIBS: ten bits for the count, nineteen for the sum, the rest for the squares; 19 x 19 has 684 pairs of neighbours
SUM, SQUARES = 10, 29
MOST_COUNT, MOST_SUM = (1 << SUM) - 1, (1 << (SQUARES - SUM)) - 1

# An event: ten bits for what was played, the rest for the key of the position after it
PLAYED = (1 << 10) - 1
WHITES = 1 << 9  # in PLAYED: the colour; the other bits are the action

# The filter: a word for so many points; which word, and which bits of it, from these bits of a key on
POINTS_A_WORD, WHICH_WORD, WHICH_BITS = 6, 10, (20, 26, 32)

OPEN = 4  # beside BLACK and WHITE, a bit of SEEN


# An index that is not below 0. Compiled code looks whether an index counts from the end of an array; of an unsigned one it
# need not, which makes games a fifth faster.
at = np.uint64


def _seen(code: int) -> int:
    """Which of BLACK, WHITE and OPEN, an empty point, are among four neighbours, as bits."""
    stones = [code >> shift & 3 for shift in (0, 2, 4, 6)]
    return BLACK * (BLACK in stones) | WHITE * (WHITE in stones) | OPEN * (EMPTY in stones)


def _spoilt(code: int) -> int:
    """The colours, as bits, whose eye is false with these four diagonal neighbours: two of them are the other's, or at the
    edge of the board one."""
    stones = [code >> shift & 3 for shift in (0, 2, 4, 6)]
    edge = BORDER in stones
    return BLACK * (stones.count(WHITE) + edge >= 2) | WHITE * (stones.count(BLACK) + edge >= 2)


def _edges() -> np.ndarray:
    """[side, word, all points | without the first column | without the last] as sets."""
    edges = np.zeros((LARGEST + 1, WIDE, 3), np.uint64)
    for side in range(SMALLEST, LARGEST + 1):
        number = np.arange(side * side)
        bit = np.uint64(1) << (number % 64).astype(np.uint64)
        kinds = np.stack((number >= 0, number % side > 0, number % side < side - 1), axis=1)
        np.bitwise_or.at(edges[side], number // 64, kinds * bit[:, None])
    return edges


def _places() -> np.ndarray:
    place = np.zeros((LARGEST + 1, LARGEST * LARGEST), np.int16)
    for side in range(SMALLEST, LARGEST + 1):
        row, column = np.divmod(np.arange(side * side), side)
        place[side, : side * side] = HEADER + FIELDS * ((row + 1) * (side + 1) + column + 1)
    return place


SEEN = np.array([_seen(code) for code in range(256)], np.uint8)  # [code of the four orthogonal neighbours]
SPOILT = np.array([_spoilt(code) for code in range(256)], np.uint8)  # [code of the four diagonal neighbours]
PLACE = _places()  # [side, action] its point
EDGES = _edges()
FILTER = np.array(
    [1 << (side * side // POINTS_A_WORD).bit_length() for side in range(LARGEST + 1)], np.int16
)  # [side] words
BOARD, NOT_FIRST, NOT_LAST = 0, 1, 2
ZOBRIST = np.random.SeedSequence(13).generate_state(4 * LARGEST**2, np.uint64).astype(np.int64).reshape(4, -1)
# [player, action] a part of the key for each stone; then two rows for points that ko and superko forbid
BY_KO, BY_SUPERKO = 2, 3


@inlined
def records_end(side):
    """The index of the word after the records, where the filter begins."""
    return HEADER + FIELDS * ((side + 2) * (side + 1) + 1)


@inlined
def events(side):
    """The index of the word before the first event."""
    return records_end(side) + np.int64(FILTER[at(side)])


@inlined
def liberty(number):
    """What a liberty adds to LIBS."""
    return 1 + (number << SUM) + ((number * number) << SQUARES)


@inlined
def point_of(side, action):
    return np.int64(PLACE[at(side), at(action)])


@inlined
def listed(state, place):
    """An entry of the list of empty points."""
    return state[at(HEADER + FIELDS * place + LISTED)]


def clear(state, side):
    """An empty board."""
    state[:] = 0
    for point in range(HEADER, records_end(side), FIELDS):
        state[at(point + HEAD)] = point
        state[at(point)] = BORDER
    number = 0
    for row in range(side):
        for column in range(side):
            point, libs, code = point_of(side, number), 0, 0
            if row < side - 1:
                libs += liberty(number + side)
            else:
                code |= NORTH_EDGE
            if column < side - 1:
                libs += liberty(number + 1)
            else:
                code |= EAST_EDGE
            if row > 0:
                libs += liberty(number - side)
            else:
                code |= SOUTH_EDGE
            if column > 0:
                libs += liberty(number - 1)
            else:
                code |= WEST_EDGE
            state[at(point)] = number << NUMBER | code << CODE
            state[at(point + NEXT)] = number
            state[at(point + LIBS)] = libs
            state[at(HEADER + FIELDS * number + LISTED)] = point
            number += 1
    state[EMPTIES] = side * side
    mark(state, side, np.int64(0))


# --- stones come and go ---


def place(state, row, point, stone):
    """Put a stone on an empty point, take what has no liberty left, and find the point that ko now forbids. `row` is how far
    apart two points are of which one is above the other."""
    number = state[at(point)] >> NUMBER
    last, hole = listed(state, state[EMPTIES] - 1), state[at(point + NEXT)]
    state[at(HEADER + FIELDS * hole + LISTED)] = last  # out of the list of empty points: the last takes its place
    state[at(last + NEXT)] = hole
    state[EMPTIES] -= 1

    state[at(point)] |= stone
    state[at(point + NEXT)] = point
    state[at(point + SIZE)] = 1
    state[at(word_of(stone - BLACK, number))] ^= bit_of(number)
    state[KEY] ^= ZOBRIST[at(stone - BLACK), at(number)]
    tell_neighbours(state, row, point, stone)
    north, east, south, west = point + row, point + FIELDS, point - row, point - FIELDS
    lost = -liberty(number)
    change_liberties(state, north, lost)
    change_liberties(state, east, lost)
    change_liberties(state, south, lost)
    change_liberties(state, west, lost)

    other = BLACK + WHITE - stone
    taken, head = 0, point
    if (
        is_dead(state, north, other)
        | is_dead(state, east, other)
        | is_dead(state, south, other)
        | is_dead(state, west, other)
    ):
        for near in (north, east, south, west):
            if is_dead(state, near, other):
                taken += take(state, row, state[at(near + HEAD)], other)
    for near in (north, east, south, west):
        if state[at(near)] & STONE == stone and state[at(near + HEAD)] != head:
            head = join(state, head, state[at(near + HEAD)])
    state[KO] = NO_POINT
    if taken == 1 and state[at(head + SIZE)] == 1 and state[at(head + LIBS)] & MOST_COUNT == 1:
        state[KO] = listed(state, state[EMPTIES] - 1)  # the stone that was just taken
    if state[at(head + LIBS)] == 0:
        take(state, row, head, stone)


@inlined
def word_of(which, number):
    """The index of the word of a set in which a point has its bit."""
    return SETS + WIDE * which + (number >> 6)


@inlined
def bit_of(number):
    return np.int64(1) << (number & 63)


@inlined
def tell_neighbours(state, row, point, stone):
    """Write into the codes of the eight neighbours that a stone comes, or goes."""
    state[at(point + row)] ^= stone << (CODE + 4)
    state[at(point + FIELDS)] ^= stone << (CODE + 6)
    state[at(point - row)] ^= stone << CODE
    state[at(point - FIELDS)] ^= stone << (CODE + 2)
    state[at(point + row + FIELDS)] ^= stone << (DIAGONAL + 4)
    state[at(point - row + FIELDS)] ^= stone << (DIAGONAL + 6)
    state[at(point - row - FIELDS)] ^= stone << DIAGONAL
    state[at(point + row - FIELDS)] ^= stone << (DIAGONAL + 2)


@inlined
def change_liberties(state, beside, change):
    """Add to the liberties of the group of a point."""
    state[at(state[at(beside + HEAD)] + LIBS)] += change


@inlined
def is_dead(state, point, stone):
    """Whether a point has a stone of this colour whose group has no liberty."""
    return (state[at(point)] & STONE == stone) & (liberties(state, point) == 0)


@inlined
def join(state, head, other):
    """Make one group of two; returns its head."""
    if state[at(other + SIZE)] > state[at(head + SIZE)]:
        head, other = other, head
    one = other
    for _ in range(state[at(other + SIZE)]):
        state[at(one + HEAD)] = head
        one = state[at(one + NEXT)]
    after_head = state[at(head + NEXT)]  # two rings become one
    state[at(head + NEXT)] = state[at(other + NEXT)]
    state[at(other + NEXT)] = after_head
    state[at(head + SIZE)] += state[at(other + SIZE)]
    state[at(head + LIBS)] += state[at(other + LIBS)]
    return head


def take(state, row, head, stone):
    """Take a group without liberties off the board; returns its size."""
    first, size, one = state[EMPTIES], state[at(head + SIZE)], head
    for place in range(first, first + size):
        following = state[at(one + NEXT)]
        state[at(one)] &= ~STONE
        state[at(one + HEAD)] = one
        state[at(one + LIBS)] = 0  # as long as none of its neighbours is empty
        state[at(one + NEXT)] = place
        state[at(HEADER + FIELDS * place + LISTED)] = one
        one = following
    state[EMPTIES] = first + size
    for place in range(first, first + size):
        one = listed(state, place)
        number = state[at(one)] >> NUMBER
        state[at(word_of(stone - BLACK, number))] ^= bit_of(number)
        state[at(word_of(TAKEN, number))] |= bit_of(number)
        state[KEY] ^= ZOBRIST[at(stone - BLACK), at(number)]
        tell_neighbours(state, row, one, stone)
        won = liberty(number)
        change_liberties(state, one + row, won)
        change_liberties(state, one + FIELDS, won)
        change_liberties(state, one - row, won)
        change_liberties(state, one - FIELDS, won)
    return size


# --- many points at once ---


@inlined
def words_of(side):
    """How many words a set has that are in use."""
    return (side * side + 63) >> 6


@inlined
def set_word(state, which, word):
    """A word of a set, unsigned."""
    return np.uint64(state[at(SETS + WIDE * which + word)])


@inlined
def empty_points(state, side, word):
    """A word of the set of empty points; beyond the last it is empty."""
    if word >= words_of(side):
        return np.uint64(0)
    return EDGES[at(side), at(word), BOARD] & ~(set_word(state, 0, word) | set_word(state, 1, word))


@inlined
def beside_set(side, word, before, here, after):
    """The points beside those of a set, in one word; the set is given by this word and its neighbours."""
    one, row = np.uint64(1), np.uint64(side)
    last, up = np.uint64(63), np.uint64(64 - side)
    east = (here << one | before >> last) & EDGES[at(side), at(word), NOT_FIRST]
    west = (here >> one | after << last) & EDGES[at(side), at(word), NOT_LAST]
    return east | west | here << row | before >> up | here >> row | after << up


def stones_lead(state):
    """Black stones minus white ones."""
    lead = 0
    for word in range(WIDE):
        lead += count(set_word(state, 0, word)) - count(set_word(state, 1, word))
    return lead


# --- what may be played ---


@inlined
def liberties(state, point):
    """LIBS of the group of a point."""
    return state[at(state[at(point + HEAD)] + LIBS)]


@inlined
def all_are(libs, number):
    """Whether pseudo-liberties, of which this point is one, are all this one point."""
    return libs == (libs & MOST_COUNT) * liberty(number)


@inlined
def in_atari(libs):
    """Whether pseudo-liberties are all one point."""
    count, total = libs & MOST_COUNT, libs >> SUM & MOST_SUM
    return (count > 0) & (count * (libs >> SQUARES) == total * total)


@inlined
def liberty_of(libs):
    """The number of the one liberty of a group in atari."""
    return (libs >> SUM & MOST_SUM) // (libs & MOST_COUNT)


@inlined
def beside(state, point):
    """Which of BLACK, WHITE and OPEN, an empty point, are beside a point, as bits."""
    return np.int64(SEEN[at(state[at(point)] >> CODE & FOUR)])


@inlined
def may_play(state, row, point, stone, suicide):
    """Whether a stone may be put on this empty point, by ko but not by superko. Suicide is of two stones or more."""
    around = beside(state, point)
    if around & OPEN:
        return True
    if point == state[KO]:
        return False
    return breathes(state, row, point, stone) or (suicide and around & stone != 0)


def breathes(state, row, point, stone):
    """Whether a stone on this empty point, which has no empty neighbour, has a liberty by its own group or by a capture."""
    number = state[at(point)] >> NUMBER
    return (
        helps(state, point + row, number, stone)
        or helps(state, point + FIELDS, number, stone)
        or helps(state, point - row, number, stone)
        or helps(state, point - FIELDS, number, stone)
    )


@inlined
def helps(state, beside, number, stone):
    """Whether this neighbour is of an own group that keeps a liberty, or of a group of the other's that loses its last."""
    found = state[at(beside)] & STONE
    return found != BORDER and (found == stone) != all_are(liberties(state, beside), number)


@inlined
def is_eye(state, point, stone):
    """Whether an empty point is an eye of this colour: own stones or the edge on its four sides, and of its diagonal
    neighbours at most one the other's, at the edge of the board none."""
    return beside(state, point) == stone and SPOILT[at(state[at(point)] >> DIAGONAL & FOUR)] & stone == 0


@inlined
def was_taken(state, point):
    """Whether a stone was ever taken from this point."""
    number = state[at(point)] >> NUMBER
    return state[at(word_of(TAKEN, number))] & bit_of(number) != 0


def key_after(state, row, point, stone):
    """The Zobrist key of the stones after a stone on this empty point."""
    number = state[point] >> NUMBER
    suicide = not beside(state, point) & OPEN and not breathes(state, row, point, stone)
    key = state[KEY] if suicide else state[KEY] ^ ZOBRIST[stone - BLACK, number]
    sides = (point + row, point + FIELDS, point - row, point - FIELDS)
    for k in range(4):
        found = state[sides[k]] & STONE
        dies = suicide if found == stone or found == EMPTY else all_are(liberties(state, sides[k]), number)
        if dies and found != BORDER and is_new(state, sides, k):
            key ^= key_of_group(state, sides[k], found)
    return key


@inlined
def is_new(state, sides, k):
    """Whether none of the neighbours before the k-th is of the same group."""
    new = True
    for j in range(k):
        new &= state[at(sides[j] + HEAD)] != state[at(sides[k] + HEAD)]
    return new


@inlined
def key_of_group(state, point, stone):
    key, one = np.int64(0), point
    for _ in range(state[state[point + HEAD] + SIZE]):
        key ^= ZOBRIST[stone - BLACK, state[one] >> NUMBER]
        one = state[one + NEXT]
    return key


def liberties_after(state, row, point, stone):
    """The pseudo-liberties that a stone on this empty point would have, with the group that it joins: its empty neighbours,
    the liberties of the groups beside it, and the points of the stones that it takes."""
    number, other = state[at(point)] >> NUMBER, BLACK + WHITE - stone
    sides = (point + row, point + FIELDS, point - row, point - FIELDS)
    libs = state[at(point + LIBS)]
    for k in range(4):
        found = state[at(sides[k])] & STONE
        if found == stone:
            libs -= liberty(number)
            if is_new(state, sides, k):
                libs += liberties(state, sides[k])
        elif found == other and is_new(state, sides, k) and all_are(liberties(state, sides[k]), number):
            one = sides[k]
            for _ in range(state[at(state[at(one + HEAD)] + SIZE)]):
                free = liberty(state[at(one)] >> NUMBER)
                for near in (one + row, one + FIELDS, one - row, one - FIELDS):
                    if near == point or belongs(state, near, sides, stone):
                        libs += free
                one = state[at(one + NEXT)]
    return libs


@inlined
def belongs(state, point, sides, stone):
    """Whether a point has a stone of this colour that is joined with one of these four."""
    found = False
    for k in range(4):
        found |= state[at(sides[k] + HEAD)] == state[at(point + HEAD)]
    return found and state[at(point)] & STONE == stone


# --- what it is worth ---

COUNTED = -1  # SIZE of an empty point whose region has been counted


def area(state, row):
    """Black's area minus white's: stones, and empty points that reach one colour alone."""
    lead = stones_lead(state)
    for place in range(state[EMPTIES]):
        point = listed(state, place)
        seen = beside(state, point)
        if seen == BLACK:
            lead += 1
        elif seen == WHITE:
            lead -= 1
        elif seen & OPEN and state[at(point + SIZE)] != COUNTED:
            lead += count_region(state, row, point)
    for place in range(state[EMPTIES]):
        state[at(listed(state, place) + SIZE)] = 0
    return lead


@inlined
def count_region(state, row, point):
    """Mark the empty points that are connected with this one; returns how many if they are black's, that many below 0 if they
    are white's, and 0 if they are nobody's. For the time being HEAD of an empty point is the next in the queue."""
    state[point + SIZE] = COUNTED
    seen, size, one, end = np.int64(0), 0, point, point
    for _ in range(state[EMPTIES]):
        size += 1
        seen |= beside(state, one)
        for near in (one + row, one + FIELDS, one - row, one - FIELDS):
            if state[near] & STONE == EMPTY and state[near + SIZE] != COUNTED:
                state[near + SIZE] = COUNTED
                state[end + HEAD] = near
                end = near
        following = state[one + HEAD]
        state[one + HEAD] = one
        if following == one:
            break
        one = following
    if seen & (BLACK | WHITE) == BLACK:
        return size
    return -size if seen & (BLACK | WHITE) == WHITE else 0


# --- what happened ---


@inlined
def remember(state, side, action, stone):
    """Write down an event, with the position after it."""
    state[COUNT] += 1
    white = WHITES if stone == WHITE else 0
    state[at(events(side) + state[COUNT])] = (state[KEY] & ~PLAYED) | action | white
    mark(state, side, state[KEY])


@inlined
def marks_of(key):
    """The bits that a key sets in its word of the filter."""
    one = np.int64(1)
    return one << (key >> WHICH_BITS[0] & 63) | one << (key >> WHICH_BITS[1] & 63) | one << (key >> WHICH_BITS[2] & 63)


@inlined
def filter_word(side, key):
    """The index of the word of the filter that a key marks."""
    return records_end(side) + (key >> WHICH_WORD & np.int64(FILTER[at(side)]) - 1)


@inlined
def mark(state, side, key):
    """Write a position into the filter."""
    state[at(filter_word(side, key))] |= marks_of(key)


def was_there(state, side, key):
    """Whether a position of this key was on the board before, or is now."""
    if marks_of(key) & ~state[at(filter_word(side, key))]:
        return False
    start, found = events(side), False
    for event in range(start + state[SETUP], start + state[COUNT] + 1):
        found |= (state[event] ^ key) & ~PLAYED == 0
    return found
