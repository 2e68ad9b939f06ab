"""A depth limit: a game that ends with leaves, and what these are worth."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.evaluation import AtEnd
from fogtree.game import new_state
from fogtree.transforms.limited import AS_IT_IS, FIRST, LAST, Continuations, Limited, Valued, continuations


def limited(game, depth, leaves):
    return Limited(game, 0, int(game.public(new_state(game))), depth, leaves)


@pytest.mark.parametrize("ways", [1, 3])
def test_a_limited_game_keeps_the_contract(ways, interpreted):
    game = ft.Kuhn()
    assert ft.check(limited(game, 1, continuations(game, 1, ways=ways, games=2))).complete


def test_the_limit_counts_from_our_next_decision(interpreted):
    # player 0 decides again only after pass and bet: then the game is over anyway, and nothing is cut
    game = ft.Kuhn()
    small, whole = (ft.count(each).histories for each in (limited(game, 1, Valued(AtEnd())), game))
    assert small == whole
    leduc = ft.load("leduc:ranks=2")
    counts = [ft.count(limited(leduc, depth, Valued(AtEnd()))).histories for depth in (1, 3, 20)]
    assert counts[0] < counts[1] < counts[2] == ft.count(leduc).histories


def test_a_leaf_is_always_worth_the_same_and_leaning_changes_it():
    # a king has bet, and the foe, with a jack, folds for 1 or calls for 2: as often, or ten times as often as the other
    game = ft.Kuhn()
    leaves = continuations(game, 1, games=4000)
    state = new_state(game)
    for action in (2, 0, 1):
        game.step(state, action)
    with np.errstate(over="ignore"):
        values = [Continuations.value(leaves, game, state, way) for way in (AS_IT_IS, AS_IT_IS, FIRST, LAST)]
    assert values[0] == values[1]
    assert values[1:] == pytest.approx([1.5, 12 / 11, 21 / 11], abs=0.03)
