"""KLUSS: knowledge-limited unfrozen subgame solving (Zhang and Sandholm, arXiv 2506.01242, 2025), for any game of two
players.

At each decision of the player who searches, with I the histories that fit what the player has seen:

    knowledge   I^2 are the histories of the last tree in which the other has seen the same as in some history of I. What
                hangs below them is kept, with all that was learned there; the rest is forgotten, as if both knew that it is
                not so
    reach       of the histories of one group J (the other has seen the same): by chance and by the player's last mixes
    gadgets     Resolve and Maxmargin over the groups (`gadgets.py`). What the player could expect at J is the value of the
                last profile there, less what the other gave away on the way: the sum of max(0, u(J') - u(J'a')), the
                other's values of the other's earlier decisions (the print has counterfactual values; ours are conditional,
                as alt(J) is)
    positions   if fewer than `gather` histories of I are in the tree, and more states fit, random ones are added. Each is a
                group of its own, as if the other knew it, where min(evaluation, last value) can be expected
    growth      the tree grows and is solved at once (`growing.py`); leaves are judged with open cards (`leaves.py`)
    whole       in small games: where the tree has begun with the start of the game, and all histories that could be common
                knowledge are `common` at most, all of them are kept, and not I^2 alone. Then knowledge is not limited
    play        the last mix, and where an evaluation judges leaves, a purified one: where the other would enter no gadget,
                up to three actions that were played in every iteration of the second half; else the likeliest alone

At the first decision of a match the tree begins with the start of the game, if the way to the decision is short, and nobody
can exit. Where there is no evaluation, a small game is opened whole there. There is no guarantee of safety where I^2 is not
everything. That is the rule even in small games: who holds a card knows that the other does not, so I^2 lacks that group.
"""

import enum
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...clock import clock
from ...errors import Invalid
from ...evaluation import AtEnd, as_evaluation
from ...game import NONE, OVER, legal, new_state
from ...kernels import kernel
from ...text.naming import as_game
from ...trouble import require_fine
from ...walk.slices import Budget, Progress, Watcher, budget, in_slices, number, telling, whole
from .gadgets import ALPHA, ALT, ENTER, MARGIN, NUMBERS, REACH, SAFE, WEIGHT, Gadgets
from .growing import (
    AVERAGES,
    COUNTS,
    GROWN,
    ITERATIONS,
    VALUE,
    VALUES,
    WALKS,
    BothSides,
    OneSided,
    Stack,
    new_stack,
    search_slice,
)
from .histories import (
    ACTION,
    COUNT,
    FULL,
    MIX,
    NODES,
    OWNER,
    PARENT,
    SETS,
    SLOT,
    SLOTS,
    WIDEST,
    WIDTH,
    Histories,
    cut_out,
    enlarged,
    expand,
    freeze,
    hang,
    new_histories,
    new_room,
    reach_nodes,
    size,
    value_nodes,
    views_of,
)
from .leaves import AtOnce, settled

MANY = 2  # times `gather` histories of I are kept from the last tree, at most
GATHER = 256  # histories of I, at least, where there are so many
QUIET_PLIES = 4
MEMORY = 1 << 30  # bytes
FIRST_NODES = 1 << 14  # room beyond what is carried over
SHORT = 1 << 12  # nodes on the way to the first decision
SMALL, CHUNK = 1 << 14, 1 << 9  # histories of a game that is opened whole; leaves that are opened at a time
SETTLING = 0.12  # the share of the time in which the tree no longer grows
LAST_ROUNDS = 32  # iterations without growth, where walks are counted
MIXED = 3  # actions, in purified play
EVEN = 0.5  # the share of Resolve's groups that is drawn evenly; the others by how likely the other comes there
ORDER = 2
COMMON = 1 << 10  # histories that could be common knowledge, up to which all are kept


class Play(enum.Enum):
    """What is played of what was found."""

    PURIFIED = "purified"  # the last mix, purified where an evaluation judges leaves
    LAST = "last"  # the last mix
    AVERAGE = "average"  # the mean of the mixes of the second half


class Growth(enum.Enum):
    """Who explores when the tree grows."""

    ONE = "one"  # one player in turn
    BOTH = "both"


GROWTHS = {Growth.ONE: OneSided(), Growth.BOTH: BothSides()}


class Insight(NamedTuple):
    """What a search found."""

    actions: list[int]
    last: np.ndarray  # [actions] the last mix
    average: np.ndarray  # [actions] the mean of the mixes of the second half
    stable: np.ndarray  # [actions] whether it was played in every iteration of the second half
    safe: bool  # the other would enter the gadget nowhere
    judged: bool  # by an evaluation that guesses what leaves are worth
    whole: bool  # nothing is left out that could be common knowledge
    value: float  # what the player expects
    worlds: int  # histories of I in the tree
    groups: int
    nodes: int
    sets: int
    walks: int
    rounds: int  # iterations of PCFR+
    grown: int  # nodes that are new
    note: str = ""

    def mix(self, play: Play = Play.PURIFIED) -> dict[int, float]:
        """{action: probability}"""
        share = self.average if play is Play.AVERAGE else self.last
        if play is Play.PURIFIED and self.judged:
            share = purified(self.last, self.stable, self.safe)
        return {action: float(p) for action, p in zip(self.actions, share, strict=True) if p > 0.0}


def purified(last: np.ndarray, stable: np.ndarray, safe: bool) -> np.ndarray:
    """The mix of the likeliest action and, where that is safe, of up to two others that were always played; the rest goes
    to the likeliest."""
    order = np.argsort(-last, kind="stable")
    kept = np.zeros(len(last), bool)
    kept[order[0]] = True
    if safe:
        kept[[a for a in order[1:] if stable[a] and last[a] > 0.0][: MIXED - 1]] = True
    share = np.where(kept, last, 0.0)
    share[order[0]] += 1.0 - share.sum()
    return share


class Carried(NamedTuple):
    """What goes from one decision to the next."""

    tree: Histories
    gadgets: Gadgets
    mine: np.ndarray  # [roots] how likely chance and the player come there; to an added one as to a usual one of I
    value: float
    whole: bool  # nothing is left out that could be common knowledge


# --- kernels -------------------------------------------------------------------------------------------------------------


@kernel
def hang_leaf(game, look, tree, state, me):
    """A root with this state; its number, or FULL."""
    if not tree.has_room(1):
        return FULL
    live = game.live(state)
    if live > tree.state.shape[1]:
        tree.used[WIDEST] = live
        return FULL
    return hang(game, look, tree, state, NONE, 1.0, me)


@kernel
def open_nodes(game, look, tree, room, which, first, me):
    """Give children to these leaves, from number `first` on. Returns where it stopped for want of room, or a trouble."""
    for k in range(first, which.shape[0]):
        if tree.node[which[k], COUNT] == 0:
            opened = expand(game, look, tree, room, which[k], me)
            if opened == FULL:
                return k
            if opened < 0:
                return opened
    return which.shape[0]


@kernel
def choose_roots(tree, inside, near, above, chosen):
    """The topmost nodes that are near, and neither lead to a node that is inside nor hang below a chosen one."""
    for n in range(tree.used[NODES] - 1, -1, -1):
        parent = tree.node[n, PARENT]
        if parent != NONE and (inside[n] or above[n]):
            above[parent] = True
    covered = np.zeros(tree.used[NODES], np.bool_)
    for n in range(tree.used[NODES]):
        parent = tree.node[n, PARENT]
        covered[n] = parent != NONE and (covered[parent] or chosen[parent])
        chosen[n] = near[n] and not above[n] and not covered[n]


# --- the search ----------------------------------------------------------------------------------------------------------


class KLUSS:
    """A search of one match for one player, decision after decision.

        search = KLUSS(game, player, seed=1)
        found = search.think(view, states, seconds=1.0)    # states [n, words]: all that fit, or a sample of them
        found.mix()

    `evaluation` judges leaves, by default the game's own. If the game has `noisy`, that is after at most `quiet` plies of
    noisy moves. When `memory` is used up the tree stops growing, and `note` says so.

    The last parameters leave out or change a part of the method, to measure what it is worth. `order`: how far knowledge
    goes that is kept, I^order; 1 is what the player holds possible and nothing else. `common`: up to how many histories all
    are kept that could be common knowledge; 0 never does. `frozen`: the player's sets outside I
    are not solved again, but keep the last mixes (KLSS, Zhang and Sandholm 2021). `even`: the share of Resolve's groups
    that is drawn evenly. `growth`: who explores.
    """

    def __init__(
        self,
        game: Any,
        player: int,
        seed: int = 0,
        *,
        evaluation: Any = None,
        quiet: int = QUIET_PLIES,
        gather: int = GATHER,
        memory: float = MEMORY,
        order: int = ORDER,
        common: int = COMMON,
        frozen: bool = False,
        even: float = EVEN,
        growth: Growth = Growth.ONE,
    ):
        self.game, self.player = as_game(game), player
        self.shape = self.game.shape()
        require_duel(self.game)
        if player not in (0, 1):
            raise Invalid(f"a player is 0 or 1, not {player}")
        if evaluation is None:
            evaluation = self.game.evaluation() if hasattr(self.game, "evaluation") else AtEnd()
        judged = as_evaluation(evaluation)
        noisy = hasattr(self.game, "noisy") and whole(quiet, "quiet") > 0
        self.look: Any = settled(self.shape, judged, quiet) if noisy else AtOnce(judged)
        self.gather, self.memory = whole(gather, "gather", 1), number(memory, "memory")
        self.order, self.common = whole(order, "order", 1), whole(common, "common")
        self.frozen, self.even, self.growth = frozen, number(even, "even"), GROWTHS[growth_of(growth)]
        if self.even > 1.0:
            raise Invalid(f"even must be a number from 0 to 1, not {even!r}")
        self.random, self.room = dice.seeded(seed), new_room(self.shape)
        self.unit = (self.shape.high - self.shape.low) / 2
        self.carried: Carried | None = None
        self.note = ""
        self._stack: Stack = new_stack(self.shape.moves + 3, 1)

    def think(
        self,
        view: int,
        states: Any,
        *,
        fitting: int | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Watcher | None = None,
    ) -> Insight | None:
        """Search where the player is to move and has this view. `states` are those that fit, or a function that draws so
        many of them; `fitting` says how many there are. None if nothing is known: no state fits, and no history of the last
        tree does."""
        spend, began = budget(iterations, seconds), clock()
        draw = states
        if not callable(states):
            given = np.asarray(states, np.int64)
            if given.ndim != 2 or given.shape[1] != self.shape.words:
                raise Invalid(f"states have {self.shape.words} words each and stand in rows, not {given.shape}")
            draw, fitting = lambda count: self._drawn(given, count), len(given) if fitting is None else fitting
        with np.errstate(over="ignore"):
            inside = self._build(view, math.inf if fitting is None else fitting, draw)
            if not len(inside):
                self.carried = None
                return None
            self._open(inside)
            watched = int(self.tree.table.find(np.int64(view), self.player))
            if watched < 0:
                raise Invalid(f"player {self.player} is to move and has this view in none of the states")
            spend = spend._replace(seconds=max(0.0, spend.seconds - (clock() - began)))
            return self._search(watched, len(inside), spend, progress)

    def copy(self) -> "KLUSS":
        """The same match, which may go on differently from here. What was carried is only read, so both may go on from it."""
        other = object.__new__(KLUSS)
        other.__dict__ |= self.__dict__
        other.random = self.random.copy()
        return other

    @property
    def tree(self) -> Histories:
        assert self.carried is not None
        return self.carried.tree

    # --- what is solved ---

    def _build(self, view: int, fitting: float, draw: Callable[[int], np.ndarray]) -> np.ndarray:
        """The tree and the gadgets of this decision. Returns the nodes in which the player has the view."""
        self.note = ""
        inside = np.zeros(0, np.int64)
        if self.carried is not None:
            inside = self._carry(view)
        elif fitting <= self.gather:
            inside = self._begin(view)
        missing = int(min(fitting, self.gather)) - len(inside)
        return np.concatenate([inside, self._add(draw, missing, inside)]) if missing > 0 else inside

    def _begin(self, view: int) -> np.ndarray:
        """A tree from the start of the game to the player's first decisions with a choice; nothing if the way is long. Where
        no evaluation tells what a leaf is worth, growth has nothing to go by: there a small game is opened whole."""
        if not (self._blind() and self._begun(lambda n: True, SMALL)) and not self._begun(
            self._leaves_no_choice, SHORT
        ):
            self.carried = None
            return np.zeros(0, np.int64)
        inside = self._with_view(view)
        if not len(inside):
            self.carried = None
        return inside

    def _begun(self, opened: Callable[[int], bool], most: int) -> bool:
        """Begin a tree in which chance, the other, and the player where `opened` says so of a node, have moved; whether it
        has so many nodes at most."""
        tree = new_histories(FIRST_NODES, FIRST_NODES, FIRST_NODES, self.shape.words)
        gadgets = _gadgets([[0]], [np.ones(1)], np.ones(1), np.zeros(1), gated=False)
        self.carried = Carried(tree, gadgets, np.ones(1), 0.0, True)
        hang_leaf(self.game, self.look, self.tree, new_state(self.game), self.player)
        done = 0
        while done < self.tree.used[NODES] <= most:
            many = min(int(self.tree.used[NODES]), done + CHUNK)
            owner = self.tree.node[done:many, OWNER].tolist()
            chosen = [n for n, who in enumerate(owner, done) if who != OVER and (who != self.player or opened(n))]
            self._open(np.array(chosen, np.int64))
            done = many
        return int(self.tree.used[NODES]) <= most

    def _blind(self) -> bool:
        """Whether no evaluation tells what a leaf is worth."""
        return isinstance(self.look, AtOnce) and isinstance(self.look.evaluation, AtEnd)

    def _leaves_no_choice(self, n: int) -> bool:
        return len(legal(self.game, self._whole(n))) == 1

    def _with_view(self, view: int) -> np.ndarray:
        """The nodes in which the player is to move and has this view."""
        pairs = self._views(self.player, self.player)
        return pairs[pairs[:, 1] == view, 0]

    def _views(self, player: int, only: int) -> np.ndarray:
        out = np.zeros((int(self.tree.used[NODES]), 2), np.int64)
        return out[: views_of(self.game, self.tree, self.room.state[0], player, only, out)]

    def _carry(self, view: int) -> np.ndarray:
        """Keep what hangs below I^2. Returns the nodes of I."""
        assert self.carried is not None
        old, tree = self.carried, self.carried.tree
        inside = self._with_view(view)
        if not len(inside):
            self.carried = None
            return inside
        all_inside = len(inside)
        inside = np.sort(self._drawn(inside, MANY * self.gather))
        many = int(tree.used[NODES])
        within, chosen, above = (np.zeros(many, bool) for _ in range(3))
        within[inside] = True
        theirs_seen, near, whole = self._near(within, old.whole and len(inside) == all_inside)
        choose_roots(tree, within, near, above, chosen)
        roots = np.flatnonzero(chosen)
        value, gift = np.zeros(many), np.zeros(many)
        mine, theirs = np.zeros(many), np.zeros(many)
        mine[old.gadgets.root] = old.mine
        theirs[old.gadgets.root] = np.repeat(old.gadgets.number[:, WEIGHT], old.gadgets.group[:, 1])
        value_nodes(tree, value)
        reach_nodes(tree, self.player, mine, theirs, gift)
        smaller = new_histories(
            many + FIRST_NODES, int(tree.used[SETS]) + FIRST_NODES, int(tree.used[SLOTS]) + FIRST_NODES, 1
        )
        smaller = smaller._replace(state=np.zeros((many + FIRST_NODES, tree.state.shape[1]), np.int64))
        place = np.zeros(many, np.int64)
        cut_out(tree, chosen, place, smaller)
        smaller.used[WIDEST] = tree.used[WIDEST]
        order = np.argsort(theirs_seen[roots], kind="stable")
        roots = roots[order]
        starts = np.flatnonzero(np.diff(theirs_seen[roots], prepend=theirs_seen[roots[0]] - 1) != 0)
        groups = np.split(roots, starts[1:])
        shares = [_shares(mine[group]) for group in groups]
        alt = np.array([float(np.dot(s, value[g])) - gift[g[0]] for g, s in zip(groups, shares, strict=True)])
        weight = np.array([theirs[g].max() for g in groups])
        alt = np.clip(alt, self.shape.low, self.shape.high)
        gadgets = _gadgets([place[g] for g in groups], shares, weight, alt, even=self.even)
        self.carried = Carried(smaller, gadgets, mine[roots], old.value, whole)
        if self.frozen:
            freeze(smaller, place[inside], self.player)
        return place[inside]

    def _near(self, within: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray, bool]:
        """What the other has seen in each node; which nodes are kept; and whether these are all that could be common
        knowledge. Step by step those join in which the other, then the player, has seen the same as in one before: I^order,
        or all, if it was all before (`whole`) and they are few."""
        seen = [self._seen(1 - self.player), np.zeros(0, np.int64)]
        going_on = self.tree.node[: len(within), OWNER] != OVER

        def wider(near: np.ndarray, step: int) -> np.ndarray:
            if step == 1:
                seen[1] = self._seen(self.player)
            shared = seen[step % 2]
            return near | (np.isin(shared, np.unique(shared[near])) & going_on)

        near = within
        for step in range(self.order - 1):
            near = wider(near, step)
        every, step, unchanged = near, self.order - 1, 0
        while whole and unchanged < 2:  # it ends: with each step but two there are more of them
            whole = int(every.sum()) <= self.common
            more = wider(every, step) if whole else every
            every, step, unchanged = more, step + 1, unchanged + 1 if (more == every).all() else 0
        return seen[0], every if whole else near, whole

    def _seen(self, player: int) -> np.ndarray:
        """[nodes] what a player has seen, where the game goes on."""
        seen, pairs = np.zeros(int(self.tree.used[NODES]), np.int64), self._views(player, NONE)
        seen[pairs[:, 0]] = pairs[:, 1]
        return seen

    def _add(self, draw: Callable[[int], np.ndarray], count: int, inside: np.ndarray) -> np.ndarray:
        """Hang so many states that fit into the tree, those apart that are there. Returns their nodes."""
        drawn = draw(count + len(inside))
        if self.carried is None:
            tree = new_histories(FIRST_NODES, FIRST_NODES, FIRST_NODES, self.shape.words)
            self.carried = Carried(tree, _gadgets([], [], np.zeros(0), np.zeros(0)), np.zeros(0), math.inf, False)
        known = {self._key(self._whole(n)) for n in inside}
        fresh = {key: row for row in drawn if (key := self._key(row)) not in known}
        states = self._drawn(np.array(list(fresh.values())), count)
        added = np.array([self._hang(state) for state in states], np.int64)
        if len(added):
            old, worth = self.carried, self.tree.worth[added]
            alt = np.minimum(worth, old.value) if math.isfinite(old.value) else worth
            usual = old.mine[np.isin(old.gadgets.root, inside)]
            mine = np.concatenate([old.mine, np.full(len(added), usual.mean() if len(usual) else 1.0)])
            gadgets = _joined(old.gadgets, added, alt, self.even)
            self.carried = old._replace(gadgets=gadgets, mine=mine, whole=False)
        return added

    def _key(self, state: np.ndarray) -> Any:
        """By which two states are the same."""
        return int(self.game.position(state)) if hasattr(self.game, "forget") else state.tobytes()

    def _whole(self, n: int) -> np.ndarray:
        """The state of a node with all its words."""
        return np.pad(self.tree.state[n], (0, self.shape.words - self.tree.state.shape[1]))

    def _hang(self, state: np.ndarray) -> int:
        while True:  # it ends: the tree has more room each time
            n = int(hang_leaf(self.game, self.look, self.tree, state, self.player))
            if n != FULL:
                return n
            self._grow(limited=False)

    def _open(self, nodes: np.ndarray) -> None:
        """Give children to these leaves."""
        first = 0
        while first < len(nodes):  # it ends: the tree has more room each time
            first = int(open_nodes(self.game, self.look, self.tree, self.room, nodes, first, self.player))
            require_fine(first, self.game)
            if first < len(nodes):
                self._grow(limited=False)

    def _drawn(self, states: np.ndarray, count: int) -> np.ndarray:
        """So many different rows."""
        if len(states) <= count:
            return states
        generator = np.random.default_rng(int(dice.draw(self.random)))
        return states[generator.choice(len(states), count, replace=False)]

    def _grow(self, limited: bool = True) -> None:
        """Make room, if there is memory left."""
        assert self.carried is not None
        if limited and 2.5 * size(self.tree) > self.memory:
            self.note = (
                f"the tree stopped growing at {int(self.tree.used[NODES]):,} histories, at {self.memory:.3g} bytes"
            )
            return
        self.carried = self.carried._replace(tree=enlarged(self.tree, self.shape.actions))

    # --- the search of it ---

    def _search(self, watched: int, worlds: int, spend: Budget, progress: Watcher | None) -> Insight:
        steady = np.zeros((int(self.tree.infoset[watched, WIDTH]), 2))
        stack = self._stack = self._stack._replace(tally=np.zeros(COUNTS, np.int64), mean=np.zeros(AVERAGES))
        self._run(0, watched, steady, True)  # compile before the clock starts
        count, many = stack.tally, spend.iterations
        tell = telling(progress, lambda: Progress("iterations", int(min(count[WALKS], many)), _goal(spend)))
        for walks in (many // 2, many - many // 2) if math.isfinite(many) else (many, many):
            part = Budget(walks, spend.seconds * (1 - SETTLING) / 2)
            steady[:], self._stack.mean[:] = 0.0, 0.0
            before = int(count[ITERATIONS])
            in_slices(
                lambda some: self._run(some, watched, steady, not self.note), part, tell=tell, grow=self._grow, first=16
            )
        walked, last = int(count[WALKS]), Budget(LAST_ROUNDS, spend.seconds * SETTLING)
        if not math.isfinite(spend.iterations):
            last = last._replace(iterations=math.inf)
        in_slices(lambda some: self._run(some, watched, steady, False), last, tell=tell, first=1)
        if not count[ITERATIONS]:  # there was no time at all
            self._run(1, watched, steady, False)
        count[WALKS] = walked  # nobody walked since
        return self._insight(watched, worlds, steady, int(count[ITERATIONS]) - before)

    def _run(self, some: int, watched: int, steady: np.ndarray, growing: bool) -> int:
        assert self.carried is not None
        if len(self._stack.touched) < len(self.tree.infoset):
            self._stack = self._stack._replace(touched=np.zeros(len(self.tree.infoset), np.int64))
        parts = (
            self.game,
            self.look,
            self.growth,
            self.tree,
            self.carried.gadgets,
            self.room,
            self._stack,
            watched,
            steady,
            self.player,
        )
        made = search_slice(*parts, self.unit, growing, some, self.random)
        require_fine(made, self.game)
        return int(made)

    def _insight(self, watched: int, worlds: int, steady: np.ndarray, rounds: int) -> Insight:
        assert self.carried is not None
        tree, gadgets, count, mean = self.tree, self.carried.gadgets, self._stack.tally, self._stack.mean
        slot, width = tree.infoset[watched, SLOT], tree.infoset[watched, WIDTH]
        last = tree.real[slot : slot + width, MIX].copy()
        value = float(mean[VALUE] / mean[VALUES]) if mean[VALUES] else 0.0
        self.carried = self.carried._replace(value=value)
        return Insight(
            tree.whole[slot : slot + width, ACTION].tolist(),
            last,
            steady[:, 0] / rounds if rounds else last,
            steady[:, 1] >= rounds,
            not gadgets.gated or bool(gadgets.number[:, ENTER].max() < SAFE),
            not self._blind(),
            self.carried.whole,
            value,
            worlds,
            len(gadgets.group),
            int(tree.used[NODES]),
            int(tree.used[SETS]),
            int(count[WALKS]),
            int(count[ITERATIONS]),
            int(count[GROWN]),
            self.note,
        )


def growth_of(value: Any) -> Growth:
    """Who explores, by its name too."""
    try:
        return Growth(value)
    except ValueError:
        raise Invalid(f"growth must be {Growth.ONE.value} or {Growth.BOTH.value}, not {value!r}") from None


def require_duel(game: Any) -> None:
    """Refuse games that are not for two players who play against each other."""
    shape = game.shape()
    if shape.players != 2 or not shape.zero_sum:
        raise Invalid(f"KLUSS is for zero-sum games of two players, which {type(game).__name__} is not")


def _goal(spend: Budget) -> int | None:
    return int(spend.iterations) if math.isfinite(spend.iterations) else None


def _shares(reach: np.ndarray) -> np.ndarray:
    """How likely each is, if one of them has come up; evenly where that could not be."""
    total = reach.sum()
    return reach / total if total > 0.0 else np.full(len(reach), 1.0 / max(len(reach), 1))


def _gadgets(
    roots: list, shares: list, weight: np.ndarray, alt: np.ndarray, *, even: float = EVEN, gated: bool = True
) -> Gadgets:
    """Gadgets over groups of roots, which the other comes to by these weights. In Resolve a share of the groups is drawn
    evenly, the rest by how likely the other comes there."""
    many = [len(group) for group in roots]
    number = np.zeros((len(roots), NUMBERS))
    number[:, REACH], number[:, ALT] = _shares(weight), alt
    number[:, ALPHA] = even / max(len(roots), 1) + (1.0 - even) * number[:, REACH]
    number[:, WEIGHT], number[:, ENTER], number[:, MARGIN] = number[:, ALPHA], 1.0, 1.0 / max(len(roots), 1)
    return Gadgets(
        np.array([np.cumsum([0, *many])[:-1], many], np.int64).T.copy(),
        number,
        np.concatenate([np.zeros(0, np.int64), *roots]).astype(np.int64),
        np.concatenate([np.zeros(0), *shares]),
        gated,
    )


def _joined(old: Gadgets, added: np.ndarray, alt: np.ndarray, even: float) -> Gadgets:
    """The gadgets with a group for each added root, which the other comes to as to a usual one."""
    groups = [old.root[first : first + many] for first, many in old.group]
    shares = [old.share[first : first + many] for first, many in old.group]
    usual = np.full(len(added), 1.0 / max(len(groups), 1))
    weight = np.concatenate([old.number[:, REACH], usual])
    groups, shares = [*groups, *added[:, None]], [*shares, *np.ones((len(added), 1))]
    return _gadgets(groups, shares, weight, np.concatenate([old.number[:, ALT], alt]), even=even)


__all__ = ["KLUSS", "Insight", "Play", "purified"]
