"""Playing games by hand, for the tests of the games."""

import math

import numpy as np

from fogtree import CHANCE, OVER
from fogtree.game import legal, new_state, odds, read


def after(game, *moves):
    """The state after these moves, each an action or what a person would type, and each legal where it is played."""
    state = new_state(game)
    for move in moves:
        action = read(game, state, move) if isinstance(move, str) else move
        assert action in legal(game, state), f"{move} is not among {legal(game, state)} in {moves}"
        with np.errstate(over="ignore"):  # the longest views are hashes, which wrap round
            game.step(state, action)
    return state


def payoffs(game, state):
    """What both seats get; the game must be over."""
    assert game.player(state) == OVER
    return (game.payoff(state, 0), game.payoff(state, 1))


def indistinct(game, player, one, other):
    """Whether a player cannot tell two lists of moves apart."""
    return game.view(after(game, *one), player) == game.view(after(game, *other), player)


def uniform(game, state, actions):
    """The strategy that plays at random."""
    return [1 / len(actions)] * len(actions)


def expectation(game, strategy=uniform, words=None):
    """What player 0 gets on average, exactly: plain recursion over the tree, both seats playing the same strategy.

    words: how many words of a state say all that the rules need, where the rest only serve views. States that agree in
    them have the same future, and are visited once.
    """
    known = {}

    def value(state):
        key = state[:words].tobytes()
        if key not in known:
            known[key] = below(state)
        return known[key]

    def below(state):
        player = game.player(state)
        if player == OVER:
            return game.payoff(state, 0)
        actions = legal(game, state)
        weights = odds(game, state) if player == CHANCE else strategy(game, state, actions)
        total = 0.0
        for action, weight in zip(actions, weights, strict=True):
            child = np.copy(state)
            game.step(child, action)
            total += weight * value(child)
        return total

    return value(new_state(game))


def standard_error(value, decided, games):
    """Of the mean payoff of so many games that pay 1, 0 or -1, when this share of them is no draw."""
    return math.sqrt((decided - value**2) / games)
