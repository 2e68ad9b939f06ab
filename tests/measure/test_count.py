"""Counting a game: against a plain recursion, by depth, and in slices of any size."""

import numpy as np
import pytest

from fogtree import CHANCE, OVER, Goofspiel, Kuhn, Leduc, TicTacToe, count
from fogtree.game import legal, new_state
from fogtree.measure.count import CHANCES, DECISIONS, ENDS, Counter
from fogtree.walk import table as tables
from fogtree.walk.slices import Progress
from fogtree.walk.whole import new_walk, walk_slice

GAMES = [Kuhn(), Kuhn(cards=5), Goofspiel(cards=3), Goofspiel(cards=3, prizes="shuffled", hidden=False)]


def by_recursion(game, limit):
    """Terminals, chance nodes and decisions by depth, and each player's views, in plain Python."""
    tally, views = [[0, 0, 0] for _ in range(limit + 1)], [set() for _ in range(game.shape().players)]

    def visit(state, depth):
        player = game.player(state)
        tally[depth][ENDS if player == OVER else CHANCES if player == CHANCE else DECISIONS] += 1
        if player >= 0:
            views[player].add(int(game.view(state, player)))
        if depth < limit:
            for action in legal(game, state):
                child = state.copy()
                game.step(child, action)
                visit(child, depth + 1)

    visit(new_state(game), 0)
    return tally, tuple(len(seen) for seen in views)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_counts_are_those_of_a_plain_recursion(game):
    found = count(game)
    tally, infosets = by_recursion(game, game.shape().moves)
    assert found.by_depth.tolist() == tally
    assert found.infosets == infosets
    assert found.histories == np.sum(tally)
    assert (found.ends, found.chance) == tuple(np.sum(tally, axis=0)[:2])


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5, 100])
def test_a_depth_limits_the_walk(depth):
    game = Goofspiel(cards=3, prizes="shuffled")
    limit = min(depth, game.shape().moves)
    found = count(game, depth)
    tally, infosets = by_recursion(game, limit)
    assert found.by_depth.tolist() == tally and len(tally) == limit + 1
    assert found.infosets == infosets
    assert found.histories == found.by_depth.sum()


def test_the_rows_of_a_limited_walk_are_those_of_the_whole():
    whole = count(TicTacToe())
    assert whole.ends == 255_168 and whole.histories == 549_946  # the classical figures
    assert whole.by_depth.sum() == whole.histories
    # positions after n moves, as sequences: 9!/(9-n)! as long as nobody can have won
    assert whole.by_depth[:6, DECISIONS].tolist() == [1, 9, 72, 504, 3024, 15120 - 1440]
    assert count(TicTacToe(), 4).by_depth.tolist() == whole.by_depth[:5].tolist()


@pytest.mark.parametrize("steps", [1, 2, 7, 1000])
def test_slices_of_any_size_give_the_same_totals(steps):
    game = Leduc() if steps == 1000 else Kuhn()
    expected = count(game)
    shape, walk = game.shape(), new_walk(game)
    infosets, tally = np.zeros(shape.players, np.int64), np.zeros((shape.moves + 1, 3), np.int64)
    counter, slices = Counter(tables.empty(4), shape.moves, infosets, tally), 0
    while walk.depth[0] >= 0:
        if not counter.room():
            counter = counter._replace(table=counter.table.grown())
        entered = walk_slice(game, counter, walk, steps)
        assert 0 < entered <= steps
        assert tally.sum() <= expected.histories
        slices += 1
    assert slices >= expected.histories / steps
    assert tally.tolist() == expected.by_depth.tolist()
    assert tuple(infosets) == expected.infosets
    assert walk_slice(game, counter, walk, steps) == 0  # done is done


def test_interpreted_equals_compiled():
    game, results = Kuhn(), []
    for run in (walk_slice, walk_slice.interpreted):
        shape, walk = game.shape(), new_walk(game)
        infosets, tally = np.zeros(shape.players, np.int64), np.zeros((shape.moves + 1, 3), np.int64)
        entered = run(game, Counter(tables.empty(), shape.moves, infosets, tally), walk, 1000)
        results.append((entered, infosets.tolist(), tally.tolist()))
    assert results[0] == results[1]
    assert results[0][:2] == (58, [6, 6])


def test_progress_is_told_to_the_end():
    told: list[Progress] = []
    found = count(Leduc(), progress=told.append)
    assert told == sorted(told) and told[-1] == Progress("histories", found.histories)
    assert len(told) > 1  # the table had to grow
    assert found.seconds > 0


def test_two_counts_at_once_do_not_mix():
    first = count(Goofspiel(cards=3))
    inside = []
    count(Kuhn(), progress=lambda done: inside.append(count(Goofspiel(cards=3))))
    assert [found.by_depth.tolist() for found in inside] == len(inside) * [first.by_depth.tolist()]
