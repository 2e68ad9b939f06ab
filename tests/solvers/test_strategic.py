"""The reduced strategic form against payoffs that are looked up one profile at a time."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from fogtree.game import OVER, Shape
from fogtree.solvers.forms.strategic import strategic_form


class Secretly(NamedTuple):
    """Each player in turn chooses a number that nobody else sees; a table says what the choices pay."""

    sizes: tuple[int, ...]  # [player] how many numbers there are
    table: np.ndarray  # [player, all choices as one number]

    def shape(self):
        players = len(self.sizes)
        low, high = float(self.table.min()), float(self.table.max())
        return Shape(players, players + 1, max(self.sizes), players, low, high, zero_sum=False)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[-1] if state[-1] < len(self.sizes) else OVER

    def actions(self, state, out):
        for action in range(self.sizes[state[-1]]):
            out[action] = action
        return self.sizes[state[-1]]

    def odds(self, state, out):
        pass

    def step(self, state, action):
        state[state[-1]] = action
        state[-1] += 1

    def payoff(self, state, player):
        choices = 0
        for who in range(len(self.sizes)):
            choices = choices * self.sizes[who] + state[who]
        return self.table[player, choices]

    def view(self, state, player):
        return 1


@pytest.mark.parametrize(
    "sizes",
    [
        (2, 3),
        (2, 2, 2, 2),
        (2, 2, 2, 2, 2),
        (2, 1, 3, 2, 2, 2),
        (2, 2, 2, 2, 3, 2, 2),
        (1, 1, 1, 1, 64, 2),  # the fifth player has as many strategies as ends are added up at a time
    ],
)
def test_each_profile_pays_what_the_table_says(sizes, interpreted):
    game = Secretly(sizes, np.random.default_rng(1).normal(size=(len(sizes), int(np.prod(sizes)))))
    form = strategic_form(game)
    assert form.payoffs.shape == (len(sizes), *sizes)
    for profile in itertools.product(*map(range, sizes)):
        choices = np.ravel_multi_index(profile, sizes)
        assert form.payoffs[(slice(None), *profile)] == pytest.approx(game.table[:, choices], abs=1e-12)
