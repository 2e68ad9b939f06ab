"""Phantom Tic-Tac-Toe. The counts are exact ones by an independent C++ program; 5,990,669 information sets of the full
game is also what the nashbench suite reports."""

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs, standard_error

import fogtree
from fogtree import OVER, REFEREE, Invalid, PhantomTicTacToe
from fogtree.game import images, legal, read

CLASSICAL = PhantomTicTacToe()
FORCED = PhantomTicTacToe("forced-centre")
ABRUPT = PhantomTicTacToe("abrupt")
WINNING = PhantomTicTacToe(winning_first=True)
FORCED_WINNING = PhantomTicTacToe("forced-centre", winning_first=True)
STATE_WITHOUT_VIEWS = 6  # words


# --- counts ---


def test_forced_centre_winning_first_has_the_counts_of_lisys_convergence_game():
    count = fogtree.count(FORCED_WINNING)
    assert (count.histories, count.ends) == (862_103, 304_728)
    # published are 6,225 and 9,305 sets after the two forced moves; each of these is a set of its own
    assert count.infosets == (6_225 + 1, 9_305 + 1)


def test_the_first_moves_of_the_classical_game_count_as_worked_out_by_hand():
    # 9 cells, 9 tries against each; of the 81 lines 9 were blocked and go on with 8 cells, 72 pass the turn to X with 8
    assert fogtree.count(CLASSICAL, 3).by_depth.sum(axis=1).tolist() == [1, 9, 81, 9 * 8 + 72 * 8]
    # where a blocked try ends the turn, X answers it with the same 8 untried cells
    assert fogtree.count(ABRUPT, 3).by_depth.sum(axis=1).tolist() == [1, 9, 81, 9 * 8 + 72 * 8]
    # X's own first cell is all that X knows at the second turn; O has not moved, or was blocked in one of 9 cells
    assert fogtree.count(CLASSICAL, 2).infosets == (1 + 9, 1 + 9)


@pytest.mark.slow
def test_winning_first_has_the_published_counts():
    count = fogtree.count(WINNING)
    assert (count.histories, count.ends) == (368_666_471, 135_964_368)
    assert count.infosets == (280_970, 359_299)


@pytest.mark.slow
def test_forced_centre_has_the_published_counts():
    count = fogtree.count(FORCED)
    assert (count.histories, count.ends) == (283_720_131, 139_261_152)
    assert count.infosets == (373_929 + 1, 80_665 + 1)  # and the two forced moves


@pytest.mark.slow
def test_the_classical_game_has_the_published_counts():
    count = fogtree.count(CLASSICAL)
    assert (count.histories, count.ends) == (19_934_533_171, 9_829_101_024)
    assert count.infosets == (3_683_314, 2_307_355)
    assert sum(count.infosets) == 5_990_669


# --- random play ---


@pytest.mark.parametrize(
    "game, x, o",
    [
        # Whatever was tried, the next mark falls on each empty cell alike: as in Tic-Tac-Toe, and Auger's 59 and 28 percent
        (CLASSICAL, 0.58492, 0.28810),
        # a score of 70.76 with draws as half: the 70.9 of random against random in Lisý 2014, table 3
        (WINNING, 0.68545, 0.27028),
    ],
)
def test_random_games_are_won_as_often_as_was_computed_exactly(game, x, o):
    games = 1_000_000
    played = fogtree.playouts(game, games, seed=1)
    assert abs(played.payoff[0] - (x - o)) < 4 * standard_error(x - o, x + o, games)
    assert played.payoff[1] == -played.payoff[0]


@pytest.mark.parametrize("game, x, o", [(FORCED, 0.69286, 0.19286), (FORCED_WINNING, 0.84484, 0.13492)])
def test_random_play_after_the_forced_centre_is_worth_exactly_this(game, x, o):
    assert expectation(game, words=STATE_WITHOUT_VIEWS) == pytest.approx(x - o, abs=1e-5)


# --- playing ---


def test_a_classical_game_by_hand():
    state = after(CLASSICAL, 4)  # X takes the centre
    assert CLASSICAL.player(state) == 1
    assert legal(CLASSICAL, state) == list(range(9))  # O knows nothing of it
    state = after(CLASSICAL, 4, 4)  # O is blocked there, and goes on
    assert CLASSICAL.player(state) == 1
    assert legal(CLASSICAL, state) == [0, 1, 2, 3, 5, 6, 7, 8]
    state = after(CLASSICAL, 4, 4, 0)  # O takes a corner
    assert CLASSICAL.player(state) == 0
    assert legal(CLASSICAL, state) == [0, 1, 2, 3, 5, 6, 7, 8]  # which X has not found
    state = after(CLASSICAL, 4, 4, 0, 0, 2)  # X is blocked, and takes another
    assert CLASSICAL.player(state) == 1
    state = after(CLASSICAL, 4, 4, 0, 0, 2, 3, 6)  # O 3; X 6 makes the diagonal 2 4 6
    assert payoffs(CLASSICAL, state) == (1, -1)


def test_o_wins_too():
    assert payoffs(CLASSICAL, after(CLASSICAL, 0, 3, 1, 4, 8, 5)) == (-1, 1)


def test_a_full_board_without_a_line_is_a_draw():
    # X O X
    # X O O
    # O X X
    assert payoffs(CLASSICAL, after(CLASSICAL, 0, 1, 2, 4, 3, 5, 7, 6, 8)) == (0, 0)


def test_the_longest_game_has_17_tries():
    # as above, and before each own mark X and O try all that the other has: 5 + 4 marks, 4 + 4 blocked tries
    moves = (0, 0, 1, 1, 2, 2, 4, 4, 3, 3, 5, 5, 7, 7, 6, 6, 8)
    state = after(CLASSICAL, *moves)
    assert len(moves) == CLASSICAL.shape().moves and payoffs(CLASSICAL, state) == (0, 0)


def test_a_blocked_try_loses_the_turn_in_the_abrupt_game():
    state = after(ABRUPT, 4, 4)
    assert ABRUPT.player(state) == 0
    # O tries X's cell each time and never gets a mark
    assert payoffs(ABRUPT, after(ABRUPT, 4, 4, 0, 0, 8)) == (1, -1)


def test_the_abrupt_game_lets_one_player_mark_twice_running():
    # X 0, O 4; X tries the 4 and loses the turn; O marks 3, X 1, O 5
    assert payoffs(ABRUPT, after(ABRUPT, 0, 4, 4, 3, 1, 5)) == (-1, 1)


def test_forced_centre_starts_with_both_trying_the_centre():
    assert legal(FORCED, after(FORCED)) == [4]
    assert legal(FORCED, after(FORCED, 4)) == [4]
    state = after(FORCED, 4, 4)
    assert FORCED.player(state) == 1
    assert legal(FORCED, state) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert legal(FORCED, after(FORCED, 4, 4, 0)) == [0, 1, 2, 3, 5, 6, 7, 8]


def test_winning_first_leaves_only_the_completing_cell():
    assert legal(WINNING, after(WINNING, 0, 4, 1, 8)) == [2]
    assert legal(CLASSICAL, after(CLASSICAL, 0, 4, 1, 8)) == [2, 3, 4, 5, 6, 7, 8]
    assert legal(FORCED_WINNING, after(FORCED_WINNING, 4, 4, 1, 0, 3)) == [8]


def test_winning_first_looks_at_own_marks_alone():
    # the completing 2 is taken by O, but X has not found that out; once tried it is no longer forced
    assert legal(WINNING, after(WINNING, 0, 2, 1, 8)) == [2]
    assert legal(WINNING, after(WINNING, 0, 2, 1, 8, 2)) == [3, 4, 5, 6, 7, 8]


def test_winning_first_tries_completing_cells_in_the_order_centre_corners_edges():
    # the order is 4 0 8 6 2 1 3 7 5: X on 0 1 3 would complete with 2 or 6, and must try the 6
    assert legal(WINNING, after(WINNING, 3, 4, 1, 8, 0, 0, 5)) == [6]
    # X on 0 2 6 has found the 1 taken and would complete with 3 or 4: the 4, when blocked the 3, and then what is left
    moves = (0, 1, 2, 3, 1, 6, 4)
    assert legal(WINNING, after(WINNING, *moves)) == [4]
    assert legal(WINNING, after(WINNING, *moves, 4)) == [3]
    assert legal(WINNING, after(WINNING, *moves, 4, 3)) == [5, 7, 8]


# --- seeing ---


def test_nobody_sees_where_the_other_marked():
    assert indistinct(CLASSICAL, 1, (0,), (8,))
    assert indistinct(CLASSICAL, 0, (0, 4), (0, 8))


def test_nobody_learns_of_the_others_blocked_tries():
    # O marked 8 at once, or was blocked once or twice before: X cannot tell, though the histories differ in length
    assert indistinct(CLASSICAL, 0, (0, 8), (0, 0, 8))
    assert indistinct(CLASSICAL, 0, (0, 8, 4, 1), (0, 0, 8, 4, 4, 1))
    assert not indistinct(CLASSICAL, 1, (0, 8), (0, 0, 8))


def test_a_player_knows_which_own_tries_were_blocked_and_their_order():
    # O tried 4 then 0: blocked by the one or by the other
    assert not indistinct(CLASSICAL, 1, (4, 4, 0), (0, 4, 1, 0))
    # O marked 3 then 5, or 5 then 3: the same marks, another memory
    assert not indistinct(CLASSICAL, 1, (0, 3, 1, 5), (0, 5, 1, 3))


def test_a_try_tells_whether_the_cell_was_taken():
    assert not indistinct(CLASSICAL, 1, (4, 4), (0, 4))
    assert not indistinct(ABRUPT, 1, (4, 4), (0, 4))


def test_a_player_is_shown_own_marks_and_found_ones_only():
    state = after(CLASSICAL, 4, 4, 0, 2)  # X on 4 and 2; O on 0 has found the 4
    assert CLASSICAL.show(state, REFEREE) == "O 1 X\n3 X 5\n6 7 8"
    assert CLASSICAL.show(state, 0) == "0 1 X\n3 X 5\n6 7 8"
    assert CLASSICAL.show(state, 1) == "O 1 2\n3 X 5\n6 7 8"


def test_a_cell_is_typed_by_its_number_and_only_untried_ones_are_taken():
    state = after(CLASSICAL, "4", "4")
    assert read(CLASSICAL, state, "0") == 0
    with pytest.raises(fogtree.Illegal, match="'4' is not a legal action here: choose from 0, 1, 2, 3, 5, 6, 7, 8"):
        read(CLASSICAL, state, "4")


def test_after_the_end_nothing_is_legal():
    state = after(CLASSICAL, 0, 3, 1, 4, 2)
    assert CLASSICAL.player(state) == OVER and legal(CLASSICAL, state) == []


# --- symmetries ---


BOARDS = [  # written out by hand: where each cell goes
    (2, 5, 8, 1, 4, 7, 0, 3, 6),  # a quarter turn to the right
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),  # mirrored, left and right exchanged
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
]


@pytest.mark.parametrize("game", [CLASSICAL, ABRUPT, FORCED])
def test_an_image_is_the_same_decision_on_the_board_laid_on_itself(game):
    for seed in range(20):
        moves, state = [], after(game)
        random = np.random.default_rng(seed)
        while game.player(state) != OVER:
            me, chosen = int(game.player(state)), int(random.choice(legal(game, state)))
            found = images(game, me, int(game.view(state, me)), chosen)
            assert len(found) == 7
            for cells, image in zip(BOARDS, found, strict=True):
                other = after(game, *(cells[move] for move in moves))
                assert image == (game.view(other, me), cells[chosen]) and cells[chosen] in legal(game, other)
            moves.append(chosen)
            game.step(state, chosen)


# --- naming ---


@pytest.mark.parametrize(
    "text, game",
    [
        ("phantom-ttt", CLASSICAL),
        ("phantom-ttt:rules=forced-centre", FORCED),
        ("phantom-ttt:rules=abrupt", ABRUPT),
        ("phantom-ttt:winning_first=true", WINNING),
        ("phantom-ttt:rules=forced-centre,winning_first=true", FORCED_WINNING),
    ],
)
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


def test_winning_first_may_be_written_with_a_hyphen():
    assert fogtree.load("phantom-ttt:winning-first=yes") == WINNING


def test_unknown_rules_are_refused_with_the_valid_ones():
    with pytest.raises(Invalid, match="rules must be classical or forced-centre or abrupt, not 'quiet'"):
        PhantomTicTacToe("quiet")
    with pytest.raises(Invalid, match="winning_first must be true or false, not 1"):
        PhantomTicTacToe(winning_first=1)
