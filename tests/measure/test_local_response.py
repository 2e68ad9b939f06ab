"""Local best response: what it gets is possible, and it finds gross errors."""

import numpy as np
import pytest

from fogtree import Invalid, Leduc
from fogtree.measure.local_response import local_response
from fogtree.solvers.public.betting import betting_form
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import Plan, PublicResponse
from leduc_cards import LeducCards


@pytest.fixture(scope="module")
def small():
    return betting_form(Leduc())


def plan(small, player, table):
    return Plan(small.form.tree, small.form.cuts[player], table)


@pytest.mark.parametrize("player", [0, 1])
def test_it_gets_no_more_than_a_best_response(small, player, interpreted):
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=3)
    other = plan(small, 1 - player, cfr.table)
    cards = LeducCards(Leduc())
    best = PublicResponse(cards, other, player).value()
    found = local_response(cards, other, player, boards=300, hands=30, rollouts=4, seed=1)
    assert found.value - found.half <= best
    assert found.games == 9000


def test_against_somebody_who_always_folds_to_a_bet_it_wins_the_ante(small):
    tree = small.form.tree

    def table(node):
        below = tree.action[tree.child[tree.first[node] : tree.first[node + 1]]]
        return np.outer(
            below == below.min(), np.ones(30 if tree.stage[node] else 6)
        )  # the lowest action: fold, else check

    found = local_response(LeducCards(Leduc()), plan(small, 1, table), 0, boards=4, hands=10)
    assert (found.value, found.half) == (1.0, 0.0)


def test_it_is_for_players_0_and_1(small):
    with pytest.raises(Invalid, match="a player is 0 or 1"):
        local_response(LeducCards(Leduc()), plan(small, 0, None), 3)
