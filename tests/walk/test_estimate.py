"""Estimates of the size of a game, against counts."""

import pytest

import fogtree
from fogtree import Broken
from fogtree.measure.count import count
from fogtree.walk import estimate
from fogtree.walk.estimate import estimated_histories
from fogtree.walk.slices import Progress

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


def test_an_enumeration_is_given_up_when_a_game_turns_out_to_be_huge(monkeypatch):
    asked, told = [], []
    monkeypatch.setattr(estimate, "MANY", 100)
    monkeypatch.setattr(estimate, "HUGE", 1000)
    for size, most, given_up in ((2000, 5000, True), (1000, 5000, False), (5000, 5000, False), (900, 5000, False)):
        monkeypatch.setattr(estimate, "estimated_histories", lambda game, size=size: asked.append(game) or size)
        look = estimate.unless_huge("game", told.append, most)
        look(Progress("histories", 100))
        assert asked == []  # small games are never asked
        if given_up:
            with pytest.raises(estimate.Huge):
                look(Progress("histories", 101))
        else:
            look(Progress("histories", 101))
        look(Progress("histories", 102))
        assert asked == ["game"]  # once is enough
        asked.clear()
    assert [now.done for now in told] == 4 * [100, 101, 102]
