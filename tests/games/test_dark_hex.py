"""Dark Hex. A cell is numbered by rows; on the 3 x 3 board 2 4 6 and 0 3 6 are chains, 0 4 8 is none."""

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs, standard_error

import fogtree
from fogtree import OVER, REFEREE, DarkHex, Invalid
from fogtree.game import images, legal, read

THREE = DarkHex()
ABRUPT = DarkHex(abrupt=True)
TWO = DarkHex(side=2)


# --- counts ---


def test_the_2x2_board_counts_as_worked_out_by_hand():
    # 4 cells, 4 tries against each; of the 16 lines 4 were blocked and go on with 3 cells, 12 pass the turn to x with 3
    count = fogtree.count(TWO)
    assert count.by_depth.sum(axis=1)[:4].tolist() == [1, 4, 16, 4 * 3 + 12 * 3]
    # x decides with nothing known; with one of 4 first stones; and when blocked in one of the 3 other cells
    assert count.infosets[0] == 1 + 4 + 4 * 3


@pytest.mark.slow
def test_the_3x3_board_has_the_published_counts():
    # 3,720,850 and 2,352,067 information sets in the README of the solver exp-a-spiel
    count = fogtree.count(THREE)
    assert count.ends == 9_469_697_760
    assert count.infosets == (3_720_850, 2_352_067)
    assert sum(count.infosets) == 6_072_917


# --- the equal game with fewer actions ---


def test_a_try_that_would_win_comes_first_and_is_then_the_only_one():
    # x has 0 and 3 and would join top and bottom by 6; without that stone nothing is forced
    game = THREE.reduced()
    assert legal(game, after(game, 0, 1, 3, 4)) == [6]
    assert legal(THREE, after(THREE, 0, 1, 3, 4)) == [1, 2, 4, 5, 6, 7, 8]
    assert legal(game, after(game, 0, 1)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert ABRUPT.reduced() is ABRUPT  # a failed try would lose the turn


def test_the_smaller_game_has_the_same_value_and_its_strategy_is_as_good_in_the_larger(interpreted):
    small, large = (fogtree.solve(fogtree.sequence_form(game), "lp") for game in (TWO.reduced(), TWO))
    assert small.value == pytest.approx(large.value, abs=1e-9)
    solution = fogtree.solve(TWO, "pdcfr+", iterations=200)
    assert "on DarkHexWinningFirst(side=2, abrupt=False)" in solution.method
    found = fogtree.exploitability(TWO, solution.strategy)
    assert found.values == pytest.approx((solution.high, -solution.low), abs=1e-9)


@pytest.mark.slow
def test_the_3x3_board_is_won_by_the_first_player():
    # the bounds are values of best responses, so they prove it up to 0.01 whatever the method did
    solution = fogtree.solve(THREE, target=0.01)
    assert solution.low >= 0.99 and solution.high <= 1


# --- random play ---


def test_random_play_on_3x3_is_worth_a_third_to_x():
    # Whatever was tried, the next stone falls on each empty cell alike, as if the board were filled at random with 5
    # stones of x and 4 of o: x joins top and bottom in 84 of the 126 fillings.
    games = 1_000_000
    played = fogtree.playouts(THREE, games, seed=1)
    assert abs(played.payoff[0] - 1 / 3) < 4 * standard_error(1 / 3, 1, games)


def test_random_play_on_2x2_is_even():
    # by the same argument: x joins top and bottom with 3 of the 6 pairs of cells, 0 2, 1 2 and 1 3
    assert expectation(TWO) == pytest.approx(0, abs=1e-12)


# --- playing ---


def test_a_classical_game_by_hand():
    state = after(THREE, 4)
    assert THREE.player(state) == 1 and legal(THREE, state) == list(range(9))
    state = after(THREE, 4, 4)  # o is blocked and tries again
    assert THREE.player(state) == 1 and legal(THREE, state) == [0, 1, 2, 3, 5, 6, 7, 8]
    state = after(THREE, 4, 4, 3, 1)  # o 3, x 1
    assert THREE.player(state) == 1
    assert payoffs(THREE, after(THREE, 4, 4, 3, 1, 0, 7)) == (1, -1)  # x has 1 4 7, from top to bottom


def test_o_joins_left_and_right():
    assert payoffs(THREE, after(THREE, 0, 3, 1, 4, 8, 5)) == (-1, 1)
    assert payoffs(THREE, after(THREE, 0, 6, 1, 4, 8, 2)) == (-1, 1)


def test_x_does_not_win_by_left_and_right_nor_o_by_top_and_bottom():
    assert THREE.player(after(THREE, 3, 0, 4, 1, 5)) == 1
    assert THREE.player(after(THREE, 0, 1, 2, 4, 3, 7)) == 0


def test_cells_touch_down_to_the_left_but_not_down_to_the_right():
    assert payoffs(THREE, after(THREE, 2, 0, 4, 1, 6)) == (1, -1)
    assert THREE.player(after(THREE, 0, 1, 4, 2, 8)) == 1


def test_a_chain_does_not_run_off_one_side_and_on_at_the_other():
    # 2 and 3 are neighbours in number but not on the board, and so are 5 and 6
    assert THREE.player(after(THREE, 2, 0, 3, 1, 6)) == 1
    assert THREE.player(after(THREE, 2, 0, 5, 1, 6)) == 1
    assert THREE.player(after(THREE, 0, 3, 1, 2, 7, 8)) == 0


def test_a_chain_may_wind_back_up():
    # . . . . . x     the chain comes down on the right, and needs the step up from 21 to 15 to get to the bottom
    #  . . x x . x
    #   . x . x . x
    #    . x . x x .
    #     . x . . . .
    #      . x . . . .
    game = DarkHex(side=6)
    stones = (5, 11, 17, 22, 21, 9, 8, 13, 19, 25, 31)
    others = (0, 1, 2, 3, 4, 6, 7, 10, 12, 14, 16)
    moves = [cell for pair in zip(stones, others, strict=True) for cell in pair]
    assert game.player(after(game, *moves)) == 0
    assert payoffs(game, after(game, *moves, 15)) == (1, -1)


def test_a_blocked_try_loses_the_turn_in_the_abrupt_game():
    assert ABRUPT.player(after(ABRUPT, 4, 4)) == 0
    # o tries x's last cell each time and never gets a stone
    assert payoffs(ABRUPT, after(ABRUPT, 1, 1, 4, 4, 7)) == (1, -1)


# --- seeing ---


def test_nobody_sees_the_others_stones_or_blocked_tries():
    for game in (THREE, ABRUPT):
        assert indistinct(game, 1, (0,), (8,))
        assert indistinct(game, 0, (0, 4), (0, 8))
    assert indistinct(THREE, 0, (0, 8), (0, 0, 8))
    assert not indistinct(THREE, 1, (0, 8), (0, 0, 8))


def test_a_try_tells_whether_the_cell_was_taken_and_its_order_is_remembered():
    assert not indistinct(THREE, 1, (4, 4), (0, 4))
    assert not indistinct(THREE, 1, (0, 3, 1, 5), (0, 5, 1, 3))


def test_a_player_is_shown_own_stones_and_found_ones_only():
    state = after(THREE, 4, 4, 0, 2)  # x on 4 and 2; o on 0 has found the 4
    assert THREE.show(state, REFEREE) == " o  1  x\n   3  x  5\n     6  7  8"
    assert THREE.show(state, 0) == " 0  1  x\n   3  x  5\n     6  7  8"
    assert THREE.show(state, 1) == " o  1  2\n   3  x  5\n     6  7  8"


# --- typing and naming ---


def test_a_cell_is_typed_by_its_number_and_only_untried_ones_are_taken():
    state = after(TWO, "1", "1")
    assert read(TWO, state, "3") == 3
    with pytest.raises(fogtree.Illegal, match="'1' is not a legal action here: choose from 0, 2, 3"):
        read(TWO, state, "1")


@pytest.mark.parametrize(
    "text, game", [("dark-hex", THREE), ("dark-hex:abrupt=true", ABRUPT), ("dark-hex:side=2", TWO)]
)
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


@pytest.mark.parametrize("side", [1, 8, "large", 3.0, True])
def test_a_wrong_side_is_refused_with_the_valid_ones(side):
    with pytest.raises(Invalid, match=r"DarkHex: side must be a whole number from 2 to 7, not "):
        DarkHex(side)


# --- symmetries ---


@pytest.mark.parametrize("game", [TWO, THREE, ABRUPT])
def test_an_image_is_the_same_decision_on_the_board_laid_on_itself(game):
    cells = list(range(game.side**2))[::-1]  # half a turn
    for seed in range(20):
        moves, state = [], after(game)
        random = np.random.default_rng(seed)
        while game.player(state) != OVER:
            me, chosen = int(game.player(state)), int(random.choice(legal(game, state)))
            (image,) = images(game, me, int(game.view(state, me)), chosen)
            other = after(game, *(cells[move] for move in moves))
            assert image == (game.view(other, me), cells[chosen]) and cells[chosen] in legal(game, other)
            moves.append(chosen)
            game.step(state, chosen)


def test_a_view_that_is_a_hash_has_no_images():
    game = DarkHex(side=7)
    state = after(game, *range(30))
    assert game.view(state, 0) < 0 and images(game, 0, int(game.view(state, 0)), 40) == []
