"""Where a search at the table sends its samples: to the histories that go with what its player has seen in the match.

An aim follows a sample move by move. It stands at a place, which is a number of 0 or more as long as the target lies ahead,
INSIDE once it is reached, and OUT where it cannot be reached any more. An aim is a `NamedTuple` with four methods:

    begin()                          the place of the start of the game
    look(at, player, view)           the place, when a player has a choice who sees this
    after(at, player, chosen, action)   the place after an action, which is number `chosen` among the legal ones
    forced(at)                       the place after the only action that there is

    Nowhere      no target: all samples are free
    Histories    a tree of all histories that lead to the target. It is exact: an action leads on if and only if it is in the
                 tree
    OwnMoves     the player's own moves alone, for games with too many histories to list. A sample that is aimed so may still
                 miss the target, by a move of chance or of somebody else

`Aiming` makes them, from decision to decision of one match. A history that fits is found once: the tree of the next decision
grows from the leaves of the last.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE, OVER, legal
from ...kernels import kernel
from ...trouble import ENDLESS, require_fine
from ...walk.slices import whole

OUT, INSIDE = -1, -2  # in place of a place
NODES, LEAVES, WALKED, WRONG = 0, 1, 2, 3  # words of `used`
FIRST_ROWS = 1 << 8
MOST_NODES = 1 << 18  # of a tree of histories
MOST_WALKED = 1 << 21  # histories on the way from one decision to the next
MOST_BYTES = 1 << 26  # of the children of all nodes
DONE, CUT = 0, 1  # how a walk ended
KNOWN, KEY = 0, 1  # words of what `PublicOf` finds


class Nowhere(NamedTuple):
    """There is no target."""

    def begin(self):
        return INSIDE

    def look(self, at, player, view):
        return at

    def after(self, at, player, chosen, action):
        return at

    def forced(self, at):
        return at


class Histories(NamedTuple):
    """All histories that lead to the target, as a tree; node 0 is the start of the game."""

    child: np.ndarray  # [nodes, actions] by the number of an action among the legal ones: a node, INSIDE or OUT

    def begin(self):
        return 0

    def look(self, at, player, view):
        return at

    def after(self, at, player, chosen, action):
        return np.int64(self.child[at, chosen])

    def forced(self, at):
        return np.int64(self.child[at, 0])


class OwnMoves(NamedTuple):
    """The player's own decisions up to now, and what was played at each but the last; NONE where that is not known."""

    me: int
    view: np.ndarray  # [decisions]
    action: np.ndarray  # [decisions]

    def begin(self):
        return 0

    def look(self, at, player, view):
        if at < 0 or player != self.me:
            return at
        if view != self.view[at]:
            return OUT
        return INSIDE if at + 1 == self.view.shape[0] else at

    def after(self, at, player, chosen, action):
        if player != self.me:
            return at
        return at + 1 if self.action[at] == NONE or action == self.action[at] else OUT

    def forced(self, at):
        return at


class ByView(NamedTuple):
    """The target is an information set: the player has made this move, or any if it is NONE, and now has this view."""

    action: int
    view: Any  # of 64 bits

    def plays(self, action):
        return self.action == NONE or action == self.action

    def take(self, growth, game, me, depth, above, chosen):
        """Take a decision of the player that was walked to, behind this row; returns whether the walk may go on."""
        return game.view(growth.state[depth + 1], me) != self.view or growth.keep(depth, above, chosen)


class ByPublic(NamedTuple):
    """The target is what everybody knows: the player has made any move, and now this is public."""

    key: Any  # of 64 bits

    def plays(self, action):
        return True

    def take(self, growth, game, me, depth, above, chosen):
        return game.public(growth.state[depth + 1]) != self.key or growth.keep(depth, above, chosen)


class PublicOf(NamedTuple):
    """There is no target yet: the first decision at which the player has this view says what is public there."""

    view: Any  # of 64 bits
    found: np.ndarray  # [2] whether there is one | the key

    def plays(self, action):
        return True

    def take(self, growth, game, me, depth, above, chosen):
        state = growth.state[depth + 1]
        if game.view(state, me) != self.view:
            return True
        self.found[KNOWN], self.found[KEY] = 1, game.public(state)
        return False


class Growth(NamedTuple):
    """A tree of histories that grows, the states at its leaves, and the room to walk from one decision to the next."""

    child: np.ndarray  # [rows, actions] int32
    parent: np.ndarray  # [rows] the node above
    chosen: np.ndarray  # [rows] the number of the action that leads here
    leaf_state: np.ndarray  # [rows, words]
    leaf_node: np.ndarray  # [rows] the node above a leaf
    leaf_chosen: np.ndarray  # [rows]
    used: np.ndarray  # [4] nodes | leaves | histories walked | a number of trouble.py, or 0
    state: np.ndarray  # [moves + 2, words]
    choice: np.ndarray  # [moves + 2, actions]
    width: np.ndarray  # [moves + 2] actions
    taken: np.ndarray  # [moves + 2] the action that is being followed
    node: np.ndarray  # [moves + 2] NONE where a history is not in the tree yet

    def list_actions(self, game, depth):
        self.width[depth] = game.actions(self.state[depth], self.choice[depth])
        self.taken[depth] = NONE
        self.node[depth] = NONE

    def spread(self, game, rule, me, above, chosen, most_walked):
        """From the state in row 0, which follows this node by this action, to the next decisions of `me`, for the rule to
        take. Returns whether the walk was finished."""
        depth, own = 0, game.player(self.state[0]) == me
        self.list_actions(game, 0)
        while depth >= 0:
            if self.taken[depth] + 1 == self.width[depth]:
                depth -= 1
                continue
            self.taken[depth] += 1
            action = self.choice[depth, self.taken[depth]]
            if depth == 0 and own and not rule.plays(action):
                continue
            self.used[WALKED] += 1
            if self.used[WALKED] > most_walked:
                return False
            if depth + 2 == self.state.shape[0]:
                self.used[WRONG] = ENDLESS
                return False
            for word in range(self.state.shape[1]):
                self.state[depth + 1, word] = self.state[depth, word]
            state = self.state[depth + 1]
            game.step(state, action)
            player = game.player(state)
            if player == OVER:
                continue
            self.list_actions(game, depth + 1)
            if player != me or self.width[depth + 1] == 1:
                depth += 1
            elif not rule.take(self, game, me, depth, above, chosen):
                return False
        return True

    def keep(self, depth, above, chosen):
        """Enter the history that was just walked; its last action was played in this row. Returns whether there was room."""
        used = self.used
        if used[NODES] + depth + 1 > self.child.shape[0] or used[LEAVES] == self.leaf_node.shape[0]:
            return False
        for d in range(depth + 1):
            if self.node[d] == NONE:
                n = used[NODES]
                used[NODES] += 1
                self.node[d] = n
                self.parent[n], self.chosen[n] = (above, chosen) if d == 0 else (self.node[d - 1], self.taken[d - 1])
                for a in range(self.child.shape[1]):
                    self.child[n, a] = OUT
                if self.parent[n] != NONE:
                    self.child[self.parent[n], self.chosen[n]] = n
        leaf = used[LEAVES]
        used[LEAVES] += 1
        self.child[self.node[depth], self.taken[depth]] = INSIDE
        self.leaf_node[leaf], self.leaf_chosen[leaf] = self.node[depth], self.taken[depth]
        for word in range(self.state.shape[1]):
            self.leaf_state[leaf, word] = self.state[depth + 1, word]
        return True


@kernel
def grow_slice(game, rule, me, growth, state, node, chosen, most_walked):
    """From these states, each below a node, to the player's next decisions. Returns DONE, or CUT where the rule has ended the
    walk, for it had no room or has found what it looks for, or where there is too much to walk."""
    growth.used[WALKED] = 0
    for k in range(state.shape[0]):
        for word in range(state.shape[1]):
            growth.state[0, word] = state[k, word]
        if not growth.spread(game, rule, me, node[k], chosen[k], most_walked):
            return CUT
    return DONE


@kernel
def prune(growth):
    """Cut off what leads to no leaf. Children come after their parents, so backwards is leaves first."""
    for n in range(growth.used[NODES] - 1, 0, -1):
        alive = False
        for a in range(growth.child.shape[1]):
            alive |= growth.child[n, a] != OUT
        if not alive:
            growth.child[growth.parent[n], growth.chosen[n]] = OUT


class Aiming:
    """Follows one match of one player: `observe` at each decision of theirs that has a choice, and `acted` after it, if it is
    known what was played; a later view tells it as well, only it takes longer to find what goes with it.

    With `public` the target is everything that looks the same to all players, else the player's own information set. Where
    there are too many histories, `exact` is False, and from then on the aim is at the player's own moves alone; with `public`
    there is none then.
    """

    def __init__(self, game: Any, player: int, *, public: bool = False, cap: int = MOST_NODES):
        shape = game.shape()
        if public and not hasattr(game, "public"):
            raise Invalid(f"{type(game).__name__} does not say what is public: it has no method `public`")
        self.game, self.player, self.public, self.exact = game, player, public, True
        self.cap = max(4, min(whole(cap, "cap", 1), MOST_BYTES // (4 * shape.actions)))
        self.growth = _rooted(game, min(FIRST_ROWS, self.cap))
        self.course: list[tuple[int, int]] = []  # views and the actions taken there
        self.aim: Any = Nowhere()
        start = self.growth.leaf_state[0]
        self._begins = int(game.player(start)) == player and len(legal(game, start)) > 1  # a decision of theirs
        self._seen: int | None = None  # the view that was observed last, if no action was taken since
        self._action = NONE

    @property
    def states(self) -> int:
        """How many states the target has; 0 where they are too many to list."""
        return int(self.growth.used[LEAVES]) if self.exact else 0

    def views(self) -> list[int]:
        """The views that the player has in the states of the target, each once."""
        with np.errstate(over="ignore"):
            states = self.growth.leaf_state[: self.states]
            return list(dict.fromkeys(int(self.game.view(state, self.player)) for state in states))

    @property
    def impossible(self) -> bool:
        """Whether what was observed last cannot follow from what was before: it belongs to another match."""
        return self.exact and not self.growth.used[LEAVES]

    def copy(self) -> "Aiming":
        """The same match, which may go on differently from here."""
        other = object.__new__(Aiming)
        other.__dict__ |= self.__dict__
        other.growth = Growth(*(array.copy() for array in self.growth))
        other.course = list(self.course)
        return other

    def acted(self, view: int, action: int = NONE) -> None:
        """The player has taken an action."""
        self.course.append((view, action))
        self._action, self._seen = action, None

    def observe(self, view: int) -> Any:
        """The player is to move and has this view; returns the aim."""
        if self._seen != view:
            with np.errstate(over="ignore"):  # views may be hashes, which wrap round
                self.aim = self._aimed(np.int64(view))
            self._seen = view
        return self.aim

    def _aimed(self, view: np.int64) -> Any:
        if self._begins and not self.course:
            return Nowhere()
        if self.exact:
            self._grow(view)
        if self.exact and self.growth.used[LEAVES]:
            return Histories(self.growth.child[: self.growth.used[NODES]])
        if self.public:
            return Nowhere()
        views = np.array([*(seen for seen, _ in self.course), view], np.int64)
        return OwnMoves(self.player, views, np.array([*(action for _, action in self.course), NONE], np.int64))

    def _grow(self, view: np.int64) -> None:
        """Go from the last decision to this one."""
        old = self.growth
        count = int(old.used[LEAVES])
        begins = old.leaf_state[:count].copy(), old.leaf_node[:count].copy(), old.leaf_chosen[:count].copy()
        rule: Any = ByView(self._action, view)
        if self.public:
            found = np.zeros(2, np.int64)
            self._walk(PublicOf(view, found), begins)
            if not found[KNOWN]:
                old.used[LEAVES], self.exact = 0, bool(old.used[WALKED] <= MOST_WALKED)
                return
            rule = ByPublic(found[KEY])
        for node, chosen in zip(*begins[1:], strict=True):
            if node != NONE:
                old.child[node, chosen] = OUT
        nodes = int(old.used[NODES])
        while True:  # it ends: the room grows to the cap at most
            growth = self.growth
            growth.used[NODES], growth.used[LEAVES] = nodes, 0
            if self._walk(rule, begins) == DONE:
                prune(growth)
                return
            if len(growth.child) == self.cap or growth.used[WALKED] > MOST_WALKED:
                self.exact = False
                return
            self.growth = _larger(growth, min(self.cap, 4 * len(growth.child)))
            for node, chosen in zip(*begins[1:], strict=True):
                if node != NONE:
                    self.growth.child[node, chosen] = OUT

    def _walk(self, rule: Any, begins: Any) -> int:
        ended = grow_slice(self.game, rule, self.player, self.growth, *begins, MOST_WALKED)
        require_fine(int(self.growth.used[WRONG]), self.game)
        return ended


def _rooted(game: Any, rows: int) -> Growth:
    """The start of the game, from which the first decisions are looked for."""
    shape = game.shape()
    depth = shape.moves + 2
    growth = Growth._make(
        (
            np.full((rows, shape.actions), OUT, np.int32),
            *np.zeros((2, rows), np.int64),
            np.zeros((rows, shape.words), np.int64),
            *np.full((2, rows), NONE, np.int64),
            np.zeros(4, np.int64),
            np.zeros((depth, shape.words), np.int64),
            np.zeros((depth, shape.actions), np.int64),
            *np.zeros((3, depth), np.int64),
        )
    )
    game.start(growth.leaf_state[0])
    growth.used[LEAVES] = 1
    return growth


def _larger(growth: Growth, rows: int) -> Growth:
    """The same tree with more room."""
    fields = ("child", "parent", "chosen", "leaf_state", "leaf_node", "leaf_chosen")
    longer = {}
    for field in fields:
        old = getattr(growth, field)
        new = np.zeros((rows, *old.shape[1:]), old.dtype)
        new[: len(old)] = old
        longer[field] = new
    return growth._replace(**longer)
