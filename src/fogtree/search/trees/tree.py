"""The tree that searches grow: for each information set, its actions and what a bandit remembers of them.

All sets of all players stand in one table. A set has a row, and its actions and its memory lie one after the other in two
long arrays, so that nothing is moved when the tree grows. Kernels look up, add and learn; Python makes room between slices
(`anytime.py`).

A simulation leaves a path: the sets at which somebody chose, what they chose, and with which probability it was drawn. A
bandit that overhears is also told what was played later (`ear.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import Shape
from ...judges import Room, new_room
from ...kernels import kernel
from ...walk import table as tables
from .ear import new_ear
from .parallel import Output

NONE = tables.NONE
SETS, WORDS, ACTIONS, ITERATIONS = 0, 1, 2, 3  # words of `used`
BASE, FIRST, WIDTH, VISITS = 0, 1, 2, 3  # words of a row
SET, PLAYER, CHOSEN, MOVE = 0, 1, 2, 3  # words of a step of the path


class Tree(NamedTuple):
    """The statistics of a search, and the room in which it simulates."""

    table: tables.Table  # (view, player) -> set
    row: np.ndarray  # [sets, 4] where a set's memory begins | its actions begin | how many they are | visits
    memory: np.ndarray  # what the bandits remember, one set after the other
    action: np.ndarray  # the actions, one set after the other
    used: np.ndarray  # [4] sets | words of memory | actions | iterations
    state: np.ndarray  # [words]
    payoff: np.ndarray  # [players]
    path: np.ndarray  # [moves, 4] of this simulation: set, player, position chosen, moves before it
    odds: np.ndarray  # [moves] with which it was drawn
    room: Room

    def has_room(self, need, sets):
        """Whether so many more sets fit, whose bandits need so many words each."""
        used = self.used
        return (
            not self.table.full()
            and used[SETS] + sets <= self.row.shape[0]
            and used[WORDS] + sets * need <= self.memory.shape[0]
            and used[ACTIONS] + sets * self.room.choice.shape[0] <= self.action.shape[0]
            and self.room.ear.has_room()
        )

    def expand(self, bandit, view, player, count, length):
        """Enter a new set, whose actions and weights stand in the room, after a path of this length; returns its number."""
        used = self.used
        i = self.table.add(view, player)
        self.row[i, BASE], self.row[i, FIRST], self.row[i, WIDTH] = used[WORDS], used[ACTIONS], count
        depth = 0  # decisions of this player before
        for step in range(length):
            depth += self.path[step, PLAYER] == player
        for a in range(count):
            self.action[used[ACTIONS] + a] = self.room.choice[a]
        used[SETS] += 1
        used[WORDS] += bandit.slots(count)
        used[ACTIONS] += count
        begin, end = self.span(bandit, i)
        bandit.begin(self.memory[begin:end], count, depth, self.room.odds)
        return i

    def span(self, bandit, i):
        """From where to where in `memory` the bandit remembers a set; a function cannot return a part of an array."""
        return self.row[i, BASE], self.row[i, BASE] + bandit.slots(self.row[i, WIDTH])

    def choose(self, bandit, i, player, length, random):
        """Let the bandit choose at a set and add that to the path; returns the position of the action in the set."""
        begin, end = self.span(bandit, i)
        chosen, probability = bandit.choose(self.memory[begin:end], self.row[i, WIDTH], random)
        self.path[length, SET], self.path[length, PLAYER], self.path[length, CHOSEN] = i, player, chosen
        self.path[length, MOVE] = self.room.ear.time()
        self.odds[length] = probability
        return chosen

    def learn(self, bandit, length):
        """Tell every set on the path what its player got."""
        for player in range(self.payoff.shape[0]):
            self.payoff[player] = bandit.reward(self.payoff[player], self.room.low, self.room.high)
        for step in range(length - 1, -1, -1):
            i, player, chosen = self.path[step, SET], self.path[step, PLAYER], self.path[step, CHOSEN]
            self.row[i, VISITS] += 1
            begin, end = self.span(bandit, i)
            bandit.learn(self.memory[begin:end], self.row[i, WIDTH], chosen, self.odds[step], self.payoff[player])
        self.room.ear.tell(self, bandit, length)

    def step(self, number):
        """A step of the path: the set, its player, and how many moves were played before it."""
        return self.path[number, SET], self.path[number, PLAYER], self.path[number, MOVE]

    def actions(self, i):
        """Where the actions of a set begin, and how many they are."""
        return self.row[i, FIRST], self.row[i, WIDTH]


def new_tree(shape: Shape, bandit: Any, most_sets: float) -> Tree:
    """A tree without sets, with a little room."""
    sets, most = int(min(1 << 10, most_sets)), shape.actions
    return Tree(
        tables.empty(1 << 11),
        np.zeros((sets, 4), np.int64),
        np.zeros(max(1 << 13, 4 * bandit.slots(most))),
        np.zeros(max(1 << 12, 4 * most), np.int32),
        np.zeros(4, np.int64),
        np.zeros(shape.words, np.int64),
        np.zeros(shape.players),
        np.zeros((shape.moves, 4), np.int64),
        np.zeros(shape.moves),
        new_room(shape, new_ear(shape, bandit)),
    )


def enlarge(tree: Tree, bandit: Any, sets: int, most_sets: float, most_bytes: float) -> tuple[Tree, str]:
    """The tree with room for so many more sets, or the same tree and the limit that it has reached, in words. Arrays grow by
    a sixteenth, so that little of what is taken lies idle; beyond what is used, memory is zero."""
    used, most, wanted = tree.used, len(tree.room.choice), list[tuple[np.ndarray, int]]()  # array, how much longer
    have, slots = int(used[SETS]), bandit.slots(most)
    if have + sets > most_sets:
        return tree, f"the tree stopped growing at the cap of {have} information sets"
    if have + sets > len(tree.row):
        wanted.append((tree.row, int(min(len(tree.row) // 16 + sets, most_sets - len(tree.row)))))
    if used[WORDS] + sets * slots > len(tree.memory):
        wanted.append((tree.memory, len(tree.memory) // 16 + sets * slots))
    if used[ACTIONS] + sets * most > len(tree.action):
        wanted.append((tree.action, len(tree.action) // 16 + sets * most))
    full = tree.table.full()
    more = sum(longer * array[:1].nbytes for array, longer in wanted) + (tree.table.slot.nbytes if full else 0)
    if size(tree) + more > most_bytes:
        return tree, f"the tree stopped growing at {have} information sets, at the cap of {most_bytes:.3g} bytes"
    for array, longer in wanted:
        array.resize((len(array) + longer, *array.shape[1:]), refcheck=False)  # by moving pages, not bytes
    return tree._replace(table=tree.table.grown()) if full else tree, ""


def size(tree: Tree) -> int:
    """Bytes."""
    return sum(part.nbytes for part in (tree.table.slot, *tree[1:]) if isinstance(part, np.ndarray))


# --- what a tree says ------------------------------------------------------------------------------------------------


@kernel
def write_policies(bandit, tree, out):
    """The strategy to output of every set, one after the other as their actions."""
    for i in range(tree.used[SETS]):
        first, width = tree.row[i, FIRST], tree.row[i, WIDTH]
        begin, end = tree.span(bandit, i)
        bandit.policy(tree.memory[begin:end], width, out[first : first + width])


@kernel
def write_owners(table, view, player):
    """The view and the player of each number of a table."""
    for slot in range(table.slot.shape[0]):
        owner = table.slot[slot, tables.OWNER]
        if owner != tables.EMPTY:
            view[owner >> 8], player[owner >> 8] = table.slot[slot, tables.VIEW], owner & 255


def output(tree: Tree, bandit: Any) -> Output:
    """What all sets of a tree would play."""
    sets, actions = int(tree.used[SETS]), int(tree.used[ACTIONS])
    view, player, probability = np.empty(sets, np.int64), np.empty(sets, np.int64), np.empty(actions)
    write_owners(tree.table, view, player)
    write_policies(bandit, tree, probability)
    first = np.append(tree.row[:sets, FIRST], actions)
    return Output(player, view, first, tree.action[:actions], probability, tree.row[:sets, VISITS])
