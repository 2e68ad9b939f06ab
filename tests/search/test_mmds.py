"""MMDS: one regularised step of improvement, its equation, its limits, and what it costs exactly."""

import math

import numba
import numpy as np
import pytest

import fogtree
import plain
from fogtree import CHANCE, Invalid, Kuhn, ManyKuhn
from fogtree.arena.sight import sight
from fogtree.bandits import UniformRandom
from fogtree.bandits.rave import RAVE
from fogtree.bandits.risk import Risk
from fogtree.game import legal, new_state
from fogtree.policy import Always, Uniform
from fogtree.search.worlds.belief import Belief
from fogtree.search.worlds.mmds import MMDS, improved

pytestmark = pytest.mark.usefixtures("unchecked")  # the game that is drawn says nothing of the deal

# one of two worlds is dealt, and player 0 does not know which: a sure 0.4, or a guess that wins 1 in one world and loses 1 in
# the other, or a third action that always brings -0.6
KNOWN = plain.drawn((CHANCE, [0.5, 0.5], (0, 1, 0.4, 1.0, -0.6), (0, 1, 0.4, -1.0, -0.6)))
LOW, HIGH = -1.0, 1.0


def worlds_of(game):
    """Both worlds of a game that begins with a throw of two."""
    found = [new_state(game), new_state(game)]
    for number, state in enumerate(found):
        game.step(state, number)
    return np.array(found)


def by_hand(base, value, eta, tau):
    """The equation as it is printed, number by number."""
    even = 1.0 / len(base)
    weight = [
        (p * even ** (eta * tau) * math.exp(eta * q)) ** (1.0 / (1.0 + eta * tau))
        for p, q in zip(base, value, strict=True)
    ]
    return [w / sum(weight) for w in weight]


def test_the_equation_with_known_values(interpreted):
    # every simulation ends with the next action, so q is known: 0.7, 0.5 and 0.2 of the range from -1 to 1
    search = MMDS(KNOWN, Fixed(), 1, eta=3.0, tau=0.4, bandit=UniformRandom())
    found = search.think(worlds_of(KNOWN), iterations=6_000)
    assert search.base == pytest.approx([0.5, 0.2, 0.3])
    assert search.value == pytest.approx([0.7, 0.5, 0.2], abs=0.02) and search.value[[0, 2]] == pytest.approx(
        [0.7, 0.2]
    )
    assert found.score == pytest.approx(by_hand([0.5, 0.2, 0.3], search.value, 3.0, 0.4))
    assert improved(np.array([0.5, 0.2, 0.3]), np.array([0.7, 0.5, 0.2]), 3.0, 0.4) == pytest.approx(
        by_hand([0.5, 0.2, 0.3], [0.7, 0.5, 0.2], 3.0, 0.4)
    )


class Fixed(Uniform):
    """Plays three actions with the odds 0.5, 0.2 and 0.3."""

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        for a in range(count):
            odds[a] = (0.5, 0.2, 0.3)[a]
        return count


def test_without_a_step_it_plays_the_base_policy_and_with_a_long_one_the_best_action():
    base, value = np.array([0.5, 0.2, 0.3]), np.array([0.1, 0.9, 0.4])
    assert improved(base, value, 0.0, 7.0) == pytest.approx(base)
    assert improved(base, value, 1e6, 0.0) == pytest.approx([0.0, 1.0, 0.0])
    assert improved(base, value, 1e6, 1e6) == pytest.approx([1 / 3, 1 / 3, 1 / 3], abs=1e-5)  # the magnet alone
    assert improved(np.array([0.5, 0.5, 0.0]), value, 50.0, 0.0)[2] == 0.0  # what the base never plays stays unplayed


def test_interpreted_and_compiled_searches_agree():
    worlds = Belief(Kuhn(), 1).observe(int(Kuhn().view(dealt(0, 1, 1), 1)))
    compiled = MMDS(Kuhn(), Uniform(), 7).think(worlds, iterations=300)
    plainly = run_plainly(lambda: MMDS(Kuhn(), Uniform(), 7).think(worlds, iterations=300))
    assert compiled.score.tolist() == plainly.score.tolist() and compiled.times.tolist() == plainly.times.tolist()


def run_plainly(work):
    numba.config.DISABLE_JIT, before = True, numba.config.DISABLE_JIT
    try:
        return work()
    finally:
        numba.config.DISABLE_JIT = before


def dealt(*actions):
    state = new_state(Kuhn())
    for action in actions:
        Kuhn().step(state, action)
    return state


def test_a_step_from_even_play_at_every_set_of_kuhn_is_what_recursion_says():
    # q by plain recursion over the tree: the counterfactual value of each action under even play, divided by the reach
    game, agent = Kuhn(), fogtree.load_agent("mmds:iterations=40000,worlds=12,eta=4,tau=0.1,bandit=uniform", 3)
    for (player, view), value in values_by_recursion(game).items():
        agent.fresh()
        state = new_state(game)
        for action in path_to(game, player, view):
            if game.player(state) == player:
                agent.follow(sight(game, state, player), action)
            game.step(state, action)
        mix = agent.mix(sight(game, state, player))
        assert list(mix.values()) == pytest.approx(by_hand([0.5, 0.5], value, 4.0, 0.1), abs=0.02), (player, view)


def values_by_recursion(game):
    """(player, view) -> [action] what it brings under even play of everybody, in shares of the range of payoffs."""
    shape, found = game.shape(), {}

    def walk(node, reach):
        if not node.children:
            return node.payoff
        odds = node.odds or [1.0 / len(node.children)] * len(node.children)
        below = [walk(child, reach * p) for child, p in zip(node.children, odds, strict=True)]
        if node.player >= 0:
            sums = found.setdefault((node.player, node.view), [0.0, [0.0] * len(below)])
            sums[0] += reach  # its own moves count the same in all states of a set, for all moves are even
            sign = 1.0 if node.player == 0 else -1.0
            for a, value in enumerate(below):
                sums[1][a] += reach * sign * value
        return sum(p * value for p, value in zip(odds, below, strict=True))

    walk(plain.tree(game), 1.0)
    return {key: [(v / w - shape.low) / (shape.high - shape.low) for v in values] for key, (w, values) in found.items()}


def path_to(game, player, view):
    """The actions that lead to a state in which the player has this view."""

    def find(state, path):
        if game.player(state) == player and int(game.view(state, player)) == view:
            return path
        ways = (find(after(game, state, action), [*path, action]) for action in legal(game, state))
        return next((way for way in ways if way is not None), None)

    return find(new_state(game), [])


def after(game, state, action):
    child = state.copy()
    game.step(child, action)
    return child


def test_it_sees_only_what_its_player_sees():
    # the same view and other cards of the opponent: the same worlds, the same dice, the same mix
    mixes = []
    for theirs in (0, 2):
        agent = fogtree.load_agent("mmds:iterations=500", 5)
        mixes.append(agent.mix(sight(Kuhn(), dealt(theirs, 1, 1), 1)))
    assert mixes[0] == mixes[1]


def test_in_kuhn_a_step_from_even_play_is_less_exploitable_than_the_best_answer_to_it_and_that_than_even_play():
    # even play 11/12 (OpenSpiel's tests); the best answer to it is pure
    texts = ["mmds:iterations=2000,eta=4,tau=0.1", "mmds:iterations=2000,eta=1000,tau=0"]
    step, greedy = fogtree.soundness("kuhn", texts, seeds=4)
    assert step.high < 0.6 < greedy.low and greedy.high < 11 / 12


def test_partners_and_three_players_are_welcome(interpreted):
    game = ManyKuhn(players=3)
    match = fogtree.play(game, [fogtree.load_agent("mmds:iterations=50", n) for n in range(3)], seed=2)
    assert match.forfeit is None


def test_actions_that_were_not_tried_count_as_usual(interpreted):
    found = MMDS(KNOWN, Uniform(), 1, eta=2.0, tau=0.0).think(worlds_of(KNOWN), iterations=1)
    assert found.times.sum() == 1.0 and found.score == pytest.approx([1 / 3] * 3)


def test_bad_parts_are_refused_in_one_sentence():
    with pytest.raises(Invalid, match="RAVE needs a tree"):
        MMDS(Kuhn(), bandit=RAVE())
    with pytest.raises(Invalid, match="Risk needs a tree"):
        MMDS(Kuhn(), bandit=Risk())
    with pytest.raises(Invalid, match="eta must be a finite number of 0 or more, not -1"):
        MMDS(Kuhn(), eta=-1)
    with pytest.raises(Invalid, match="nobody is to move"):
        MMDS(Kuhn()).think(new_state(Kuhn())[None], iterations=1)
    with pytest.raises(Invalid, match="worlds are one state or more of"):
        MMDS(Kuhn()).think(np.zeros((0, 3)), iterations=1)
    assert MMDS(Kuhn(), Always(1)).policy == Always(1)
