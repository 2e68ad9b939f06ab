"""PIMC: search with open cards in worlds that the player believes possible (Levy 1989; Ginsberg 2001; Long et al.
2010).

Some states are drawn from those that the player cannot tell from the true one: the worlds. In each of them the game is
searched as if everybody saw everything, and what the worlds say is put together. A search with open cards may choose
differently in two worlds although its player cannot tell them apart. It takes for granted what the player will never
know, and this error has a name, strategy fusion (Frank and Basin 1998).

EPIMC deals the open cards later (Arjonilla et al. 2024): the first `depth` decisions of a simulation are made at
information sets, where all worlds share their statistics, and only then everybody sees everything.

    depth 0    PIMC: a tree for each world. The worlds vote, or their means are averaged
    depth 1    the first decision is made for all worlds together, all later ones with open cards
    depth d    strategy fusion is put off by d decisions; the deepest d is IS-MCTS (`ismcts.py`)

A simulation is made in one world. At depth 0 the worlds take turns. Where they share statistics a world is drawn at
random, for a bandit that tries its actions in a regular order would meet each of them in the same worlds again and
again. A decision is a set with two actions or more, of any player. There are two trees. The *closed* tree has the first
`depth` decisions: its sets are information sets, and the bandit `above` chooses. The *open* tree has the rest: its sets
are courses of moves in one world, and the bandit `inner` chooses. Then a judge says what everybody gets.

Whatever the depth, the search keeps what each first action brought in each world: `Opinion.mean` [worlds, actions].
This is where `bandits/risk.py` gets its risk from. No algorithm here knows which game it plays.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import as_bandit
from ...bandits.tuned import UCB1Tuned
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER, identity, label, legal, seen
from ...judges import Playout, as_judge
from ...kernels import inlined, kernel
from ...policy import draw_chance
from ...text import markup
from ...text.naming import as_game
from ...trouble import ENDLESS, UNEQUAL, require_fine
from ...walk import table as tables
from ...walk.slices import Progress, Watcher, budget, in_slices, telling, whole
from ..trees.anytime import DEFAULT_MEMORY
from ..trees.ear import Deaf
from ..trees.prior import Even
from ..trees.roots import EvenRoots, roots_of
from ..trees.tree import ACTIONS, CHOSEN, HEAD, ITERATIONS, SETS, WORDS, Tree, enlarge, new_tree, size
from .opinion import Opinion, Verdict, over_worlds, votes

ALPHABET = 1 << 31  # actions are numbers below it
TIMES, SUM = 0, 1  # what is kept of an action in a world
SLICE = 1 << 12  # iterations before the clock is read for the first time


class Trees(NamedTuple):
    """What a search remembers: it is used for one decision after the other."""

    closed: Tree
    open: Tree
    told: np.ndarray  # [worlds, actions, 2] how often a first action was taken in a world, the sum of what it brought


@kernel
def search_slice(game, above, inner, judge, trees, worlds, me, depth, growing, iterations, random):
    """Simulate from the worlds [t, words]; returns the iterations done before a tree was full, or a trouble."""
    closed, opened, _ = trees
    above_need, inner_need = above.slots(opened.room.choice.shape[0]), inner.slots(opened.room.choice.shape[0])
    for done in range(iterations):
        if growing and not (closed.has_room(above_need, 1) and opened.has_room(inner_need, 1)):
            return done
        trouble = simulate_once(game, above, inner, judge, trees, worlds, me, depth, growing, random)
        if trouble < 0:
            return trouble
    return iterations


def simulate_once(game, above, inner, judge, trees, worlds, me, depth, growing, random):
    """One simulation in one world, and all that is learned from it; returns 0 or a trouble."""
    closed, opened, told = trees
    world = opened.used[ITERATIONS] % worlds.shape[0] if depth == 0 else dice.below(random, worlds.shape[0])
    for word in range(worlds.shape[1]):
        opened.state[word] = worlds[world, word]
    bandit = above.in_world(world)
    upper, course, ended = go_down_closed(game, bandit, closed, opened, world, depth, growing, random)
    if upper < 0:
        return upper
    lower = go_down_open(game, inner, judge, opened, course, ended, growing, random)
    if lower < 0:
        return lower
    if upper + lower > 0:  # else the trees stopped growing before they had the first decision
        first = closed.path[0, CHOSEN] if upper > 0 else opened.path[0, CHOSEN]
        told[world, first, TIMES] += 1.0
        told[world, first, SUM] += opened.payoff[me]
    for player in range(opened.payoff.shape[0]):
        closed.payoff[player] = opened.payoff[player]
    closed.learn(bandit, upper)
    opened.learn(inner, lower)
    opened.used[ITERATIONS] += 1
    return 0


@inlined
def go_down_closed(game, above, closed, opened, world, depth, growing, random):
    """The first decisions, at information sets. Returns how many they are, or a trouble; the key of the course so far;
    and whether the tree ends here, so that the judge is next."""
    state, room = opened.state, opened.room
    course, length = np.int64(world + 1), 0
    if depth == 0:
        return length, course, False
    for _ in range(room.moves + 1):
        player = game.player(state)
        if player == OVER:
            return length, course, True
        new = False
        if player == CHANCE:
            action = draw_chance(game, state, room, random)
        else:
            count, chosen = listed(game, state, room.choice), 0
            if count > 1:
                if length == depth:
                    return length, course, False
                key = game.view(state, player)
                i = closed.table.find(key, player)
                if i == NONE:
                    if not growing:
                        return length, course, True
                    Even().enter(game, state, player, room, count)
                    i, new = closed.expand(above, key, player, count, length), True
                if closed.width(i) != count:
                    return UNEQUAL, course, False
                chosen = closed.choose(above, i, player, length, random)
                length += 1
            action = room.choice[chosen]
        course = seen(course, action, ALPHABET)
        stepped(game, state, action)
        if new:
            return length, course, True
        if length == depth:
            return length, course, False
    return ENDLESS, course, False


def go_down_open(game, inner, judge, opened, course, ended, growing, random):
    """The decisions with open cards, and what everybody gets in the end. Returns how many decisions they are, or a
    trouble. If the first decisions have `ended` the way through the trees, there are none."""
    state, room, length = opened.state, opened.room, 0
    for _ in range(room.moves):
        player = game.player(state)
        if player == OVER or ended:
            break
        if player == CHANCE:
            action = draw_chance(game, state, room, random)
        else:
            count, chosen = listed(game, state, room.choice), 0
            if count > 1:
                i = opened.table.find(course, player)
                if i == NONE:
                    if not growing:
                        break
                    Even().enter(game, state, player, room, count)
                    i, ended = opened.expand(inner, course, player, count, length), True
                if opened.width(i) != count:
                    return UNEQUAL
                chosen = opened.choose(inner, i, player, length, random)
                length += 1
            action = room.choice[chosen]
        course = seen(course, action, ALPHABET)
        stepped(game, state, action)
    trouble = judge.finish(game, state, opened.payoff, room, random)
    return trouble if trouble < 0 else length


def listed(game, state, out):
    """The actions of a state. Methods are copied into each of their callers; this one and the next are compiled once,
    for those of large games are long."""
    return game.actions(state, out)


def stepped(game, state, action):
    """Play an action."""
    game.step(state, action)


@kernel
def clear(trees, worlds):
    """Forget everything, but keep the room. Beyond what is used the arrays are empty already."""
    forget(trees, worlds)


@inlined
def forget(trees, worlds):
    closed, opened, told = trees
    for tree in (closed, opened):
        for word in range(tree.used[WORDS]):
            tree.memory[word] = 0.0
        if tree.table.used[0] > 0:
            for slot in range(tree.table.slot.shape[0]):
                tree.table.slot[slot, tables.OWNER] = tables.EMPTY
        tree.table.used[0] = 0
        tree.used[SETS], tree.used[WORDS], tree.used[ACTIONS], tree.used[ITERATIONS] = 0, 0, 0, 0
    for world in range(worlds):
        for a in range(told.shape[1]):
            told[world, a, TIMES], told[world, a, SUM] = 0.0, 0.0


class PIMC:
    """A search of one decision after another.

        search = PIMC(game, worlds=20, seed=1)
        opinion = search.think(states, iterations=5_000)      # states [n, words], drawn from what the player believes
        opinion.best, opinion.mean

    `inner` is the bandit with open cards and `above` that of the closed tree, for depth 1 and more. `judge` says how a
    simulation ends (`judges.py`). `memory` limits the bytes of the trees. When the limit is reached, they stop growing, the
    search continues in the trees that it has, and `note` says so.
    """

    def __init__(
        self,
        game: Any,
        inner: Any = UCB1Tuned(),  # noqa: B008  (a tuple cannot change)
        above: Any = None,
        seed: int = 0,
        *,
        depth: int = 0,
        verdict: Verdict = Verdict.VOTES,
        judge: Any = Playout(),  # noqa: B008
        memory: float = DEFAULT_MEMORY,
    ):
        self.game, self.inner = as_game(game), as_bandit(inner)
        self.above = self.inner if above is None else as_bandit(above)
        self.seed, self.judge, self.verdict, self.memory = seed, as_judge(judge), verdict, memory
        self.depth, self.note = whole(depth, "depth"), ""
        for bandit in (self.inner, self.above):
            if hasattr(bandit, "overhear"):
                raise Invalid(f"{type(bandit).__name__} listens to whole simulations, and PIMC does not let it")
        if hasattr(self.inner, "in_world"):
            raise Invalid(f"{type(self.inner).__name__} compares worlds, so it can choose only above them")
        self.random = dice.seeded(seed)
        self.trees: Trees | None = None
        self.last: tuple[Opinion, np.ndarray] | None = (
            None  # the opinion of the last search, and the first of its worlds
        )

    def think(
        self,
        states: Any,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Watcher | None = None,
    ) -> Opinion:
        """Search from these worlds [t, words], all of which the player to move cannot tell apart, or from roots made of them
        (`trees/roots.py`)."""
        worlds = np.ascontiguousarray(states.state if isinstance(states, EvenRoots) else states, np.int64)
        if worlds.ndim != 2 or not len(worlds) or worlds.shape[1] != self.game.shape().words:
            raise Invalid(f"worlds are one state or more of {self.game.shape().words} words each, not {worlds.shape}")
        roots_of(self.game, states)
        spend = budget(iterations, seconds, what="iterations")
        with np.errstate(over="ignore"):
            me, actions = int(self.game.player(worlds[0])), legal(self.game, worlds[0])
        if me < 0:
            raise Invalid("nobody is to move in the worlds, so there is nothing to search")
        trees = self._ready(len(worlds))
        if len(actions) > 1:
            self._run(worlds, me, 0)  # compile before the clock starts
            tell = telling(progress, lambda: Progress("iterations", self._done, iterations))
            run = lambda count: self._run(worlds, me, count)  # noqa: E731
            in_slices(run, spend, tell=tell, grow=self._grow, first=SLICE)
        found = self._opinion(trees.told[: len(worlds), : len(actions)], actions, me, worlds[0])
        self.last = found, worlds[0].copy()
        return found

    def _repr_html_(self) -> str:
        """The opinion of the last search, the action of the highest score first."""
        rows, caption = [], f"{'E' if self.depth else ''}PIMC by {self.inner!r}: {identity(self.game)}"
        if self.last is not None:
            found, state = self.last
            times = found.times.sum(axis=0)
            brought = np.where(found.times > 0, found.times * np.nan_to_num(found.mean), 0.0).sum(axis=0)
            for a in np.argsort(-np.nan_to_num(found.score, nan=-np.inf), kind="stable"):
                name = label(self.game, state, found.actions[a])
                mean = f"{brought[a] / times[a]:+.3f}" if times[a] else ""
                rows.append((name, f"{found.score[a]:.3f}", mean, f"{times[a]:,.0f}"))
            caption += f", {len(found.times):,} worlds, {found.iterations:,} iterations"
        return markup.table(("move", "score", "mean payoff", "times taken"), rows, caption)

    @property
    def _done(self) -> int:
        return int(self.trees.open.used[ITERATIONS]) if self.trees else 0

    def _ready(self, count: int) -> Trees:
        """Empty trees, and room for what each of so many worlds says."""
        if hasattr(self.above, "worlds") and self.above.worlds != count:
            self.above, self.trees = self.above._replace(worlds=count), None
        if self.trees is None or len(self.trees.told) < count:
            self.trees = new_trees(self.game.shape(), self.above, self.inner, count)
        clear(self.trees, count)
        self.note = ""
        return self.trees

    def _run(self, worlds: np.ndarray, me: int, count: int) -> int:
        parts = self.game, self.above, self.inner, self.judge, self.trees
        made = search_slice(*parts, worlds, me, self.depth, not self.note, count, self.random)
        require_fine(made, self.game, "the policy of the judge")
        return made

    def _grow(self) -> None:
        assert self.trees is not None
        closed, opened, told = self.trees
        limit = self.memory - told.nbytes
        closed, full = enlarge(closed, self.above, 1, limit - size(opened))
        opened, full_too = enlarge(opened, self.inner, 1, limit - size(closed))
        self.trees, self.note = Trees(closed, opened, told), full or full_too

    def _opinion(self, told: np.ndarray, actions: list[int], me: int, state: np.ndarray) -> Opinion:
        found = opinion_of(told, actions, 0, self.verdict, self._done)
        if self.depth and len(actions) > 1:
            return found._replace(score=self._policy(me, state, len(actions)))
        return found

    def _policy(self, me: int, state: np.ndarray, width: int) -> np.ndarray:
        """What the bandit of the closed tree outputs at the first decision."""
        assert self.trees is not None
        closed, out = self.trees.closed, np.full(width, 1.0 / width)
        with np.errstate(over="ignore"):
            i = closed.table.find(np.int64(self.game.view(state, me)), me)
            if i != NONE:
                begin, end = closed.span(self.above, i)
                self.above.policy(closed.memory[begin:end], width, out)
        return out


def opinion_of(told: np.ndarray, actions: list[int], depth: int, verdict: Verdict, iterations: int) -> Opinion:
    """What was found at one decision, as an opinion. Where `depth` is above 0, told [0, :, TIMES] is the strategy of the
    closed tree, and nothing is known of single worlds."""
    told = told[:, : len(actions)]
    times = told[:, :, TIMES].copy()
    mean = np.divide(told[:, :, SUM], times, out=np.full(times.shape, math.nan), where=times > 0)
    if len(actions) == 1:
        score = np.ones(1)
    elif depth:
        times, mean, score = np.zeros(times.shape), np.full(mean.shape, math.nan), times[0]
    elif verdict is Verdict.VOTES:
        score = votes(times)
    else:
        score = over_worlds(mean)
    return Opinion(actions, times, mean, score, iterations)


def new_trees(shape: Any, above: Any, inner: Any, worlds: int) -> Trees:
    """Empty trees, which simulate in one room."""
    closed, opened = new_tree(shape, above, math.inf), new_tree(shape, inner, math.inf)
    room = opened.room._replace(ear=Deaf())
    told = np.zeros((worlds, shape.actions, 2))
    return Trees(closed._replace(room=room), opened._replace(room=room), told)


def roomy(trees: Trees, above: Any, inner: Any, iterations: int, depth: int) -> Trees:
    """Trees in which so many iterations fit, each of which adds one set at most."""
    closed = _with_room(trees.closed, above, iterations if depth > 1 else 1)
    return Trees(closed, _with_room(trees.open, inner, iterations), trees.told)


def _with_room(tree: Tree, bandit: Any, sets: int) -> Tree:
    most = len(tree.room.choice)
    return tree._replace(
        table=tables.empty(1 << (2 * sets + 2).bit_length()),
        memory=np.zeros((sets + 1) * (HEAD + bandit.slots(most))),
        action=np.zeros((sets + 1) * most, np.int32),
    )


def draw_worlds(state: np.ndarray, weight: np.ndarray, count: int, random: np.ndarray) -> np.ndarray:
    """So many of the states [n, words] that a player believes possible, in proportion to their weights: one throw of
    the dice sets a comb of equal steps (systematic sampling), so that each state comes as often as it should, or once
    more."""
    total = np.cumsum(weight)
    with np.errstate(over="ignore"):
        marks = (np.arange(count) + dice.unit(random)) / count * total[-1]
    return state[np.minimum(np.searchsorted(total, marks, side="right"), len(state) - 1)]
