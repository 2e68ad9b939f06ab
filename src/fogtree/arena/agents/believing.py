"""What an agent believes in a match: the states that go with what its player sees, from move to move."""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...game import identity
from ...search.worlds.belief import Belief
from ...search.worlds.pimc import draw_worlds
from ..sight import Sight
from .words import draw_seed


class Believed(NamedTuple):
    """What a player believes at one of their moves."""

    state: np.ndarray  # [n, words] the states that are possible; none where they stay packed in the belief
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

    @property
    def many(self) -> int:
        """How many states there are."""
        return len(self.state) if self.belief is None else len(self.belief.packed)

    def drawn(self, count: int, random: np.ndarray) -> np.ndarray:
        """So many of the states, or all if they are fewer."""
        if self.belief is None or self.many <= count:
            return self.state if self.belief is None else self.belief.state
        generator = np.random.default_rng(int(dice.draw(random)))
        return self.belief.whole(generator.choice(self.many, count, replace=False))


class Worlds(NamedTuple):
    """Worlds to search in, and what they stand for."""

    state: np.ndarray  # [n, words]
    held: int  # states that the player believes possible, or that were imagined
    coverage: float  # their share of all such states; NaN where it is not known

    @classmethod
    def drawn(cls, sight: Sight, believed: Believed | None, count: int, random: np.ndarray) -> "Worlds":
        """So many of the states that are believed possible, by their weights; where nothing is believed, imagined ones, and
        none where there is nothing to choose."""
        if believed is not None:
            state = believed.state
            some = draw_worlds(state, believed.weight, count, random) if len(state) else state
            return cls(some, len(state), believed.coverage)
        hidden = not sight.game.shape().open
        some = sight.worlds(count if hidden else 1) if len(sight.actions) > 1 else np.zeros((0, 0), np.int64)
        return cls(some, len(some) if hidden else 1, math.nan if hidden else 1.0)


class Believer:
    """Follows a match. One believer follows any number of matches: `fresh` begins the next, and where nobody calls it, a view
    that can only be the first of a match does. The options are those of its beliefs."""

    def __init__(self, random: np.ndarray, **options: Any):
        self.random, self.options = random, options
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

    def follow(self, sight: Sight, worlds: int) -> Believed:
        """The same, and the states stay packed. Beyond the cap they are a sample; where fewer than so many worlds of it are
        left and the game has `imagine`, imagined ones join them."""
        if sight.game.shape().open and sight.imagined is not None:
            return Believed(sight.worlds(1), np.ones(1), None)
        belief, anew = self._belief_at(sight)
        left = len(belief.packed)
        if (not belief.enumerated or not left) and left < worlds and sight.imagined is not None:
            belief.refill(np.concatenate([belief.state, sight.worlds(worlds - left)]))
        return Believed(np.zeros((0, 0), np.int64), np.zeros(0), belief, anew)

    def _belief_at(self, sight: Sight) -> tuple[Belief, bool]:
        """The belief that goes with what the player sees: that of this match, or that of a new one if it began here."""
        table: Any = (identity(sight.game), sight.player)
        belief = self._belief if self._table == table else None
        if belief is None or not belief.notice(sight.view):
            seed, others = draw_seed(self.random), self._others
            anew = Belief(sight.game, sight.player, others=others, seed=seed, **self.options)
            if anew.notice(sight.view) or belief is None:
                self._table, self._belief = table, anew
                return anew, True
        return belief, False
