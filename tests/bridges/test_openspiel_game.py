"""Our games inside OpenSpiel, judged by its own simulations, by its best responses, and by its own versions of the games."""

import numpy as np
import pytest

import fogtree
from fogtree import Strategy, exploitability
from fogtree.bridges.openspiel import from_openspiel
from fogtree.bridges.openspiel_game import to_openspiel

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    "text",
    [
        "kuhn",
        "kuhn:players=3",
        "leduc",
        "goofspiel:cards=4",
        "bimatrix",
        "phantom-ttt",
        "tic-tac-toe",
        "liars-dice:faces=3",
        "siguo:longest=20",
    ],
)
def test_any_game_passes_the_random_simulations(text):
    pyspiel.random_sim_test(to_openspiel(text), 2, False, False)


@pytest.mark.parametrize("text", ["kuhn", "kuhn:players=3", "bimatrix"])
def test_their_best_response_to_uniform_play_of_our_game_gains_what_ours_does(text, interpreted):
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import UniformRandomPolicy

    theirs, ours = to_openspiel(text), fogtree.load(text)
    found = exploitability(ours, Strategy.uniform(ours), engine="stream")
    assert nash_conv(theirs, UniformRandomPolicy(theirs)) == pytest.approx(found.total, abs=1e-12)


def test_there_and_back_is_the_same_tree():
    for text in ("kuhn:players=3", "goofspiel:cards=3"):
        there, back = fogtree.count(fogtree.load(text)), fogtree.count(from_openspiel(to_openspiel(text)))
        assert back[:4] == there[:4]


def test_a_state_says_what_our_game_says():
    state = to_openspiel("leduc", distinct=3).new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 6
    state.apply_action(0)
    state.apply_action(2)  # the third of the five cards left
    assert state.current_player() == 0 and state.legal_actions() == [1, 2]
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["check", "bet"]
    assert "player 1 card: Qh" in str(state) and not state.legal_actions(1)
    tensor = np.array(state.information_state_tensor(0), np.int64)
    view = int(state.information_state_string(0).rpartition(" ")[2])
    assert sum(int(bit) << k for k, bit in enumerate(tensor)) == view
    for action in (2, 0):
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [1.0, -1.0]


def test_the_kind_of_game_is_told():
    kinds = pyspiel.GameType
    assert to_openspiel("tic-tac-toe").get_type().information == kinds.Information.PERFECT_INFORMATION
    assert to_openspiel("bimatrix").get_type().utility == kinds.Utility.GENERAL_SUM
    assert to_openspiel("kuhn").get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert to_openspiel("kuhn:players=3").num_players() == 3
