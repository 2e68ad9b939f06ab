"""UCB1-Tuned."""

import numpy as np
import pytest
from pulling import choices, memory_of, policy, take

from fogtree.bandits import UCB1Tuned

BANDIT = UCB1Tuned()


def test_the_highest_bound_is_chosen():
    memory = memory_of(BANDIT, 2)
    take(BANDIT, memory, 2, 0, 1.0)
    take(BANDIT, memory, 2, 1, 0.0)
    # n = 2: V is sqrt(2 ln 2) = 1.18 for both, more than 1/4: 1 + sqrt(ln 2 / 4) = 1.416 and 0.416
    assert list(choices(BANDIT, memory, 2)) == [0]
    take(BANDIT, memory, 2, 0, 0.0)
    # n = 3: 0.5 + sqrt(ln 3 / 2 / 4) = 0.871 and 0 + sqrt(ln 3 / 4) = 0.524
    assert list(choices(BANDIT, memory, 2)) == [0]
    take(BANDIT, memory, 2, 0, 0.0)
    take(BANDIT, memory, 2, 0, 0.0)
    # n = 5: 0.25 + sqrt(ln 5 / 4 / 4) = 0.567 and sqrt(ln 5 / 4) = 0.634
    assert list(choices(BANDIT, memory, 2)) == [1]
    assert memory == pytest.approx([5, 4, 0.25, 1, 0, 1, 0])  # visits | times and mean of each | sums of squares
    assert policy(BANDIT, memory, 2) == pytest.approx([0.8, 0.2])


def test_a_steady_action_gets_a_smaller_bonus_than_a_fickle_one():
    # ln 1000 = 6.9078. Action 0, 900 times exactly 0.5: V = 0 + sqrt(2 ln n / 900) = 0.1239 and
    # 0.5 + sqrt(ln n / 900 * 0.1239) = 0.53084. Action 1, 100 times 0 or 1: V = 0.4 - 0.16 + 0.37 > 1/4 and
    # 0.4 + sqrt(ln n / 100 / 4) = 0.53141. With 1/4 for both, action 0 would have 0.5438.
    memory = np.array([1000, 900, 0.5, 100, 0.4, 225, 40])
    assert list(choices(BANDIT, memory, 2)) == [1]
    # were 1 as steady, with squares of 100 * 0.16, then V = 0 + 0.3717 would still be more than 1/4; but of 1,000 more
    # visits, V = sqrt(2 ln 2000 / 1100) = 0.1176 and 0.4 + sqrt(ln 2000 / 1100 * 0.1176) = 0.4285
    memory = np.array([2000, 900, 0.5, 1100, 0.4, 225, 176])
    assert list(choices(BANDIT, memory, 2)) == [0]


def test_the_bonus_of_the_variance_has_a_2_under_its_root():
    # n = 500, ln n = 6.2146. Action 0, 400 times exactly 0.5: V = sqrt(2 ln n / 400) = 0.1763, so 0.5523. Action 1, 100 times
    # exactly 0.42: V = 0.3526, more than 1/4, so 0.5447. Without the 2 they would be 0.5440 and 0.5445.
    memory = np.array([500, 400, 0.5, 100, 0.42, 100, 17.64])
    assert list(choices(BANDIT, memory, 2)) == [0]


def test_ties_are_broken_evenly():
    memory = memory_of(BANDIT, 3)
    for action in range(3):
        take(BANDIT, memory, 3, action, 0.5)
    seen = choices(BANDIT, memory, 3, 900)
    assert all(times == pytest.approx(300, abs=71) for times in seen.values())  # five deviations of 14.1


def test_rewards_are_scaled_to_0_and_1():
    assert BANDIT.reward(-3.0, -4.0, 4.0) == 0.125
    assert BANDIT.reward(2.0, 2.0, 2.0) == 0.0


def test_width_scales_the_bonus():
    # n = 5: 0.25 + w sqrt(ln 5 / 4 / 4) and w sqrt(ln 5 / 4), so 0.317 w < 0.25 at w = 0.78 and more at 0.8
    memory = np.array([5, 4, 0.25, 1, 0, 1, 0])
    assert list(choices(UCB1Tuned(width=0.78), memory, 2)) == [0]
    assert list(choices(UCB1Tuned(width=0.8), memory, 2)) == [1]


def test_an_urgent_action_is_taken_again_before_all_were_tried():
    # one visit, reward 1: 1 + sqrt(ln 1) = 1 against an urgency of 0.9 or 1.1; then n = 2, with a mean of 0.5 and
    # 0.5 + sqrt(ln 2 / 2 / 4) = 0.794
    memory = np.array([1, 1, 1, 0, 0, 0, 0, 1, 0, 0], float)
    assert list(choices(UCB1Tuned(urgency=0.9), memory, 3)) == [0]
    assert list(choices(UCB1Tuned(urgency=1.1), memory, 3)) == [1, 2]
    assert list(choices(UCB1Tuned(urgency=1.0), memory, 3)) == [0, 1, 2]
    memory = np.array([2, 2, 0.5, 0, 0, 0, 0, 1, 0, 0], float)
    assert list(choices(UCB1Tuned(urgency=0.79), memory, 3)) == [0]
    assert list(choices(UCB1Tuned(urgency=0.8), memory, 3)) == [1, 2]
