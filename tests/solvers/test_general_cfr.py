"""Regret minimisation with any number of players."""

import numpy as np
import pytest

import fogtree
from fogtree import CFR, MCCFR, Invalid, Kuhn
from fogtree.solvers.forms.general import general_form, plans_of
from fogtree.solvers.regret.cfr import RULES
from fogtree.solvers.regret.general_cfr import GeneralCFR


@pytest.mark.parametrize("rule", ["cfr+", "pdcfr+"])
def test_with_two_players_for_zero_it_is_cfr(rule):
    one, other = CFR(Kuhn(), rule).run(iterations=50), GeneralCFR(Kuhn(), rule).run(iterations=50)
    for player, plan in enumerate(one.plans()):
        np.testing.assert_allclose(other.average().of(player), plan, atol=1e-12)
    mine, yours = one.strategy(), other.strategy()
    np.testing.assert_array_equal(mine.view, yours.view)


def test_in_three_player_kuhn_poker_the_averages_come_close_to_an_equilibrium_and_player_1_gets_minus_a_48th():
    # Abou Risk and Szafron 2010 found that CFR does; Szafron, Gibson and Sturtevant 2013 for the payoff
    plans = GeneralCFR("kuhn:players=3", "pdcfr+").run(iterations=500).average()
    assert sum(plans.gains()) < 1e-6
    assert plans.values()[1] == pytest.approx(-1 / 48, abs=1e-6)


def test_in_a_dilemma_both_learn_to_confess():
    for rule in RULES:
        found = GeneralCFR("bimatrix", rule).run(iterations=200)
        assert found.strategy()[0, 0][1] > 0.98 and found.strategy()[1, 0][1] > 0.98


def test_sampling_comes_close_too():
    game = fogtree.load("kuhn:players=3")
    solver = MCCFR(game, seed=2).run(iterations=20_000)
    assert solver.iterations == 20_000 and solver.infosets == 48
    plans, missing = plans_of(general_form(game), solver.strategy())
    assert sum(plans.gains()) < 0.05 and missing == (0, 0, 0)


def test_an_unknown_rule_is_refused():
    with pytest.raises(Invalid, match="there is no rule 'magic': valid are cfr, "):
        GeneralCFR("bimatrix", "magic")
