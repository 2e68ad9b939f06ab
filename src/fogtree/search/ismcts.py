"""IS-MCTS: Monte Carlo tree search over information sets (Cowling et al. 2012; Lisy 2014, Algorithm 1).

An iteration plays the real game once, from its start or from a state that the searching player believes possible:

    select     at an information set of the player to move that has statistics, its bandit chooses the action
    expand     the first set without statistics gets some, and its bandit chooses for the first time
    simulate   from there on everybody plays at random
    update     every set on the way learns what its player got

Chance is sampled. Simultaneous moves are played one after the other, unseen. Statistics are kept for an information set, not
a state, so a player's choice cannot depend on what they do not see. One table serves all players.

Where we differ from the paper: sets with a single action have nothing to learn and get no statistics, so the tree grows
faster; and in code that went with the paper a set was entered again at each of its states, here once, as its text says.
"""

import copy
import math
import operator
import time
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..strategy import Strategy
from ..trouble import ENDLESS, require_fine
from ..walk import table as tables
from ..walk.slices import next_slice
from .parallel import Output, at_once, merged
from .playout import play_out

NONE = -1
SETS, WORDS, ACTIONS, ITERATIONS = 0, 1, 2, 3  # words of `used`
BASE, FIRST, WIDTH, VISITS = 0, 1, 2, 3  # words of a row
DEFAULT_MEMORY = 4 * 2**30


class Tree(NamedTuple):
    """The statistics of a search, and the room in which an iteration plays."""

    table: tables.Table  # (view, player) -> set
    row: np.ndarray  # [sets, 4] where a set's memory begins | its actions begin | how many they are | visits
    memory: np.ndarray  # what the bandits remember, one set after the other
    action: np.ndarray  # the actions, one set after the other
    used: np.ndarray  # [4] sets | words of memory | actions | iterations
    state: np.ndarray  # [words]
    legal: np.ndarray  # [actions] scratch
    chance: np.ndarray  # [actions] scratch
    payoff: np.ndarray  # [players]
    path: np.ndarray  # [moves, 3] of this iteration: set, player, position chosen
    odds: np.ndarray  # [moves] with which it was drawn

    def room(self, need, sets):
        """Whether so many more sets fit, whose bandits need so many words each."""
        used = self.used
        return (
            not self.table.full()
            and used[SETS] + sets <= self.row.shape[0]
            and used[WORDS] + sets * need <= self.memory.shape[0]
            and used[ACTIONS] + sets * self.legal.shape[0] <= self.action.shape[0]
        )

    def expand(self, bandit, view, player, count):
        """Enter a new set."""
        used = self.used
        i = self.table.add(view, player)
        self.row[i, BASE], self.row[i, FIRST], self.row[i, WIDTH] = used[WORDS], used[ACTIONS], count
        for a in range(count):
            self.action[used[ACTIONS] + a] = self.legal[a]
        used[SETS] += 1
        used[WORDS] += bandit.slots(count)
        used[ACTIONS] += count
        return i

    def descend(self, game, bandit, growing, random):
        """Select, expand and simulate, from the present state to an end; returns the length of the path to update, or
        ENDLESS where it is longer than the game may be."""
        length = 0
        while True:
            player = game.player(self.state)
            if player == OVER:
                return length
            count = game.actions(self.state, self.legal)
            if player == CHANCE:
                game.odds(self.state, self.chance)
                game.step(self.state, self.legal[dice.pick(random, self.chance, count)])
                continue
            if count == 1:
                game.step(self.state, self.legal[0])
                continue
            if length == self.odds.shape[0]:
                return ENDLESS
            view = game.view(self.state, player)
            i, new = self.table.find(view, player), False
            if i == NONE:
                if not growing:
                    break
                i, new = self.expand(bandit, view, player, count), True
            base = self.row[i, BASE]
            memory = self.memory[base : base + bandit.slots(count)]
            chosen, probability = bandit.choose(memory, count, random)
            self.path[length, 0], self.path[length, 1], self.path[length, 2] = i, player, chosen
            self.odds[length] = probability
            length += 1
            game.step(self.state, self.legal[chosen])
            if new:
                break
        play_out(game, self.state, self.legal, self.chance, random)
        return length

    def update(self, game, bandit, low, high, length):
        for player in range(self.payoff.shape[0]):
            self.payoff[player] = bandit.reward(game.payoff(self.state, player), low, high)
        for step in range(length - 1, -1, -1):
            i, player, chosen = self.path[step, 0], self.path[step, 1], self.path[step, 2]
            base, width = self.row[i, BASE], self.row[i, WIDTH]
            self.row[i, VISITS] += 1
            memory = self.memory[base : base + bandit.slots(width)]
            bandit.learn(memory, width, chosen, self.odds[step], self.payoff[player])


@kernel
def search_slice(game, bandit, tree, roots, low, high, growing, iterations, random):
    """Iterate from the roots [states, words], each equally likely; returns the iterations done before the tree was full, or
    ENDLESS."""
    need = bandit.slots(tree.legal.shape[0])
    for done in range(iterations):
        if growing and not tree.room(need, 1):
            return done
        root = roots[dice.below(random, roots.shape[0])] if roots.shape[0] > 1 else roots[0]
        for word in range(root.shape[0]):
            tree.state[word] = root[word]
        length = tree.descend(game, bandit, growing, random)
        if length == ENDLESS:
            return ENDLESS
        tree.update(game, bandit, low, high, length)
        tree.used[ITERATIONS] += 1
    return iterations


@kernel
def write_policies(bandit, tree, out):
    """The strategy to output of every set, one after the other as their actions."""
    for i in range(tree.used[SETS]):
        base, first, width = tree.row[i, BASE], tree.row[i, FIRST], tree.row[i, WIDTH]
        memory = tree.memory[base : base + bandit.slots(width)]
        bandit.policy(memory, width, out[first : first + width])


@kernel
def write_owners(table, view, player):
    """The view and the player of each number of a table."""
    for slot in range(table.slot.shape[0]):
        owner = table.slot[slot, tables.OWNER]
        if owner != tables.EMPTY:
            view[owner >> 8], player[owner >> 8] = table.slot[slot, tables.VIEW], owner & 255


class ISMCTS:
    """A search that goes on where it stopped.

        search = ISMCTS(Goofspiel(cards=6), RegretMatching(), seed=1)
        search.run(seconds=5)
        exploitability(game, search.strategy())

    The same seed and iterations give the same tree, however they are cut into runs. `memory` caps its bytes and `sets` its
    information sets: when reached, the tree stops growing and the search goes on within it, as `note` then says.

    `run(threads=2)` grows two trees at once (`parallel.py`), each by half of the iterations, and shares the caps between
    them. Then the result depends on the seed, the iterations and the threads.
    """

    most_new = 1  # information sets that an iteration may enter

    def __init__(
        self, game: Any, bandit: Any, seed: int = 0, *, memory: float = DEFAULT_MEMORY, sets: float = math.inf
    ):
        self.game, self.bandit, self.seed, self.cap, self.most_sets = game, bandit, seed, memory, sets
        self.random = dice.seeded(seed)
        self.shape = game.shape()
        self._crew: list[ISMCTS] = []  # the searches in the other threads
        self._tree = _new_tree(self.shape, bandit, sets)
        self._full, self._part = "", 1.0  # why the tree stopped growing; the part of the caps that is its own
        root = np.zeros((1, self.shape.words), np.int64)
        game.start(root[0])
        self._root = root

    @property
    def iterations(self) -> int:
        return sum(int(search._tree.used[ITERATIONS]) for search in self._all)

    @property
    def infosets(self) -> int:
        """Information sets with statistics; with threads, in all trees together."""
        return sum(int(search._tree.used[SETS]) for search in self._all)

    @property
    def memory(self) -> int:
        """Bytes."""
        return sum(_bytes(search._tree) for search in self._all)

    @property
    def note(self) -> str:
        """What a reader of the result must know, if anything."""
        return next((search._full for search in self._all if search._full), "")

    @property
    def _all(self) -> "list[ISMCTS]":
        return [self, *self._crew]

    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        roots=None,
        threads: int = 1,
        progress=None,
    ) -> "ISMCTS":
        """Go on for so many iterations or so long. `roots` [states, words] are the states believed possible, each equally
        likely; without them the search is from the start of the game. `progress(iterations)` looks on."""
        if iterations is None and seconds is None:
            raise Invalid("give a number of iterations or of seconds")
        if (iterations or 0) < 0 or (seconds or 0) < 0:
            raise Invalid("iterations and seconds are 0 or more")
        roots = self._root if roots is None else np.ascontiguousarray(roots, np.int64)
        if roots.ndim != 2 or len(roots) == 0 or roots.shape[1] != self.shape.words:
            raise Invalid(f"roots are one state or more, each of {self.shape.words} words, not {roots.shape}")
        crew = self._hire(threads)
        done = [int(search._tree.used[ITERATIONS]) for search in crew]
        left = [math.inf] * threads
        if iterations is not None:  # so much that all have the same in the end, however it is cut into runs
            goal = sum(done) + int(iterations)
            left = [max(0, goal // threads + (t < goal % threads) - done[t]) for t in range(threads)]
        for search in crew:
            search._slice(roots, 0)  # compile before the clock starts
        stop = math.inf if seconds is None else time.perf_counter() + seconds
        if threads == 1:
            self._go_on(roots, left[0], stop, progress)
            return self

        def piece(search, left, watched):
            def work(look):
                def after_a_slice(_):
                    look()
                    if watched and progress:
                        progress(self.iterations)

                search._go_on(roots, left, stop, after_a_slice)

            return work

        at_once([piece(search, left[t], t == 0) for t, search in enumerate(crew)])
        return self

    def _hire(self, threads: int) -> "list[ISMCTS]":
        """So many searches, this one included; those that are new begin with an empty tree."""
        try:
            threads = operator.index(threads)
        except TypeError:
            threads = 0
        if threads < 1:
            raise Invalid("threads are a whole number of 1 or more")
        while len(self._crew) < threads - 1:
            other = copy.copy(self)
            other._crew, other._full = [], ""
            other.random = dice.seeded(self.seed, len(self._crew) + 1)
            other._tree = _new_tree(self.shape, self.bandit, self.most_sets)
            self._crew.append(other)
        for search in self._all:
            search._part = 1 / len(self._all)
            row, sets = search._tree.row, max(int(search._tree.used[SETS]), 1)
            if len(row) > search._part * self.most_sets:  # it began with more than its part
                row.resize((max(sets, int(search._part * self.most_sets)), 4), refcheck=False)
        return self._all[:threads]

    def _go_on(self, roots, left, stop, progress) -> None:
        """Iterate in this one tree, in slices."""
        size = 64
        while left > 0 and time.perf_counter() < stop:
            began, asked = time.perf_counter(), int(min(size, left))
            done = self._slice(roots, asked)
            require_fine(done, self.game)
            left -= done
            if done == asked:
                size = next_slice(asked, time.perf_counter() - began)
            else:
                self._grow()
            if progress:
                progress(self.iterations)

    def strategy(self) -> Strategy:
        """What the bandits would output, for every information set that the search has met."""
        return merged(self.game, [search._output(write_policies) for search in self._all])

    def _output(self, write) -> Output:
        tree = self._tree
        sets, actions = int(tree.used[SETS]), int(tree.used[ACTIONS])
        view, player, probability = np.empty(sets, np.int64), np.empty(sets, np.int64), np.empty(actions)
        write_owners(tree.table, view, player)
        write(self.bandit, tree, probability)
        first = np.append(tree.row[:sets, FIRST], actions)
        return Output(player, view, first, tree.action[:actions], probability, tree.row[:sets, VISITS])

    def policy(self, view: int, player: int) -> dict[int, float] | None:
        """What the bandit would output at one information set, or None where the search has not been."""
        mix: dict[int, float] = {}
        known = [(search, i) for search in self._all if (i := search._find(view, player)) != NONE]
        total = sum(int(search._tree.row[i, VISITS]) for search, i in known)
        for search, i in known:
            actions, memory = search._recall(i)
            out = np.empty(len(actions))
            self.bandit.policy(memory, len(actions), out)
            share = search._tree.row[i, VISITS] / total if len(known) > 1 else 1.0
            for action, probability in zip(actions, out.tolist(), strict=True):
                mix[action] = mix.get(action, 0.0) + float(share) * probability
        return mix or None

    def remembered(self, view: int, player: int) -> tuple[list[int], np.ndarray] | None:
        """The actions of one information set and what the bandit remembers of them, or None where the search has not been;
        with threads, in the first tree."""
        i = self._find(view, player)
        return None if i == NONE else self._recall(i)

    def _find(self, view, player) -> int:
        with np.errstate(over="ignore"):
            return int(self._tree.table.find(np.int64(view), player))

    def _recall(self, i) -> tuple[list[int], np.ndarray]:
        tree = self._tree
        base, first, width, _ = tree.row[i].tolist()
        return tree.action[first : first + width].tolist(), tree.memory[base : base + self.bandit.slots(width)].copy()

    def _slice(self, roots, iterations):
        low, high = float(self.shape.low), float(self.shape.high)
        growing = not self._full
        return search_slice(self.game, self.bandit, self._tree, roots, low, high, growing, iterations, self.random)

    def _grow(self):
        tree, sets, cap = self._tree, int(self._tree.used[SETS]), self._part * self.cap
        lacking = _lacking(tree, self.bandit, self.most_new, self._part * self.most_sets)
        table = tree.table.slot.nbytes if tree.table.full() else 0
        if sets + self.most_new > self._part * self.most_sets:
            self._full = f"the tree stopped growing at the cap of {sets} information sets"
        elif _bytes(tree) + table + sum(more * array[:1].nbytes for array, more in lacking) > cap:
            self._full = f"the tree stopped growing at {sets} information sets, at the cap of {cap:.3g} bytes"
        else:
            for array, more in lacking:
                longer = (len(array) + more, *array.shape[1:])
                array.resize(longer, refcheck=False)  # large arrays by moving pages, not bytes
            if table:
                self._tree = tree._replace(table=tree.table.grown())


def _new_tree(shape, bandit, most_sets) -> Tree:
    sets, most = int(min(1 << 10, most_sets)), shape.actions
    return Tree(
        tables.empty(1 << 11),
        np.zeros((sets, 4), np.int64),
        np.zeros(max(1 << 13, 4 * bandit.slots(most))),
        np.zeros(max(1 << 12, 4 * most), np.int32),
        np.zeros(4, np.int64),
        np.zeros(shape.words, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(shape.players),
        np.zeros((shape.moves, 3), np.int64),
        np.zeros(shape.moves),
    )


def _lacking(tree: Tree, bandit: Any, sets: int, most_sets: float) -> list[tuple[np.ndarray, int]]:
    """The arrays in which so many more sets may find no room, and how much longer they should be; beyond what is used, memory
    is zero. They grow by a sixteenth, so that little of what is taken lies idle."""
    used, most, found = tree.used, len(tree.legal), []
    if used[SETS] + sets > len(tree.row):
        found.append((tree.row, int(min(len(tree.row) // 16 + sets, most_sets - len(tree.row)))))
    if used[WORDS] + sets * bandit.slots(most) > len(tree.memory):
        found.append((tree.memory, len(tree.memory) // 16 + sets * bandit.slots(most)))
    if used[ACTIONS] + sets * most > len(tree.action):
        found.append((tree.action, len(tree.action) // 16 + sets * most))
    return found


def _bytes(tree: Tree) -> int:
    return sum(part.nbytes for part in (tree.table.slot, *tree[1:]) if isinstance(part, np.ndarray))
