"""The visitor that writes information sets and paying ends down as lanes meet them (`walk/layers.py`), and what reads it.

A history carries the sequence of each player, by a code, and what chance multiplied. Where there is a choice, the set is
entered into a table that all lanes share (`walk/views.py`). The number of its word there, its slot, stands for the set as
long as sets have no numbers: the code of a sequence is 1 + slot * actions + position of its last action, and 0 for the
empty one. An end that pays is a pair of codes and a value. Ends are staged: each batch of a walk writes them over those of
the batch before, so that a batch can be taken again.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import CHANCE, OVER
from ...kernels.atomic import add, claim
from ...trouble import UNEQUAL
from ...walk.layers import PARTS
from ...walk.views import FULL_UP, Views
from .infosets import FORGETFUL, UNBALANCED

REACH = 2  # what a history carries: the codes of two sequences | what chance multiplied
MET, GOING_ON, NO_ROOM, TURN, NOTES = 0, 1, 2, 3, 4  # notes of a lane: histories | those that go on | sets without room
ROWS = 64  # of the tally, to which lanes add
# a fact of a set: (1 + code of the sequence before it) * WIDTH + actions. A table of sets with so many would need 100 GB
WIDTH = 1 << 22
EVEN, ODD, SHIFT = 40503, 30011, 5  # these say into which part an entry goes


class Staged(NamedTuple):
    """Entries that a batch has found. Row n belongs to part n % PARTS, as in a layer."""

    row: Any  # [rows] codes
    column: Any
    value: Any


class Recording(NamedTuple):
    """The visitor that writes sets and entries down."""

    views: Views
    fact: Any  # [slots] 0 where nobody was
    action: Any  # [slots, actions]
    staged: Staged
    wrong: Any  # [2] what is wrong | the view where
    slack: float  # how far the payoffs of an end may sum from 0
    singles: bool  # whether sets with a single action are entered too
    tally: Any  # [PARTS + ROWS * NOTES] entries by part | notes

    def notes(self):
        return NOTES

    def loads(self):
        return 0.0, 0.0, 1.0

    def begin(self, note):
        for each in range(NOTES):
            note[each] = 0

    def enter(self, game, state, player, choice, count, own):
        if player == CHANCE:
            game.odds(state, own.odds)
            return 0
        if count == 1 and not self.singles:
            return 0
        view = game.view(state, player)
        slot = self.views.number(view, player)
        if slot == FULL_UP:
            own.note[NO_ROOM] += 1
            return 0
        fact = (np.int64(own.load[player]) + 1) * WIDTH + count if count > 1 else np.int64(1)
        held = self.fact[slot]
        if held == 0:
            held = claim(self.fact, slot, 0, fact)
            if held == 0:
                for a in range(count):
                    self.action[slot, a] = choice[a]
                held = fact
        if held != fact:
            self.wrong[0] = FORGETFUL if held % WIDTH == count else UNEQUAL
            self.wrong[1] = view
        return 1 + slot * self.action.shape[1] if count > 1 else 0

    def descend(self, number, player, a, own):
        if player == CHANCE:
            own.bears[REACH] = own.load[REACH] * own.odds[a]
        elif number > 0:
            own.bears[player] = number + a

    def meet(self, game, state, player, own):
        own.note[MET] += 1
        if player != OVER:
            own.note[GOING_ON] += 1
            return
        payoff = game.payoff(state, 0)
        if not abs(payoff + game.payoff(state, 1)) <= self.slack:  # true too where there is no number at all
            self.wrong[0] = UNBALANCED
        if payoff == 0.0:
            return
        row, column = np.int64(own.bears[0]), np.int64(own.bears[1])
        own.note[TURN] += 1
        part = (((row * EVEN + column * ODD) >> SHIFT) + own.note[TURN]) % PARTS
        at = add(self.tally, part, 1) * PARTS + part
        if at < self.staged.row.shape[0]:
            self.staged.row[at], self.staged.column[at] = row, column
            self.staged.value[at] = payoff * own.bears[REACH]

    def end(self, number, note):
        for each in range(TURN):
            if note[each]:
                add(self.tally, PARTS + number % ROWS * NOTES + each, note[each])


class Taking(NamedTuple):
    """Work: lane n takes row n of what is staged, if it is in use."""

    staged: Staged
    used: Any  # [PARTS]
    before: Any  # [PARTS] entries of the parts before
    taken: Staged  # [entries]

    def lane(self, number, own):
        part, deep = number % PARTS, number // PARTS
        if deep < self.used[part]:
            to = self.before[part] + deep
            self.taken.row[to], self.taken.column[to] = self.staged.row[number], self.staged.column[number]
            self.taken.value[to] = self.staged.value[number]


class Picking(NamedTuple):
    """Work: lane n looks whether word n of the table is a set, and copies it."""

    recording: Recording
    used: Any  # [1]
    slot: Any  # [sets]
    view: Any  # [sets]
    fact: Any  # [sets]
    action: Any  # [sets, actions]

    def writes(self):
        return "slot", "view", "fact", "action"

    def lane(self, number, own):
        if self.recording.fact[number] == 0:
            return
        at = add(self.used, 0, 1)
        self.slot[at], self.fact[at] = number, self.recording.fact[number]
        self.view[at] = self.recording.views.view_at(number)
        for a in range(self.fact[at] % WIDTH):
            self.action[at, a] = self.recording.action[number, a]


class Placing(NamedTuple):
    """Work: lane n writes the first sequence of set n where codes find it."""

    slot: Any  # [sets]
    number: Any  # [sets]
    first: Any  # [slots]

    def lane(self, number, own):
        self.first[self.slot[number]] = self.number[number]
