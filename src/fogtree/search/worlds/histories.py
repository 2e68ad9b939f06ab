"""A tree of histories that grows at its leaves, and the information sets over it: what KLUSS solves (`kluss.py`).

Nodes are histories, each with its state. The children of a node stand side by side behind it, one for each action, so walking
the nodes backwards is leaves first. A node without children is a leaf, and is worth what an evaluation says, or what the game
paid. A node is open if it, or a node below it, can still get children: OPEN counts its open children, and is 1 at a leaf
where the game goes on. An information set has a slot for each of its actions: regrets, the present mix, what the action was
worth when the set was last solved, and how often growth has tried it. Values are those of the player who searches. Python
makes room between slices.
"""

from typing import NamedTuple

import numpy as np

from ...game import CHANCE, NONE, OVER
from ...kernels import inlined, kernel
from ...trouble import UNEQUAL
from ...walk import table as tables

PARENT, FIRST, COUNT, OWNER, SET, OPEN, NODE = 0, 1, 2, 3, 4, 5, 6  # words of a node
SLOT, WIDTH, PLAYER, VISITS, STAMP, INFOSET = 0, 1, 2, 3, 4, 5  # words of an information set
ACTION, TRIED, WHOLE = 0, 1, 2  # whole numbers of a slot
REGRET, LATEST, MIX, SUM, WORTH, TOTAL, SQUARES, REAL = 0, 1, 2, 3, 4, 5, 6, 7  # real numbers of a slot
NODES, SETS, SLOTS, WIDEST, USED = 0, 1, 2, 3, 4  # words of `used`
FIXED = 100  # the owner of nodes whose mixes no longer change
FULL = -100  # there is no room for the children of a node


class Histories(NamedTuple):
    node: np.ndarray  # [nodes, NODE] where it hangs, its children, who moves, its set
    worth: np.ndarray  # [nodes] of a leaf, for the player who searches
    odds: np.ndarray  # [nodes] with which chance comes here from the node before; 1 after a player's move
    state: np.ndarray  # [nodes, words] without the words that do not matter
    table: tables.Table  # (view, player) -> information set
    infoset: np.ndarray  # [sets, INFOSET]
    reach: np.ndarray  # [sets] of chance and the other, while it is solved
    whole: np.ndarray  # [slots, WHOLE] action, times tried
    real: np.ndarray  # [slots, REAL] regret, its last change, mix, sum of values, value, sums of growth
    used: np.ndarray  # [USED] nodes, sets, slots, the words of the longest state

    def has_room(self, count):
        """Whether a node with so many actions can have children."""
        used = self.used
        return (
            used[NODES] + count <= self.node.shape[0]
            and used[SETS] < self.infoset.shape[0]
            and used[SLOTS] + count <= self.whole.shape[0]
            and used[WIDEST] <= self.state.shape[1]
            and not self.table.full()
        )


class Room(NamedTuple):
    """For the work on one node."""

    state: np.ndarray  # [2, words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]


def new_histories(nodes: int, sets: int, slots: int, words: int) -> Histories:
    return Histories(
        np.zeros((nodes, NODE), np.int64),
        np.zeros(nodes),
        np.zeros(nodes),
        np.zeros((nodes, words), np.int64),
        tables.empty(1 << max(4, (2 * sets).bit_length())),
        np.zeros((sets, INFOSET), np.int64),
        np.zeros(sets),
        np.zeros((slots, WHOLE), np.int64),
        np.zeros((slots, REAL)),
        np.zeros(USED, np.int64),
    )


def new_room(shape) -> Room:
    return Room(np.zeros((2, shape.words), np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions))


def size(tree: Histories) -> int:
    """Bytes."""
    return sum(part.nbytes for part in (*tree[:4], tree.table.slot, *tree[5:]))


def enlarged(tree: Histories, most: int) -> Histories:
    """The same tree in half as much room again, with room for another `most` actions at one node."""
    used = tree.used
    nodes, sets, slots = (_longer(int(used[n]), most) for n in (NODES, SETS, SLOTS))
    bigger = new_histories(nodes, sets, slots, max(tree.state.shape[1], int(used[WIDEST])))
    table = tree.table
    while 2 * len(table.slot) < 3 * sets:
        table = table.grown()
    for old, new in zip(tree[:4], bigger[:4], strict=True):
        new[: used[NODES], ...] = _widened(old[: used[NODES]], new)
    for old, new in zip(tree[5:7], bigger[5:7], strict=True):
        new[: used[SETS]] = old[: used[SETS]]
    for old, new in zip(tree[7:9], bigger[7:9], strict=True):
        new[: used[SLOTS]] = old[: used[SLOTS]]
    return bigger._replace(table=table, used=used)


def _longer(count: int, most: int) -> int:
    return count + count // 2 + 2 * most + 64


def _widened(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return (
        old
        if old.ndim == 1 or old.shape[1] == new.shape[1]
        else np.pad(old, ((0, 0), (0, new.shape[1] - old.shape[1])))
    )


# --- nodes ---------------------------------------------------------------------------------------------------------------


@inlined
def hang(game, look, tree, state, parent, odds, me):
    """Write a new leaf with this state; returns its number. There must be room."""
    n = tree.used[NODES]
    tree.used[NODES] = n + 1
    node, player = tree.node[n], game.player(state)
    node[PARENT], node[FIRST], node[COUNT], node[OWNER], node[SET] = parent, NONE, 0, player, NONE
    node[OPEN] = 0 if player == OVER else 1
    tree.odds[n] = odds
    if player == OVER:
        tree.worth[n] = game.payoff(state, me)
    else:
        worth = look.value(game, state)
        tree.worth[n] = worth if me == 0 else -worth
    for word in range(min(game.live(state), tree.state.shape[1])):
        tree.state[n, word] = state[word]
    return n


@inlined
def expand(game, look, tree, room, n, me):
    """Give a leaf all its children. Returns how many, FULL, or a trouble."""
    before, after = room.state[0], room.state[1]
    for word in range(tree.state.shape[1]):
        before[word] = tree.state[n, word]
    player, count = tree.node[n, OWNER], game.actions(before, room.choice)
    if not tree.has_room(count):
        return FULL
    if player == CHANCE:
        game.odds(before, room.odds)
    live, first, left = game.live(before), tree.used[NODES], 0
    for a in range(count):
        for word in range(live):
            after[word] = before[word]
        game.step(after, room.choice[a])
        longest = game.live(after)
        if longest > tree.state.shape[1]:  # take all back: states need more words
            tree.used[NODES], tree.used[WIDEST] = first, longest
            return FULL
        left += tree.node[hang(game, look, tree, after, n, room.odds[a] if player == CHANCE else 1.0, me), OPEN]
    if player != CHANCE:
        i = enter_set(tree, room, game.view(before, player), player, count, first, me)
        if i < 0:
            return i
        tree.node[n, SET], tree.node[n, OWNER] = i, tree.infoset[i, PLAYER]
    tree.node[n, FIRST], tree.node[n, COUNT], tree.node[n, OPEN] = first, count, left
    while left == 0 and tree.node[n, PARENT] != NONE:  # nothing is left to open here, nor perhaps above
        n = tree.node[n, PARENT]
        tree.node[n, OPEN] -= 1
        left = tree.node[n, OPEN]
    return count


@inlined
def enter_set(tree, room, view, player, count, first, me):
    """The set of a node whose children begin at `first`. A new one begins with the action that looks best."""
    known = tree.used[SETS]
    i = tree.table.add(view, player)
    infoset = tree.infoset[i]
    if i < known:
        return i if infoset[WIDTH] == count else UNEQUAL
    slot, sign, best = tree.used[SLOTS], 1.0 if player == me else -1.0, 0
    tree.used[SETS], tree.used[SLOTS] = known + 1, slot + count
    infoset[SLOT], infoset[WIDTH], infoset[PLAYER], infoset[VISITS], infoset[STAMP] = slot, count, player, 0, 0
    tree.reach[i] = 0.0
    for a in range(count):
        worth = sign * tree.worth[first + a]
        if worth > sign * tree.worth[first + best]:
            best = a
        tree.whole[slot + a, ACTION], tree.whole[slot + a, TRIED] = room.choice[a], 0
        for k in range(REAL):
            tree.real[slot + a, k] = 0.0
        tree.real[slot + a, WORTH] = worth
    tree.real[slot + best, MIX] = 1.0
    return i


# --- what carries over to the next decision ------------------------------------------------------------------------------


@kernel
def value_nodes(tree, value):
    """[nodes] what each node is worth under the present mixes."""
    for n in range(tree.used[NODES] - 1, -1, -1):
        node = tree.node[n]
        if node[COUNT] == 0:
            value[n] = tree.worth[n]
            continue
        total, first = 0.0, node[FIRST]
        for a in range(node[COUNT]):
            share = tree.odds[first + a] if node[OWNER] == CHANCE else tree.real[tree.infoset[node[SET], SLOT] + a, MIX]
            total += share * value[first + a]
        value[n] = total


@kernel
def reach_nodes(tree, me, mine, theirs, gift):
    """[nodes] by the present mixes: how likely chance and the player who searches come to each node, how likely the other
    does, and what the other has given away on the way there. The rows of roots are given."""
    for n in range(tree.used[NODES]):
        node = tree.node[n]
        first = node[FIRST]
        for a in range(node[COUNT]):
            child = first + a
            mine[child], theirs[child], gift[child] = mine[n], theirs[n], gift[n]
            if node[OWNER] == CHANCE:
                mine[child] *= tree.odds[child]
                continue
            slot, share = tree.infoset[node[SET], SLOT], tree.real[tree.infoset[node[SET], SLOT] + a, MIX]
            if node[OWNER] != 1 - me:
                mine[child] *= share
            else:
                theirs[child] *= share
                mean = 0.0
                for b in range(node[COUNT]):
                    mean += tree.real[slot + b, MIX] * tree.real[slot + b, WORTH]
                gift[child] += max(0.0, mean - tree.real[slot + a, WORTH])


@kernel
def views_of(game, tree, state, player, only, out):
    """Write what a player has seen in each node, where `only` is the one to move (or anybody, by NONE) and the game goes on.
    Returns how many; out [nodes, 2] holds the number of a node and the view."""
    found = 0
    for n in range(tree.used[NODES]):
        owner = tree.node[n, OWNER]
        if owner == OVER or (only != NONE and owner != only):
            continue
        for word in range(tree.state.shape[1]):
            state[word] = tree.state[n, word]
        out[found, 0], out[found, 1] = n, game.view(state, player)
        found += 1
    return found


@kernel
def freeze(tree, inside, me):
    """Let the mixes of `me` stay as they are in all sets but those at the nodes inside [n] and below them."""
    below = np.zeros(tree.used[NODES], np.bool_)
    for k in range(inside.shape[0]):
        below[inside[k]] = True
    for n in range(tree.used[NODES]):
        node = tree.node[n]
        if node[PARENT] != NONE and below[node[PARENT]]:
            below[n] = True
        if node[OWNER] == me and node[SET] != NONE and not below[n]:
            node[OWNER] = tree.infoset[node[SET], PLAYER] = FIXED


@kernel
def cut_out(tree, chosen, place, smaller):
    """Copy what hangs below the chosen nodes into an empty tree with room enough. place [nodes] becomes where each node
    went, or NONE."""
    sets = np.full(tree.used[SETS], NONE)
    for n in range(tree.used[NODES]):
        node = tree.node[n]
        parent = node[PARENT]
        inside = parent != NONE and place[parent] != NONE
        place[n] = NONE
        if not inside and not chosen[n]:
            continue
        at = smaller.used[NODES]
        smaller.used[NODES] = at + 1
        place[n] = at
        smaller.node[at, PARENT] = place[parent] if inside else NONE
        smaller.node[at, FIRST], smaller.node[at, COUNT] = NONE, 0
        smaller.node[at, OWNER], smaller.node[at, SET], smaller.node[at, OPEN] = node[OWNER], NONE, node[OPEN]
        smaller.worth[at], smaller.odds[at] = tree.worth[n], tree.odds[n]
        for word in range(tree.state.shape[1]):
            smaller.state[at, word] = tree.state[n, word]
        if inside and smaller.node[place[parent], FIRST] == NONE:
            above = place[parent]
            smaller.node[above, FIRST], smaller.node[above, COUNT] = at, tree.node[parent, COUNT]
            old = tree.node[parent, SET]
            if old != NONE:
                if sets[old] == NONE:
                    sets[old] = smaller.used[SETS]
                    keep_set(tree, smaller, old)
                smaller.node[above, SET] = sets[old]
    for row in range(tree.table.slot.shape[0]):  # the same views, with new numbers
        owner = tree.table.slot[row, tables.OWNER]
        if owner != tables.EMPTY and sets[owner >> 8] != NONE:
            smaller.table.enter(tree.table.slot[row, tables.VIEW], owner & 255, sets[owner >> 8])


@inlined
def keep_set(tree, smaller, old):
    """Append a set with all that it has learned."""
    i, slot = smaller.used[SETS], smaller.used[SLOTS]
    width, before = tree.infoset[old, WIDTH], tree.infoset[old, SLOT]
    smaller.used[SETS], smaller.used[SLOTS] = i + 1, slot + width
    for k in range(INFOSET):
        smaller.infoset[i, k] = tree.infoset[old, k]
    smaller.infoset[i, SLOT], smaller.infoset[i, STAMP] = slot, 0
    smaller.reach[i] = 0.0
    for a in range(width):
        for k in range(WHOLE):
            smaller.whole[slot + a, k] = tree.whole[before + a, k]
        for k in range(REAL):
            smaller.real[slot + a, k] = tree.real[before + a, k]
