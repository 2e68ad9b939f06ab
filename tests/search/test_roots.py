"""Where simulations begin: states drawn evenly or by weight."""

import numpy as np
import pytest

from fogtree import ISMCTS, Invalid, Kuhn, RegretMatching, dice
from fogtree.game import new_state
from fogtree.policy import Trembling, Uniform
from fogtree.search.trees.roots import EvenRoots, WeightedRoots, as_roots

STATES = np.arange(12).reshape(4, 3)


def drawn(roots, times=4_000):
    random = dice.seeded(1)
    with np.errstate(over="ignore"):
        return np.bincount([int(roots.draw(random)) for _ in range(times)], minlength=len(roots.state)) / times


def test_without_weights_all_states_are_equally_likely():
    roots = as_roots(STATES, None, 3)
    assert isinstance(roots, EvenRoots)
    assert drawn(roots) == pytest.approx([0.25] * 4, abs=0.03)


def test_states_are_drawn_by_their_weights_and_those_of_weight_0_never():
    roots = as_roots(STATES, [3.0, 0.0, 1.0, 0.0], 3)
    assert isinstance(roots, WeightedRoots)
    shares = drawn(roots)
    assert shares == pytest.approx([0.75, 0, 0.25, 0], abs=0.03) and shares[1] == shares[3] == 0


def test_equal_weights_are_an_even_draw():
    assert drawn(as_roots(STATES, np.ones(4), 3)) == pytest.approx([0.25] * 4, abs=0.03)


@pytest.mark.parametrize("weight", [[1, 1, 1], [1, 1, 1, -1], [0, 0, 0, 0], [1, 1, 1, np.nan]])
def test_wrong_weights_are_refused(weight):
    with pytest.raises(Invalid, match="weights are 4 numbers of 0 or more, one for each root, and not all of them 0"):
        as_roots(STATES, weight, 3)


def test_wrong_states_are_refused():
    with pytest.raises(Invalid, match=r"roots are one state or more, each of 3 words, not \(4, 2\)"):
        as_roots(STATES[:, :2], None, 3)
    for given in (STATES.astype(float), STATES + 0.5, STATES > 0, STATES.astype(str)):
        with pytest.raises(Invalid, match="roots are states, rows of 3 whole numbers each"):
            as_roots(given, None, 3)


def test_a_search_answers_the_state_that_is_likely(interpreted):
    # player 1 holds a Q and faces a bet: against a J a call wins 2, against a K it loses 2 and a fold loses 1
    game, states = Kuhn(), []
    for card in (0, 2):
        state = new_state(game)
        for action in (card, 1, 1):
            game.step(state, action)
        states.append(state)
    calls = []
    for weights in ([0.99, 0.01], [0.01, 0.99]):
        search = ISMCTS(game, RegretMatching(), seed=1).run(iterations=400, roots=np.array(states), weights=weights)
        calls.append(search.policy(1, int(game.view(states[0], 1)))[1])
    assert calls[0] > 0.9 and calls[1] < 0.1


def test_who_trembles_makes_any_move_now_and_then():
    class Stubborn(Uniform):
        def weigh(self, game, state, player, choice, odds):
            odds[:2] = 1.0, 0.0
            return game.actions(state, choice)

    game, state, odds = Kuhn(), new_state(Kuhn()), np.zeros(3)
    for card in (0, 1):
        game.step(state, card)
    assert Trembling(Stubborn(), 0.1).weigh(game, state, 0, np.zeros(3, np.int64), odds) == 2
    assert odds[:2] == pytest.approx([0.95, 0.05])


@pytest.mark.parametrize("action", [0, 1])
def test_who_trembles_makes_a_move_too_that_the_policy_leaves_out(action):
    class Single(Uniform):
        def weigh(self, game, state, player, choice, odds):
            choice[0], odds[0] = action, 1.0
            return 1

    game, state, choice, odds = Kuhn(), new_state(Kuhn()), np.zeros(3, np.int64), np.zeros(3)
    for card in (0, 1):
        game.step(state, card)
    assert Trembling(Single(), 0.1).weigh(game, state, 0, choice, odds) == 2
    assert choice[:2].tolist() == [0, 1] and odds[[action, 1 - action]] == pytest.approx([0.95, 0.05])
