"""Links and steps: what they compute, by hand and by finite differences."""

import numpy as np
import pytest

from fogtree.evaluation import linear
from fogtree.game import new_state
from fogtree.games import ConnectFour
from fogtree.games.connect_four import ConnectFourFeatures
from fogtree.learn.bootstrap import RootStrap, TreeStrap
from fogtree.learn.differences import Seen, TDLeaf
from fogtree.learn.links import Squashed, Straight
from fogtree.learn.pupil import Pupil
from fogtree.learn.steps import Adaptive, Plain
from fogtree.search.open.pruning import Sound

GAME, FEATURES = ConnectFour(4, 5), ConnectFourFeatures(4, 5, 4)
SMALL = 1e-6


def learner(link, steps=Plain()):  # noqa: B008
    weight = 0.2 * np.random.default_rng(0).standard_normal(FEATURES.size())
    return Pupil(GAME, linear(GAME, FEATURES, weight), Sound(), link=link, steps=steps)


def opening():
    state = new_state(GAME)
    for move in (2, 2, 1):
        GAME.step(state, move)
    return state


def test_a_squashed_error_goes_down_the_slope_of_the_loss_that_fits_it():
    pupil, state, link = learner(Squashed(3.0)), opening(), Squashed(3.0)
    weight = pupil.evaluation.weight
    before = weight.copy()
    found = pupil.think(state, depth=3)
    target = link.of(-found.value)  # player 1 moves

    def loss():
        value = pupil.evaluation.value(GAME, state)
        return np.log(np.cosh(3.0 * value)) / 3.0 - target * value

    expected = np.zeros(len(weight))
    for i in range(len(weight)):
        weight[i] += SMALL
        above = loss()
        weight[i] -= 2 * SMALL
        expected[i] = -0.1 * (above - loss()) / (2 * SMALL)
        weight[i] = before[i]
    RootStrap(0.1).learn(pupil, state, found)
    assert np.abs(expected).max() > 1e-4
    np.testing.assert_allclose(weight - before, expected, atol=1e-8)


def test_all_methods_measure_errors_by_the_link():
    pupil, state = learner(Squashed(3.0)), opening()
    before = pupil.evaluation.weight.copy()
    RootStrap(0.1).learn(pupil, state, pupil.think(state, depth=4))
    by_root = pupil.evaluation.weight - before
    pupil.evaluation.weight[:] = before
    TreeStrap(0.1, least=4).learn(pupil, state, pupil.think(state, depth=4))
    np.testing.assert_allclose(pupil.evaluation.weight - before, by_root, atol=1e-12)
    method = TDLeaf(0.1, decay=0.0)
    method.course = [Seen(np.zeros(0, np.int64), np.zeros(0), 0.25)]
    assert method.errors(1.0, Squashed(2.0)) == pytest.approx([np.tanh(2.0) - np.tanh(0.5)])


def test_a_straight_link_changes_nothing():
    assert [Straight().of(value) for value in (-2.0, 0.3)] == [-2.0, 0.3]


def test_plain_steps_are_the_gradient_times_the_step():
    memory = Plain().memory(2)
    assert Plain().change(np.array([2.0, -1.0]), 0.1, memory).tolist() == pytest.approx([0.2, -0.1])


def test_adaptive_steps_are_divided_by_the_root_of_the_sum_of_squares():
    # by hand: 3 / sqrt(9), then 4 / sqrt(9 + 16); a weight that never had a gradient stays
    steps = Adaptive()
    memory = steps.memory(2)
    assert steps.change(np.array([3.0, 0.0]), 0.1, memory).tolist() == pytest.approx([0.1, 0.0])
    assert steps.change(np.array([4.0, 0.0]), 0.1, memory).tolist() == pytest.approx([0.08, 0.0])
