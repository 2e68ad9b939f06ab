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

If a game has no `imagine`, as Phantom Go, following all states is given up after as many histories, and at least FOLLOWED.
Then states are drawn from those before, by their weights, and played on from: chance by its odds and the others as they are
assumed to play. What fits is kept, up to PLAYED states. They were drawn by their weights, so each has the weight 1. Again
`enumerated` is False, and the share is not known. Where nothing of it fits any more, the match is followed once again with
LARGER[0] times as many; if nothing fits then, nothing is believed for the rest of the match, and agents play evenly.

**All positions that fit.** In fog-of-war chess the same position comes about in many ways: the other's moves in another
order, out of sight. `Belief(..., keep=Keep.POSITIONS)` keeps each `position` once, its weights added up, in games that can
`forget` by which course it came. So there are far fewer, and they can be followed for longer. Beyond the cap a random sample
of the positions before is followed, so small that what follows from it is below the cap: `enumerated` is False, and
`coverage` is the share that was followed each time, multiplied. A position may follow from several, so on average at least
that share is left. If no position of the sample fits any more, others must be imagined (`refill`).

A state is kept without the words behind those that matter (`live`), and pools grow as they fill: no pool is larger than
POOL_BYTES.
"""

import enum
import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...game import NONE, OVER, legal, new_state
from ...kernels import kernel
from ...looks import looks
from ...policy import as_policy, moves
from ...strategy import Strategy
from ...text.naming import as_game
from ...trouble import ENDLESS, require_fine
from ...walk import table as tables
from ...walk.frontier import MET, WRONG, new_frontier
from ...walk.slices import whole

KEPT, FOUND, STOPPED, WIDEST = 0, 1, 2, 3  # words of `used`
POOL_FULL, ENOUGH = 1, 2  # why a walk stopped: the pool must grow | there are too many states or histories to go on
CAP = 1 << 16
SHOWN = 6  # states, in a notebook
WALKED = 16  # histories for each state of the cap, at most
FOLLOWED = 1 << 22  # histories, at least, where states cannot be imagined
PLAYED, MADE = 1 << 14, 1 << 22  # states that are drawn by playing on | moves that are made for that, at most
IMAGINED = 1 << 12  # states, where all are too many
FIRST_ROWS = 1 << 10  # of a pool; it grows to four times as many when it is full
ROOMY = 16  # times as many rows as there were states: a pool that is too small is filled again from nothing
POOL_BYTES = 1 << 28  # 256 MB
WIDER = 4  # words more than the last pool needed: in chess the list of positions grows by two a move
THINNED = 4  # so many times fewer positions are followed, if what follows is too much
LARGER = (8, 64)  # caps for going through a match again, as multiples of the first
NO_BOUND = (1 << 63) - 1
TRIED = 500  # histories that are walked interpreted, where nothing is compiled yet


class Keep(enum.Enum):
    """What a belief keeps."""

    HISTORIES = "histories"  # every state, with all that it remembers
    POSITIONS = "positions"  # every position once, where the game can `forget`


class Apart(NamedTuple):
    """Every state is kept."""

    def place(self, state):
        """The row of a state that is the same, or NONE."""
        return NONE

    def full(self):
        return False


class Merged(NamedTuple):
    """States in which the position is the same are one."""

    game: Any
    player: int
    table: tables.Table  # position -> row

    def place(self, state):
        self.game.forget(state, self.player)
        known = self.table.used[0]
        row = self.table.add(self.game.position(state), 0)
        return row if row < known else NONE

    def full(self):
        return self.table.full()


class Pool(NamedTuple):
    """The states that fit one view; of more than the cap, a uniform sample (Vitter's reservoir)."""

    game: Any
    merging: Any  # Apart or Merged
    view: int
    cap: int  # of rows, to which it may grow
    most_found: int  # states, and
    most_met: int  # histories, where it is time to stop
    state: np.ndarray  # [rows, width]
    weight: np.ndarray  # [rows]
    used: np.ndarray  # [4] states kept | found | why the walk stopped, or 0 | the words of the longest state
    note: np.ndarray  # of the frontier, which counts histories
    random: np.ndarray

    def put(self, state, view, reach):
        if self.note[MET] > self.most_met:
            self.used[STOPPED] = ENOUGH
            return False
        if view != self.view:
            return True
        at, rows, words = self.used[KEPT], self.state.shape[0], self.game.live(state)
        self.used[WIDEST] = max(self.used[WIDEST], words)
        if words > self.state.shape[1] or (at == rows and rows < self.cap) or self.merging.full():
            self.used[STOPPED] = POOL_FULL
            return False
        same = self.merging.place(state)
        if same != NONE:
            self.weight[same] += reach
            return True
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
        for word in range(words):
            self.state[at, word] = state[word]
        for word in range(words, self.state.shape[1]):
            self.state[at, word] = 0
        self.weight[at] = reach
        return True

    def end(self, worth):
        pass


@kernel
def advance(game, others, frontier, pool, state, weight, me, action):
    """Fill the pool from the states [n, width] after an action of `me`; n = 0 stands for the start of the game. Where it
    stops early, the pool says why."""
    if state.shape[0] == 0:
        game.start(frontier.state[0])
        frontier.spread(game, others, pool, me, 1.0)
    for k in range(state.shape[0]):
        frontier.start_from(state[k])
        game.step(frontier.state[0], action)
        if not frontier.spread(game, others, pool, me, weight[k]):
            break


@kernel
def play_on(game, others, frontier, pool, state, upto, me, action, most):
    """Fill the pool by playing on from states [n, width] after an action of `me`, each drawn by its weight, of which upto [n]
    are the sums; n = 0 stands for the start of the game. It ends when the pool is full, or after so many moves."""
    here, choice, odds, made = frontier.state[0], frontier.choice[0], frontier.odds[0], 0
    while made < most and pool.used[KEPT] < pool.state.shape[0]:
        made += 1
        here[:] = 0
        if state.shape[0] == 0:
            game.start(here)
        else:
            frontier.start_from(state[np.searchsorted(upto, dice.unit(pool.random) * upto[-1], side="right")])
            game.step(here, action)
        begun, player = made, game.player(here)
        while player != OVER and player != me:
            count = moves(others, game, here, player, choice, odds)
            if count < 0 or made - begun == frontier.state.shape[0]:
                frontier.note[WRONG] = count if count < 0 else ENDLESS
                return
            game.step(here, choice[dice.pick(pool.random, odds, count)])
            made += 1
            player = game.player(here)
        if player == me:
            pool.put(here, game.view(here, me), 1.0)


@kernel
def imagine_each(game, state, player, random):
    """Replace each state [n, words] by one drawn from those that the player cannot tell from it."""
    for k in range(state.shape[0]):
        game.imagine(state[k], player, random)


class Belief:
    """What one player believes in one match: `observe` at each decision of theirs, `acted` after each action of theirs."""

    def __init__(
        self,
        game: Any,
        player: int,
        *,
        others: Any = None,
        cap: int = CAP,
        seed: int = 0,
        keep: Keep = Keep.HISTORIES,
    ):
        game = as_game(game)
        shape = game.shape()
        with np.errstate(over="ignore"):
            live = game.live(new_state(game)) if hasattr(game, "live") else shape.words
        self.game, self.player, self.cap = game, player, _fitting(whole(cap, "cap", 1), int(live))
        self._imagines = hasattr(game, "imagine")
        self.keep = keep if hasattr(game, "forget") and self._imagines else Keep.HISTORIES
        self.coverage = 1.0  # the share of all possible states that is kept, or NaN where it is not known
        self.enumerated = True  # False once following all states was given up
        self.packed, self.weight = np.zeros((0, shape.words), np.int64), np.zeros(0)
        self._words = shape.words
        self._whole: np.ndarray | None = self.packed  # where all words are there
        others = Strategy.uniform(game) if others is None else others
        self._others, self._whose = as_policy(game, others), f"the strategy of {getattr(others, 'game', 'the others')}"
        self._random = dice.seeded(seed)
        self._frontier = new_frontier(shape)
        self._course: list[tuple[int, int]] = []  # views observed and the actions taken there
        self._lost = False  # whether nothing that was drawn fits any more, in a game that cannot imagine
        self._action = 0

    @property
    def state(self) -> np.ndarray:
        """[n, words] the states that the player believes possible."""
        if self._whole is None:
            self._whole = self.whole(slice(None))
        return self._whole

    def whole(self, which: Any) -> np.ndarray:
        """[n, words] some of these states, by their numbers."""
        chosen = self.packed[which]
        return np.pad(chosen, ((0, 0), (0, self._words - chosen.shape[1])))

    def expect(self, others: Any) -> None:
        """From now on the others are assumed to follow another policy. What was believed before is not weighed again."""
        self._others = as_policy(self.game, others)

    def observe(self, view: int) -> np.ndarray:
        """The player is to move and has this view; returns the states that they believe possible."""
        self.notice(view)
        return self.state

    def notice(self, view: int) -> int:
        """The same; returns how many states there are, and leaves them packed."""
        stopped = self._lost or (self._move_on(view, self.cap) and self._imagines)
        if len(self.packed) == 0 and not stopped and (self.enumerated or self.keep is Keep.HISTORIES):
            self._retrace(view)
        return len(self.packed)

    def refill(self, states: np.ndarray) -> None:
        """Go on from these states [n, words], which were imagined."""
        self._set(np.array(states, np.int64), np.ones(len(states)))
        self.enumerated, self.coverage = False, math.nan

    def acted(self, view: int, action: int) -> None:
        """The player has taken an action."""
        self._course.append((view, action))
        self._action = action

    def copy(self) -> "Belief":
        """The same match, which may go on differently from here."""
        other = object.__new__(Belief)
        other.__dict__ |= self.__dict__
        other._random, other._course = self._random.copy(), list(self._course)
        return other

    def at_next(self, view: int, after: int | None) -> "Belief":
        """What is believed at the next decision, where it has not been told which action the player took at the view before
        (None at the first decision). A view holds the player's own actions, so after any other one nothing fits."""
        if after is None:
            other = self.copy()
            if not other._move_on(view, other.cap) and not len(other.packed):
                other._set(_beyond_forced(self.game, self.player, view), np.ones(0))
                other.weight = np.ones(len(other.packed))
            return other
        for action in legal(self.game, self.whole(slice(1))[0]) if len(self.packed) else ():
            other = self.copy()
            other.acted(after, action)
            other._move_on(view, other.cap)
            if len(other.packed):
                return other
        other = self.copy()
        other._set(self.packed[:0], self.weight[:0])
        return other

    def __repr__(self) -> str:
        share = f"{self.coverage:.1%} of all" if self.enumerated else "imagined"
        return f"<belief of player {self.player}: {len(self.packed):,} states, {share}>"

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

    def _set(self, packed, weight):
        self.packed, self.weight = packed, weight
        self._whole = packed if packed.shape[1] == self._words else None

    def _move_on(self, view, cap):
        """Go from the last decision to this one. Returns whether it was given up because there is too much to enumerate."""
        used = np.zeros(4, np.int64)
        if len(self.packed) or not self._course:
            state, weight = self._filled(view, cap, used)
        else:
            state, weight = self.packed, self.weight
        while used[STOPPED] == ENOUGH and self.keep is Keep.POSITIONS and len(self.packed) >= THINNED:
            self._thin()
            state, weight = self._filled(view, cap, used)
        if used[STOPPED] == ENOUGH and not self._imagines:
            state, weight = self._played(view, cap, used)
        kept, found = int(used[KEPT]), int(used[FOUND])
        self._set(state[:kept].copy(), weight[:kept].copy())
        if used[STOPPED] == ENOUGH:
            self.enumerated, self.coverage = False, math.nan
        elif found > kept:
            self.coverage *= kept / found
        told = used[STOPPED] == ENOUGH or (not self.enumerated and self.keep is Keep.HISTORIES)
        if told and kept and self._imagines:
            drawn = np.repeat(self.whole(slice(1)), _part(IMAGINED, cap, self.cap), axis=0)
            imagine_each(self.game, drawn, self.player, self._random)
            self._set(drawn, np.ones(len(drawn)))
        return used[STOPPED] == ENOUGH

    def _thin(self):
        """Keep a random part of the states."""
        generator = np.random.default_rng(int(dice.draw(self._random)))
        some = generator.choice(len(self.packed), len(self.packed) // THINNED, replace=False)
        self.coverage *= len(some) / len(self.packed)
        self.enumerated = False
        self._set(self.packed[some], self.weight[some])

    def _filled(self, view, cap, used):
        """The states after the last action that fit a view, in a pool that grows as needed, and their weights."""
        rows, note = min(cap, max(FIRST_ROWS, ROOMY * len(self.packed))), self._frontier.note
        width = min(self._words, self.packed.shape[1] + WIDER)
        random = self._random.copy()
        while True:  # it ends: each time the pool is wider or has more rows, up to the cap, or it is no longer tried
            most = _fitting(cap, width)
            rows, note[MET], used[:] = min(rows, most), 0, 0
            state, weight = np.zeros((rows, width), np.int64), np.zeros(rows)
            merging: Any = Apart()
            if self.keep is Keep.POSITIONS:
                merging = Merged(self.game, self.player, tables.empty(1 << (2 * rows + 4).bit_length()))
            bounds = (most, WALKED * most) if self._imagines else (NO_BOUND, max(FOLLOWED, WALKED * most))
            if not self._imagines and not self.enumerated:
                bounds = NO_BOUND, WALKED * len(self.packed)  # it has been too much before
            pool = Pool(self.game, merging, view, most, *bounds, state, weight, used, note, self._random)
            place = self.game, self._others, self._frontier
            sources = self.packed, self.weight, self.player, self._action
            brief = pool._replace(most_met=min(TRIED, pool.most_met))
            advance.at_first((*place, brief, *sources), (*place, pool, *sources))
            if used[STOPPED] == ENOUGH and TRIED < note[MET] <= pool.most_met and used[FOUND] < pool.most_found:
                advance.no_longer(*place, pool, *sources)  # it is too much to be interpreted
                self._random[:] = random
                continue
            require_fine(int(note[WRONG]), self.game, self._whose)
            if used[STOPPED] != POOL_FULL:
                return state[:, : used[WIDEST]], weight
            width = max(width, min(self._words, int(used[WIDEST]) + WIDER))
            rows *= 4

    def _played(self, view, cap, used):
        """States that fit a view, found by playing on from those before, and their weights."""
        rows, note = _fitting(_part(PLAYED, cap, self.cap), self._words), self._frontier.note
        note[MET], used[:] = 0, (0, 0, ENOUGH, 0)
        state, weight = np.zeros((rows, self._words), np.int64), np.zeros(rows)
        place = self.game, self._others, self._frontier
        pool = Pool(self.game, Apart(), view, rows, NO_BOUND, NO_BOUND, state, weight, used, note, self._random)
        upto = np.cumsum(self.weight if self.weight.any() else np.ones(len(self.weight)))
        play_on(*place, pool, self.packed, upto, self.player, self._action, MADE)
        require_fine(int(note[WRONG]), self.game, self._whose)
        return state, weight

    def _retrace(self, view):
        """No state of the sample fits any more: follow the match again with a larger sample."""
        course, action, drawn = self._course, self._action, not self.enumerated
        for times in LARGER[: 1 if drawn else None]:  # draws take long
            cap = times * self.cap
            self._set(self.packed[:0], self.weight[:0])
            self._course = []
            self.coverage, self.enumerated = 1.0, True
            for seen, taken in course:
                self._move_on(seen, cap)
                self._course.append((seen, taken))
                self._action = taken
            self._move_on(view, cap)
            if len(self.packed):
                break
        self._course, self._action = course, action
        self._lost = drawn and not self._imagines and not len(self.packed)


def _part(drawn: int, cap: int, usual: int) -> int:
    """How many states are drawn, where so many are with the usual cap: as many times more as this cap is larger."""
    return max(1, min(cap, drawn * cap // usual))


def _fitting(cap: int, width: int) -> int:
    """A cap for which a pool of states so wide stays below POOL_BYTES."""
    return max(1, min(cap, POOL_BYTES // (8 * (width + 1))))


def _beyond_forced(game: Any, player: int, view: int) -> np.ndarray:
    """[n, words] the states with this view that follow on the start of the game where the player has no choice before."""
    waiting, found = [new_state(game)], []
    for _ in range(WALKED * CAP):
        if not waiting:
            break
        state = waiting.pop()
        mover, actions = int(game.player(state)), legal(game, state)
        if mover == player and int(game.view(state, player)) == view:
            found.append(state)
        elif mover != player or len(actions) == 1:
            for action in actions:
                after = state.copy()
                game.step(after, action)
                waiting.append(after)
    return np.array(found, np.int64).reshape(len(found), game.shape().words)
