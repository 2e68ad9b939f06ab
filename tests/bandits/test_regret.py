"""Regret matching, and its plus variant."""

import itertools
import math

import numpy as np
import pytest
from pulling import (
    FIGURE_3_2,
    FIGURE_4_1,
    FIGURE_4_9,
    ROCK_PAPER_SCISSORS,
    choices,
    half_gains,
    memory_of,
    policy,
    self_play,
    take,
)

from fogtree.bandits import RegretMatching, RegretMatchingPlus

GAMES = {"rps": ROCK_PAPER_SCISSORS, "3.2": FIGURE_3_2, "4.1": FIGURE_4_1, "4.9": FIGURE_4_9}


def test_play_follows_the_regrets():
    bandit, memory = RegretMatching(gamma=0.1), memory_of(RegretMatching(), 3)
    assert take(bandit, memory, 3, 1, 1.0) == pytest.approx(1 / 3)
    # R = (-1, -1 + 1 / (1/3), -1) = (-1, 2, -1); p = (0, 1, 0); q_1 = 0.9 + 0.1 / 3
    assert take(bandit, memory, 3, 1, 0.5) == pytest.approx(0.9333333)
    # R = (-1.5, 2 - 0.5 + 0.5 / 0.9333333, -1.5) = (-1.5, 2.0357143, -1.5); q_0 = 0.1 / 3
    assert take(bandit, memory, 3, 0, 1.0) == pytest.approx(1 / 30)
    # R = (-2.5 + 30, 1.0357143, -2.5); p_0 = 27.5 / 28.5357143 = 0.9637046; q_1 = 0.9 * 0.0362954 + 0.1 / 3
    assert memory[:3] == pytest.approx([27.5, 1.0357143, -2.5])
    assert take(bandit, memory, 3, 1, 0.0) == pytest.approx(0.0659992)
    # the mean of p over four visits, without the exploration
    assert policy(bandit, memory, 3) == pytest.approx(
        np.mean([[1 / 3, 1 / 3, 1 / 3], [0, 1, 0], [0, 1, 0], [0.9637046, 0.0362954, 0]], axis=0)
    )


def test_the_plus_variant_keeps_no_negative_regret():
    bandit, memory = RegretMatchingPlus(gamma=0.1), memory_of(RegretMatchingPlus(), 3)
    take(bandit, memory, 3, 1, 1.0)
    assert memory[:3] == pytest.approx([0, 2, 0])
    take(bandit, memory, 3, 1, 0.5)
    assert memory[:3] == pytest.approx([0, 2.0357143, 0])
    take(bandit, memory, 3, 0, 1.0)
    assert memory[:3] == pytest.approx([29, 1.0357143, 0])
    # p_0 = 29 / 30.0357143 = 0.9655172; q_1 = 0.9 * 0.0344828 + 0.1 / 3
    assert take(bandit, memory, 3, 1, 0.0) == pytest.approx(0.0643678, abs=1e-7)


@pytest.mark.parametrize("bandit", [RegretMatching(0.4), RegretMatchingPlus(0.4)])
def test_actions_are_drawn_by_the_probabilities_reported(bandit):
    memory = np.array([3.0, 0.0, 1.0, 0, 0, 0])
    # p = (0.75, 0, 0.25); q = 0.6 p + 0.4 / 3
    seen = choices(bandit, memory, 3, 3_000)
    assert [seen[action] / 3_000 for action in range(3)] == pytest.approx([0.5833, 0.1333, 0.2833], abs=0.045)


@pytest.mark.parametrize("cls", [RegretMatching, RegretMatchingPlus])
def test_without_positive_regret_play_is_uniform(cls):
    assert list(choices(cls(), np.array([-3.0, 0.0, -1.0, 0, 0, 0]), 3)) == [0, 1, 2]
    assert take(cls(), np.array([-3.0, 0.0, -1.0, 0, 0, 0]), 3, 0, 0.0) == pytest.approx(1 / 3)


@pytest.mark.parametrize("cls", [RegretMatching, RegretMatchingPlus])
def test_with_decay_the_exploration_shrinks_with_the_visits(cls):
    bandit, memory = cls(gamma=0.4, decay=0.5), np.array([1.0, 0, 0, 0])
    for n in range(1, 6):  # visit n: gamma = 0.4 / sqrt(n), and the other action has gamma / 2
        assert take(bandit, memory, 2, 0, 0.0) == pytest.approx(1 - 0.2 / math.sqrt(n))


@pytest.mark.parametrize("cls", [RegretMatching, RegretMatchingPlus])
def test_rewards_are_scaled_to_0_and_1(cls):
    assert cls().reward(-3.0, -4.0, 4.0) == 0.125
    assert cls().reward(2.0, 2.0, 2.0) == 0.0


def noisy(payoffs, gamma):
    """The payoffs of mixes when each player then errs with probability gamma: the game that the mixes are learned in."""
    rows, columns = payoffs.shape
    err = [(1 - gamma) * np.eye(k) + np.full((k, k), gamma / k) for k in (rows, columns)]
    return err[0].T @ payoffs @ err[1]


@pytest.mark.parametrize("cls", [RegretMatching, RegretMatchingPlus])
@pytest.mark.parametrize("name", GAMES)
def test_against_itself_the_mean_strategy_goes_to_the_equilibrium_of_the_game_with_errors(cls, name):
    game = GAMES[name]
    for seed in (1, 2, 3):
        x, y = self_play(game, cls(gamma=0.1), 300_000, seed)
        assert half_gains(noisy(game.payoffs, 0.1), x, y) < 0.012 * np.ptp(game.payoffs)


@pytest.mark.parametrize(
    "name, rows, columns, slack",
    [
        ("rps", [1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3], 0.02),
        ("3.2", [1 / 16, 10 / 16, 5 / 16], [1 / 16, 10 / 16, 5 / 16], 0.15),
        ("4.1", [0.6, 0.4, 0], [0.3, 0.7], 0.04),
        ("4.9", [0.4, 0.4, 0.2], [0.4, 0.4, 0.2], 0.04),
    ],
)
def test_with_little_exploration_that_is_nearly_the_equilibrium_of_the_game(name, rows, columns, slack):
    # the row that should be 1/16 of Fig 3.2 costs next to nothing, so that mixes far away are nearly as good
    for seed in (1, 2, 3):
        x, y = self_play(GAMES[name], RegretMatching(gamma=0.01), 1_000_000, seed)
        assert x == pytest.approx(rows, abs=slack) and y == pytest.approx(columns, abs=slack)
        assert half_gains(GAMES[name].payoffs, x, y) < 0.03


def test_exploitability_falls_as_iterations_grow():
    gains = [
        np.mean([half_gains(FIGURE_4_9.payoffs, *self_play(FIGURE_4_9, RegretMatching(0.01), n, s)) for s in range(10)])
        for n in (1_000, 10_000, 100_000, 1_000_000)
    ]
    assert all(later < 0.7 * earlier for earlier, later in itertools.pairwise(gains))
