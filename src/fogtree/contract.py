"""`check(game)`: does a game keep the contract of `game.py`? For ours in the tests, and for yours.

A small game is walked whole, a large one from the root as far as the budget goes and then along random games. The walk is
plain Python over the game's own methods, so that an error in them shows with its traceback; at the end the same random
games are played interpreted and compiled and must agree to the last bit. The rules, under the method that would break
them:

    shape     sizes are whole numbers from 1 up, payoffs have finite bounds, low <= high; where it says that the game is
              open, no player who is to move has the same view after two different courses of moves
    start     writes the whole state: the same whatever stood there before
    player    is one of the players, CHANCE or OVER; the game ends within shape().moves
    actions   one or more, ascending, not negative, at most shape().actions
    odds      positive, sum to 1
    step      is the only method that changes the state, and does so the same way each time
    payoff    finite, within [low, high], sums to 0 where shape().zero_sum says so
    view      a whole number; the same view means the same legal actions, the same own past (perfect recall) and the
              same earlier views (nothing seen is forgotten)
    show      a player sees the same text wherever their view is the same: nothing hidden leaks
    label     different actions have different labels, the same wherever the player's view is the same, and read() finds
              each action by its label

and of the methods that a game may have besides:

    side_of   numbers the sides from 0 without gaps, player 0 on side 0; payoffs are equal within a side
    position  a whole number; where it is the same, so are the player to move and the legal actions, and in an open game all
              that may follow: the ends and, where the whole tree was walked, everything below
    noisy     some of the legal actions, ascending
    imagine   keeps the player's view and the player to move, and depends on the view and on the dice alone: from two states
              with one view, the same dice make the same state and are left the same. Where the whole tree was walked,
              what it makes is a state of the tree with that view, and it draws these states evenly, or by the odds of chance
              and of others who play at random (chi-square tests, with fixed dice)
"""

import collections
import contextlib
import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from . import dice
from .errors import Broken, Illegal, Uncompilable
from .game import CHANCE, OVER, REFEREE, Shape, read
from .kernels import kernel
from .trouble import ENDLESS, require_fine
from .walk.table import MOST_PLAYERS

VERBS = ("shape", "start", "player", "actions", "step", "payoff", "view")
REAL = (int, float, np.integer, np.floating)
CLOSE = 1e-9  # how far probabilities may sum from 1, and zero-sum payoffs from 0
PLAYER, ACTIONS, VIEW, POSITION, NOISY, NUMBERS = 0, 1, 2, 3, 4, 5  # the numbers of a trace, and how many they are
ODD = np.int64(-7046029254386353131)
TRACED = 20  # random games, interpreted and compiled
LONG = 1_000  # moves: of games that may take longer, no more random games are compared than were asked for

IN_PYTHON = 100  # states are imagined in the walk, so that an error shows with its traceback; the others compiled
IMAGINED = 20_000  # states at most, from which others are imagined
DRAWS = 40_000  # for the distribution of what is imagined, over all information sets
FEWEST, MOST = 20, 400  # draws for each state of an information set
EXPECTED = 5  # draws of a cell of a chi-square test; rarer states share one
UNLIKELY = 1e-6  # a chi-square test with a lower p-value fails
EVENLY, BY_ODDS = "each state equally likely", "by the odds of chance and of others who play at random"


class Report(NamedTuple):
    """What a passed check has looked at."""

    histories: int
    ends: int
    infosets: int
    complete: bool  # the whole tree, not a part of it
    imagined: str = ""  # how `imagine` was found to draw states, in a whole tree: EVENLY or BY_ODDS
    hints: tuple[str, ...] = ()  # what the game might say of itself


def check(game: Any, *, histories: int = 20_000, games: int = 200, seed: int = 0) -> Report:
    """Walk a game and raise `Broken`, with the method, the moves and the rule, at the first rule that it breaks."""
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        walk = _Walk(game, seed)
        complete = walk.explore(histories)
        if not complete:
            for _ in range(games):
                walk.play()
        if complete:
            walk.check_below()
        _compare_with_compiled(game, seed, TRACED if walk.shape.moves < LONG else min(TRACED, max(games, 1)))
        imagined = _check_imagined(walk, seed, complete) if walk.imagined else ""
    hints = (OPEN_HINT.format(walk.kind),) if complete and not walk.hides and not walk.shape.open else ()
    return Report(walk.histories, walk.ends, len(walk.decision), complete, imagined, hints)


OPEN_HINT = "{} hides nothing, so its shape() may say open=True, and searches for open games will take it"


class _History(NamedTuple):
    state: np.ndarray
    moves: tuple[int, ...]
    own: tuple  # [player] the last own (view, action), or None
    views: tuple  # [player] the view before the last move
    reach: float  # the probability that random play leads here


class _Decision(NamedTuple):
    """A history from which a state is to be imagined."""

    history: _History
    player: int
    view: int


class _Walk:
    def __init__(self, game, seed):
        self.game, self.kind = game, type(game).__name__
        if not (isinstance(game, tuple) and hasattr(game, "_fields")):
            what = f"the class {game.__name__}" if isinstance(game, type) else f"a {self.kind}"
            raise Broken(f"a game is an instance of a NamedTuple class, not {what}")
        missing = [verb for verb in VERBS if not hasattr(game, verb)]
        if missing:
            raise Broken(f"{self.kind} has no method {', '.join(missing)}: a game needs {', '.join(VERBS)}")
        self.random = dice.seeded(seed)
        self.histories = self.ends = 0
        self.decision: dict = {}  # (player, view) -> actions, own past, moves of the first history found
        self.earlier: dict = {}  # (player, view) -> the view before it, moves
        self.shown: dict = {}  # (player, view) -> text, moves
        self.named: dict = {}  # (player, view) -> labels of the actions, moves
        self.ended_by_course = False
        self.placed: dict = {}  # position -> player to move, actions or payoffs, moves
        self.following: list = []  # (history, position, player to move, actions, actions or payoffs), if it is open
        self.imagined: list[_Decision] = []  # where states are to be imagined
        self.hides = False  # whether some player was found not to know where they are
        root = _History(np.zeros(1, np.int64), (), (), (), 1.0)
        self.shape = self.call(root, "shape")
        self.check_shape(root)
        self.sides = self.check_sides(root)

    # --- going ---

    def explore(self, limit) -> bool:
        """Visit histories depth first until the limit; whether that was all of them."""
        stack = [self.root()]
        while stack:
            if self.histories >= limit:
                return False
            history = stack.pop()
            actions, odds = self.visit(history)
            stack.extend(self.child(history, *move) for move in zip(reversed(actions), reversed(odds), strict=True))
        return True

    def play(self):
        history = self.root()
        actions, odds = self.visit(history)
        while actions:
            drawn = dice.below(self.random, len(actions))
            history = self.child(history, actions[drawn], odds[drawn])
            actions, odds = self.visit(history)

    def root(self):
        clean, dirty = np.zeros(self.shape.words, np.int64), np.full(self.shape.words, -77, np.int64)
        at = _History(clean, (), (None,) * self.shape.players, (None,) * self.shape.players, 1.0)
        self.call(at, "start", clean)
        self.call(at, "start", dirty)
        if not np.array_equal(clean, dirty):
            word = int(np.flatnonzero(clean != dirty)[0])
            self.broken(at, "start", f"must write the whole state, but word {word} depends on what stood there before")
        return at

    def child(self, history, action, chance):
        player = self.game.player(history.state)
        state = history.state.copy()
        self.call(history, "step", state, action)
        again = history.state.copy()
        self.call(history, "step", again, action)
        if not np.array_equal(state, again):
            self.broken(history, "step", f"of action {action} gives two different states from the same one")
        views = tuple(int(self.game.view(history.state, p)) for p in range(self.shape.players))
        own = tuple((views[p], action) if p == player else past for p, past in enumerate(history.own))
        return _History(state, (*history.moves, action), own, views, history.reach * chance)

    # --- looking ---

    def visit(self, history) -> tuple[list[int], list[float]]:
        """Check one history; returns its legal actions and their odds, equal ones where a player moves."""
        self.histories += 1
        player = self.whole(history, "player", self.call(history, "player", history.state))
        if player not in (CHANCE, OVER) and not 0 <= player < self.shape.players:
            self.broken(history, "player", f"is {player}: valid are 0 to {self.shape.players - 1}, CHANCE and OVER")
        if player != OVER and len(history.moves) >= self.shape.moves:
            self.broken(history, "player", f"goes on after {len(history.moves)} moves, the most that shape() allows")
        views = self.check_views(history)
        actions: list[int] = []
        odds: list[float] = []
        if player == OVER:
            self.ends += 1
            outcome = self.check_payoffs(history)
        else:
            actions, odds = self.check_actions(history, player, views)
            outcome = (*actions, *odds) if player == CHANCE else tuple(actions)
        self.check_people(history, player, actions, views)
        if hasattr(self.game, "position"):
            self.check_position(history, player, actions, outcome)
        if player >= 0 and hasattr(self.game, "noisy"):
            self.check_noisy(history, actions)
        if player >= 0 and hasattr(self.game, "imagine"):
            self.check_imagine(history, player, views[player])
        return actions, odds

    def check_shape(self, at):
        shape = self.shape
        if not isinstance(shape, Shape):
            self.broken(at, "shape", f"must return a fogtree.Shape, not {type(shape).__name__}")
        if any(self.whole(at, "shape", size) < 1 for size in shape[:4]):
            self.broken(at, "shape", f"has a size below 1: {shape}")
        if shape.players > MOST_PLAYERS:
            self.broken(at, "shape", f"has {shape.players} players: at most {MOST_PLAYERS} have room")
        if not all(isinstance(bound, REAL) for bound in (shape.low, shape.high)):
            self.broken(at, "shape", f"needs numbers for low and high, not {shape.low!r} and {shape.high!r}")
        if not (math.isfinite(shape.low) and math.isfinite(shape.high) and shape.low <= shape.high):
            self.broken(at, "shape", f"needs finite payoffs with low <= high, not {shape.low} and {shape.high}")

    def check_actions(self, history, player, views):
        out = np.full(self.shape.actions, -1, np.int64)
        count = self.whole(history, "actions", self.call(history, "actions", history.state, out))
        if not 1 <= count <= self.shape.actions:
            self.broken(history, "actions", f"returns {count}: valid is 1 to {self.shape.actions}, as shape() says")
        actions = [int(a) for a in out[:count]]
        if actions[0] < 0 or any(b <= a for a, b in itertools.pairwise(actions)):
            self.broken(history, "actions", f"must be ascending and not negative, not {actions}")
        if player != CHANCE:
            self.check_infoset(history, player, views[player], actions)
            return actions, [1 / count] * count
        odds = np.zeros(self.shape.actions)
        self.call(history, "odds", history.state, odds)
        if not (odds[:count] > 0).all() or abs(odds[:count].sum() - 1) > CLOSE:
            self.broken(history, "odds", f"must be positive and sum to 1, not {odds[:count].tolist()}")
        return actions, odds[:count].tolist()

    def check_infoset(self, history, player, view, actions):
        now = (actions, history.own[player])
        *known, first = self.decision.setdefault((player, view), (*now, history.moves))
        twice = f"player {player} cannot tell this from the history {self.moves(first)}, but "
        if known[0] != actions:
            self.broken(history, "view", f"{twice}the legal actions are {actions} here and {known[0]} there")
        if known[1] != history.own[player]:
            self.broken(history, "view", f"{twice}got here by other own actions, which a player must not forget")
        if first != history.moves:
            self.hides = True
            if self.shape.open:
                told = f"says that the game is open, but player {player} cannot tell this from the history "
                self.broken(history, "shape", told + self.moves(first))

    def check_views(self, history):
        views = []
        for player in range(self.shape.players):
            seen = self.call(history, "view", history.state, player)
            view = self.word(history, "view", seen, f"of player {player} ")
            if view != history.views[player]:
                known, first = self.earlier.setdefault((player, view), (history.views[player], history.moves))
                if known != history.views[player]:
                    self.broken(
                        history,
                        "view",
                        f"of player {player} is the same as after {self.moves(first)}, but earlier views differ: "
                        "a player must not forget what was seen",
                    )
            views.append(view)
        return tuple(views)

    def check_payoffs(self, history):
        payoffs = [self.call(history, "payoff", history.state, p) for p in range(self.shape.players)]
        if not all(isinstance(payoff, REAL) for payoff in payoffs):
            self.broken(history, "payoff", f"must be a number, not {payoffs}")
        payoffs = [float(payoff) for payoff in payoffs]
        if not all(self.shape.low - CLOSE <= payoff <= self.shape.high + CLOSE for payoff in payoffs):
            self.broken(
                history, "payoff", f"is {payoffs}, outside [{self.shape.low:g}, {self.shape.high:g}] of shape()"
            )
        if self.shape.zero_sum and abs(sum(payoffs)) > CLOSE:
            self.broken(history, "payoff", f"is {payoffs}, which does not sum to 0 as shape() says")
        if len({(side, payoff) for side, payoff in zip(self.sides, payoffs, strict=True)}) > len(set(self.sides)):
            self.broken(history, "payoff", f"is {payoffs}, but those on one side, {self.sides}, must get the same")
        return tuple(payoffs)

    def check_sides(self, at):
        players = range(self.shape.players)
        if not hasattr(self.game, "side_of"):
            return tuple(players)
        sides = tuple(self.whole(at, "side_of", self.call(at, "side_of", player)) for player in players)
        if sides[0] != 0 or set(sides) != set(range(max(sides) + 1)):
            self.broken(at, "side_of", f"numbers the sides from 0 without gaps, player 0 on side 0, not {sides}")
        return sides

    def check_position(self, history, player, actions, outcome):
        key = self.word(history, "position", self.call(history, "position", history.state))
        if player == OVER and hasattr(self.game, "by_course") and self.call(history, "by_course", history.state):
            self.ended_by_course = True
            return  # another course may go on from here
        *known, first = self.placed.setdefault(key, (player, outcome, history.moves))
        same = f"is the same as after {self.moves(first)}, but "
        if known[0] != player:
            self.broken(history, "position", f"{same}the player to move is {player} here and {known[0]} there")
        if known[1] != outcome and (player != OVER or self.shape.open):
            what = {OVER: "payoffs", CHANCE: "legal actions and odds"}.get(player, "legal actions")
            self.broken(history, "position", f"{same}the {what} are {list(outcome)} here and {list(known[1])} there")
        if self.shape.open:
            self.following.append((history, key, player, actions, outcome))

    def check_below(self):
        """In an open game, equal positions lead to the same: to as many ends, after the same moves, with the same payoffs.
        Where courses end a game, this cannot be said."""
        if self.ended_by_course:
            return
        number: dict = {}  # what follows -> its number
        what: dict = {}  # moves -> the number of what follows
        known: dict = {}  # position -> the number of what follows, moves
        for history, key, player, actions, outcome in sorted(self.following, key=lambda item: -len(item[0].moves)):
            children = tuple(what[*history.moves, action] for action in actions)
            follows = what[history.moves] = number.setdefault((player, outcome, children), len(number))
            other, first = known.setdefault(key, (follows, history.moves))
            if other != follows:
                told = f"is the same as after {self.moves(first)}, but other moves or payoffs follow"
                self.broken(history, "position", told)

    def check_noisy(self, history, actions):
        out = np.full(self.shape.actions, -1, np.int64)
        count = self.whole(history, "noisy", self.call(history, "noisy", history.state, out))
        if not 0 <= count <= len(actions):
            self.broken(history, "noisy", f"returns {count}: valid is 0 to {len(actions)}, the number of legal actions")
        noisy = out[:count].tolist()
        if not set(noisy) <= set(actions) or any(b <= a for a, b in itertools.pairwise(noisy)):
            self.broken(history, "noisy", f"must write legal actions, ascending, not {noisy} of {actions}")

    def check_people(self, history, player, actions, views):
        if hasattr(self.game, "show"):
            self.call(history, "show", history.state, REFEREE)
            for seat, view in enumerate(views):
                text = self.call(history, "show", history.state, seat)
                known, first = self.shown.setdefault((seat, view), (text, history.moves))
                if known != text:
                    self.apart(history, "show", seat, first)
        if hasattr(self.game, "label") and actions:
            labels = [self.call(history, "label", history.state, action) for action in actions]
            if len(set(labels)) < len(labels):
                self.broken(history, "label", f"gives two actions the same name: {labels}")
            if player != CHANCE:
                known, first = self.named.setdefault((player, views[player]), (labels, history.moves))
                if known != labels:
                    self.apart(history, "label", player, first)
            for action, text in zip(actions, labels, strict=True):
                with contextlib.suppress(Illegal):
                    if self.call(history, "read", history.state, text) == action:
                        continue
                self.broken(history, "read", f"does not take '{text}', the label of action {action}, for that action")

    def check_imagine(self, history, player, view):
        if len(self.imagined) < IN_PYTHON:
            made = history.state.copy()
            self.call(history, "imagine", made, player, dice.seeded(len(self.imagined)))
            self.keeps(history, player, view, int(self.game.player(made)), int(self.game.view(made, player)))
        self.imagined.append(_Decision(history, player, view))

    def keeps(self, history, player, view, mover, made):
        if (player, view) != (mover, made):
            self.broken(history, "imagine", f"gives a state that player {player} can tell from the true one")

    # --- saying ---

    def call(self, history, verb, *args):
        before = history.state.tobytes()
        try:
            result = read(self.game, *args) if verb == "read" else getattr(self.game, verb)(*args)
        except Exception as error:
            if verb == "read" and isinstance(error, Illegal):
                raise
            self.broken(history, verb, f"raised {type(error).__name__}: {error}", error)
        if verb != "start" and history.state.tobytes() != before:
            self.broken(history, verb, "changed the state, which only step may do")
        return result

    def whole(self, history, verb, value) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            self.broken(history, verb, f"must be a whole number, not {value!r}")
        return int(value)

    def word(self, history, verb, value, whose="") -> int:
        """A whole number of 64 bits."""
        number = self.whole(history, verb, value)
        if not -(2**63) <= number < 2**63:
            self.broken(history, verb, f"{whose}is {number}, which does not fit in 64 bits")
        return number

    def apart(self, history, verb, player, first):
        told = f"tells player {player} this from the history {self.moves(first)}, though their view is the same"
        self.broken(history, verb, told)

    def moves(self, moves):
        return " ".join(map(str, moves)) or "(none)"

    def broken(self, history, verb, rule, cause=None):
        where = f"after the moves {self.moves(history.moves)}, in state {history.state.tolist()}"
        raise Broken(f"{self.kind}.{verb} {rule} ({where})") from cause


@kernel
def _trace(game, games, moves, state, action, chance, trace, total, random):
    """Play random games; mixes what each verb says into its number of trace, and adds payoffs to total [player]. Returns 0,
    or ENDLESS."""
    for _ in range(games):
        game.start(state)
        for made in range(moves + 1):
            player = game.player(state)
            _mix(trace, PLAYER, player)
            for seat in range(total.shape[0]):
                _mix(trace, VIEW, game.view(state, seat))
            if player == OVER:
                break
            if made == moves:
                return ENDLESS
            if player >= 0:
                _mix(trace, POSITION, game.position(state))
                for i in range(game.noisy(state, action)):
                    _mix(trace, NOISY, action[i])
            count = game.actions(state, action)
            for i in range(count):
                _mix(trace, ACTIONS, action[i])
            if player == CHANCE:
                game.odds(state, chance)
                game.step(state, action[dice.pick(random, chance, count)])
            else:
                game.step(state, action[dice.below(random, count)])
        for seat in range(total.shape[0]):
            total[seat] += game.payoff(state, seat)
    return 0


def _mix(trace, verb, value):
    trace[verb] = (trace[verb] ^ np.int64(value)) * ODD


def _compare_with_compiled(game, seed, games):
    """The same random games, interpreted and compiled: the same in every verb, to the last bit."""
    kind, shape, results = type(game).__name__, game.shape(), []
    for run in (_trace.interpreted, _trace):
        trace, total = np.zeros(NUMBERS, np.int64), np.zeros(shape.players)
        scratch = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
        try:
            found = run(game, games, shape.moves, *scratch, trace, total, dice.seeded(seed))
        except Uncompilable as error:
            raise Broken(f"{error}") from None
        except Exception as error:
            raise Broken(f"{kind} raised {type(error).__name__} in a random game: {error}") from error
        require_fine(found, game)
        numbers = {"player or step": PLAYER, "actions": ACTIONS, "view": VIEW, "position": POSITION, "noisy": NOISY}
        results.append({verb: trace[number] for verb, number in numbers.items()} | {"payoff": total})
    for verb, said in results[0].items():
        if not np.array_equal(said, results[1][verb]):
            raise Broken(_unlike(f"{kind}.{verb}", f"{games} random games"))


def _unlike(method, where):
    return (
        f"{method} gives other numbers compiled than interpreted, in the same {where}; the usual causes are whole numbers "
        "beyond 64 bits, and division by 0"
    )


# --- imagining -------------------------------------------------------------------------------------------------------


@kernel
def _imagine(game, state, player, random, which, mover, view):
    """Rewrite each state [n, words] by the generator random[which[n]]; says who moves there and what the player sees."""
    for n in range(state.shape[0]):
        game.imagine(state[n], player[n], random[which[n]])
        mover[n], view[n] = game.player(state[n]), game.view(state[n], player[n])


class _Imagined(NamedTuple):
    """What was imagined from some states, row by row."""

    state: np.ndarray  # [n, words]
    random: np.ndarray  # [generators, 4] afterwards
    mover: np.ndarray  # [n]
    view: np.ndarray  # [n]


def _imagine_from(game, state, player, random, which, run=_imagine) -> _Imagined:
    made, dice_left = np.array(state, np.int64), random.copy()
    mover, view = np.zeros(len(made), np.int64), np.zeros(len(made), np.int64)
    try:
        run(game, made, np.array(player), dice_left, which, mover, view)
    except Uncompilable as error:
        raise Broken(f"{error}") from None
    return _Imagined(made, dice_left, mover, view)


def _check_imagined(walk, seed, complete) -> str:
    """Whether states are imagined by the view and the dice alone; in a whole tree, also which, and how often."""
    game, kept = walk.game, walk.imagined[:: 1 + len(walk.imagined) // IMAGINED]
    state, player = np.array([at.history.state for at in kept]), [at.player for at in kept]
    first = {
        (at.player, at.view): n for n, at in reversed(list(enumerate(kept)))
    }  # the first row of each information set
    of_set = np.array([first[at.player, at.view] for at in kept])
    each = np.arange(len(kept))
    random, others = _generators(seed, 1, len(kept)), _generators(seed, 2, len(kept))

    few = each[:IN_PYTHON]
    ways = (_imagine.interpreted, _imagine)
    twice = [_imagine_from(game, state[few], player[: len(few)], random, few, way) for way in ways]
    if not all(np.array_equal(one, two) for one, two in zip(*twice, strict=True)):
        raise Broken(_unlike(f"{walk.kind}.imagine", f"{len(few)} states"))

    made = _imagine_from(game, state, player, random[of_set], each)  # with the same dice in all states of a set
    for n, at in enumerate(kept):
        walk.keeps(at.history, at.player, at.view, made.mover[n], made.view[n])
    other = _imagine_from(game, state, player, others, each).state
    again = _imagine_from(game, other, player, random[of_set], each)
    for n, at in enumerate(kept):
        m = of_set[n]
        if made.state[n].tobytes() != made.state[m].tobytes() or made.random[n].tobytes() != made.random[m].tobytes():
            there = f"the history {walk.moves(kept[m].history.moves)}"
        elif (
            made.state[n].tobytes() != again.state[n].tobytes() or made.random[n].tobytes() != again.random[n].tobytes()
        ):
            there = f"the state {other[n].tolist()}"
        else:
            continue
        told = f"leaks what is hidden: the same dice make another state here than from {there}, with the same view for player"
        walk.broken(at.history, "imagine", f"{told} {at.player}")
    return _check_distribution(walk, seed) if complete else ""


def _generators(seed, part, count):
    return np.random.SeedSequence(seed, spawn_key=(part,)).generate_state(4 * count, np.uint64).reshape(count, 4)


def _check_distribution(walk, seed) -> str:
    """How a game imagines states, found by drawing many of them in the information sets of a whole tree."""
    sets: dict = collections.defaultdict(lambda: (collections.Counter(), []))
    for at in walk.imagined:
        states, found = sets[at.player, at.view]
        states[at.history.state.tobytes()] += at.history.reach
        found.append(at)
    need = sum(FEWEST * len(states) for states, _ in sets.values())
    chosen = list(sets.values())[:: 1 + need // DRAWS]
    each = min(MOST, max(FEWEST, DRAWS // sum(len(states) for states, _ in chosen)))
    which = np.repeat(np.arange(len(chosen)), [each * len(states) for states, _ in chosen])
    source = [found[0] for _, found in chosen]
    state, player = np.array([at.history.state for at in source])[which], [source[i].player for i in which]
    drawn = _imagine_from(walk.game, state, player, _generators(seed, 3, len(chosen)), which)
    counts = [collections.Counter[bytes]() for _ in chosen]
    for i, made in zip(which, drawn.state, strict=True):
        if made.tobytes() not in chosen[i][0]:
            walk.broken(source[i].history, "imagine", f"gives {made.tolist()}, which is no state with this view")
        counts[i][made.tobytes()] += 1

    worst = {}
    for how in (EVENLY, BY_ODDS):
        total, freedom, lowest = 0.0, 0, (1.0, source[0])
        for at, (states, _), count in zip(source, chosen, counts, strict=True):
            odds = np.array([1.0 if how == EVENLY else states[made] for made in states])
            misfit, free = _chi_square(np.array([count[made] for made in states]), odds / odds.sum())
            lowest = min(lowest, (_p_value(misfit, free), at), key=lambda pair: pair[0])
            total, freedom = total + misfit, freedom + free
        worst[how] = min(lowest, (_p_value(total, freedom), lowest[1]), key=lambda pair: pair[0])
        if worst[how][0] >= UNLIKELY:
            return how
    (even, at), (by_odds, _) = worst[EVENLY], worst[BY_ODDS]
    rule = f"draws states neither so: {EVENLY} (p = {even:.1g}); nor so: {BY_ODDS} (p = {by_odds:.1g})"
    return walk.broken(at.history, "imagine", rule)


def _chi_square(count, odds) -> tuple[float, int]:
    """How far counts are from what the odds promise, and the degrees of freedom. Rare cells are taken together."""
    order = np.argsort(odds)
    count, expected = count[order], odds[order] * count.sum()
    rare = int(np.count_nonzero(expected < EXPECTED))
    if rare and expected[:rare].sum() < EXPECTED:
        rare += rare < len(expected)
    if rare:
        count = np.append(count[rare:], count[:rare].sum())
        expected = np.append(expected[rare:], expected[:rare].sum())
    return float(((count - expected) ** 2 / expected).sum()), len(expected) - 1


def _p_value(misfit, freedom) -> float:
    from scipy.special import chdtrc  # not needed by games that imagine nothing

    return float(chdtrc(freedom, misfit)) if freedom else 1.0
