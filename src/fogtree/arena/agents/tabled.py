"""An agent that plays by an endgame table where the table knows the position, and by another agent elsewhere.

A search whose judge knows the table sees that all good moves win, and not which of them wins sooner. So it may shuffle until
the clock runs out. The table knows the shortest way.
"""

from typing import Any

from ...endings import EndgameTable, best_action
from ..sight import Sight
from . import name as name_of
from . import require_fit


class TabledAgent:
    """Plays open games."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, agent: Any, table: EndgameTable, *, name: str = ""):
        self.agent, self.table = agent, table
        self.name = name or f"{name_of(agent)} with tables"

    def fits(self, game: Any) -> None:
        require_fit(self.agent, game)

    def fresh(self) -> None:
        """A new match begins."""
        if hasattr(self.agent, "fresh"):
            self.agent.fresh()

    def deterministic(self, game: Any) -> bool:
        return hasattr(self.agent, "deterministic") and self.agent.deterministic(game)

    def act(self, sight: Sight) -> int | str:
        known = best_action(sight.game, self.table, sight.worlds(1)[0])
        return self.agent.act(sight) if known is None else known
