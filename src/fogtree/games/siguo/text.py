"""How people read and write army chess: boards, moves and whole states."""

import functools
import re

import numpy as np

from ... import shapes
from ...errors import Invalid
from ...game import NONE, REFEREE, seen
from . import rules
from .board import AREAS, BIT, FOUR, GRAPHS, HOME, MEN, POINTS, TWO, WORD, WORDS
from .pieces import ANY, COMBAT, KINDS, NAMES, OUTCOMES, SIGNS, UNSET
from .setting import LEFT_FIRST, WHOLE, left_of, may_set

HIDDEN, UNKNOWN = "?", "-"
MOVE = re.compile(r"([a-zA-Z]?\d{1,2})\s*[-xX]?\s*([a-zA-Z]?\d{1,2})")
WHO = {FOUR: ("south", "east", "north", "west")}
TWO_SIDES = ("red", "blue")
CLOCKS = (rules.TURN, rules.QUIET, rules.PLIES, rules.ALIVE, rules.RESULT, rules.REASON)  # words of the last field
FIELDS = "set-ups, places, kinds known, fights, and TURN,QUIET,PLIES,ALIVE"


# --- points and moves ---------------------------------------------------------------------------------------------


def name_of(game, point):
    """How a point is called: as in chess, or on the board for two as in the contest's protocol."""
    return names(int(game.board()))[point]


@functools.cache
def names(board):
    """What the points are called."""
    place, high = GRAPHS[board].place, height(board)
    if board == TWO:
        return [f"{chr(ord('A') + y)}{x}" for x, y in place]
    return [f"{chr(ord('a') + x)}{high - y}" for x, y in place]


def height(board):
    """How many rows the drawn board has."""
    return 1 + max(y for _, y in GRAPHS[board].place)


@functools.cache
def points_by_name(board):
    return {name.lower(): point for point, name in enumerate(names(board))}


def point_of(game, name):
    """The point with a name, or NONE."""
    return points_by_name(int(game.board())).get(name.lower(), NONE)


def label(game, state, action):
    if is_setting(game, state):
        return NAMES[action]
    origin, target = divmod(int(action), int(POINTS[game.board()]))
    return f"{name_of(game, origin)}{'x' if state[rules.HEAD + target] else '-'}{name_of(game, target)}"


def read(game, state, text):
    """The action that a person typed: the name or the sign of a man to set, or a move from point to point."""
    if is_setting(game, state):
        word = text.strip().lower()
        return next((kind for kind in range(KINDS) if word in (NAMES[kind], SIGNS[kind].lower())), NONE)
    if not (said := MOVE.fullmatch(text.strip())):
        return NONE
    origin, target = (point_of(game, name) for name in said.groups())
    return NONE if NONE in (origin, target) else origin * int(POINTS[game.board()]) + target


def is_setting(game, state):
    return state[rules.PLACED] < game.seats() * MEN[game.board()]


# --- a board ------------------------------------------------------------------------------------------------------


@functools.cache
def players_of(game):
    """What the players are called."""
    if game.board() != FOUR:
        return TWO_SIDES
    return tuple(WHO[FOUR][game.area(player)] for player in range(game.seats()))


def show(game, state, player):
    """The board as a player may see it: own men by their signs, men of whom everybody knows the kind too, all others as ?."""
    graph = GRAPHS[game.board()]
    wide, high = 1 + max(x for x, _ in graph.place), height(game.board())
    cells = [["  "] * wide for _ in range(high)]
    for point, (x, y) in enumerate(graph.place):
        cells[y][x] = " o" if point in graph.camps else " H" if point in graph.headquarters else " ."
        if state[rules.HEAD + point]:
            cells[y][x] = standing(game, state, point, player)
    if game.board() == TWO:
        lines = [f"{chr(ord('A') + y)} {' '.join(row)}" for y, row in enumerate(cells)]
        foot = "   " + "  ".join(str(x) for x in range(wide))
    else:
        lines = [f"{high - y:>2} {' '.join(row)}" for y, row in enumerate(cells)]
        foot = "    " + "  ".join(chr(ord("a") + x) for x in range(wide))
    return "\n".join([*(line.rstrip() for line in lines), foot, told(game, state, player)])


def changed(game, before, after, player):
    """What a player can see of a move: the points where something else stands now."""
    return ", ".join(
        f"{name_of(game, point)}: {was} becomes {now}"
        for point in range(len(GRAPHS[game.board()].place))
        if (was := standing(game, before, point, player)) != (now := standing(game, after, point, player))
    )


def standing(game, state, point, player):
    """The man on a point as a player may see it: the first letter of its owner, and its sign; `empty` where there is none."""
    man = int(state[rules.HEAD + point])
    if not man:
        return "empty"
    whose = int(rules.owner(game, man - 1))
    return players_of(game)[whose][0] + sign(game, state, man - 1, player in (whose, REFEREE))


RAIL, ROAD = 0.09, 0.025  # how wide they are drawn
SHORT = {"B": "\u2739", "M": "\u25b2", "F": "\u2691"}  # signs of bombs, mines and flags


def draw(game, state, player):
    """The board as shapes: railways are thick, camps round, headquarters dark. The player's own area is at the bottom."""
    graph, place = GRAPHS[game.board()], turned(game, player)
    made = []
    for joints, width, tone in ((graph.roads, ROAD, shapes.FAINT), (graph.rails, RAIL, shapes.HIDDEN)):
        made += [shapes.Line(*place[a], *place[b], tone, width) for a, b in sorted(joints)]
    for point, (x, y) in enumerate(place):
        name = name_of(game, point)
        if point in graph.camps:
            made.append(shapes.Disc(x, y, tone=shapes.LIGHT, place=name, radius=0.36))
        else:
            tone = shapes.DARK if point in graph.headquarters else shapes.BOARD
            made.append(shapes.Cell(x, y, tone=tone, place=name, width=0.72, height=0.56))
        if man := int(state[rules.HEAD + point]):
            whose = int(rules.owner(game, man - 1))
            mark = sign(game, state, man - 1, player in (whose, REFEREE)).replace(HIDDEN, "")
            tone = shapes.PLAYERS[whose if game.board() == FOUR else 1 - whose]  # of two sides the second is blue
            made.append(shapes.Cell(x, y, SHORT.get(mark, mark), tone, place=name, width=0.72, height=0.56))
    bottom = max(y for _, y in place) + 0.8
    middle = sum(x for x, _ in place) / len(place)
    return [*made, shapes.Text(middle, bottom, told(game, state, player), size=0.3)]


def turned(game, player):
    """[point] (x, y) with the area of a player at the bottom."""
    place = GRAPHS[game.board()].place
    most = max(max(x, y) for x, y in place) if game.board() == FOUR else 0
    wide, high = max(x for x, _ in place), height(game.board()) - 1
    quarters = 0 if player == REFEREE else game.area(player) * (1 if game.board() == FOUR else 2)
    turns = (
        lambda x, y: (x, y),
        lambda x, y: (most - y, x),
        lambda x, y: (wide - x, high - y),
        lambda x, y: (y, most - x),
    )
    return [turns[quarters](x, y) for x, y in place]


def path(game, state, action):
    """Where a move begins and ends."""
    if is_setting(game, state):
        return None
    return tuple(name_of(game, point) for point in divmod(int(action), int(POINTS[game.board()])))


def who(game, player):
    """What a player is called."""
    return players_of(game)[player].capitalize()


def ending(game, state):
    """Why it has ended."""
    return told(game, state, REFEREE).removeprefix("a draw").strip() or "nobody can win"


def heard(game, state, action, player):
    """Everybody sees who moves where and what is left after a fight, and nobody sees how the others set up."""
    if is_setting(game, state):
        return ""
    with np.errstate(over="ignore"):  # views are hashes, which wrap round
        game.step(after := state.copy(), action)
    men = [np.count_nonzero(now[rules.HEAD : rules.HEAD + len(GRAPHS[game.board()].place)]) for now in (state, after)]
    fought = f" ({changed(game, state, after, player)})" if men[0] != men[1] else ""
    return f"{label(game, state, action)}{fought}"


def sign(game, state, man, own):
    """A man's sign, or ? if he may be several kinds by what everybody knows and is not shown."""
    kind, known = int(state[rules.kinds_from(game) + man]), int(state[rules.known_from(game) + man]) & ANY
    if own:
        return HIDDEN if kind == UNSET else SIGNS[kind]
    return SIGNS[known.bit_length() - 1] if known & (known - 1) == 0 else HIDDEN


def told(game, state, player):
    """Where the game stands, in words."""
    who = players_of(game)
    if is_setting(game, state):
        return "the armies are being set up"
    if state[rules.RESULT] == rules.OPEN:
        out = [name for number, name in enumerate(who) if not state[rules.ALIVE] >> number & 1]
        gone = f"; out: {', '.join(out)}" if out else ""
        return f"{who[state[rules.TURN]]} to move, {state[rules.QUIET]} of {game.quiet} moves without a fight{gone}"
    whys = {rules.BEATEN: "", rules.STALLED: f" after {game.quiet} moves without a fight"}
    why = whys.get(int(state[rules.REASON]), " by its length")
    if state[rules.RESULT] == rules.DRAWN:
        return f"a draw{why}"
    winners = [name for number, name in enumerate(who) if rules.WON + game.side_of(number) == state[rules.RESULT]]
    return f"won by {' and '.join(winners)}{why}"


# --- a whole state ------------------------------------------------------------------------------------------------


def notation(game, state):
    """A state as a text of five fields: the set-ups (signs, from the back to the front), where each man stands, the kinds
    that he can be by what everybody knows (as a number in base 16), the fights (attacker:defender:outcome), and whose
    turn it is with the clocks and who is in the game. Before the first move the set-ups are enough."""
    men, kinds, known = int(MEN[game.board()]), rules.kinds_from(game), rules.known_from(game)
    total = game.seats() * men
    place = {
        int(man) - 1: point for point, man in enumerate(state[rules.HEAD : rules.HEAD + POINTS[game.board()]]) if man
    }

    def by_player(written, between):
        rows = (written[player * men : player * men + men] for player in range(game.seats()))
        return "/".join(between.join(row) for row in rows)

    signs = [UNKNOWN if kind == UNSET else SIGNS[kind] for kind in state[kinds : kinds + total]]
    if state[rules.PLIES] == 0:
        return by_player(signs, "")
    places = [name_of(game, place[man]) if man in place else UNKNOWN for man in range(total)]
    sets = [f"{mask & ANY:x}" for mask in state[known : known + total]]
    first = rules.fights_from(game)
    fights = (
        ",".join(":".join(map(str, parts(fight))) for fight in state[first : first + state[rules.FIGHTS]]) or UNKNOWN
    )
    clocks = ",".join(str(state[word]) for word in CLOCKS)
    return " ".join([by_player(signs, ""), by_player(places, ","), by_player(sets, ","), fights, clocks])


def parts(fight):
    """The attacker, the defender and the outcome of a fight."""
    return int(rules.attacker_of(fight)), int(rules.defender_of(fight)), int(rules.outcome_of(fight))


def from_notation(game, text, state):
    """Set up a state from a text, or refuse it in one sentence. The view is that of what the text says in public."""
    fields = text.split()
    if len(fields) not in (1, 5):
        refuse(text, f"there are {len(fields)} fields: valid are 1, the set-ups, or 5: {FIELDS}")
    found = np.zeros(len(state), np.int64)
    game.start(found)
    for player, signs in enumerate(rows_of(game, text, fields[0], "set-ups")):
        set_army(game, found, player, signs)
    if len(fields) == 5:
        if UNKNOWN in fields[0]:
            refuse(text, "men can move only after all have been set")
        set_course(game, found, text, fields)
    state[:] = found


def refuse(text, why):
    told = " ".join(text.split())
    short = told if len(told) <= 40 else told[:37] + "..."
    raise Invalid(f"'{short}' is no state of this game: {why}")


def rows_of(game, text, field, what):
    rows = field.split("/")
    if len(rows) != game.seats():
        refuse(text, f"{game.seats()} {what} are needed, with / between them, not {len(rows)}")
    return rows


def set_army(game, state, player, signs):
    """Set the men of a player, given by their signs from the back to the front."""
    with np.errstate(over="ignore"):
        for number, kind in enumerate(kinds_of(game, signs)):
            if state[rules.PLACED] != player * MEN[game.board()] + number:
                refuse(signs, "a player sets up only after all before them are done")
            game.step(state, kind)


def kinds_of(game, signs):
    """The kinds of a set-up, or of its beginning; a set-up against the rules is refused in one sentence."""
    men, board = int(MEN[game.board()]), game.board()
    signs = signs.strip().upper().rstrip(UNKNOWN)
    if len(signs) > men:
        raise Invalid(f"a set-up has {men} men, not {len(signs)}")
    left, kinds = int(WHOLE[board]), []
    for number, letter in enumerate(signs):
        kind = SIGNS.find(letter)
        if kind < 0:
            raise Invalid(f"'{letter}' is no man of army chess: valid are {' '.join(SIGNS)}")
        if left_of(left, kind) == 0:
            raise Invalid(f"a set-up has no more than {left_of(int(WHOLE[board]), kind)} of the kind {NAMES[kind]}")
        if not may_set(board, number, left, kind):
            point = name_of(game, HOME[board, game.area(0), number])
            raise Invalid(f"the {NAMES[kind]} cannot be set on {point}: {LEFT_FIRST}")
        left -= 1 << 4 * kind
        kinds.append(kind)
    return kinds


def set_course(game, state, text, fields):
    """Enter what has happened since the first move."""
    men, known = int(MEN[game.board()]), rules.known_from(game)
    total, points = game.seats() * men, int(POINTS[game.board()])
    state[rules.HEAD : rules.HEAD + points] = 0
    state[rules.STANDS : rules.STANDS + AREAS * WORDS] = 0
    for field, what in ((1, "places"), (2, "kinds known")):
        rows = [row.split(",") for row in rows_of(game, text, fields[field], what)]
        if any(len(row) != men for row in rows):
            refuse(text, f"the {what} of {men} men are needed for each player")
        for man, word in enumerate(word for row in rows for word in row):
            if field == 1:
                set_place(game, state, text, man, word)
            else:
                state[known + man] = number_in(text, word, "kinds known", ANY, 16)
                if not state[known + man] >> state[rules.kinds_from(game) + man] & 1:
                    refuse(text, f"man {man} is none of the kinds that he is known to be")
    if fields[3] != UNKNOWN:
        for fight in fields[3].split(","):
            attacker, _, rest = fight.partition(":")
            defender, _, outcome = rest.partition(":")
            one, other = (number_in(text, word, "fights", total - 1) for word in (attacker, defender))
            ended = number_in(text, outcome, "fights", OUTCOMES - 1)
            if state[rules.FIGHTS] == total:
                refuse(text, f"there are at most {total} fights")
            if COMBAT[state[rules.kinds_from(game) + one], state[rules.kinds_from(game) + other]] != ended:
                refuse(text, f"men {one} and {other} are of kinds whose fight ends otherwise")
            rules.note_fight(game, state, one, other, ended)
    clocks = fields[4].split(",")
    limits = (game.seats() - 1, game.quiet, game.longest, (1 << game.seats()) - 1, rules.WON + 1, 3)
    if len(clocks) != len(limits):
        refuse(text, f"the last field has {len(limits)} numbers, not {len(clocks)}")
    for word, written, limit in zip(CLOCKS, clocks, limits, strict=True):
        state[word] = number_in(text, written, "clocks", limit)
    with np.errstate(over="ignore"):
        for letter in " ".join(fields[1:]).encode():
            state[rules.PUBLIC] = seen(state[rules.PUBLIC], letter, rules.TOLD)


def set_place(game, state, text, man, name):
    if name == UNKNOWN:
        return
    point, player = point_of(game, name), man // int(MEN[game.board()])
    if point == NONE:
        refuse(text, f"there is no point {name}")
    if state[rules.HEAD + point]:
        refuse(text, f"two men stand on {name}")
    state[rules.HEAD + point] = man + 1
    state[rules.STANDS + player * WORDS + WORD[point]] |= BIT[point]


def number_in(text, word, what, most, base=10):
    try:
        number = int(word, base)
    except ValueError:
        number = NONE
    if not 0 <= number <= most:
        refuse(text, f"'{word}' of the {what} is no number from 0 to {most}")
    return number
