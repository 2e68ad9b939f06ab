"""The sequence form, against recursion over the tree in plain Python (plain.py)."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
import plain
from fogtree import CHANCE, OVER, Broken, Invalid, Rounds, Shape, Strategy, TooLarge, sequence_form
from fogtree.solvers.forms.infosets import EMPTY
from fogtree.solvers.forms.response import best_answer, plan_of, value_of
from fogtree.solvers.forms.sequence import sequence_form_beside
from fogtree.walk import table as tables
from plain import drawn

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

SMALL = [
    "kuhn",
    "kuhn:cards=5",
    "leduc:ranks=2",
    "goofspiel:cards=3",
    "goofspiel:cards=4",
    "goofspiel:cards=3,prizes=shuffled,points=true,lowest=1",
    "liars-dice:faces=3",
    "rounds",
]


@functools.cache
def form_of(text):
    return sequence_form(fogtree.load(text))


@functools.cache
def tree_of(text):
    return plain.tree(fogtree.load(text))


def dense(matrix, columns):
    """A sparse matrix written out."""
    out = np.zeros((len(matrix.start) - 1, columns))
    for r in range(len(out)):
        for k in range(matrix.start[r], matrix.start[r + 1]):
            assert out[r, matrix.column[k]] == 0, "a cell is listed twice"
            out[r, matrix.column[k]] = matrix.unit * matrix.value[k]
    return out


def matrix_of(game):
    form = sequence_form(game)
    return dense(form.rows, int(form.trees[1].sequences()))


# --- two ways to the same number ---


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_value_of_any_strategy_is_what_recursion_finds(text, seed):
    game, root, form = fogtree.load(text), tree_of(text), form_of(text)
    strategy = plain.random_strategy(game, root, seed, listed=0.9)
    x, y = (plan_of(form, strategy, player)[0] for player in (0, 1))
    assert value_of(form, x, y) == pytest.approx(plain.value(root, plain.rows(strategy)), abs=1e-12)


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_best_response_to_any_strategy_is_worth_what_recursion_finds(text, seed):
    game, root, form = fogtree.load(text), tree_of(text), form_of(text)
    strategy = plain.random_strategy(game, root, seed, listed=0.9)
    for me in (0, 1):
        plan, _ = plan_of(form, strategy, 1 - me)
        expected = plain.best_value(root, plain.rows(strategy), me)
        assert best_answer(form, plan, me)[1][EMPTY] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("text", ["kuhn", "goofspiel:cards=3", "rounds"])
def test_the_recursion_itself_agrees_with_trying_all_pure_strategies(text):
    root = tree_of(text)
    for seed, me in itertools.product(range(2), (0, 1)):
        table = plain.random_table(root, seed)
        assert plain.best_value(root, table, me) == pytest.approx(plain.best_of_all(root, table, me), abs=1e-12)


def test_leduc_agrees_as_well():
    game, root, form = fogtree.load("leduc"), tree_of("leduc"), form_of("leduc")
    strategy = plain.random_strategy(game, root, 7, listed=0.9)
    x, y = (plan_of(form, strategy, player)[0] for player in (0, 1))
    table = plain.rows(strategy)
    assert value_of(form, x, y) == pytest.approx(plain.value(root, table), abs=1e-11)
    assert best_answer(form, y, 0)[1][EMPTY] == pytest.approx(plain.best_value(root, table, 0), abs=1e-11)
    assert best_answer(form, x, 1)[1][EMPTY] == pytest.approx(plain.best_value(root, table, 1), abs=1e-11)


# --- the trees ---


@pytest.mark.parametrize(
    "text, sets",
    [
        ("kuhn", 6),
        ("leduc", 468),
        # without the last, forced card; counted by an independent program, 81 and 1,062 also by OpenSpiel
        ("goofspiel:cards=3", 8),
        ("goofspiel:cards=4", 81),
        ("goofspiel:cards=5", 1_062),
        ("goofspiel:cards=6", 17_241),
        ("rounds", 3),
    ],
)
def test_only_sets_with_a_choice_are_kept(text, sets):
    assert [tree.infosets() for tree in form_of(text).trees] == [sets, sets]


@pytest.mark.parametrize("text", SMALL)
def test_the_histories_are_those_that_counting_finds(text):
    assert form_of(text).histories == sum(1 for _ in plain.nodes(tree_of(text)))


@pytest.mark.parametrize("text", [*SMALL, "goofspiel:cards=6"])
def test_parents_come_before_children_and_sequences_in_order(text):
    for tree in form_of(text).trees:
        assert tree.first[0] == 1 and (np.diff(tree.first) >= 2).all()
        assert (tree.parent < tree.first[:-1]).all() and (tree.parent >= EMPTY).all()
        assert len(tree.action) == tree.sequences()
        for i in range(min(tree.infosets(), 100)):
            assert (np.diff(tree.action[tree.first[i] : tree.first[i + 1]]) > 0).all()


@pytest.mark.parametrize("text", SMALL)
def test_the_sets_and_their_actions_are_those_of_the_game(text):
    choices = {key: actions for key, actions in plain.infosets(tree_of(text)).items() if len(actions) > 1}
    found = {}
    for player, tree in enumerate(form_of(text).trees):
        for i, view in enumerate(tree.view.tolist()):
            found[player, view] = tree.action[tree.first[i] : tree.first[i + 1]].tolist()
    assert found == choices


def test_the_ends_below_a_forced_move_fall_to_the_sequence_before_it():
    # player 0 chooses, player 1 must pass, player 0 must pass: nothing but the first choice remains
    form = sequence_form(drawn((0, 1, (1, 1, (0, 2, 3.0)), (1, 1, (0, 3, 5.0)))))
    assert [int(tree.sequences()) for tree in form.trees] == [3, 1]
    assert dense(form.rows, 1).tolist() == [[0], [3], [5]]


def test_a_game_that_is_over_at_once_has_its_payoff_for_a_value():
    # one node and one forced move: no game without a move can be walked as a tree of choices
    form = sequence_form(drawn((0, 1, 2.5)))
    assert [tree.infosets() for tree in form.trees] == [0, 0]
    assert best_answer(form, np.ones(1), 0)[1][EMPTY] == 2.5
    assert best_answer(form, np.ones(1), 1)[1][EMPTY] == -2.5


# --- the matrix ---


@pytest.mark.parametrize("text", SMALL)
def test_rows_and_columns_hold_the_same_matrix_in_order(text):
    form = form_of(text)
    x, y = (int(tree.sequences()) for tree in form.trees)
    assert (dense(form.rows, y) == dense(form.columns, x).T).all()
    for matrix in (form.rows, form.columns):
        for r in range(len(matrix.start) - 1):
            assert (np.diff(matrix.column[matrix.start[r] : matrix.start[r + 1]]) > 0).all()
    assert (form.rows.value != 0).all()


def test_equal_pairs_of_sequences_merge_with_the_odds_of_chance():
    # nobody sees the coin: both ends belong to the same pair
    hidden = (CHANCE, [0.25, 0.75], (0, 1, 4.0, 8.0), (0, 1, 0.0, 4.0))
    assert matrix_of(drawn(hidden)).tolist() == [[0], [1], [5]]


def test_what_cancels_is_dropped():
    coin = (CHANCE, [0.1, 0.2, 0.7], (0, 1, 7.0, 1.0), (0, 1, 0.0, 1.0), (0, 1, -1.0, 1.0))
    form = sequence_form(drawn(coin))
    assert form.rows.value.tolist() == [1] and form.rows.column.tolist() == [0]


def test_small_payoffs_are_not_taken_for_rounding():
    small = (0, 1, (1, 1, 1e-18, -2e-18), (1, 1, -1e-18, 3e-18))
    assert matrix_of(drawn(small)) == pytest.approx(
        np.array([[0, 0, 0], [0, 1e-18, -2e-18], [0, -1e-18, 3e-18]]), rel=1e-12, abs=0
    )


def test_a_game_that_never_pays_has_an_empty_matrix():
    form = sequence_form(drawn((0, 1, (1, 1, 0.0, 0.0), 0.0)))
    assert len(form.rows.value) == 0
    assert best_answer(form, np.ones(3), 0)[1].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "payoffs, kind",
    [
        ([1, -1, 0, 1], np.int8),
        ([0.1, -0.2, 0.7, 12.7], np.int8),  # 127 times 0.1
        ([1, 128, -300, 2], np.int16),
        ([0.01, 300.01, -327.67, 1], np.int16),
        ([1, 32768, 5, 6], np.float64),
        ([math.sqrt(2), math.pi, -1, 1], np.float64),
        ([1, 1 + 1e-9, -1, 1], np.float64),  # no rounding of what is meant
        ([2, 3, 5, 7], np.float64),  # whole, but not in units of the smallest
    ],
)
def test_values_take_as_few_bytes_as_are_exact(payoffs, kind):
    form = sequence_form(Rounds(np.reshape(payoffs, (2, 2)), rounds=1))
    assert form.rows.value.dtype == form.columns.value.dtype == kind
    assert dense(form.rows, 3)[1:, 1:] == pytest.approx(np.reshape(payoffs, (2, 2)), rel=1e-15)


def test_mixed_odds_are_exact_in_small_units():
    # thirds, sixths and halves: all whole multiples of 1/18
    third, half = [1 / 3, 2 / 3], [1 / 2, 1 / 2]
    game = drawn(
        (CHANCE, third, (CHANCE, third, (0, 1, 1.0, 2.0), (0, 2, 1.0, -1.0)), (CHANCE, half, (0, 3, 1.0, 2.0), 3))
    )
    form = sequence_form(game)
    assert form.rows.value.dtype == np.int8
    ninth = [
        [3 / 3],
        [1 / 9],
        [2 / 9],
        [2 / 9],
        [-2 / 9],
        [1 / 3],
        [2 / 3],
    ]  # sets are met from the last child to the first
    assert sorted(dense(form.rows, 1).ravel()) == pytest.approx(sorted(np.ravel(ninth)), rel=1e-15)


# --- refusals ---

FORGETS = (0, 1, (1, 1, (0, 2, 1.0, 2.0)), (1, 1, (0, 2, 3.0, 4.0)))  # set 2 after either choice at set 1
ABSENT = (0, 1, (0, 1, 1.0, 2.0), 0.0)  # set 1 after itself
UNEVEN = (CHANCE, [0.5, 0.5], (0, 1, 1.0, 2.0), (0, 1, 1.0, 2.0, 3.0))
GIFT = (0, 1, [1.0, 0.0], 0.0)
NOTHING = (0, 1, math.nan, 0.0)


@pytest.mark.parametrize(
    "game, sentence",
    [
        (drawn(GIFT, players=3), r"has 3 players: exact methods are for two"),
        (drawn(GIFT, players=1), r"has 1 players: exact methods are for two"),
        (fogtree.load("bimatrix"), r"bimatrix is not zero-sum: what one player wins the other must lose"),
        (drawn(GIFT), r"is not zero-sum: at some end the payoffs do not sum to 0"),
        (drawn(NOTHING), r"is not zero-sum: at some end the payoffs do not sum to 0"),
        (drawn(FORGETS), r"has imperfect recall: view 2 is reached by different own actions"),
        (drawn(ABSENT), r"has imperfect recall: view 1 is reached by different own actions"),
        (drawn(UNEVEN), r"has states with the same view 1 but different numbers of actions"),
    ],
)
def test_what_has_no_sequence_form_is_refused_in_one_sentence(game, sentence):
    with pytest.raises(Invalid, match=sentence) as refusal:
        sequence_form(game)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e10])
def test_payoffs_sum_to_0_as_far_as_their_range_says(scale):
    for gift, refused in ((1e-3, True), (1e-8, True), (1e-11, False)):
        game = drawn((0, 1, [scale, -scale + gift * scale], -scale))
        if refused:
            with pytest.raises(Invalid, match="is not zero-sum: at some end the payoffs do not sum to 0"):
                sequence_form(game)
        else:
            assert sequence_form(game).histories == 3


def test_a_game_longer_than_it_says_is_refused():
    with pytest.raises(Broken, match="Drawn goes on after 1 moves, the most that shape"):
        sequence_form(drawn((0, 1, (1, 1, 1.0, 2.0), 0.0), moves=1))


def test_a_game_beyond_the_memory_allowed_is_refused_with_what_was_found():
    with pytest.raises(TooLarge) as refusal:
        sequence_form(fogtree.load("goofspiel:cards=6"), memory=2**20)
    assert str(refusal.value).startswith("goofspiel does not fit in 0.0 GiB: ")
    assert "information sets and" in str(refusal.value) and "or sample it with fogtree.MCCFR" in str(refusal.value)


class Barren(NamedTuple):
    """Player 0 alone chooses left or right so many times, and nobody ever wins anything."""

    turns: int = 13

    def shape(self):
        return Shape(2, 2, 2, self.turns, -1.0, 1.0)

    def start(self, state):
        state[0], state[1] = 0, 1

    def player(self, state):
        return 0 if state[0] < self.turns else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0], state[1] = state[0] + 1, 2 * state[1] + action

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return state[1]


def test_information_sets_count_against_the_memory_allowed():
    # 2^13 - 1 sets of 120 bytes, and no end that pays
    assert [tree.infosets() for tree in sequence_form(Barren(), memory=2**20).trees] == [8191, 0]
    with pytest.raises(TooLarge, match=r"[\d,]+ information sets and 0 paying ends so far"):
        sequence_form(Barren(), memory=400_000)


def test_another_visitor_counts_against_the_memory_allowed():
    small, large = (Idle(tables.empty(slots)) for slots in (4, 1 << 16))
    form, other = sequence_form_beside(Barren(), small, None, memory=2**20)
    assert form.trees[0].infosets() == 8191 and other is small
    with pytest.raises(TooLarge, match=r"does not fit in 0\.0 GiB"):
        sequence_form_beside(Barren(), large, None, memory=2**20)


class Idle(NamedTuple):
    """A visitor that only takes room."""

    table: tables.Table

    def room(self):
        return True

    def enter(self, game, state, player, action, count, depth):
        return count

    def descend(self, depth, position):
        pass


# --- looking on ---


def test_progress_rises_to_the_number_of_histories():
    seen = []
    form = sequence_form(fogtree.load("goofspiel:cards=6"), progress=seen.append)
    assert seen == sorted(seen) and seen[-1].done == form.histories == 2_006_323 and len(seen) > 5


def test_progress_may_stop_the_walk():
    def stop(histories):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sequence_form(fogtree.load("goofspiel:cards=6"), progress=stop)


def test_uniform_play_is_the_empty_strategy():
    form = form_of("kuhn")
    plan, missing = plan_of(form, Strategy.uniform(form.game), 0)
    assert missing == 6 and sorted(plan) == [0.25] * 3 + [0.25] * 3 + [0.5] * 6 + [1]
