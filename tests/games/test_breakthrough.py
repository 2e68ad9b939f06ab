"""Breakthrough: courses counted by rules written anew, values of small boards, and OpenSpiel in lock-step."""

import functools
import random

import numpy as np
import pytest
from playing import after, payoffs

import fogtree
from fogtree import OVER, REFEREE, Illegal, Invalid
from fogtree.game import label, legal, new_state, read
from fogtree.games.breakthrough import MEN, TURN, Breakthrough

GAME = Breakthrough()
SMALL = [(3, 2, 1), (3, 3, 1), (4, 3, 1), (4, 2, 1), (5, 2, 1)]


# --- counts and values, a second way ---


def moves_of(own, foe, columns):
    """The steps of the player who moves upwards, as (from, to); cells are (row, column)."""
    for row, column in sorted(own):
        for side in (-1, 0, 1):
            to = (row + 1, column + side)
            if 0 <= to[1] < columns and to not in own and (side or to not in foe):
                yield (row, column), to


def turned(men, rows):
    """The same men as seen from the other end, columns kept."""
    return frozenset((rows - 1 - row, column) for row, column in men)


def recounted(rows, columns, men, depth):
    """How many courses of so many moves there are, and whether the mover wins; the game is won by the last move."""

    @functools.cache
    def below(own, foe, left):
        if left == 0:
            return 1
        total = 0
        for start, to in moves_of(own, foe, columns):
            mine, theirs = own - {start} | {to}, foe - {to}
            if to[0] == rows - 1 or not theirs:
                total += left == 1
            else:
                total += below(turned(theirs, rows), turned(mine, rows), left - 1)
        return total

    @functools.cache
    def wins(own, foe):
        for start, to in moves_of(own, foe, columns):
            mine, theirs = own - {start} | {to}, foe - {to}
            if to[0] == rows - 1 or not theirs or not wins(turned(theirs, rows), turned(mine, rows)):
                return True
        return False

    home = frozenset((row, column) for row in range(men) for column in range(columns))
    far = turned(home, rows)
    return [below(home, far, n) for n in range(depth + 1)], lambda: wins(home, far)


@pytest.mark.parametrize("rows, columns, men", [*SMALL, (5, 3, 2), (6, 6, 2)])
def test_courses_are_counted_a_second_way(rows, columns, men):
    found = fogtree.count(Breakthrough(rows, columns, men), 4).by_depth.sum(axis=1).tolist()
    assert found == recounted(rows, columns, men, 4)[0][: len(found)]


def test_the_first_moves_of_the_usual_board_are_22():
    # 8 straight steps and 14 slanting ones; 22 answers to each
    assert fogtree.count(GAME, 2).by_depth.sum(axis=1).tolist() == [1, 22, 484]


def solved(game):
    """Whether the first player wins, by plain recursion over positions."""
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

    with np.errstate(over="ignore"):
        return value(new_state(game)) == 1


@pytest.mark.parametrize("rows, columns, men", SMALL)
def test_the_value_of_a_small_board_is_found_a_second_way(rows, columns, men):
    assert solved(Breakthrough(rows, columns, men)) == recounted(rows, columns, men, 0)[1]()


# --- OpenSpiel ---


@pytest.mark.parametrize("rows, columns, men", [(8, 8, 2), (6, 5, 2), (5, 4, 1), (4, 3, 1)])
def test_random_games_agree_with_openspiel(rows, columns, men):
    # their player 0 begins at the top, so ranks are turned round; a star marks captures
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})")
    ours, dice = Breakthrough(rows, columns, men), random.Random(1)

    def turned_label(text):
        text = text.replace("*", "")
        return f"{text[0]}{rows + 1 - int(text[1])}{text[2]}{rows + 1 - int(text[3])}"

    for _ in range(10):
        state, judge = new_state(ours), theirs.new_initial_state()
        while not judge.is_terminal():
            assert ours.player(state) == judge.current_player()
            named = {turned_label(judge.action_to_string(action)): action for action in judge.legal_actions()}
            actions = {label(ours, state, action).replace("x", ""): action for action in legal(ours, state)}
            assert named.keys() == actions.keys()
            move = dice.choice(sorted(named))
            judge.apply_action(named[move])
            with np.errstate(over="ignore"):
                ours.step(state, actions[move])
        assert payoffs(ours, state) == tuple(judge.returns())


# --- playing ---


def test_a_man_goes_ahead_but_takes_only_slanting():
    game = Breakthrough(rows=4, columns=3, men=1)
    state = after(game, "b1b2", "a4a3", "c1c2")
    assert {label(game, state, a) for a in legal(game, state)} == {
        "a3a2",
        "a3xb2",
        "b4a3",
        "b4b3",
        "b4c3",
        "c4b3",
        "c4c3",
    } - {"b4a3"}
    state = after(game, "b1b2", "b4b3")
    assert "b2b3" not in {label(game, state, a) for a in legal(game, state)}


def test_the_far_end_wins_and_so_does_the_last_capture():
    game = Breakthrough(rows=3, columns=2, men=1)
    assert payoffs(game, after(game, "a1a2", "b3xa2", "b1xa2", "a3b2", "a2a3")) == (1, -1)
    assert payoffs(game, after(game, "a1a2", "a3b2", "a2xb3")) == (1, -1)
    assert payoffs(game, after(game, "a1b2", "a3xb2", "b1a2", "b3xa2")) == (-1, 1)


def test_captures_and_steps_to_the_far_end_are_noisy():
    game = Breakthrough(rows=4, columns=3, men=1)
    out = np.zeros(game.shape().actions, np.int64)
    assert game.noisy(after(game), out) == 0
    state = after(game, "b1b2", "c4c3")
    assert [label(game, state, a) for a in out[: game.noisy(state, out)].tolist()] == ["b2xc3"]
    state = after(game, "b1b2", "a4a3", "b2xa3", "c4c3")
    assert [label(game, state, a) for a in out[: game.noisy(state, out)].tolist()] == ["a3a4", "a3xb4"]


def test_the_order_of_moves_is_seen_but_makes_no_other_position():
    one, other = after(GAME, "a2a3", "h7h6", "b2b3"), after(GAME, "b2b3", "h7h6", "a2a3")
    assert GAME.position(one) == GAME.position(other)
    assert GAME.view(one, 0) == GAME.view(one, 1) != GAME.view(other, 0)
    other = one.copy()
    other[TURN] = 1 - one[TURN]
    assert GAME.position(one) != GAME.position(other)  # the same men, but the other player moves


def test_the_whole_usual_board_is_used():
    state = new_state(GAME)
    assert int(np.uint64(state[MEN + 1])) == 0xFFFF << 48
    assert GAME.show(state, REFEREE).splitlines()[0] == " 8 o o o o o o o o"
    assert GAME.show(state, REFEREE).splitlines()[8] == "   a b c d e f g h"


def test_a_step_is_typed_by_its_cells():
    state = after(GAME, "a2a3", "b7b6")
    assert read(GAME, state, "A3-B4") == read(GAME, state, "a3b4")
    with pytest.raises(Illegal, match="'a3a5' is not a legal action here: choose from a1a2, b1a2"):
        read(GAME, state, "a3a5")


@pytest.mark.parametrize(
    "parameters, reason",
    [
        ({"rows": 9}, "a board of 9 x 8 does not fit: rows x columns is at most 64"),
        ({"rows": 4}, "4 rows leave no room between 2 rows of men at each end"),
        ({"columns": 1}, "columns must be a whole number from 2 to 21, not 1"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(parameters, reason):
    with pytest.raises(Invalid, match=reason):
        Breakthrough(**parameters)
