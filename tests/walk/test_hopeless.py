"""Work without hope is refused at once: the number of histories is estimated, and never too high for a game that is small."""

import time

import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.games.tree import spell_out
from fogtree.walk.estimate import HOPELESS, TooLarge, require_fewer, surely_more

# histories of the games that are solved whole, counted (fogtree count)
COUNTED = {"kuhn": 58, "leduc": 9_457, "tic-tac-toe": 549_946, "matrix": 13}


@pytest.mark.parametrize("name", ["chess", "dark-chess", "siguo", "go:side=9", "goofspiel:cards=13"])
def test_a_hopeless_game_is_known_within_a_second(name):
    game, began = ft.load(name), time.process_time()
    assert surely_more(game, HOPELESS)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(("name", "histories"), COUNTED.items())
def test_a_small_game_is_never_taken_for_larger_than_it_is(name, histories):
    assert not surely_more(ft.load(name), histories)


def test_solving_and_converting_chess_are_refused_at_once():
    began = time.process_time()
    for work in (ft.solve, ft.sequence_form):
        with pytest.raises(
            TooLarge, match=r"Chess has more than 1e\+13 histories, so it cannot be enumerated: search it"
        ):
            work("chess")
    with pytest.raises(Invalid, match=r"^\w+ has more than 1,000,000 histories, the limit: take a smaller game"):
        spell_out(ft.load("chess"))
    assert time.process_time() - began < 3.0


@pytest.mark.parametrize("name", ["chess", "holdem", "phantom-go", "connect-four"])
def test_to_count_a_hopeless_game_is_refused_at_once_unless_a_depth_is_given(name):
    began = time.process_time()
    with pytest.raises(TooLarge, match=r"has more than 1e\+13 histories, too many to count: give a depth, such as 4$"):
        ft.count(name)
    assert time.process_time() - began < 1.0
    assert ft.count(name, 1).histories > 1


def test_a_game_within_the_bound_is_let_through():
    require_fewer(ft.load("phantom-ttt"))  # 19.9 billion histories, which are streamed
