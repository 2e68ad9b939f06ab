"""The Belief Sampler (Auger 2011, section 4): in all possible positions, play as if nothing were hidden.

Before each move it goes through all positions of the open game that agree with what it has seen. In each it marks every move
that perfect play allows there. Then it draws a move in proportion to its marks; if there are no marks, it draws any move. It
does not ask how likely a position is, and does not try to hide its own moves.

It needs the open twin of a game: another game in which nothing is hidden, and a way to turn what a player knows into a set of
positions of that game. A game that has one returns it by the optional method `open_twin()`. A twin is a `NamedTuple` of

    open                 the open game
    keys()               what a player can know, as numbers below this
    key(view)            which of them a view comes down to; for kernels
    worlds(key, player)  the states of the open game that agree with it when that player is to move; none if it cannot be
    position(state)      what counts in a state of the open game: two with the same position are played alike
"""

import functools
import itertools
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE, OVER, identity, legal
from ...text.naming import as_game


class Marks(NamedTuple):
    """The mixes of a Belief Sampler, as a policy (`policy.py`)."""

    twin: Any
    row: np.ndarray  # [players, keys] where the mix of a key stands, or NONE
    share: np.ndarray  # [rows, actions of the open game]

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        row = self.row[player, self.twin.key(game.view(state, player))]
        total = 0.0
        for a in range(count):
            odds[a] = self.share[row, choice[a]] if row != NONE else 0.0
            total += odds[a]
        for a in range(count):  # rules may allow only some of the moves
            odds[a] = odds[a] / total if total > 0.0 else 1.0 / count
        return count


class BeliefSampler:
    """How a Belief Sampler plays a game, at every information set; in the place of a `Strategy` in duels, in searches
    against it and for streamed best responses."""

    def __init__(self, game: Any):
        game = as_game(game)
        if not hasattr(game, "open_twin"):
            raise Invalid(
                f"{type(game).__name__} has no open twin, so a Belief Sampler cannot play it: see `open_twin`"
            )
        self.game, self.twin = identity(game), game.open_twin()

    @property
    def entries(self) -> Marks:
        return _marks(self.twin)

    def policy_of(self, game: Any) -> Marks:
        """How it plays, as a policy of the game; `Invalid` where it plays another one."""
        self.belongs_to(game)
        return self.entries

    def belongs_to(self, game: Any) -> None:
        """Raise `Invalid` unless it plays this game."""
        if self.game != identity(game):
            raise Invalid(f"this Belief Sampler plays {self.game}, not {identity(game)}")

    def mix(self, player: int, view: int, actions: tuple[int, ...]) -> list[float]:
        """The probabilities of the actions."""
        marks = tally(self.twin, int(self.twin.key(view)), player)
        found = [marks[action] if marks else 0 for action in actions]
        return [mark / sum(found) for mark in found] if sum(found) else [1 / len(actions)] * len(actions)


def tally(twin: Any, key: int, player: int) -> list[int]:
    """For each action of the open game, in how many worlds perfect play allows it; nothing where there are no worlds."""
    marks: list[int] = []
    for state in twin.worlds(key, player):
        marks = marks or [0] * twin.open.shape().actions
        for action in best_moves(twin, state)[1]:
            marks[action] += 1
    return marks


def best_moves(twin: Any, state: np.ndarray) -> tuple[float, tuple[int, ...]]:
    """What a position of the open game is worth to player 0, and all moves that keep that."""
    known, position = _known(twin), twin.position(state)
    if position not in known:
        game, player = twin.open, int(twin.open.player(state))
        if player == OVER:
            known[position] = float(game.payoff(state, 0)), ()
        else:
            worth = {}
            for action in legal(game, state):
                after = state.copy()
                game.step(after, action)
                worth[action] = best_moves(twin, after)[0]
            best = max(worth.values()) if player == 0 else min(worth.values())
            known[position] = best, tuple(action for action, value in worth.items() if value == best)
    return known[position]


@functools.cache
def _known(twin: Any) -> dict[Any, tuple[float, tuple[int, ...]]]:
    return {}


@functools.cache
def _marks(twin: Any) -> Marks:
    players, keys = twin.open.shape().players, twin.keys()
    row, shares = np.full((players, keys), NONE, np.int32), list[np.ndarray]()
    for player, key in itertools.product(range(players), range(keys)):
        if marks := tally(twin, key, player):
            row[player, key] = len(shares)
            shares.append(np.array(marks) / sum(marks))
    return Marks(twin, row, np.array(shares))
