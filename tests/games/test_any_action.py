"""Games that draw an action without listing all of them draw the one that the list has at that place."""

import numpy as np
import pytest

import fogtree
from fogtree import dice
from fogtree.kernels import kernel

NAMES = [
    *(name for name in fogtree.GAMES if hasattr(fogtree.load(name), "any_action")),
    *("phantom-go:side=9", "phantom-go:side=8", "breakthrough:rows=16,columns=4", "breakthrough:rows=7,columns=9"),
]


@kernel
def differences(game, games, moves, state, out, random, same):
    """How often the action drawn, or the dice after it, differ from those of the list."""
    found = 0
    for _ in range(games):
        game.start(state)
        for _ in range(moves):
            player = game.player(state)
            if player == fogtree.OVER:
                break
            for word in range(4):
                same[word] = random[word]
            action = out[dice.below(random, game.actions(state, out))]
            if player >= 0:
                found += game.any_action(state, out, same) != action
                for word in range(4):
                    found += same[word] != random[word]
            game.step(state, action)
    return found


@pytest.mark.parametrize("game", list(map(fogtree.load, NAMES)), ids=str)
def test_the_action_drawn_is_the_one_of_the_list(game):
    shape, random = game.shape(), dice.seeded(2)
    scratch = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), random, np.zeros(4, np.uint64)
    assert differences(game, 300, shape.moves, *scratch) == 0
