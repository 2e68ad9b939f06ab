"""Matrix games: rock, paper, scissors and the prisoners' dilemma."""

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import OVER, REFEREE, BimatrixGame, Invalid, MatrixGame
from fogtree.game import legal, new_state, read

ROCK, PAPER, SCISSORS = 0, 1, 2
RPS = MatrixGame()
DILEMMA = BimatrixGame()
SILENT, BETRAY = 0, 1
WIDE = MatrixGame([[3, -1, 2], [0.5, 4, -7]])


def test_a_matrix_game_has_an_end_a_cell_and_an_information_set_a_player():
    count = fogtree.count(RPS)
    assert (count.histories, count.ends, count.infosets) == (1 + 3 + 9, 9, (1, 1))
    count = fogtree.count(WIDE)
    assert (count.histories, count.ends, count.infosets) == (1 + 2 + 6, 6, (1, 1))
    count = fogtree.count(DILEMMA)
    assert (count.histories, count.ends, count.infosets) == (1 + 2 + 4, 4, (1, 1))


def test_paper_beats_rock_beats_scissors_beats_paper():
    for better, worse in ((PAPER, ROCK), (ROCK, SCISSORS), (SCISSORS, PAPER)):
        assert payoffs(RPS, after(RPS, better, worse)) == (1, -1)
        assert payoffs(RPS, after(RPS, worse, better)) == (-1, 1)
        assert payoffs(RPS, after(RPS, worse, worse)) == (0, 0)


def test_player_0_chooses_the_row_and_player_1_the_column():
    assert legal(WIDE, after(WIDE)) == [0, 1]
    assert legal(WIDE, after(WIDE, 1)) == [0, 1, 2]
    assert payoffs(WIDE, after(WIDE, 1, 2)) == (-7, 7)
    assert WIDE.player(after(WIDE, 1, 2)) == OVER


def test_random_play_is_worth_the_mean_of_the_matrix():
    assert expectation(RPS) == pytest.approx(0, abs=1e-12)
    assert expectation(WIDE) == pytest.approx(1.5 / 6, abs=1e-12)


def test_payoffs_are_bounded_for_both_seats():
    assert (WIDE.shape().low, WIDE.shape().high) == (-7, 7)
    assert (DILEMMA.shape().low, DILEMMA.shape().high, DILEMMA.shape().zero_sum) == (-3, 0, False)


def test_the_prisoners_are_paid_from_a_matrix_each():
    assert payoffs(DILEMMA, after(DILEMMA, SILENT, SILENT)) == (-1, -1)
    assert payoffs(DILEMMA, after(DILEMMA, SILENT, BETRAY)) == (-3, 0)
    assert payoffs(DILEMMA, after(DILEMMA, BETRAY, SILENT)) == (0, -3)
    assert payoffs(DILEMMA, after(DILEMMA, BETRAY, BETRAY)) == (-2, -2)


@pytest.mark.parametrize("game", [RPS, DILEMMA])
def test_the_second_player_does_not_see_the_first_choice(game):
    assert indistinct(game, 1, (0,), (1,))
    assert not indistinct(game, 0, (0,), (1,))
    assert game.show(after(game, 0), 1) == game.show(after(game, 1), 1)


def test_the_matrix_is_shown_with_the_own_choice():
    assert (
        WIDE.show(after(WIDE), 0) == "row 0:       3      -1       2\nrow 1:     0.5       4      -7\nyou choose a row"
    )
    assert WIDE.show(after(WIDE, 1), 0).endswith("player 0 chose row 1")
    assert WIDE.show(after(WIDE, 1), 1).endswith("you choose a column")
    assert WIDE.show(after(WIDE, 1, 2), REFEREE).endswith("player 0 chose row 1\nplayer 1 chose column 2")
    assert DILEMMA.show(after(DILEMMA), 0).startswith("row 0:   -1/-1    -3/0\n")


def test_a_choice_is_typed_by_its_number():
    assert read(WIDE, after(WIDE), "1") == 1
    with pytest.raises(fogtree.Illegal, match="'2' is not a legal action here: choose from 0, 1"):
        read(WIDE, after(WIDE), "2")


def test_a_name_carries_the_payoffs():
    assert fogtree.name(RPS) == "matrix" and fogtree.name(DILEMMA) == "bimatrix"
    assert fogtree.name(WIDE) == "matrix:payoffs=[[3.0,-1.0,2.0],[0.5,4.0,-7.0]]"
    for game in (RPS, WIDE, DILEMMA, BimatrixGame([[0.1, 2]], [[3, 1e-9]])):
        again = fogtree.load(fogtree.name(game))
        assert type(again) is type(game)
        for mine, yours in zip(game, again, strict=True):
            np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("wrong", [3, [1, 2], [[1, 2], [3]], [[]], [["a"]], [[float("nan")]], [[[1]]], "[[1,2]"])
def test_what_is_no_matrix_is_refused(wrong):
    with pytest.raises(Invalid, match="payoffs must be a matrix of finite numbers, written"):
        MatrixGame(wrong)


def test_two_matrices_must_have_the_same_size():
    with pytest.raises(Invalid, match=r"BimatrixGame: the matrices must have the same size, not \(1, 2\) and \(2, 2\)"):
        BimatrixGame([[1, 2]])


def test_the_picture_is_a_table_with_the_actions_as_its_headers():
    game = MatrixGame([[1, -1, 0], [-2, 2, 5]])
    cells = {(round(cell.x / 1.3), round(cell.y / 0.8)): cell for cell in game.draw(new_state(game), 0)}
    assert {cell.text for at, cell in cells.items() if 0 in at} == {
        "column 0",
        "column 1",
        "column 2",
        "row 0",
        "row 1",
    }
    assert [cells[0, r + 1].text for r in range(2)] == ["row 0", "row 1"]
    assert [cells[c + 1, 2].text for c in range(3)] == ["-2", "2", "5"]
    assert [cells[0, r + 1].action for r in range(2)] == [0, 1]
    for (column, row), cell in cells.items():  # side by side, without a gap
        assert (cell.x, cell.y, cell.width, cell.height) == pytest.approx((1.3 * column, 0.8 * row, 1.3, 0.8))
