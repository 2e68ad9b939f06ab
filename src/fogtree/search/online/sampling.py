"""Online Outcome Sampling (`search/trees/oos.py`) as a search that is asked at the table (`protocol.py`).

What it carries is its tree, its dice and the histories that lead to the last decision (`search/trees/aim.py`). With the
target PST an answer holds for all information sets of the public state; with IST, for the one that was asked for.
"""

import enum
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits.regret import RegretMatching
from ...game import NONE
from ...strategy import Strategy
from ...walk.slices import Budget
from ..trees.aim import Aiming, Nowhere
from ..trees.oos import DELTA, EPSILON, GAMMA, OOS
from .protocol import Answer


class Target(enum.IntEnum):
    """What most samples are aimed at."""

    IST = 0  # the player's own information set
    PST = 1  # all that looks the same in public
    NONE = 2


class Carried(NamedTuple):
    """What goes from one decision to the next."""

    search: OOS
    aiming: Aiming
    view: int | None = None  # of the decision before
    action: int = NONE  # that was taken there, if it is known


class OutcomeSampling(NamedTuple):
    """OOS with these parameters."""

    rule: Any = RegretMatching()
    target: Target = Target.IST
    delta: float = DELTA
    epsilon: float = EPSILON
    gamma: float = GAMMA
    weigh: bool = True

    @property
    def name(self) -> str:
        return "oos"

    @property
    def whole(self) -> bool:
        return self.target is Target.PST

    def begin(self, game: Any, player: int, seed: int, *path: int) -> Carried:
        search = OOS(game, self.rule, 0, delta=self.delta, epsilon=self.epsilon, gamma=self.gamma, weigh=self.weigh)
        search.searchers[0].random = dice.seeded(seed, *path)
        return Carried(search, Aiming(search.game, player, public=self.target is Target.PST))

    def think(self, carried: Carried, view: int, spend: Budget) -> Answer:
        search, aiming = carried.search.copy(), carried.aiming.copy()
        player = aiming.player
        if carried.view not in (None, view):  # a later decision has another view
            aiming.acted(carried.view, carried.action)
        aim = aiming.observe(view)
        search.aim(Nowhere() if self.target is Target.NONE else aim)
        done = search.iterations
        limits = {"iterations": spend.iterations, "seconds": spend.seconds}
        search.run(**{word: value for word, value in limits.items() if value < np.inf})
        after = Carried(search, aiming, view)
        return Answer(self._answer(search, aiming, player, view), after, search.iterations - done, search.note)

    def _answer(self, search: OOS, aiming: Aiming, player: int, view: int) -> Strategy:
        """What the averages play: at this view, or at all views of the target."""
        views = aiming.views() if self.whole and aiming.exact and aiming.states else [view]
        rows = {seen: mix for seen in views if (mix := search.policy(player, seen))}
        widths = [len(mix) for mix in rows.values()]
        pairs = [pair for mix in rows.values() for pair in mix.items()]
        return Strategy(
            search.game,
            np.full(len(rows), player),
            np.array(list(rows), np.int64),
            np.append(0, np.cumsum(widths)).astype(np.int64),
            np.array([action for action, _ in pairs], np.int64),
            np.array([share for _, share in pairs], np.float64),
        )
