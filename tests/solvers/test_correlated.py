"""Strategic forms, and correlated equilibria of them, whose certificate is computed by loops here."""

import itertools

import numpy as np
import pytest

import fogtree
from fogtree import (
    BimatrixGame,
    Invalid,
    Kuhn,
    coarse_correlated_equilibrium,
    correlated_equilibrium,
    strategic_form,
    support_equilibria,
)
from fogtree.games.gambit import write_nfg
from fogtree.solvers.exact.correlated import CCE, CE, deviations
from fogtree.solvers.forms.expected import expected
from fogtree.solvers.forms.infosets import TooLarge

CHICKEN = BimatrixGame([[6, 2], [7, 0]], [[6, 7], [2, 0]])
SHAPLEY = BimatrixGame([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])


@pytest.fixture(scope="module")
def kuhn():
    return strategic_form(Kuhn())


# --- strategic forms ---


def test_kuhn_poker_has_27_and_64_reduced_strategies(kuhn):
    # three ways to play a card for player 0 (bet; pass and fold; pass and call), four for player 1
    assert kuhn.payoffs.shape == (2, 27, 64)


def test_a_profile_pays_what_a_walk_over_the_game_finds(kuhn, interpreted):
    random = np.random.default_rng(1)
    mixes = tuple(random.dirichlet(np.ones(size)) for size in kuhn.payoffs.shape[1:])
    walked = expected(Kuhn(), kuhn.strategy(mixes))
    assert walked[0] == pytest.approx(mixes[0] @ kuhn.payoffs[0] @ mixes[1], abs=1e-12)
    assert kuhn.mixed(mixes).values() == pytest.approx(walked, abs=1e-12)


def test_strategies_are_called_by_their_actions(kuhn, tmp_path):
    names = kuhn.names()
    assert len(set(names[0])) == 27 and "bet - bet - bet -" in names[0] and "pass pass bet bet bet bet" in names[1]
    file = tmp_path / "three.nfg"
    file.write_text('NFG 1 R "" { "A" "B" "C" } { 2 2 2 }\n' + " ".join(map(str, range(24))) + "\n")
    trio = strategic_form(fogtree.load(str(file)))  # the first player's strategies change fastest in the file
    assert trio.payoffs[:, 1, 0, 0].tolist() == [3, 4, 5] and trio.payoffs[:, 0, 0, 1].tolist() == [12, 13, 14]
    write_nfg(fogtree.load(str(file)), tmp_path / "again.nfg")


def test_a_large_game_is_refused_by_the_number_of_its_strategies():
    with pytest.raises(Invalid, match=r"many-kuhn has 6,561 x 160,000 x 65,536 profiles|many-kuhn has [\d,]+ x "):
        strategic_form("kuhn:players=3")


def test_a_game_that_fills_the_memory_is_refused_as_one_with_too_many_strategies(monkeypatch):
    caps = []

    def fill(game, memory, progress):
        caps.append(memory)
        raise TooLarge("it does not fit")

    monkeypatch.setattr("fogtree.solvers.forms.strategic.general_form", fill)
    with pytest.raises(Invalid, match=r"kuhn has too many information sets.* needs a smaller game"):
        strategic_form(Kuhn())
    assert caps[0] < 1e9  # far less than the memory of a machine, so that nobody waits for long


# --- equilibria ---


def gain(game, found):
    """The most that anybody gains by one rule of deviating, by loops over all of them."""
    payoffs, best = strategic_form(game).payoffs, 0.0
    sizes = payoffs.shape[1:]
    for i, size in enumerate(sizes):
        rules = (
            itertools.product(range(size), repeat=size) if found.concept == CE else [(b,) * size for b in range(size)]
        )
        for rule in rules:
            total = 0.0
            for s in np.ndindex(*sizes):
                played = (*s[:i], rule[s[i]], *s[i + 1 :])
                total += found.probability[s] * (payoffs[i][played] - payoffs[i][s])
            best = max(best, total)
    return best


@pytest.mark.parametrize("units", [(1e-12, 1e-12), (1e12, 1e12), (1e-9, 1e9)])
@pytest.mark.parametrize("best", [correlated_equilibrium, coarse_correlated_equilibrium])
def test_the_best_equilibrium_does_not_depend_on_the_unit_of_either_players_payoffs(best, units):
    game = BimatrixGame(*(unit * payoffs for unit, payoffs in zip(units, CHICKEN, strict=True)))
    found = best(game, weights=[1 / unit for unit in units])
    assert [value / unit for value, unit in zip(found.values, units, strict=True)] == pytest.approx([5.25, 5.25])
    assert max(gain / unit for gain, unit in zip(found.gains, units, strict=True)) < 1e-9


@pytest.mark.parametrize("find", [correlated_equilibrium, coarse_correlated_equilibrium])
@pytest.mark.parametrize("game", [CHICKEN, SHAPLEY, fogtree.load("bimatrix")], ids=["chicken", "shapley", "dilemma"])
def test_nobody_gains_by_any_rule_of_deviating(find, game):
    found = find(game)
    assert found.probability.sum() == pytest.approx(1) and found.probability.min() >= 0
    assert gain(game, found) == pytest.approx(0, abs=1e-9)
    assert max(found.gains) == pytest.approx(0, abs=1e-9)


def test_in_chicken_a_mediator_gets_both_players_more_than_any_nash_equilibrium():
    # Aumann 1974: 10 1/2 in all, where the best Nash equilibrium, which is mixed, pays 9 1/3
    found = correlated_equilibrium(CHICKEN)
    assert found.values == pytest.approx((5.25, 5.25))
    assert found.profiles() == [
        (pytest.approx(0.5), ("0", "0")),
        (pytest.approx(0.25), ("0", "1")),
        (pytest.approx(0.25), ("1", "0")),
    ]
    assert max(sum(mixes.payoffs) for mixes in support_equilibria(*CHICKEN)) == pytest.approx(28 / 3)
    assert correlated_equilibrium(CHICKEN, weights=(1, 0)).values[0] == pytest.approx(7)


def test_in_a_game_of_shapleys_the_coarse_equilibrium_pays_more():
    assert sum(correlated_equilibrium(SHAPLEY).values) <= sum(coarse_correlated_equilibrium(SHAPLEY).values) + 1e-9


def test_the_certificate_finds_the_gain_of_a_bad_distribution():
    payoffs = strategic_form(CHICKEN).payoffs
    both_dare = np.array([[0.0, 0.0], [0.0, 1.0]])
    assert deviations(payoffs, both_dare, CE) == (2.0, 2.0) and deviations(payoffs, both_dare, CCE) == (2.0, 2.0)
    # told to swerve, a player dares: half of the time, for one more
    half = np.array([[0.5, 0.0], [0.0, 0.5]])
    assert deviations(payoffs, half, CE) == (1.5, 1.5) and deviations(payoffs, half, CCE) == (1.0, 1.0)


def test_a_nash_equilibrium_is_a_correlated_one():
    payoffs = strategic_form(CHICKEN).payoffs
    for mixes in support_equilibria(*CHICKEN):
        assert max(deviations(payoffs, np.outer(mixes.x, mixes.y), CE)) == pytest.approx(0, abs=1e-12)


def test_in_a_zero_sum_game_even_the_coarse_equilibrium_pays_the_value():
    assert coarse_correlated_equilibrium(Kuhn()).values[0] == pytest.approx(-1 / 18, abs=1e-9)


def test_wrong_weights_are_refused():
    with pytest.raises(Invalid, match="weights are 2 finite numbers, one for each player"):
        correlated_equilibrium(CHICKEN, weights=(1, 2, 3))
