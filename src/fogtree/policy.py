"""A policy: how somebody plays. A `NamedTuple` with one method, and a second that it may have:

    weigh(game, state, player, choice, odds)
        Writes the actions of the player in this state into `choice`, ascending, and their probabilities, which sum to 1,
        into `odds`. Returns how many there are, or FOREIGN where it would play an action that the player does not have.
        It may leave out actions that it never plays.

    draw(game, state, player, room, random)
        Optional: draws one action by these probabilities, without weighing all of them, and returns it. `room` is scratch
        with the arrays `choice` and `odds` [actions] (`judges.Room`). Playouts call this at every move; without it,
        `weigh` and a throw of the dice do the same.

A policy never moves for chance: `moves` and `draw_move` do, by the game's own odds. It may look at the whole state, as the
playout policies of open games do; a policy that plays for somebody in a hidden game looks at `game.view` alone.

Stored strategies (`strategy.Entries`), uniform play, the marks of the Belief Sampler and the playout policies of games are
policies. Playouts, one-sided search, streamed best responses, duels and matches take any.
"""

from typing import Any, NamedTuple

import numpy as np

from . import dice
from .errors import Invalid
from .game import CHANCE
from .kernels import inlined, optional


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
        count = self.policy.weigh(game, state, player, choice, odds)
        for a in range(count):
            odds[a] = (1.0 - self.share) * odds[a] + self.share / count
        return count


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


def as_policy(game: Any, plays: Any) -> Any:
    """The policy of whatever plays: of a policy itself, or of an object with `policy_of(game)`, which refuses other games."""
    if hasattr(plays, "policy_of"):
        return plays.policy_of(game)
    if hasattr(plays, "weigh") and isinstance(plays, tuple):
        return plays
    raise Invalid(f"a strategy or a policy is needed, with a method `weigh` (see fogtree.policy), not {plays!r}")
