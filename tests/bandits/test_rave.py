"""RAVE with both schedules: sequences worked out by hand."""

import math

import numpy as np
import pytest
from pulling import choices, memory_of, policy, take

from fogtree import Invalid, TicTacToe
from fogtree.bandits import RAVE, HandSelectedRAVE
from fogtree.game import new_state
from fogtree.search.trees.mcts import MCTS

PLAIN, HAND = RAVE(bias=0.1, confidence=0), HandSelectedRAVE(k=100, confidence=0)


def begun(bandit, *weights):
    memory = memory_of(bandit, len(weights))
    bandit.begin(memory, len(weights), 0, np.array(weights))
    return memory


def hear(bandit, memory, *heard, reward):
    bandit.overhear(memory, len(heard), np.array(heard, bool), reward)


@pytest.mark.parametrize("bandit", [PLAIN, HAND])
def test_what_nobody_tried_or_heard_comes_first(bandit):
    memory = begun(bandit, 1 / 3, 1 / 3, 1 / 3)
    assert list(choices(bandit, memory, 3)) == [0, 1, 2]
    take(bandit, memory, 3, 0, 1.0)
    hear(bandit, memory, True, True, False, reward=1.0)
    assert list(choices(bandit, memory, 3)) == [2]
    assert memory.tolist() == [1, 1, 1, 1, 1, 0, 0.5, 1, 1, 0, 0.5, 0, 0]
    assert policy(bandit, memory, 3).tolist() == [1, 0, 0]


@pytest.mark.parametrize("bandit", [PLAIN, HAND])
def test_an_untried_action_has_what_was_overheard(bandit):
    memory = begun(bandit, 0.5, 0.5)
    hear(bandit, memory, True, True, reward=0.5)
    hear(bandit, memory, False, True, reward=1.0)  # overheard: 0.5 and 0.75
    assert list(choices(bandit, memory, 2)) == [1]
    assert memory[3:5].tolist() == [1, 0.5] and memory[7:9].tolist() == [2, 1.5]
    hear(bandit, memory, False, True, reward=0.0)  # 0.5 and 0.5
    assert list(choices(bandit, memory, 2)) == [0, 1]


def test_beta_of_least_error():
    # n = 10, m = 40, b = 0.1: 40 / (10 + 40 + 4 * 0.01 * 400) = 40 / 66
    assert 40 * PLAIN.share(50.0, 10.0, 40.0) == pytest.approx(40 / 66)
    assert 40 * RAVE(bias=0).share(50.0, 10.0, 40.0) == pytest.approx(0.8)
    memory = np.array([50, 10, 0.5, 40, 40 * 0.83, 40, 0.7, 40, 40 * 0.7])
    # action 0: 0.5 + 40/66 * 0.33 = 0.7000 exactly as much as action 1, which has 0.7 both ways
    assert list(choices(PLAIN, memory, 2)) == [1] or list(choices(PLAIN, memory, 2)) == [0, 1]
    memory[4] = 40 * 0.84
    assert list(choices(PLAIN, memory, 2)) == [0]
    memory[4] = 40 * 0.82
    assert list(choices(PLAIN, memory, 2)) == [1]


def test_beta_selected_by_hand():
    assert HAND.share(100.0, 3.0, 4.0) == 0.5 / 4  # at n = k
    assert HAND.share(0.0, 3.0, 1.0) == 1.0
    assert HAND.share(100.0, 0.0, 1.0) == 1.0  # an action that was never tried
    memory = np.array([100, 50, 0.5, 9, 9 * 0.91, 50, 0.7, 9, 9 * 0.7])  # (0.5 + 0.91) / 2 = 0.705
    assert list(choices(HAND, memory, 2)) == [0]
    memory[4] = 9 * 0.89
    assert list(choices(HAND, memory, 2)) == [1]


@pytest.mark.parametrize("kind", [RAVE, HandSelectedRAVE])
def test_priors_are_visits_never_made(kind):
    bandit = kind(confidence=3)
    memory = begun(
        bandit, 0.5, 0.25, 0.25
    )  # the mean weight is 1/3: 0.5 / (0.5 + 0.333) = 0.6 and 0.25 / 0.583 = 0.4286
    out = np.empty(3)
    bandit.means(memory, 3, out)
    assert out == pytest.approx([0.6, 3 / 7, 3 / 7])
    assert list(choices(bandit, memory, 3)) == [0]
    take(bandit, memory, 3, 0, 0.0)
    bandit.means(memory, 3, out)
    assert out == pytest.approx([0.45, 3 / 7, 3 / 7])  # 3 * 0.6 / 4
    take(bandit, memory, 3, 0, 0.0)
    bandit.means(memory, 3, out)
    assert out[0] == pytest.approx(0.36)  # 3 * 0.6 / 5
    assert list(choices(bandit, memory, 3)) == [1, 2]
    assert policy(bandit, memory, 3).tolist() == [1, 0, 0]  # what was never made is not in the output


def test_confidence_counts_against_what_is_overheard():
    bandit = RAVE(bias=0, confidence=2)
    memory = begun(bandit, 0.5, 0.5)
    hear(bandit, memory, True, False, reward=0.0)
    # beta = 1 / (2 + 1): 0.5 * 2/3 = 0.33 and 0.5
    assert list(choices(bandit, memory, 2)) == [1]
    memory[6] = 0.33
    assert list(choices(bandit, memory, 2)) == [0]
    memory[6] = 0.34
    assert list(choices(bandit, memory, 2)) == [1]


def test_exploration_widens_what_was_tried_less():
    # n = 10: 0.5 + c sqrt(ln 10 / 8) = 0.5 + 0.5365 c and 0.3 + c sqrt(ln 10 / 2) = 0.3 + 1.0730 c: equal at c = 0.3728
    memory = np.array([10, 8, 0.5, 1, 0.5, 2, 0.3, 1, 0.3])
    assert list(choices(RAVE(c=0.37, confidence=0), memory, 2)) == [0]
    assert list(choices(RAVE(c=0.38, confidence=0), memory, 2)) == [1]
    memory[5] = 0  # never tried: first
    assert list(choices(RAVE(c=0.01, confidence=0), memory, 2)) == [1]


def test_rewards_are_scaled_to_0_and_1():
    for bandit in (PLAIN, HAND):
        assert bandit.reward(-3.0, -4.0, 4.0) == 0.125 and bandit.reward(2.0, 2.0, 2.0) == 0.0


@pytest.mark.parametrize("bad", [{"bias": 2}, {"c": -1}, {"confidence": math.nan}])
def test_bad_parameters_are_one_sentence(bad):
    with pytest.raises(Invalid, match=r"must be a number in \[0, 1"):
        RAVE(**bad)


@pytest.mark.parametrize("bandit", [RAVE(), HandSelectedRAVE()])
def test_search_by_rave_finds_the_move_that_holds(bandit, interpreted):
    game = TicTacToe()
    state = new_state(game)
    for move in (0, 4, 1):
        game.step(state, move)
    search = MCTS(game, bandit, seed=1).think(state, iterations=600)
    assert search.best(state) == 2  # O must stop the row
