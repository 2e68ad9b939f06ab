"""Imagining in lanes, for tests of engines: a lane imagines the state of its row."""

from typing import Any, NamedTuple

import numpy as np

import fogtree
from fogtree import dice

IMAGINING = [name for name in fogtree.GAMES if hasattr(fogtree.load(name), "imagine")]


class Imagined(NamedTuple):
    """Work: a lane replaces a state by one that its mover cannot tell from it."""

    game: Any
    seed: np.ndarray  # [4]
    state: np.ndarray  # [lanes, words]

    def writes(self):
        return ("state",)

    def lane(self, number, own):
        dice.of_lane(self.seed, number, own.random)
        state = self.state[number]
        player = self.game.player(state)
        if player >= 0:
            self.game.imagine(state, player, own.random)


class Own(NamedTuple):
    random: np.ndarray  # [4]


def new_imagined(game: Any, lanes: int) -> tuple[Imagined, Own]:
    """Random games, a lane each, that stand after some moves of their own."""
    shape, chance = game.shape(), np.random.default_rng(1)
    state = np.zeros((lanes, shape.words), np.int64)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for row in state:
            game.start(row)
            for _ in range(chance.integers(shape.moves)):
                if game.player(row) == fogtree.OVER:
                    break
                game.step(row, int(chance.choice(fogtree.legal(game, row))))
    return Imagined(game, dice.seeded(5), state), Own(np.zeros(4, np.uint64))
