"""The strategy of a search at the sets that its own play can reach: it is what the search plays at every set, without
the sets that it never comes to, and nobody can get more or less against it."""

import numpy as np
import pytest

import fogtree
from fogtree import Kuhn
from fogtree.bandits import UCB1Tuned
from fogtree.measure.everywhere import Everywhere, mean_strategy, nowhere, places, shares, solved_everywhere
from fogtree.measure.exploitability import exploitability
from fogtree.measure.reached import reached, reached_by, together
from fogtree.search.worlds.opinion import Verdict
from fogtree.solvers.forms.expected import expected
from fogtree.solvers.forms.reduction import reduced
from fogtree.solvers.streamed.stream import stream_response


def evenly(where, decision):
    return shares(where, [np.zeros((len(where.player), where.game.shape().actions))])


@pytest.mark.parametrize("name", ["kuhn", "dark-hex:side=2"])  # the second has sets with a single action
def test_a_player_who_plays_anything_reaches_every_set_with_all_its_states_and_their_weights(interpreted, name):
    game = reduced(fogtree.load(name))
    whole, met = places(game), {}

    def mix(where, decision):
        for i, view in enumerate(where.view.tolist()):
            rows = slice(where.first[i], where.first[i + 1])
            share = np.diff(where.total[rows], prepend=0.0).round(12).tolist()
            states = sorted(zip(map(tuple, where.state[rows].tolist()), share, strict=True))
            met[int(where.player[i]), view] = (where.actions[i], states)
        return evenly(where, decision)

    for player in (0, 1):
        reached(game, player, mix)
    assert len(met) == len(whole.player)
    for i, key in enumerate(zip(whole.player.tolist(), whole.view.tolist(), strict=True)):
        rows = slice(whole.first[i], whole.first[i + 1])
        share = np.diff(whole.total[rows], prepend=0.0).round(12).tolist()
        states = sorted(zip(map(tuple, whole.state[rows].tolist()), share, strict=True))
        assert met[key] == (whole.actions[i], states)


@pytest.mark.parametrize("verdict", Verdict)
def test_what_is_reached_is_played_as_everywhere_and_is_exploited_by_as_much(interpreted, verdict):
    game, where = Kuhn(), places(Kuhn())
    whole = mean_strategy(where, [solved_everywhere(where, verdict)])

    def mix(where, decision):
        return shares(where, [solved_everywhere(where, verdict)])

    both = together(*(reached(game, player, mix) for player in (0, 1)))
    assert all(both[key] == pytest.approx(whole[key]) for key in both)
    total = sum(stream_response(game, both, player, threads=1).value for player in (0, 1))
    assert total == pytest.approx(exploitability(game, whole).total)
    assert expected(game, both) == pytest.approx(expected(game, whole))


def test_sets_after_moves_that_a_player_does_not_make_are_left_out_and_nobody_misses_them(interpreted):
    # in Kuhn a first player who always bets never has to answer a bet: 3 of the 12 sets
    game = Kuhn()

    def bet(where, decision=0):
        mix = np.zeros((len(where.player), game.shape().actions))
        mix[:, 1] = 1.0
        return mix

    both = together(*(reached(game, player, bet) for player in (0, 1)))
    whole = mean_strategy(places(game), [bet(places(game))])
    assert len(whole) == 12 and len(both) == 9 and all(both[key] == whole[key] for key in both)
    total = sum(stream_response(game, both, player, threads=1).value for player in (0, 1))
    assert total == pytest.approx(exploitability(game, whole).total)


def test_a_search_is_run_at_the_sets_that_it_reaches_and_the_same_seed_says_the_same(interpreted):
    game = Kuhn()
    search = Everywhere(nowhere(game), UCB1Tuned(), depth=1, worlds=4, iterations=30)
    one, same, other = (reached_by(game, 0, search, seed, 2) for seed in (1, 1, 2))
    assert dict(one.items()) == dict(same.items())
    assert {player for player, _ in other} == {0}
    assert all(sum(mix.values()) == pytest.approx(1.0) for mix in one.values())
