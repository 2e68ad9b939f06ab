"""What a search at the table really plays: it is asked at every decision that its player can come to, from the first on.

A search that thinks at the table has no strategy that is written down. So it is asked everywhere, top down, and carries from
one decision to the next what it would carry in a match (`search/online/protocol.py`). Where it mixes, the measurement follows
every action that has a share, and goes on from the same answer in each. What comes out is a behaviour strategy of one player,
by sequence of the sequence form.

The mixes of one seed are those of one run of the search. What its opponents meet is the mean over all seeds
(`soundness.py`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..solvers.forms.infosets import EMPTY, InfosetTree, uniform_mix
from ..walk.slices import Budget


def thought(
    form: Any, player: int, search: Any, spend: Budget, seed: int, *path: int, tell: Callable[[], Any] = lambda: None
) -> tuple[np.ndarray, int]:
    """[sequences] the probability of the last action of each, and how many times the search has thought. Sets that its own
    play never comes to are uniform. `tell` is called after each thought, and may raise."""
    tree = form.trees[player]
    mix, below, thoughts = uniform_mix(tree), sets_below(tree), 0
    waiting = [(search.begin(form.game, player, seed, *path), below[EMPTY])]
    while waiting:  # depth first, so that few are carried at a time
        carried, sets = waiting.pop()
        left = dict.fromkeys(sets)  # in their order
        while left:
            answer = search.think(carried, int(tree.view[next(iter(left))]), spend)
            thoughts += 1
            tell()
            here = [next(iter(left))]
            if search.whole:
                here = [i for i in left if (player, int(tree.view[i])) in answer.strategy] or here
            after = []
            for i in here:
                del left[i]
                write(tree, i, answer.strategy, player, mix)
                after += [j for s in range(tree.first[i], tree.first[i + 1]) if mix[s] > 0.0 for j in below[s]]
            if after:
                waiting.append((answer.carried, after))
    return mix, thoughts


def write(tree: InfosetTree, i: int, strategy: Any, player: int, mix: np.ndarray) -> None:
    """Take over what a strategy plays at a set; nothing where it has no row."""
    try:
        row = strategy[player, int(tree.view[i])]
    except KeyError:
        return
    low, high = int(tree.first[i]), int(tree.first[i + 1])
    share = np.array([row.get(int(action), 0.0) for action in tree.action[low:high]])
    mix[low:high] = share / share.sum()


def sets_below(tree: InfosetTree) -> list[list[int]]:
    """[sequences] the sets that come next after each."""
    found: list[list[int]] = [[] for _ in range(int(tree.sequences()))]
    for i, parent in enumerate(tree.parent.tolist()):
        found[parent].append(i)
    return found
