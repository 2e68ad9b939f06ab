"""The protocol of the army chess event of the Chinese computer games contest (version 1.0, 2012). This is our side of it.

A referee writes lines to an engine, and the engine answers some of them:

    INFO 1.0                    NAME Fogtree
    START 0 1800 31             ARRAY and 25 letters. 0: the engine moves first; its seconds; quiet moves until a loss
    GO G0F0 3 00                BESTMOVE F2G2. The other's move, its result, where the other's flag is; 0000: you begin
    RESULT 1 A1                 the result of the engine's own move, and where the other's flag is
    END 1                       0 lost, 1 won, 2 broken off

Each engine sees itself at the bottom: rows A to L from the top, columns 0 to 4. A result is 0 if the mover died, 1 if the
other did, 2 if both did, 3 if there was no fight. A flag's place is 00 as long as the commander of its owner lives. A
set-up is written row by row from the front to the back, camps left out; kinds are a (commander) to i (engineer), j mine,
k bomb, l flag.

An engine never learns the kinds of the other's men. It follows the game by what it is told (`rules.carry_out`) and hands its
player a state in which these kinds are unset; the player may call `game.imagine`, which does not look at them. A line that is
not understood is answered by `ERROR` and one sentence, and the loop goes on.
"""

from collections.abc import Callable, Iterable
from typing import Any, TextIO

import numpy as np

from ..errors import FogtreeError, Invalid
from ..game import legal, new_state, odds, seen
from ..games.siguo import Luzhanqi, SetUp, rules
from ..games.siguo.board import GRAPHS, TWO
from ..games.siguo.pieces import BOMBED, BOTH, CAPTURED, FLAG, KINDS, PLAIN, REPELLED, TAKEN
from ..games.siguo.setting import WHOLE, left_of, may_set
from .answering import talk

VERSION = "1.0"
BEGIN, NOWHERE = "0000", "00"
DIED, WON, BOTH_DIED, MOVED = range(4)  # results
RESULTS = {REPELLED: DIED, TAKEN: WON, BOTH: BOTH_DIED, CAPTURED: WON, BOMBED: BOTH_DIED, PLAIN: MOVED}
LETTERS = "abcdefghikjl"  # [kind] bombs come before mines here, and after them in the protocol
ARMY, ROWS, COLUMNS, POINTS = 25, 12, 5, 60
FRONT_FIRST = sorted(range(ARMY), key=lambda man: GRAPHS[TWO].place[GRAPHS[TWO].homes[0][man]][::-1])

# player(game, state, player) -> an action; the kinds of the other's men in the state are unset
Player = Callable[[Any, np.ndarray, int], int]


# --- the language -------------------------------------------------------------------------------------------------


def place_name(point: int, player: int) -> str:
    """A point, as this player's engine calls it."""
    x, y = GRAPHS[TWO].place[point]
    if player:
        x, y = COLUMNS - 1 - x, ROWS - 1 - y
    return f"{chr(ord('A') + y)}{x}"


def point_named(name: str, player: int) -> int:
    """The point that this player's engine calls so."""
    for point in range(POINTS):
        if place_name(point, player) == name.upper():
            return point
    raise Invalid(f"'{name}' is no point: valid are A0 to L4")


def move_name(action: int, player: int) -> str:
    return place_name(action // POINTS, player) + place_name(action % POINTS, player)


def move_named(name: str, player: int) -> int:
    """The action that this player's engine calls so."""
    if len(name) != 4:
        raise Invalid(f"'{name}' is no move: write G0F0, from a point to a point")
    return point_named(name[:2], player) * POINTS + point_named(name[2:], player)


def army_letters(kinds: list[int]) -> str:
    """A set-up as the protocol writes it; `kinds` are in our order, from the back to the front."""
    return "".join(LETTERS[kinds[man]] for man in FRONT_FIRST)


def army_kinds(letters: str) -> list[int]:
    """The kinds of a set-up, in our order. One that is against the rules is refused in one sentence."""
    if len(letters) != ARMY:
        raise Invalid(f"a set-up has {ARMY} letters, not {len(letters)}")
    kinds = [0] * ARMY
    for man, letter in zip(FRONT_FIRST, letters.lower(), strict=True):
        if letter not in LETTERS:
            raise Invalid(f"'{letter}' is no man: valid are a to l")
        kinds[man] = LETTERS.index(letter)
    left = int(WHOLE[TWO])
    for man, kind in enumerate(kinds):
        if not left_of(left, kind):
            raise Invalid(f"the set-up has too many of '{LETTERS[kind]}'")
        if not may_set(TWO, man, left, kind):
            where = place_name(GRAPHS[TWO].homes[0][man], 0)
            rule = "l is in a headquarters, j behind, k not in front"
            raise Invalid(f"the set-up cannot have '{LETTERS[kind]}' on {where}: {rule}")
        left -= 1 << 4 * kind
    return kinds


# --- a game of which one side is unknown --------------------------------------------------------------------------


def begin(game: Any, player: int, kinds: list[int]) -> np.ndarray:
    """The state before the first move, of which one army is unset."""
    state = new_state(game)
    first = rules.kinds_from(game) + player * ARMY
    with np.errstate(over="ignore"):
        for man, kind in enumerate(kinds):
            state[first + man] = kind
            state[rules.OWN + player] = seen(state[rules.OWN + player], kind, KINDS)
        state[rules.PUBLIC] = seen(state[rules.PUBLIC], 0, rules.TOLD)
    state[rules.PLACED], state[rules.LEFT] = 2 * ARMY, 0
    return state


def told_outcome(state: np.ndarray, action: int, result: int) -> int:
    """How a move ended, by the result that was told. A fallen flag ends the game, and then no more moves are told."""
    fought = bool(state[rules.HEAD + action % POINTS])
    if fought != (result != MOVED):
        raise Invalid(f"result {result} does not fit a move to {'a taken' if fought else 'a free'} point")
    return {DIED: REPELLED, WON: TAKEN, BOTH_DIED: BOTH, MOVED: PLAIN}[result]


def follow(game: Any, state: np.ndarray, me: int, action: int, result: int, flag: str) -> None:
    """Play a move with the result that was told. `flag` is where the other's flag is, in my engine's words."""
    mover, known, kinds = int(state[rules.TURN]), rules.known_from(game), rules.kinds_from(game)
    origin, target = action // POINTS, action % POINTS
    man, other = int(state[rules.HEAD + origin]) - 1, int(state[rules.HEAD + target]) - 1
    if man < 0 or man // ARMY != mover:
        raise Invalid(f"no man of the mover stands on {place_name(origin, me)}")
    if other >= 0 and other // ARMY == mover:
        raise Invalid(f"a man of the mover stands on {place_name(target, me)}")
    outcome = told_outcome(state, action, result)
    theirs = 0  # 1 + the headquarters with the other's flag, if his commander has died just now
    shown = [int(state[known + (1 - me) * ARMY + hq]) & (1 << KINDS) - 1 == 1 << FLAG for hq in (0, 1)]
    if flag != NOWHERE and not any(shown):
        place = point_named(flag, me)
        if place not in GRAPHS[TWO].homes[1 - me][:2]:
            raise Invalid(f"the other's flag cannot be on {flag}: its headquarters are A1 and A3")
        theirs = 1 + GRAPHS[TWO].homes[1 - me][:2].index(place)
    mine = 0
    first = kinds + me * ARMY
    my_man = man if mover == me else other
    survives = outcome in ((TAKEN, CAPTURED) if mover == me else (REPELLED,))
    if outcome != PLAIN and state[kinds + my_man] == 0 and not survives:
        mine = 1 if state[first] == FLAG else 2
    own, others = (mine, theirs) if mover == me else (theirs, mine)
    turned = not rules.is_straight(TWO, state, origin, target)
    with np.errstate(over="ignore"):
        rules.carry_out(game, state, action, outcome, turned, own, others)
        told = (action * (PLAIN + 1) + outcome) * 9 + own * 3 + others
        state[rules.PUBLIC] = seen(state[rules.PUBLIC], told, rules.TOLD)
    state[rules.TURN] = 1 - mover


# --- the engine ---------------------------------------------------------------------------------------------------


class Engine:
    """Answers the lines of a referee.

    engine = Engine(Luzhanqi(quiet=31, stalled="loss"), player, army)
    engine.answer("INFO 1.0")        "NAME Fogtree"
    """

    def __init__(self, game: Any, player: Player, army: Callable[[], list[int]], *, name: str = "Fogtree"):
        self.game, self.player, self.army, self.name = game, player, army, name
        self.over = False
        self.me = 0
        self.state: np.ndarray | None = None
        self.last = 0  # own move whose result is not yet told
        self.commands = {
            "INFO": self._info,
            "START": self._start,
            "GO": self._go,
            "RESULT": self._result,
            "END": self._end,
        }

    def run(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer line by line until the game ends or nobody speaks any more."""
        talk(self, lines, out, "\n")

    def answer(self, line: str) -> str:
        """The answer to a line; nothing where none is expected."""
        words = line.split()
        if not words:
            return ""
        if words[0].upper() not in self.commands:
            return f"ERROR there is no command '{words[0]}': valid are {', '.join(self.commands)}"
        try:
            with np.errstate(over="ignore"):  # views are numbers that wrap round
                return self.commands[words[0].upper()](words[1:])
        except FogtreeError as error:
            return f"ERROR {' '.join(str(error).split())}"
        except Exception as error:  # a player's own fault must not end the talk
            return "ERROR " + " ".join(f"{type(error).__name__}: {error}".split())

    def _info(self, words: list[str]) -> str:
        return f"NAME {self.name}"

    def _start(self, words: list[str]) -> str:
        first, _, steps = _numbers(words, "START first time steps", 3)
        if first not in (0, 1):
            raise Invalid(f"the first number of START is 0 or 1, not {first}")
        self.game = self.game._replace(quiet=steps)
        self.me, kinds = first, self.army()
        self.state = begin(self.game, self.me, kinds)
        return f"ARRAY {army_letters(kinds)}"

    def _go(self, words: list[str]) -> str:
        state = self._playing()
        if len(words) != 3:
            raise Invalid("write GO MOVE RESULT FLAG")
        if words[0] != BEGIN:
            result = _numbers(words[1:2], "GO MOVE RESULT FLAG", 1)[0]
            self._follow(move_named(words[0], self.me), result, words[2])
        elif state[rules.TURN] != self.me:
            raise Invalid(f"{BEGIN} is for the engine that moves first")
        if state[rules.TURN] != self.me:
            raise Invalid("it is the other's turn: RESULT of the last move is missing")
        if not legal(self.game, state):
            raise Invalid("no move is left")
        self.last = self.player(self.game, state.copy(), self.me)
        return f"BESTMOVE {move_name(self.last, self.me)}"

    def _result(self, words: list[str]) -> str:
        if len(words) != 2:
            raise Invalid("write RESULT RESULT FLAG")
        self._follow(self.last, _numbers(words[:1], "RESULT RESULT FLAG", 1)[0], words[1])
        return ""

    def _end(self, words: list[str]) -> str:
        self.over = True
        return ""

    def _follow(self, action: int, result: int, flag: str) -> None:
        if not 0 <= result <= MOVED:
            raise Invalid(f"a result is 0, 1, 2 or 3, not {result}")
        follow(self.game, self._playing(), self.me, action, result, flag)

    def _playing(self) -> np.ndarray:
        if self.state is None:
            raise Invalid("the game has not begun: START comes first")
        return self.state


def _numbers(words: list[str], form: str, count: int) -> list[int]:
    if len(words) != count or not all(word.isdecimal() for word in words):
        raise Invalid(f"write {form} with whole numbers")
    return [int(word) for word in words]


def random_army(seed: int) -> list[int]:
    """A sensible set-up, drawn by the odds of `setting.py`."""
    game, chooser = Luzhanqi(SetUp.SENSIBLE), np.random.default_rng(seed)
    state = new_state(game)
    with np.errstate(over="ignore"):
        for _ in range(ARMY):
            game.step(state, int(chooser.choice(legal(game, state), p=odds(game, state))))
    return [int(kind) for kind in state[rules.kinds_from(game) : rules.kinds_from(game) + ARMY]]
