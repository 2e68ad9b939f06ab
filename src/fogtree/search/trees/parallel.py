"""Root parallelism: several searches of one game at once, each with a tree and a seed of its own, read as one.

No tree is shared, so no thread waits for another and the result depends on the seeds alone. What they output is merged set by
set: the mixes of all trees that know it, weighted by their visits. Mean strategies and frequencies are sums over visits, so
this is the mean over all of them.

The disadvantage is that each tree learns only from its own share of the iterations.
"""

import concurrent.futures
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...strategy import Strategy


class Output(NamedTuple):
    """What one search would play, and how much it knows of each set."""

    player: np.ndarray  # [sets]
    view: np.ndarray  # [sets]
    first: np.ndarray  # [sets + 1] row i of the pairs is first[i] to first[i + 1] - 1
    action: np.ndarray  # [pairs]
    probability: np.ndarray  # [pairs]
    visits: np.ndarray  # [sets]


def merged(game: Any, outputs: Sequence[Output]) -> Strategy:
    """One strategy: at each set the mean of the mixes, weighted by the visits."""
    if len(outputs) == 1:
        return Strategy(game, *outputs[0][:5])
    player, view, visits = (np.concatenate([getattr(o, f) for o in outputs]) for f in ("player", "view", "visits"))
    width = np.concatenate([np.diff(o.first) for o in outputs])
    action, probability = (np.concatenate([getattr(o, f) for o in outputs]) for f in ("action", "probability"))
    order = np.lexsort((view, player))
    new = np.ones(len(order), bool)  # the first of those that are the same set
    new[1:] = (np.diff(view[order]) != 0) | (np.diff(player[order]) != 0)
    kept, group = order[new], np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1  # of the set of each tree, the number in the result
    share = visits / np.maximum(np.bincount(group, visits), 1)[group]
    # of each pair of each tree the set and the action; trees may have pruned differently, so actions are matched, not places
    owner, weight = np.repeat(group, width), np.repeat(share, width) * probability
    order = np.lexsort((action, owner))
    owner, action, weight = owner[order], action[order], weight[order]
    new = np.ones(len(order), bool)  # the first of those that are the same action of a set
    new[1:] = (np.diff(owner) != 0) | (np.diff(action) != 0)
    first = np.concatenate([[0], np.cumsum(np.bincount(owner[new], minlength=len(kept)))])
    mean = np.bincount(np.cumsum(new) - 1, weight)
    return Strategy(game, player[kept], view[kept], first, action[new], mean)


class Stopped(Exception):
    """Raised in a thread when another has failed."""


def at_once(work: Sequence[Callable[[Callable[[], None]], Any]]) -> None:
    """Do all these pieces at once, the first in this thread. Each piece is given a function that it calls now and then. The
    function raises if another piece has failed, so that no thread continues in the background."""
    failed: list[bool] = []

    def look() -> None:
        if failed:
            raise Stopped

    def guarded(piece):
        try:
            piece(look)
        except BaseException:
            failed.append(True)
            raise

    with concurrent.futures.ThreadPoolExecutor(max(1, len(work) - 1)) as pool:
        others = [pool.submit(guarded, piece) for piece in work[1:]]
        with contextlib.suppress(Stopped):  # whoever failed says why, below
            guarded(work[0])
        for future in concurrent.futures.wait(others).done:
            error = future.exception()
            if error and not isinstance(error, Stopped):
                raise error
