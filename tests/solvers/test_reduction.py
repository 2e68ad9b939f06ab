"""Equal games with fewer actions, and strategies on their way back."""

import numpy as np
import pytest

import fogtree
from fogtree import CFR, Invalid, Strategy, exploitability, sequence_form
from fogtree.game import identity
from fogtree.solvers.forms.reduction import lifted, reduced
from fogtree.solvers.streamed.stream import stream_response
from fogtree.walk.slices import Progress

FORCED = fogtree.load("phantom-ttt:rules=forced-centre")
PRUNED = fogtree.load("phantom-ttt:rules=forced-centre,winning_first=true")
ABRUPT = fogtree.load("phantom-ttt:rules=abrupt")


@pytest.fixture(scope="module")
def learned():
    """A strategy of the smaller game after a few iterations, and what it is worth there."""
    form = sequence_form(PRUNED)
    cfr = CFR(form, "cfr+")
    cfr.run(iterations=10)
    return cfr.strategy(), exploitability(form, cfr.strategy())


@pytest.fixture(scope="module")
def back(learned):
    return lifted(learned[0], FORCED)


def test_a_game_says_which_smaller_one_is_equal():
    assert reduced(FORCED) == PRUNED
    for game in (PRUNED, ABRUPT, fogtree.load("kuhn")):  # a failed try that loses the turn is no gift
        assert reduced(game) is game


def test_a_lifted_strategy_belongs_to_the_larger_game(learned, back):
    assert back.game == identity(FORCED) and len(back) > len(learned[0])
    back.belongs_to(FORCED)


def test_where_the_smaller_game_has_a_choice_the_lifted_strategy_makes_it_alike(learned, back):
    size = len(learned[0])
    for field in ("player", "view", "action", "probability"):
        theirs = getattr(learned[0], field)
        assert (getattr(back, field)[: len(theirs)] == theirs).all()
    assert (back.first[: size + 1] == learned[0].first).all()
    assert (np.diff(back.first[size:]) == 1).all() and (back.probability[back.first[size] :] == 1).all()


def test_a_winning_try_is_always_made(back):
    # X holds the centre by force; with 0 as well, 8 is the only cell that the smaller game leaves
    state = fogtree.game.new_state(FORCED)
    for cell in (4, 4, 2, 0, 6):  # X centre, O fails there and takes 2, X 0, O 6
        FORCED.step(state, cell)
    assert FORCED.player(state) == 0
    assert back[0, int(FORCED.view(state, 0))] == {8: 1.0}
    actions = fogtree.game.legal(FORCED, state)
    assert len(actions) == 7 and fogtree.game.legal(PRUNED, state) == [8]


def test_a_lifted_strategy_is_exploited_by_no_more_in_the_larger_game(learned, back):
    # there the opponent may do anything, and streams through all of it
    for player in (0, 1):
        found = stream_response(FORCED, back, player)
        assert found.value == pytest.approx(learned[1].values[player], abs=1e-12)


def test_a_strategy_of_a_game_that_is_not_reduced_stays_itself():
    kuhn = fogtree.load("kuhn")
    strategy = Strategy.uniform(kuhn)
    assert lifted(strategy, kuhn) is strategy


def test_a_strategy_of_another_game_is_not_lifted():
    with pytest.raises(
        Invalid, match=r"this is a strategy of PhantomTicTacToe\(rules=forced_centre, winning_first=False\)"
    ):
        lifted(Strategy.uniform(FORCED), FORCED)


def test_progress_is_told_of_the_histories(learned):
    seen = []
    lifted(learned[0], FORCED, progress=seen.append)
    assert seen[-1] == Progress("histories", 862_103)
