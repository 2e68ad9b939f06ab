"""Sliding-window UCT."""

import math

import numpy as np
import pytest
from pulling import FIGURE_3_2, choices, choose, memory_of, policy, self_play, take

from fogtree import dice
from fogtree.bandits import SlidingWindowUCT

HEAD, STRIDE = 1, 2  # of its memory, as in uct.py


def test_what_leaves_the_window_is_forgotten():
    bandit, memory = SlidingWindowUCT(c=0, window=3), memory_of(SlidingWindowUCT(window=3), 2)
    take(bandit, memory, 2, 0, 1.0)
    take(bandit, memory, 2, 1, 0.5)
    take(bandit, memory, 2, 0, 0.8)  # 0 has 1.0 and 0.8, 1 has 0.5
    assert memory[: HEAD + STRIDE * 2] == pytest.approx([3, 2, 0.9, 1, 0.5])
    take(bandit, memory, 2, 0, 0.2)  # the 1.0 leaves: 0 has 0.8 and 0.2
    assert memory[: HEAD + STRIDE * 2] == pytest.approx([3, 2, 0.5, 1, 0.5])
    assert list(choices(bandit, memory, 2)) == [0, 1]
    take(bandit, memory, 2, 0, 0.0)  # the 0.5 leaves, and 1 is not in the window any more
    assert memory[: HEAD + STRIDE * 2] == pytest.approx([3, 3, 1 / 3, 0, 0])
    assert list(choices(bandit, memory, 2)) == [1]
    assert policy(bandit, memory, 2) == pytest.approx([1, 0])


@pytest.mark.parametrize("window", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_it_is_uct_on_the_list_of_the_last_visits(window, epsilon):
    k, c = 3, 0.7
    bandit, memory = SlidingWindowUCT(c, window, epsilon), memory_of(SlidingWindowUCT(window=window), 3)
    random, rewards = dice.seeded(window), np.random.default_rng(window)
    last = []
    for step in range(20 * window + 60):
        absent = [action for action in range(k) if action not in [a for a, _ in last]]
        chosen, probability = choose(bandit, memory, k, random)
        assert probability == 1
        if absent:
            assert chosen in absent
        else:
            mean = [np.mean([r for a, r in last if a == action]) for action in range(k)]
            times = [len([a for a, _ in last if a == action]) for action in range(k)]
            score = [m + c * math.sqrt(math.log(len(last)) / n) for m, n in zip(mean, times, strict=True)]
            assert score[chosen] >= max(score) - epsilon - 1e-12
        reward = rewards.normal() + math.sin(step / 30 + chosen)
        bandit.learn(memory, k, chosen, probability, reward)
        last = [*last, (chosen, reward)][-window:]
        for action in range(k):
            found = [r for a, r in last if a == action]
            at = HEAD + STRIDE * action
            assert memory[at] == len(found)
            assert memory[at + 1] == pytest.approx(np.mean(found) if found else 0.0, abs=1e-11)
        assert memory[0] == len(last)
        share = [len([a for a, _ in last if a == action]) / len(last) for action in range(k)]
        assert policy(bandit, memory, k) == pytest.approx(share)


@pytest.mark.slow
def test_its_strategy_never_settles():
    # it forgets what it knew of the other: the shares in the window keep moving, where those of plain UCT settle
    mixes = [self_play(FIGURE_3_2, SlidingWindowUCT(window=1_000), n)[0] for n in range(100_000, 200_000, 10_000)]
    assert np.ptp(mixes, axis=0).max() > 0.05
