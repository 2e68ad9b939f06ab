"""The compiled simplex for matrix games: every small game, and large ones of every degenerate sort."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linprog

from fogtree import Invalid
from fogtree.solvers.exact import simplex
from fogtree.solvers.exact.simplex import solve_matrices, solve_matrix

# Briedoň 2015 prints these games; the equilibria of Fig 3.2 and the value of Fig 4.1 are corrected, by solving the
# equations of the support by hand (the thesis says uniform, and -1.35)
THESIS = {
    "Fig 3.2": (
        [[0.5, 0.75, 0], [0.25, 0.5, 0.55], [1, 0.45, 0.5]],
        0.5,
        [1 / 16, 10 / 16, 5 / 16],
        [1 / 16, 10 / 16, 5 / 16],
    ),
    "Fig 4.1": ([[-4, 0], [3, -3], [0, -2]], -1.2, [0.6, 0.4, 0], [0.3, 0.7]),
    "Fig 4.9": ([[0, 1, -1], [1, -1, 1], [-1, 1, 1]], 0.2, [0.4, 0.4, 0.2], [0.4, 0.4, 0.2]),
}
TABLE_4_1 = [[2, 3.5, 3, 2], [2.1, 4, 1, 1], [3, 1, 1, 1], [1, 2, 3, 2]]
ALL_3X3 = np.array(list(itertools.product([-1.0, 0.0, 1.0], repeat=9))).reshape(-1, 3, 3)


def gaps(payoffs, found):
    """How far the guarantees of the two players lie apart, game by game: max_i (A y)_i - min_j (x A)_j."""
    low = np.einsum("ni,nij->nj", found.x, payoffs).min(axis=1)
    high = np.einsum("nij,nj->ni", payoffs, found.y).max(axis=1)
    return high - low


def assert_equilibria(payoffs, found, tolerance=1e-9):
    assert gaps(payoffs, found).max() <= tolerance
    for mix in (found.x, found.y):
        assert mix.min() >= 0
        assert mix.sum(axis=1) == pytest.approx(np.ones(len(mix)), abs=1e-12)


@pytest.mark.parametrize("game", THESIS)
def test_the_matrix_games_of_the_thesis(game):
    payoffs, value, x, y = THESIS[game]
    found = solve_matrix(payoffs)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.x == pytest.approx(x, abs=1e-12)
    assert found.y == pytest.approx(y, abs=1e-12)


def test_table_4_1_is_won_by_the_first_row():
    # Briedoň 2015, 4.3: value 2, row 1 and column 4; but column 4 is not the only one: half of column 1 holds as well
    found = solve_matrix(TABLE_4_1)
    assert found.value == pytest.approx(2, abs=1e-12)
    assert found.x == pytest.approx([1, 0, 0, 0], abs=1e-12)
    assert (TABLE_4_1 @ found.y).max() == pytest.approx(2, abs=1e-12)
    assert min(TABLE_4_1[0]) == max(row[3] for row in TABLE_4_1) == 2


def test_all_19683_games_of_wins_draws_and_losses_come_out_right():
    # the games of Briedoň 2015, section 4.5, with the three constant ones
    found = solve_matrices(ALL_3X3)
    assert len(ALL_3X3) == 19_683
    assert_equilibria(ALL_3X3, found)
    # Swapping the players turns a game into another of the list, of the opposite value; so do all payoffs' signs.
    assert np.sort(found.value) == pytest.approx(np.sort(-found.value), abs=1e-12)


def test_a_sample_of_them_agrees_with_highs():
    sample = ALL_3X3[np.random.default_rng(1).choice(len(ALL_3X3), 100, replace=False)]
    expected = [by_highs(payoffs) for payoffs in sample]
    assert solve_matrices(sample).value == pytest.approx(np.array(expected), abs=1e-9)


def by_highs(payoffs):
    """max v with x A >= v, from the book."""
    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[np.append(np.ones(rows), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


@pytest.mark.parametrize(
    "rows, columns", [(1, 1), (1, 9), (9, 1), (2, 200), (200, 2), (5, 7), (20, 13), (64, 64), (150, 150)]
)
def test_random_games_of_any_size(rows, columns):
    random = np.random.default_rng(rows * columns)
    for payoffs in (random.normal(size=(5, rows, columns)), random.integers(-3, 4, (5, rows, columns)) * 1.0):
        assert_equilibria(payoffs, solve_matrices(payoffs))


def degenerate():
    """Games full of ties, where a simplex may go in circles or lose its way."""
    random = np.random.default_rng(2)
    cycle = np.arange(63)
    yield "cycle of 63", np.sign((cycle[:, None] - cycle + 31) % 63 - 31.0)
    yield "hide and seek", np.eye(64)
    yield "steps", np.tri(64)
    yield "constant", np.full((20, 20), 7.0)
    yield "zeros and ones", (random.random((100, 100)) < 0.5) * 1.0
    yield "mostly zeros", (random.random((64, 64)) < 0.05) * 1.0
    skew = random.integers(-1, 2, (64, 64)) * 1.0
    yield "skew", skew - skew.T
    thin = random.integers(-2, 3, (64, 3)) * 1.0
    yield "rank 3", thin @ thin.T
    yield "each row thrice", np.repeat(random.normal(size=(20, 60)), 3, axis=0)
    troops = np.array([split for split in itertools.product(range(13), repeat=3) if sum(split) == 12])
    yield "Blotto", np.sign(np.sign(troops[:, None] - troops).sum(axis=2)) * 1.0


@pytest.mark.parametrize("payoffs", [pytest.param(payoffs, id=name) for name, payoffs in degenerate()])
def test_degenerate_games(payoffs):
    found = solve_matrices([payoffs])
    assert_equilibria(payoffs[None], found)
    if np.array_equal(payoffs, -payoffs.T):
        assert found.value == pytest.approx([0.0], abs=1e-9)  # a symmetric game is fair


# a program whose corner at 0 has six bases that follow one another for ever, if the fastest column enters and the largest
# pivot leaves; found by trying random ones
CIRCLE = [
    [3.2, 6.0, -0.3, -28.8, 0.1, 0.0],
    [-4.6, 14.4, -0.3, 5.9, 0.1, 0.0],
    [36.7, 24.3, 0.1, 23.4, 0.1, 0.0],
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    [-13.6, -1.5, -0.5, -10.1, 0.0, 0.0],
]


@pytest.mark.parametrize("height", [-5.0, 0.0, 5.0])  # of the objective: only its rise counts
def test_blands_rule_leads_out_of_a_circle(height):
    cells = np.array(CIRCLE)
    cells[-1, -1] = height
    tableau = simplex.Tableau(cells.copy(), np.arange(5, 9), np.arange(5))
    simplex.optimise(tableau)
    assert simplex.entering(tableau, False) == simplex.NONE  # nothing raises the objective any more
    expected = linprog(cells[-1, :-1], A_ub=cells[:-1, :-1], b_ub=cells[:-1, -1])
    assert tableau.cell[-1, -1] == pytest.approx(height - expected.fun, abs=1e-12)
    circle = simplex.Tableau(cells.copy(), np.arange(5, 9), np.arange(5))
    bases = []
    for _ in range(20):
        bases.append(frozenset(circle.basic.tolist()))
        s = simplex.entering(circle, False)
        simplex.pivot(circle, simplex.leaving(circle, s, False), s)
    assert bases[1:7] == bases[7:13] == bases[13:19]  # without the rule it would go on so


SMALL_GAMES = arrays.arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(-4, 4))


@settings(deadline=None)  # the first call may compile
@given(SMALL_GAMES)
def test_the_players_may_change_seats(payoffs):
    assert solve_matrix(-payoffs.T).value == pytest.approx(-solve_matrix(payoffs).value, abs=1e-12)


@settings(deadline=None)  # the first call may compile
@given(SMALL_GAMES, st.sampled_from([1e-6, 0.1, 3.0, 1e6]), st.sampled_from([-1e3, 0.0, 0.5, 1e6]))
def test_the_value_follows_the_scale_of_the_payoffs(payoffs, scale, shift):
    moved = solve_matrix(scale * payoffs + shift).value
    assert moved == pytest.approx(scale * solve_matrix(payoffs).value + shift, rel=1e-9, abs=1e-9 * scale)


def test_payoffs_that_differ_little_are_told_apart():
    found = solve_matrix([[1e9, 1e9 + 1], [1e9 + 1, 1e9]])
    assert found.x == pytest.approx([0.5, 0.5], abs=1e-9)
    found = solve_matrix([[1e4, 0], [0, 1e-3]])  # value p q / (p + q)
    assert found.value == pytest.approx(1e4 * 1e-3 / (1e4 + 1e-3), rel=1e-6)


def test_interpreted_and_compiled_agree():
    payoffs = ALL_3X3[::197].copy()
    tableau = simplex.Tableau(np.empty((4, 4)), np.empty(3, np.int64), np.empty(3, np.int64))
    value, x, y = np.empty(len(payoffs)), np.empty((len(payoffs), 3)), np.empty((len(payoffs), 3))
    assert simplex.solve_each.interpreted(payoffs, tableau, value, x, y) == simplex.NONE
    found = solve_matrices(payoffs)
    np.testing.assert_allclose(found.value, value, atol=1e-14)
    np.testing.assert_allclose(found.x, x, atol=1e-14)


def test_no_games_have_no_equilibria():
    assert solve_matrices(np.empty((0, 3, 3))).value.shape == (0,)


@pytest.mark.parametrize(
    "wrong", [3, [], [[]], [1, 2], [["a"]], [[1, float("nan")]], [[float("inf")]], [[1, 2], [3]], [[1e200]]]
)
def test_what_is_no_matrix_is_refused(wrong):
    with pytest.raises(Invalid, match="payoffs must be a matrix of numbers below 1e"):
        solve_matrix(wrong)


@pytest.mark.parametrize("error, fails", [(1e-12, False), (1e-7, True), (1e-4, True)])
def test_guarantees_that_lie_apart_are_noticed(monkeypatch, error, fails):
    # matching pennies: a row played too often by this much lets the column player gain twice as much of a spread of 2
    right = simplex.read_off

    def spoiled(tableau, x, y):
        right(tableau, x, y)
        x += [error, -error]

    monkeypatch.setattr(simplex, "read_off", spoiled)
    tableau = simplex.Tableau(np.empty((3, 3)), np.empty(2, np.int64), np.empty(2, np.int64))
    arrays = np.empty(1), np.empty((1, 2)), np.empty((1, 2))
    failed = simplex.solve_each.interpreted(np.array([[[1.0, -1.0], [-1.0, 1.0]]]), tableau, *arrays)
    assert (failed == 0) == fails and (failed == simplex.NONE) == (not fails)


def test_a_solution_that_does_not_hold_is_refused(monkeypatch):
    monkeypatch.setattr(simplex, "solve_each", lambda *arrays: 0)
    with pytest.raises(simplex.Unsolved, match="game 0 is too badly conditioned for this simplex"):
        solve_matrix([[1, 2], [3, 4]])
