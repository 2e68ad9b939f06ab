"""Estimates of the size of a game, against counts."""

import pytest

import fogtree
from fogtree import Broken
from fogtree.measure.count import count
from fogtree.walk.estimate import estimated_histories

pytestmark = pytest.mark.usefixtures("interpreted", "unchecked")


def test_it_is_exact_where_all_games_branch_alike():
    assert estimated_histories(fogtree.load("goofspiel:cards=3")) == count("goofspiel:cards=3").histories


def test_it_is_near_where_they_do_not(monkeypatch):
    found = estimated_histories(fogtree.load("kuhn"), seed=3)
    assert found == pytest.approx(count("kuhn").histories, rel=0.05)
    assert (
        found == estimated_histories(fogtree.load("kuhn"), seed=3) != estimated_histories(fogtree.load("kuhn"), seed=4)
    )


def test_a_game_without_an_end_is_refused():
    class Endless(type(fogtree.load("kuhn"))):
        def player(self, state):
            return 0

        def actions(self, state, out):
            out[0] = 0
            return 1

        def step(self, state, action):
            pass

    with pytest.raises(Broken, match="goes on after 5 moves"):
        estimated_histories(Endless())
