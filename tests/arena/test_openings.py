"""Random openings: agents that draw nothing do not repeat one match, and intervals count what is different."""

import pytest

import fogtree as ft
from fogtree.arena.openings import random_openings, repeats_itself, usual_plies
from fogtree.arena.tournament import tournament
from fogtree.errors import Invalid
from fogtree.game import OVER
from fogtree.text.notation import course

PAIR = ["always:0", "always:8"]


def test_openings_differ_are_reproduced_and_never_end_the_game():
    game = ft.TicTacToe()
    drawn = random_openings(game, 30, 4, seed=1)
    assert len({tuple(opening) for opening in drawn}) == 30
    assert all(len(opening) == 4 and game.player(course(game, opening).state) != OVER for opening in drawn)
    assert random_openings(game, 10, 4, seed=1) == drawn[:10] != random_openings(game, 10, 4, seed=2)


def test_tic_tac_toe_has_72_openings_of_two_moves_and_no_more_are_played():
    assert usual_plies(ft.TicTacToe()) == 2
    found = tournament("tic-tac-toe", PAIR, matches=1000, cores=1)
    assert {cell.matches for cell in found.cells.values()} == {9 * 8}
    assert {cell.repeats for cell in found.cells.values()} == {0}


def test_without_openings_a_match_that_repeats_counts_once_in_intervals_and_ratings():
    found = tournament("tic-tac-toe", PAIR, matches=60, openings=0, cores=1)
    cell = found.cells[0, 1]
    assert (cell.matches, cell.different) == (60, 1) and cell.rate in (0.0, 1.0)
    low, high = cell.interval()
    assert high - low > 0.75  # of one match little is known
    assert found.counts()[0, 1].sum() == pytest.approx(1)


def test_openings_are_asked_for_by_number_and_both_seats_play_each():
    found = tournament("tic-tac-toe", ["random", "always:0"], openings=5, plies=1, cores=1)
    assert {cell.matches for cell in found.cells.values()} == {5}
    with pytest.raises(Invalid, match="no openings of 9 moves"):
        tournament("tic-tac-toe", PAIR, openings=5, plies=9, cores=1)


def test_only_agents_that_draw_nothing_in_a_game_without_chance_repeat_themselves():
    from fogtree.arena.agents import load_agent

    still, drawing = load_agent("always:0"), load_agent("random")
    assert repeats_itself(ft.TicTacToe(), [still, still])
    assert not repeats_itself(ft.TicTacToe(), [still, drawing])
    assert not repeats_itself(ft.Kuhn(), [still, still])  # the cards are dealt
    assert repeats_itself(ft.TicTacToe(), [load_agent("perfect"), load_agent("alphabeta:depth=2")])
    assert not repeats_itself(ft.Goofspiel(cards=3), [load_agent("perfect")])  # an equilibrium draws
