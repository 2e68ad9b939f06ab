"""A policy: how somebody plays. A `NamedTuple` with one method, and a second that it may have:

    weigh(game, state, player, choice, odds)
        Writes the actions of the player in this state into `choice`, ascending, and their probabilities, which sum to 1,
        into `odds`. Returns how many there are, or FOREIGN where it would play an action that the player does not have.
        It may leave out actions that it never plays.

    draw(game, state, player, room, random)
        Optional: draws one action by these probabilities, without weighing all of them, and returns it. `room` is
        scratch. Playouts call this at every move; without it, `weigh` and a throw of the dice do the same.

A policy never moves for chance: `moves` and `draw_move` do, by the game's own odds. It may look at the whole state, as the
playout policies of open games do; a policy that plays for somebody in a hidden game looks at `game.view` alone.

Stored strategies (`strategy.Entries`), uniform play, the marks of the Belief Sampler and the playout policies of games are
policies. Playouts, one-sided search, streamed best responses, duels and matches take any.
"""

from typing import Any, NamedTuple

import numpy as np

from . import dice
from .errors import Invalid
from .game import CHANCE, Shape
from .kernels import optional


class Room(NamedTuple):
    """Scratch for one state at a time, and the bounds that loops need."""

    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    trail: np.ndarray  # [moves, 2] player and action of each move of this simulation; no rows where nobody listens
    length: np.ndarray  # [1] moves in the trail
    moves: int  # the most in one game

    def note(self, player, action):
        """Add a move to the trail, where somebody listens."""
        if self.trail.shape[0] > 0 and self.length[0] < self.trail.shape[0]:
            self.trail[self.length[0], 0] = player
            self.trail[self.length[0], 1] = action
            self.length[0] += 1


def new_room(shape: Shape, *, trail: bool = False) -> Room:
    """Scratch for a game of this shape; with a trail, for those who listen to what was played."""
    return Room(
        np.zeros(shape.actions, np.int64),
        np.zeros(shape.actions),
        np.zeros((shape.moves if trail else 0, 2), np.int64),
        np.zeros(1, np.int64),
        shape.moves,
    )


class Uniform(NamedTuple):
    """Every legal action equally likely."""

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        for a in range(count):
            odds[a] = 1.0 / count
        return count

    def draw(self, game, state, player, room, random):
        return room.choice[dice.below(random, game.actions(state, room.choice))]


def _weigh_and_pick(policy, game, state, player, room, random):
    """Stands in for `draw`."""
    count = policy.weigh(game, state, player, room.choice, room.odds)
    if count < 0:
        return np.int64(count)
    return room.choice[dice.pick(random, room.odds, count)]


optional("draw", _weigh_and_pick)


def moves(policy, game, state, player, choice, odds):
    """What may happen next: the moves of chance with their odds, or those of a player as the policy weighs them. Returns how
    many, or FOREIGN."""
    if player == CHANCE:
        count = game.actions(state, choice)
        game.odds(state, odds)
        return count
    return policy.weigh(game, state, player, choice, odds)


def draw_move(policy, game, state, player, room, random):
    """One of these moves, drawn; or FOREIGN."""
    if player == CHANCE:
        count = game.actions(state, room.choice)
        game.odds(state, room.odds)
        return room.choice[dice.pick(random, room.odds, count)]
    return policy.draw(game, state, player, room, random)


def as_policy(game: Any, plays: Any) -> Any:
    """The policy of whatever plays: of a policy itself, or of an object with `policy_of(game)`, which refuses other games."""
    if hasattr(plays, "policy_of"):
        return plays.policy_of(game)
    if hasattr(plays, "weigh") and isinstance(plays, tuple):
        return plays
    raise Invalid(f"a strategy or a policy is needed, with a method `weigh` (see fogtree.policy), not {plays!r}")
