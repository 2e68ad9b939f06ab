"""Epsilon-greedy."""

import numpy as np
import pytest
from pulling import choices, memory_of, policy, take

from fogtree.bandits import EpsilonGreedy

THROWS = 2_000
SLACK = 5 * (THROWS / 4) ** 0.5  # five deviations, at most


def shares(bandit, memory, k):
    return [choices(bandit, memory, k, THROWS).get(action, 0) for action in range(k)]


def after(visits, means):
    """A memory in which each action was tried equally often."""
    memory = memory_of(EpsilonGreedy(), len(means))
    memory[0], memory[1::2], memory[2::2] = visits, visits / len(means), means
    return memory


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.0])
def test_the_best_mean_is_chosen_but_for_a_share_of_epsilon(epsilon):
    found = shares(EpsilonGreedy(epsilon), after(40, [0.1, -0.5, 0.3, 0.2]), 4)
    expected = THROWS * np.array([epsilon / 4, epsilon / 4, 1 - epsilon * 3 / 4, epsilon / 4])
    assert found == pytest.approx(expected, abs=SLACK if epsilon else 0)


@pytest.mark.parametrize("visits, epsilon", [(10, 1.0), (20, 1.0), (40, 0.5), (400, 0.05)])
def test_with_decay_epsilon_shrinks_with_the_visits(visits, epsilon):
    # min(1, epsilon * k * decay / n) = min(1, 0.1 * 2 * 100 / n)
    found = shares(EpsilonGreedy(0.1, decay=100), after(visits, [0.0, 1.0]), 2)
    assert found == pytest.approx([THROWS * epsilon / 2, THROWS * (1 - epsilon / 2)], abs=SLACK)


def test_ties_are_broken_evenly():
    found = shares(EpsilonGreedy(0), after(6, [0.5, 0.5, 0.1]), 3)
    assert found == pytest.approx([THROWS / 2, THROWS / 2, 0], abs=SLACK)
    found = shares(EpsilonGreedy(0), after(6, [0.5, 0.5, 0.5]), 3)
    assert found == pytest.approx([THROWS / 3] * 3, abs=SLACK)


def test_untried_actions_come_first_and_visits_are_the_strategy():
    bandit, memory = EpsilonGreedy(0), memory_of(EpsilonGreedy(), 3)
    take(bandit, memory, 3, 1, 5.0)
    assert list(choices(bandit, memory, 3)) == [0, 2]
    take(bandit, memory, 3, 2, 1.0)
    take(bandit, memory, 3, 0, 3.0)
    take(bandit, memory, 3, 1, 1.0)  # its mean falls from 5 to 3: now 0 and 1 tie
    assert list(choices(bandit, memory, 3)) == [0, 1]
    assert policy(bandit, memory, 3) == pytest.approx([0.25, 0.5, 0.25])
