"""Batches: games side by side that are those of one game at a time, chance included; what is refused."""

import numpy as np
import pytest

import fogtree
from fogtree import Illegal, Invalid, dice
from fogtree.game import CHANCE, NONE, OVER, legal, odds
from fogtree.learn.batch import batch
from fogtree.observation import observed


def followed(game, number, seed):
    """What one game shows in plain Python, with the dice of this lane, where the view decides what is played: at each
    decision and at the end, the player, the view, the actions, the payoffs and the observation."""
    state, random, shown = fogtree.new_state(game), np.zeros(4, np.uint64), []
    seats = game.shape().players
    with np.errstate(over="ignore"):
        dice.of_lane(dice.seeded(seed), number, random)
        while True:
            player, actions = game.player(state), legal(game, state)
            if player == OVER:
                nothing = np.zeros_like(observed(game, state, 0)).tolist()
                return [*shown, (OVER, 0, [], [game.payoff(state, each) for each in range(seats)], nothing)]
            if player == CHANCE:
                weights = np.array(odds(game, state))
                game.step(state, actions[dice.pick(random, weights, len(weights))])
            else:
                view = int(game.view(state, player))
                shown.append((player, view, actions, [0.0] * seats, observed(game, state, player).tolist()))
                game.step(state, actions[view % len(actions)])


@pytest.mark.parametrize("name", ["leduc", "liars-dice", "leduc:players=3"])
def test_a_batch_plays_what_single_games_play(name):
    game, n = fogtree.load(name), 6
    games, single = batch(game, n, seed=9, cores=2), [followed(game, number, 9) for number in range(n)]
    assert len({len(one) for one in single}) > 1  # some are over before others
    for turn in range(max(map(len, single))):
        last, seen = np.zeros(n, np.int64), games.observe()
        for number, one in enumerate(single):
            player, view, actions, payoff, row = one[min(turn, len(one) - 1)]  # what is over stays as it is
            assert (games.player[number], games.view[number]) == (player, view)
            assert games.legal[number].tolist() == actions + [NONE] * (game.shape().actions - len(actions))
            assert games.payoff[number].tolist() == payoff and games.width[number] == len(actions)
            columns = range(len(actions)) if games.parts.actions is None else actions
            assert np.flatnonzero(games.mask[number]).tolist() == list(columns) and seen[number].tolist() == row
            last[number] = actions[view % len(actions)] if actions else 0
        games.step(last)


def test_what_is_over_begins_again_with_other_cards():
    games = batch("kuhn", 200)
    first = games.view.copy()
    while (games.player != OVER).any():
        games.step(games.legal[:, 0].copy())
    ended = games.payoff.copy()
    games.restart()
    assert (games.player != OVER).all() and not games.payoff.any() and ended.any()
    assert (games.view != first).any() and set(games.view.tolist()) == set(first.tolist())  # three cards, dealt anew


def test_an_illegal_action_stops_its_own_game_alone():
    games = batch("tic-tac-toe", 3)
    with pytest.raises(Illegal, match="in 1 of 3 games the action is not legal"):
        games.step([4, 9, 4])
    assert games.width.tolist() == [8, 9, 8]
    games.step([0, 0, 0])  # and the error is not remembered
    assert games.width.tolist() == [7, 8, 7]


def test_what_is_no_row_of_actions_is_refused():
    games = batch("tic-tac-toe", 3)
    for wrong in ([1, 2], [0.5, 1.0, 2.0]):
        with pytest.raises(Invalid, match=r"an array \[3\] of int64 is needed"):
            games.step(wrong)
    with pytest.raises(Invalid, match="the number of games must be a whole number of 1 or more"):
        batch("tic-tac-toe", 0)


@pytest.mark.parametrize("n", [10**13, 10**18])
def test_more_games_than_fit_in_memory_are_one_sentence(n):
    with pytest.raises(Invalid, match=r"games do not fit in memory: one takes \d+ bytes, so all take "):
        fogtree.batch("kuhn", n)
