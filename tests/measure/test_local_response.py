"""Local best response: what it gets is possible, and it finds gross errors."""

import numpy as np
import pytest

from fogtree import Invalid, Leduc
from fogtree.measure import local_response as module
from fogtree.measure.local_response import CALL, FOLD, RAISE, Dealt, book_of, chosen, local_response
from fogtree.solvers.public.lines import TypePlan
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.small_form import betting_form


@pytest.fixture(scope="module")
def small():
    return betting_form(Leduc())


def plan(small, player, table):
    return TypePlan(small.form.tree, small.form.cuts[player], table)


@pytest.mark.parametrize("player", [0, 1])
def test_it_gets_no_more_than_a_best_response(small, player, interpreted):
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=3)
    other = plan(small, 1 - player, cfr.table)
    cards = Leduc().public_cards()
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

    found = local_response(Leduc().public_cards(), plan(small, 1, table), 0, boards=4, hands=10)
    assert (found.value, found.half) == (1.0, 0.0)


def test_it_is_for_players_0_and_1(small):
    with pytest.raises(Invalid, match="a player is 0 or 1"):
        local_response(Leduc().public_cards(), plan(small, 0, None), 3)


# --- decisions worked by hand, in Leduc hold'em: J J Q Q K K are the cards 0 to 5 ---

USUAL, REVERSED = np.arange(6) // 2, -(np.arange(6) // 2)  # the strengths of the cards
Q = 2


def dealt(small, before, final, ranks):
    """A deal in which stage 0 is judged by the strengths `before` and the last stage by `final`; the other holds one of some
    cards, all equally likely."""
    number = np.arange(6)
    likely = np.isin(number, ranks).astype(float)
    return Dealt(np.array([number, 5 * number]), np.array([before, final]), np.array([0, 1, 2]), number, number, likely)


def always(tree, wanted):
    """A table that plays wanted(count, card): the number of the action among those of the node."""

    def table(node):
        count, cards = int(tree.first[node + 1] - tree.first[node]), 30 if tree.stage[node] else 6
        which = [wanted(count, t // (5 if tree.stage[node] else 1)) for t in range(cards)]
        return np.eye(count)[which].T

    return table


@pytest.mark.parametrize("before, final, action", [(REVERSED, USUAL, FOLD), (USUAL, REVERSED, RAISE)])
def test_the_responder_decides_by_what_it_sees_and_not_by_the_board_that_will_come(small, before, final, action):
    # Player 1 holds a king and faces a raise by one who never folds. The stakes are 3, after another raise 5, and folding
    # costs 1. If the king loses to everything, 1 is the least that can be lost; if it beats everything, 5 is the most.
    tree = small.form.tree
    book = book_of(plan(small, 0, always(tree, lambda count, card: count - 1 if count == 2 else 1)), 0)
    raised = book.to[0, RAISE]
    assert chosen(book, dealt(small, before, final, [0, 1, 2, 3]), 5, raised, -1.0) == action


def test_hands_that_fold_to_a_raise_are_not_met_at_the_showdown(small):
    # Player 0 holds a queen, the other a jack that folds or a king that calls. Checking is worth 0. Raising wins 1 from the
    # jack and loses 3 to the king: -1 on average, and not the 1/2 that it would be if the jack stayed.
    tree = small.form.tree
    book = book_of(plan(small, 1, always(tree, lambda count, card: 0 if card < Q else 1)), 1)
    assert chosen(book, dealt(small, USUAL, USUAL, [0, 5]), Q, 0, 1.0) == CALL


def test_the_interval_is_that_of_a_mean_over_boards(small, monkeypatch):
    # boards that pay 1, 3, 5 and 7: a standard deviation of sqrt(20 / 3), and 1.96 times its half as the half width
    paid = iter([1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 7.0, 7.0])
    monkeypatch.setattr(module, "play", lambda *args: next(paid))
    uniform = plan(small, 1, always(small.form.tree, lambda count, card: 0))
    found = local_response(Leduc().public_cards(), uniform, 0, boards=4, hands=2, rollouts=1)
    assert (found.value, found.half) == pytest.approx((4.0, 1.96 * (20 / 3) ** 0.5 / 2), abs=1e-3)
