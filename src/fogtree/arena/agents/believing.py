"""What an agent believes in a match: the states that go with what its player sees, from move to move."""

from typing import Any, NamedTuple

import numpy as np

from ...game import identity
from ...search.worlds.belief import Belief
from ..sight import Sight
from .words import draw_seed


class Believed(NamedTuple):
    """What a player believes at one of their moves."""

    state: np.ndarray  # [n, words] the states that are possible
    weight: np.ndarray  # [n] how likely each is, by chance and by how the others are assumed to play
    belief: Belief | None  # that found them; None in an open game, where there is nothing to believe
    anew: bool = False  # whether a new match has begun here

    def acted(self, sight: Sight, action: int) -> None:
        """The player has taken an action."""
        if self.belief is not None:
            self.belief.acted(sight.view, action)

    @property
    def coverage(self) -> float:
        """The share of all possible states that is among these; NaN where it is not known."""
        return self.belief.coverage if self.belief is not None else 1.0


class Believer:
    """Follows a match. One believer follows any number of matches: `fresh` begins the next, and where nobody calls it, a view
    that can only be the first of a match does."""

    def __init__(self, random: np.ndarray):
        self.random = random
        self._others: Any = None  # the policy that the others are assumed to follow; None: they play at random
        self.fresh()

    def expect(self, others: Any) -> None:
        """From now on the others are assumed to follow this policy."""
        self._others = others
        if self._belief is not None:
            self._belief.expect(others)

    def fresh(self) -> None:
        """A new match begins."""
        self._belief: Belief | None = None
        self._others = None
        self._table = ("", 0)  # the game and the player of the belief

    def believe(self, sight: Sight, worlds: int) -> Believed:
        """The states that go with what the player sees. Where they are too many to be enumerated and the game has `imagine`,
        so many imagined ones."""
        if sight.game.shape().open and sight.imagined is not None:
            return Believed(sight.worlds(1), np.ones(1), None)
        belief, anew = self._belief_at(sight)
        if (not belief.enumerated or not len(belief.state)) and sight.imagined is not None:
            return Believed(sight.worlds(worlds), np.ones(worlds), belief, anew)
        return Believed(belief.state, belief.weight, belief, anew)

    def _belief_at(self, sight: Sight) -> tuple[Belief, bool]:
        """The belief that goes with what the player sees: that of this match, or that of a new one if it began here."""
        table: Any = (identity(sight.game), sight.player)
        belief = self._belief if self._table == table else None
        if belief is None or not len(belief.observe(sight.view)):
            anew = Belief(sight.game, sight.player, others=self._others, seed=draw_seed(self.random))
            if len(anew.observe(sight.view)) or belief is None:
                self._table, self._belief = table, anew
                return anew, True
        return belief, False
