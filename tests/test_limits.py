"""A limit that is met exactly is kept, and one more is refused: for every door that has a limit on the size of a game."""

import math

import numpy as np
import pytest

from fogtree.arena import tournament as tables
from fogtree.errors import Invalid
from fogtree.games import BimatrixGame, Kuhn, MatrixGame, TicTacToe
from fogtree.games import gambit as files
from fogtree.games.tree import spell_out
from fogtree.search import selfplay
from fogtree.search.worlds import openly
from fogtree.solvers.exact import correlated, support
from fogtree.solvers.exact.bimatrix import support_equilibria
from fogtree.solvers.forms.strategic import strategic_form

CHICKEN = BimatrixGame([[6, 2], [7, 0]], [[6, 7], [2, 0]])
PENNIES = MatrixGame([[1, -1], [-1, 1]])
EVEN, ODD = CHICKEN.first, CHICKEN.second


@pytest.fixture(scope="module")
def chicken():
    return strategic_form(CHICKEN)


def board(*moves):
    """A board of tic-tac-toe with three cells left."""
    state = np.zeros(TicTacToe().shape().words, np.int64)
    TicTacToe().start(state)
    for move in moves:
        TicTacToe().step(state, move)
    return state[None]


DOORS = {  # the work with a limit, and the size of what it is given
    "profiles": (lambda most, given: strategic_form(CHICKEN, limit=most), 2 * 2),
    "pairs of supports": (lambda most, given: support_equilibria(EVEN, ODD, most=most), math.comb(4, 2) - 1),
    "histories": (lambda most, given: spell_out(Kuhn(), limit=most), 58),
    "profiles in a file": (lambda most, given: files._strategic_form(spell_out(CHICKEN), "x", most), 2 * 2),
    "conditions": (lambda most, given: _with(given, correlated, "MOST_CELLS", most), 4 * (2 + 2)),
    "seatings": (lambda most, given: _with(given, tables, "MOST_SEATINGS", most), 2**3),
    "rows and columns": (lambda most, given: _with(given, support, "MOST", most), 2),
    "sets in mind": (lambda most, given: _with(given, selfplay, "MOST_SETS", most), 2),
    "states of worlds": (
        lambda most, given: openly.solved(TicTacToe(), board(0, 4, 8, 2, 6, 3), most=most),
        1 + 4 + 5 + 1,
    ),
}
WORKS = {
    correlated: lambda chicken: correlated._conditions(chicken.payoffs, correlated.CE),
    tables: lambda chicken: tables.tournament("kuhn:players=3", ["random", "always:0"], matches=1, cores=1),
    support: lambda chicken: support.support([[1, -1], [-1, 1]]),
    selfplay: lambda chicken: selfplay.new_selectors(PENNIES, _bandit()),
}


def _bandit():
    from fogtree.bandits import RegretMatching

    return RegretMatching()


def _with(given, module, name, most):
    chicken, monkeypatch = given
    monkeypatch.setattr(module, name, most)
    return WORKS[module](chicken)


@pytest.mark.parametrize("what", DOORS)
def test_exactly_the_limit_is_allowed_and_one_more_is_not(what, chicken, monkeypatch, interpreted):
    work, size = DOORS[what]
    work(size, (chicken, monkeypatch))
    with pytest.raises(Invalid):
        work(size - 1, (chicken, monkeypatch))
