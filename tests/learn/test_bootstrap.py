"""RootStrap, TreeStrap, TD-Leaf, TD-Root: each gradient by finite differences, and what must be equal."""

import numpy as np
import pytest

from fogtree import OVER, Invalid
from fogtree.evaluation import AtEnd, features_of, linear
from fogtree.game import legal, new_state
from fogtree.games import Chess, ConnectFour
from fogtree.games.connect_four import ConnectFourFeatures
from fogtree.learn.bootstrap import RootStrap, TreeStrap
from fogtree.learn.differences import Seen, TDLeaf, TDRoot
from fogtree.learn.pupil import Pupil
from fogtree.search.open.minimax import minimax
from fogtree.search.open.pruning import Sound, Whole
from fogtree.search.open.scores import DECIDED
from fogtree.search.open.transpositions import LOST, LOWER, MISSING, UPPER

GAME, FEATURES = ConnectFour(4, 5), ConnectFourFeatures(4, 5, 4)
SMALL = 1e-6


def after(*moves):
    state = new_state(GAME)
    for move in moves:
        GAME.step(state, move)
    return state


OPENING, LATE = after(2, 2, 1), after(2, 2, 1, 3, 0, 4, 1)


def pupil(pruning, seed=0):
    weight = 0.2 * np.random.default_rng(seed).standard_normal(FEATURES.size())
    return Pupil(GAME, linear(GAME, FEATURES, weight), pruning)


def moved(method, learner, state, depth):
    """How one search and its lesson change the weights."""
    before = learner.evaluation.weight.copy()
    method.learn(learner, state, learner.think(state, depth=depth))
    change = learner.evaluation.weight - before
    learner.evaluation.weight[:] = before
    return change


def slope(loss, weight):
    """The gradient by finite differences."""
    found = np.zeros(len(weight))
    for i in range(len(weight)):
        kept = weight[i]
        weight[i] = kept + SMALL
        above = loss()
        weight[i] = kept - SMALL
        found[i] = (above - loss()) / (2 * SMALL)
        weight[i] = kept
    return found


def stored(learner, state, least, known):
    """The positions that the table holds below a state, each once: (state, sign, lower, upper), by recursion in Python. Those
    with a noisy best action that are not decided count as if nothing were known of them."""
    table = learner.search.table
    with np.errstate(over="ignore"):
        key = int(GAME.position(state))
        if GAME.player(state) == OVER or key in known:
            return
        place = table.find(key)
        if place == MISSING or table.depth(place) < least:
            return
        sign = 1 if GAME.player(state) == 0 else -1
        bounds = [b if np.isinf(b) else float(np.clip(b, -1, 1)) for b in table.real[place, [LOWER, UPPER]]]
        noisy = np.zeros(GAME.columns, np.int64)
        count = GAME.noisy(state, noisy)
        decided = table.real[place, LOWER] > DECIDED or table.real[place, UPPER] < -DECIDED
        learns = decided or table.action(place) not in noisy[:count]
        known[key] = (state.copy(), sign, *(bounds if learns else (-np.inf, np.inf)))
        for action in legal(GAME, state):
            child = state.copy()
            GAME.step(child, action)
            stored(learner, child, least, known)


@pytest.mark.parametrize("state, depth", [(OPENING, 4), (LATE, 5)])
def test_treestrap_goes_down_the_slope_of_its_loss(state, depth):
    # 1/2 the sum of squares of how far H lies outside of its bounds
    learner = pupil(Sound())
    learner.think(state, depth=depth)
    known = {}
    stored(learner, state, 1, known)
    evaluation, found = learner.evaluation, []

    def loss():
        total = 0.0
        for position, sign, lower, upper in known.values():
            value = sign * evaluation.value(GAME, position)
            total += 0.5 * (max(lower - value, 0.0) ** 2 + max(value - upper, 0.0) ** 2)
        return total

    expected = -slope(loss, evaluation.weight)
    gradient, taught = learner.gather(state, 1)
    np.testing.assert_allclose(gradient, expected, atol=1e-6)
    for position, sign, lower, upper in known.values():
        found.append(not lower <= sign * evaluation.value(GAME, position) <= upper)
    assert 10 < taught == sum(found) < len(known)  # some positions have nothing to teach
    assert learner.search.table.used[LOST] == 0
    change = moved(TreeStrap(0.1), learner, state, depth)
    np.testing.assert_allclose(change, 0.1 / taught * gradient, atol=1e-12)


def test_rootstrap_goes_down_the_slope_of_its_loss():
    learner = pupil(Sound())
    value = -learner.think(OPENING, depth=3).value  # player 1 moves

    def loss():
        return 0.5 * (value - learner.evaluation.value(GAME, OPENING)) ** 2

    expected = -0.1 * slope(loss, learner.evaluation.weight)
    np.testing.assert_allclose(moved(RootStrap(0.1), learner, OPENING, 3), expected, atol=1e-8)


def test_treestrap_with_only_the_root_is_rootstrap():
    for state in (OPENING, LATE):
        learner = pupil(Sound(), seed=1)
        by_root = moved(RootStrap(0.1), learner, state, 4)
        by_tree = moved(TreeStrap(0.1, least=4), learner, state, 4)
        assert np.abs(by_root).max() > 1e-4
        np.testing.assert_allclose(by_tree, by_root, atol=1e-12)


def test_treestrap_with_open_windows_is_treestrap_minimax_over_distinct_positions(interpreted):
    learner, depth = pupil(Whole(), seed=2), 3
    evaluation, total, known, taught = learner.evaluation, np.zeros(FEATURES.size()), set(), []
    learner.think(OPENING, depth=depth)
    best = {}
    stored(learner, OPENING, 1, best)

    def add(state, left):
        key = int(GAME.position(state))
        if left == 0 or GAME.player(state) == OVER or key in known:
            return
        known.add(key)
        sign = 1 if GAME.player(state) == 0 else -1
        error = sign * minimax(GAME, evaluation, state, left).value - evaluation.value(GAME, state)
        if np.isfinite(best[key][2]):  # else its best action is noisy
            which, worth = learner.features(state)
            np.add.at(total, which, error * worth)
            taught.append(key)
        for action in legal(GAME, state):
            child = state.copy()
            GAME.step(child, action)
            add(child, left - 1)

    add(OPENING, depth)
    change = moved(TreeStrap(0.1, pruning=Whole()), learner, OPENING, depth)
    np.testing.assert_allclose(change, 0.1 / len(taught) * total, atol=1e-12)


def test_a_mate_teaches_as_much_as_the_game_is_worth():
    state = after(0, 1, 0, 1, 0, 1)  # player 0 wins at once
    learner = pupil(Sound(), seed=3)
    which, worth = learner.features(state)
    expected = np.zeros(FEATURES.size())
    np.add.at(expected, which, 0.1 * (1.0 - learner.value(state)) * worth)
    np.testing.assert_allclose(moved(TreeStrap(0.1), learner, state, 1), expected, atol=1e-12)


def test_every_search_begins_with_an_empty_table():
    learner = pupil(Sound())
    learner.think(OPENING, depth=4)
    learner.think(LATE, depth=1)
    known = {}
    stored(learner, OPENING, 1, known)
    assert not known


def test_td_leaf_goes_along_the_slope_of_its_leaves():
    learner, method, random = pupil(Sound()), TDLeaf(0.1, decay=0.6), np.random.default_rng(1)
    states = [after(2), after(2, 2), after(2, 2, 1), after(2, 2, 1, 4)]
    values, result = random.uniform(-1, 1, 5).tolist(), 1.0
    values[-1] = result
    method.begin(learner)
    method.course = [Seen(*learner.features(s), v) for s, v in zip(states, values, strict=False)]
    difference = [values[t + 1] - values[t] for t in range(4)]
    error = [sum(0.6 ** (j - t) * difference[j] for j in range(t, 4)) for t in range(4)]
    np.testing.assert_allclose(method.errors(result), error, atol=1e-12)
    weight = learner.evaluation.weight
    expected = 0.1 * slope(
        lambda: sum(e * learner.evaluation.value(GAME, s) for e, s in zip(error, states, strict=True)), weight
    )
    before = weight.copy()
    method.finish(learner, result)
    np.testing.assert_allclose(weight - before, expected, atol=1e-8)


def test_the_leaf_of_td_leaf_has_the_value_of_the_search():
    learner, method = pupil(Sound()), TDLeaf()
    method.begin(learner)
    for state in (OPENING, after(2, 2)):
        found = learner.think(state, depth=3)
        method.learn(learner, state, found)
        seen = method.course[-1]
        assert seen.value == (found.value if GAME.player(state) == 0 else -found.value)
        assert np.clip(learner.evaluation.weight[seen.which] @ seen.worth, -1, 1) == pytest.approx(
            seen.value, abs=1e-12
        )


def test_td_root_moves_to_the_value_of_the_next_search():
    learner, method = pupil(Sound()), TDRoot(0.1)
    weight = learner.evaluation.weight
    first, second = after(2), after(2, 2)
    method.begin(learner)
    before = weight.copy()
    method.learn(learner, first, learner.think(first, depth=2))
    assert (weight == before).all()  # nothing is known yet
    target = learner.think(second, depth=2)
    expected = -0.1 * slope(lambda: 0.5 * (target.value - learner.evaluation.value(GAME, first)) ** 2, weight)
    method.learn(learner, second, target)
    np.testing.assert_allclose(weight - before, expected, atol=1e-8)
    before = weight.copy()
    expected = -0.1 * slope(lambda: 0.5 * (-1.0 - learner.evaluation.value(GAME, second)) ** 2, weight)
    method.finish(learner, -1.0)
    np.testing.assert_allclose(weight - before, expected, atol=1e-8)


def test_only_a_linear_evaluation_learns():
    with pytest.raises(Invalid, match="only a linear evaluation can learn, not a AtEnd"):
        Pupil(GAME, AtEnd(), Sound())


def test_weights_that_explode_are_a_sentence():
    learner = pupil(Sound())
    with pytest.raises(Invalid, match="the weights have grown beyond all bounds: choose a smaller step"):
        moved(RootStrap(1e9), learner, OPENING, 2)


def test_a_position_whose_best_action_is_noisy_teaches_nothing(interpreted):
    # White takes a queen that nobody guards; without the queen to take, the same search teaches
    chess, features = Chess(), features_of(Chess())
    learner = Pupil(chess, linear(chess, features, 0.01 * np.ones(features.size())), Sound())
    for fen, learns in (("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", False), ("4k3/8/8/2q5/4P3/8/8/4K3 w - - 0 1", True)):
        state = new_state(chess)
        chess.from_notation(fen, state)
        for method in (RootStrap(0.1), TreeStrap(0.1, least=2)):
            assert moved(method, learner, state, 2).any() == learns
