"""Progressive widening: which actions are open when."""

import numpy as np
import pytest
from pulling import choices, memory_of, policy

from fogtree import Invalid
from fogtree.bandits import WideningUCT

BANDIT = WideningUCT(c=0.5, start=4, growth=2)  # one more after 4, 12, 28, 60 visits
WEIGHTS = np.array([0.1, 0.4, 0.1, 0.4])


def begun():
    memory = memory_of(BANDIT, 4)
    BANDIT.begin(memory, 4, 0, WEIGHTS)
    return memory


@pytest.mark.parametrize("visits, wide", [(0, 1), (3, 1), (4, 2), (11, 2), (12, 3), (27, 3), (28, 4), (10_000, 4)])
def test_so_many_are_open(visits, wide):
    assert BANDIT.wide(float(visits), 4) == wide


def test_the_numbers_of_the_paper():
    # Coulom 2007: t_1 = 40, t_2 = 40 + 56 = 96, t_3 = 96 + 78.4 = 174.4
    assert [WideningUCT().wide(n, 99) for n in (39.0, 40.0, 95.0, 96.0, 174.0, 175.0)] == [1, 2, 2, 3, 3, 4]


def test_actions_open_by_their_weights():
    memory, chosen = begun(), []
    for _ in range(29):
        action, probability = BANDIT.choose(memory, 4, None)  # no dice are thrown
        assert probability == 1.0
        chosen.append(action)
        BANDIT.learn(memory, 4, action, 1.0, 0.5)
    assert chosen[:4] == [1] * 4 and chosen[4] == 3  # visit 5 tries the second of the heavy ones
    assert set(chosen[:12]) == {1, 3} and chosen[12] == 0 and set(chosen[:28]) == {0, 1, 3} and chosen[28] == 2
    assert memory[1] == 4 and memory[4::3].tolist() == [-1] * 4
    assert policy(BANDIT, memory, 4).sum() == pytest.approx(1)


def test_among_those_open_the_highest_bound_is_chosen():
    # n = 10, actions 1 and 3 are open: 0.5 + 0.5 sqrt(2 ln 10 / 7) = 0.906 and 0.2 + 0.5 sqrt(2 ln 10 / 3) = 0.820
    memory = np.array([10, 2, 0, 9, 0.1, 7, 0.5, -1, 0, 9, 0.1, 3, 0.2, -1])
    assert list(choices(BANDIT, memory, 4)) == [1]
    memory[12] = 0.3  # 0.920
    assert list(choices(BANDIT, memory, 4)) == [3]
    out = np.empty(4)
    BANDIT.means(memory, 4, out)
    assert out.tolist() == [9, 0.5, 9, 0.3]


def test_rewards_are_scaled_to_0_and_1():
    assert BANDIT.reward(-3.0, -4.0, 4.0) == 0.125 and BANDIT.reward(2.0, 2.0, 2.0) == 0.0


def test_growth_must_be_more_than_1():
    with pytest.raises(Invalid, match=r"growth must be a number in \(1, 1000\]"):
        WideningUCT(growth=1)
