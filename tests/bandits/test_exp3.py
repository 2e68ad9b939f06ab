"""Exp3."""

import math

import numpy as np
import pytest
from pulling import (
    FIGURE_3_2,
    FIGURE_4_1,
    FIGURE_4_9,
    ROCK_PAPER_SCISSORS,
    choose,
    half_gains,
    memory_of,
    policy,
    self_play,
    take,
)

from fogtree import dice
from fogtree.bandits import Exp3


def test_weights_follow_the_rewards_over_their_probabilities():
    bandit, memory = Exp3(gamma=0.5), memory_of(Exp3(), 2)
    assert take(bandit, memory, 2, 0, 1.0) == 0.5
    # X = (1 / 0.5, 0); p_0 = e^(0.25 * 2) / (e^0.5 + 1) = 0.62246; q_1 = 0.5 * 0.37754 + 0.25
    assert take(bandit, memory, 2, 1, 0.5) == pytest.approx(0.43877, abs=1e-5)
    # X = (2, 0.5 / 0.43877 = 1.13955); p_0 = 1 / (1 + e^(0.25 * (1.13955 - 2))) = 0.55357; q_0 = 0.5 * 0.55357 + 0.25
    assert memory[:2] == pytest.approx([2, 1.13955], abs=1e-5)
    assert take(bandit, memory, 2, 0, 0.0) == pytest.approx(0.52679, abs=1e-5)
    # the mean of p over three visits, without the exploration
    assert policy(bandit, memory, 2)[0] == pytest.approx((0.5 + 0.62246 + 0.55357) / 3, abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_stable_form_equals_the_plain_one_where_that_does_not_overflow(seed):
    random, gamma, k = np.random.default_rng(seed), 0.3, 5
    x = random.uniform(0, 500, k)
    memory = np.concatenate([x, np.zeros(k)])
    chosen, probability = choose(Exp3(gamma), memory, k, dice.seeded(seed))
    plain = [math.exp(gamma * x_i / k) / sum(math.exp(gamma * x_j / k) for x_j in x) for x_i in x]
    assert memory[k:] == pytest.approx(plain, rel=1e-12)
    assert probability == pytest.approx((1 - gamma) * plain[chosen] + gamma / k, rel=1e-12)


@pytest.mark.parametrize("x", [1e6, 1e15, 1e300])
def test_sums_beyond_any_exponential_are_survived(x):
    bandit, memory = Exp3(), np.array([0, x, x / 2, 0, 0, 0])
    assert take(bandit, memory, 3, 1, 1.0) == pytest.approx(0.9 + 0.1 / 3)
    assert take(bandit, memory, 3, 2, 1.0) == pytest.approx(0.1 / 3)
    assert policy(bandit, memory, 3) == pytest.approx([0, 1, 0], abs=1e-300)
    assert np.isfinite(memory).all()


def test_with_decay_the_exploration_shrinks_with_the_visits():
    bandit, memory = Exp3(gamma=0.4, decay=0.5), np.array([1e9, 0, 0, 0])
    # visit n: gamma = 0.4 / sqrt(n), and the hopeless action has gamma / 2
    for n in range(1, 6):
        assert take(bandit, memory, 2, 0, 0.0) == pytest.approx(1 - 0.2 / math.sqrt(n))


def test_rewards_are_scaled_to_0_and_1():
    assert Exp3().reward(-3.0, -4.0, 4.0) == 0.125
    assert Exp3().reward(2.0, 2.0, 2.0) == 0.0


@pytest.mark.parametrize(
    "game, rows, columns",
    [
        (ROCK_PAPER_SCISSORS, [1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3]),
        (FIGURE_3_2, None, None),  # mixes far from the equilibrium are nearly as good
        (FIGURE_4_1, [0.6, 0.4, 0], [0.3, 0.7]),
        (FIGURE_4_9, [0.4, 0.4, 0.2], [0.4, 0.4, 0.2]),
    ],
)
def test_against_itself_the_mean_strategy_approaches_equilibrium(game, rows, columns):
    # not nearer than the exploration of the other lets it: see test_regret.py
    for seed in (1, 2, 3):
        x, y = self_play(game, Exp3(), 500_000, seed)
        assert half_gains(game.payoffs, x, y) < 0.025 * np.ptp(game.payoffs)
        if rows:
            assert x == pytest.approx(rows, abs=0.05) and y == pytest.approx(columns, abs=0.05)
