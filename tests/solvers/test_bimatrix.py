"""Equilibria of games in which two players choose once, by two methods that share no code."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import Invalid, lemke_howson, support_equilibria
from fogtree.solvers.exact import bimatrix
from fogtree.solvers.exact.bimatrix import mixes_of
from fogtree.solvers.exact.simplex import solve_matrix

BATTLE = [[3, 0], [0, 2]], [[2, 0], [0, 3]]
# von Stengel 2007, Computing equilibria for two-person games, example 2.3: three equilibria
STENGEL = [[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]]


def shown(found):
    return sorted((tuple(np.round(mixes.x, 9)), tuple(np.round(mixes.y, 9))) for mixes in found)


def test_the_battle_of_the_sexes_has_two_pure_equilibria_and_a_mixed_one():
    found = support_equilibria(*BATTLE)
    assert shown(found) == [((0, 1), (0, 1)), ((0.6, 0.4), (0.4, 0.6)), ((1, 0), (1, 0))]
    assert found[-1].payoffs == pytest.approx((6 / 5, 6 / 5))


def test_a_game_of_the_literature_has_its_three_equilibria():
    found = support_equilibria([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]])
    third, two_thirds = round(1 / 3, 9), round(2 / 3, 9)
    assert shown(found) == [
        ((0, third, two_thirds), (third, two_thirds)),
        ((0.8, 0.2, 0), (two_thirds, third)),
        ((1, 0, 0), (1, 0)),
    ]


@pytest.mark.parametrize("units", [(1e-12, 1e-12), (1e12, 1e12), (1e12, 1.0), (1e-9, 1e9)])
def test_equilibria_do_not_depend_on_the_unit_of_either_players_payoffs(units):
    first, second = (unit * np.array(payoffs) for unit, payoffs in zip(units, STENGEL, strict=True))
    assert shown(support_equilibria(first, second)) == shown(support_equilibria(*STENGEL))


@pytest.mark.parametrize("same", [0.1, 1e9 + 0.1, 0.0])
def test_a_player_who_always_gets_the_same_is_content_with_any_answer(same):
    found = support_equilibria([[3, 0], [0, 2]], np.full((2, 2), same))  # that player's mix of two is not determined
    assert shown(found) == [((0, 1), (0, 1)), ((1, 0), (1, 0))]


def test_every_path_of_lemke_and_howson_ends_at_an_equilibrium_that_supports_find_too():
    known = shown(support_equilibria(*STENGEL))
    for label in range(5):
        assert shown([lemke_howson(*STENGEL, label)])[0] in known


matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(-9, 9), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
            )
        ]
        * 2
    )
)


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_lemke_and_howson_find_an_equilibrium_of_any_game_even_a_degenerate_one(pair):
    first, second = (np.array(payoffs, float) for payoffs in pair)
    for label in range(sum(first.shape)):
        found = lemke_howson(first, second, label)
        assert found.x.sum() == pytest.approx(1) and found.y.sum() == pytest.approx(1)
        assert min(found.x.min(), found.y.min()) >= 0 and found.total < 1e-9
    for mixes in support_equilibria(first, second):
        assert mixes.total < 1e-6


def test_a_nondegenerate_game_has_an_odd_number_of_equilibria_and_lemke_howson_finds_some_of_them():
    random = np.random.default_rng(5)
    for _ in range(20):
        first, second = random.random((2, *random.integers(1, 5, 2)))
        every = support_equilibria(first, second)
        assert len(every) % 2 == 1  # Wilson 1971
        assert shown([lemke_howson(first, second)])[0] in shown(every)


def test_in_a_zero_sum_game_both_methods_find_the_value():
    payoffs = np.random.default_rng(3).random((4, 5))
    value = solve_matrix(payoffs).value
    (only,) = support_equilibria(payoffs, -payoffs)
    assert only.payoffs[0] == pytest.approx(value, abs=1e-9)
    assert lemke_howson(payoffs, -payoffs, 6).payoffs[0] == pytest.approx(value, abs=1e-9)


def test_gains_are_what_the_best_answers_get_more():
    first, second = map(np.array, BATTLE)
    half = np.array([0.5, 0.5])
    assert mixes_of(first, second, half, half).gains == pytest.approx((0.25, 0.25))


@pytest.mark.parametrize(
    "work, sentence",
    [
        (lambda: lemke_howson(*BATTLE, 4), "a label of a 2 x 2 game is a whole number from 0 to 3, not 4"),
        (lambda: lemke_howson(*BATTLE, True), "a label of a 2 x 2 game"),
        (
            lambda: lemke_howson([[1, 2]], [[1], [2]]),
            r"both matrices must have the same size, not \(1, 2\) and \(2, 1\)",
        ),
        (lambda: support_equilibria([[1, "x"]], [[1, 2]]), "the payoffs of each player are a matrix of finite numbers"),
        (
            lambda: support_equilibria(np.eye(12), np.eye(12)),
            "a 12 x 12 game has 2,704,155 pairs of supports, and 200,000",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(work, sentence):
    with pytest.raises(Invalid, match=sentence):
        work()


def test_a_path_that_does_not_end_is_left(monkeypatch):
    monkeypatch.setattr(bimatrix, "MOST_PIVOTS", 1)
    with pytest.raises(bimatrix.Lost, match="the path did not end within 1 pivots"):
        lemke_howson(*BATTLE)
