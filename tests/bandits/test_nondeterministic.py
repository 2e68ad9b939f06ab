"""Nondeterministic UCT."""

import numpy as np
import pytest
from pulling import FIGURE_4_9, choices, half_gains, memory_of, self_play, take

from fogtree.bandits import DeterministicUCT, NondeterministicUCT


def after(rewards):
    """A memory in which every action was tried once, so that all have the same bonus."""
    memory = memory_of(NondeterministicUCT(), len(rewards))
    for action, reward in enumerate(rewards):
        take(NondeterministicUCT(), memory, len(rewards), action, reward)
    return memory


@pytest.mark.parametrize(
    "epsilon, near", [(0.0, [1]), (0.005, [1]), (0.011, [1, 3]), (0.051, [0, 1, 3]), (1.0, [0, 1, 2, 3])]
)
def test_any_action_within_epsilon_of_the_best_is_chosen_evenly(epsilon, near):
    memory = after([0.45, 0.5, 0.0, 0.49])
    seen = choices(NondeterministicUCT(epsilon=epsilon), memory, 4, 900)
    assert list(seen) == near
    assert all(times == pytest.approx(900 / len(near), abs=75) for times in seen.values())  # five deviations of 15


def test_the_bonus_has_no_2_under_the_root():
    memory = np.array([5, 3, 0.1, 2, 0.0])  # visits | times and mean of each
    # sqrt(ln 5 / 3) = 0.7325 and sqrt(ln 5 / 2) = 0.8971: with c the bounds differ by 0.1 - 0.1646 c, which is 0 at
    # c = 0.6074; with the 2 it would be at 0.4295
    for c, chosen in ((0.5, 0), (0.6, 0), (0.615, 1), (0.7, 1)):
        assert list(choices(NondeterministicUCT(c=c, epsilon=0), memory, 2)) == [chosen]


def test_epsilon_lets_it_leave_the_cycles_of_deterministic_uct():
    # Fig 4.9, c = 2 and epsilon = 0.01: near (.4, .4, .2), where deterministic UCT ends at a half-sum of .3 to .7
    for seed in (1, 2, 3):
        rows, columns = self_play(FIGURE_4_9, NondeterministicUCT(epsilon=0.01), 100_000, seed)
        assert half_gains(FIGURE_4_9.payoffs, rows, columns) < 0.06
        for mix in (rows, columns):
            assert mix == pytest.approx([0.4, 0.4, 0.2], abs=0.06)
        rows, columns = self_play(FIGURE_4_9, DeterministicUCT(), 100_000, seed)
        assert half_gains(FIGURE_4_9.payoffs, rows, columns) > 0.2
