"""Deterministic UCT."""

import numpy as np
import pytest
from pulling import FIGURE_3_2, FIGURE_4_1, choices, half_gains, memory_of, policy, self_play, take

from fogtree.bandits import DeterministicUCT


def test_the_highest_bound_is_chosen_and_the_first_of_the_best():
    bandit, memory = DeterministicUCT(c=2), memory_of(DeterministicUCT(), 3)
    for action in (2, 0, 1):  # untried actions come in any order
        take(bandit, memory, 3, action, 0.5)
    assert choices(bandit, memory, 3, 20) == {0: 20}  # all tie
    take(bandit, memory, 3, 0, 0.5)
    # n = 4, 2 sqrt(ln 4 / n_i) = 1.665 for n_0 = 2, else 2.355: 1 and 2 tie
    assert choices(bandit, memory, 3, 20) == {1: 20}
    take(bandit, memory, 3, 1, 1.5)
    # n = 5, bonus 1.794, 1.794, 2.537: 0.5 + 1.794, 1.0 + 1.794, 0.5 + 2.537
    assert choices(bandit, memory, 3, 20) == {2: 20}
    take(bandit, memory, 3, 2, -0.5)
    # n = 6, bonus 1.893 for all: 0.5, 1.0, 0.0
    assert choices(bandit, memory, 3, 20) == {1: 20}
    assert policy(bandit, memory, 3) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_against_itself_it_ends_far_from_equilibrium_in_the_modified_rock_paper_scissors(seed):
    # about (10.5, 78.6, 10.8) % for both and a half-sum of .142 to .144, reached slowly; printed: .1445. At 1e6 visits both
    # have come nearly there.
    rows, columns = self_play(FIGURE_3_2, DeterministicUCT(), 1_000_000, seed)
    for mix in (rows, columns):
        assert mix == pytest.approx([0.105, 0.786, 0.108], abs=0.02)
    assert half_gains(FIGURE_3_2.payoffs, rows, columns) == pytest.approx(0.143, abs=0.01)


def test_against_itself_it_falls_into_step_in_figure_4_1():
    # c = 2: the second row, of weight .4 in equilibrium, all but vanishes (printed 0.015 %)
    gains = []
    for seed in range(5):
        rows, columns = self_play(FIGURE_4_1, DeterministicUCT(), 300_000, seed)
        assert rows[1] < 0.005
        gains.append(half_gains(FIGURE_4_1.payoffs, rows, columns))
    assert np.min(gains) > 0.1
