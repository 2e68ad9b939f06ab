"""What a player sees, as a row of numbers: for programs that learn.

A `view` is a key. It says whether two states look the same to a player, and nothing of what is alike in them. A game may give
the same in a form from which a program can learn, by two verbs that go together:

    observation()                 an `Observation`: the parts of a row, each with a name and a shape, and below which number
                                  all actions of the players lie. Only Python calls it
    observe(state, player, out)   writes that row for a player into `out`, where zeros stand: what is 0 need not be written

The row is a function of the player's view: `check` compares it wherever a view comes again, so that it tells nothing that the
view does not. It may tell less. Of a game without these verbs it is the 64 bits of the view, the lowest first.

    observation(game).size                        how many numbers there are
    row = observed(game, state, player)           [size] of float32
    observation(game).split(row)["own card"]      one part, in its shape; of many rows [n, size] too
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .errors import Invalid
from .kernels import optional

BITS = 64  # of a view
NUMBER = np.float32  # what rows are made of


class Observation(NamedTuple):
    """How a row is made up, and how actions are numbered."""

    parts: tuple[tuple[str, tuple[int, ...]], ...]  # the name and the shape of each, in their order
    actions: int | None = None  # the players' actions lie below; None where that is not known

    @property
    def size(self) -> int:
        """How many numbers a row has."""
        return sum(math.prod(shape) for _, shape in self.parts)

    def split(self, row: Any) -> dict[str, Any]:
        """The parts of a row, or of an array of rows, each in its shape."""
        found, first = {}, 0
        for name, shape in self.parts:
            last = first + math.prod(shape)
            found[name] = row[..., first:last].reshape(*row.shape[:-1], *shape)
            first = last
        return found


def view_bits(game, state, player, out):
    """The bits of a player's view, the lowest first: what a game without `observe` says."""
    view = np.int64(game.view(state, player))
    for bit in range(BITS):
        out[bit] = (view >> bit) & 1


optional("observe", view_bits)
PLAIN = Observation((("view", (BITS,)),))  # of a game without `observe`


def observation(game: Any) -> Observation:
    """How the observations of a game are made up."""
    return game.observation() if hasattr(game, "observation") else PLAIN


def observed(game: Any, state: np.ndarray, player: int) -> np.ndarray:
    """What a player sees in a state, as a row of numbers."""
    players = game.shape().players
    if not 0 <= player < players:
        raise Invalid(f"there is no player {player}: valid are 0 to {players - 1}")
    out = np.zeros(observation(game).size, NUMBER)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        game.observe(state, player, out) if hasattr(game, "observe") else view_bits(game, state, player, out)
    return out
