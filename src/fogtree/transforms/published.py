"""What is public in a game that does not say so itself, found by enumerating it.

Where each information set lies at one depth, whoever is to move knows how many moves were made. Then two histories of one
depth must have the same public key if some player cannot tell them apart, or cannot tell apart later what follows from them.
The components of this relation are public keys that keep the contract of `public` (`game.py`). They are found from the
deepest histories up: all histories of a component came from one component.

Where information sets lie at several depths, or the game is too large to enumerate, nothing is public. So it is where a
state has words that do not matter (`live`), for a state is known here by its row.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import NONE, Shape, label, show
from ..kernels import kernel
from ..kernels.bits import times
from ..walk import table as tables
from ..walk.estimate import surely_more
from ..walk.slices import Watcher
from ..walk.whole import walk_through
from . import handed

MOST = 1_000_000  # histories that are enumerated
COLUMNS = ("parent", "state", "infoset", "depth", "sight")
ODD, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)  # of the hash of a state


def row_key(state):
    """A hash of a state."""
    key = np.int64(0)
    for word in range(state.shape[0]):
        key = mixed(key, state[word])
    return key


def mixed(key, word):
    """The hash of a key and one more word."""
    product = times(times(np.uint64(key), ODD) ^ np.uint64(np.int64(word)), ODD)
    return np.int64(product ^ (product >> SHIFT))


@handed.hands_on(
    handed.start, handed.player, handed.actions, handed.odds, handed.step, handed.payoff, handed.view, handed.version
)
class Published(NamedTuple):
    """A game and the public keys of its states."""

    game: Any
    table: tables.Table  # of states, by the hashes of their rows
    key: np.ndarray  # [state]

    def shape(self) -> Shape:
        return self.game.shape()

    def public(self, state):
        return self.key[self.table.find(row_key(state), 0)]

    def show(self, state, player) -> str:
        return show(self.game, state, player)

    def label(self, state, action) -> str:
        return label(self.game, state, action)


class _Histories(NamedTuple):
    """Lists all histories on a walk (`walk/whole.py`)."""

    states: tables.Table
    sets: tables.Table  # of views of those who are to move
    views: tables.Table  # of views at one depth
    parent: np.ndarray  # [history] the history before, or NONE
    state: np.ndarray  # [history] number of its state
    infoset: np.ndarray  # [history] number of its information set, or NONE
    depth: np.ndarray  # [history]
    sight: np.ndarray  # [history, players] number of each player's view at this depth
    path: np.ndarray  # [moves + 1] the histories on the present path
    used: np.ndarray  # [1] histories

    def room(self):
        return self.used[0] < self.parent.shape[0] and not (
            self.states.full() or self.sets.full() or self.nearly_full()
        )

    def nearly_full(self):
        """Whether the views of one more history might not fit."""
        return 3 * (self.views.used[0] + self.sight.shape[1]) >= 2 * self.views.slot.shape[0]

    def enter(self, game, state, player, actions, count, depth):
        n = self.used[0]
        self.used[0] = n + 1
        self.path[depth] = n
        self.parent[n] = self.path[depth - 1] if depth else NONE
        self.state[n] = self.states.add(row_key(state), 0)
        self.infoset[n] = self.sets.add(game.view(state, player), player) if player >= 0 else NONE
        self.depth[n] = depth
        for who in range(self.sight.shape[1]):
            self.sight[n, who] = self.views.add(mixed(depth, game.view(state, who)), who)
        return count

    def descend(self, depth, position):
        pass


def _roomier(found: _Histories) -> _Histories:
    grown: dict[str, Any] = {
        name: np.concatenate([rows, np.empty_like(rows)])
        for name in COLUMNS
        if len(rows := getattr(found, name)) <= found.used[0]
    }
    for name in ("states", "sets"):
        if getattr(found, name).full():
            grown[name] = getattr(found, name).grown()
    if found.nearly_full():
        grown["views"] = found.views.grown()
    return found._replace(**grown)


def published(game: Any, *, most: int = MOST, progress: Watcher | None = None) -> Any:
    """The game itself where it has `public`, or where nothing is public; else the game with public keys that are found by
    enumerating up to so many histories."""
    if hasattr(game, "public") or hasattr(game, "live") or surely_more(game, most):
        return game
    found = _listed(game, most, progress)
    key = None if found is None else _components(found)
    return game if key is None else Published(game, found.states, key)  # type: ignore[union-attr]


class _TooMany(Exception):
    pass


def _listed(game: Any, most: int, progress: Watcher | None) -> _Histories | None:
    """All histories, or None if there are more."""

    def grow(found: _Histories) -> _Histories:
        if found.used[0] > most:
            raise _TooMany
        return _roomier(found)

    shape, room = game.shape(), 1 << 10
    capacity = 4 * room * (1 << (shape.players - 1).bit_length())
    first = _Histories(
        states=tables.empty(capacity),
        sets=tables.empty(capacity),
        views=tables.empty(capacity),
        parent=np.empty(room, np.int64),
        state=np.empty(room, np.int64),
        infoset=np.empty(room, np.int64),
        depth=np.empty(room, np.int64),
        sight=np.empty((room, shape.players), np.int64),
        path=np.zeros(shape.moves + 1, np.int64),
        used=np.zeros(1, np.int64),
    )
    try:
        found, count = walk_through(game, first, grow, progress)
    except _TooMany:
        return None
    return found._replace(**{name: getattr(found, name)[:count] for name in COLUMNS})


def _components(found: _Histories) -> np.ndarray | None:
    """[state] the public key, or None where states or information sets lie at several depths."""
    deciding = found.infoset != NONE
    for where, number in ((np.ones_like(deciding), found.state), (deciding, found.infoset)):
        depth, at = found.depth[where], number[where]
        first = np.zeros(int(at.max(initial=0)) + 1, np.int64)
        first[at] = depth
        if (first[at] != depth).any():
            return None
    group = np.arange(len(found.parent))
    order = np.argsort(-found.depth, kind="stable")
    ends = np.searchsorted(-found.depth[order], np.arange(-int(found.depth.max()), 1), side="right")
    _join(group, found.parent, found.state, found.sight, order, ends, *_scratch(found))
    key = np.zeros(int(found.state.max()) + 1, np.int64)
    key[found.state] = np.unique(group, return_inverse=True)[1]
    return key


def _scratch(found: _Histories) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first history of each state and of each view, and the first parent of each group: none yet."""
    sizes = int(found.state.max()) + 1, int(found.sight.max()) + 1, len(found.parent)
    return np.full(sizes[0], NONE), np.full(sizes[1], NONE), np.full(sizes[2], NONE)


@kernel
def _join(group, parent, state, sight, order, ends, of_state, of_view, before):
    """Write the first history of its group for each history, from the deepest ones up. `order` lists the histories by depth,
    and `ends` where each depth ends."""
    begin = 0
    for end in ends:
        for k in range(begin, end):
            n = order[k]
            _unite(group, of_state, state[n], n)
            for who in range(sight.shape[1]):
                _unite(group, of_view, sight[n, who], n)
        for k in range(begin, end):  # only now all of the depth are in their groups
            n = order[k]
            group[n] = _top(group, n)
        for k in range(begin, end):
            n = order[k]
            if parent[n] != NONE:
                _unite(group, before, group[n], parent[n])
        begin = end


def _unite(group, first, item, n):
    """Join a history with the first that has this item."""
    if first[item] == NONE:
        first[item] = n
        return
    one, other = _top(group, first[item]), _top(group, n)
    if one != other:
        group[other] = one


def _top(group, n):
    """The first history of a group; the path to it is shortened on the way."""
    while group[n] != n:
        group[n] = group[group[n]]
        n = group[n]
    return n
