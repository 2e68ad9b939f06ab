"""The thesis' games: their equilibria by our solver, beside what it prints; and the library's slip, by hand."""

import numpy as np
import pytest

import fogtree
from fogtree.bandits import DeterministicUCT, NondeterministicUCT
from fogtree.errors import Invalid
from fogtree.games.family import Family
from fogtree.games.matrix import MatrixGame
from fogtree.games.printed import CATALOGUE, like_figure_49
from fogtree.games.rounds import Rounds
from fogtree.papers.briedon2015.library import ORDER, LibraryStart, _plans, tracks_as_library
from fogtree.solvers.exact.dominance import iterated_dominance
from fogtree.solvers.exact.simplex import solve_matrix

ROUNDING = 0.006  # the thesis prints whole percents of some games


@pytest.mark.parametrize("name", ["table4.1", "figure4.9", "figure4.10", "figure4.14", "figure4.16"])
def test_printed_equilibria_are_equilibria(name):
    printed = CATALOGUE[name]
    found = solve_matrix(printed.game.payoffs)
    assert found.value == pytest.approx(printed.value, abs=5e-3)
    assert found.x == pytest.approx(printed.first, abs=ROUNDING)
    if name != "table4.1":  # where columns 1 and 4 are as good as each other
        assert found.y == pytest.approx(printed.second, abs=ROUNDING)


def test_the_thesis_errs_about_two_games():
    rps = solve_matrix(CATALOGUE["figure3.2"].game.payoffs)
    assert rps.value == pytest.approx(0.5) and rps.x == pytest.approx([1 / 16, 10 / 16, 5 / 16])
    figure = solve_matrix(CATALOGUE["figure4.1"].game.payoffs)
    assert figure.value == pytest.approx(-1.2) and figure.x == pytest.approx([0.6, 0.4, 0])


def test_the_raised_game_has_the_printed_value():
    assert solve_matrix(fogtree.load("briedon2015/figure4.14-raised").payoffs).value == pytest.approx(3.98, abs=1e-3)


def test_table_41_reduces_to_row_1():
    left = iterated_dominance(fogtree.load("briedon2015/table4.1"))
    assert left.actions[0] == [0] and left.game.payoffs.min() == left.game.payoffs.max() == 2.0


def test_the_games_like_figure_49_are_one_game():
    found, family = like_figure_49(), Family()
    assert len(found) == 36
    member = {n: each.first for each in family.classes() for n in each.members.tolist()}
    assert len({member[family.index(game)] for game in found}) == 1


def test_names_that_nobody_printed_are_refused():
    with pytest.raises(Invalid, match=r"briedon2015 has no game 'figure9': valid are figure3\.2"):
        fogtree.load("briedon2015/figure9")


@pytest.mark.filterwarnings("ignore:overflow")  # the generator wraps round
def test_the_slip_by_hand():
    # visits (1, 0, 0): of two left, number 0 is action 0 again and number 1 is action 1; action 2 cannot come
    bandit, memory = LibraryStart(DeterministicUCT()), np.array([1.0, 1, 0.5, 0, 0, 0, 0])
    drawn = {int(bandit.choose(memory, 3, fogtree.seeded(seed))[0]) for seed in range(20)}
    assert drawn == {0, 1}
    # visits (2, 0, 1): the third draw is action 0, whatever was tried; then what was left out
    memory = np.array([2.0, 1, 0.5, 0, 0, 1, 0.5])
    assert bandit.choose(memory, 3, fogtree.seeded(1))[0] == 0
    memory = np.array([3.0, 2, 0.5, 0, 0, 1, 0.5])
    assert bandit.choose(memory, 3, fogtree.seeded(1))[0] == 1


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_library_plays_each_action_once_whatever_its_order(k):
    assert set(ORDER) == {2, 3, 4}
    for game, count in ((MatrixGame(np.zeros((k, k))), k), (Rounds(np.zeros((k**2, k**2)), 2, k, k), k**2)):
        assert sorted(_plans(count, game)) == list(range(count))
        assert (_plans(count, game) == list(range(count))) == (k == 5)


def test_strategies_come_back_in_the_game_s_own_order():
    # row 0 and column 3 are the equilibrium of Table 4.1 in print; the library plays rows and columns backwards
    (found,) = tracks_as_library([(CATALOGUE["table4.1"].game, 1)], NondeterministicUCT(), [20_000])
    assert found.strategies[0][0].argmax() == 0 and found.strategies[0][0, 0] > 0.9
    assert found.strategies[1][0, [0, 3]].sum() > 0.9
    assert found.values[0][0, 0].argmax() == 0
    (rounds,) = tracks_as_library([(CATALOGUE["figure4.14"].game, 1)], NondeterministicUCT(), [200_000])
    assert rounds.strategies[0][0, :2].sum() > 0.9 and rounds.strategies[1][0, 2:].sum() > 0.9
