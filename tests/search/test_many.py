"""Many searches at once: each is the IS-MCTS of its roots and dice, iteration by iteration."""

import numpy as np
import pytest

import fogtree
from fogtree import ISMCTS, RAVE, Goofspiel, Invalid, Leduc, RegretMatching, dice
from fogtree.search.trees.many import search_many


def dealt(game, *cards):
    state = fogtree.new_state(game)
    for card in cards:
        game.step(state, card)
    return state


def alone(game, bandit, roots, weights, number, seed, iterations):
    """What one search plays at its roots, with the dice of this lane."""
    search, random = ISMCTS(game, bandit), np.zeros(4, np.uint64)
    with np.errstate(over="ignore"):
        dice.of_lane(dice.seeded(seed), number, random)
    search.searchers[0].random[:] = random
    search.run(iterations=iterations, roots=roots, weights=weights)
    player = game.player(roots[0])
    return list(search.policy(player, game.view(roots[0], player)).values())


def test_each_search_is_the_one_of_its_roots_and_dice():
    game, bandit = Leduc(), RegretMatching()
    believed = np.array([dealt(game, 0, other) for other in (1, 2, 3, 4, 5)])
    roots = [believed[:1], believed, believed[2:4]]
    weights = [None, [0.4, 0.3, 0.2, 0.1, 0.0], [0.5, 0.5]]
    found = search_many(game, bandit, roots, 150, weights=weights, seed=3, cores=2)
    for number in range(3):
        expected = alone(game, bandit, roots[number], weights[number], number, 3, 150)
        assert found[number, : len(expected)].tolist() == expected
        assert not found[number, len(expected) :].any()


def test_a_lane_begins_with_an_empty_tree():
    game = Goofspiel(cards=3)
    roots = [fogtree.new_state(game)[None]]
    one = search_many(game, RegretMatching(), roots * 4, 60, cores=1)
    assert one.tolist() == search_many(game, RegretMatching(), roots * 4, 60, cores=4).tolist()
    assert len({tuple(row) for row in one.tolist()}) > 1  # other dice, another search


def test_roots_of_all_searches_may_be_one_array():
    believed = np.array([dealt(Leduc(), 0, other) for other in (1, 2, 3, 4)])
    together = np.stack([believed[:2], believed[2:]])
    found = search_many(Leduc(), RegretMatching(), together, 40, seed=5, cores=1)
    for given in (list(together), [part.tolist() for part in together]):
        assert search_many(Leduc(), RegretMatching(), given, 40, seed=5, cores=1).tolist() == found.tolist()


def test_a_bandit_that_overhears_is_refused():
    with pytest.raises(Invalid, match="overhears"):
        search_many(Leduc(), RAVE(), [dealt(Leduc(), 0, 1)[None]], 10)


LEDUC = Leduc()
SEEN = dealt(LEDUC, 0, 3)


@pytest.mark.parametrize(
    "roots, weights, sentence",
    [
        ([], None, "one search or more"),
        (None, None, "`roots` is a list"),
        ("abc", None, "`roots` is a list"),
        ([["a"]], None, "rows of"),
        ([SEEN[None] + 0.5], None, "whole numbers"),
        ([SEEN[None]] * 2, [[1.0]], "one entry for each search, 2, not 1"),
        ([np.array([SEEN, dealt(LEDUC, 4, 3)])], None, "cannot tell them apart"),  # another card of one's own
        ([np.array([SEEN, dealt(LEDUC, 0, 3, 1)])], None, "cannot tell them apart"),  # the other is to move
        ([fogtree.new_state(LEDUC)[None]], None, "cannot tell them apart"),  # chance is to move
        ([dealt(LEDUC, 0, 3, 2, 0)[None]], None, "cannot tell them apart"),  # over
    ],
)
def test_roots_that_are_no_decision_of_one_player_are_refused(roots, weights, sentence):
    with pytest.raises(Invalid, match=sentence):
        search_many(LEDUC, RegretMatching(), roots, 5, weights=weights, cores=1)
