"""A best response in games whose histories do not fit in memory, exactly.

The responder's information sets are walked depth first. A set is carried as the list of the states that it cannot tell apart,
each with its reach: the probability that chance and the opponent's strategy bring it about. An action of the responder takes
every state of the list on, through the moves of chance and of the opponent, to the ends of the game, whose payoffs add up,
and to the responder's next decisions, which fall into lists by what the responder sees there:

    value(list) = max over actions of  ends after it + sum of value(next lists)

No history is met twice, and only the lists on the present path are kept: classical Phantom Tic-Tac-Toe has 19.9 billion
histories and needs some megabytes. The first decisions are independent pieces for all cores.

What cannot matter is not walked. A list is worth no more than its reach times the highest payoff. So as soon as an action,
with all that is not yet walked at this most, is no better than the best one before it, or than what the sets above still
need, the rest of it is left out (as in branch and bound).

Where a game has an equal one with fewer actions (`reduction.py`) the responder looks for the maximum among those alone,
against an opponent who still does anything. The actions left out are never better, so the value is the same.

The opponent may be any policy (`policy.py`), not only a stored strategy. All threads share it, so it must not write into
arrays of its own.
"""

import concurrent.futures
import os
import threading
import time
from typing import Any, NamedTuple

import numpy as np

from ...kernels import kernel
from ...policy import as_policy
from ...trouble import ENDLESS, require_fine
from ...walk.frontier import MET, WRONG, Frontier, new_frontier
from ...walk.slices import Budget, Progress, Watcher, in_slices
from ..forms.reduction import reduced as smaller

NONE = -1
DONE, GO_ON, GROW = 0, 1, 2  # what a slice says
TOP, GROUPS, RECORDS, LEVEL, FROM = 0, 1, 2, 3, 4  # words of `used`
FIRST_SLICE = 1 << 16  # histories
TIE = 1e-12  # relative to the range of the payoffs


class Lists(NamedTuple):
    """States in linked lists, stacked in one pool; a frame a level, for the set on the present path there."""

    state: np.ndarray  # [pool, words]
    reach: np.ndarray  # [pool]
    after: np.ndarray  # [pool] the next state of the same list, or NONE
    view: np.ndarray  # [groups] of the lists that were found and not yet finished
    head: np.ndarray  # [groups]
    mass: np.ndarray  # [groups] the reach of the whole list
    mine: np.ndarray  # [levels] the list of the set at this level
    action: np.ndarray  # [levels, actions]
    width: np.ndarray  # [levels] how many actions
    turn: np.ndarray  # [levels] which of them is being tried
    worth: np.ndarray  # [levels] of that action, so far
    best: np.ndarray  # [levels] of the actions tried before
    total: np.ndarray  # [levels] the reach of the set
    left: np.ndarray  # [levels] the reach of the lists after this action that are not yet walked
    need: np.ndarray  # [levels] unless the set is worth more than this, it does not matter
    choice: np.ndarray  # [levels] the position of the best one
    top: np.ndarray  # [levels] of the pool, before this action
    group: np.ndarray  # [levels] of the groups, before this action
    kept: np.ndarray  # [levels] records before this set | [levels] before the action being tried
    tried: np.ndarray
    seen: np.ndarray  # [records] the view of a set that the response gets to
    played: np.ndarray  # [records] the action that it takes there
    used: np.ndarray  # [5] states in the pool | groups | records | level | the first group of the action being tried
    ends: np.ndarray  # [1] worth of the ends after it
    frontier: Frontier
    high: float  # the highest payoff
    margin: float  # what counts as equal, relative to the reach of a set

    def open_set(self, reduced, level, group):
        """Begin the set of this list, which came of the action that is tried one level above."""
        head, above = self.head[group], level - 1
        self.left[above] -= self.mass[group]
        self.need[level] = self.bar(above) - self.worth[above] - self.high * self.left[above]
        self.mine[level], self.total[level] = head, self.mass[group]
        self.width[level] = reduced.actions(self.state[head], self.action[level])
        self.turn[level], self.best[level], self.choice[level] = NONE, -np.inf, NONE
        self.kept[level] = self.tried[level] = self.used[RECORDS]
        self.group[level], self.top[level] = self.used[GROUPS], self.used[TOP]
        self.worth[level] = self.left[level] = 0.0

    def bar(self, level):
        """What an action must be better than to matter."""
        return max(self.best[level], self.need[level])

    def beyond_hope(self, level, worth, left):
        """Whether an action of this worth, and so much reach that is not yet walked, cannot matter."""
        return worth + self.high * left <= self.bar(level) + self.margin * self.total[level]

    def try_action(self, game, others, me, level):
        """Take every state of the set on by the action whose turn it is; false, and nothing done, where the pool is full."""
        used, frontier, met = self.used, self.frontier, self.frontier.note[MET]
        action, k = self.action[level, self.turn[level]], self.mine[level]
        self.ends[0], used[FROM] = 0.0, self.group[level]
        while k != NONE:
            frontier.start_from(self.state[k])
            game.step(frontier.state[0], action)
            if not frontier.spread(game, others, self, me, self.reach[k]):
                used[TOP], used[GROUPS], frontier.note[MET] = self.top[level], self.group[level], met
                return False
            k = self.after[k]
        self.worth[level] = self.ends[0]
        self.left[level] = 0.0
        for g in range(self.group[level], used[GROUPS]):
            self.left[level] += self.mass[g]
        return True

    def close_action(self, level):
        """The action being tried is finished: keep its records if it is the best so far, forget its lists."""
        used = self.used
        if self.turn[level] != NONE:
            better = self.worth[level] > self.best[level] + self.margin * self.total[level]
            self.best[level] = max(self.best[level], self.worth[level])
            if better:
                self.choice[level] = self.turn[level]
                length = used[RECORDS] - self.tried[level]
                for r in range(length):
                    self.seen[self.kept[level] + r] = self.seen[self.tried[level] + r]
                    self.played[self.kept[level] + r] = self.played[self.tried[level] + r]
                self.tried[level] = self.kept[level] + length
            used[RECORDS] = self.tried[level]
        used[TOP], used[GROUPS] = self.top[level], self.group[level]

    def end(self, worth):
        self.ends[0] += worth

    def put(self, state, view, reach):
        """Put a state into the list of its view, among the groups of the action being tried; whether there was room."""
        used, group_from = self.used, self.used[FROM]
        g = used[GROUPS] - 1
        while g >= group_from and self.view[g] != view:
            g -= 1
        if used[TOP] == self.state.shape[0] or (g < group_from and used[GROUPS] == self.view.shape[0]):
            return False
        if g < group_from:
            g = used[GROUPS]
            used[GROUPS] += 1
            self.view[g], self.head[g], self.mass[g] = view, NONE, 0.0
        k = used[TOP]
        used[TOP] += 1
        for word in range(state.shape[0]):
            self.state[k, word] = state[word]
        self.reach[k], self.after[k], self.head[g] = reach, self.head[g], k
        self.mass[g] += reach
        return True


@kernel
def open_sets(game, others, lists, me):
    """From the start of the game: the lists at the responder's first decisions; false where the pool is full."""
    game.start(lists.frontier.state[0])
    return lists.frontier.spread(game, others, lists, me, 1.0)


@kernel
def respond_slice(game, reduced, others, lists, me, histories):
    """Go on until about so many more histories are met; DONE when level 0 is finished and best[0] is its value."""
    used, note = lists.used, lists.frontier.note
    stop, level = note[MET] + histories, used[LEVEL]
    while note[MET] < stop:
        if used[GROUPS] > lists.group[level] and lists.turn[level] != NONE:
            if level + 1 == lists.mine.shape[0]:
                note[WRONG] = ENDLESS
                return GROW
            if lists.beyond_hope(level, lists.worth[level], lists.left[level]):
                lists.worth[level], used[GROUPS] = -np.inf, lists.group[level]
                continue
            used[GROUPS] -= 1
            lists.open_set(reduced, level + 1, used[GROUPS])
            level += 1
            used[LEVEL] = level
            continue
        if used[RECORDS] + 1 >= lists.seen.shape[0]:
            return GROW
        lists.close_action(level)
        lists.turn[level] += 1
        if lists.turn[level] == lists.width[level] or lists.beyond_hope(level, 0.0, lists.total[level]):
            here = lists.state[lists.mine[level]]
            lists.seen[used[RECORDS]] = game.view(here, me)
            lists.played[used[RECORDS]] = lists.action[level, lists.choice[level]]
            used[RECORDS] += 1
            if level == 0:
                return DONE
            level -= 1
            used[LEVEL] = level
            lists.worth[level] += lists.best[level + 1]
        elif not lists.try_action(game, others, me, level):
            lists.turn[level] -= 1
            return GROW
    return GO_ON


class Streamed(NamedTuple):
    """A best response: its value, the sets that it gets to and what it plays there, and the work it took."""

    value: float
    view: np.ndarray
    action: np.ndarray
    histories: int
    seconds: float


def stream_response(
    game: Any,
    strategy: Any,
    me: int,
    *,
    order: Any = None,
    threads: int | None = None,
    progress: Watcher | None = None,
) -> Streamed:
    """Player `me`'s best response to the other's strategy or policy. `progress` is told the histories now and then.

    Of actions that are equally good up to rounding, the first is played. `order` says which is first: an object with the
    method `actions` of a game, which writes all actions of the game (or of its reduced game) in any order.
    """
    reduced, others, whose = smaller(game) if order is None else order, as_policy(game, strategy), _whose(strategy)
    start = time.perf_counter()
    lists = _new_lists(game.shape())
    while not open_sets(game, others, lists, me):  # its room doubles, so this ends
        require_fine(int(lists.frontier.note[WRONG]), game, whose)
        lists = _grown(lists)
        lists.used[:], lists.ends[:], lists.frontier.note[:] = 0, 0, 0
    value = float(lists.ends[0])
    tasks = []
    for g in range(lists.used[GROUPS]):
        members = _members(lists, lists.head[g])
        buffer = np.zeros(game.shape().actions, np.int64)
        count = reduced.actions(lists.state[members[0]], buffer)
        tasks.append((members, int(lists.view[g]), buffer[:count].tolist()))
    met, stop = [int(lists.frontier.note[MET])], threading.Event()  # histories met, slice by slice, in all threads

    def work(members, action):
        begin = lists.state[members], lists.reach[members], action
        return _respond(game, reduced, others, whose, me, *begin, met, stop, progress)

    views, actions = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        futures = [[pool.submit(work, members, action) for action in options] for members, _, options in tasks]
        try:
            for (_, view, options), group in zip(tasks, futures, strict=True):
                results = [future.result() for future in group]
                most = max(result[0] for result in results)
                best = next(a for a, result in enumerate(results) if result[0] >= most - lists.margin)
                value += most
                views += [np.array([view]), results[best][1]]
                actions += [np.array([options[best]]), results[best][2]]
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return Streamed(value, np.concatenate(views), np.concatenate(actions), sum(met), time.perf_counter() - start)


def _whose(strategy) -> str:
    return f"the strategy of {strategy.game}" if hasattr(strategy, "game") else f"the policy {type(strategy).__name__}"


def _respond(game, reduced, others, whose, me, states, reaches, action, met, stop, progress):
    """One piece: the worth of one action at one of the responder's first decisions, and the records below it."""
    lists = _new_lists(game.shape())
    while len(lists.state) < 2 * len(states):
        lists = _grown(lists)
    count = len(states)
    lists.state[:count], lists.reach[:count] = states, reaches
    lists.after[:count] = [*range(1, count), NONE]
    lists.used[TOP] = count
    lists.mine[0], lists.width[0], lists.turn[0] = 0, 1, NONE
    lists.action[0, 0] = action
    lists.best[0], lists.need[0], lists.top[0], lists.total[0] = -np.inf, -np.inf, count, reaches.sum()
    said = GO_ON

    def work(histories: int) -> int:
        nonlocal said
        before = int(lists.frontier.note[MET])
        said = respond_slice(game, reduced, others, lists, me, histories)
        require_fine(int(lists.frontier.note[WRONG]), game, whose)
        met.append(int(lists.frontier.note[MET]) - before)
        return 0 if said == GROW else histories

    def grow() -> None:
        nonlocal lists
        lists = _grown(lists)

    def tell() -> None:
        if stop.is_set():
            raise concurrent.futures.CancelledError
        if progress:
            progress(Progress("histories", sum(met)))

    in_slices(work, Budget(), tell=tell, grow=grow, finished=lambda: said == DONE, first=FIRST_SLICE)
    records = int(lists.used[RECORDS]) - 1  # the last is the set of the piece itself
    return float(lists.best[0]), lists.seen[:records].copy(), lists.played[:records].copy()


def _new_lists(shape) -> Lists:
    pool, groups, levels = 1 << 12, 1 << 8, shape.moves + 2
    return Lists(
        np.zeros((pool, shape.words), np.int64),
        np.zeros(pool),
        np.zeros(pool, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups),
        np.zeros(levels, np.int64),
        np.zeros((levels, shape.actions), np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels),
        np.zeros(levels),
        np.zeros(levels),
        np.zeros(levels),
        np.zeros(levels),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(pool, np.int64),
        np.zeros(pool, np.int64),
        np.zeros(5, np.int64),
        np.zeros(1),
        new_frontier(shape),
        float(shape.high),
        TIE * (shape.high - shape.low),
    )


def _grown(lists: Lists) -> Lists:
    fields = ("state", "reach", "after", "view", "head", "mass", "seen", "played")
    longer: dict[str, Any] = {f: np.concatenate([a, np.zeros_like(a)]) for f in fields for a in [getattr(lists, f)]}
    return lists._replace(**longer)


def _members(lists, head) -> list[int]:
    members = []
    while head != NONE:
        members.append(int(head))
        head = lists.after[head]
    return members
