"""What holds for every bandit: its name, its parameters, its memory and its policy."""

import numpy as np
import pytest
from pulling import choose, memory_of, policy

from fogtree import Invalid, dice
from fogtree.bandits import BANDITS, EpsilonGreedy, Exp3, RegretMatching, SlidingWindowUCT, bandit_name, load_bandit

MADE = [cls() for cls in BANDITS.values()]
GUARD = 12345.0


@pytest.mark.parametrize("bandit", [*MADE, SlidingWindowUCT(window=1), Exp3(decay=0.3)], ids=bandit_name)
@pytest.mark.parametrize("k", [1, 2, 7])
def test_a_bandit_keeps_to_its_memory_and_its_policy_sums_to_1(bandit, k):
    # what it must not touch lies on both sides of its memory, as the memories of other sets do in a search
    block = np.full(bandit.slots(k) + 2, GUARD)
    memory, random, rewards = block[1:-1], dice.seeded(k), np.random.default_rng(k).random((60, k))
    memory[:] = 0.0
    for reward in rewards:
        chosen, probability = choose(bandit, memory, k, random)
        assert 0 <= chosen < k and 0 < probability <= 1
        bandit.learn(memory, k, chosen, probability, reward[chosen])
        mix = policy(bandit, memory, k)
        assert (mix >= 0).all() and mix.sum() == pytest.approx(1, abs=1e-12)
    assert block[0] == block[-1] == GUARD


@pytest.mark.parametrize("bandit", MADE, ids=bandit_name)
def test_before_any_visit_the_policy_is_uniform(bandit):
    assert policy(bandit, memory_of(bandit, 5), 5) == pytest.approx([0.2] * 5)


@pytest.mark.parametrize("bandit", MADE, ids=bandit_name)
def test_the_same_dice_and_rewards_give_the_same_memory(bandit):
    def course(seed):
        memory, random = memory_of(bandit, 3), dice.seeded(seed)
        for step in range(50):
            chosen, probability = choose(bandit, memory, 3, random)
            bandit.learn(memory, 3, chosen, probability, (chosen + step) % 3 / 2)
        return memory.tolist(), random.tolist()

    assert course(4) == course(4)
    assert course(4)[1] != course(5)[1]


@pytest.mark.parametrize("name", BANDITS)
def test_a_name_loads_the_bandit_that_it_names(name):
    assert load_bandit(name) == BANDITS[name]() and bandit_name(BANDITS[name]()) == name


@pytest.mark.parametrize(
    "text, bandit",
    [
        ("rm:gamma=0.2", RegretMatching(0.2)),
        ("exp3:gamma=0.2,decay=0.3", Exp3(0.2, 0.3)),
        ("uct-window:window=7", SlidingWindowUCT(window=7)),
        ("greedy:epsilon=1.0", EpsilonGreedy(1.0)),
    ],
)
def test_a_name_carries_the_parameters(text, bandit):
    assert load_bandit(text) == bandit and bandit_name(bandit) == text


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("nobody", "there is no bandit 'nobody': valid are uct, tuned, exp3, exp3-deep, rm, "),
        ("rm:c=2", "rm has no parameter 'c': valid are gamma, decay"),
        ("uniform:c=2", "uniform has no parameter 'c': valid are none"),
        ("rm:gamma=0", r"RegretMatching: gamma must be a number in \(0, 1\], not 0"),
        ("rm+:gamma=1.1", r"RegretMatchingPlus: gamma must be a number in \(0, 1\], not 1.1"),
        ("exp3:gamma=-0.1", r"Exp3: gamma must be a number in \(0, 1\], not -0.1"),
        ("exp3:decay=2", r"Exp3: decay must be a number in \[0, 1\], not 2"),
        ("uct:c=-1", r"UCT: c must be a number in \[0, 1e\+09\], not -1"),
        ("uct:c=nan", r"UCT: c must be a number in \[0, 1e\+09\], not nan"),
        ("uct:c=x", r"UCT: c must be a number in \[0, 1e\+09\], not 'x'"),
        ("uct-det:c=-1", "DeterministicUCT: c must be a number in "),
        ("uct-eps:epsilon=-0.1", "NondeterministicUCT: epsilon must be a number in "),
        ("uct-window:window=0", "SlidingWindowUCT: window must be a whole number from 1 to "),
        ("uct-window:window=2.5", "SlidingWindowUCT: window must be a whole number from 1 to "),
        ("uct-reset:first=0", "ResettingUCT: first must be a whole number from 1 to "),
        ("uct-reset:growth=1", r"ResettingUCT: growth must be a number in \(1, 100\], not 1"),
        ("uct-reset:restart=0", "ResettingUCT: restart must be a whole number from 1 to "),
        ("greedy:epsilon=2", r"EpsilonGreedy: epsilon must be a number in \[0, 1\], not 2"),
    ],
)
def test_a_bad_name_or_parameter_is_one_sentence(text, sentence):
    with pytest.raises(Invalid, match=sentence) as error:
        load_bandit(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", [name for name, kind in BANDITS.items() if hasattr(kind, "means")])
def test_the_means_are_those_of_the_rewards(name):
    bandit = load_bandit(f"{name}:confidence=0" if name.startswith("rave") else name)
    memory, out = memory_of(bandit, 3), np.full(3, np.nan)
    for action, reward in enumerate((0.25, 0.5, 1.0)):
        bandit.learn(memory, 3, action, 1.0, reward)
    bandit.learn(memory, 3, 2, 1.0, 0.0)
    bandit.means(memory, 3, out)
    assert out == pytest.approx([0.25, 0.5, 0.5])
