"""The walk breadth first, in lanes: it meets what the walk in one piece meets, however its layers are cut into batches."""

import numpy as np
import pytest

from fogtree import Goofspiel, Kuhn, Leduc, count, load
from fogtree.walk import layers, tallying
from fogtree.walk.tallying import Tallying, count_layers
from fogtree.walk.views import FULL_UP, KNOWN, NEW, Distinct, new_views


def in_layers(game, limit=None, **how):
    found = count_layers(game, game.shape().moves if limit is None else limit, "cpu", **how)
    return found.by_depth.tolist(), found.infosets


def in_one_piece(game, limit=None):
    found = count(game, limit)
    rows = np.zeros((game.shape().moves + 1, 3), np.int64)
    rows[: len(found.by_depth)] = found.by_depth
    return rows.tolist(), found.infosets


@pytest.mark.parametrize("room", [1, 1 << 14, 1 << 26])
def test_how_layers_are_cut_does_not_change_the_counts(room, monkeypatch):
    monkeypatch.setattr(layers, "PARTS", 8)  # few, so that they are soon full
    monkeypatch.setattr(layers, "FULLER", 1.0)  # batches grow until they do not fit
    monkeypatch.setattr(tallying, "FEW_BYTES", room)
    for game in (Kuhn(), Goofspiel(cards=4)):
        assert in_layers(game) == in_one_piece(game)
        assert in_layers(game, 3) == in_one_piece(game, 3)
        assert in_layers(game, 0) == in_one_piece(game, 0)


def test_a_layer_that_is_too_narrow_is_walked_again_in_shorter_batches(monkeypatch):
    monkeypatch.setattr(layers, "PARTS", 8)
    monkeypatch.setattr(layers, "FULLER", 1.0)  # batches grow until they do not fit
    ran, batches, game = [], [], Goofspiel(cards=4)
    real = layers.on

    def watched(*given, **how):
        lanes = real(*given, **how)
        run = lanes.run
        lanes.run = lambda *rows: (ran.append(rows), run(*rows))
        return lanes

    monkeypatch.setattr(layers, "on", watched)
    visitor = Tallying(new_views(2, 1 << 12, "cpu"), 2, np.zeros(tallying.ROWS * (tallying.DECIDES + 2), np.int64))
    layers.walk_layers(game, visitor, 8, "cpu", lambda depth, _: batches.append(depth), memory=1)
    assert len(ran) > len(batches) > 8  # some batches did not fit, and the layers had to be cut


def test_leduc_on_two_cores_has_its_published_counts():
    # OpenSpiel's api_test: 157 chance, 3,780 decision, 5,520 terminal nodes, 936 information sets
    by_depth, infosets = in_layers(Leduc(), cores=2)
    assert (np.sum(by_depth, axis=0).tolist(), sum(infosets)) == ([5520, 157, 3780], 936)


def test_where_nothing_is_hidden_no_set_is_kept(monkeypatch):
    monkeypatch.setattr(tallying, "new_views", None)
    game = load("tic-tac-toe")
    assert game.shape().open and in_layers(game, 5) == in_one_piece(game, 5)


def test_a_full_set_is_made_again_with_more_room(monkeypatch):
    sizes = []

    def small(players, capacity, device):
        sizes.append(capacity)
        return new_views(players, capacity, device)

    monkeypatch.setattr(tallying, "new_views", small)
    monkeypatch.setattr(tallying, "FEW_VIEWS", 64)  # Leduc has 468 information sets a player
    assert in_layers(Leduc()) == in_one_piece(Leduc())
    assert len(sizes) > 1


def test_views_are_new_once_and_the_view_0_has_a_place(interpreted):
    views = new_views(2, 64, "cpu")
    assert [views.add(view, player) for view, player in ((0, 0), (0, 1), (0, 0), (5, 0), (5, 0), (5, 1))] == [
        NEW,
        NEW,
        KNOWN,
        NEW,
        KNOWN,
        NEW,
    ]
    assert views.sizes(None).tolist() == [2, 2]
    assert [views.add(view, 1) for view in range(100, 170)].count(FULL_UP) == 70 - 63


def test_the_view_that_was_met_last_is_not_looked_up_again(interpreted):
    views, note = new_views(2, 64, "cpu"), np.zeros(3, np.int64)
    assert [views.met(view, 0, note, 2) for view in (0, 7, 7, 8, 7)] == [NEW, NEW, KNOWN, NEW, KNOWN]
    views.slot[:] = 0
    assert [views.met(view, 0, note, 2) for view in (7, 0, 8)] == [KNOWN, NEW, NEW]
    assert Distinct().met(7, 0, note, 2) == NEW
