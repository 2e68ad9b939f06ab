"""A best response in games whose histories do not fit in memory, exactly.

The responder's information sets are walked depth first. A set is carried as the list of the states that it cannot tell apart,
each with its reach: the probability that chance and the opponent's strategy bring it about. An action of the responder takes
every state of the list on, through the moves of chance and of the opponent, to the ends of the game, whose payoffs add up,
and to the responder's next decisions, which fall into lists by what the responder sees there:

    value(list) = max over actions of  ends after it + sum of value(next lists)

Each history is met once, and only the lists on the present path are kept: classical Phantom Tic-Tac-Toe has 19.9 billion
histories and needs some megabytes. The first decisions are independent pieces for all cores.

Where a game has an equal one with fewer actions (`reduction.py`) the responder looks for the maximum among those alone,
against an opponent who still does anything. The actions left out are never better, so the value is the same.
"""

import concurrent.futures
import os
import threading
import time
from typing import Any, NamedTuple

import numpy as np

from ..errors import Broken, Invalid
from ..game import CHANCE, OVER
from ..kernel import kernel
from ..strategy import Strategy
from ..walk import next_slice
from .reduction import reduced as smaller

NONE = -1
DONE, GO_ON, GROW = 0, 1, 2  # what a slice says
TOP, GROUPS, RECORDS, LEVEL, MET, WRONG = 0, 1, 2, 3, 4, 5  # words of `used`
FINE, FOREIGN, ENDLESS = 0, 1, 2  # what may be wrong


class Lists(NamedTuple):
    """States in linked lists, stacked in one pool; a frame a level, for the set on the present path there."""

    state: np.ndarray  # [pool, words]
    reach: np.ndarray  # [pool]
    after: np.ndarray  # [pool] the next state of the same list, or NONE
    view: np.ndarray  # [groups] of the lists that were found and not yet finished
    head: np.ndarray  # [groups]
    mine: np.ndarray  # [levels] the list of the set at this level
    action: np.ndarray  # [levels, actions]
    width: np.ndarray  # [levels] how many actions
    turn: np.ndarray  # [levels] which of them is being tried
    worth: np.ndarray  # [levels] of that action, so far
    best: np.ndarray  # [levels] of the actions tried before
    choice: np.ndarray  # [levels] the position of the best one
    top: np.ndarray  # [levels] of the pool, before this action
    group: np.ndarray  # [levels] of the groups, before this action
    kept: np.ndarray  # [levels] records before this set | [levels] before the action being tried
    tried: np.ndarray
    seen: np.ndarray  # [records] the view of a set that the response gets to
    played: np.ndarray  # [records] the action that it takes there
    used: np.ndarray  # [6] states in the pool | groups | records | level | histories met | what is wrong
    path: np.ndarray  # [moves, words] states between two decisions of the responder
    choices: np.ndarray  # [moves, actions]
    odds: np.ndarray  # [moves, actions] probability of each choice
    left: np.ndarray  # [moves] choices not yet followed
    weight: np.ndarray  # [moves] reach

    def open_set(self, reduced, level, head):
        """Begin the set whose list starts at head."""
        self.mine[level] = head
        self.width[level] = reduced.actions(self.state[head], self.action[level])
        self.turn[level], self.best[level], self.choice[level] = NONE, -np.inf, NONE
        self.kept[level] = self.tried[level] = self.used[RECORDS]
        self.group[level], self.top[level] = self.used[GROUPS], self.used[TOP]
        self.worth[level] = 0.0

    def try_action(self, game, entries, me, level):
        """Take every state of the set on by the action whose turn it is; false, and nothing done, where the pool is full."""
        used, met = self.used, self.used[MET]
        action = self.action[level, self.turn[level]]
        worth, k = 0.0, self.mine[level]
        while k != NONE:
            for word in range(self.path.shape[1]):
                self.path[0, word] = self.state[k, word]
            game.step(self.path[0], action)
            ends, ok = self.spread(game, entries, me, self.reach[k], self.group[level])
            if not ok:
                used[TOP], used[GROUPS], used[MET] = self.top[level], self.group[level], met
                return False
            worth += ends
            k = self.after[k]
        self.worth[level] = worth
        return True

    def close_action(self, level):
        """The action being tried is finished: keep its records if it is the best so far, forget its lists."""
        used = self.used
        if self.turn[level] != NONE:
            if self.worth[level] > self.best[level]:
                self.best[level], self.choice[level] = self.worth[level], self.turn[level]
                length = used[RECORDS] - self.tried[level]
                for r in range(length):
                    self.seen[self.kept[level] + r] = self.seen[self.tried[level] + r]
                    self.played[self.kept[level] + r] = self.played[self.tried[level] + r]
                self.tried[level] = self.kept[level] + length
            used[RECORDS] = self.tried[level]
        used[TOP], used[GROUPS] = self.top[level], self.group[level]

    def spread(self, game, entries, me, reach, group_from):
        """Take the state in path[0] on to the responder's next decisions and to the ends.

        Returns the worth of the ends to the responder, and whether the pool had room for all.
        """
        used, ends, depth, ok = self.used, 0.0, 0, True
        self.weight[0] = reach
        while depth >= 0:
            used[MET] += 1
            state = self.path[depth]
            player = game.player(state)
            self.left[depth] = 0
            if player == OVER:
                ends += self.weight[depth] * game.payoff(state, me)
            elif player == me:
                if not self.put(state, game.view(state, me), self.weight[depth], group_from):
                    return ends, False
            else:
                self.left[depth] = self.weigh(game, entries, state, player, self.choices[depth], self.odds[depth])
            while depth >= 0:
                # follow the next choice that has any probability; go back where there is none left
                while self.left[depth] > 0 and self.odds[depth, self.left[depth] - 1] == 0.0:
                    self.left[depth] -= 1
                if self.left[depth] > 0:
                    break
                depth -= 1
            if depth + 1 == self.path.shape[0]:
                used[WRONG] = ENDLESS
                return ends, False
            if depth >= 0:
                self.left[depth] -= 1
                choice = self.left[depth]
                for word in range(self.path.shape[1]):
                    self.path[depth + 1, word] = self.path[depth, word]
                self.weight[depth + 1] = self.weight[depth] * self.odds[depth, choice]
                game.step(self.path[depth + 1], self.choices[depth, choice])
                depth += 1
        return ends, ok

    def weigh(self, game, entries, state, player, choices, odds):
        """Write the actions of chance or of the opponent and their probabilities; returns how many."""
        count = game.actions(state, choices)
        if player == CHANCE:
            game.odds(state, odds)
            return count
        begin, listed = entries.find(game.view(state, player), player)
        if listed == 0:
            for a in range(count):
                odds[a] = 1.0 / count
            return count
        k = begin
        for a in range(count):  # both are ascending; an action that the strategy does not list has probability 0
            odds[a] = 0.0
            if k < begin + listed and entries.action[k] == choices[a]:
                odds[a] = entries.probability[k]
                k += 1
        if k < begin + listed:
            self.used[WRONG] = FOREIGN
        return count

    def put(self, state, view, reach, group_from):
        """Put a state into the list of its view, among the groups from group_from on; whether there was room."""
        used = self.used
        g = used[GROUPS] - 1
        while g >= group_from and self.view[g] != view:
            g -= 1
        if used[TOP] == self.state.shape[0] or (g < group_from and used[GROUPS] == self.view.shape[0]):
            return False
        if g < group_from:
            g = used[GROUPS]
            used[GROUPS] += 1
            self.view[g], self.head[g] = view, NONE
        k = used[TOP]
        used[TOP] += 1
        for word in range(state.shape[0]):
            self.state[k, word] = state[word]
        self.reach[k], self.after[k], self.head[g] = reach, self.head[g], k
        return True


@kernel
def open_sets(game, entries, lists, me):
    """From the start of the game: the lists at the responder's first decisions. Returns the worth of ends before them."""
    game.start(lists.path[0])
    return lists.spread(game, entries, me, 1.0, 0)


@kernel
def respond_slice(game, reduced, entries, lists, me, budget):
    """Go on until about `budget` more histories are met; DONE when level 0 is finished and best[0] is its value."""
    used = lists.used
    stop = used[MET] + budget
    level = used[LEVEL]
    while used[MET] < stop:
        if used[GROUPS] > lists.group[level] and lists.turn[level] != NONE:
            if level + 1 == lists.mine.shape[0]:
                used[WRONG] = ENDLESS
                return GROW
            used[GROUPS] -= 1
            lists.open_set(reduced, level + 1, lists.head[used[GROUPS]])
            level += 1
            used[LEVEL] = level
            continue
        if used[RECORDS] + 1 >= lists.seen.shape[0]:
            return GROW
        lists.close_action(level)
        lists.turn[level] += 1
        if lists.turn[level] == lists.width[level]:
            here = lists.state[lists.mine[level]]
            lists.seen[used[RECORDS]] = game.view(here, me)
            lists.played[used[RECORDS]] = lists.action[level, lists.choice[level]]
            used[RECORDS] += 1
            if level == 0:
                return DONE
            level -= 1
            used[LEVEL] = level
            lists.worth[level] += lists.best[level + 1]
        elif not lists.try_action(game, entries, me, level):
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


def stream_response(game: Any, strategy: Strategy, me: int, *, threads: int | None = None, progress=None) -> Streamed:
    """Player `me`'s best response to the other's strategy. `progress(histories)` is called now and then."""
    reduced = smaller(game)
    entries, start = strategy.entries, time.perf_counter()
    lists = _new_lists(game.shape())
    while True:
        value, ok = open_sets(game, entries, lists, me)
        _complain(game, strategy, lists)
        if ok:
            break
        lists = _grown(lists)
        lists.used[:] = 0
    tasks = []
    for g in range(lists.used[GROUPS]):
        members = _members(lists, lists.head[g])
        buffer = np.zeros(game.shape().actions, np.int64)
        count = reduced.actions(lists.state[members[0]], buffer)
        tasks.append((members, int(lists.view[g]), buffer[:count].tolist()))
    met, stop = [int(lists.used[MET])], threading.Event()  # histories met, slice by slice, in all threads

    def work(members, action):
        begin = lists.state[members], lists.reach[members], action
        return _respond(game, reduced, strategy, me, *begin, met, stop, progress)

    views, actions = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        futures = [[pool.submit(work, members, action) for action in options] for members, _, options in tasks]
        try:
            for (_, view, options), group in zip(tasks, futures, strict=True):
                results = [future.result() for future in group]
                best = max(range(len(results)), key=lambda a: results[a][0])
                value += results[best][0]
                views += [np.array([view]), results[best][1]]
                actions += [np.array([options[best]]), results[best][2]]
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return Streamed(value, np.concatenate(views), np.concatenate(actions), sum(met), time.perf_counter() - start)


def _respond(game, reduced, strategy, me, states, reaches, action, met, stop, progress):
    """One piece: the worth of one action at one of the responder's first decisions, and the records below it."""
    lists, entries = _new_lists(game.shape()), strategy.entries
    while len(lists.state) < 2 * len(states):
        lists = _grown(lists)
    count = len(states)
    lists.state[:count], lists.reach[:count] = states, reaches
    lists.after[:count] = [*range(1, count), NONE]
    lists.used[TOP] = count
    lists.mine[0], lists.width[0], lists.turn[0] = 0, 1, NONE
    lists.action[0, 0] = action
    lists.best[0], lists.top[0] = -np.inf, count
    budget, before = 1 << 16, 0
    while True:
        began = time.perf_counter()
        said = respond_slice(game, reduced, entries, lists, me, budget)
        _complain(game, strategy, lists)
        met.append(int(lists.used[MET]) - before)
        before = int(lists.used[MET])
        if stop.is_set():
            raise concurrent.futures.CancelledError
        if progress:
            progress(sum(met))
        if said == DONE:
            records = int(lists.used[RECORDS]) - 1  # the last is the set of the piece itself
            return float(lists.best[0]), lists.seen[:records].copy(), lists.played[:records].copy()
        if said == GROW:
            lists = _grown(lists)
        else:
            budget = next_slice(budget, time.perf_counter() - began)


def _new_lists(shape) -> Lists:
    pool, groups, levels = 1 << 12, 1 << 8, shape.moves + 2
    return Lists(
        np.zeros((pool, shape.words), np.int64),
        np.zeros(pool),
        np.zeros(pool, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(levels, np.int64),
        np.zeros((levels, shape.actions), np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels),
        np.zeros(levels),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(pool, np.int64),
        np.zeros(pool, np.int64),
        np.zeros(6, np.int64),
        np.zeros((levels, shape.words), np.int64),
        np.zeros((levels, shape.actions), np.int64),
        np.zeros((levels, shape.actions)),
        np.zeros(levels, np.int64),
        np.zeros(levels),
    )


def _grown(lists: Lists) -> Lists:
    fields = ("state", "reach", "after", "view", "head", "seen", "played")
    return lists._replace(**{f: np.concatenate([getattr(lists, f), np.zeros_like(getattr(lists, f))]) for f in fields})


def _complain(game, strategy, lists) -> None:
    if lists.used[WRONG] == ENDLESS:
        raise Broken(f"{type(game).__name__} goes on after {game.shape().moves} moves, the most that shape() allows")
    if lists.used[WRONG] == FOREIGN:
        raise Invalid(f"the strategy of {strategy.game} lists an action that the game does not have")


def _members(lists, head) -> list[int]:
    members = []
    while head != NONE:
        members.append(int(head))
        head = lists.after[head]
    return members
