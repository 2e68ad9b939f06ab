"""One-sided search: against a fixed strategy it approaches the best response, and never claims more."""

import numba
import pytest

from fogtree.bandits import UniformRandom
from fogtree.errors import Invalid
from fogtree.games import Kuhn, Leduc
from fogtree.measure.exploitability import best_response, exploitability
from fogtree.search.trees.onesided import OneSided
from fogtree.strategy import Strategy
from search.test_ismcts import sets_of

UNIFORM = Strategy.uniform(Kuhn())


@pytest.mark.parametrize("player", [0, 1])
def test_against_uniform_kuhn_it_learns_the_best_response(player):
    # Kuhn's best responses to uniform play are worth 1/2 and 5/12
    search = OneSided(Kuhn(), UNIFORM, player, seed=1).run(iterations=100_000)
    answer = search.response()
    assert set(answer.player.tolist()) == {player} and set(answer.probability.tolist()) == {1}
    worth = exploitability(Kuhn(), answer).value  # the other player's sets are not listed, so uniform
    assert (worth if player == 0 else -worth) == pytest.approx((1 / 2, 5 / 12)[player], abs=1e-12)


def test_only_the_learner_has_a_tree_and_its_windows_add_up():
    search = OneSided(Kuhn(), UNIFORM, 1, seed=1).run(iterations=1_000)
    assert {player for player, _ in sets_of(search)} == {1}
    assert [point.iterations for point in search.curve] == [100, 126, 158, 200, 251, 316, 398, 501, 631, 794, 1_000]
    total = sum(
        point.payoff * (point.iterations - before)
        for point, before in zip(search.curve, [0, *(p.iterations for p in search.curve)], strict=False)
    )
    assert total == pytest.approx(search.payoffs[1])
    assert search.curve[-1].payoff > search.curve[0].payoff


def test_of_actions_that_are_equally_frequent_the_response_plays_the_first(interpreted):
    answer = OneSided(Kuhn(), UNIFORM, 0, seed=1, bandit=UniformRandom()).run(iterations=100).response()
    assert len(answer) > 3 and set(answer.action.tolist()) == {0}


def test_the_curve_is_the_same_however_it_is_cut_and_run(monkeypatch):
    whole, cut = OneSided(Kuhn(), UNIFORM, 0, 3).run(iterations=500), OneSided(Kuhn(), UNIFORM, 0, 3)
    for simulations in (7, 0, 93, 1, 399):
        cut.run(iterations=simulations)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    plain = OneSided(Kuhn(), UNIFORM, 0, 3).run(iterations=500)
    assert whole.curve == cut.curve == plain.curve
    assert OneSided(Kuhn(), UNIFORM, 0).run(seconds=0.02).iterations > 0


def test_the_third_engine_gives_a_lower_bound_and_says_so():
    exact, bounds = exploitability(Kuhn(), UNIFORM), []
    for simulations in (10, 100_000):
        bounds.append(exploitability(Kuhn(), UNIFORM, engine="search", iterations=simulations))
        assert all(low < high for low, high in zip(bounds[-1].values, exact.values, strict=True))
    few, many = bounds
    assert few.total < many.total < exact.total < many.total + 0.03  # the half-widths of two means of 200,000 games
    assert not many.exact and many.engine == "search" and many.gains is None
    assert many.curves[1][-1].iterations == 100_000
    answer = best_response(Kuhn(), UNIFORM, 1, engine="search", iterations=100_000)
    assert (answer.value, answer.exact) == (many.values[1], False) and answer.curve == many.curves[1]


def test_bad_questions_are_one_sentence():
    with pytest.raises(Invalid, match="a player is 0 to 1, not 2"):
        OneSided(Kuhn(), UNIFORM, 2)
    with pytest.raises(Invalid, match="this is a strategy of Kuhn"):
        OneSided(Leduc(), UNIFORM, 0)
    with pytest.raises(Invalid, match="give a number of iterations or of seconds"):
        OneSided(Kuhn(), UNIFORM, 0).run()
