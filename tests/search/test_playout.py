"""Random games: reproducible from their seed, whatever the slices; and what is refused."""

import numpy as np
import pytest

from fogtree import Goofspiel, Invalid, Kuhn, Leduc, playouts
from fogtree.kernels.lanes import lanes_slice
from fogtree.policy import Uniform
from fogtree.search import playout
from fogtree.search.playout import LONG, new_games, new_own
from fogtree.walk import slices


def in_slices(game, sizes, seed):
    """The same lanes in slices of these sizes: moves and payoffs of each."""
    work, own = new_games(game, Uniform(), seed, 60, 60)._replace(each=1), new_own(game.shape())
    first = 0
    for size in sizes:
        lanes_slice(work, first, size, own)
        first += size
    return work.made.tolist(), work.payoff.tolist()


def test_a_seed_gives_the_same_games_again():
    first, second = playouts(Leduc(), 500, seed=7), playouts(Leduc(), 500, seed=7)
    assert (first.games, first.moves, first.payoff.tolist()) == (second.games, second.moves, second.payoff.tolist())
    other = playouts(Leduc(), 500, seed=8)
    assert (other.moves, other.payoff.tolist()) != (first.moves, first.payoff.tolist())


@pytest.mark.parametrize("sizes", [[1] * 60, [59, 1], [0, 20, 0, 40], [7, 11, 13, 29]])
def test_slices_do_not_change_the_games(sizes):
    assert in_slices(Leduc(), sizes, 3) == in_slices(Leduc(), [60], 3)


def test_the_clock_does_not_change_the_games(monkeypatch):
    results = []
    for size in (1, 3, 1000):
        monkeypatch.setattr(slices, "next_slice", lambda *_, size=size: size)
        played = playouts(Goofspiel(cards=3), 200, seed=5)
        results.append((played.games, played.moves, played.payoff.tolist()))
    assert results[0] == results[1] == results[2]


def test_the_means_are_those_of_the_tree():
    # Kuhn played uniformly: 0.125 to the first player (as in OpenSpiel's tests of expected values)
    played = playouts(Kuhn(), 100_000, seed=1)
    assert played.payoff[0] == pytest.approx(0.125, abs=4 * 1.3 / np.sqrt(played.games))  # payoffs deviate by about 1.3
    assert played.payoff.sum() == pytest.approx(0, abs=1e-12)
    assert played.games == 100_000 and 4 * played.games <= played.moves <= 5 * played.games


def test_a_number_of_seconds_is_a_budget(monkeypatch):
    seconds = iter(range(1000))
    monkeypatch.setattr(slices, "clock", lambda: float(next(seconds)))  # each look takes a second
    monkeypatch.setattr(slices, "next_slice", lambda *_: 10)
    played = playouts(Kuhn(), seconds=7)
    # one lane, and then slices that look at the clock when they begin and when they end: three in seven seconds
    assert played.games == (1 + 1 + 10 + 10) * (LONG // 5)
    again = playouts(Kuhn(), played.games)
    assert (again.moves, again.payoff.tolist()) == (played.moves, played.payoff.tolist())


def test_no_time_is_still_one_lane():
    assert playouts(Kuhn(), seconds=0).games == LONG // 5  # a game of Kuhn has five moves


def test_cores_do_not_change_the_games_nor_the_last_digit():
    one, two = playouts(Leduc(), 20_001, seed=4), playouts(Leduc(), 20_001, seed=4, cores=2)
    assert (one.games, one.moves, one.payoff.tolist()) == (20_001, two.moves, two.payoff.tolist())


def test_rows_are_used_round_and_round(monkeypatch):
    whole = playouts(Leduc(), 3000, seed=2)
    monkeypatch.setattr(playout, "new_games", lambda *given: new_games(*given, rows=3))
    monkeypatch.setattr(playout, "ROWS", 3)
    again = playouts(Leduc(), 3000, seed=2)
    assert (again.moves, again.payoff.tolist()) == (whole.moves, whole.payoff.tolist())


def test_no_games_are_no_games():
    played = playouts(Kuhn(), 0)
    assert (played.games, played.moves, played.payoff.tolist()) == (0, 0, [0, 0])


def test_progress_is_told_to_the_end():
    told = []
    playouts(Kuhn(), 5000, seed=1, progress=lambda now: told.append((now.done, now.goal)))
    assert [games for _, games in told] == len(told) * [5000]
    done = [part for part, _ in told]
    assert done == sorted(set(done)) and done[-1] == 5000
    told.clear()
    playouts(Kuhn(), seconds=0, progress=lambda now: told.append((now.done, now.goal)))
    assert told == [(LONG // 5, None)]


@pytest.mark.parametrize("arguments", [{}, {"games": 5, "seconds": 1.0}])
def test_games_or_seconds(arguments):
    with pytest.raises(Invalid, match=r"^give either a number of games or a number of seconds$"):
        playouts(Kuhn(), **arguments)


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
def test_a_bad_seed_is_refused(seed):
    with pytest.raises(Invalid, match=r"^a seed is a whole number"):
        playouts(Kuhn(), 5, seed=seed)


def test_a_slice_at_most_doubles():
    assert slices.next_slice(10, 1e-6) == 20
    assert slices.next_slice(10, 0.0) == 20
    assert slices.next_slice(1000, 0.1) == 500
    assert slices.next_slice(10, 1e6) == 1
