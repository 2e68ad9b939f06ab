"""Searches that can be stopped and continued: budgets, threads, limits of memory.

A search is a tree, a random stream, and a function that does a number of simulations in that tree. `TreeSearch` runs that
function in slices until the budget is spent. If the tree is full, it makes room. When a limit is reached, the tree stops
growing, the search continues in the tree that it has, and `note` says so. IS-MCTS, MMCTS and one-sided search are made so.

With threads there are several trees at once. Each has its own stream and its share of the iterations and of the limits. Their
strategies are merged set by set (`parallel.py`). The result depends on the seed, the iterations and the threads.
"""

import copy
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import dice
from ...game import NONE, identity
from ...strategy import Strategy
from ...text import markup
from ...trouble import require_fine
from ...walk.slices import Budget, Progress, Watcher, budget, in_slices, number, whole
from .ear import LARGEST
from .parallel import at_once, merged
from .tree import ENDLESS_SETS, ITERATIONS, LIMIT, SETS, VISITS, Tree, copied, enlarge, new_tree, output, size

DEFAULT_MEMORY = 4 * 2**30


class Searcher:
    """One tree that grows in one thread."""

    def __init__(self, shape: Any, bandit: Any, random: np.ndarray, most_sets: float, extra: Any):
        self.tree: Tree = new_tree(shape, bandit, most_sets)
        self.random = random
        self.extra = extra  # what else the search keeps for each tree
        self.full = ""  # why the tree stopped growing, if it did

    def copy(self) -> "Searcher":
        other = copy.copy(self)
        other.tree, other.random, other.extra = copied(self.tree), self.random.copy(), copy.deepcopy(self.extra)
        return other

    @property
    def iterations(self) -> int:
        return int(self.tree.used[ITERATIONS])


class TreeSearch:
    """What every search that has trees can do, and be asked. `new_sets` is how many information sets an iteration may enter,
    `extra()` makes what a search keeps for each tree; it must not hold the search, or in a circle the trees would stay until
    a collection."""

    name: str  # of the algorithm

    def __init__(
        self,
        game: Any,
        bandit: Any,
        seed: int,
        *,
        memory: float,
        sets: float,
        new_sets: int = 1,
        extra: Callable[[], Any] = lambda: None,
    ):
        self.game, self.bandit, self.seed, self.shape = game, bandit, seed, game.shape()
        self.most_memory, self.most_sets = number(memory, "memory"), number(sets, "sets")
        self.new_sets, self.extra = new_sets, extra
        self.searchers = [Searcher(self.shape, bandit, dice.seeded(seed), sets, extra())]

    def _repr_html_(self) -> str:
        rows = [
            ("iterations", f"{self.iterations:,}"),
            ("information sets", f"{self.infosets:,}"),
            ("seed", self.seed),
        ]
        return markup.table((self.name, repr(self.bandit)), rows, identity(self.game))

    def copy(self) -> Any:
        """The same search, which may go on differently from here."""
        other = copy.copy(self)
        other.searchers = [searcher.copy() for searcher in self.searchers]
        return other

    # --- running ---

    def _run(
        self,
        simulate: Callable[[Searcher, int], int],
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        progress: Watcher | None = None,
        whose: str = "the strategy of the others",
    ) -> None:
        """Call `simulate(searcher, count)` until the budget is spent. It returns how many iterations it did, fewer where the
        tree was full, or a number of `trouble.py`. If a policy that the search follows plays an action that is not legal, the
        error names that policy by `whose`."""
        spend, crew = budget(iterations, seconds), self._crew(whole(threads, "threads", 1))
        goal = None if iterations is None else self.iterations + int(spend.iterations)
        left = [math.inf] * len(crew)
        if goal is not None:  # so that all have the same share in the end, however the iterations are divided into runs
            done, many = sum(searcher.iterations for searcher in crew) + int(spend.iterations), len(crew)
            left = [max(0, done // many + (t < done % many) - crew[t].iterations) for t in range(many)]
        for searcher in crew:
            simulate(searcher, 0)  # compile before the clock starts

        def work(t: int, look: Callable[[], None]) -> None:
            def after_a_slice() -> None:
                look()
                if t == 0 and progress:
                    progress(Progress("iterations", self.iterations, goal))

            def some(count: int) -> int:
                made = simulate(crew[t], count)
                require_fine(made, self.game, whose)
                return made

            in_slices(some, Budget(left[t], spend.seconds), tell=after_a_slice, grow=lambda: self._grow(crew[t]))

        at_once([functools.partial(work, t) for t in range(len(crew))])

    def _crew(self, threads: int) -> list[Searcher]:
        """So many searchers; those that are new begin with an empty tree."""
        while len(self.searchers) < threads:
            random = dice.seeded(self.seed, len(self.searchers))
            self.searchers.append(Searcher(self.shape, self.bandit, random, self.most_sets, self.extra()))
        for searcher in self.searchers:
            searcher.tree.used[LIMIT] = int(min(self.share * self.most_sets, ENDLESS_SETS))
        return self.searchers[:threads]

    @property
    def share(self) -> float:
        """Of the caps, that each tree may have."""
        return 1 / len(self.searchers)

    def _grow(self, searcher: Searcher) -> None:
        """Make room for what stopped a slice: for the ear, to which no limit applies, or for the tree."""
        ear = searcher.tree.room.ear
        if not ear.has_room():
            ear.mark.resize(2 * int(ear.used[LARGEST]) + 1, refcheck=False)
            return
        most = self.share * self.most_memory
        searcher.tree, searcher.full = enlarge(searcher.tree, self.bandit, self.new_sets, most)

    # --- what it found ---

    @property
    def iterations(self) -> int:
        return sum(searcher.iterations for searcher in self.searchers)

    @property
    def infosets(self) -> int:
        """Information sets with statistics; with threads, in all trees together."""
        return sum(int(searcher.tree.used[SETS]) for searcher in self.searchers)

    @property
    def memory(self) -> int:
        """Bytes."""
        return sum(size(searcher.tree) for searcher in self.searchers)

    @property
    def note(self) -> str:
        """A warning about the result, or an empty text."""
        return next((searcher.full for searcher in self.searchers if searcher.full), "")

    def strategy(self) -> Strategy:
        """What the bandits would output, for every information set that the search has met."""
        return self._written(self.bandit)

    def _written(self, bandit: Any) -> Strategy:
        """What a bandit that remembers as that of the search would output for every set, over all trees."""
        return merged(self.game, [output(searcher.tree, bandit) for searcher in self.searchers])

    def remembered(self, player: int, view: int) -> tuple[list[int], np.ndarray] | None:
        """The actions of one information set and what the bandit remembers of them, or None where the search has not been;
        with threads, in the first tree."""
        tree = self.searchers[0].tree
        i = _find(tree, player, view)
        return None if i == NONE else (_actions(tree, i), _memory(tree, self.bandit, i).copy())

    def policy(self, player: int, view: int) -> dict[int, float] | None:
        """What the bandit would output at one information set, or None where the search has not been."""
        return self._read(player, view, self.bandit.policy)

    def means(self, player: int, view: int) -> dict[int, float] | None:
        """The mean reward of each action at one information set; None where the search has not been, or where the bandit
        keeps no means. Over several trees an action's mean is weighted by how often each tree took it: by the set's visits
        times the share of the action in its policy. An action that no tree took has the plain mean over the trees."""
        if not hasattr(self.bandit, "means"):
            return None
        known = self._known(player, view)
        if len(known) == 1:
            return self._read(player, view, self.bandit.means)
        thought: dict[int, list[tuple[float, float]]] = {}  # of each action, in each tree: times, mean
        for tree, i in known:
            actions, memory, visits = _actions(tree, i), _memory(tree, self.bandit, i), int(tree.memory[i + VISITS])
            share, mean = np.empty(len(actions)), np.empty(len(actions))
            self.bandit.policy(memory, len(actions), share)
            self.bandit.means(memory, len(actions), mean)
            for action, part, worth in zip(actions, share.tolist(), mean.tolist(), strict=True):
                thought.setdefault(action, []).append((visits * part, worth))
        return {action: _weighted(found) for action, found in thought.items()} or None

    def _read(self, player: int, view: int, write: Any) -> dict[int, float] | None:
        """What `write` says of each action of a set, weighted over the trees by their visits; None where no tree has it."""
        known = self._known(player, view)
        total, found = sum(int(tree.memory[i + VISITS]) for tree, i in known), dict[int, float]()
        for tree, i in known:
            actions = _actions(tree, i)
            out = np.empty(len(actions))
            write(_memory(tree, self.bandit, i), len(actions), out)
            share = float(tree.memory[i + VISITS] / max(total, 1)) if len(known) > 1 else 1.0
            for action, worth in zip(actions, out.tolist(), strict=True):
                found[action] = found.get(action, 0.0) + share * worth
        return found or None

    def _known(self, player: int, view: int) -> list[tuple[Tree, int]]:
        """The trees that have a set, and its number there."""
        trees = [searcher.tree for searcher in self.searchers]
        return [(tree, i) for tree in trees if (i := _find(tree, player, view)) != NONE]

    def __repr__(self) -> str:
        found = f"{self.iterations:,} iterations, {self.infosets:,} information sets"
        return f"<{self.name} of {self.game!r} by {self.bandit!r}: {found}>"


def _weighted(pairs: list[tuple[float, float]]) -> float:
    """The mean of values by their weights; the plain mean where nothing has weight."""
    total = sum(weight for weight, _ in pairs)
    if total <= 0.0:
        return sum(value for _, value in pairs) / len(pairs)
    return sum(weight * value for weight, value in pairs) / total


def _find(tree: Tree, player: int, view: int) -> int:
    with np.errstate(over="ignore"):
        return int(tree.table.find(np.int64(view), player))


def _actions(tree: Tree, i: int) -> list[int]:
    first, width = tree.actions(i)
    return tree.action[first : first + width].tolist()


def _memory(tree: Tree, bandit: Any, i: int) -> np.ndarray:
    begin, end = tree.span(bandit, i)
    return tree.memory[begin:end]
