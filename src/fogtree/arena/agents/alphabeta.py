"""An agent that plays open games of two sides by alpha-beta (`search/alphabeta.py`).

It takes the game's own evaluation, which a game gives by the optional method `evaluation()`; without one it knows nothing
but the ends of the game.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...evaluation import AtEnd
from ...game import identity
from ...search.alphabeta import AlphaBeta
from ...search.pruning import Risky, Sound
from ...text.parameters import accepts, build
from ...walk.slices import number
from ..sight import Sight

SECONDS = 0.1  # a move, where nothing else is said


PRUNING = {"risky": Risky(), "sound": Sound()}


def seconds(value: Any) -> float:
    """a finite number of 0 or more"""
    return number(value, "seconds", finite=True)


def pruning(value: Any) -> str:
    """risky or sound"""
    if value not in PRUNING:
        raise ValueError
    return value


@accepts(depth=range(0, 64), nodes=range(0, 2**62), seconds=seconds, pruning=pruning)
class Looking(NamedTuple):
    """How far an agent looks: to a depth, or so many nodes or seconds; 0 is no limit. `sound` leaves out nothing that could
    change the minimax value, and `risky` searches as tournament engines do."""

    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    pruning: str = "risky"


class AlphaBetaAgent:
    """Plays the best move of a search of the position on the board."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, how: Looking = Looking(), *, name: str = "alphabeta"):  # noqa: B008  (a tuple cannot change)
        self.how = how if any(how[: how._fields.index("pruning")]) else how._replace(seconds=SECONDS)
        self.name = name
        self._search: AlphaBeta | None = None
        self._table = ""

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "AlphaBetaAgent":
        return cls(build(Looking, text, name), name=f"{name}:{text}" if text else name)

    def fits(self, game: Any) -> None:
        """Refuse games in which something is hidden."""
        if not game.shape().open:
            raise Invalid(f"{self.name} plays open games, and {type(game).__name__} does not say that it is one")

    def fresh(self) -> None:
        """A new match begins."""
        self._search = None

    def act(self, sight: Sight) -> int:
        if self._search is None or self._table != identity(sight.game):
            evaluation = sight.game.evaluation() if hasattr(sight.game, "evaluation") else AtEnd()
            search = AlphaBeta(sight.game, evaluation, pruning=PRUNING[self.how.pruning])
            self._search, self._table = search, identity(sight.game)
        limits = {limit: value for limit in ("depth", "nodes", "seconds") if (value := getattr(self.how, limit))}
        with np.errstate(over="ignore"):
            return int(self._search.think(sight.worlds(1)[0], **limits).action)
