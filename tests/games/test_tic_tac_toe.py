"""Tic-Tac-Toe: the counts that everybody knows, and the board that the phantom game is played on."""

import itertools

import pytest
from playing import after, expectation, payoffs

import fogtree
from fogtree import OVER, REFEREE, Invalid, TicTacToe
from fogtree.game import legal, read

GAME = TicTacToe()
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def test_tic_tac_toe_has_255168_games():
    # the ends by length are the usual table: 1440 wins in five marks, ..., 127872 full boards
    count = fogtree.count(GAME)
    assert count.ends == 255_168
    assert count.by_depth[:, 0].tolist() == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
    # everything is seen, so each of the other histories is an information set of its own
    assert count.histories == 549_946
    assert sum(count.infosets) == count.histories - count.ends


def test_random_play_is_worth_187_over_630_to_x():
    # X wins 737/1260 and O 121/420 of random games (the same as in the phantom game: see there)
    assert expectation(GAME, words=4) == pytest.approx(187 / 630, abs=1e-12)


@pytest.mark.parametrize("line", LINES)
def test_each_of_the_eight_lines_wins_for_either_seat(line):
    a, b, c = line
    elsewhere = itertools.combinations([cell for cell in range(9) if cell not in line], 3)
    p, q, r = next(cells for cells in elsewhere if cells not in LINES)
    assert payoffs(GAME, after(GAME, a, p, b, q, c)) == (1, -1)
    assert payoffs(GAME, after(GAME, p, a, q, b, r, c)) == (-1, 1)


def test_a_full_board_without_a_line_is_a_draw():
    # X O X
    # X O O
    # O X X
    state = after(GAME, 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert payoffs(GAME, state) == (0, 0)


def test_the_ninth_mark_can_still_win():
    # X O X
    # O X O
    # O X X   the last X, in the corner 8, makes the diagonal
    assert payoffs(GAME, after(GAME, 0, 1, 2, 3, 4, 5, 7, 6, 8)) == (1, -1)


def test_marks_alternate_and_taken_cells_are_gone():
    state = after(GAME, 4)
    assert GAME.player(state) == 1
    assert legal(GAME, state) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert legal(GAME, after(GAME, 0, 3, 1, 4, 2)) == []
    assert GAME.player(after(GAME, 0, 3, 1, 4, 2)) == OVER


def test_both_players_see_every_move_and_remember_the_order():
    one, other = after(GAME, 0, 4, 8), after(GAME, 8, 4, 0)
    for player in (0, 1):
        assert GAME.view(one, player) != GAME.view(other, player)
        assert GAME.show(one, player) == GAME.show(one, REFEREE) == GAME.show(other, player)


def test_the_board_shows_marks_and_the_numbers_of_free_cells():
    assert GAME.show(after(GAME, 4, 0, 8), REFEREE) == "O 1 2\n3 X 5\n6 7 X"


def test_a_cell_is_typed_by_its_number():
    state = after(GAME, "4", "0")
    assert read(GAME, state, " 8 ") == 8
    with pytest.raises(fogtree.Illegal, match="'4' is not a legal action here: choose from 1, 2, 3, 5, 6, 7, 8"):
        read(GAME, state, "4")


def test_it_has_no_parameters():
    assert fogtree.load("tic-tac-toe") == GAME and fogtree.name(GAME) == "tic-tac-toe"
    with pytest.raises(Invalid, match="tic-tac-toe has no parameter 'size': valid are none"):
        fogtree.load("tic-tac-toe:size=4")


def test_the_same_marks_are_the_same_position_whatever_their_order():
    assert GAME.position(after(GAME, 0, 4, 8)) == GAME.position(after(GAME, 8, 4, 0))
    assert GAME.position(after(GAME, 0, 4, 8)) != GAME.position(after(GAME, 0, 8, 4))
    assert GAME.position(after(GAME, 0)) != GAME.position(after(GAME, 1))


def test_tic_tac_toe_has_5478_positions():
    # the classical figure: boards that can come up, finished games included
    found, stack = set(), [after(GAME)]
    while stack:
        state = stack.pop()
        if (key := int(GAME.position(state))) not in found:
            found.add(key)
            for action in legal(GAME, state):
                child = state.copy()
                GAME.step(child, action)
                stack.append(child)
    assert len(found) == 5_478


def test_tic_tac_toe_is_open_and_says_so():
    assert GAME.shape().open and fogtree.check(GAME, histories=3_000, games=20).hints == ()
