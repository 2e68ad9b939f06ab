"""Resetting UCT."""

import math

import numpy as np
import pytest
from pulling import FIGURE_4_1, choose, half_gains, memory_of, policy, self_play

from fogtree import dice
from fogtree.bandits import NondeterministicUCT, ResettingUCT


class PlainReset:
    """The rule by the book (Briedoň 2015, Figure 5.1): looks at growing intervals, and a reset when a value turns round."""

    def __init__(self, k, first, growth, restart):
        self.k, self.growth, self.restart = k, growth, restart
        self.times, self.mean, self.visits, self.next, self.resets = [0] * k, [0.0] * k, 0, first, 0
        self.looks: list[list[float]] = []  # the values at the looks since the last reset

    def look(self):
        if min(self.times) == 0 or self.visits < self.next:
            return
        self.next = math.floor(self.growth * self.next)
        self.looks.append(list(self.mean))
        if len(self.looks) >= 3:
            before, now = (np.sign(np.subtract(self.looks[-i], self.looks[-i - 1])) for i in (2, 1))
            if (before != now).any():
                self.times, self.looks = [self.restart] * self.k, []
                self.resets += 1

    def learn(self, action, reward):
        self.visits += 1
        self.times[action] += 1
        self.mean[action] += (reward - self.mean[action]) / self.times[action]

    def near_best(self, c, epsilon):
        if min(self.times) == 0:
            return [action for action in range(self.k) if self.times[action] == 0]
        log = math.log(sum(self.times))
        score = [mean + c * math.sqrt(log / n) for mean, n in zip(self.mean, self.times, strict=True)]
        return [action for action in range(self.k) if score[action] >= max(score) - epsilon - 1e-12]


@pytest.mark.parametrize("first, growth, restart", [(10, 1.5, 100), (50, 1.2, 3), (1, 3.0, 1)])
def test_it_resets_when_the_plain_rule_does(first, growth, restart):
    k, c, epsilon = 3, 1.0, 0.05
    bandit = ResettingUCT(c, epsilon, first, growth, restart)
    memory, random, plain = memory_of(bandit, k), dice.seeded(first), PlainReset(k, first, growth, restart)
    for step in range(3_000):
        plain.look()
        chosen, probability = choose(bandit, memory, k, random)
        assert probability == 1 and chosen in plain.near_best(c, epsilon)
        reward = math.sin(step / 100 + 2 * chosen)
        bandit.learn(memory, k, chosen, probability, reward)
        plain.learn(chosen, reward)
        assert memory[0] == sum(plain.times)
        assert memory[1 : 1 + 2 * k : 2].tolist() == plain.times
        assert memory[2 : 2 + 2 * k : 2] == pytest.approx(plain.mean, abs=1e-12)
        assert policy(bandit, memory, k) == pytest.approx(np.divide(plain.times, sum(plain.times)))
    assert plain.resets >= 2


def test_the_looks_come_at_growing_intervals():
    bandit, memory, random = ResettingUCT(first=10, growth=1.5), memory_of(ResettingUCT(), 2), dice.seeded(1)
    looked, known = [], 0.0
    for visit in range(150):
        chosen, probability = choose(bandit, memory, 2, random)
        bandit.learn(memory, 2, chosen, probability, 0.5 + visit / 1_000)
        if memory[6] != known:  # the next look
            looked.append(visit)
            known = memory[6]
    assert looked == [10, 15, 22, 33, 49, 73, 109]  # each 1.5 times the one before, rounded down


@pytest.mark.parametrize("first, growth", [(1, 1.5), (100, 1.001)])
def test_the_intervals_grow_where_rounding_down_would_keep_the_next_look_where_it_is(first, growth):
    bandit = ResettingUCT(first=first, growth=growth)
    memory, random, looks = memory_of(bandit, 2), dice.seeded(1), [0.0]
    for visit in range(10 * first):
        chosen, probability = choose(bandit, memory, 2, random)
        bandit.learn(memory, 2, chosen, probability, visit / 1_000)
        looks += [] if memory[6] == looks[-1] else [memory[6]]
    expected = [max(first + 1, math.floor(growth * first))]
    while expected[-1] < looks[-1]:
        expected.append(max(expected[-1] + 1, math.floor(growth * expected[-1])))
    assert len(looks) > 3 and looks[1:] == expected


def test_as_long_as_all_values_go_one_way_it_is_nondeterministic_uct():
    # steady rewards: values stand still from the first look to the last, and there is no reset
    ours, plain = ResettingUCT(first=10), NondeterministicUCT(epsilon=ResettingUCT().epsilon)
    memory, other = memory_of(ours, 3), memory_of(plain, 3)
    random, dice_too = dice.seeded(3), dice.seeded(3)
    for _ in range(400):
        chosen, probability = choose(ours, memory, 3, random)
        assert (chosen, probability) == choose(plain, other, 3, dice_too)
        ours.learn(memory, 3, chosen, probability, chosen / 2)
        plain.learn(other, 3, chosen, probability, chosen / 2)
    assert memory[: len(other)].tolist() == other.tolist()


def test_against_itself_it_is_no_cure_at_a_million_visits():
    # Fig 4.1, where the thesis claims a total of .1013 and others found, at 1e6 visits, none below .15
    for seed in range(4):
        x, y = self_play(FIGURE_4_1, ResettingUCT(), 1_000_000, seed)
        assert 2 * half_gains(FIGURE_4_1.payoffs, x, y) > 0.15
