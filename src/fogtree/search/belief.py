"""What a player may believe during a match: the states that they cannot tell from the true one.

The player's own action is applied to every state believed possible; then all that chance and the others may do is followed
to the player's next decision, and only the states with the view that the player really has are kept (Lisy 2014, section 3).
Any game has this for nothing, by its `view`; no resampler is written by hand. The states may lie at different depths, as in
Phantom Tic-Tac-Toe, where one does not know how often the other has tried.

Each state carries its weight: the probability, by the odds of chance and by a strategy ascribed to the others (uniform unless
given), of all that was not the player's own doing. The paper's searches ignore it and draw states evenly.

Beyond `cap` states a uniform sample of them is kept, and `coverage` says what share. Where a game has `imagine`, the sample
is drawn anew by it.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..kernels import kernel
from ..strategy import Strategy
from ..trouble import require_fine
from ..walk.frontier import WRONG, new_frontier

KEPT, FOUND = 0, 1  # words of `used`
CAP = 1 << 16


class Pool(NamedTuple):
    """The states that fit one view; of more than there is room for, a uniform sample (Vitter's reservoir)."""

    view: int
    state: np.ndarray  # [cap, words]
    weight: np.ndarray  # [cap]
    used: np.ndarray  # [2] states kept | found
    random: np.ndarray

    def put(self, state, view, reach):
        if view != self.view:
            return True
        self.used[FOUND] += 1
        at = self.used[KEPT]
        if at < self.state.shape[0]:
            self.used[KEPT] += 1
        else:
            at = dice.below(self.random, self.used[FOUND])
            if at >= self.state.shape[0]:
                return True
        for word in range(state.shape[0]):
            self.state[at, word] = state[word]
        self.weight[at] = reach
        return True

    def end(self, worth):
        pass


@kernel
def advance(game, others, frontier, pool, state, weight, me, action):
    """Fill the pool from the states [n, words] after an action of `me`; n = 0 stands for the start of the game."""
    if state.shape[0] == 0:
        game.start(frontier.state[0])
        frontier.spread(game, others, pool, me, 1.0)
    for k in range(state.shape[0]):
        frontier.start_from(state[k])
        game.step(frontier.state[0], action)
        frontier.spread(game, others, pool, me, weight[k])


@kernel
def imagine_anew(game, state, me, random):
    """Replace each state by one drawn from those that the player cannot tell from it."""
    for k in range(state.shape[0]):
        game.imagine(state[k], me, random)


class Belief:
    """The belief of one seat through one match: `observe` at each of its decisions, `acted` after each of its actions."""

    def __init__(self, game: Any, seat: int, *, others: Strategy | None = None, cap: int = CAP, seed: int = 0):
        shape = game.shape()
        self.game, self.seat, self.cap = game, seat, cap
        self.coverage = 1.0
        self.state, self.weight = np.zeros((0, shape.words), np.int64), np.zeros(0)
        others = others or Strategy.uniform(game)
        others.belongs_to(game)
        self._others, self._whose = others.entries, others.game
        self._random = dice.seeded(seed)
        self._frontier = new_frontier(shape)
        self._course: list[tuple[int, int]] = []  # views observed and the actions taken there
        self._action = 0

    def observe(self, view: int) -> np.ndarray:
        """The seat is to move and has this view; returns the states that it believes possible."""
        self._move_on(view, self.cap)
        if len(self.state) == 0:
            self._retrace(view)
        return self.state

    def acted(self, view: int, action: int) -> None:
        """The seat has taken an action."""
        self._course.append((view, action))
        self._action = action

    def _move_on(self, view, cap):
        pool = Pool(
            view, np.zeros((cap, self.state.shape[1]), np.int64), np.zeros(cap), np.zeros(2, np.int64), self._random
        )
        if len(self.state) or not self._course:
            advance(self.game, self._others, self._frontier, pool, self.state, self.weight, self.seat, self._action)
            require_fine(int(self._frontier.note[WRONG]), self.game, f"the strategy of {self._whose}")
        kept, found = int(pool.used[KEPT]), int(pool.used[FOUND])
        self.state, self.weight = pool.state[:kept].copy(), pool.weight[:kept].copy()
        if found > kept:
            self.coverage *= kept / found
            if hasattr(self.game, "imagine"):
                imagine_anew(self.game, self.state, self.seat, self._random)
                self.weight[:] = 1.0

    def _retrace(self, view):
        """The sample has lost all states that fit: go through the match again with a larger one."""
        course, action = self._course, self._action
        for cap in (8 * self.cap, 64 * self.cap):
            self.state, self.weight, self._course, self.coverage = self.state[:0], self.weight[:0], [], 1.0
            for seen, taken in course:
                self._move_on(seen, cap)
                self._course.append((seen, taken))
                self._action = taken
            self._move_on(view, cap)
            if len(self.state):
                break
        self._course, self._action = course, action
