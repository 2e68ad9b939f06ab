"""An agent that plays open games of two sides by alpha-beta (`search/open/alphabeta.py`).

It evaluates by the learned weights that it is given, a file or the name of weights that come with the package:
`alphabeta:weights=chess`. Without them it takes the game's own evaluation, which a game gives by the optional method
`evaluation()`, in chess piece-square tables set by hand; without that one it knows nothing but the ends of the game.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...evaluation import AtEnd, features_of
from ...game import identity
from ...learn.weights import Weights, load_weights
from ...search.open.alphabeta import MEMORY, AlphaBeta
from ...search.open.pruning import Risky, Sound
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


def text(value):
    """the name of a file"""
    if isinstance(value, bool):
        raise ValueError
    return str(value)


@accepts(depth=range(0, 64), nodes=range(0, 2**62), seconds=seconds, pruning=pruning, weights=text)
class Looking(NamedTuple):
    """How far an agent looks: to a depth, or so many nodes or seconds; 0 is no limit. `sound` leaves out nothing that could
    change the minimax value, and `risky` searches as tournament engines do. And by which weights it evaluates."""

    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    pruning: str = "risky"
    weights: str = ""

    @property
    def limits(self) -> dict[str, Any]:
        return {limit: value for limit in ("depth", "nodes", "seconds") if (value := getattr(self, limit))}


class AlphaBetaAgent:
    """Plays the best move of a search of the position on the board."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(
        self,
        how: Looking = Looking(),  # noqa: B008  (a tuple cannot change)
        *,
        name: str = "alphabeta",
        evaluation: Any = None,  # in place of weights or of the game's own
        memory: float = MEMORY,  # bytes of a table
    ):
        self.how = how if how.limits else how._replace(seconds=SECONDS)
        self.name, self.memory = name, memory
        self._given = evaluation
        self._weights: Weights | None = load_weights(how.weights) if how.weights else None
        self._search: AlphaBeta | None = None
        self._table = ""

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "AlphaBetaAgent":
        return cls(build(Looking, text, name), name=f"{name}:{text}" if text else name)

    def fits(self, game: Any) -> None:
        """Refuse games in which something is hidden."""
        if not game.shape().open:
            raise Invalid(f"{self.name} plays open games, and {type(game).__name__} does not say that it is one")
        self._evaluation(game)

    def fresh(self) -> None:
        """A new match begins."""
        if self._search is not None:
            self._search.forget()

    def deterministic(self, game: Any) -> bool:
        return True

    @property
    def nodes(self) -> int:
        """Positions visited since it was first asked about the position on the board."""
        return 0 if self._search is None else self._search.nodes

    def act(self, sight: Sight) -> int:
        if self._search is None or self._table != identity(sight.game):
            evaluation, pruning = self._evaluation(sight.game), PRUNING[self.how.pruning]
            self._search = AlphaBeta(sight.game, evaluation, pruning=pruning, memory=self.memory)
            self._table = identity(sight.game)
        with np.errstate(over="ignore"):
            return int(self._search.think(sight.worlds(1)[0], **self.how.limits).action)

    def _evaluation(self, game: Any) -> Any:
        if self._given is not None:
            return self._given
        if self._weights is not None:
            return self._weights.evaluation(game, features_of(game))
        return game.evaluation() if hasattr(game, "evaluation") else AtEnd()
