"""Plans and best responses over the sequence form: where strategies and vectors meet."""

import functools

import numpy as np
import pytest

import fogtree
import plain
from fogtree import Invalid, Strategy, mixed, sequence_form
from fogtree.solvers.forms.infosets import EMPTY
from fogtree.solvers.forms.response import average, behaviour, best_answer, plan_of, pure, value_of
from plain import drawn

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

LEDUC, GOOFSPIEL = fogtree.load("leduc:ranks=2"), fogtree.load("goofspiel:cards=4")
form_of, tree_of = functools.cache(sequence_form), functools.cache(plain.tree)
BOTH = pytest.mark.parametrize("game", [LEDUC, GOOFSPIEL], ids=["leduc", "goofspiel"])


def flows(tree, plan):
    """What goes out of each set, and what came in."""
    return np.add.reduceat(plan, tree.first[:-1]), plan[tree.parent]


# --- plans ---


@BOTH
def test_a_plan_hands_on_what_it_gets(game):
    form, root = form_of(game), tree_of(game)
    strategy = plain.random_strategy(form.game, root, 1)
    for player, tree in enumerate(form.trees):
        plan, missing = plan_of(form, strategy, player)
        out, into = flows(tree, plan)
        assert plan[EMPTY] == 1 and missing == 0
        assert out == pytest.approx(into, abs=1e-12)


@BOTH
def test_a_plan_and_its_probabilities_are_the_same_strategy(game):
    form, root = form_of(game), tree_of(game)
    strategy = plain.random_strategy(form.game, root, 2)
    for player in (0, 1):
        plan, _ = plan_of(form, strategy, player)
        back = behaviour(form, {player: average(form, player, 7.0 * plan)})  # up to any factor
        assert plan_of(form, back, player)[0] == pytest.approx(plan, abs=1e-12)


def test_a_plan_is_uniform_where_it_never_goes(interpreted):
    form = sequence_form(drawn((0, 1, (0, 2, 1.0, 2.0, 3.0), 0.0)))
    assert average(form, 0, np.array([1.0, 0, 1, 0, 0, 0])) == pytest.approx([1, 0, 1, 1 / 3, 1 / 3, 1 / 3])


def test_sets_that_a_strategy_does_not_list_are_counted():
    half = plain.random_table(tree_of(GOOFSPIEL), 3, listed=0.5)
    strategy = plain.strategy_of(GOOFSPIEL, half)
    choices = {key for key, actions in plain.infosets(tree_of(GOOFSPIEL)).items() if len(actions) > 1}
    for player in (0, 1):
        expected = sum(key[0] == player and key not in half for key in choices)
        assert plan_of(form_of(GOOFSPIEL), strategy, player)[1] == expected > 0


def test_actions_that_a_row_leaves_out_have_probability_0():
    view = int(form_of(GOOFSPIEL).trees[0].view[0])
    plan, _ = plan_of(form_of(GOOFSPIEL), Strategy(GOOFSPIEL, [0], [view], [0, 2], [1, 3], [0.25, 0.75]), 0)
    assert plan[1:5].tolist() == [0, 0.25, 0, 0.75]


@pytest.mark.parametrize("action", [4, 99, -1])
def test_an_action_that_the_game_does_not_have_is_refused(action):
    view = int(form_of(GOOFSPIEL).trees[0].view[0])
    row = [action, 2] if action < 2 else [2, action]
    with pytest.raises(Invalid, match="lists an action that the game does not have"):
        plan_of(form_of(GOOFSPIEL), Strategy(GOOFSPIEL, [0], [view], [0, 2], row, [0.5, 0.5]), 0)


# --- best answers ---


@BOTH
@pytest.mark.parametrize("player", [0, 1])
def test_a_best_answer_gets_what_it_promises_and_nothing_gets_more(game, player):
    form, root = form_of(game), tree_of(game)
    strategy = plain.random_strategy(form.game, root, 4)
    plan, _ = plan_of(form, strategy, 1 - player)
    best, worth = best_answer(form, plan, player)

    def gets(answer):
        mine = plan_of(form, answer, player)[0]
        return value_of(form, mine, plan) if player == 0 else -value_of(form, plan, mine)

    assert gets(pure(form, player, best)) == pytest.approx(worth[EMPTY], abs=1e-12)
    for seed in range(20):
        assert gets(plain.random_strategy(form.game, root, seed)) <= worth[EMPTY] + 1e-12


def test_the_first_of_equal_actions_is_taken(interpreted):
    form = sequence_form(drawn((0, 1, 2.0, 3.0, 3.0)))
    assert best_answer(form, np.ones(1), 0)[0].tolist() == [2]


# --- mixtures ---


@BOTH
@pytest.mark.parametrize("player", [0, 1])
def test_a_mixture_gets_the_mean_of_what_its_parts_get_against_anybody(game, player):
    # drawn once before the game (Kuhn 1953): value is linear in the parts, which a mean of probabilities set by set is not
    form, root = form_of(game), tree_of(game)
    parts = [plain.random_strategy(form.game, root, seed) for seed in (10, 11, 12)]
    weights = [1.0, 2.0, 0.5]
    mixture = mixed(form, parts, weights)
    for seed in (20, 21, 22):
        other = plain.random_table(root, seed)
        against = {key: row for key, row in other.items() if key[0] != player}

        def gets(strategy, against=against):
            mine = {key: row for key, row in plain.rows(strategy).items() if key[0] == player}
            return plain.value(root, mine | against)

        mean = np.average([gets(part) for part in parts], weights=weights)
        assert gets(mixture) == pytest.approx(mean, abs=1e-12)


def test_a_mixture_weighs_a_set_by_how_often_each_part_gets_there(interpreted):
    # the first part always goes left, the second mostly right: below on the left the first part counts 4 times as much
    game = drawn((0, 1, (0, 2, 1.0, 2.0), 0.0))
    form = sequence_form(game)
    first = Strategy(game, [0, 0], [1, 2], [0, 1, 2], [0, 0], [1.0, 1.0])
    second = Strategy(game, [0, 0], [1, 2], [0, 2, 3], [0, 1, 1], [0.25, 0.75, 1.0])
    both = mixed(form, [first, second], [1, 1])
    assert both[0, 1] == pytest.approx({0: 0.625, 1: 0.375})
    assert both[0, 2] == pytest.approx({0: 0.8, 1: 0.2})


def test_a_mixture_of_one_is_itself():
    strategy = plain.random_strategy(LEDUC, tree_of(LEDUC), 5)
    again = mixed(form_of(LEDUC), [strategy, Strategy.uniform(LEDUC)], [3.0, 0.0])
    for player in (0, 1):
        assert plan_of(form_of(LEDUC), again, player)[0] == pytest.approx(
            plan_of(form_of(LEDUC), strategy, player)[0], abs=1e-15
        )


@pytest.mark.parametrize("weights", [[], [1.0], [1.0, -1.0], [0.0, 0.0], [1.0, 1.0, 1.0]])
def test_weights_that_make_no_sense_are_refused(weights):
    parts = [Strategy.uniform(LEDUC)] * 2 if weights else []
    with pytest.raises(Invalid, match="a mixture needs one weight of 0 or more for each strategy, not all of them 0"):
        mixed(form_of(LEDUC), parts, weights)


def test_a_part_of_another_game_is_refused():
    with pytest.raises(Invalid, match=r"this is a strategy of Goofspiel\(.*\), rules version 1, not of Leduc\("):
        mixed(form_of(LEDUC), [Strategy.uniform(LEDUC), Strategy.uniform(GOOFSPIEL)], [1, 1])
