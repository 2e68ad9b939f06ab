"""Perft: how many courses of so many moves there are from a position. Nearly every mistake in the rules changes these
numbers, and they are published.

`perft` counts the last moves in bulk, without making them. Like all published counts it takes no notice of repetition, of
the clock and of dead positions. `visits` goes through `actions` and `step` as every algorithm does, so these rules hold.
"""

from typing import Any

import numpy as np

from ...game import OVER
from ...kernels import kernel
from ...walk.slices import whole
from .moves import KEYS, ZERO, choices, generate, move


def perft(game: Any, state: np.ndarray, depth: int) -> int:
    """How many courses of `depth` moves there are, the last moves counted in bulk."""
    depth = whole(depth, "the depth of perft")
    if depth == 0:
        return 1
    return int(_in_bulk(*_room(game, state, depth), depth))


def visits(game: Any, state: np.ndarray, depth: int) -> int:
    """How many courses of `depth` moves the game has, each made by `actions` and `step`."""
    depth = whole(depth, "the depth of perft")
    if depth == 0:
        return 1
    return int(_one_by_one(game, *_room(game, state, depth), depth))


def divide(game: Any, state: np.ndarray, depth: int) -> dict[str, int]:
    """The counts of `perft` below each move, to compare with those of another program where the sums differ."""
    depth, shape = whole(depth, "the depth of perft", 1), game.shape()
    out, found = np.zeros(shape.actions, np.int64), {}
    for action in out[: game.actions(state, out)].tolist():
        child = state.copy()
        game.step(child, action)
        found[game.label(state, action)] = perft(game, child, depth - 1)
    return found


def _room(game, state, depth):
    """A state, the actions, how many they are and the next of them, for each level."""
    shape = game.shape()
    states = np.zeros((depth + 1, shape.words), np.int64)
    states[0] = state
    return states, np.zeros((depth, shape.actions), np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64)


@kernel
def _in_bulk(states, action, width, following, depth):
    if depth == 1:
        return choices(states[0])
    total, level = 0, 0
    width[0], following[0] = generate(states[0], ~ZERO, action[0]), 0
    while level >= 0:
        if following[level] == width[level]:
            level -= 1
            continue
        chosen = action[level, following[level]]
        following[level] += 1
        child = states[level + 1]
        for word in range(KEYS):
            child[word] = states[level, word]
        move(child, chosen)
        if level + 2 == depth:
            total += choices(child)
        else:
            level += 1
            width[level], following[level] = generate(child, ~ZERO, action[level]), 0
    return total


@kernel
def _one_by_one(game, states, action, width, following, depth):
    if game.player(states[0]) == OVER:
        return 0
    total, level = 0, 0
    width[0], following[0] = game.actions(states[0], action[0]), 0
    while level >= 0:
        if following[level] == width[level]:
            level -= 1
            continue
        chosen = action[level, following[level]]
        following[level] += 1
        child = states[level + 1]
        for word in range(game.live(states[level])):
            child[word] = states[level, word]
        game.step(child, chosen)
        if level + 1 == depth:
            total += 1
        elif game.player(child) != OVER:
            level += 1
            width[level], following[level] = game.actions(child, action[level]), 0
    return total
