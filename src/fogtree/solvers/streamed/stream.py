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
from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...game import NONE
from ...kernels import kernel
from ...policy import as_policy
from ...trouble import ENDLESS, require_fine
from ...walk.frontier import MET, WRONG, Frontier, new_frontier
from ...walk.slices import Budget, Progress, Watcher, in_slices
from ..forms.infosets import longer
from ..forms.reduction import reduced as smaller
from .lists import GROUPS, TOP, Lists, Records, new_lists, new_records

DONE, GO_ON, GROW = 0, 1, 2  # what a slice says
NOT_YET = -1  # of a turn: no action was tried; of a choice: none was good
FIRST_SLICE = 1 << 16  # histories
TIE = 1e-12  # relative to the range of the payoffs


class Levels(NamedTuple):
    """The responder's sets on the present path, one at each level, and how far the search is there."""

    head: np.ndarray  # [levels] the first state of the set's list
    total: np.ndarray  # [levels] the reach of the set
    need: np.ndarray  # [levels] unless the set is worth more than this, it does not matter
    action: np.ndarray  # [levels, actions]
    width: np.ndarray  # [levels] how many actions
    turn: np.ndarray  # [levels] the position of the action that is being tried, or NOT_YET
    worth: np.ndarray  # [levels] of that action, so far
    left: np.ndarray  # [levels] the reach of the lists after that action that are not yet walked
    best: np.ndarray  # [levels] the worth of the best action before it
    choice: np.ndarray  # [levels] the position of the best one, or NOT_YET
    top: np.ndarray  # [levels] how many states there were before the actions
    group: np.ndarray  # [levels] how many lists
    kept: np.ndarray  # [levels] records before this set
    tried: np.ndarray  # [levels] records before the action that is being tried
    present: np.ndarray  # [1] the level of the set that is being searched


REAL = {"total", "need", "worth", "left", "best"}  # fields of Levels; the others are whole numbers


class Search(NamedTuple):
    """A search for a best response."""

    lists: Lists
    levels: Levels
    records: Records
    frontier: Frontier
    high: float  # the highest payoff
    margin: float  # what counts as equal, relative to the reach of a set

    def open_set(self, reduced, level, group):
        """Begin the set of this list, which came of the action that is tried one level above."""
        at, lists, above = self.levels, self.lists, level - 1
        at.left[above] -= lists.mass[group]
        at.need[level] = self.bar(above) - at.worth[above] - self.high * at.left[above]
        at.head[level], at.total[level] = lists.head[group], lists.mass[group]
        at.width[level] = reduced.actions(lists.state[at.head[level]], at.action[level])
        at.turn[level], at.best[level], at.choice[level] = NOT_YET, -np.inf, NOT_YET
        at.kept[level] = at.tried[level] = self.records.used[0]
        at.top[level], at.group[level] = lists.used[TOP], lists.used[GROUPS]
        at.worth[level] = at.left[level] = 0.0

    def bar(self, level):
        """What an action must be better than to matter."""
        return max(self.levels.best[level], self.levels.need[level])

    def beyond_hope(self, level, worth, left):
        """Whether an action of this worth, and so much reach that is not yet walked, cannot matter."""
        return worth + self.high * left <= self.bar(level) + self.margin * self.levels.total[level]

    def try_action(self, game, others, me, level):
        """Take every state of the set on by the action whose turn it is; false, and nothing done, where the pool is full."""
        at, lists, frontier, met = self.levels, self.lists, self.frontier, self.frontier.note[MET]
        action, k = at.action[level, at.turn[level]], at.head[level]
        lists.begin()
        while k != NONE:
            frontier.start_from(lists.state[k])
            game.step(frontier.state[0], action)
            if not frontier.spread(game, others, lists, me, lists.reach[k]):
                lists.forget(at.top[level], at.group[level])
                frontier.note[MET] = met
                return False
            k = lists.after[k]
        at.worth[level] = lists.ends[0]
        at.left[level] = 0.0
        for g in range(at.group[level], lists.used[GROUPS]):
            at.left[level] += lists.mass[g]
        return True

    def close_action(self, level):
        """The action being tried is finished: keep its records if it is the best so far, forget its lists."""
        at, records = self.levels, self.records
        if at.turn[level] != NOT_YET:
            better = at.worth[level] > at.best[level] + self.margin * at.total[level]
            at.best[level] = max(at.best[level], at.worth[level])
            if better:
                at.choice[level] = at.turn[level]
                at.tried[level] = records.replace(at.kept[level], at.tried[level])
            records.used[0] = at.tried[level]
        self.lists.forget(at.top[level], at.group[level])

    def close_set(self, game, me, level):
        """All actions were tried: note the best one, and add its worth to the action above that led here."""
        at = self.levels
        view = game.view(self.lists.state[at.head[level]], me)
        self.records.note(view, at.action[level, at.choice[level]])
        if level > 0:
            at.worth[level - 1] += at.best[level]


@kernel
def open_sets(game, others, search, me):
    """From the start of the game: the lists at the responder's first decisions; false where the pool is full."""
    game.start(search.frontier.state[0])
    return search.frontier.spread(game, others, search.lists, me, 1.0)


@kernel
def respond_slice(game, reduced, others, search, me, histories):
    """Go on until about so many more histories are met; DONE when level 0 is finished and best[0] is its value."""
    at, lists, note = search.levels, search.lists, search.frontier.note
    stop, level = note[MET] + histories, at.present[0]
    while note[MET] < stop:
        if lists.used[GROUPS] > at.group[level] and at.turn[level] != NOT_YET:  # what the action leads to, set by set
            if level + 1 == at.head.shape[0]:
                note[WRONG] = ENDLESS
                return GROW
            if search.beyond_hope(level, at.worth[level], at.left[level]):
                at.worth[level], lists.used[GROUPS] = -np.inf, at.group[level]
                continue
            lists.used[GROUPS] -= 1
            level += 1
            search.open_set(reduced, level, lists.used[GROUPS])
            at.present[0] = level
            continue
        if search.records.full():
            return GROW
        search.close_action(level)
        at.turn[level] += 1
        if at.turn[level] == at.width[level] or search.beyond_hope(level, 0.0, at.total[level]):
            search.close_set(game, me, level)
            if level == 0:
                return DONE
            level -= 1
            at.present[0] = level
        elif not search.try_action(game, others, me, level):
            at.turn[level] -= 1
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
    start = clock()
    question = _Question(
        game, smaller(game) if order is None else order, as_policy(game, strategy), me, _whose(strategy)
    )
    first = _first_decisions(question)
    meter = _Meter(int(first.frontier.note[MET]), progress)
    value, views, actions = float(first.lists.ends[0]), [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        asked = []
        for group in range(first.lists.used[GROUPS]):
            members = first.lists.members(group)
            states, reach = first.lists.state[members], first.lists.reach[members]
            actions_here = question.options(states[0])
            asked.append({a: pool.submit(_worth, question, states, reach, a, meter) for a in actions_here})
        try:
            for group, options in enumerate(asked):
                answers = {action: answer.result() for action, answer in options.items()}
                most = max(answer.value for answer in answers.values())
                action, best = next(pair for pair in answers.items() if pair[1].value >= most - first.margin)
                value += most
                views += [first.lists.view[group : group + 1], best.view]
                actions += [np.array([action]), best.action]
        except BaseException:
            meter.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return Streamed(value, np.concatenate(views), np.concatenate(actions), meter.met, clock() - start)


class _Question(NamedTuple):
    """Who answers whom in which game."""

    game: Any
    reduced: Any  # with the actions that the responder tries
    others: Any  # a policy
    me: int
    whose: str  # that policy is, in words

    def options(self, state: np.ndarray) -> list[int]:
        """The responder's actions."""
        buffer = np.zeros(self.game.shape().actions, np.int64)
        count = self.reduced.actions(state, buffer)
        return buffer[:count].tolist()

    def require_fine(self, search: Search) -> None:
        require_fine(int(search.frontier.note[WRONG]), self.game, self.whose)


def _whose(strategy) -> str:
    return f"the strategy of {strategy.game}" if hasattr(strategy, "game") else f"the policy {type(strategy).__name__}"


class _Meter:
    """How many histories all threads have met, and whether they shall stop."""

    def __init__(self, met: int, progress: Watcher | None):
        self.met, self.progress, self.stop, self.lock = met, progress, threading.Event(), threading.Lock()

    def add(self, histories: int) -> None:
        with self.lock:
            self.met += histories

    def tell(self) -> None:
        if self.stop.is_set():
            raise concurrent.futures.CancelledError
        if self.progress:
            self.progress(Progress("histories", self.met))


def _first_decisions(question: _Question) -> Search:
    """The lists at the responder's first decisions, and what the ends before them are worth."""
    search = _new_search(question.game.shape())
    while not open_sets(question.game, question.others, search, question.me):  # its room doubles, so this ends
        question.require_fine(search)
        search = _grown(search)
        search.lists.used[:], search.lists.ends[:], search.frontier.note[:] = 0, 0, 0
    return search


def _worth(question: _Question, states: np.ndarray, reach: np.ndarray, action: int, meter: _Meter) -> Streamed:
    """One piece of the work: what one action at one of the responder's first decisions is worth, and the records below it."""
    start, search, said = clock(), _one_action(question.game.shape(), states, reach, action), GO_ON
    note = search.frontier.note

    def work(histories: int) -> int:
        nonlocal said
        before = int(note[MET])
        said = respond_slice(question.game, question.reduced, question.others, search, question.me, histories)
        question.require_fine(search)
        meter.add(int(note[MET]) - before)
        return 0 if said == GROW else histories

    def grow() -> None:
        nonlocal search
        search = _grown(search)

    in_slices(work, Budget(), tell=meter.tell, grow=grow, finished=lambda: said == DONE, first=FIRST_SLICE)
    records, last = search.records, int(search.records.used[0]) - 1  # the last is the set of the piece itself
    value, histories = float(search.levels.best[0]), int(note[MET])
    return Streamed(value, records.view[:last].copy(), records.action[:last].copy(), histories, clock() - start)


def _one_action(shape: Any, states: np.ndarray, reach: np.ndarray, action: int) -> Search:
    """A search whose level 0 is the set of these states, with one action to try."""
    search, count = _new_search(shape), len(states)
    while len(search.lists.state) < 2 * count:
        search = _grown(search)
    lists, at = search.lists, search.levels
    lists.state[:count], lists.reach[:count] = states, reach
    lists.after[:count] = [*range(1, count), NONE]
    lists.used[TOP] = at.top[0] = count
    at.head[0], at.width[0], at.turn[0], at.action[0, 0] = 0, 1, NOT_YET, action
    at.best[0], at.need[0], at.total[0] = -np.inf, -np.inf, reach.sum()
    return search


def _new_search(shape: Any) -> Search:
    rows, by_level = shape.moves + 2, set(Levels._fields) - {"action", "present"}
    levels = Levels(
        action=np.zeros((rows, shape.actions), np.int64),
        present=np.zeros(1, np.int64),
        **{field: np.zeros(rows, np.float64 if field in REAL else np.int64) for field in by_level},
    )
    margin = TIE * (shape.high - shape.low)
    return Search(new_lists(shape.words), levels, new_records(), new_frontier(shape), float(shape.high), margin)


def _grown(search: Search) -> Search:
    lists = longer(search.lists, "state", "reach", "after", "view", "head", "mass")
    return search._replace(lists=lists, records=longer(search.records, "view", "action"))
