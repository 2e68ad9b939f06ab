"""Plain MCTS and flat Monte Carlo: the same search, where nothing is hidden."""

import numba
import pytest

import plain
from fogtree import OVER, Goofspiel, Invalid, Kuhn, TicTacToe
from fogtree.bandits import RAVE, UCT, RegretMatching
from fogtree.game import legal, new_state
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mcts import LEAST_TRIED, MCTS, flat
from search.test_ismcts import assert_identical

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

# Arenz 2012, section 4: a move with ten answers, of which nine lose at once and one wins; and a move that is safe.
TRAP = plain.drawn((0, 1, (1, 2, *[1.0] * 9, -1.0), 0.5), open=True)


def board(*moves):
    """The position of Tic-Tac-Toe after these moves."""
    state = new_state(TicTacToe())
    for move in moves:
        TicTacToe().step(state, move)
    return state


def random_value(state, player):
    """What a player gets on average when both play on at random."""
    game = TicTacToe()
    if game.player(state) == OVER:
        return game.payoff(state, player)
    below = []
    for action in legal(game, state):
        child = state.copy()
        game.step(child, action)
        below.append(random_value(child, player))
    return sum(below) / len(below)


def test_flat_monte_carlo_walks_into_a_trap_and_tree_search_does_not(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    start = new_state(TRAP)
    found = flat(TRAP, start, iterations=2_000, seed=1)
    assert found[0] == pytest.approx(0.8, abs=0.1) and found[1] == 0.5  # 0.9 - 0.1; five deviations of 0.019
    assert max(found, key=found.get) == 0
    search = MCTS(TRAP, seed=1).think(start, iterations=2_000)
    assert search.best(start) == 1 and search.means(start)[0] < 0.5


def test_flat_monte_carlo_is_the_mean_of_random_games_after_each_move():
    state = board(4, 0, 2, 6)  # X to move; one answer stops O's column and threatens, most lose
    found = flat(TicTacToe(), state, iterations=8_000, seed=1)
    assert list(found) == legal(TicTacToe(), state)
    for action, mean in found.items():
        assert mean == pytest.approx(
            random_value(board(4, 0, 2, 6, action), 0), abs=0.13
        )  # five deviations of at most 0.025


def test_flat_monte_carlo_tries_all_moves_equally_often():
    state = board(4)
    search = MCTS(TicTacToe(), LEAST_TRIED, sets=1).think(state, iterations=1_003)
    times = search.search.remembered(1, TicTacToe().view(state, 1))[1][1::2]
    assert times.sum() == 1_003 and set(times) == {125, 126}
    assert search.search.infosets == 1


@pytest.mark.parametrize(
    "moves, best",
    [
        ((0, 3, 1, 4), {2}),  # X wins at once
        ((0, 4, 1), {2}),  # O must stop the row
        ((0,), {4}),  # against a corner only the centre holds
        ((0, 4, 8), {1, 3, 5, 7}),  # against two corners any edge holds, and no corner does
    ],
)
def test_the_best_move_is_found(moves, best):
    search = MCTS(TicTacToe(), seed=1).think(board(*moves), iterations=20_000)
    assert search.best(board(*moves)) in best


def test_the_mean_of_a_winning_move_is_its_payoff():
    state = board(0, 3, 1, 4)
    means = MCTS(TicTacToe(), seed=1).think(state, iterations=2_000).means(state)
    assert list(means) == legal(TicTacToe(), state)
    assert means[2] == 1.0 and all(mean < 1.0 for action, mean in means.items() if action != 2)


def test_it_is_the_search_over_information_sets():
    state = board(4)
    plain_search = MCTS(TicTacToe(), UCT(), 3).think(state, iterations=500)
    other = ISMCTS(TicTacToe(), UCT(), 3).run(iterations=500, roots=state[None])
    assert_identical(plain_search.search, other)


def test_where_there_is_nothing_to_choose_the_only_move_is_best():
    state = board(0, 1, 2, 4, 3, 5, 7, 6)  # one cell is left
    search = MCTS(TicTacToe()).think(state, iterations=10)
    assert search.best(state) == 8 and search.means(state) == {}


@pytest.mark.parametrize("game", [Goofspiel(13), Goofspiel(13, hidden=False, prizes="shuffled"), Kuhn(64)])
def test_a_game_that_does_not_say_that_it_is_open_is_refused(game):
    with pytest.raises(Invalid, match=r"does not say in its shape\(\) that it is open, so it needs ISMCTS, not MCTS"):
        MCTS(game)


def test_a_bandit_must_keep_means():
    with pytest.raises(
        Invalid,
        match="MCTS needs a bandit that keeps the mean of each action, with a method `means`: valid are uct, tuned, ",
    ):
        MCTS(TicTacToe(), RegretMatching())


def test_threads_are_read_as_one_search(interpreted):
    state = board(0, 4, 8)
    both = MCTS(TicTacToe(), UCT(), 1).think(state, iterations=3_000, threads=2)
    assert both.search.iterations == 3_000 and both.best(state) in {1, 3, 5, 7}
    times, total = {}, {}
    for searcher in both.search.searchers:  # counts and sums of both trees, added up by hand
        begin, end = searcher.tree.span(UCT(), 0)  # the first set that is entered is the root
        memory = searcher.tree.memory[begin:end]
        for action, n, mean in zip(legal(TicTacToe(), state), memory[1::2], memory[2::2], strict=True):
            times[action], total[action] = times.get(action, 0) + n, total.get(action, 0) + n * mean
    assert sum(times.values()) == 3_000
    assert both.means(state) == pytest.approx({action: total[action] / n for action, n in times.items()})
    assert both.best(state) == max(times, key=times.get)


def test_the_tree_is_kept_from_move_to_move(interpreted):
    search = MCTS(TicTacToe(), UCT(), 1).think(board(), iterations=300)
    known = search.search.policy(0, TicTacToe().view(board(4, 0), 0))
    sets = search.search.infosets
    search.think(board(4, 0), iterations=1)
    assert known is not None and search.search.infosets <= sets + 1
    assert search.search.remembered(0, TicTacToe().view(board(4, 0), 0))[1][0] >= 2


def test_means_of_actions_that_no_tree_took_are_plain_means(interpreted):
    search = MCTS(TicTacToe(), RAVE(), 1).think(board(), iterations=2, threads=2)
    means = search.means(board())
    untried = [action for action, share in search.search.policy(0, 1).items() if share == 0.0]
    assert len(untried) >= 7 and [means[action] for action in untried] == pytest.approx([0.5] * len(untried))
