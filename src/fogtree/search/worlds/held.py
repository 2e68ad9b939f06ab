"""What KLUSS holds possible, for people who ask what a search believed: the histories of its tree in which its player has a
view, and how likely each is by the mixes that it has found (`kluss.py`)."""

from typing import Any

import numpy as np

from .gadgets import ALPHA
from .histories import NODES, Histories, new_room, reach_nodes, views_of


def held(game: Any, player: int, carried: Any, view: int) -> tuple[np.ndarray, np.ndarray]:
    """States [n, words] and weights [n], which sum to 1: how likely chance, the player and the other come to each by the
    last mixes, where the other comes to a root as likely as Resolve draws it. The gadgets' own weights are no belief: there
    the other picks what hurts the player most, so that nearly all of the weight may lie on one wrong state."""
    shape, tree = game.shape(), carried.tree
    many = int(tree.used[NODES])
    mine, theirs, gift = np.zeros((3, many))
    mine[carried.gadgets.root] = carried.mine
    theirs[carried.gadgets.root] = np.repeat(carried.gadgets.number[:, ALPHA], carried.gadgets.group[:, 1])
    reach_nodes(tree, player, mine, theirs, gift)
    seen = _views(game, player, tree, many)
    nodes = seen[seen[:, 1] == view, 0]
    state, weight = np.zeros((len(nodes), shape.words), np.int64), mine[nodes] * theirs[nodes]
    state[:, : tree.state.shape[1]] = tree.state[nodes]
    total = weight.sum()
    return state, weight / total if total > 0.0 else np.full(len(nodes), 1.0 / max(len(nodes), 1))


def _views(game: Any, player: int, tree: Histories, many: int) -> np.ndarray:
    """[nodes, 2] the nodes where the player is to move, and what the player has seen there."""
    out = np.zeros((many, 2), np.int64)
    return out[: views_of(game, tree, new_room(game.shape()).state[0], player, player, out)]
