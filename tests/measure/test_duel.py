"""Duels: sampled against exact, exact against the sequence form and against print."""

import numba
import pytest

from fogtree.errors import Invalid
from fogtree.games import Kuhn, PhantomTicTacToe, TicTacToe
from fogtree.measure.duel import duel, exact_duel
from fogtree.solvers.cfr import CFR
from fogtree.solvers.response import plan_of, value_of
from fogtree.solvers.sequence import sequence_form
from fogtree.strategy import Strategy


def test_random_against_random_in_tic_tac_toe_exactly():
    # the well-known 737/1260, 121/420 and 8/63; Auger 2011 rounds them to 59 % and 28 %
    game = TicTacToe()
    found = exact_duel(game, Strategy.uniform(game), Strategy.uniform(game))
    assert found.wins == pytest.approx((737 / 1260, 121 / 420), abs=1e-12)
    assert found.draws == pytest.approx(8 / 63, abs=1e-12)
    assert found.payoff == pytest.approx(737 / 1260 - 121 / 420, abs=1e-12)
    assert [round(100 * share, 3) for share in (*found.wins, found.draws)] == [58.492, 28.810, 12.698]


def test_random_play_does_not_care_whether_marks_are_hidden():
    # A failed try changes nothing but what is left to try, so a uniform try that is repeated until it succeeds marks a
    # uniform free cell: random games of Phantom Tic-Tac-Toe end as those of Tic-Tac-Toe, 58.492 %, 28.810 %, 12.698 %
    game = PhantomTicTacToe()
    found = duel(game, Strategy.uniform(game), Strategy.uniform(game), 200_000, seed=3)
    for share, wanted in zip((*found.wins, found.draws), (737 / 1260, 121 / 420, 8 / 63), strict=True):
        assert abs(share - wanted) < 2 * found.half_of(wanted)


def test_exact_payoffs_are_those_of_the_sequence_form():
    form = sequence_form(Kuhn())
    cfr = CFR(form)
    cfr.run(iterations=20)
    first, second = cfr.strategy(), Strategy.uniform(Kuhn())
    exact = exact_duel(Kuhn(), first, second)
    assert exact.payoff == pytest.approx(
        value_of(form, plan_of(form, first, 0)[0], plan_of(form, second, 1)[0]), abs=1e-12
    )
    assert sum(exact.wins) + exact.draws == pytest.approx(1, abs=1e-12)
    sampled = duel(Kuhn(), first, second, 50_000, seed=1)
    assert abs(sampled.payoff - exact.payoff) < 2 * sampled.half < 0.05
    assert sampled.wins[0] == pytest.approx(exact.wins[0], abs=2 * sampled.half_of(exact.wins[0]))
    other = exact_duel(Kuhn(), second, first)
    assert abs(other.payoff - exact.payoff) > 0.01  # seats are not mixed up


def test_interpreted_and_compiled_play_the_same_games(monkeypatch):
    uniform = Strategy.uniform(Kuhn())
    compiled = duel(Kuhn(), uniform, uniform, 300, seed=9)
    exact = exact_duel(Kuhn(), uniform, uniform)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert duel(Kuhn(), uniform, uniform, 300, seed=9) == compiled
    assert exact_duel(Kuhn(), uniform, uniform) == exact


def test_bad_duels_are_one_sentence():
    uniform = Strategy.uniform(Kuhn())
    with pytest.raises(Invalid, match="a duel is of 2 games or more, not 1"):
        duel(Kuhn(), uniform, uniform, 1)
    with pytest.raises(Invalid, match="this is a strategy of Kuhn"):
        duel(TicTacToe(), uniform, uniform)
    tree = sequence_form(Kuhn()).trees[0]
    view = tree.view[tree.parent == 0]  # the first player's first decisions
    strange = Strategy(Kuhn(), [0] * 3, view, range(4), [7] * 3, [1] * 3)
    for judge in (duel, exact_duel):
        with pytest.raises(Invalid, match="a strategy lists an action that the game does not have"):
            judge(Kuhn(), strange, uniform)
