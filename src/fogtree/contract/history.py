"""What the walk of a check holds of a history, and what the game says of it."""

from typing import Any, NamedTuple

import numpy as np


class Sight(NamedTuple):
    """What a player was shown and has played, as a hash, and the last text that was shown. Public keys are kept so too."""

    course: int = 0
    text: str = ""

    def shown(self, text: str) -> "Sight":
        """A text that does not change tells nothing, not even that somebody has moved."""
        return self if text == self.text else Sight(hash((self.course, text)), text)

    def played(self, action: int) -> "Sight":
        return Sight(hash((self.course, action)), self.text)


class Told(NamedTuple):
    """The observations that `seen` has put into a player's view: how many, and a hash of their list."""

    number: int = 0
    course: int = 0

    def and_then(self, symbol: int, radix: int) -> "Told":
        return Told(self.number + 1, hash((self.course, symbol, radix)))


class History(NamedTuple):
    """A history, with what was known one move earlier."""

    state: np.ndarray
    moves: tuple[int, ...] = ()
    own: tuple = ()  # [player] the last own (view, action), or None
    before: tuple = ()  # [player] the view before the last move
    told: tuple = ()  # [player] what `seen` was told before the last move, or None where that is not known
    calls: tuple = ()  # of `seen` in the last move: (key, symbol, radix, new key)
    reach: float = 1.0  # the probability that random play leads here
    sights: tuple = ()  # [player] what was shown before the last move, and played with it
    mover: int | None = None  # who made the last move, or CHANCE
    public: Sight = Sight()  # the public keys up to the last move


class Place(NamedTuple):
    """A history that was visited."""

    history: History
    player: int  # who moves, or CHANCE, or OVER
    views: tuple[int, ...]  # [player]
    told: tuple  # [player] as in a history, but up to now
    sights: tuple  # [player] as in a history, but up to now
    actions: list[int]
    odds: list[float]  # of the actions; equal ones where a player moves
    outcome: tuple[Any, ...]  # the actions, of chance with their odds; or the payoffs
    public: Sight  # the public keys up to now
