"""`solve_general`: profiles of games without a value, judged by what each player could gain."""

import pytest

import fogtree
from fogtree import Invalid, exploitability, solve_general
from fogtree.solvers.profile import GENERAL_METHODS, is_general
from fogtree.walk.slices import Ended

BATTLE = fogtree.load("bimatrix:first=[[3,0],[0,2]],second=[[2,0],[0,3]]")


@pytest.fixture(scope="module")
def trio():
    return fogtree.general_form("kuhn:players=3")


def test_three_player_kuhn_poker_is_solved_to_the_target_and_measured_apart_from_the_work(trio):
    found = solve_general(trio, target=1e-5)
    assert found.ended == Ended.TARGET and found.reached and found.total <= 1e-5
    assert exploitability(trio, found.strategy).total == pytest.approx(found.total, abs=1e-12)
    assert sum(found.values) == pytest.approx(0, abs=1e-12)
    assert found.course[-1].total == pytest.approx(found.total) and "NashConv" in str(found)


@pytest.mark.parametrize("method", ["cfr", "dcfr"])
def test_every_kind_of_method_stops_at_its_iterations(trio, method):
    found = solve_general(trio, method, iterations=1500)
    assert (found.ended, found.iterations, found.method) == (Ended.ITERATIONS, 1500, method)
    assert found.total < 0.2


def test_few_strategies_of_two_players_are_solved_exactly():
    found = solve_general("bimatrix")
    assert found.method == "lemke-howson" and found.values == (-2.0, -2.0) and found.total == 0.0


def test_supports_list_all_equilibria_and_show_the_one_that_pays_most():
    found = solve_general(BATTLE, "support")
    assert len(found.equilibria) == 3 and sum(found.values) == pytest.approx(5) and found.total < 1e-12


def test_a_two_player_game_of_several_moves_is_solved_through_its_strategic_form():
    # Kuhn 1950; 27 x 64 pure strategies
    found = solve_general("kuhn", "lemke-howson")
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-12) and found.total < 1e-12


def test_ctrl_c_gives_the_best_profile_so_far(trio):
    def leave(now):
        if now.what == "iterations" and now.done > 10:
            raise KeyboardInterrupt

    found = solve_general(trio, "cfr", progress=leave, partial=True)
    assert found.ended == Ended.STOPPED and found.iterations > 10
    with pytest.raises(fogtree.Interrupted) as stopped:
        solve_general(trio, "cfr", progress=leave)
    assert stopped.value.solution.iterations == found.iterations


def test_only_two_players_for_zero_have_a_value():
    assert [is_general(fogtree.load(text)) for text in ("kuhn", "bimatrix", "many-kuhn")] == [False, True, True]


@pytest.mark.parametrize(
    "method, sentence",
    [
        ("magic", f"there is no method 'magic' here: valid are {', '.join(GENERAL_METHODS)}"),
        ("support", "support is for two players, and this game has 3"),
    ],
)
def test_a_method_that_does_not_fit_is_refused(trio, method, sentence):
    with pytest.raises(Invalid) as refused:
        solve_general(trio, method)
    assert str(refused.value).startswith(sentence)
