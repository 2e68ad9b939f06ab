"""How other programs number the actions of our games.

Our action numbers may be anything: a move of chess is a number of thousands, of which some dozens are legal. Other programs
want numbers below a bound that is known before the game begins. There are two ways to get them:

    ByPosition(width)     the position among the legal actions, ascending: always possible, for at most `width` are legal
    ByNumber(distinct)    our own numbers, for games where all of them lie below `distinct`: the same number always means the
                          same action, which a program that learns can use
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import Broken
from ..walk.slices import whole


class ByPosition(NamedTuple):
    """Actions by their position among the legal ones."""

    size: int

    def outside(self, actions: Sequence[int]) -> list[int]:
        """What the legal actions are called outside, ascending."""
        return list(range(len(actions)))

    def inside(self, actions: Sequence[int], called: int) -> int:
        """Our action of that name, which must be legal."""
        return actions[called]


class ByNumber(NamedTuple):
    """Actions by our own numbers."""

    size: int

    def outside(self, actions: Sequence[int]) -> list[int]:
        if actions and not 0 <= actions[0] <= actions[-1] < self.size:
            wrong = actions[0] if actions[0] < 0 else actions[-1]
            raise Broken(f"the game has an action {wrong}, and its numbers were said to lie from 0 to {self.size - 1}")
        return list(actions)

    def inside(self, actions: Sequence[int], called: int) -> int:
        return called


def numbering(game: Any, distinct: int | None) -> ByPosition | ByNumber:
    """By our own numbers below `distinct`, or by positions if it is not given."""
    return ByPosition(game.shape().actions) if distinct is None else ByNumber(whole(distinct, "distinct", 1))
