"""What a player could notice of the moves that others made: for people, who look away between their moves.

In an open game it is the move itself. Where something is hidden it is what the game says that the player hears (`heard`); a
game that does not say it is compared with itself: the lines of `show` that are new are told. So nothing is told that the
player may not know.
"""

from typing import Any

import numpy as np

from ..game import CHANCE, heard, show, who
from .referee import MatchState


def noticed(game: Any, before: np.ndarray, after: np.ndarray, player: int, action: int) -> str:
    """What the player could notice of an action that led from one state to the next; empty where nothing."""
    if game.shape().open or hasattr(game, "heard"):
        return heard(game, before, action, player)
    was, now = (show(game, state, player).splitlines() for state in (before, after))
    return "; ".join(line.strip() for line in now if line not in was)


class News:
    """Collects what one player could notice, move by move: `look` is for `play`, and `read` empties it."""

    def __init__(self, game: Any, player: int):
        self.game, self.player = game, player
        self._before: np.ndarray | None = None
        self._told: list[str] = []

    def look(self, table: MatchState) -> None:
        before, self._before = self._before, table.state.copy()
        if before is None or not table.moves or (move := table.moves[-1]).player in (CHANCE, self.player):
            return  # of chance, the player is shown the result
        if words := noticed(self.game, before, table.state, self.player, move.action):
            self._told.append(f"{who(self.game, move.player)}: {words}")

    def read(self) -> list[str]:
        told, self._told = self._told, []
        return told
