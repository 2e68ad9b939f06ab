"""Lists of the states that a responder cannot tell apart, by what is seen there, and the answers that were found.

All lists lie in one pool, and both the pool and the lists are stacks: what was put in last is forgotten first.
"""

from typing import NamedTuple

import numpy as np

from ...game import NONE

TOP, GROUPS, FROM = range(3)  # words of Lists.used
ROOM, GROUP_ROOM = 1 << 12, 1 << 8  # states and records, and lists, at first


class Lists(NamedTuple):
    """Linked lists of states, each with its reach: the probability that chance and the opponent bring it about. It is a sink
    of `walk.frontier`."""

    state: np.ndarray  # [pool, words]
    reach: np.ndarray  # [pool]
    after: np.ndarray  # [pool] the next state of the same list, or NONE
    view: np.ndarray  # [lists]
    head: np.ndarray  # [lists] the first state
    mass: np.ndarray  # [lists] the reach of all states
    used: np.ndarray  # [3] states | lists | the first list that a state may be put into
    ends: np.ndarray  # [1] the worth of the ends of the game since `begin`

    def begin(self):
        """From here on states are put into new lists, and ends add up anew."""
        self.used[FROM], self.ends[0] = self.used[GROUPS], 0.0

    def put(self, state, view, reach):
        """Put a state into the list of its view; whether there was room."""
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

    def end(self, worth):
        self.ends[0] += worth

    def forget(self, top, groups):
        """Keep so many states and lists."""
        self.used[TOP], self.used[GROUPS] = top, groups

    def members(self, group: int) -> list[int]:
        """The places of a list's states."""
        found, k = [], int(self.head[group])
        while k != NONE:
            found.append(k)
            k = int(self.after[k])
        return found


class Records(NamedTuple):
    """The sets that a response gets to, and what it plays there: also a stack."""

    view: np.ndarray  # [records]
    action: np.ndarray  # [records]
    used: np.ndarray  # [1]

    def full(self):
        return self.used[0] + 1 >= self.view.shape[0]

    def note(self, view, action):
        r = self.used[0]
        self.view[r], self.action[r] = view, action
        self.used[0] = r + 1

    def replace(self, low, high):
        """Let those from `high` on take the place of those from `low` on; returns where they end."""
        length = self.used[0] - high
        for r in range(length):
            self.view[low + r], self.action[low + r] = self.view[high + r], self.action[high + r]
        return low + length


def new_lists(words: int) -> Lists:
    return Lists(
        state=np.zeros((ROOM, words), np.int64),
        reach=np.zeros(ROOM),
        after=np.zeros(ROOM, np.int64),
        view=np.zeros(GROUP_ROOM, np.int64),
        head=np.zeros(GROUP_ROOM, np.int64),
        mass=np.zeros(GROUP_ROOM),
        used=np.zeros(3, np.int64),
        ends=np.zeros(1),
    )


def new_records() -> Records:
    return Records(np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64), np.zeros(1, np.int64))
