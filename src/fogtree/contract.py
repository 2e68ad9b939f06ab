"""`check(game)`: does a game keep the contract of `game.py`? For ours in the tests, and for yours.

A small game is walked whole, a large one from the root as far as the budget goes and then along random games. The walk is
plain Python over the game's own methods, so that an error in them shows with its traceback; at the end the same random
games are played interpreted and compiled and must agree to the last bit. The rules, under the method that would break
them:

    shape     sizes are whole numbers from 1 up, payoffs have finite bounds, low <= high
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
    imagine   keeps the player's view and the player to move
"""

import contextlib
import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from . import dice
from .errors import Broken, Illegal, Uncompilable
from .game import CHANCE, OVER, REFEREE, Shape, read
from .kernels import kernel
from .walk.table import MOST_PLAYERS

VERBS = ("shape", "start", "player", "actions", "step", "payoff", "view")
REAL = (int, float, np.integer, np.floating)
CLOSE = 1e-9  # how far probabilities may sum from 1, and zero-sum payoffs from 0
PLAYER, ACTIONS, VIEW = 0, 1, 2  # the numbers of a trace
ODD = np.int64(-7046029254386353131)


class Report(NamedTuple):
    """What a passed check has looked at."""

    histories: int
    ends: int
    infosets: int
    complete: bool  # the whole tree, not a part of it


def check(game: Any, *, histories: int = 20_000, games: int = 200, seed: int = 0) -> Report:
    """Walk a game and raise `Broken`, with the method, the moves and the rule, at the first rule that it breaks."""
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        walk = _Walk(game, seed)
        complete = walk.explore(histories)
        if not complete:
            for _ in range(games):
                walk.play()
    _compare_with_compiled(game, seed)
    return Report(walk.histories, walk.ends, len(walk.decision), complete)


class _History(NamedTuple):
    state: np.ndarray
    moves: tuple[int, ...]
    own: tuple  # [player] the last own (view, action), or None
    views: tuple  # [player] the view before the last move


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
        root = _History(np.zeros(1, np.int64), (), (), ())
        self.shape = self.call(root, "shape")
        self.check_shape(root)

    # --- going ---

    def explore(self, limit) -> bool:
        """Visit histories depth first until the limit; whether that was all of them."""
        stack = [self.root()]
        while stack:
            if self.histories >= limit:
                return False
            history = stack.pop()
            stack.extend(self.child(history, action) for action in reversed(self.visit(history)))
        return True

    def play(self):
        history = self.root()
        while actions := self.visit(history):
            history = self.child(history, actions[dice.below(self.random, len(actions))])

    def root(self):
        clean, dirty = np.zeros(self.shape.words, np.int64), np.full(self.shape.words, -77, np.int64)
        at = _History(clean, (), (None,) * self.shape.players, (None,) * self.shape.players)
        self.call(at, "start", clean)
        self.call(at, "start", dirty)
        if not np.array_equal(clean, dirty):
            word = int(np.flatnonzero(clean != dirty)[0])
            self.broken(at, "start", f"must write the whole state, but word {word} depends on what stood there before")
        return at

    def child(self, history, action):
        player = self.game.player(history.state)
        state = history.state.copy()
        self.call(history, "step", state, action)
        again = history.state.copy()
        self.call(history, "step", again, action)
        if not np.array_equal(state, again):
            self.broken(history, "step", f"of action {action} gives two different states from the same one")
        views = tuple(int(self.game.view(history.state, p)) for p in range(self.shape.players))
        own = tuple((views[p], action) if p == player else past for p, past in enumerate(history.own))
        return _History(state, (*history.moves, action), own, views)

    # --- looking ---

    def visit(self, history) -> list[int]:
        """Check one history; returns its legal actions."""
        self.histories += 1
        player = self.whole(history, "player", self.call(history, "player", history.state))
        if player not in (CHANCE, OVER) and not 0 <= player < self.shape.players:
            self.broken(history, "player", f"is {player}: valid are 0 to {self.shape.players - 1}, CHANCE and OVER")
        if player != OVER and len(history.moves) >= self.shape.moves:
            self.broken(history, "player", f"goes on after {len(history.moves)} moves, the most that shape() allows")
        views = self.check_views(history)
        actions: list[int] = []
        if player == OVER:
            self.ends += 1
            self.check_payoffs(history)
        else:
            actions = self.check_actions(history, player, views)
        self.check_people(history, player, actions, views)
        if player >= 0 and hasattr(self.game, "imagine"):
            self.check_imagine(history, player)
        return actions

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
        if player == CHANCE:
            odds = np.zeros(self.shape.actions)
            self.call(history, "odds", history.state, odds)
            if not (odds[:count] > 0).all() or abs(odds[:count].sum() - 1) > CLOSE:
                self.broken(history, "odds", f"must be positive and sum to 1, not {odds[:count].tolist()}")
        else:
            self.check_infoset(history, player, views[player], actions)
        return actions

    def check_infoset(self, history, player, view, actions):
        now = (actions, history.own[player])
        *known, first = self.decision.setdefault((player, view), (*now, history.moves))
        twice = f"player {player} cannot tell this from the history {self.moves(first)}, but "
        if known[0] != actions:
            self.broken(history, "view", f"{twice}the legal actions are {actions} here and {known[0]} there")
        if known[1] != history.own[player]:
            self.broken(history, "view", f"{twice}got here by other own actions, which a player must not forget")

    def check_views(self, history):
        views = []
        for player in range(self.shape.players):
            view = self.whole(history, "view", self.call(history, "view", history.state, player))
            if not -(2**63) <= view < 2**63:
                self.broken(history, "view", f"of player {player} is {view}, which does not fit in 64 bits")
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

    def check_imagine(self, history, player):
        other = history.state.copy()
        self.call(history, "imagine", other, player, self.random)
        if self.game.player(other) != player or self.game.view(other, player) != self.game.view(history.state, player):
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

    def apart(self, history, verb, player, first):
        told = f"tells player {player} this from the history {self.moves(first)}, though their view is the same"
        self.broken(history, verb, told)

    def moves(self, moves):
        return " ".join(map(str, moves)) or "(none)"

    def broken(self, history, verb, rule, cause=None):
        where = f"after the moves {self.moves(history.moves)}, in state {history.state.tolist()}"
        raise Broken(f"{self.kind}.{verb} {rule} ({where})") from cause


@kernel
def _trace(game, games, state, action, chance, trace, total, random):
    """Play random games; mixes what each verb says into its number of trace, and adds payoffs to total [player]."""
    for _ in range(games):
        game.start(state)
        while True:
            player = game.player(state)
            _mix(trace, PLAYER, player)
            for seat in range(total.shape[0]):
                _mix(trace, VIEW, game.view(state, seat))
            if player == OVER:
                break
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


def _mix(trace, verb, value):
    trace[verb] = (trace[verb] ^ np.int64(value)) * ODD


def _compare_with_compiled(game, seed):
    """The same random games, interpreted and compiled: the same in every verb, to the last bit."""
    kind, shape, results = type(game).__name__, game.shape(), []
    for run in (_trace.interpreted, _trace):
        trace, total = np.zeros(3, np.int64), np.zeros(shape.players)
        scratch = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
        try:
            run(game, 20, *scratch, trace, total, dice.seeded(seed))
        except Uncompilable as error:
            raise Broken(f"{error}") from None
        except Exception as error:
            raise Broken(f"{kind} raised {type(error).__name__} in a random game: {error}") from error
        results.append(
            {"player or step": trace[PLAYER], "actions": trace[ACTIONS], "view": trace[VIEW], "payoff": total}
        )
    for verb, said in results[0].items():
        if not np.array_equal(said, results[1][verb]):
            raise Broken(
                f"{kind}.{verb} gives other numbers compiled than interpreted, in the same 20 random games; the usual "
                "causes are whole numbers beyond 64 bits, and division by 0"
            )
