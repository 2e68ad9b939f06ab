"""A policy: how somebody plays. A `NamedTuple` with one method, and a second that it may have:

    weigh(game, state, player, choice, odds)
        Writes the actions of the player in this state into `choice`, ascending, and their probabilities, which sum to 1,
        into `odds`. Returns how many there are, or FOREIGN where it would play an action that the player does not have.
        It may leave out actions that it never plays.

    draw(game, state, player, room, random)
        Optional: draws one action by these probabilities, without weighing all of them, and returns it. `room` is scratch
        with the arrays `choice` and `odds` [actions] (`Room`). Playouts call this at every move; without it,
        `weigh` and a throw of the dice do the same.

A policy never moves for chance: `moves` and `draw_move` do, by the game's own odds. It may look at the whole state, as the
playout policies of open games do; a policy that plays for somebody in a hidden game looks at `game.view` alone.

Stored strategies (`strategy.Entries`), uniform play, the marks of the Belief Sampler and the playout policies of games are
policies. Playouts, one-sided search, streamed best responses, duels and matches take any.
"""

from typing import Any, NamedTuple

import numpy as np

from . import dice
from .entrance import PLAYER, look, strange
from .errors import Invalid
from .game import CHANCE, Shape
from .kernels import inlined, optional
from .trouble import FOREIGN, UNSOUND

SLACK = 1e-6  # how far the probabilities of a policy may sum from 1


class Unheard(NamedTuple):
    """Takes the place of an ear where nobody listens to what is played. Searches have others (`search/trees/ear.py`)."""

    def note(self, player, action):
        pass


class Room(NamedTuple):
    """Scratch for one state at a time, who listens, and what shape() says, which compiled code does not ask again."""

    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    ear: Any
    moves: int  # the most in one game
    low: float  # payoffs lie between low and high
    high: float


def new_room(shape: Shape, ear: Any = Unheard()) -> Room:  # noqa: B008  (a tuple cannot change)
    """Scratch for a game of this shape."""
    scratch = np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
    return Room(*scratch, ear, shape.moves, float(shape.low), float(shape.high))


class Uniform(NamedTuple):
    """Every legal action equally likely."""

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        for a in range(count):
            odds[a] = 1.0 / count
        return count

    def draw(self, game, state, player, room, random):
        return np.int64(game.any_action(state, room.choice, random))


class Always(NamedTuple):
    """One action wherever it is legal, else the next lower one that is: in poker 1 always calls and 2 always raises."""

    action: int

    def weigh(self, game, state, player, choice, odds):
        count, chosen = game.actions(state, choice), 0
        for a in range(count):
            odds[a] = 0.0
            if choice[a] <= self.action:
                chosen = a
        odds[chosen] = 1.0
        return count


class Trembling(NamedTuple):
    """A policy whose player now and then makes any move: with the probability `share` an action is drawn evenly. So no
    action is impossible, which is what a player should believe of others."""

    policy: Any
    share: float

    def weigh(self, game, state, player, choice, odds):
        listed = self.policy.weigh(game, state, player, choice, odds)
        if listed < 0:
            return listed
        played, k = choice[:listed].copy(), listed - 1
        count = game.actions(state, choice)
        for a in range(count - 1, -1, -1):  # the policy may leave actions out; both are ascending
            share = 0.0
            if k >= 0 and played[k] == choice[a]:
                share = odds[k]
                k -= 1
            odds[a] = (1.0 - self.share) * share + self.share / count
        return count if k < 0 else FOREIGN


def _weigh_and_pick(policy, game, state, player, room, random):
    """Stands in for `draw`."""
    count = policy.weigh(game, state, player, room.choice, room.odds)
    if count < 0:
        return np.int64(count)
    return room.choice[dice.pick(random, room.odds, count)]


optional("draw", _weigh_and_pick)


@inlined
def moves(policy, game, state, player, choice, odds):
    """What may happen next: the moves of chance with their odds, or those of a player as the policy weighs them. Returns how
    many, or FOREIGN."""
    if player == CHANCE:
        count = game.actions(state, choice)
        game.odds(state, odds)
        return count
    return policy.weigh(game, state, player, choice, odds)


@inlined
def draw_move(policy, game, state, player, room, random):
    """One of these moves, drawn; or FOREIGN."""
    if player == CHANCE:
        return draw_chance(game, state, room, random)
    return policy.draw(game, state, player, room, random)


@inlined
def draw_chance(game, state, room, random):
    """A move of chance, drawn by its odds."""
    count = game.actions(state, room.choice)
    game.odds(state, room.odds)
    return room.choice[dice.pick(random, room.odds, count)]


class Watched(NamedTuple):
    """A policy of a user's own, each of whose weights is looked at: where they are not finite, negative or do not sum to 1,
    nothing is computed from them. It costs a loop over the weights."""

    policy: Any

    def weigh(self, game, state, player, choice, odds):
        count = self.policy.weigh(game, state, player, choice, odds)
        if count < 1 or count > odds.shape[0]:
            return np.int64(FOREIGN if count == FOREIGN else UNSOUND)
        total = 0.0
        for a in range(count):
            if not odds[a] >= 0.0:
                return np.int64(UNSOUND)
            total += odds[a]
        return np.int64(count) if abs(total - 1.0) <= SLACK else np.int64(UNSOUND)


class WatchedDrawing(NamedTuple):
    """The same of a policy with a `draw` of its own."""

    policy: Any

    def weigh(self, game, state, player, choice, odds):
        return Watched(self.policy).weigh(game, state, player, choice, odds)

    def draw(self, game, state, player, room, random):
        return self.policy.draw(game, state, player, room, random)


def as_policy(game: Any, plays: Any, role: str = PLAYER) -> Any:
    """The policy of whatever plays: of a policy itself, or of an object with `policy_of(game)`, which refuses other games. A
    user's own policy is checked (`entrance.py`) for its role: PLAYER where somebody plays by it, PLAYOUT or PRIOR where a
    search does. What a player's own policy weighs is looked at in all states."""
    if hasattr(plays, "policy_of"):
        return plays.policy_of(game)
    if not (hasattr(plays, "weigh") and isinstance(plays, tuple)):
        what = "with a method `weigh` in a NamedTuple class (see fogtree.policy)"
        raise Invalid(f"a strategy or a policy is needed, {what}, not {plays!r}")
    if not strange(plays):
        return plays
    look((plays,), (game,), role)
    if role != PLAYER:
        return plays
    return WatchedDrawing(plays) if hasattr(plays, "draw") else Watched(plays)
