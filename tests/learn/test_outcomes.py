"""An evaluation from how games ended."""

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, dice
from fogtree.evaluation import features_of
from fogtree.game import legal, new_state
from fogtree.learn.outcomes import fit, table_of

GAME = fogtree.load("breakthrough:rows=5,columns=4")


@pytest.fixture(scope="module")
def lessons():
    """Positions of random games, and the number of the game of each."""
    rows, numbers, random = [], [], dice.seeded(2)
    with np.errstate(over="ignore"):
        for number in range(60):
            state = new_state(GAME)
            while moves := legal(GAME, state):
                rows.append(state.copy())
                numbers.append(number)
                GAME.step(state, moves[dice.below(random, len(moves))])
    return np.array(rows), np.array(numbers)


def test_it_finds_the_weights_that_made_the_payoffs(lessons):
    states, number = lessons
    phi = table_of(GAME, features_of(GAME), states)
    weight = np.sin(np.arange(phi.shape[1]))
    found = fit(GAME, states, number, phi @ weight, pull=1e-12)
    assert phi @ found.weights.weight == pytest.approx(phi @ weight, abs=1e-6)
    assert found.held_out < 1e-9 < found.nothing and found.games == 60 and found.positions == len(states)


def test_it_solves_the_normal_equations_with_the_pull(lessons):
    # two ways: the gradient of the loss, computed by differences, is 0 at the weights
    states, number = lessons
    phi = table_of(GAME, features_of(GAME), states)
    z, known = np.where(number % 2 == 0, 1.0, -1.0), np.full(phi.shape[1], 0.1)
    weight = fit(GAME, states, number, z, known=known, pull=0.01).weights.weight

    def loss(w):
        return np.mean((z - phi @ w) ** 2) + 0.01 * np.sum((w - known) ** 2)

    for j in range(0, len(weight), 7):
        step = np.zeros(len(weight))
        step[j] = 1e-5
        assert (loss(weight + step) - loss(weight - step)) / 2e-5 == pytest.approx(0.0, abs=1e-8)


def test_a_strong_pull_leaves_what_was_known(lessons):
    states, number = lessons
    known = np.full(int(features_of(GAME).size()), 0.3)
    found = fit(GAME, states, number, np.ones(len(states)), known=known, pull=1e9)
    assert found.weights.weight == pytest.approx(known, abs=1e-6)


def test_the_error_is_measured_on_games_that_were_left_out(lessons):
    # payoffs that no feature can tell: the weights fit the games that they saw, and are no better than nothing on others
    states, number = lessons
    luck = np.random.default_rng(1).choice([-1.0, 1.0], 60)[number]
    found = fit(GAME, states, number, luck, pull=1e-9)
    phi, left_out = table_of(GAME, features_of(GAME), states), number % 5 == 0
    alone = np.linalg.lstsq(phi[~left_out], luck[~left_out], rcond=None)[0]
    assert found.held_out == pytest.approx(np.mean((luck[left_out] - phi[left_out] @ alone) ** 2), rel=1e-4)
    assert found.held_out > np.mean((luck[~left_out] - phi[~left_out] @ alone) ** 2)


def test_bad_lessons_are_refused_in_one_sentence(lessons):
    states, number = lessons
    with pytest.raises(Invalid, match="one payoff for each position"):
        fit(GAME, states, number, np.zeros(3))
    with pytest.raises(Invalid, match="positions are states of at most"):
        fit(GAME, np.zeros((2, 999), np.int64), np.zeros(2), np.zeros(2))
    with pytest.raises(Invalid, match="pull must be finite"):
        fit(GAME, states, number, np.zeros(len(states)), pull=-1.0)
    nothing = np.zeros(len(states))
    with pytest.raises(Invalid, match="one payoff for each position"):
        fit(GAME, states, number, np.zeros((len(states), 2)))
    with pytest.raises(Invalid, match="payoffs must be finite numbers"):
        fit(GAME, states, number, nothing + np.nan)
    with pytest.raises(Invalid, match="pull must be finite numbers of 0 or more: one, or "):
        fit(GAME, states, number, nothing, pull=[1.0, 2.0])
    for known in ([0.0, 0.0], [np.inf] * features_of(GAME).size()):
        with pytest.raises(Invalid, match="finite numbers, a weight for each feature"):
            fit(GAME, states, number, nothing, known=known)
