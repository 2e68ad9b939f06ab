"""Supports: by linear programs over the same equilibria, and by hand."""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

from fogtree.errors import Invalid
from fogtree.games.family import Family
from fogtree.solvers.exact.support import support


def most(payoffs, value, action):
    """The largest probability of a row in any mix that guarantees the value."""
    rows, columns = payoffs.shape
    found = linprog(
        -np.eye(rows)[action],
        A_ub=-payoffs.T,
        b_ub=np.full(columns, 1e-9 - value),
        A_eq=np.ones((1, rows)),
        b_eq=[1.0],
    )
    return -found.fun


def test_an_action_is_inside_where_some_equilibrium_plays_it():
    family = Family()
    for kind in family.classes()[::20]:
        payoffs = family[kind.first].payoffs
        found = support(payoffs)
        for side, value, mix in ((payoffs, found.value, found.x), (-payoffs.T, -found.value, found.y)):
            assert [most(side, value, a) > 1e-6 for a in range(3)] == (mix > 0).tolist()


def test_figure_41_of_briedon_2015():
    # rows 1 and 2 mix; the third gets -1.4 against (0.3, 0.7), 0.2 less than the value
    found = support([[-4, 0], [3, -3], [0, -2]])
    assert found.value == pytest.approx(-1.2) and found.sizes == (2, 2) and found.corners == (1, 1)
    assert found.distance == pytest.approx(0.2) and not found.saddle


@pytest.mark.parametrize("unit, base", [(1.0, 1e9), (1e-9, 0.0), (1e-9, 3.0), (1e12, 0.0)])
def test_the_support_does_not_depend_on_where_payoffs_begin_nor_on_their_unit(unit, base):
    found = support(base + unit * np.array([[-4, 0], [3, -3], [0, -2]]))
    assert found.x == pytest.approx([0.6, 0.4, 0], abs=1e-6) and found.y == pytest.approx([0.3, 0.7], abs=1e-6)
    assert found.value == pytest.approx(base - 1.2 * unit) and found.distance == pytest.approx(0.2 * unit, rel=1e-5)


def test_an_action_of_the_column_player_is_as_far_off_as_the_same_action_of_the_row_player():
    # figure 4.1 with the seats changed: its distance now comes from the third column
    found = support(-np.array([[-4, 0], [3, -3], [0, -2]]).T)
    assert found.value == pytest.approx(1.2) and found.y[2] == 0 and found.x.all()
    assert found.distance == pytest.approx(0.2)


@pytest.mark.parametrize(
    "payoffs, value, distance",
    [([[1, 2]], 1, 1), ([[1], [3]], 3, 2), ([[5]], 5, math.nan), ([[1, 1, 4]], 1, 3)],
)
def test_a_player_may_have_a_single_action(payoffs, value, distance):
    # the other takes what is best; what they leave is worse by the difference
    found = support(payoffs)
    assert found.value == value and found.saddle and found.distance == pytest.approx(distance, nan_ok=True)
    assert found.x.sum() == found.y.sum() == 1


@pytest.mark.parametrize("wrong", [[], [[]], [1, 2], [[1, 2], [3]], [["a"]], [[math.nan]]])
def test_what_is_no_matrix_is_refused(wrong):
    with pytest.raises(Invalid, match="payoffs must be a matrix of numbers"):
        support(wrong)


def test_many_equilibria_have_their_middle():
    # rows 0 and 1 give 1 whatever comes, so every mix of them is an equilibrium, and so is every mix of the columns
    found = support([[1, 1], [1, 1], [0, 1]])
    assert found.corners == (2, 2)
    assert found.saddle and found.x.tolist() == [0.5, 0.5, 0.0] and found.value == 1.0


def test_where_everything_is_inside_nothing_is_distant():
    found = support([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert found.sizes == (3, 3) and math.isnan(found.distance) and found.x == pytest.approx([1 / 3] * 3)


def test_large_games_are_refused():
    with pytest.raises(Invalid, match="at most 6 x 6"):
        support(np.zeros((7, 2)))
