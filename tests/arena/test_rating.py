"""Ratings: worked by hand, by another optimiser, recovered from what was made, and refused."""

import itertools
import math

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import Invalid
from fogtree.arena.draws import BradleyTerry, Davidson, RaoKupper
from fogtree.arena.rating import POINTS, rate

# three agents; who sits first wins more often, and some draw
COUNTS = np.array(
    [
        [[30, 10, 20], [55, 15, 30], [70, 10, 20]],
        [[40, 20, 40], [0, 0, 0], [60, 18, 22]],
        [[25, 15, 60], [35, 12, 53], [12, 5, 8]],
    ]
)
NAMES = ["a", "b", "c"]


def pair(forth, back=(0, 0, 0)):
    """Two agents: the first plays first, and the second plays first."""
    return np.array([[[0, 0, 0], forth], [back, [0, 0, 0]]])


def cost(parameters, counts):
    """Minus the logarithm of the likelihood, written out match by match: strengths, advantage, ln v."""
    *strength, h, tie = parameters
    total = 0.0
    for i, j in itertools.product(range(len(counts)), repeat=2):
        d = strength[i] - strength[j] + h
        weights = [math.exp(d / 2), math.exp(tie), math.exp(-d / 2)]
        total -= sum(n * math.log(w / sum(weights)) for n, w in zip(counts[i, j], weights, strict=True))
    return total


def curvature_of(height, at, step=1e-3):
    """Second derivatives by differences."""
    found = np.zeros((len(at), len(at)))
    for a, b in itertools.product(range(len(at)), repeat=2):
        e, f = step * np.eye(len(at))[a], step * np.eye(len(at))[b]
        found[a, b] = (height(at + e + f) - height(at + e - f) - height(at - e + f) + height(at - e - f)) / (
            4 * step**2
        )
    return found


# --- by hand -------------------------------------------------------------------------------------------------------


def test_three_wins_for_each_loss_are_191_points():
    # 400 log10(3) = 190.848 apart, each half of it from the mean. The log odds from a side have variance 1/75 + 1/25 = 4/75,
    # the difference is the mean of two such, and a rating is half of that
    found = rate(pair((75, 0, 25), (25, 0, 75)), ["a", "b"])
    assert found.rating == pytest.approx([95.42425, -95.42425], abs=1e-4)
    half = (
        1.959964 * 400 / math.log(10) * math.sqrt(1 / 37.5) / 2
    )  # two sides of 100: 1/75 + 1/25, twice, is 4 times 1/75
    assert found.half == pytest.approx([half, half], rel=1e-6)
    assert found.advantage == pytest.approx(0, abs=1e-9) and found.ties == found.draws == found.prior == 0
    assert found.score.tolist() == [0.75, 0.25] and found.matches.tolist() == [200, 200]
    assert found.order() == [0, 1]


def test_a_given_advantage_is_taken_from_the_odds():
    # 75 of 100 by playing first are 190.848 points, of which 100 are the advantage
    found = rate(pair((75, 0, 25)), ["a", "b"], advantage=100, anchor=("b", 1000))
    assert found.rating == pytest.approx([1090.848502, 1000], abs=1e-5)
    assert found.advantage == 100 and found.advantage_half == 0
    assert found.half == pytest.approx([1.959964 * POINTS * math.sqrt(1 / 75 + 1 / 25), 0], rel=1e-6)


def test_equals_tell_of_the_advantage_and_of_draws():
    # from either side 50 : 30 : 20: the advantage is 400 log10(50 / 20), and v = 30 / sqrt(50 * 20)
    found = rate(pair((50, 30, 20), (50, 30, 20)), ["a", "b"])
    assert found.rating == pytest.approx([0, 0], abs=1e-9)
    assert found.advantage == pytest.approx(400 * math.log10(2.5), rel=1e-9)
    assert found.ties == pytest.approx(30 / math.sqrt(1000), rel=1e-9)
    assert found.draws == pytest.approx(found.ties / (2 + found.ties))
    assert found.outcome(0, 1) == pytest.approx((0.5, 0.3, 0.2), abs=1e-9)
    assert found.superiority == pytest.approx(np.full((2, 2), 0.5))


def test_superiority_is_the_normal_probability_of_the_difference():
    # ln(60 / 40) = 0.405465 with variance 1/60 + 1/40: 1.98637 deviations; Phi(1.98637) = 0.97650
    found = rate(pair((60, 0, 40)), ["a", "b"], advantage=0)
    assert found.superiority[0, 1] == pytest.approx(0.97650, abs=1e-5)
    assert found.superiority + found.superiority.T == pytest.approx(np.ones((2, 2)))


# --- a second way --------------------------------------------------------------------------------------------------


def test_another_optimiser_finds_the_same_top_and_the_same_curvature():
    found = rate(COUNTS, NAMES, anchor=("a", 0))

    def free(x):
        return cost([0, *x], COUNTS)

    other = scipy.optimize.minimize(free, np.zeros(4), method="BFGS", options={"gtol": 1e-7})
    s_b, s_c, h, tie = other.x
    assert found.rating == pytest.approx(POINTS * np.array([0, s_b, s_c]), abs=1e-3)
    assert found.advantage == pytest.approx(POINTS * h, abs=1e-3) and found.ties == pytest.approx(
        math.exp(tie), abs=1e-5
    )
    curvature = curvature_of(free, other.x)
    covariance = POINTS**2 * np.linalg.inv(curvature)
    assert found.covariance[1:, 1:] == pytest.approx(covariance[:2, :2], rel=1e-4)
    assert found.advantage_half == pytest.approx(1.959964 * math.sqrt(covariance[2, 2]), rel=1e-4)


def test_at_the_top_scores_and_draws_are_what_was_seen():
    # an exponential family: its statistics are expected where they were seen
    found, scores = rate(COUNTS, NAMES), []
    expected = np.array([[found.outcome(i, j) for j in range(3)] for i in range(3)]) * COUNTS.sum(axis=2)[:, :, None]
    for seen in (COUNTS.astype(float), expected):
        own = [(seen[i] @ [1, 0.5, 0]).sum() + (seen[:, i] @ [0, 0.5, 1]).sum() for i in range(3)]
        scores.append([*own, (seen @ [1, 0.5, 0]).sum(), seen[:, :, 1].sum()])
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_strengths_that_made_the_matches_are_found_again():
    random, strength, h, v = np.random.default_rng(1), np.array([0.9, 0.3, -0.2, -1.0]), 0.25, 0.6
    inside = []
    for _ in range(20):
        counts = np.zeros((4, 4, 3))
        for i, j in itertools.product(range(4), repeat=2):
            d = strength[i] - strength[j] + h
            weight = np.array([math.exp(d / 2), v, math.exp(-d / 2)])
            counts[i, j] = random.multinomial(400, weight / weight.sum())
        found = rate(counts, list("abcd"))
        inside.append(np.abs(found.rating - POINTS * strength) < found.half)
        assert abs(found.advantage - POINTS * h) < 2 * found.advantage_half
        assert found.ties == pytest.approx(v, abs=0.12)
    assert 68 <= np.sum(inside) <= 80  # 76 of 80 expected; fewer than 68 has probability below 0.001


# --- two models of draws -------------------------------------------------------------------------------------------

WINS, TIES = [[0, 12, 18], [6, 0, 11], [1, 5, 0]], {(0, 1): 2, (0, 2): 1, (1, 2): 4}


def golden():
    """Three players; who plays first is unknown and does not matter, so each pair stands once."""
    counts = np.zeros((3, 3, 3))
    for (i, j), drawn in TIES.items():
        counts[i, j] = (WINS[i][j], drawn, WINS[j][i])
    return counts


@pytest.mark.parametrize(
    "model, ratings, ties, likelihood",
    [  # by an independent minorise-maximise iteration (Hunter 2004)
        ("rao-kupper", [166.347, -5.223, -161.124], 1.398276, -47.129036),
        ("davidson", [187.906, 0.000, -187.906], 0.338568, -47.276951),
    ],
)
def test_three_players_by_both_models_of_draws(model, ratings, ties, likelihood):
    found = rate(golden(), NAMES, advantage=0, model=model)
    assert found.model == model and found.rating == pytest.approx(ratings, abs=5e-4)
    assert found.ties == pytest.approx(ties, abs=5e-7) and found.likelihood == pytest.approx(likelihood, abs=5e-7)


def test_the_threshold_of_rao_and_kupper_is_drawelo():
    assert 400 * math.log10(rate(golden(), NAMES, advantage=0, model="rao-kupper").ties) == pytest.approx(
        58.237, abs=5e-4
    )


def test_draws_as_half_a_win_are_bradley_and_terrys():
    counts = golden() @ np.array([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]])
    for model, ties in (("davidson", 0), ("rao-kupper", 1)):
        found = rate(counts, NAMES, advantage=0, model=model)
        assert found.rating == pytest.approx([158.644, 0, -158.644], abs=5e-4)
        assert (found.ties, found.draws) == (ties, 0)


def test_equals_of_bayeselo_draw_27_percent():
    # 97.3 points of threshold and 32.8 for playing first: 0.4082 won, 0.2707 drawn, 0.3211 lost, Coulom's defaults
    found = rate(pair((4082, 2707, 3211), (4082, 2707, 3211)), ["a", "b"], model="rao-kupper")
    assert found.rating == pytest.approx([0, 0], abs=1e-6) and found.advantage == pytest.approx(32.8, abs=0.1)
    assert 400 * math.log10(found.ties) == pytest.approx(97.3, abs=0.1)
    assert found.outcome(0, 1) == pytest.approx((0.4082, 0.2707, 0.3211), abs=1e-9)  # three numbers fit three shares
    assert found.draws == pytest.approx((found.ties - 1) / (found.ties + 1))


def test_rao_and_kupper_by_another_optimiser():
    found = rate(COUNTS, NAMES, anchor=("a", 0), model="rao-kupper")

    def free(x):
        strength, h, theta, total = [0, x[0], x[1]], x[2], math.exp(x[3]), 0.0
        for i, j in itertools.product(range(3), repeat=2):
            g, k = math.exp(strength[i] + h), math.exp(strength[j])
            won, lost = g / (g + theta * k), k / (k + theta * g)
            total -= COUNTS[i, j] @ np.log([won, 1 - won - lost, lost])
        return total

    other = scipy.optimize.minimize(free, [0, 0, 0, 0.5], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    assert found.rating[1:] == pytest.approx(POINTS * other.x[:2], abs=1e-3)
    assert (found.advantage, found.ties) == pytest.approx((POINTS * other.x[2], math.exp(other.x[3])), abs=1e-3)
    assert found.likelihood == pytest.approx(-other.fun, rel=1e-9)
    covariance = POINTS**2 * np.linalg.inv(curvature_of(free, other.x))
    assert found.covariance[1:, 1:] == pytest.approx(covariance[:2, :2], rel=1e-4)
    assert found.advantage_half == pytest.approx(1.959964 * math.sqrt(covariance[2, 2]), rel=1e-4)


@pytest.mark.parametrize("forth, back", [((9, 0, 0), (9, 0, 0)), ((0, 7, 0), (0, 7, 0)), ((5, 2, 0), (0, 1, 4))])
def test_rao_and_kupper_needs_a_prior_where_no_finite_ratings_are_likeliest(forth, back):
    found = rate(pair(forth, back), ["a", "b"], model="rao-kupper")
    assert found.prior == 1 and np.isfinite(found.half).all() and np.isfinite(found.advantage_half)


FAR = {Davidson: (-50.0, 50.0), RaoKupper: (50.0,), BradleyTerry: ()}  # numbers, for slopes that fall only far away


@pytest.mark.parametrize("model", [Davidson(), RaoKupper(), BradleyTerry()], ids=lambda model: type(model).__name__)
def test_an_outcome_gets_likelier_in_exactly_the_directions_that_the_model_names(model):
    near = [model.logs(np.linspace(-6, 6, 25), number).slope for number in np.linspace(0.05, 6, 20)]
    far = [model.logs(np.array([-60.0, 60.0]), number).slope for number in FAR[type(model)]]
    slope = np.concatenate(near + far)  # [places, outcomes, 2]
    for outcome, rows in enumerate(model.rising):
        for way in itertools.product((-2.0, -1.5, -1.0, -0.75, -0.3, 0.0, 0.3, 0.75, 1.0, 1.5, 2.0), repeat=2):
            steepest = (slope[:, outcome] @ np.array(way)).min()
            if all(a * way[0] + b * way[1] >= 0 for a, b in rows):
                assert steepest >= -1e-9
            else:
                assert steepest < -1e-9


# --- what must not matter ------------------------------------------------------------------------------------------


def test_anchors_shift_and_names_permute():
    mean, fixed = rate(COUNTS, NAMES), rate(COUNTS, NAMES, anchor=("b", 1500))
    assert mean.rating.mean() == pytest.approx(0, abs=1e-9)
    assert fixed.rating - fixed.rating[0] == pytest.approx(mean.rating - mean.rating[0])
    assert fixed.rating[1] == 1500 and fixed.half[1] == pytest.approx(0, abs=1e-6)
    assert fixed.superiority == pytest.approx(mean.superiority)  # differences know no anchor
    turned = [2, 0, 1]
    again = rate(COUNTS[np.ix_(turned, turned)], [NAMES[i] for i in turned])
    assert again.rating == pytest.approx(mean.rating[turned], abs=1e-8)
    assert again.covariance == pytest.approx(mean.covariance[np.ix_(turned, turned)], rel=1e-8)


def test_losses_for_wins_turn_the_ratings_round():
    found, mirrored = rate(COUNTS, NAMES), rate(COUNTS[:, :, ::-1], NAMES)
    assert mirrored.rating == pytest.approx(-found.rating, abs=1e-8)
    assert mirrored.advantage == pytest.approx(-found.advantage, abs=1e-8)
    assert mirrored.ties == pytest.approx(found.ties)


def test_matches_against_itself_tell_of_the_advantage_and_not_of_the_agent():
    alone = COUNTS.copy()
    alone[range(3), range(3)] = 0
    with_self, without = rate(COUNTS, NAMES), rate(alone, NAMES)
    assert with_self.advantage_half < without.advantage_half
    assert with_self.matches.tolist() == without.matches.tolist() and with_self.score.tolist() == without.score.tolist()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 30), min_size=27, max_size=27))
@pytest.mark.parametrize("model", ["davidson", "rao-kupper"])
def test_any_connected_counts_have_finite_ratings(model, numbers):
    counts = np.array(numbers).reshape(3, 3, 3)
    counts[0, 1, 0] += 1
    counts[1, 0, 0] += 1
    counts[1, 2, 2] += 1  # so that all are linked and have met from both sides
    found = rate(counts, NAMES, model=model)
    assert np.isfinite(found.rating).all() and np.isfinite(found.half).all() and np.isfinite(found.advantage_half)
    assert found.rating.sum() == pytest.approx(0, abs=1e-6)
    assert ((found.superiority > 0.5) == (found.rating[:, None] > found.rating[None, :] + 1e-9))[
        np.abs(found.rating[:, None] - found.rating[None, :]) > 1e-6
    ].all()


# --- no finite top -------------------------------------------------------------------------------------------------


def test_who_won_every_match_gets_a_finite_rating_and_the_result_says_how():
    # one match is added, half won: 10.25 to 0.25 from each side, so 400 log10(41) = 645.1 apart
    found = rate(pair((10, 0, 0), (0, 0, 10)), ["a", "b"])
    assert found.prior == 1 and found.rating[0] - found.rating[1] == pytest.approx(400 * math.log10(41), rel=1e-9)
    assert found.score.tolist() == [1, 0] and found.matches.tolist() == [
        20,
        20,
    ]  # what was played, without the added one
    assert rate(pair((10, 0, 0), (0, 0, 10)), ["a", "b"], prior=2).rating[0] == pytest.approx(200 * math.log10(21))


@pytest.mark.parametrize("forth, back", [((9, 0, 0), (9, 0, 0)), ((0, 7, 0), (0, 7, 0)), ((5, 2, 0), (0, 1, 4))])
def test_first_sides_draws_and_halves_that_always_come_are_bounded_too(forth, back):
    found = rate(pair(forth, back), ["a", "b"])
    assert found.prior == 1 and np.isfinite(found.half).all() and np.isfinite(found.advantage_half)
    with pytest.raises(Invalid, match="no finite ratings are likeliest"):
        rate(pair(forth, back), ["a", "b"], prior=0)


def test_a_circle_of_wins_needs_no_prior():
    counts = np.zeros((3, 3, 3))
    for i, j in ((0, 1), (1, 2), (2, 0)):
        counts[i, j, 0] = counts[j, i, 2] = 10
    found = rate(counts, NAMES)
    assert found.prior == 0 and found.rating == pytest.approx([0, 0, 0], abs=1e-6)


# --- refused -------------------------------------------------------------------------------------------------------


def test_agents_that_no_match_links_are_refused():
    counts = np.zeros((4, 4, 3))
    counts[0, 1] = counts[1, 0] = counts[2, 3] = counts[3, 2] = (5, 0, 5)
    with pytest.raises(Invalid, match="no chain of matches links a and c"):
        rate(counts, list("abcd"))


def test_an_advantage_that_cannot_be_told_from_strength_is_refused():
    with pytest.raises(Invalid, match="the advantage of playing first cannot be told"):
        rate(pair((7, 0, 3)), ["a", "b"])


@pytest.mark.parametrize(
    "counts, names, options, sentence",
    [
        (np.zeros((1, 1, 3)), ["a"], {}, "two agents or more, not 1"),
        (COUNTS, ["a", "b"], {}, r"have shape \(2, 2, 3\), not \(3, 3, 3\)"),
        (COUNTS, ["a", "b", "a"], {}, "two agents are called a"),
        (-COUNTS, NAMES, {}, "counts of matches are 0 or more"),
        (COUNTS * math.nan, NAMES, {}, "counts of matches are 0 or more"),
        ([["x"]], NAMES, {}, "counts of matches are numbers"),
        (COUNTS, NAMES, {"anchor": ("d", 0)}, "the anchor is one of a, b, c with its rating, not d at 0"),
        (COUNTS, NAMES, {"anchor": ("a", "x")}, "the anchor is one of a, b, c with its rating, not a at x"),
        (COUNTS, NAMES, {"anchor": "a"}, "the anchor is one of a, b, c with its rating, not 'a'"),
        (COUNTS, NAMES, {"prior": "1"}, "a prior is 0 matches or more, not 1"),
        (COUNTS, NAMES, {"model": "elo"}, "there is no model of draws 'elo': valid are davidson, rao-kupper"),
        (COUNTS, NAMES, {"prior": -1}, "a prior is 0 matches or more, not -1"),
        (COUNTS, NAMES, {"advantage": math.inf}, "an advantage is a number, not inf"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(counts, names, options, sentence):
    with pytest.raises(Invalid, match=sentence):
        rate(counts, names, **options)
