"""UCB-Risk: the formulas of Zhang and Wang 2014, worked out by hand and computed the plain way."""

import math

import numpy as np
import pytest
from pulling import choices, memory_of, policy

from fogtree import Invalid
from fogtree.bandits.greedy import EpsilonGreedy
from fogtree.bandits.risk import Centre, Form, Norm, Risk

# Two actions in two worlds, by hand. Action 0 brings 3 and 1 in world 0, and 4 in world 1: E = 2 and 4, mean 8/3.
# Action 1 brings 2 in world 0 alone: E = 2. So the mean of all E is 8/3, and with R = 1/2 risk_0 = 1/2 sqrt((2 - 8/3)^2
# + (4 - 8/3)^2) = 1/2 sqrt(4/9 + 16/9) = sqrt(20)/6, risk_1 = sqrt(4/9) = 2/3
TAKEN = [(0, 0, 3.0), (0, 0, 1.0), (1, 0, 4.0), (0, 1, 2.0)]  # world, action, reward
RISK_0, RISK_1 = math.sqrt(20) / 6, 2 / 3


def learned(bandit, taken, k):
    memory = memory_of(bandit, k)
    for world, action, reward in taken:
        bandit.in_world(world).learn(memory, k, action, 1.0, reward)
    return memory


def scores(bandit, taken, k):
    memory = learned(bandit, taken, k)
    return [bandit.score(memory, k, i, bandit.middle(memory, k)) for i in range(k)]


def test_the_scores_of_two_actions_in_two_worlds_are_those_worked_out_by_hand():
    found = scores(Risk(r=0.5, worlds=2), TAKEN, 2)
    assert found == pytest.approx([8 / 3 - RISK_0 / 2, 2 - RISK_1 / 2], abs=1e-12)


def test_the_root_of_the_mean_square_does_not_shrink_with_the_worlds():
    found = scores(Risk(r=1.0, worlds=2, norm=Norm.RMS), TAKEN, 2)
    assert found == pytest.approx([8 / 3 - math.sqrt(2) * RISK_0, 2 - RISK_1], abs=1e-12)


def test_around_its_own_mean_an_action_that_brings_the_same_everywhere_has_no_risk():
    # E_0 = 2 and 4 around 3: 1/2 sqrt(1 + 1)
    found = scores(Risk(r=1.0, worlds=2, centre=Centre.ACTION), TAKEN, 2)
    assert found == pytest.approx([8 / 3 - math.sqrt(2) / 2, 2.0], abs=1e-12)


def test_in_the_convex_form_a_weight_of_1_sees_risk_alone():
    found = scores(Risk(r=1.0, worlds=2, form=Form.CONVEX), TAKEN, 2)
    assert found == pytest.approx([-RISK_0, -RISK_1], abs=1e-12)


def plain(taken, k, worlds, bandit):
    """Formulas 5, 6 and 8 as they stand, over a table of means."""
    rewards = {
        (m, i): [x for world, action, x in taken if (action, world) == (m, i)] for m in range(k) for i in range(worlds)
    }
    e = {pair: np.mean(found) for pair, found in rewards.items() if found}
    middle = np.mean(list(e.values()))
    out = []
    for m in range(k):
        mine = np.array([value for (action, _), value in e.items() if action == m])
        centre = mine.mean() if bandit.centre == Centre.ACTION else middle
        root = math.sqrt(((mine - centre) ** 2).sum())
        risk = root / math.sqrt(len(mine)) if bandit.norm == Norm.RMS else root / len(mine)
        mean = np.mean([x for _, action, x in taken if action == m])
        out.append((1 - bandit.r) * mean - bandit.r * risk if bandit.form == Form.CONVEX else mean - bandit.r * risk)
    return out


@pytest.mark.parametrize("norm", Norm)
@pytest.mark.parametrize("centre", Centre)
@pytest.mark.parametrize("form", Form)
def test_running_sums_give_what_the_formulas_give_over_a_table_of_means(norm, centre, form):
    draw, bandit = np.random.default_rng(3), Risk(0.7, norm, centre, form, worlds=6)
    taken = [(int(draw.integers(6)), int(draw.integers(4)), float(draw.normal(50, 20))) for _ in range(300)]
    assert scores(bandit, taken, 4) == pytest.approx(plain(taken, 4, 6, bandit), rel=1e-9)


def test_its_policy_is_the_action_of_the_highest_score_and_equals_share():
    bandit = Risk(r=0.5, worlds=2)
    assert policy(bandit, learned(bandit, TAKEN, 2), 2).tolist() == [1.0, 0.0]
    safe = [(0, 0, 10.0), (1, 0, -10.0), (0, 1, -1.0), (1, 1, -1.0)]  # the mean 0 at a risk, or -1 for sure
    assert policy(Risk(r=0.0, worlds=2), learned(bandit, safe, 2), 2).tolist() == [1.0, 0.0]
    assert policy(Risk(r=0.9, worlds=2), learned(bandit, safe, 2), 2).tolist() == [0.0, 1.0]
    even = [(0, 0, 1.0), (0, 1, 1.0)]
    assert policy(bandit, learned(bandit, even, 2), 2).tolist() == [0.5, 0.5]


def test_without_risk_it_chooses_as_epsilon_greedy():
    greedy, bandit = EpsilonGreedy(0.4), Risk(r=0.0, epsilon=0.4, worlds=2)
    memory = memory_of(greedy, 2)
    for _, action, reward in TAKEN:
        greedy.learn(memory, 2, action, 1.0, reward)
    assert choices(bandit, learned(bandit, TAKEN, 2), 2) == choices(greedy, memory, 2)


def test_as_printed_it_never_explores_after_one_try_of_each_action():
    bandit = Risk(r=0.5, epsilon=0.0, worlds=2)
    assert list(choices(bandit, learned(bandit, TAKEN, 2), 2)) == [0]
    assert list(choices(bandit, learned(bandit, TAKEN[:1], 2), 2)) == [1]


def test_it_keeps_to_its_memory_and_before_any_visit_its_policy_is_uniform():
    block = np.full(Risk(worlds=3).slots(4) + 2, 12345.0)
    memory = block[1:-1]
    memory[:] = 0.0
    assert policy(Risk(worlds=3), memory, 4) == pytest.approx([0.25] * 4)
    for step in range(60):
        Risk(worlds=3).in_world(step % 3).learn(memory, 4, step % 4, 1.0, float(step))
    assert block[0] == block[-1] == 12345.0


def test_a_bad_parameter_is_refused_in_one_sentence():
    with pytest.raises(Invalid, match="Risk: norm must be literal or rms, not 'best'"):
        Risk(norm="best")
