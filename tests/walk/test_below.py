"""Counting in lanes: equal to the walk in one piece, wherever the lanes begin, and when the set of views must grow."""

import pytest

from fogtree import Goofspiel, Kuhn, Leduc, count
from fogtree.walk import below
from fogtree.walk.views import FULL_UP, KNOWN, NEW, new_views


def in_lanes(game, limit=None, **how):
    found = below.count_below(game, game.shape().moves if limit is None else limit, "cpu", **how)
    return found.by_depth.sum(axis=0).tolist(), found.infosets


def in_one_piece(game, limit=None):
    found = count(game, limit)
    return found.by_depth.sum(axis=0).tolist(), found.infosets


@pytest.mark.parametrize("prefixes", [1, 2, 50, 10**6])
def test_where_lanes_begin_does_not_change_the_counts(prefixes, monkeypatch):
    monkeypatch.setattr(below, "FEW", prefixes)
    monkeypatch.setattr(below, "new_views", lambda players, _: new_views(players, 1 << 12))
    for game in (Kuhn(), Goofspiel(cards=3)):
        assert in_lanes(game) == in_one_piece(game)
        assert in_lanes(game, 3) == in_one_piece(game, 3)
        assert in_lanes(game, 0) == in_one_piece(game, 0)


def test_leduc_on_two_cores_has_its_published_counts():
    # OpenSpiel's api_test: 157 chance, 3,780 decision, 5,520 terminal nodes, 936 information sets
    by_kind, infosets = in_lanes(Leduc(), cores=2)
    assert (by_kind, sum(infosets)) == ([5520, 157, 3780], 936)


def test_a_full_set_is_made_again_with_more_room(monkeypatch):
    sizes = []

    def small(players, capacity):
        sizes.append(capacity)
        return new_views(players, capacity)

    monkeypatch.setattr(below, "new_views", small)
    monkeypatch.setattr(below, "FEW", 64)  # Leduc has 468 information sets a player
    assert in_lanes(Leduc()) == in_one_piece(Leduc())
    assert len(sizes) > 1


def test_views_are_new_once_and_the_view_0_has_a_place(interpreted):
    views = new_views(2, 64)
    assert [views.add(view, player) for view, player in ((0, 0), (0, 1), (0, 0), (5, 0), (5, 0), (5, 1))] == [
        NEW,
        NEW,
        KNOWN,
        NEW,
        KNOWN,
        NEW,
    ]
    assert [views.add(view, 1) for view in range(100, 170)].count(FULL_UP) == 70 - 63
