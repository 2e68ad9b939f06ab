"""What a player may believe during a match: the states that they cannot tell from the true one.

The player's own action is applied to every state believed possible; then all that chance and the others may do is followed
to the player's next decision, and only the states with the view that the player really has are kept (Lisý 2014, section 3).
This needs only the `view` of a game, so it works for any game. The states may lie at different depths, as in Phantom
Tic-Tac-Toe, where a player does not know how often the other has tried.

Each state has a weight: the probability of all moves that were not the player's own, by the odds of chance and by the policy
that the others are assumed to follow (uniform play by default). The paper's searches ignore it and draw states evenly.

If there are more than `cap` states, a uniform sample of them is kept, and `coverage` says which share it is.

If a game has `imagine`, following all states is given up as soon as more than `cap` of them are found, or more than
WALKED * cap histories were walked. Then `enumerated` is False, and the share is not known (`coverage` is NaN). From then on,
the referee, who holds the true state, should draw states from it by `imagine`. A belief outside a match has no true state: it
imagines IMAGINED states from one that it found, a uniform sample, and continues from them.

Pools of states grow as they fill, and no pool is larger than POOL_BYTES.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...kernels import kernel
from ...looks import looks
from ...policy import as_policy
from ...strategy import Strategy
from ...text.naming import as_game
from ...trouble import require_fine
from ...walk.frontier import MET, WRONG, new_frontier
from ...walk.slices import whole

KEPT, FOUND, STOPPED = 0, 1, 2  # words of `used`
POOL_FULL, ENOUGH = 1, 2  # why a walk stopped: the pool must grow | there are too many states or histories to go on
CAP = 1 << 16
SHOWN = 6  # states, in a notebook
WALKED = 16  # histories for each state of the cap, at most, where states can be imagined
IMAGINED = 1 << 12  # states, where all are too many
FIRST_ROWS = 1 << 10  # of a pool; it grows to four times as many when it is full
POOL_BYTES = 1 << 28  # 256 MB
LARGER = (8, 64)  # caps for going through a match again, as multiples of the first
NO_BOUND = (1 << 63) - 1


class Pool(NamedTuple):
    """The states that fit one view; of more than the cap, a uniform sample (Vitter's reservoir)."""

    view: int
    cap: int  # of rows, to which it may grow
    most_found: int  # states, and
    most_met: int  # histories, where it is time to stop
    state: np.ndarray  # [rows, words]
    weight: np.ndarray  # [rows]
    used: np.ndarray  # [3] states kept | found | why the walk stopped, or 0
    note: np.ndarray  # of the frontier, which counts histories
    random: np.ndarray

    def put(self, state, view, reach):
        if self.note[MET] > self.most_met:
            self.used[STOPPED] = ENOUGH
            return False
        if view != self.view:
            return True
        at, rows = self.used[KEPT], self.state.shape[0]
        if at == rows and rows < self.cap:
            self.used[STOPPED] = POOL_FULL
            return False
        if self.used[FOUND] == self.most_found:
            self.used[STOPPED] = ENOUGH
            return False
        self.used[FOUND] += 1
        if at < rows:
            self.used[KEPT] += 1
        else:
            at = dice.below(self.random, self.used[FOUND])
            if at >= rows:
                return True
        for word in range(state.shape[0]):
            self.state[at, word] = state[word]
        self.weight[at] = reach
        return True

    def end(self, worth):
        pass


@kernel
def advance(game, others, frontier, pool, state, weight, me, action, first):
    """Fill the pool from the states [n, words] after an action of `me`, from number `first` on; n = 0 stands for the start of
    the game. Returns the number of the state to go on with: where the pool is full, one whose finds were taken back."""
    if state.shape[0] == 0:
        game.start(frontier.state[0])
        if not frontier.spread(game, others, pool, me, 1.0):
            if pool.used[STOPPED] == POOL_FULL:
                pool.used[KEPT], pool.used[FOUND] = 0, 0
            return 0
        return 1
    for k in range(first, state.shape[0]):
        kept, found = pool.used[KEPT], pool.used[FOUND]
        frontier.start_from(state[k])
        game.step(frontier.state[0], action)
        if not frontier.spread(game, others, pool, me, weight[k]):
            if pool.used[STOPPED] == POOL_FULL:
                pool.used[KEPT], pool.used[FOUND] = kept, found
            return k
    return state.shape[0]


@kernel
def imagine_each(game, state, player, random):
    """Replace each state [n, words] by one drawn from those that the player cannot tell from it."""
    for k in range(state.shape[0]):
        game.imagine(state[k], player, random)


class Belief:
    """What one player believes in one match: `observe` at each decision of theirs, `acted` after each action of theirs."""

    def __init__(self, game: Any, player: int, *, others: Any = None, cap: int = CAP, seed: int = 0):
        game = as_game(game)
        shape = game.shape()
        self.game, self.player = game, player
        self.cap = self._fitting(whole(cap, "cap", 1))
        self.coverage = 1.0  # the share of all possible states that is kept, or NaN where it is not known
        self.enumerated = True  # False once following all states was given up, in a game that has `imagine`
        self.state, self.weight = np.zeros((0, shape.words), np.int64), np.zeros(0)
        others = Strategy.uniform(game) if others is None else others
        self._others, self._whose = as_policy(game, others), f"the strategy of {getattr(others, 'game', 'the others')}"
        self._random = dice.seeded(seed)
        self._frontier = new_frontier(shape)
        self._course: list[tuple[int, int]] = []  # views observed and the actions taken there
        self._action = 0

    def expect(self, others: Any) -> None:
        """From now on the others are assumed to follow another policy. What was believed before is not weighed again."""
        self._others = as_policy(self.game, others)

    def observe(self, view: int) -> np.ndarray:
        """The player is to move and has this view; returns the states that they believe possible."""
        stopped = self._move_on(view, self.cap)
        if len(self.state) == 0 and not stopped:
            self._retrace(view)
        return self.state

    def acted(self, view: int, action: int) -> None:
        """The player has taken an action."""
        self._course.append((view, action))
        self._action = action

    def __repr__(self) -> str:
        share = f"{self.coverage:.1%} of all" if self.enumerated else "imagined"
        return f"<belief of player {self.player}: {len(self.state):,} states, {share}>"

    def likeliest(self, most: int = SHOWN) -> list[tuple[float, np.ndarray]]:
        """(share, state) of the states with the largest weights."""
        total = self.weight.sum()
        order = np.argsort(-self.weight, kind="stable")[:most]
        return [(float(self.weight[k] / total), self.state[k]) for k in order]

    def plot(self, ax: Any = None) -> Any:
        """Draw the shares of the likeliest states by Matplotlib, into these axes or into new ones; returns the axes."""
        return looks().plot_belief(self, ax)

    def _repr_html_(self) -> str:
        return looks().belief_table(self)

    def _fitting(self, cap) -> int:
        """A cap for which a pool stays below POOL_BYTES."""
        return max(1, min(cap, POOL_BYTES // (8 * (self.game.shape().words + 1))))

    def _move_on(self, view, cap):
        """Go from the last decision to this one. Returns whether it was given up because there is too much to enumerate."""
        used = np.zeros(3, np.int64)
        if len(self.state) or not self._course:
            state, weight = self._filled(view, cap, used)
        else:
            state, weight = self.state, self.weight
        kept, found = int(used[KEPT]), int(used[FOUND])
        self.state, self.weight = state[:kept].copy(), weight[:kept].copy()
        if used[STOPPED] == ENOUGH:
            self.enumerated, self.coverage = False, math.nan
        elif found > kept:
            self.coverage *= kept / found
        if not self.enumerated and kept:
            count = max(1, min(cap, IMAGINED * cap // self.cap))
            self.state, self.weight = np.repeat(self.state[:1], count, axis=0), np.ones(count)
            imagine_each(self.game, self.state, self.player, self._random)
        return used[STOPPED] == ENOUGH

    def _filled(self, view, cap, used):
        """The states after the last action that fit a view, in a pool that grows as needed, and their weights."""
        words, rows, first = self.state.shape[1], min(cap, FIRST_ROWS), 0
        imagines = hasattr(self.game, "imagine")
        most = (cap, WALKED * cap) if imagines else (NO_BOUND, NO_BOUND)
        state, weight = np.zeros((rows, words), np.int64), np.zeros(rows)
        note = self._frontier.note
        note[MET] = 0
        while True:  # it ends: the pool grows to the cap at most
            used[STOPPED] = 0
            pool = Pool(view, cap, *most, state, weight, used, note, self._random)
            sources = self.state, self.weight, self.player, self._action
            first = advance(self.game, self._others, self._frontier, pool, *sources, first)
            require_fine(int(note[WRONG]), self.game, self._whose)
            if used[STOPPED] != POOL_FULL:
                return state, weight
            rows = min(cap, 4 * rows)
            state.resize((rows, words), refcheck=False)
            weight.resize(rows, refcheck=False)

    def _retrace(self, view):
        """No state of the sample fits any more: follow the match again with a larger sample."""
        course, action = self._course, self._action
        for times in LARGER:
            cap = self._fitting(times * self.cap)
            self.state, self.weight, self._course = self.state[:0], self.weight[:0], []
            self.coverage, self.enumerated = 1.0, True
            for seen, taken in course:
                self._move_on(seen, cap)
                self._course.append((seen, taken))
                self._action = taken
            self._move_on(view, cap)
            if len(self.state):
                break
        self._course, self._action = course, action
