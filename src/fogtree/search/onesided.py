"""One-sided search: learn to beat a strategy that stays as it is (the evolving opponent of Auger 2011, Figures 2 and 3).

One player searches as in `mmcts.py`, all others follow a fixed strategy. For the one who learns this is a game against
nature: the tree's most frequent moves approach a best response, from below, for whatever they get against the strategy the
best response gets at least as well. So where exact best responses are out of reach this gives a bound, and the curve says
how fast the strategy gives way: the mean payoff of the learner in consecutive windows of simulations.
"""

import itertools
import math
import time
from typing import Any, NamedTuple

import numpy as np

from ..bandits.uct import UCT
from ..errors import Invalid
from ..strategy import Strategy
from .ismcts import FIRST, SETS, write_policies
from .mmcts import FIXED, LEARNS, MMCTS

PER_DECADE, FIRST_MARK = 10, 100  # windows
EXPLORE = 0.5  # UCT's constant, as a share of the range of payoffs


class Point(NamedTuple):
    """The end of a window, and the learner's mean payoff since the window before."""

    simulations: int
    payoff: float


class OneSided(MMCTS):
    """A search for a best response of one player, that goes on where it stopped.

        search = OneSided(game, strategy, player=1, seed=1)
        search.run(simulations=1_000_000)
        search.curve, search.response()

    The strategy is a `Strategy`, or anything that plays by `entries.weigh`.
    """

    def __init__(self, game: Any, strategy: Any, player: int, seed: int = 0, *, bandit: Any = None, **caps):
        if not 0 <= player < game.shape().players:
            raise Invalid(f"a player is 0 to {game.shape().players - 1}, not {player}")
        strategy.belongs_to(game)
        super().__init__(game, seed, bandit=bandit or patient(game), **caps)
        self.player = player
        self.curve: list[Point] = []
        self._others = strategy.entries
        self._players.fixed[:] = FIXED
        self._players.fixed[player] = LEARNS
        self._marks = (round(FIRST_MARK * 10 ** (i / PER_DECADE)) for i in itertools.count())
        self._next, self._window = (
            next(self._marks),
            (0, 0.0),
        )  # where the window ends; simulations and payoffs before it

    def run(  # type: ignore[override]
        self, *, simulations: int | None = None, seconds: float | None = None, progress=None
    ) -> "OneSided":
        """Go on for so many simulations or so long. `progress(simulations)` looks on."""
        super().run(simulations=0 if simulations is not None else None, seconds=0 if seconds is not None else None)
        goal = math.inf if simulations is None else self.simulations + simulations
        stop = math.inf if seconds is None else time.perf_counter() + seconds
        while self.simulations < goal and (left := stop - time.perf_counter()) > 0:
            budget = int(min(goal, self._next)) - self.simulations
            super().run(simulations=budget, seconds=None if seconds is None else left, progress=progress)
            if self.simulations == self._next:
                before, total = self._window
                self._window = self._next, float(self._players.total[self.player])
                self.curve.append(Point(self._next, (self._window[1] - total) / (self._next - before)))
                self._next = next(self._marks)
        return self

    def response(self) -> Strategy:
        """The learner's most frequent action at each set that it has met, the first of several."""
        out = self._output(write_policies)
        sets, row = int(self._tree.used[SETS]), self._tree.row
        width = np.diff(out.first)
        action = np.empty(sets, np.int64)
        top = np.maximum.reduceat(out.probability, row[:sets, FIRST]) if sets else np.zeros(0)
        best = np.flatnonzero(out.probability == np.repeat(top, width))
        owner = np.repeat(np.arange(sets), width)[best]
        action[owner[::-1]] = out.action[best[::-1]]  # of several the first is written last
        return Strategy(self.game, out.player, out.view, np.arange(sets + 1), action, np.ones(sets))


def patient(game: Any) -> UCT:
    """UCT that explores in proportion to the payoffs; against a strategy that stays, its moves approach the best."""
    shape = game.shape()
    return UCT(c=EXPLORE * (shape.high - shape.low))
