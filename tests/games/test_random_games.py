"""Random games: what a kind promises, seeds that reproduce, names that load."""

import numpy as np
import pytest

import fogtree
from fogtree.errors import Invalid
from fogtree.games.random_games import GENERATORS, Dispersion, Sequential, Travelling, Uniform
from fogtree.games.rounds import random_rounds
from fogtree.solvers.exact.simplex import solve_matrix


@pytest.mark.parametrize("kind", GENERATORS)
def test_a_seed_is_a_game(kind):
    one, same, other = (fogtree.load(f"random/{kind}:seed={seed}") for seed in (5, 5, 6))
    assert one.payoffs.tolist() == same.payoffs.tolist() != other.payoffs.tolist()
    fogtree.check(one, games=5)
    assert fogtree.load(fogtree.name(one)).payoffs.tolist() == one.payoffs.tolist()


def test_uniform_payoffs_are_whole_or_real_and_in_range():
    whole = Uniform(rows=50, columns=40, low=-8, high=8, seed=1).game().payoffs
    assert whole.shape == (50, 40) and set(whole.ravel()) == set(range(-8, 9))
    real = Uniform(rows=50, columns=40, low=-1, high=2, whole=False, seed=1).game().payoffs
    assert -1 <= real.min() < -0.9 and 1.9 < real.max() <= 2 and (real % 1 != 0).all()


def test_who_hides_is_found_least_where_it_costs_most():
    # zero-sum: the equilibrium meets everywhere at the same loss, so a place is chosen in proportion to 1 / its worth
    payoffs = Dispersion(places=3, low=1, high=9, seed=2).game().payoffs
    worth = -np.diag(payoffs)
    found = solve_matrix(payoffs)
    assert found.value == pytest.approx(-1 / (1 / worth).sum())
    assert found.x == pytest.approx((1 / worth) / (1 / worth).sum())


def test_the_lowest_claim_is_the_equilibrium_of_the_travellers():
    game = Travelling(claims=5, low=1, high=4, seed=3).game()
    assert (game.payoffs == -game.payoffs.T).all()
    assert solve_matrix(game.payoffs).x.tolist() == [1, 0, 0, 0, 0]


def test_rounds_of_a_seed_are_those_of_the_game_s_own_generator():
    assert Sequential(seed=9).game().payoffs.tolist() == random_rounds(9).payoffs.tolist()
    assert Sequential(rounds=3, rows=2, columns=3).game().payoffs.shape == (8, 27)


def test_what_cannot_be_drawn_is_refused():
    for text, words in (
        ("random/normal", "valid are uniform, covariant"),
        ("random/uniform:low=2,high=1", "no whole number from 2 to 1"),
        ("random/uniform:low=0.2,high=0.8", "no whole number from 0.2 to 0.8"),
        ("random/rounds:rounds=5,rows=8", "more than 1024 plans"),
        ("random/uniform:size=3", "random/uniform has no parameter 'size'"),
    ):
        with pytest.raises(Invalid, match=words):
            fogtree.load(text)
