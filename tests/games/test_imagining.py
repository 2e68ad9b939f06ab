"""Games that imagine hidden states: against all the states that a player cannot tell apart, found by walking."""

import collections

import numpy as np
import pytest
import scipy.stats

import fogtree
from fogtree import CHANCE, OVER, Goofspiel, PhantomTicTacToe, check, dice
from fogtree.contract import EVENLY
from fogtree.game import legal, new_state
from fogtree.search.worlds.belief import Belief, imagine_each

UNLIKELY = 1e-6  # as in the check of a game
RULES = ("classical", "forced-centre", "abrupt")
PHANTOMS = [PhantomTicTacToe(rules, first) for rules in RULES for first in (False, True)]
GOOFSPIELS = [
    Goofspiel(5),
    Goofspiel(6, prizes="increasing", lowest=1),
    Goofspiel(5, prizes="shuffled", points=True),
    Goofspiel(5, hidden=False),
    Goofspiel(5, prizes="shuffled", hidden=False),
]


def imagined(game, state, player, count, seed):
    """So many states, drawn one after the other from the same one."""
    states = np.repeat(np.array(state)[None], count, axis=0)
    imagine_each(game, states, player, dice.seeded(seed))
    return states


def decisions(game, seed, cap=60_000):
    """The decisions of one random match: the true state, who moves, and all states that it may be."""
    random, state = np.random.default_rng(seed), new_state(game)
    pair = [Belief(game, player, cap=cap) for player in (0, 1)]
    with np.errstate(over="ignore"):
        while (player := int(game.player(state))) != OVER:
            action = int(random.choice(legal(game, state)))
            if player != CHANCE:
                view = int(game.view(state, player))
                states = pair[player].observe(view)
                if pair[player].enumerated:
                    yield state.copy(), player, states
                pair[player].acted(view, action)
            game.step(state, action)


def assert_drawn_evenly(found, seeds, most):
    """Of each decision many states are drawn: all of them possible, and each equally often, one by one and in all."""
    total, freedom, tested = 0.0, 0, collections.Counter()
    for number, (game, state, player, states) in enumerate(found):
        possible = {tuple(row) for row in states.tolist()}
        assert len(possible) == len(states)
        if len(states) > most:
            continue
        drawn = collections.Counter(map(tuple, imagined(game, state, player, 20 * len(states), number).tolist()))
        assert drawn.keys() <= possible
        if len(states) > 1:
            fit = scipy.stats.chisquare([drawn[row] for row in possible])
            assert fit.pvalue > UNLIKELY
            total, freedom = total + fit.statistic, freedom + len(states) - 1
            tested[player] += 1
    assert scipy.stats.chi2.sf(total, freedom) > UNLIKELY
    assert tested[0] >= seeds and tested[1] >= seeds


@pytest.mark.parametrize("game", GOOFSPIELS, ids=fogtree.name)
def test_goofspiel_imagines_each_course_of_the_other_equally_often(game):
    matches = range(6)
    assert_drawn_evenly(((game, *at) for seed in matches for at in decisions(game, seed)), 6 if game.hidden else 0, 400)


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_so_it_does_in_whole_trees(cards):
    assert check(Goofspiel(cards)).imagined == EVENLY
    assert check(Goofspiel(cards, hidden=False)).imagined == EVENLY


def test_so_it_does_in_a_whole_tree_with_chance():
    assert check(Goofspiel(3, prizes="shuffled")).imagined == EVENLY


@pytest.mark.parametrize("game", PHANTOMS, ids=fogtree.name)
def test_phantom_tic_tac_toe_imagines_each_list_of_tries_equally_often(game):
    assert_drawn_evenly(((game, *at) for seed in range(5) for at in decisions(game, seed)), 5, 1_000)


@pytest.mark.parametrize("game", [Goofspiel(13), Goofspiel(13, prizes="shuffled"), *PHANTOMS[::3]], ids=fogtree.name)
def test_what_is_imagined_hangs_on_the_view_and_the_dice_alone(game):
    random, compared = np.random.default_rng(3), 0
    for seed in range(10):
        state = new_state(game)
        with np.errstate(over="ignore"):
            while (player := int(game.player(state))) != OVER:
                if player != CHANCE:
                    others = imagined(game, state, player, 20, seed)
                    assert {int(game.view(other, player)) for other in others} == {int(game.view(state, player))}
                    assert {int(game.player(other)) for other in others} == {player}
                    made = {imagined(game, other, player, 1, 99).tobytes() for other in (state, *others)}
                    assert len(made) == 1
                    compared += len(np.unique(others, axis=0))
                game.step(state, int(random.choice(legal(game, state))))
    assert compared > 300


def test_a_whole_game_can_be_played_on_from_an_imagined_state():
    # the words that were derived are those of the course that was imagined
    game = Goofspiel(13, prizes="shuffled")
    random = np.random.default_rng(4)
    state = new_state(game)
    with np.errstate(over="ignore"):
        for _ in range(20):
            game.step(state, int(random.choice(legal(game, state))))
        player = int(game.player(state))
        other = imagined(game, state, player, 1, 1)[0]
        assert game.show(other, player) == game.show(state, player)
        while game.player(other) != OVER:
            game.step(other, int(random.choice(legal(game, other))))
    assert other[:3].tolist() == [0, 0, 0] and abs(game.payoff(other, 0)) <= 1
