"""What is common to the games of army chess: how men move and fight, what everybody is told, how a game ends.

These functions are the verbs of the games in `four.py`, `two.py` and `small.py`; `verbs.py` says what each game adds.

A man is known by the point where he stood at the start: player p has the men p * n to p * n + n - 1, where n is the
size of an army, and they are numbered as in `setting.py`. Everybody always sees which man stands where, and only his
owner knows his kind. For each man the state holds the set of kinds that he can be by all that everybody was told, and
the number of his last fight; and it holds the list of all fights. These are what `imagining.py` needs.

A view is a hash of the public course of the game together with the player's own set-up.
"""

import enum
import functools

import numpy as np

from ...game import CHANCE, OVER, Shape, seen
from ...kernels.bits import lowest
from .board import AREAS, BIT, BITS, CAMPS, FIXED, HOME, JOINED, LENGTH, MEN, POINTS, RAY, RAYS, WORD, WORDS
from .pieces import (
    ANY,
    ATTACKERS,
    CAPTURED,
    COMBAT,
    COMMANDER,
    DEFENDERS,
    ENGINEER,
    FLAG,
    KILLS_ATTACKER,
    KILLS_DEFENDER,
    KINDS,
    MINE,
    PLAIN,
    UNSET,
)
from .points import NO_POINTS, any_of, both, either, joined_to, railway_from, single, without, words_from, write_points
from .setting import ALLOWED, COUNT, SENSE, WHOLE, SetUp, even_odds, may_set

# The layout of a state. After the head come: the man on each point + 1, or 0 | the kind of each man | the kinds that he can
# be by what everybody knows | the fights so far | scratch.
TURN, PLIES, QUIET, RESULT, REASON, PUBLIC, ALIVE, PLACED, LEFT, FIGHTS = range(10)
OWN = 10  # [player] the key of their set-up
STANDS = OWN + AREAS  # [player, word] the points where their men stand
HEAD = STANDS + AREAS * WORDS
OPEN, DRAWN, WON = 0, 1, 2  # results: WON + the side that has won
BEATEN, STALLED, TOO_LONG = 1, 2, 3  # reasons
OUTCOME_BITS, MAN_BITS, LINK_BITS = 3, 7, 8  # of a fight: two links, the attacker, the defender, how it ended
MOST = 1 << MAN_BITS
SHOWN = 3  # of a flag: not shown, or in the first or second headquarters
TOLD = 1 << 31  # above all that can be told of one move
FIRST_FACTOR, SECOND_FACTOR, THIRD_FACTOR = (  # odd, so that nothing is lost
    np.int64(n) for n in (-7046029254386353131, -4658895280553007687, -7723592293110705685)
)


class Stalled(enum.IntEnum):
    DRAW = 0
    LOSS = 1  # for the side that is to move


# --- where things are in a state ----------------------------------------------------------------------------------


def kinds_from(game):
    """The first word of the kinds."""
    return HEAD + POINTS[game.board()]


def known_from(game):
    """The first word of what everybody knows of each man."""
    return HEAD + POINTS[game.board()] + game.seats() * MEN[game.board()]


def fights_from(game):
    """The first word of the list of fights."""
    return HEAD + POINTS[game.board()] + 2 * game.seats() * MEN[game.board()]


def scratch_from(game):
    """The first word of the room in which `imagining.py` works; it is 0 at all other times."""
    return fights_from(game) + game.seats() * MEN[game.board()]


def owner(game, man):
    return man // MEN[game.board()]


# --- the verbs ----------------------------------------------------------------------------------------------------


def shape(game):
    men = int(game.seats() * MEN[game.board()])
    words = HEAD + int(POINTS[game.board()]) + 5 * men + AREAS + 1
    return Shape(game.seats(), words, most_actions(game.board()), men + game.longest, -1.0, 1.0)


@functools.cache
def most_actions(board):
    """A bound for the moves of one player: as if every man had an empty board and the best point of his own."""
    army = [kind for kind in range(MINE) for _ in range(COUNT[board, kind])]
    reach = sorted(len(near(board, p).union(*ways(board, p))) for p in range(POINTS[board]))
    on_rails = [p for p in range(POINTS[board]) if RAYS[board, p]]
    engineers = army.count(ENGINEER)
    widest = max(len(near(board, p).union(on_rails)) for p in on_rails)
    return max(KINDS, engineers * widest + sum(reach[engineers - len(army) :]))


def ways(board, point):
    return [RAY[board, point, ray, : LENGTH[board, point, ray]].tolist() for ray in range(RAYS[board, point])]


def near(board, point):
    points = slice(POINTS[board])
    return set(np.flatnonzero(JOINED[board, point, WORD[points]] & BIT[points]).tolist())


def start(game, state):
    board, men = game.board(), MEN[game.board()]
    state[:] = 0
    state[PUBLIC] = 1
    state[ALIVE] = (1 << game.seats()) - 1
    state[LEFT] = WHOLE[board]
    kinds, known = kinds_from(game), known_from(game)
    for player in range(game.seats()):
        state[OWN + player] = 1
        for k in range(men):
            man, point = player * men + k, HOME[board, game.area(player), k]
            state[HEAD + point] = man + 1
            state[STANDS + player * WORDS + WORD[point]] |= BIT[point]
            state[kinds + man] = UNSET
            state[known + man] = ALLOWED[board, k]


def player(game, state):
    if state[RESULT] != OPEN:
        return np.int64(OVER)
    if state[PLACED] == game.seats() * MEN[game.board()]:
        return state[TURN]
    return state[PLACED] // MEN[game.board()] if game.set_up == SetUp.CHOSEN else np.int64(CHANCE)


def actions(game, state, out):
    if state[PLACED] == game.seats() * MEN[game.board()]:
        return list_moves(game, state, out)
    board, man, count = game.board(), state[PLACED] % MEN[game.board()], 0
    for kind in range(KINDS):
        if may_set(board, man, state[LEFT], kind):
            out[count] = kind
            count += 1
    return count


def odds(game, state, out):
    board, man = game.board(), state[PLACED] % MEN[game.board()]
    count, total = 0, 0.0
    first = kinds_from(game) + state[PLACED] - man
    where = 1 if man > 1 and state[first + 1] == FLAG else 0
    for kind in range(KINDS):
        if may_set(board, man, state[LEFT], kind):
            out[count] = even_odds(board, man, state[LEFT], kind)
            if game.set_up == SetUp.SENSIBLE:
                out[count] *= SENSE[board, where, man, kind]
            total += out[count]
            count += 1
    for k in range(count):
        out[k] /= total


def step(game, state, action):
    if state[PLACED] == game.seats() * MEN[game.board()]:
        move(game, state, action)
    else:
        set_man(game, state, action)


def payoff(game, state, player):
    if state[RESULT] < WON:
        return 0.0
    return 1.0 if state[RESULT] - WON == game.side_of(player) else -1.0


def mixed(one, other):
    """A hash of two keys."""
    key = one ^ (other * FIRST_FACTOR)
    key = (key ^ (key >> 32)) * SECOND_FACTOR
    key = (key ^ (key >> 29)) * THIRD_FACTOR
    return key ^ (key >> 32)


# --- setting up ---------------------------------------------------------------------------------------------------


def set_man(game, state, kind):
    """Set the next man; after the last one the game begins."""
    men = MEN[game.board()]
    who = state[PLACED] // men
    state[kinds_from(game) + state[PLACED]] = kind
    state[OWN + who] = seen(state[OWN + who], kind, KINDS)
    state[LEFT] -= np.int64(1) << (4 * kind)
    state[PLACED] += 1
    if state[PLACED] == game.seats() * men:
        state[PUBLIC] = seen(state[PUBLIC], 0, TOLD)  # everybody sees that the game begins
    elif state[PLACED] % men == 0:
        state[LEFT] = WHOLE[game.board()]


# --- where men can go ---------------------------------------------------------------------------------------------


def list_moves(game, state, out):
    """Write the moves of the player to move, ascending: from * points + to. Returns how many."""
    board, me, kinds = game.board(), state[TURN], kinds_from(game)
    everybody, closed = standing(game, state, me)
    count = 0
    for word in range(WORDS):
        men = state[STANDS + me * WORDS + word] & ~FIXED[board, word]
        while men:
            origin = word * BITS + lowest(men)
            men &= men - 1
            kind = state[kinds + state[HEAD + origin] - 1]
            if kind >= MINE:
                continue
            targets = joined_to(board, origin)
            if RAYS[board, origin]:
                if kind == ENGINEER:
                    targets = either(targets, railway_from(board, origin, everybody))
                else:
                    targets = either(targets, lines_from(board, state, origin))
            count = write_points(without(targets, closed), origin * POINTS[board], out, count)
    return count


def standing(game, state, me):
    """The points where men stand, and those where a player's men may not go: friends stand there, or somebody in a camp."""
    everybody, friends = NO_POINTS, NO_POINTS
    for who in range(game.seats()):
        stands = words_from(state, STANDS + who * WORDS)
        everybody = either(everybody, stands)
        if game.side_of(who) == game.side_of(me):
            friends = either(friends, stands)
    return everybody, either(friends, both(words_from(CAMPS[game.board()], 0), everybody))


def lines_from(board, state, origin):
    """Where a man can go to along the lines of the railway, up to the first man on each."""
    reached = NO_POINTS
    for ray in range(RAYS[board, origin]):
        for k in range(LENGTH[board, origin, ray]):
            point = RAY[board, origin, ray, k]
            reached = either(reached, single(point))
            if state[HEAD + point]:
                break
    return reached


def is_straight(board, state, origin, target):
    """Whether any man could go there: a step, or along one line with nobody in between."""
    return any_of(both(single(target), either(joined_to(board, origin), lines_from(board, state, origin))))


def can_move(game, state, who):
    """Whether a player has a move."""
    board, kinds = game.board(), kinds_from(game)
    _, closed = standing(game, state, who)
    for word in range(WORDS):
        men = state[STANDS + who * WORDS + word] & ~FIXED[board, word]
        while men:
            origin = word * BITS + lowest(men)
            men &= men - 1
            if state[kinds + state[HEAD + origin] - 1] < MINE and any_of(without(joined_to(board, origin), closed)):
                return True
    return False


# --- moving and fighting ------------------------------------------------------------------------------------------


def move(game, state, action):
    """Play a move of the player to move: the move itself, what everybody learns from it, and who is next."""
    board, kinds, me = game.board(), kinds_from(game), state[TURN]
    origin, target = action // POINTS[board], action % POINTS[board]
    man, other = state[HEAD + origin] - 1, state[HEAD + target] - 1
    kind = state[kinds + man]
    turned = kind == ENGINEER and not is_straight(board, state, origin, target)
    outcome, own_flag, their_flag = np.int64(PLAIN), np.int64(0), np.int64(0)
    if other >= 0:
        outcome = COMBAT[kind, state[kinds + other]]
        if KILLS_ATTACKER[outcome]:
            own_flag = flag_to_show(game, state, man)
        if KILLS_DEFENDER[outcome]:
            their_flag = flag_to_show(game, state, other)
    carry_out(game, state, action, outcome, turned, own_flag, their_flag)
    if state[RESULT] == OPEN:
        next_turn(game, state, me)
    told = (action * (PLAIN + 1) + outcome) * SHOWN * SHOWN + own_flag * SHOWN + their_flag
    state[PUBLIC] = seen(state[PUBLIC], told * (1 << AREAS) + state[ALIVE], TOLD)
    if state[RESULT] == OPEN:
        if state[QUIET] >= game.quiet:
            state[REASON] = STALLED
            state[RESULT] = DRAWN if game.stalled == Stalled.DRAW else WON + 1 - game.side_of(state[TURN])
        elif state[PLIES] >= game.longest:
            state[REASON], state[RESULT] = TOO_LONG, DRAWN


def flag_to_show(game, state, man):
    """Where the flag of a dead man's owner is, if he was a commander: 1 or 2 for a headquarters, or 0."""
    kinds = kinds_from(game)
    if state[kinds + man] != COMMANDER:
        return np.int64(0)
    return np.int64(1 if state[kinds + man - man % MEN[game.board()]] == FLAG else 2)


def carry_out(game, state, action, outcome, turned, own_flag, their_flag):
    """What everybody sees of a move: men move and die, and what that says of them. It does not look at kinds, so that it
    can also follow a game in which they are unknown."""
    board, known, me = game.board(), known_from(game), state[TURN]
    origin, target = action // POINTS[board], action % POINTS[board]
    man, other = state[HEAD + origin] - 1, state[HEAD + target] - 1
    if turned:
        pin(state, known + man, ENGINEER)
    state[known + man] &= ~(1 << MINE | 1 << FLAG)
    remove(state, me, origin)
    state[PLIES] += 1
    if outcome == PLAIN:
        put(state, me, target, man)
        state[QUIET] += 1
        return
    them, state[QUIET] = owner(game, other), 0
    if KILLS_DEFENDER[outcome]:
        remove(state, them, target)
    if not KILLS_ATTACKER[outcome]:
        put(state, me, target, man)
    note_fight(game, state, man, other, outcome)
    if KILLS_ATTACKER[outcome]:
        bury(game, state, man, own_flag)
    if KILLS_DEFENDER[outcome]:
        bury(game, state, other, their_flag)
    learn(state, known + man, known + other, outcome)
    if outcome >= CAPTURED:
        show_flag(game, state, other)
        leave(game, state, them)


def remove(state, who, point):
    state[HEAD + point] = 0
    state[STANDS + who * WORDS + WORD[point]] ^= BIT[point]


def put(state, who, point, man):
    state[HEAD + point] = man + 1
    state[STANDS + who * WORDS + WORD[point]] |= BIT[point]


def bury(game, state, man, flag):
    """A man has died in a fight: he was a commander if the flag of his owner is shown, and else not."""
    known = known_from(game)
    if flag:
        pin(state, known + man, COMMANDER)
        show_flag(game, state, man - man % MEN[game.board()] + flag - 1)
    else:
        state[known + man] &= ~(1 << COMMANDER)


def show_flag(game, state, man):
    """Everybody learns that this man is the flag, and so that he in the other headquarters is not."""
    known, number = known_from(game), man % MEN[game.board()]
    pin(state, known + man, FLAG)
    state[known + man + 1 - 2 * number] &= ~(1 << FLAG)


def pin(state, word, kind):
    """Everybody learns the kind of a man."""
    state[word] = (state[word] & ~ANY) | (1 << kind)


def note_fight(game, state, man, other, outcome):
    """Enter a fight in the list, and in the chains of both men: each fight names the one before it of the attacker and of the
    defender, and what is known of a man ends with the number of his last fight."""
    known, number = known_from(game), state[FIGHTS]
    before, others = state[known + man] >> KINDS, state[known + other] >> KINDS
    links = (before << LINK_BITS) | others
    state[fights_from(game) + number] = (((((links << MAN_BITS) | man) << MAN_BITS) | other) << OUTCOME_BITS) | outcome
    state[FIGHTS] += 1
    for word in (known + man, known + other):
        state[word] = (state[word] & ANY) | ((number + 1) << KINDS)


def attacker_of(fight):
    return (fight >> (MAN_BITS + OUTCOME_BITS)) & (MOST - 1)


def defender_of(fight):
    return (fight >> OUTCOME_BITS) & (MOST - 1)


def outcome_of(fight):
    return fight & ((1 << OUTCOME_BITS) - 1)


def fight_before(fight, man):
    """The fight of a man before this one, counted from 1, or 0."""
    links = fight >> (2 * MAN_BITS + OUTCOME_BITS)
    return links >> LINK_BITS if attacker_of(fight) == man else links & ((1 << LINK_BITS) - 1)


def learn(state, one, other, outcome):
    """What the end of a fight says of the kinds of both men, to everybody."""
    state[other] &= ~ANY | opponents(DEFENDERS, outcome, state[one] & ANY)
    state[one] &= ~ANY | opponents(ATTACKERS, outcome, state[other] & ANY)


def opponents(table, outcome, kinds):
    """The kinds that can have fought so with one of these kinds."""
    fits = np.int64(0)
    while kinds:
        fits |= table[outcome, lowest(kinds)]
        kinds &= kinds - 1
    return fits


def leave(game, state, who):
    """A player is out: all their men leave the board. If nobody of their side is left, the other side has won."""
    state[ALIVE] &= ~(1 << who)
    for word in range(WORDS):
        men = state[STANDS + who * WORDS + word]
        while men:
            state[HEAD + word * BITS + lowest(men)] = 0
            men &= men - 1
        state[STANDS + who * WORDS + word] = 0
    for other in range(game.seats()):
        if (state[ALIVE] >> other) & 1 and game.side_of(other) == game.side_of(who):
            return
    state[RESULT], state[REASON] = WON + 1 - game.side_of(who), BEATEN


def next_turn(game, state, me):
    """Find who moves next. Whoever has no move when it is their turn is out, and everybody learns what that means."""
    who = me
    for _ in range(game.seats()):
        who = (who + 1) % game.seats()
        if not (state[ALIVE] >> who) & 1:
            continue
        if can_move(game, state, who):
            state[TURN] = who
            return
        both = game.seats() == 2 and not can_move(game, state, me)
        learn_stuck(game, state, who)
        if both:
            learn_stuck(game, state, me)
        leave(game, state, who)
        if both:
            leave(game, state, me)
            state[RESULT] = DRAWN
        if state[RESULT] != OPEN:
            return


def learn_stuck(game, state, who):
    """A player cannot move: each man of theirs who has somewhere to go is a mine."""
    board, known = game.board(), known_from(game)
    _, closed = standing(game, state, who)
    for word in range(WORDS):
        men = state[STANDS + who * WORDS + word] & ~FIXED[board, word]
        while men:
            origin = word * BITS + lowest(men)
            men &= men - 1
            if any_of(without(joined_to(board, origin), closed)):
                pin(state, known + state[HEAD + origin] - 1, MINE)
