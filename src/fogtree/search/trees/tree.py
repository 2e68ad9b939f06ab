"""The tree that searches grow: for each information set, its actions and what a bandit remembers of them.

All sets of all players stand in one table. The number of a set says where its words begin in one long array: a head, then
what the bandit remembers. So a look-up fetches two places of memory, the table's and the set's, and waits for no third. The
actions of all sets stand in another long array. Nothing is moved when the tree grows. Kernels look up, add and learn; Python
makes room between slices (`anytime.py`).

A simulation leaves a path: the sets at which somebody chose, what they chose, and with which probability it was drawn. A
bandit that overhears is also told what was played later (`ear.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import Shape
from ...judges import Room, new_room
from ...kernels import STEP, kernel
from ...walk import table as tables
from .ear import new_ear
from .parallel import Output

SETS, WORDS, ACTIONS, ITERATIONS, LIMIT = 0, 1, 2, 3, 4  # words of `used`
VISITS, FIRST, WIDTH, HEAD = 0, 1, 2, 3  # words of a set; what the bandit remembers comes after HEAD of them
SPARE = 1 << 12  # words of a copy that are free at first
ENDLESS_SETS = 1 << 62  # a limit that is none
SET, PLAYER, CHOSEN, MOVE = 0, 1, 2, 3  # words of a step of the path
WRITING = 20  # of the usual steps, for each set


class Tree(NamedTuple):
    """The statistics of a search, and the room in which it simulates."""

    table: tables.Table  # (view, player) -> where the set begins in `memory`
    memory: np.ndarray  # set after set: visits | where its actions begin | their number | what the bandit remembers
    action: np.ndarray  # the actions, one set after the other
    used: np.ndarray  # [5] sets | words of memory | actions | iterations | how many sets there may be
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
            and used[SETS] + sets <= used[LIMIT]
            and used[WORDS] + sets * (HEAD + need) <= self.memory.shape[0]
            and used[ACTIONS] + sets * self.room.choice.shape[0] <= self.action.shape[0]
            and self.room.ear.has_room()
        )

    def expand(self, bandit, view, player, count, length):
        """Enter a new set, whose actions and weights stand in the room, after a path of this length; returns its number."""
        used, i = self.used, self.used[WORDS]
        self.table.enter(view, player, i)
        self.memory[i + FIRST], self.memory[i + WIDTH] = used[ACTIONS], count
        depth = 0  # decisions of this player before
        for step in range(length):
            depth += self.path[step, PLAYER] == player
        for a in range(count):
            self.action[used[ACTIONS] + a] = self.room.choice[a]
        begin, end = self.span(bandit, i)
        self.memory[i + VISITS] = 0.0
        for word in range(begin, end):
            self.memory[word] = 0.0
        used[SETS] += 1
        used[WORDS] = end
        used[ACTIONS] += count
        bandit.begin(self.memory[begin:end], count, depth, self.room.odds)
        return i

    def width(self, i):
        """How many actions a set has."""
        return np.int64(self.memory[np.uint64(i + WIDTH)])  # whether an unsigned place is negative is not asked

    def actions(self, i):
        """Where the actions of a set begin, and how many they are."""
        return np.int64(self.memory[np.uint64(i + FIRST)]), self.width(i)

    def span(self, bandit, i):
        """From where to where in `memory` the bandit remembers a set; a function cannot return a part of an array."""
        return i + HEAD, i + HEAD + bandit.slots(self.width(i))

    def choose(self, bandit, i, player, length, random):
        """Let the bandit choose at a set and add that to the path; returns the position of the action in the set."""
        begin, end = self.span(bandit, i)
        chosen, probability = bandit.choose(self.memory[begin:end], self.width(i), random)
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
            self.memory[np.uint64(i + VISITS)] += 1.0
            begin, end = self.span(bandit, i)
            bandit.learn(self.memory[begin:end], self.width(i), chosen, self.odds[step], self.payoff[player])
        self.room.ear.tell(self, bandit, length)

    def step(self, number):
        """A step of the path: the set, its player, and how many moves were played before it."""
        return self.path[number, SET], self.path[number, PLAYER], self.path[number, MOVE]


def new_tree(shape: Shape, bandit: Any, most_sets: float) -> Tree:
    """A tree without sets, with a little room."""
    most = shape.actions
    return Tree(
        tables.empty(1 << 11),
        np.zeros(max(1 << 13, 4 * (HEAD + bandit.slots(most)))),
        np.zeros(max(1 << 12, 4 * most), np.int32),
        np.array([0, 0, 0, 0, int(min(most_sets, ENDLESS_SETS))]),
        np.zeros(shape.words, np.int64),
        np.zeros(shape.players),
        np.zeros((shape.moves, 4), np.int64),
        np.zeros(shape.moves),
        new_room(shape, new_ear(shape, bandit)),
    )


def enlarge(tree: Tree, bandit: Any, sets: int, most_bytes: float) -> tuple[Tree, str]:
    """The tree with room for so many more sets, or the same tree and the limit that it has reached, in words. Arrays grow by
    a sixteenth, so that little of what is taken lies idle."""
    used, most, wanted = tree.used, len(tree.room.choice), list[tuple[np.ndarray, int]]()  # array, how much longer
    have, words = int(used[SETS]), sets * (HEAD + bandit.slots(most))
    if have + sets > used[LIMIT]:
        return tree, f"the tree stopped growing at the cap of {have} information sets"
    if used[WORDS] + words > len(tree.memory):
        wanted.append((tree.memory, len(tree.memory) // 16 + words))
    if used[ACTIONS] + sets * most > len(tree.action):
        wanted.append((tree.action, len(tree.action) // 16 + sets * most))
    full = tree.table.full()
    more = sum(longer * array[:1].nbytes for array, longer in wanted) + (tree.table.slot.nbytes if full else 0)
    if size(tree) + more > most_bytes:
        return tree, f"the tree stopped growing at {have} information sets, at the cap of {most_bytes:.3g} bytes"
    for array, longer in wanted:
        array.resize(len(array) + longer, refcheck=False)  # by moving pages, not bytes
    return tree._replace(table=tree.table.grown()) if full else tree, ""


def copied(tree: Tree) -> Tree:
    """The same statistics in memory of their own, without the room that is not used; the ear hears anew."""
    used, table = tree.used, tree.table
    memory, action = np.zeros(used[WORDS] + SPARE), np.zeros(used[ACTIONS] + SPARE, np.int32)
    memory[: used[WORDS]], action[: used[ACTIONS]] = tree.memory[: used[WORDS]], tree.action[: used[ACTIONS]]
    kept = table._replace(slot=table.slot.copy(), used=table.used.copy())
    return tree._replace(table=kept, memory=memory, action=action, used=used.copy())


def size(tree: Tree) -> int:
    """Bytes."""
    return sum(part.nbytes for part in (tree.table.slot, *tree[1:]) if isinstance(part, np.ndarray))


# --- what a tree says ------------------------------------------------------------------------------------------------


@kernel
def write_sets(bandit, tree, first, visits, out):
    """Of every set, in the order in which they came: where its actions begin, its visits, and the strategy to output."""
    i = 0
    for n in range(tree.used[SETS]):
        begin, end = tree.span(bandit, i)
        first[n], width = tree.actions(i)
        visits[n] = tree.memory[i + VISITS]
        bandit.policy(tree.memory[begin:end], width, out[first[n] : first[n] + width])
        i = end


def owners(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """The player and the view of each set [sets], in the order in which they came."""
    slot = tree.table.slot[tree.table.slot[:, tables.OWNER] != tables.EMPTY]
    slot = slot[np.argsort(slot[:, tables.OWNER])]
    return slot[:, tables.OWNER] & 255, slot[:, tables.VIEW]


def output(tree: Tree, bandit: Any) -> Output:
    """What all sets of a tree would play."""
    sets, actions = int(tree.used[SETS]), int(tree.used[ACTIONS])
    first, visits, probability = np.full(sets + 1, actions), np.empty(sets, np.int64), np.empty(actions)
    write_sets.briefly(STEP * WRITING * sets, bandit, tree, first, visits, probability)
    return Output(*owners(tree), first, tree.action[:actions], probability, visits)
