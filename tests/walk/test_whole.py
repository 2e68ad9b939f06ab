"""The walk over a whole tree, with a visitor that writes down what it sees."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import CHANCE, OVER, Broken
from fogtree.walk.slices import Progress, next_slice
from fogtree.walk.whole import Both, new_walk, walk_slice, walk_through
from plain import drawn

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

# a choice, then a coin on the left; three moves at most
GAME = drawn((0, 1, (CHANCE, [0.5, 0.5], 1.0, (1, 1, 2.0, 3.0)), 4.0))
NODES = [(0, 0), (1, OVER), (1, CHANCE), (2, 1), (3, OVER), (3, OVER), (2, OVER)]  # depth and player, last action first


class Diary(NamedTuple):
    """Notes the depth and the player of each history, while there is room."""

    depth: np.ndarray
    player: np.ndarray
    followed: np.ndarray  # [entries] the position of the action that led there
    used: np.ndarray  # [2] histories | the position about to be followed
    deepest: int

    def room(self):
        return self.used[0] < self.depth.shape[0]

    def enter(self, game, state, player, action, count, depth):
        k = self.used[0]
        self.depth[k], self.player[k], self.followed[k] = depth, player, self.used[1]
        self.used[0] = k + 1
        return count if depth < self.deepest else 0

    def descend(self, depth, position):
        self.used[1] = position

    def lines(self):
        return list(zip(self.depth[: self.used[0]].tolist(), self.player[: self.used[0]].tolist(), strict=True))


def diary(room, deepest=99):
    return Diary(*(np.zeros(room, np.int64) for _ in range(3)), np.zeros(2, np.int64), deepest)


def longer(full):
    """A diary with one more page, and how it came to that."""
    return full._replace(**{f: np.append(getattr(full, f), 0) for f in ("depth", "player", "followed")})


def test_every_history_is_entered_once_and_children_right_after_their_parents():
    seen, histories = walk_through(GAME, diary(10), longer)
    assert seen.lines() == NODES and histories == len(NODES)


def test_actions_are_followed_from_the_last_to_the_first():
    seen, _ = walk_through(GAME, diary(10), longer)
    assert seen.followed[: len(NODES)].tolist() == [0, 1, 0, 1, 1, 0, 0]


def test_a_visitor_without_room_is_grown_and_nothing_is_lost():
    seen, histories = walk_through(GAME, diary(1), longer)
    assert seen.lines() == NODES and histories == len(NODES) == len(seen.depth)


def test_a_visitor_may_stop_going_down():
    seen, _ = walk_through(GAME, diary(10, deepest=1), longer)
    assert seen.lines() == [(0, 0), (1, OVER), (1, CHANCE)]


def test_two_visitors_go_on_one_walk_and_the_first_says_where():
    def grown(both):
        return Both(*(visitor if visitor.room() else longer(visitor) for visitor in both))

    both, histories = walk_through(GAME, Both(diary(10, deepest=1), diary(1)), grown)
    lines = [(0, 0), (1, OVER), (1, CHANCE)]
    assert both.first.lines() == both.second.lines() == lines and histories == len(lines)
    assert both.first.followed[:3].tolist() == both.second.followed[:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize("run", [walk_slice, walk_slice.interpreted], ids=["compiled", "interpreted"])
def test_slices_of_any_size_make_the_same_walk(run):
    for steps in (1, 2, 3, 100):
        seen, walk, entered = diary(10), new_walk(GAME), []
        while walk.depth[0] >= 0:
            entered.append(int(run(GAME, seen, walk, steps)))
        assert seen.lines() == NODES
        assert sum(entered) == len(NODES) and max(entered) <= steps


def test_progress_sees_the_histories_so_far_and_may_stop_the_walk():
    seen = []
    walk_through(GAME, diary(3), longer, seen.append)
    assert seen == [Progress("histories", done) for done in (3, 4, 5, 6, 7)]

    def stop(histories):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walk_through(GAME, diary(3), longer, stop)


def test_a_game_longer_than_its_shape_says_is_refused():
    # without this, compiled code would write beyond its arrays
    for moves in (1, 2):
        with pytest.raises(Broken, match=f"Drawn goes on after {moves} moves, the most that shape"):
            walk_through(GAME._replace(moves=moves), diary(10), longer)


def test_a_slice_grows_to_the_time_that_it_may_take():
    assert next_slice(100, 0.0) == 200  # at most twice as much
    assert next_slice(100, 0.05) == 100
    assert next_slice(100, 0.5) == 10
    assert next_slice(1, 60.0) == 1  # and never nothing
