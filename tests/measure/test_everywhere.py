"""A search with open cards, run at every information set of a game."""

import numpy as np
import pytest

import fogtree
from fogtree import Kuhn, exploitability
from fogtree.arena import agents
from fogtree.arena.soundness import Asked
from fogtree.bandits import UCB1Tuned
from fogtree.measure.everywhere import Everywhere, mean_strategy, places, solved_everywhere
from fogtree.search.worlds.belief import Belief
from fogtree.search.worlds.opinion import Verdict
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.strategy import Strategy
from fogtree.walk.slices import Budget


def test_every_information_set_with_a_choice_is_found_with_all_its_states_and_their_weights(interpreted):
    found = places(Kuhn())
    assert len(found.player) == 12 and len(found.state) == 24
    at = next(i for i in range(12) if found.player[i] == 1)
    belief = Belief(Kuhn(), 1)
    states = belief.observe(int(found.view[at]))
    rows = slice(found.first[at], found.first[at + 1])
    assert sorted(map(tuple, states)) == sorted(map(tuple, found.state[rows]))
    assert np.diff(found.total[rows], prepend=0.0) == pytest.approx(belief.weight)
    # player 0: one of six deals at first; later the other has also bet, one move of two, and the own pass counts for nothing
    ends = [found.total[found.first[i + 1] - 1] for i in range(12) if found.player[i] == 0]
    assert sorted(ends) == pytest.approx([2 / 12] * 3 + [2 / 6] * 3)


@pytest.mark.parametrize("verdict", Verdict)
def test_all_worlds_solved_is_what_the_agent_plays_that_solves_its_worlds(interpreted, verdict):
    # Kuhn has two worlds at each set, equally likely, so an agent with 20 worlds has each ten times
    where = places(Kuhn())
    ours = mean_strategy(where, [solved_everywhere(where, verdict)])
    agent = agents.load_agent(f"pimc:inner=exact,verdict={verdict.value}")
    form = sequence_form(Kuhn())
    for player in (0, 1):
        asked = Asked(form, agent, player)
        for view in form.trees[player].view.tolist():
            mix = asked.think(None, view, Budget()).strategy[player, view]
            assert {a: share for a, share in ours[player, view].items() if share > 0} == pytest.approx(mix)


def test_pimc_without_noise_loses_a_third_in_kuhn_by_means_and_a_sixth_by_votes(interpreted):
    # by hand for means: with open cards a king is always bet, a queen is worth the same bet or passed, a jack never
    # bets and never calls; what is lost comes from calls and folds that give the card away
    where = places(Kuhn())
    totals = {v: exploitability(Kuhn(), mean_strategy(where, [solved_everywhere(where, v)])).total for v in Verdict}
    assert totals[Verdict.MEANS] == pytest.approx(1 / 3) and totals[Verdict.VOTES] == pytest.approx(1 / 6)


@pytest.mark.parametrize("depth", [0, 1, 9])
def test_one_run_says_what_the_best_actions_are_everywhere_and_the_same_seed_says_the_same(interpreted, depth):
    where = places(Kuhn())
    search = Everywhere(where, UCB1Tuned(), depth=depth, worlds=4, iterations=60)
    first = search.weights(3)
    assert first.shape == (12, 3) or first.shape[0] == 12
    assert np.array_equal(first, search.weights(3))
    strategy = search.strategy(1, 2)
    assert isinstance(strategy, Strategy) and len(strategy) == 12


def test_the_strategy_of_several_runs_is_their_mean():
    where = places(fogtree.load("kuhn"))
    left, right = np.zeros((12, 3)), np.zeros((12, 3))
    left[:, 0] = right[:, 1] = 1.0
    mix = mean_strategy(where, [left, left, left, right])
    assert all(
        mix[int(p), int(v)] == pytest.approx({0: 0.75, 1: 0.25}) for p, v in zip(where.player, where.view, strict=True)
    )
