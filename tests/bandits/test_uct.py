"""UCT."""

import numpy as np
import pytest
from pulling import FIGURE_3_2, choices, half_gains, memory_of, policy, self_play, take

from fogtree.bandits import UCT


def test_the_highest_bound_is_chosen():
    bandit, memory = UCT(c=2), memory_of(UCT(), 3)
    for action, reward in enumerate((1.0, 0.0, -1.0)):
        take(bandit, memory, 3, action, reward)
    # n = 3, each tried once: the bonus is the same for all, and 0 has the highest mean
    assert list(choices(bandit, memory, 3)) == [0]
    take(bandit, memory, 3, 0, -1.0)
    # n = 4, 2 sqrt(2 ln 4 / n_i) = 2.355 for n_0 = 2, else 3.330: 0 + 2.355, 0 + 3.330, -1 + 3.330
    assert list(choices(bandit, memory, 3)) == [1]
    take(bandit, memory, 3, 1, 1.0)
    # n = 5, bonus 2.537 for n_0 = n_1 = 2, else 3.588: 0 + 2.537, 0.5 + 2.537, -1 + 3.588
    assert list(choices(bandit, memory, 3)) == [1]
    take(bandit, memory, 3, 1, 0.0)
    # n = 6, bonus 2.677, 2.186 for n_1 = 3, 3.786: 0 + 2.677, 0.333 + 2.186, -1 + 3.786
    assert list(choices(bandit, memory, 3)) == [2]
    take(bandit, memory, 3, 2, 0.0)
    assert policy(bandit, memory, 3) == pytest.approx([2 / 7, 3 / 7, 2 / 7])
    assert memory == pytest.approx([7, 2, 0, 3, 1 / 3, 2, -1 / 2])  # visits | times and mean of each


def test_untried_actions_come_first_and_in_random_order():
    memory = memory_of(UCT(), 4)
    seen = choices(UCT(), memory, 4, 800)
    assert all(times == pytest.approx(200, abs=62) for times in seen.values())  # five deviations of 12.2
    take(UCT(), memory, 4, 2, 100.0)
    take(UCT(), memory, 4, 0, 100.0)
    assert list(choices(UCT(), memory, 4)) == [1, 3]
    take(UCT(), memory, 4, 1, -100.0)
    assert list(choices(UCT(), memory, 4)) == [3]


def test_ties_are_broken_evenly():
    memory = memory_of(UCT(), 4)
    for action, reward in enumerate((0.5, 0.0, 0.5, 0.5)):
        take(UCT(), memory, 4, action, reward)
    seen = choices(UCT(), memory, 4, 900)
    assert list(seen) == [0, 2, 3]
    assert all(times == pytest.approx(300, abs=71) for times in seen.values())  # five deviations of 14.1


def test_with_c_0_it_is_greedy():
    bandit, memory = UCT(c=0), memory_of(UCT(), 2)
    take(bandit, memory, 2, 0, 0.1)
    take(bandit, memory, 2, 1, 0.0)
    for _ in range(50):
        take(bandit, memory, 2, 0, 0.1)
    assert policy(bandit, memory, 2) == pytest.approx([51 / 52, 1 / 52])


def test_rewards_are_payoffs_as_they_are():
    assert UCT().reward(-3.0, -4.0, 4.0) == -3.0


def test_against_itself_it_stays_exploitable_where_the_thesis_says_so():
    # spec of Fig 3.2: near the equilibrium on the way, then off to about (10.5, 78.6, 10.8) % and a half-sum of .142
    rows, columns = self_play(FIGURE_3_2, UCT(), 100_000)
    assert half_gains(FIGURE_3_2.payoffs, rows, columns) < 0.05
    rows, columns = self_play(FIGURE_3_2, UCT(), 1_000_000)
    assert half_gains(FIGURE_3_2.payoffs, rows, columns) > 0.1


def test_an_urgent_action_is_taken_again_before_all_were_tried():
    # one visit, reward 1: 1 + c sqrt(2 ln 1) = 1; two visits, rewards 1 and 0: 0.5 + 0.5 sqrt(2 ln 2 / 2) = 0.916
    memory = np.array([1, 1, 1, 0, 0, 0, 0], float)
    assert list(choices(UCT(c=0.5, urgency=0.9), memory, 3)) == [0]
    assert list(choices(UCT(c=0.5, urgency=1.1), memory, 3)) == [1, 2]
    memory = np.array([2, 2, 0.5, 0, 0, 0, 0], float)
    assert list(choices(UCT(c=0.5, urgency=0.91), memory, 3)) == [0]
    assert list(choices(UCT(c=0.5, urgency=0.92), memory, 3)) == [1, 2]
    assert list(choices(UCT(c=0.5, urgency=0.91), memory_of(UCT(), 3), 3)) == [0, 1, 2]  # nothing was tried
