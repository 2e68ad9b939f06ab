"""The walk of a check: plain Python over the game's own methods, so that an error in them shows with its traceback."""

import contextlib
import enum
import itertools
import math
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Broken, Illegal
from ..game import CHANCE, OVER, REFEREE, Shape, label, read
from ..kernels import native
from ..walk.table import MOST_PLAYERS
from .noticing import Slip, noticing, row
from .watchdog import PATIENCE, Watchdog

VERBS = ("shape", "start", "player", "actions", "step", "payoff", "view")
REAL = (int, float, np.integer, np.floating)
CLOSE = 1e-9  # how far probabilities may sum from 1, and zero-sum payoffs from 0
JUNK = -77  # stands where a game must not look
FIRST, EACH = 100, 20  # in which histories `live` is tried: in the first, and then in each twentieth
DRAWN = 200  # histories of which the pictures are compared: a picture takes longer than a text
LAST = 40  # moves of a history that a message names; of those before it says how many there are
IN_PYTHON = 100  # states are imagined in the walk, so that an error shows with its traceback; the others compiled


class History(NamedTuple):
    state: np.ndarray
    moves: tuple[int, ...]
    own: tuple  # [player] the last own (view, action), or None
    views: tuple  # [player] the view before the last move
    reach: float  # the probability that random play leads here
    sights: tuple  # [player] the course of what was shown to the player and of the own actions: see `Sight`


class Sight(NamedTuple):
    """What a player was shown and has played, as a hash, and the last text that was shown."""

    course: int = 0
    text: str = ""

    def shown(self, text):
        """A text that does not change tells nothing, not even that somebody has moved."""
        return self if text == self.text else Sight(hash((self.course, text)), text)

    def played(self, action):
        return Sight(hash((self.course, action)), self.text)


class Decision(NamedTuple):
    """A history from which a state is to be imagined."""

    history: History
    player: int
    view: int


@contextlib.contextmanager
def walking(game: Any, seed: int) -> Iterator["Walk"]:
    """A walk over a game, whose methods must return: one that does not is ended and named."""
    with Watchdog() as dog:
        yield Walk(game, seed, dog)


class Walk:
    def __init__(self, game, seed, dog):
        self.game, self.kind, self.dog, self.mute = game, type(game).__name__, dog, False
        dog.blame = self.blame
        if not (isinstance(game, tuple) and hasattr(game, "_fields")):
            what = f"the class {game.__name__}" if isinstance(game, type) else f"a {self.kind}"
            if isinstance(game, str):
                what = f"the text '{game}', of which fogtree.load makes one"
            raise Broken(f"a game is an instance of a NamedTuple class, not {what}")
        missing = [verb for verb in VERBS if not hasattr(game, verb)]
        if missing:
            raise Broken(f"{self.kind} has no method {', '.join(missing)}: a game needs {', '.join(VERBS)}")
        self.check_fields(game)
        self.game = noticing(game)
        self.row = plain_row if native(type(game)) else row
        self.random = dice.seeded(seed)
        self.histories = self.ends = 0
        self.decision: dict = {}  # (player, view) -> actions, own past, moves of the first history found
        self.earlier: dict = {}  # (player, view) -> the view before it, moves
        self.shown: dict = {}  # (player, view) -> text, moves
        self.pictured: dict = {}  # (player, view) -> shapes, moves
        self.named: dict = {}  # (player, view) -> labels of the actions, moves
        self.ended_by_course = False
        self.placed: dict = {}  # position -> player to move, actions or payoffs, moves
        self.following: list = []  # (history, position, player to move, actions, actions or payoffs), if it is open
        self.pressed: dict = {}  # position -> whether it is urgent, moves
        self.imagined: list[Decision] = []  # where states are to be imagined
        self.hides = False  # whether some player was found not to know where they are
        self.sighted: dict = {}  # (player, course of what was shown and played) -> view, moves
        self.sights: tuple = ()  # [player] with what is shown at the history that was visited last
        self.leak = ""  # where a view differs although the player was shown nothing different
        root = History(np.zeros(1, np.int64), (), (), (), 1.0, ())
        self.shape = self.call(root, "shape")
        self.check_shape(root)
        self.sides = self.check_sides(root)

    # --- going ---

    def explore(self, limit, end=math.inf) -> bool:
        """Visit histories depth first until the limit, or until a time; whether that was all of them."""
        stack, limit = [self.root()], self.histories + limit
        while stack:
            if self.histories >= limit or time.perf_counter() >= end:
                return False
            history = stack.pop()
            actions, odds = self.visit(history)
            stack.extend(self.child(history, *move) for move in zip(reversed(actions), reversed(odds), strict=True))
        return True

    def play(self, end=math.inf):
        """Visit the histories of a random game until it is over, or until a time."""
        history = self.root()
        actions, odds = self.visit(history)
        while actions and time.perf_counter() < end:
            drawn = dice.below(self.random, len(actions))
            history = self.child(history, actions[drawn], odds[drawn])
            actions, odds = self.visit(history)

    def root(self):
        clean, dirty = self.row(self.shape.words), self.row(self.shape.words, JUNK)
        nothing = (None,) * self.shape.players
        at = History(clean, (), nothing, nothing, 1.0, (Sight(),) * self.shape.players)
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
        if np.array_equal(state, history.state):
            told = f"of action {action} leaves the state as it was: it must change the row that it is given, not a copy"
            self.broken(history, "step", told)
        again = history.state.copy()
        self.call(history, "step", again, action)
        if not np.array_equal(state, again):
            self.broken(history, "step", f"of action {action} gives two different states from the same one")
        views = tuple(int(self.game.view(history.state, p)) for p in range(self.shape.players))
        own = tuple((views[p], action) if p == player else past for p, past in enumerate(history.own))
        sights = tuple(sight.played(action) if p == player else sight for p, sight in enumerate(self.sights))
        return History(state, (*history.moves, action), own, views, history.reach * chance, sights)

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
        self.check_hints(history, player, actions)
        if player >= 0 and hasattr(self.game, "imagine"):
            self.check_imagine(history, player, views[player])
        return actions, odds

    def check_fields(self, game):
        """Parameters must be what compiled code can hold."""
        for field, value in zip(game._fields, game, strict=True):
            if not _holdable(value):
                kind = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
                raise Broken(
                    f"{self.kind}.{field} is {kind}: compiled code takes numbers, arrays, texts, and tuples of these"
                )

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
        out = self.row(self.shape.actions, -1)
        count = self.whole(history, "actions", self.call(history, "actions", history.state, out))
        if not 1 <= count <= self.shape.actions:
            self.broken(history, "actions", f"returns {count}: valid is 1 to {self.shape.actions}, as shape() says")
        actions = [int(a) for a in out[:count]]
        if actions[0] < 0 or any(b <= a for a, b in itertools.pairwise(actions)):
            self.broken(history, "actions", f"must be ascending and not negative, not {actions}")
        if player != CHANCE:
            self.check_infoset(history, player, views[player], actions)
            return actions, [1 / count] * count
        if not hasattr(self.game, "odds"):
            self.broken(history, "player", "is CHANCE, but there is no method odds, which a game with chance needs")
        odds = np.zeros(self.shape.actions)
        self.call(history, "odds", history.state, odds)
        if not (odds[:count] > 0).all() or abs(odds[:count].sum() - 1) > CLOSE:
            self.broken(history, "odds", f"must be positive and sum to 1, not {odds[:count].tolist()}")
        return actions, odds[:count].tolist()

    def check_infoset(self, history, player, view, actions):
        now = (actions, history.own[player])
        *known, first = self.decision.setdefault((player, view), (*now, history.moves))
        twice = f"player {player} cannot tell this from the history"
        if known[0] != actions:
            told = f"{twice} {self.moves(first)}, but the legal actions are {actions} here and {known[0]} there"
            self.broken(history, "view", told)
        if known[1] != history.own[player]:
            told = f"{twice} {self.moves(first)}, but got here by other own actions, which a player must not forget"
            self.broken(history, "view", told)
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
        unlike = ""
        if known[0] != player:
            unlike = f"the player to move is {player} here and {known[0]} there"
        elif known[1] != outcome and (player != OVER or self.shape.open):
            what = {OVER: "payoffs", CHANCE: "legal actions and odds"}.get(player, "legal actions")
            unlike = f"the {what} are {list(outcome)} here and {list(known[1])} there"
        if unlike:
            self.broken(history, "position", f"is the same as after {self.moves(first)}, but {unlike}")
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

    def check_hints(self, history, player, actions):
        """The verbs that only make searches quicker or deeper: what they say must at least make sense."""
        if player >= 0 and hasattr(self.game, "urgent"):
            urgent = self.yes_or_no(history, "urgent", self.call(history, "urgent", history.state))
            placed = hasattr(self.game, "position")
            key = self.game.position(history.state) if placed else self.game.view(history.state, player)
            known, first = self.pressed.setdefault(key, (urgent, history.moves))
            if known != urgent:
                self.broken(
                    history, "urgent", f"is {urgent} here, and {known} after {self.moves(first)}, in the same position"
                )
        if player >= 0 and hasattr(self.game, "promise"):
            for action in actions:
                promise = self.call(history, "promise", history.state, action)
                if not isinstance(promise, REAL) or not math.isfinite(promise):
                    self.broken(history, "promise", f"of action {action} must be a finite number, not {promise!r}")
        if player >= 0 and hasattr(self.game, "skip"):
            self.check_skip(history, player)
        if player == OVER and hasattr(self.game, "by_course"):
            self.yes_or_no(history, "by_course", self.call(history, "by_course", history.state))
        if hasattr(self.game, "live") and (self.histories < FIRST or self.histories % EACH == 0):
            self.check_live(history, player, actions)

    def check_skip(self, history, player):
        state = history.state.copy()
        if not self.yes_or_no(history, "skip", self.call(history, "skip", state)):
            if not np.array_equal(state, history.state):
                self.broken(history, "skip", "says that passing is not worse than a move, but changed the state")
        elif int(self.game.player(state)) == player:
            self.broken(history, "skip", f"says that player {player} has passed, but it is still their move")

    def check_live(self, history, player, actions):
        """What stands behind the live words is overwritten, and every verb must say the same."""
        live = self.whole(history, "live", self.call(history, "live", history.state))
        if not 1 <= live <= self.shape.words:
            self.broken(history, "live", f"is {live}: valid is 1 to {self.shape.words}, the words of the state")
        state = history.state.copy()
        state[live:] = JUNK
        if player != OVER:
            self.child(history, actions[0], 1.0)  # which says what is wrong with step, if anything is
        told = self.said(history, history.state, player, actions)
        try:
            same = told == self.said(history, state, player, actions)
        except Exception:  # what it met there is no part of a state
            same = False
        if not same:
            self.broken(history, "live", f"is {live}, but what stands behind these words changes what the game says")

    def said(self, history, state, player, actions):
        """What the verbs say of a state, and of the state after its first action."""
        told: list = [int(self.game.view(state, seat)) for seat in range(self.shape.players)]
        told.append(int(self.game.player(state)))
        if player == OVER:
            return [*told, *(float(self.game.payoff(state, seat)) for seat in range(self.shape.players))]
        out = np.zeros(self.shape.actions, np.int64)
        told += out[: self.game.actions(state, out)].tolist()
        after = state.copy()
        self.dog.doing = history, "step"
        self.game.step(after, actions[0])
        return told + after[: self.game.live(after)].tolist()

    def check_people(self, history, player, actions, views):
        self.sights = history.sights
        if hasattr(self.game, "show"):
            self.text(history, "show", self.call(history, "show", history.state, REFEREE))
            texts = [
                self.text(history, "show", self.call(history, "show", history.state, seat))
                for seat in range(len(views))
            ]
            for seat, (view, text) in enumerate(zip(views, texts, strict=True)):
                known, first = self.shown.setdefault((seat, view), (text, history.moves))
                if known != text:
                    self.apart(history, "show", seat, first)
            self.sights = tuple(sight.shown(text) for sight, text in zip(history.sights, texts, strict=True))
            self.look_for_leaks(history, player, views)
        if hasattr(self.game, "draw") and self.histories <= DRAWN:
            for seat, view in enumerate(views):
                shapes = self.call(history, "draw", history.state, seat)
                known, first = self.pictured.setdefault((seat, view), (shapes, history.moves))
                if known != shapes:
                    self.apart(history, "draw", seat, first)
        if hasattr(self.game, "label") and actions:
            labels = [
                self.text(history, "label", self.call(history, "label", history.state, action)) for action in actions
            ]
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

    def look_for_leaks(self, history, player, views):
        """A view that differs, where whoever moves was shown the same and has played the same, may hold what is hidden."""
        if player < 0 or self.leak:
            return
        known, first = self.sighted.setdefault((player, self.sights[player].course), (views[player], history.moves))
        if known != views[player]:
            self.leak = (
                f"{self.kind}.view tells player {player} the history {self.moves(history.moves)} from {self.moves(first)}, "
                "though show() gave the player the same texts and the own moves were the same: either view holds what is "
                "hidden, or show says too little"
            )

    def check_imagine(self, history, player, view):
        if len(self.imagined) < IN_PYTHON:
            made = history.state.copy()
            self.call(history, "imagine", made, player, dice.seeded(len(self.imagined)))
            self.keeps(history, player, view, int(self.game.player(made)), int(self.game.view(made, player)))
        self.imagined.append(Decision(history, player, view))

    def keeps(self, history, player, view, mover, made):
        if (player, view) != (mover, made):
            self.broken(history, "imagine", f"gives a state that player {player} can tell from the true one")

    # --- saying ---

    def call(self, history, verb, *args):
        before = history.state.tobytes()
        self.dog.doing = history, verb  # a new object for each call
        try:
            result = read(self.game, *args) if verb == "read" else getattr(self.game, verb)(*args)
        except Exception as error:
            if verb == "read" and isinstance(error, Illegal):
                raise
            if isinstance(error, Slip):
                self.broken(history, verb, str(error))
            self.broken(history, verb, f"raised {type(error).__name__}: {error}{_place(error)}", error)
        if verb != "start" and history.state.tobytes() != before:
            self.broken(history, verb, "changed the state, which only step may do")
        return result

    def whole(self, history, verb, value) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            self.broken(history, verb, f"must be a whole number, not {value!r}")
        return int(value)

    def text(self, history, verb, value) -> str:
        if not isinstance(value, str):
            self.broken(history, verb, f"must return a text, not {'nothing' if value is None else repr(value)}")
        return value

    def yes_or_no(self, history, verb, value) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            self.broken(history, verb, f"must be True or False, not {value!r}")
        return bool(value)

    def word(self, history, verb, value, whose="") -> int:
        """A whole number of 64 bits."""
        number = self.whole(history, verb, value)
        if not -(2**63) <= number < 2**63:
            self.broken(history, verb, f"{whose}is {number}, which does not fit in 64 bits")
        return number

    def apart(self, history, verb, player, first):
        told = f"tells player {player} this from the history {self.moves(first)}, though their view is the same"
        self.broken(history, verb, told)

    def blame(self, doing):
        history, verb = doing
        self.mute = True  # nothing of the game may be called any more
        told = f"has not returned after {PATIENCE:g} s of computing: it seems to hold a loop without an end"
        self.broken(history, verb, told)

    def moves(self, moves):
        """A history in the game's own words, or in numbers where it has none."""
        words = self.labels(moves)
        before = f"({len(moves) - LAST} moves), " if len(moves) > LAST else ""
        return before + ((", " if hasattr(self.game, "label") else " ").join(words[-LAST:]) or "(none)")

    def labels(self, moves):
        if self.mute:
            return [str(action) for action in moves]
        words = []
        try:
            state = self.row(self.shape.words)
            self.game.start(state)
            for action in moves:
                words.append(str(label(self.game, state, action)))
                self.game.step(state, action)
        except Exception:  # the game is broken, and what is told must not depend on how
            words = [str(action) for action in moves]
        return words

    def picture(self, state):
        """What the referee sees, if the game shows it."""
        try:
            text = self.game.show(state, REFEREE).rstrip() if hasattr(self.game, "show") else ""
        except Exception:
            return ""
        return f":\n{text}" if "\n" in text else f", where the referee sees: {text}" if text else ""

    def broken(self, history, verb, rule, cause=None):
        where = f"after the moves {self.moves(history.moves)}, in state {history.state.tolist()}"
        picture = self.picture(history.state) if history.sights and not self.mute else ""  # not before there is a state
        ending = f"){picture}" if "\n" in picture else f"{picture})"
        raise Broken(f"{self.kind}.{verb} {rule} ({where}{ending}") from cause


def plain_row(words: int, value: int = 0) -> np.ndarray:
    return np.full(words, value, np.int64)


def _place(error: BaseException) -> str:
    """The file and line of the game's own code where an error was raised."""
    last, at = None, error.__traceback__
    while at:
        if not at.tb_frame.f_globals.get("__name__", "").startswith("fogtree.contract"):
            last = at
        at = at.tb_next
    return f" in line {last.tb_lineno} of {last.tb_frame.f_code.co_filename}" if last else ""


def _holdable(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufc"
    if isinstance(value, tuple):
        return all(map(_holdable, value))
    return value is None or isinstance(value, (bool, int, float, complex, str, np.generic, enum.Enum))
