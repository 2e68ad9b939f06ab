"""A small game inside a large one: the players do only what a book admits.

A book lists information sets, each with the actions that are admitted there. At a set that it does not list, only the first
legal action is played. So every book, even an empty one, makes a game, `Restricted(game, book)`, and this is a game like any
other: it is enumerated and solved in the same way. It may be tiny where the whole game is huge, because most sets offer a
single action, and because what is not admitted cuts off everything behind it.

A solution of the restricted game is a policy of the whole game (`Rehearsed`): it plays the solved mix where the restricted
game can get to, and what the book says elsewhere. It looks at views alone.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import CHANCE, NONE, Shape
from ..kernels import kernel
from ..walk import table as tables
from . import handed


class ActionBook(NamedTuple):
    """Information sets and what is admitted there."""

    table: tables.Table
    action: np.ndarray  # [sets, actions] admitted, ascending
    width: np.ndarray  # [sets] how many of them

    def offer(self, game, state, player, out):
        """Write the legal actions that are admitted here, or else the first legal one; returns how many."""
        count = game.actions(state, out)
        i = self.table.find(game.view(state, player), player)
        if i == NONE:
            return 1
        kept, k = 0, 0
        for a in range(count):  # both are ascending
            while k < self.width[i] and self.action[i, k] < out[a]:
                k += 1
            if k < self.width[i] and self.action[i, k] == out[a]:
                out[kept] = out[a]
                kept += 1
        return max(kept, 1)

    def enter(self, view, player, action):
        """Admit a legal action; whether it is new. The book must have room for another set."""
        i = self.table.add(view, player)
        for k in range(self.width[i]):
            if self.action[i, k] == action:
                return False
        if self.width[i] == self.action.shape[1]:  # with as many as a set can have
            return False
        k = self.width[i]
        while k > 0 and self.action[i, k - 1] > action:
            self.action[i, k] = self.action[i, k - 1]
            k -= 1
        self.action[i, k] = action
        self.width[i] += 1
        return True


@handed.hands_on(handed.start, handed.player, handed.odds, handed.step, handed.payoff, handed.view)
class Restricted(NamedTuple):
    """A game of the admitted actions."""

    game: Any
    book: ActionBook

    def shape(self) -> Shape:
        return self.game.shape()

    def actions(self, state, out):
        player = self.game.player(state)
        if player == CHANCE:
            return self.game.actions(state, out)
        return self.book.offer(self.game, state, player, out)


class AdmittedFirst(NamedTuple):
    """All actions of a game, the admitted ones before the others: the order in which a responder tries them, so that what is
    not better is not admitted."""

    game: Any
    book: ActionBook

    def actions(self, state, out):
        count, player, at = self.game.actions(state, out), self.game.player(state), 0
        i = self.book.table.find(self.game.view(state, player), player)
        for a in range(count):
            for k in range(0 if i == NONE else self.book.width[i]):
                if self.book.action[i, k] == out[a]:
                    moved = out[a]
                    for b in range(a, at, -1):
                        out[b] = out[b - 1]
                    out[at] = moved
                    at += 1
                    break
        return count


class Rehearsed(NamedTuple):
    """A solution of the restricted game as a policy (`policy.py`) of the whole game."""

    small: Restricted
    probability: np.ndarray  # [sets of the book, actions] of the admitted actions
    solved: np.ndarray  # [sets of the book] whether the solution says what to play there

    def weigh(self, game, state, player, choice, odds):
        book = self.small.book
        i = book.table.find(self.small.game.view(state, player), player)
        if i == NONE or not self.solved[i]:
            book.offer(self.small.game, state, player, choice)
            odds[0] = 1.0
            return 1
        count = 0
        for k in range(book.width[i]):
            if self.probability[i, k] > 0.0:
                choice[count], odds[count] = book.action[i, k], self.probability[i, k]
                count += 1
        return count


def new_book(actions: int, table: tables.Table | None = None) -> ActionBook:
    """A book without entries, for the sets of a table, of at most so many actions each."""
    table = table or tables.empty()
    room = len(table.slot)
    return ActionBook(table, np.zeros((room, actions), np.int64), np.zeros(room, np.int64))


def with_room(book: ActionBook, more: int) -> ActionBook:
    """The same book with room for so many more sets."""
    table = book.table
    while 3 * (table.used[0] + more) >= 2 * len(table.slot):
        table = table.grown()
    sets = len(book.width)
    if len(table.slot) == sets:
        return book
    larger = new_book(book.action.shape[1], table)
    larger.action[:sets], larger.width[:sets] = book.action, book.width
    return larger


def copy_of(book: ActionBook) -> ActionBook:
    """A book that stays as this one is now."""
    table = book.table._replace(slot=book.table.slot.copy(), used=book.table.used.copy())
    return ActionBook(table, book.action.copy(), book.width.copy())


@kernel
def admit(book, player, view, action):
    """Admit these actions of a player; returns how many are new."""
    new = 0
    for r in range(view.shape[0]):
        if book.enter(view[r], player, action[r]):
            new += 1
    return new


def rehearsed(small: Restricted, trees: Any, probability: Any) -> Rehearsed:
    """The policy of the whole game that a solution of the restricted game is, given by sequence for each player."""
    policy = Rehearsed(small, np.zeros(small.book.action.shape), np.zeros(len(small.book.width), np.bool_))
    for player, tree in enumerate(trees):
        _rehearse(policy, tree, player, probability[player])
    return policy


@kernel
def _rehearse(policy, tree, player, probability):
    book = policy.small.book
    for j in range(tree.parent.shape[0]):
        i = book.table.find(tree.view[j], player)
        policy.solved[i] = True
        for s in range(tree.first[j], tree.first[j + 1]):
            for k in range(book.width[i]):
                if book.action[i, k] == tree.action[s]:
                    policy.probability[i, k] = probability[s]
