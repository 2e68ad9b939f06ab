"""Many searches at once: an IS-MCTS in each lane (`kernels/lanes.py`), each with a tree, a belief and dice of its own.

This is how thousands of positions are searched side by side: what a search plays at every information set of a game, over
many seeds, in the time of a few searches. Each search is the one of `ismcts.py`, iteration by iteration; a lane keeps its
tree only until it has said what it would play.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import as_bandit
from ...contract.states import require_states
from ...errors import Invalid
from ...game import NONE
from ...judges import Playout, Room, as_judge
from ...kernels.engines import chosen, on
from ...kernels.lanes import CPU
from ...text.naming import as_game
from ...trouble import APART, require_fine
from ...walk import table as tables
from ...walk.slices import Budget, Progress, Watcher, in_slices, whole
from .ear import Deaf, new_ear
from .ismcts import search_slice
from .prior import Even
from .roots import EvenRoots, WeightedRoots, as_roots, drawn_from
from .tree import ENDLESS_SETS, HEAD, LIMIT, Tree

TOGETHER = 1 << 26  # iterations of the first searches on a GPU, which are to fill it


class Own(NamedTuple):
    """The tree of a lane and the room in which it simulates: the arrays of `tree.Tree`."""

    slot: np.ndarray  # [capacity, 2]
    entries: np.ndarray  # [1]
    memory: np.ndarray
    action: np.ndarray
    used: np.ndarray  # [5]
    state: np.ndarray  # [words]
    payoff: np.ndarray  # [players]
    path: np.ndarray  # [moves, 4]
    odds: np.ndarray  # [moves]
    choice: np.ndarray  # [actions]
    weight: np.ndarray  # [actions]
    random: np.ndarray  # [4]


class Part(NamedTuple):
    """The roots of one search among those of all: states `first` to `last - 1`, by their weights."""

    state: np.ndarray  # [states, words]
    upto: np.ndarray  # [states] the weights of the search's states up to this one, it included
    first: int
    last: int

    def draw(self, random):
        """The number of a state."""
        if self.last == self.first + 1:
            return np.int64(self.first)
        return drawn_from(self.upto, self.first, self.last, random)


class Searches(NamedTuple):
    """Work: a lane searches from its roots, and writes what it would play there."""

    game: Any
    bandit: Any
    judge: Any
    seed: np.ndarray  # [4]
    iterations: int
    shift: int  # of the table: 64 - log2(capacity)
    moves: int  # what shape() says
    low: float
    high: float
    state: np.ndarray  # [roots, words]
    upto: np.ndarray  # [roots]
    first: np.ndarray  # [searches + 1] where the roots of each search begin
    policy: np.ndarray  # [searches, actions] by the place of the action among the legal ones
    trouble: np.ndarray  # [searches] 0, or a number of trouble.py

    def writes(self):
        return ("policy", "trouble")

    def threads(self):
        return 512  # so that 65,536 searches begin at the same time on 132 multiprocessors

    def lane(self, number, own):
        game, bandit, first = self.game, self.bandit, self.first[number]
        dice.of_lane(self.seed, number, own.random)
        own.entries[0] = 0
        own.used[:] = 0
        own.used[LIMIT] = ENDLESS_SETS
        for i in range(own.slot.shape[0]):
            own.slot[i, tables.OWNER] = tables.EMPTY
        room = Room(own.choice, own.weight, Deaf(), self.moves, self.low, self.high)
        table = tables.Table(own.slot, own.entries, self.shift)
        tree = Tree(table, own.memory, own.action, own.used, own.state, own.payoff, own.path, own.odds, room)
        roots = Part(self.state, self.upto, first, self.first[number + 1])
        for number_of_root in range(first, roots.last):
            if not self.starts_alike(first, number_of_root, own):
                self.trouble[number] = APART
                return
        made = search_slice(game, bandit, self.judge, Even(), tree, roots, True, self.iterations, own.random)
        self.trouble[number] = min(made, 0)
        if made < 0:
            return
        for word in range(own.state.shape[0]):
            own.state[word] = self.state[first, word]
        player = game.player(own.state)
        count = game.actions(own.state, own.choice)
        i = table.find(game.view(own.state, player), player)
        if i == NONE:  # one action, or no iteration
            for a in range(count):
                self.policy[number, a] = 1.0 / count
        else:
            begin, end = tree.span(bandit, i)
            bandit.policy(own.memory[begin:end], count, self.policy[number])

    def starts_alike(self, first, other, own):
        """Whether a root is a decision that its mover cannot tell from the first of the search."""
        game, state = self.game, own.state
        for word in range(state.shape[0]):
            state[word] = self.state[first, word]
        player = game.player(state)
        if player < 0:
            return False
        view = game.view(state, player)
        for word in range(state.shape[0]):
            state[word] = self.state[other, word]
        return game.player(state) == player and game.view(state, player) == view


def search_many(
    game: Any,
    bandit: Any,
    roots: Sequence[Any],
    iterations: int,
    *,
    weights: Sequence[Any] | None = None,
    seed: int = 0,
    judge: Any = Playout(),  # noqa: B008  (a tuple cannot change)
    device: str = CPU,
    cores: int | None = None,
    progress: Watcher | None = None,
) -> np.ndarray:
    """What IS-MCTS would play after so many iterations in each of many positions: probabilities [searches, actions], by the
    place of an action among the legal ones. `roots[n]` are the states [states, words] that the mover of search n believes
    possible, drawn by `weights[n]`, or each equally likely. Search n throws the dice of lane n of the seed, on every device.
    """
    game, bandit = as_game(game), as_bandit(bandit)
    shape, iterations = game.shape(), whole(iterations, "iterations", 1)
    if not isinstance(new_ear(shape, bandit), Deaf):
        raise Invalid("a bandit that overhears what is played later cannot search in lanes")
    if not isinstance(roots, Sequence | np.ndarray) or isinstance(roots, str) or not len(roots):
        raise Invalid("`roots` is a list with the states of each search, one search or more")
    if weights is not None and len(weights) != len(roots):
        raise Invalid(f"`weights` has one entry for each search, {len(roots)}, not {len(weights)}")
    state, upto, first = _joined(roots, weights, shape.words)
    require_states(game, state)
    capacity = 1 << max(4, (3 * (iterations + 2) // 2).bit_length())
    most, policy, trouble = shape.actions, np.zeros((len(roots), shape.actions)), np.zeros(len(roots), np.int64)
    limits = 65 - capacity.bit_length(), shape.moves, float(shape.low), float(shape.high)
    judge = as_judge(judge)
    work = Searches(game, bandit, judge, dice.seeded(seed), iterations, *limits, state, upto, first, policy, trouble)
    own = Own(
        np.zeros((capacity, 2), np.int64),
        np.zeros(1, np.int64),
        np.zeros((iterations + 1) * (HEAD + bandit.slots(most))),
        np.zeros((iterations + 1) * most, np.int32),
        np.zeros(5, np.int64),
        np.zeros(shape.words, np.int64),
        np.zeros(shape.players),
        np.zeros((shape.moves, 4), np.int32),
        np.zeros(shape.moves),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(4, np.uint64),
    )
    lanes = on(chosen(device, len(roots)), work, own, cores=cores)
    done = 0

    def some(count: int) -> int:
        nonlocal done
        lanes.run(done, count)
        lanes.fetch()
        require_fine(int(trouble[done : done + count].min(initial=0)), game, "the policy of the judge")
        done += count
        return count

    def tell() -> None:
        if progress:
            progress(Progress("searches", done, len(roots)))

    first_slice = 1 if lanes.device == CPU else max(lanes.start, TOGETHER // iterations)
    in_slices(some, Budget(iterations=len(roots)), tell=tell, first=first_slice, pace=lanes.pace)
    return policy


def _joined(roots: Any, weights: Sequence[Any] | None, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The roots of all searches one after the other, the sums of their weights, and where those of each search begin."""
    given = list[EvenRoots | WeightedRoots]()
    if weights is not None or not _alike(roots):
        given = [as_roots(states, None if weights is None else weights[n], words) for n, states in enumerate(roots)]
        roots = [part.state for part in given]
    if isinstance(roots, np.ndarray):
        lengths, joined = np.full(len(roots), roots.shape[1]), roots.reshape(-1, roots.shape[2])
    else:
        lengths, joined = np.fromiter(map(len, roots), np.int64, len(roots)), np.concatenate(roots)
    first = np.concatenate([[0], np.cumsum(lengths)])
    state = as_roots(joined, None, words).state
    upto = (np.arange(1, len(state) + 1) - np.repeat(first[:-1], lengths)) / np.repeat(lengths, lengths)
    for begin, part in zip(first, given, strict=False):
        if isinstance(part, WeightedRoots):
            upto[begin : begin + len(part.upto)] = part.upto
    return state, upto, first


def _alike(roots: Any) -> bool:
    """Whether the roots of each search are an array of as many words: then all are looked at together, for there are many."""
    if isinstance(roots, np.ndarray):
        return roots.ndim == 3 and roots.shape[1] > 0
    arrays = all(isinstance(states, np.ndarray) and states.ndim == 2 for states in roots)
    return arrays and all(map(len, roots)) and len({states.shape[1] for states in roots}) == 1
