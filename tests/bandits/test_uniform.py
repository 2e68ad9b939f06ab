"""Uniform random choice."""

import pytest
from pulling import choices, memory_of, policy, take

from fogtree.bandits import UniformRandom


def test_every_action_is_equally_likely_whatever_it_brings():
    bandit, memory = UniformRandom(), memory_of(UniformRandom(), 4)
    for _ in range(20):
        assert take(bandit, memory, 4, 2, 100.0) == 0.25
    assert all(times == pytest.approx(250, abs=69) for times in choices(bandit, memory, 4, 1_000).values())  # 5 x 13.7
    assert policy(bandit, memory, 4) == pytest.approx([0.25] * 4)
