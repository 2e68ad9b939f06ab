"""The tracker: the thesis' schedule to the last game, and numbers that other parts of the project confirm."""

import numba
import numpy as np
import pytest

import fogtree
from fogtree.bandits import NondeterministicUCT, RegretMatching
from fogtree.errors import Invalid
from fogtree.games.rounds import Rounds
from fogtree.measure.track import (
    LONG,
    LONGEST,
    MIDDLE,
    SHORT,
    matrix_exploitability,
    reached,
    schedule,
    track,
    tracks,
    turned,
)

GAME = fogtree.MatrixGame([[-4, 0], [3, -3], [0, -2]])


def test_the_schedule_ends_where_briedon_2015_ends():
    # 4.5: 3,190,936, 14,130,408 and 99,732,004 simulations; 4.4: 429,889,708
    ends = schedule(LONGEST)[[SHORT - 1, MIDDLE - 1, LONG - 1, LONGEST - 1]]
    assert ends.tolist() == [3_190_936, 14_130_408, 99_732_004, 429_889_708]
    assert np.diff(schedule(40), prepend=0).tolist() == [17] * 24 + [19] * 12 + [21] * 4  # 1, 1.8, 3.24, 5.83 and 16


def test_half_the_gains_of_the_printed_strategies():
    # 3.3.2 prints 0.1445, 4.5.3 prints 0.062
    rps = [[0.5, 0.75, 0], [0.25, 0.5, 0.55], [1, 0.45, 0.5]]
    assert matrix_exploitability(rps, [0.08721, 0.80719, 0.1056], [0.08366, 0.7974, 0.11894]) == pytest.approx(
        0.1445, abs=5e-4
    )
    game = [[0, 1, -1], [1, -1, 1], [-1, 1, 1]]
    x, y = [0.4428742, 0.389712, 0.167414], [0.459178, 0.389666, 0.151156]
    assert matrix_exploitability(game, x, y) == pytest.approx(0.062, abs=5e-4)


@pytest.mark.parametrize("game", (GAME, Rounds()))
def test_exploitability_is_that_of_the_search_s_strategy(game, monkeypatch):
    bandit = RegretMatching()
    found = track(game, bandit, [100, 1_000, 3_000], seed=3)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)  # the second way is plain Python, and waits for no compiler
    for step, games in enumerate(found.simulations):
        strategy = fogtree.ISMCTS(game, bandit, 3).run(iterations=int(games)).strategy()
        assert found.exploitability[step] == pytest.approx(fogtree.exploitability(game, strategy).mean, abs=1e-12)
    assert np.allclose([s.sum(axis=1) for s in found.strategies], 1.0)
    assert found.values is None


def test_values_are_the_means_that_the_bandit_keeps(monkeypatch):
    bandit = NondeterministicUCT(epsilon=0.1)
    found = track(GAME, bandit, [500, 2_000], seed=1)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    search = fogtree.ISMCTS(GAME, bandit, 1).run(iterations=2_000)
    for player in (0, 1):
        _, memory = search.remembered(player, 0)
        assert found.values[player][1, 0].tolist() == memory[2::2].tolist()
        assert found.strategies[player][1].tolist() == (memory[1::2] / memory[0]).tolist()


def test_marks_change_nothing_but_what_is_seen():
    bandit = NondeterministicUCT(epsilon=0.1)
    often, once = track(GAME, bandit, range(1, 3_001, 7), seed=4), track(GAME, bandit, [2_997], seed=4)
    step = reached(often, 2_997)
    assert often.simulations[step] == 2_997
    assert often.strategies[0][step].tolist() == once.strategies[0][0].tolist()


def test_direction_changes_by_hand():
    # action 0: up, up, down, down; action 1: down, up, down, stays: it turns at steps 2 and 3; standing still is no turn
    strategy = np.array([[0.1, 0.5], [0.2, 0.4], [0.3, 0.5], [0.2, 0.4], [0.1, 0.4]])
    assert turned(strategy)[2:].tolist() == [0.5, 1.0, 0.0]
    assert np.isnan(turned(strategy)[:2]).all()


def test_seeds_reproduce_and_paths_differ():
    bandit = NondeterministicUCT(epsilon=0.1)
    one, same, other = (track(GAME, bandit, 50, seed=seed) for seed in ((2, 7), (2, 7), (2, 8)))
    assert one.strategies[0].tolist() == same.strategies[0].tolist() != other.strategies[0].tolist()


def test_a_track_tells_how_many_games_of_how_many_were_played():
    told = []
    track(GAME, RegretMatching(), [10, 300_000], seed=1, progress=told.append)
    assert told[-1] == ("games", 300_000, 300_000, None) and len(told) > 1


def test_senseless_marks_are_refused():
    for marks in (0, [], [5, 5], [0, 3]):
        with pytest.raises(Invalid, match="ascending numbers of games"):
            track(GAME, RegretMatching(), marks)


def test_many_self_plays_are_the_same_one_by_one_whatever_their_sizes_and_cores(interpreted):
    bandit, square = RegretMatching(), fogtree.MatrixGame([[1, -1], [-1, 1]])
    plays = [(GAME, 1), (GAME, (1, 5)), (square, 1), (Rounds(), 2), (GAME, 1)]
    alone = [track(game, bandit, [20, 90], seed=seed) for game, seed in plays]
    for cores in (1, 3):
        found = list(tracks(plays, bandit, [20, 90], cores=cores))
        for one, other in zip(alone, found, strict=True):
            assert [x.tolist() for x in one.strategies] == [x.tolist() for x in other.strategies]
            assert (one.seed, one.exploitability.tolist()) == (other.seed, other.exploitability.tolist())
    assert alone[0].exploitability.tolist() != alone[1].exploitability.tolist()


def test_memories_that_are_too_large_for_copies_are_played_in_place(monkeypatch, interpreted):
    aside = track(GAME, NondeterministicUCT(epsilon=0.1), [50, 200], seed=4)
    monkeypatch.setattr("fogtree.search.selfplay.MOST_ASIDE", 0)
    in_place = track(GAME, NondeterministicUCT(epsilon=0.1), [50, 200], seed=4)
    assert aside.exploitability.tolist() == in_place.exploitability.tolist()
