"""From one decision to the next: every way there, once, with its probability."""

import collections
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
import plain
from fogtree import CHANCE, OVER, Goofspiel, Kuhn, Leduc, PhantomTicTacToe, Strategy
from fogtree.game import legal, new_state, odds
from fogtree.kernels import kernel
from fogtree.walk.frontier import new_frontier

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

GAMES = [
    Kuhn(),
    Leduc(),
    Goofspiel(3, prizes="shuffled"),
    PhantomTicTacToe(rules="forced-centre", winning_first=True),
    PhantomTicTacToe(),
]


class Record(NamedTuple):
    """Writes down what a walk hands over, up to so many states."""

    state: np.ndarray  # [room, words]
    view: np.ndarray  # [room]
    reach: np.ndarray  # [room]
    used: np.ndarray  # [2] decisions | ends
    worth: np.ndarray  # [1] of all ends

    def put(self, state, view, reach):
        at = self.used[0]
        if at == self.view.shape[0]:
            return False
        for word in range(state.shape[0]):
            self.state[at, word] = state[word]
        self.view[at], self.reach[at] = view, reach
        self.used[0] += 1
        return True

    def end(self, worth):
        self.used[1] += 1
        self.worth[0] += worth


@kernel
def spread(game, others, frontier, record, me, start, reach):
    for word in range(start.shape[0]):
        frontier.state[0, word] = start[word]
    return frontier.spread(game, others, record, me, reach)


def walked(game, me, start, others=None, reach=1.0, room=2_000, run=spread.interpreted):
    """Whether the walk came through, and what it wrote down."""
    shape = game.shape()
    record = Record(
        np.zeros((room, shape.words), np.int64), np.zeros(room, np.int64), np.zeros(room), np.zeros(2, int), np.zeros(1)
    )
    others = (others or Strategy.uniform(game)).entries
    done = run(game, others, new_frontier(shape), record, me, start, reach)
    return done, record


def ways(game, me, state, table, reach=1.0):
    """The same by recursion: (state, reach) of the decisions, and (worth) of the ends."""
    player, actions = game.player(state), legal(game, state)
    if player == OVER:
        return [], [reach * game.payoff(state, me)]
    if player == me:
        return [(tuple(state.tolist()), reach)], []
    weight = odds(game, state) if player == CHANCE else [1 / len(actions)] * len(actions)
    if player != CHANCE and (player, int(game.view(state, player))) in table:
        row = table[player, int(game.view(state, player))]
        weight = [row.get(action, 0.0) for action in actions]
    decisions, ends = [], []
    for action, share in zip(actions, weight, strict=True):
        if share > 0:
            child = state.copy()
            game.step(child, action)
            more = ways(game, me, child, table, reach * share)
            decisions, ends = decisions + more[0], ends + more[1]
    return decisions, ends


def starts(game, me, count=12):
    """The start of a game, and states just after an action of `me` in random games."""
    random, found = np.random.default_rng(1), [new_state(game)]
    while len(found) < count:
        state = new_state(game)
        while (player := game.player(state)) != OVER:
            game.step(state, random.choice(legal(game, state)))
            if player == me:
                found.append(state.copy())
    return found[:count]


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("game", GAMES, ids=fogtree.name)
def test_every_decision_and_every_end_is_met_once_with_its_probability(game, me):
    with np.errstate(over="ignore"):
        for start in starts(game, me):
            done, record = walked(game, me, start)
            decisions, ends = ways(game, me, start, {})
            count = record.used[0]
            assert done and record.used.tolist() == [len(decisions), len(ends)]
            assert collections.Counter(map(tuple, record.state[:count].tolist())) == collections.Counter(
                state for state, _ in decisions
            )
            assert sorted(record.reach[:count]) == pytest.approx(sorted(reach for _, reach in decisions))
            assert record.worth[0] == pytest.approx(sum(ends), abs=1e-12)
            views = [int(game.view(state, me)) for state in record.state[:count]]
            assert record.view[:count].tolist() == views


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), Goofspiel(3, prizes="shuffled")], ids=fogtree.name)
def test_from_the_start_the_probabilities_of_a_first_decision_sum_to_1(game):
    _, record = walked(game, 0, new_state(game))  # player 0 is always asked before any end
    assert record.used[1] == 0 and record.reach.sum() == pytest.approx(1)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("game", [Kuhn(), Leduc()], ids=fogtree.name)
def test_the_others_follow_a_strategy_and_what_they_never_do_is_left_out(game, me):
    table = plain.random_table(plain.tree(game), seed=2, listed=0.8)
    for start in starts(game, me):
        done, record = walked(game, me, start, plain.strategy_of(game, table), reach=0.5)
        decisions, ends = ways(game, me, start, table, reach=0.5)
        assert done and record.used.tolist() == [len(decisions), len(ends)]
        found = zip(map(tuple, record.state.tolist()), record.reach[: len(decisions)].tolist(), strict=False)
        for (state, reach), (same, equal) in zip(sorted(found), sorted(decisions), strict=True):
            assert state == same and reach == pytest.approx(equal)
        assert record.worth[0] == pytest.approx(sum(ends), abs=1e-12)


def test_compiled_it_is_the_same_walk():
    for start in starts(Leduc(), 1):
        (done, one), (too, other) = (walked(Leduc(), 1, start, run=run) for run in (spread, spread.interpreted))
        assert done and too
        for mine, yours in zip(one, other, strict=True):
            assert mine.tolist() == yours.tolist()


def test_a_walk_ends_where_a_decision_is_refused():
    done, record = walked(Leduc(), 0, new_state(Leduc()), room=7)
    assert not done and record.used[0] == 7
