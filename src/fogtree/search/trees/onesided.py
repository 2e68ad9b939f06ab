"""One-sided search: learn to beat a strategy that stays as it is (the evolving opponent of Auger 2011, Figures 2 and 3).

One player, the learner, searches as in `mmcts.py`; all others follow a fixed policy. The most frequent moves of the tree
approach a best response. A best response gets at least as much as any response, so the learner's payoff is a lower bound
where exact best responses take too long. The curve is the mean payoff of the learner in consecutive windows of iterations;
it shows how fast the learner improves.
"""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ...bandits import as_bandit
from ...bandits.uct import UCT
from ...clock import clock
from ...errors import Invalid
from ...policy import as_policy
from ...strategy import Strategy
from ...text.naming import as_game
from ...walk.slices import Watcher, budget
from .anytime import DEFAULT_MEMORY
from .mmcts import FIXED, LEARNS, ManyTrees
from .tree import output

PER_DECADE, FIRST_MARK = 10, 100  # windows
EXPLORE = 0.5  # UCT's constant, as a share of the range of payoffs


class Window(NamedTuple):
    """Where a window of iterations ends, and the learner's mean payoff in it."""

    iterations: int
    payoff: float


class OneSided(ManyTrees):
    """A search for a best response of one player, that goes on where it stopped.

        search = OneSided(game, strategy, player=1, seed=1)
        search.run(iterations=1_000_000)
        search.curve, search.response()

    The strategy is a `Strategy` or any policy (`policy.py`).
    """

    name = "one-sided search"

    def __init__(
        self,
        game: Any,
        strategy: Any,
        player: int,
        seed: int = 0,
        *,
        bandit: Any = None,
        judge: Any = None,
        memory: float = DEFAULT_MEMORY,
        sets: float = math.inf,
    ):
        game = as_game(game)
        shape = game.shape()
        if not 0 <= player < shape.players:
            raise Invalid(f"a player is 0 to {shape.players - 1}, not {player}")
        fixed = np.full(shape.players, FIXED, np.int64)
        fixed[player] = LEARNS
        others = as_policy(game, strategy)
        if bandit is None:  # UCT that explores in proportion to the payoffs: its moves approach the best response
            bandit = UCT(c=EXPLORE * (shape.high - shape.low))
        super().__init__(game, as_bandit(bandit), seed, fixed, others, judge, memory=memory, sets=sets)
        self.player = player
        self.curve: list[Window] = []
        self._ends = (round(FIRST_MARK * 10 ** (i / PER_DECADE)) for i in itertools.count())
        self._end = next(self._ends)  # of the present window
        self._before = (0, 0.0)  # iterations and the learner's payoffs before it

    @property
    def payoffs(self) -> np.ndarray:
        """[player] the sum over all iterations."""
        return self.searchers[0].extra.total

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "OneSided":
        """Search for so many more iterations or seconds."""
        spend = budget(iterations, seconds)
        self._play(iterations=0)  # compile before the clock starts
        goal, stop = self.iterations + spend.iterations, clock() + spend.seconds
        while self.iterations < goal and (left := stop - clock()) > 0:
            more = int(min(goal, self._end)) - self.iterations
            self._play(iterations=more, seconds=None if left == math.inf else left, progress=progress)
            if self.iterations == self._end:
                before, total = self._before
                self._before = self._end, float(self.payoffs[self.player])
                self.curve.append(Window(self._end, (self._before[1] - total) / (self._end - before)))
                self._end = next(self._ends)
        return self

    def response(self) -> Strategy:
        """The learner's most frequent action at each set that it has met, the first of several."""
        found = output(self.searchers[0].tree, self.bandit)
        sets, width = len(found.view), np.diff(found.first)
        action = np.empty(sets, np.int64)
        top = np.maximum.reduceat(found.probability, found.first[:-1]) if sets else np.zeros(0)
        best = np.flatnonzero(found.probability == np.repeat(top, width))
        owner = np.repeat(np.arange(sets), width)[best]
        action[owner[::-1]] = found.action[best[::-1]]  # of several the first is written last
        return Strategy(self.game, found.player, found.view, np.arange(sets + 1), action, np.ones(sets))
