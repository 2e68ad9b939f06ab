"""KLUSS (`search/worlds/kluss.py`) as a search that is asked at the table (`protocol.py`).

What it carries is its tree, its dice, and all states that fit what the player has seen.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...clock import clock
from ...strategy import Strategy
from ...walk.slices import Budget
from ..worlds.belief import CAP, Belief, Keep
from ..worlds.kluss import KLUSS, Play, require_duel
from .protocol import Answer

NOTHING: Mapping[str, Any] = {}


class Carried(NamedTuple):
    """What goes from one decision to the next."""

    search: KLUSS
    belief: Belief
    view: int | None = None  # of the decision before


def own_evaluation(game: Any) -> None:
    """None: KLUSS takes the game's own."""
    return None


class KnowledgeLimited(NamedTuple):
    """KLUSS with these options, which follows so many states that fit at most. `evaluation` makes what judges the leaves of a
    game."""

    play: Play = Play.PURIFIED
    cap: int = CAP
    options: Mapping[str, Any] = NOTHING
    evaluation: Callable[[Any], Any] = own_evaluation

    @property
    def name(self) -> str:
        return "kluss"

    @property
    def whole(self) -> bool:
        return False

    def begin(self, game: Any, player: int, seed: int, *path: int) -> Carried:
        require_duel(game)
        search = KLUSS(game, player, evaluation=self.evaluation(game), **self.options)
        search.random = dice.seeded(seed, *path)
        return Carried(search, Belief(game, player, cap=self.cap, seed=seed, keep=Keep.POSITIONS))

    def think(self, carried: Carried, view: int, spend: Budget) -> Answer:
        began, search = clock(), carried.search.copy()
        with np.errstate(over="ignore"):
            belief = carried.belief if view == carried.view else carried.belief.at_next(view, carried.view)
        fitting = len(belief.packed) if belief.enumerated else None
        left = max(0.0, spend.seconds - (clock() - began))
        limits: dict[str, Any] = {"seconds": left, "iterations": spend.iterations}
        given = {word: value for word, value in limits.items() if value < np.inf}
        found = search.think(view, belief.state, fitting=fitting, **given)
        mix = {} if found is None else found.mix(self.play)
        strategy = Strategy(
            search.game,
            np.full(int(bool(mix)), search.player),
            np.array([view] if mix else [], np.int64),
            np.array([0, len(mix)] if mix else [0], np.int64),
            np.array(list(mix), np.int64),
            np.array(list(mix.values()), np.float64),
        )
        done, note = (0, "") if found is None else (found.walks, found.note)
        return Answer(strategy, Carried(search, belief, view), done, note)
