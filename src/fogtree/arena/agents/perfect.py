"""A perfect player: `perfect` on the command line, `perfect(game)` in Python.

How it knows what to play is decided by the game, and it says what proves it:

    hidden information     an equilibrium with its certificate (`solvers/certified.py`): from the package, or solved at once
    open, few men left     endgame tables, where the game numbers its endings (`endings.py`)
    open, the rest         alpha-beta to the end of the game: it wins as soon as it can, and loses as late

An equilibrium gets at least its value against everybody, on average over both seats and all deals. It does not look for the
mistakes of others. Alpha-beta and tables do: they know the best move at every position.

A game beyond that is refused, with a sentence that names what is strongest there.
"""

import math
from typing import Any

import numpy as np

from ...endings import OUTSIDE, EndgameTable, best_action
from ...errors import Invalid
from ...game import OVER, identity, new_state
from ...learn.weights import load_weights, shipped
from ...search.open.alphabeta import AlphaBeta
from ...solvers.certified import Certified, certified
from ...solvers.exact.retrograde import endgame_table
from ...solvers.profile import is_general
from ...strategy import StoredStrategy
from ...text.naming import as_game
from ...text.naming import name as name_of
from ...walk.estimate import surely_more
from ..sight import Sight
from .fixed import StrategyAgent
from .words import no_parameters

UNPROVABLE = 1e18  # histories: of so many positions a search within PROVABLE nodes proves nothing
PROVABLE = 10_000_000  # nodes within which the search of an open game from its start must end: a few seconds


class PerfectAgent:
    """Plays games whose perfect play is known, each by what knows it."""

    compiles = True  # the game, so that a user's own game is checked before
    name = "perfect"

    def __init__(self, seed: int = 0, *path: int):
        self._seed, self._path = seed, path
        self._game, self._by = "", None  # what plays the game that was asked for last

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "PerfectAgent":
        no_parameters(name, text)
        return cls(seed, *path)

    def fits(self, game: Any) -> None:
        """Refuse a game whose perfect play is not known."""
        self.fits_from(game, new_state(game))

    def fits_from(self, game: Any, state: np.ndarray) -> None:
        """The same for a match that begins at this state. Only of open games does it look at the state."""
        if isinstance(by := self._player(game), _Search):
            by.require_proof(state)

    def plan(self, game: Any) -> StoredStrategy | None:
        """The strategy that it plays; None where it searches."""
        by = self._player(game)
        return by.plan(game) if isinstance(by, StrategyAgent) else None

    def deterministic(self, game: Any) -> bool:
        """It draws only where it plays an equilibrium."""
        return isinstance(self._player(game), _Search)

    def act(self, sight: Sight) -> int:
        return self._player(sight.game).act(sight)

    def _player(self, game: Any) -> Any:
        if self._game != identity(game):
            self._by = self._found(game)
            self._game = identity(game)
        return self._by

    def _found(self, game: Any) -> Any:
        if is_general(game):
            raise Invalid(
                f"{name_of(game)} has no perfect play, for it is not a game of two players and zero sum: "
                f"the strongest there is here is {strongest(game)}"
            )
        if game.shape().open and not hasattr(game, "odds"):
            return _Search(game)
        return StrategyAgent(equilibrium(game).strategy, self._seed, *self._path)


def equilibrium(game: Any) -> Certified:
    """The certified equilibrium of a game of two players and zero sum; `Invalid` where nobody knows one."""
    game = as_game(game)
    if (found := certified(game)) is None:
        raise _unknown(game)
    return found


class Perfect(PerfectAgent):
    """The perfect player of one game."""

    def __init__(self, game: Any, seed: int = 0):
        super().__init__(seed)
        self.game = as_game(game)
        self.fits(self.game)

    @property
    def strategy(self) -> StoredStrategy:
        """The strategy that it plays, for whoever measures it."""
        if (plan := self.plan(self.game)) is None:
            raise Invalid(f"{name_of(self.game)} is played perfectly by search, which is no table of information sets")
        return plan

    @property
    def certificate(self) -> Certified:
        """The equilibrium that it plays, with the bounds that prove it and the command that made it."""
        if self.plan(self.game) is None:
            raise Invalid(f"{name_of(self.game)} is played perfectly by search, which proves each move anew")
        return equilibrium(self.game)

    def __repr__(self) -> str:
        known = "by search" if self.plan(self.game) is None else str(self.certificate)
        return f"<the perfect player of {name_of(self.game)}: {known}>"


def perfect(game: Any, *, seed: int = 0) -> Perfect:
    """The perfect player of a game: an agent for `play` and `tournament`, and a strategy for `exploitability`. A game whose
    perfect play nobody knows is refused, with a sentence that says what is strongest there."""
    return Perfect(game, seed)


def strongest(game: Any) -> str:
    """The agent to take where perfect play is not known."""
    if game.shape().open and hasattr(game, "playout_policy"):
        return "the agent tuned with many iterations"
    if game.shape().open and not is_general(game):
        learned = [known for known in shipped() if load_weights(known).game == identity(game)]
        return f"the agent alphabeta:weights={learned[0]}" if learned else "the agent alphabeta with many seconds"
    if hasattr(game, "public_cards"):
        return f"a strategy that fogtree solve {name_of(game)} --abstraction K --save FILE makes, as strategy:FILE"
    return "the agent pimc with many worlds" if hasattr(game, "imagine") else "the agent rm with many iterations"


def _unknown(game: Any) -> Invalid:
    return Invalid(f"nobody knows perfect play of {name_of(game)} here: the strongest there is is {strongest(game)}")


class _Search:
    """Endgame tables where the game has them, and alpha-beta to the end of the game elsewhere."""

    def __init__(self, game: Any):
        self.game, self.search = game, AlphaBeta(game)
        self.tables: dict[str, EndgameTable] = {}  # by ending

    def require_proof(self, state: np.ndarray) -> None:
        """Refuse a start that is too far from the end."""
        with np.errstate(over="ignore"):
            if self.game.player(state) == OVER or self._tabled(state) is not None:
                return
            if (state == new_state(self.game)).all() and surely_more(self.game, UNPROVABLE):
                raise _unknown(self.game)
            self.search.think(state, nodes=PROVABLE)
        if not self.search.finished:
            raise _unknown(self.game)

    def act(self, sight: Sight) -> int:
        state = sight.worlds(1)[0]
        with np.errstate(over="ignore"):
            if (known := self._tabled(state)) is not None:
                return known
            # Tables end where the course of the game does, so that what follows need not have a proof.
            limit = {"nodes": PROVABLE} if self.tables else {"seconds": math.inf}
            return int(self.search.think(state, **limit).action)

    def _tabled(self, state: np.ndarray) -> int | None:
        """The best move by a table; None where no table has the position."""
        if not hasattr(self.game, "endings"):
            return None
        places, first = self.game.endings("all"), 0
        number = int(places.number(self.game, state))
        for ending, count in places.stages() if number != OUTSIDE else ():
            first += count
            if number < first:
                if ending not in self.tables:
                    self.tables[ending] = endgame_table(self.game, ending)
                return best_action(self.game, self.tables[ending], state)
        return None
