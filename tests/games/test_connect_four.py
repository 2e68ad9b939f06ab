"""Connect Four: published numbers of positions, courses counted by rules written anew, and values of small boards."""

import functools

import numpy as np
import pytest
from playing import after, payoffs

import fogtree
from fogtree import OVER, REFEREE, Invalid, kernel
from fogtree.game import legal
from fogtree.games.connect_four import ConnectFour

GAME = ConnectFour()


@kernel
def expand(game, state, count, child, key, action):
    """Write the children of some states and their keys; returns how many."""
    found = 0
    for i in range(count):
        if game.player(state[i]) == OVER:
            continue
        for a in range(game.actions(state[i], action)):
            for at in range(state.shape[1]):  # a whole row at once would be compiled twice, with reference counts
                child[found, at] = state[i, at]
            game.step(child[found], action[a])
            key[found] = game.position(child[found])
            found += 1
    return found


def positions(game, plies):
    """[ply] the numbers of different positions."""
    shape = game.shape()
    state = np.zeros((1, shape.words), np.int64)
    game.start(state[0])
    found = [1]
    for _ in range(plies):
        child = np.zeros((len(state) * shape.actions, shape.words), np.int64)
        key, action = np.zeros(len(child), np.int64), np.zeros(shape.actions, np.int64)
        made = expand(game, state, len(state), child, key, action)
        state = child[np.unique(key[:made], return_index=True)[1]]
        found.append(len(state))
    return found


# --- counts ---


def test_the_numbers_of_positions_by_ply_are_the_published_ones():
    # OEIS A212693
    assert positions(GAME, 8) == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_the_4x4_board_has_161029_positions():
    # J. Tromp's table of the numbers of legal positions by board
    assert sum(positions(ConnectFour(rows=4, columns=4), 16)) == 161_029


@pytest.mark.parametrize("rows, columns, line", [(3, 3, 3), (2, 5, 3), (3, 4, 4)])
def test_the_positions_of_a_small_board_are_counted_a_second_way(rows, columns, line):
    game = ConnectFour(rows, columns, line)
    assert sum(positions(game, rows * columns)) == len(recounted(rows, columns, line)[0])


def recounted(rows, columns, line):
    """By rules written anew: the set of positions, and the value of the first one to the first player."""

    def won(cells, player):
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(
            all((c + k * dc, r + k * dr) in cells and cells[c + k * dc, r + k * dr] == player for k in range(line))
            for c, r in cells
            for dc, dr in steps
        )

    met = set()

    @functools.cache
    def value(stacks):
        met.add(stacks)
        cells = {(c, r): disc for c, stack in enumerate(stacks) for r, disc in enumerate(stack)}
        mover = len(cells) % 2
        if won(cells, 1 - mover):
            return -1
        if len(cells) == rows * columns:
            return 0
        below = [
            value((*stacks[:c], (*stack, mover), *stacks[c + 1 :]))
            for c, stack in enumerate(stacks)
            if len(stack) < rows
        ]
        return max(-worth for worth in below)

    return met, value(((),) * columns)


def solved(game):
    """The value to the first player, by plain recursion over positions."""
    known = {}

    def value(state):
        if game.player(state) == OVER:
            return game.payoff(state, 0)
        key = int(game.position(state))
        if key not in known:
            below = []
            for action in legal(game, state):
                child = state.copy()
                game.step(child, action)
                below.append(value(child))
            known[key] = max(below) if game.player(state) == 0 else min(below)
        return known[key]

    return value(after(game))


@pytest.mark.parametrize("rows, columns, line", [(3, 3, 3), (4, 3, 3), (3, 4, 3), (2, 5, 3), (3, 4, 4), (2, 2, 2)])
def test_the_value_of_a_small_board_is_found_a_second_way(rows, columns, line):
    assert solved(ConnectFour(rows, columns, line)) == recounted(rows, columns, line)[1]


@pytest.mark.parametrize("rows, columns, depth", [(4, 4, 8), (3, 5, 7)])
def test_courses_are_counted_a_second_way(rows, columns, depth):
    def courses(heights, discs, left):
        if left == 0:
            return 1
        player, total = sum(heights) % 2, 0
        for column, height in enumerate(heights):
            if height < rows:
                now = {**discs, (column, height): player}
                if longest(now, column, height) >= 4:
                    total += left == 1
                else:
                    total += courses((*heights[:column], height + 1, *heights[column + 1 :]), now, left - 1)
        return total

    def longest(discs, column, height):
        runs = []
        for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1)):
            runs.append(1)
            for sign in (1, -1):
                k = sign
                while discs.get((column + k * dc, height + k * dr)) == discs[column, height]:
                    runs[-1], k = runs[-1] + 1, k + sign
        return max(runs)

    found = fogtree.count(ConnectFour(rows, columns), depth).by_depth.sum(axis=1).tolist()
    assert found == [courses((0,) * columns, {}, n) for n in range(depth + 1)]


def test_seven_discs_can_overfill_a_column_in_seven_ways():
    by_depth = fogtree.count(GAME, 7).by_depth.sum(axis=1).tolist()
    assert by_depth == [*(7**n for n in range(7)), 7**7 - 7]


# --- playing ---


@pytest.mark.parametrize(
    "moves, spare",
    [
        ((0, 1, 0, 1, 0, 1, 0), 4),  # upright
        ((0, 0, 1, 1, 2, 2, 3), 6),  # level
        ((0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3), 5),  # slanting up
        ((6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3), 1),  # slanting down
    ],
)
def test_four_in_a_row_win_in_each_direction_and_for_either_player(moves, spare):
    assert payoffs(GAME, after(GAME, *moves)) == (1, -1)
    assert GAME.player(after(GAME, *moves[:-1])) == 0
    assert payoffs(GAME, after(GAME, spare, *moves)) == (-1, 1)


def test_a_row_does_not_run_on_into_the_next_column():
    # x has the three topmost cells of column 0 and the lowest of column 1
    assert GAME.player(after(GAME, 0, 0, 1, 0, 0, 6, 0, 6, 0)) == 1


def test_a_full_column_takes_no_disc_and_a_full_board_is_a_draw():
    game = ConnectFour(rows=2, columns=2, line=2)
    assert legal(GAME, after(GAME, 0, 0, 0, 0, 0, 0)) == [1, 2, 3, 4, 5, 6]
    wide = ConnectFour(rows=2, columns=3, line=3)
    assert payoffs(wide, after(wide, 0, 1, 2, 0, 1, 2)) == (0, 0)
    assert payoffs(game, after(game, 0, 0, 1)) == (1, -1)


def test_wins_and_drops_that_stop_a_win_are_noisy():
    out = np.zeros(7, np.int64)
    state = after(GAME, 0, 6, 1, 6, 2)
    assert out[: GAME.noisy(state, out)].tolist() == [3]  # o must stop x there
    state = after(GAME, 0, 6, 1, 6, 2, 6)
    assert out[: GAME.noisy(state, out)].tolist() == [3, 6]  # x wins there, or stops o
    assert GAME.noisy(after(GAME), out) == 0


def test_the_order_of_moves_is_seen_but_makes_no_other_position():
    one, other = after(GAME, 0, 3, 6), after(GAME, 6, 3, 0)
    assert GAME.position(one) == GAME.position(other)
    assert GAME.view(one, 0) == GAME.view(one, 1) != GAME.view(other, 0)


def test_the_board_is_shown_with_the_numbers_of_the_columns():
    assert GAME.show(after(GAME, 3, 3, 0), REFEREE).splitlines()[-3:] == [
        ". . . o . . .",
        "x . . x . . .",
        "0 1 2 3 4 5 6",
    ]


@pytest.mark.parametrize(
    "parameters, reason",
    [
        ({"rows": 8, "columns": 8}, r"8 columns of 8 rows do not fit: \(rows \+ 1\) x columns is at most 63"),
        ({"rows": 3, "columns": 3}, "4 in a row do not fit on a board of 3 columns and 3 rows"),
        ({"rows": 1}, "rows must be a whole number from 2 to 8, not 1"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(parameters, reason):
    with pytest.raises(Invalid, match=reason):
        ConnectFour(**parameters)
