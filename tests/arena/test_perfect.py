"""The perfect player: by equilibria, by tables, by search; and a sentence where nobody knows perfect play."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.arena.agents import load_agent, require_fit
from fogtree.arena.agents import perfect as perfect_players
from fogtree.errors import Invalid
from fogtree.game import OVER, legal, new_state
from fogtree.text.notation import from_notation


def test_the_perfect_player_of_kuhn_is_a_strategy_with_a_certificate():
    found = ft.perfect("kuhn")
    assert ft.exploitability("kuhn", found).total < 1e-9
    assert found.certificate.low <= -1 / 18 + 1e-12 and found.certificate.high >= -1 / 18 - 1e-12
    assert "the perfect player of kuhn" in repr(found)


def test_the_perfect_player_sits_in_tournaments_and_loses_to_nobody_at_tic_tac_toe():
    found = ft.tournament("tic-tac-toe", ["perfect", "random"], matches=6, cores=1)
    assert found.cells[0, 1].losses == 0 and found.cells[1, 0].wins == 0
    assert found.cells[0, 0].losses + found.cells[0, 0].wins + found.cells[0, 0].draws == 6  # from six openings


def test_at_tic_tac_toe_every_mistake_is_punished():
    # x has two in a row and it is x's move: an equilibrium may be content with less, a search is not
    game, course = ft.TicTacToe(), from_notation(ft.TicTacToe(), "0 3 1 4")
    agent = load_agent("perfect")
    played = ft.play(game, [agent, "random"], start=course)
    assert played.payoffs[0] == 1 and len(played.moves) == 5


def test_small_boards_of_connect_four_are_won_where_minimax_wins():
    game = ft.ConnectFour(rows=3, columns=4, line=3)

    def value(state):
        if game.player(state) == OVER:
            return game.payoff(state, 0)
        found = []
        for action in legal(game, state):
            child = state.copy()
            game.step(child, action)
            found.append(value(child))
        return max(found) if game.player(state) == 0 else min(found)

    with np.errstate(over="ignore"):
        state = new_state(game)
        for action in (0, 0):  # so that plain minimax is quick
            game.step(state, action)
        worth = value(state)
    course = from_notation(game, "0 0")
    played = ft.play(game, [ft.perfect(game), ft.perfect(game)], start=course)
    assert played.payoffs[0] == worth


def test_chess_endings_are_played_by_tables():
    game = ft.Chess()
    course = from_notation(
        game, "8/8/8/8/2K5/8/k7/6Q1 w - - 0 1"
    )  # mate in two, as docs/algorithms/endgame-tables.md has it
    agent = load_agent("perfect")
    require_fit(agent, game, course.state)
    played = ft.play(game, [agent, load_agent("perfect")], start=course)
    assert played.payoffs[0] == 1 and len(played.moves) == 3
    assert perfect_players.strongest(game) == "the agent alphabeta:weights=chess"  # of chess from its start


def test_an_open_game_that_is_not_proved_in_time_is_refused(monkeypatch):
    monkeypatch.setattr(perfect_players, "PROVABLE", 1_000)
    with pytest.raises(Invalid, match="the strongest there is is the agent alphabeta"):
        require_fit(load_agent("perfect"), ft.ConnectFour(rows=5, columns=5))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("siguo", "not a game of two players"),
        ("goofspiel:cards=8", "the strongest there is is"),
        ("kuhn:players=3", "no perfect"),
    ],
)
def test_where_nobody_knows_perfect_play_a_sentence_says_what_is_strongest(game, words):
    with pytest.raises(Invalid, match=words):
        ft.perfect(game)


def test_a_perfect_player_by_search_has_no_table():
    with pytest.raises(Invalid, match="by search"):
        ft.perfect("tic-tac-toe").strategy  # noqa: B018


@pytest.mark.parametrize("game", ["chess", "connect-four", "go", "phantom-go", "dark-chess"])
def test_a_game_that_is_far_too_large_is_refused_without_a_search(game, monkeypatch):
    def never(*args, **limits):
        raise AssertionError

    monkeypatch.setattr(perfect_players.AlphaBeta, "think", never)
    monkeypatch.setattr("fogtree.solvers.solution.solve", never)
    with pytest.raises(Invalid, match="the strongest there is is"):
        require_fit(load_agent("perfect"), ft.load(game))
