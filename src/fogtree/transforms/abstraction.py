"""Abstraction: a game in which the players remember less.

A *bucketing* says what a player remembers. It is a `NamedTuple` with one method:

    view(game, state, player)    a 64-bit key of what the player remembers, in place of game.view

`Abstract(game, bucketing)` is the game with these views, and a game like any other: every solver and search takes it. Two
rules must hold, and `fogtree.check` proves them: states with the same key have the same actions, and players never forget
what they remembered before (perfect recall).

A strategy of the abstract game plays the real one: `lifted` makes a policy of it, which looks at the real state through the
bucketing. What it loses against perfect play in the abstract game and in the real game are two numbers, and the second may be
far larger.

A bucketing knows how its game's states are laid out, so it stands beside the game: `games/leduc_cards.py`, which forgets the
suits of Leduc hold'em, and `games/holdem/buckets.py`.
"""

from typing import Any, NamedTuple

from ..errors import Invalid
from ..game import REFEREE, Shape
from ..strategy import Entries, Strategy
from . import handed


@handed.hands_on(handed.start, handed.player, handed.actions, handed.odds, handed.step, handed.payoff)
class Abstract(NamedTuple):
    """A game whose players remember what a bucketing tells them to."""

    game: Any
    bucketing: Any

    def shape(self) -> Shape:
        return self.game.shape()._replace(open=False)

    def view(self, state, player):
        return self.bucketing.view(self.game, state, player)

    def version(self) -> int:
        return self.game.version() if hasattr(self.game, "version") else 0

    def show(self, state, player) -> str:
        if player == REFEREE:
            return self.game.show(state, player)
        return f"player {player} remembers {int(self.view(state, player))}"

    def label(self, state, action) -> str:
        return self.game.label(state, action)


def abstract_game(game: Any, bucketing: Any) -> Abstract:
    """The game with the views of a bucketing."""
    if not (isinstance(bucketing, tuple) and hasattr(bucketing, "view")):
        raise Invalid(
            f"a bucketing is a NamedTuple with a method `view` (see fogtree.transforms.abstraction), not {bucketing!r}"
        )
    return Abstract(game, bucketing)


class Lifted(NamedTuple):
    """A strategy of an abstract game as a policy (`policy.py`) of the real game."""

    abstract: Abstract
    entries: Entries

    def weigh(self, game, state, player, choice, odds):
        return self.entries.weigh(self.abstract, state, player, choice, odds)


def lifted(strategy: Strategy, abstract: Abstract) -> Lifted:
    """The policy of the real game that a strategy of the abstract game is."""
    strategy.belongs_to(abstract)
    return Lifted(abstract, strategy.entries)
