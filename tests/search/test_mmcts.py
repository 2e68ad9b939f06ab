"""Multiple-tree search: Algorithm 2 of Auger 2011 worked by hand, written twice, and measured."""

import math
from typing import NamedTuple

import numba
import numpy as np
import pytest

from fogtree import dice
from fogtree.bandits import UCT, RegretMatching
from fogtree.bandits.deep_exp3 import HEAD, REFERENCE, WEIGHT, Clock, DeepExp3
from fogtree.errors import Broken, Invalid
from fogtree.game import CHANCE, OVER, Shape, legal, new_state, odds
from fogtree.games import Goofspiel, Kuhn, Leduc, MatrixGame, PhantomTicTacToe
from fogtree.measure.exploitability import exploitability
from fogtree.search.trees.mmcts import MMCTS
from fogtree.solvers.forms.sequence import sequence_form
from search.test_ismcts import TRIO, assert_identical, dice_of, sets_of

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

PENNIES = MatrixGame([[1, -1], [-1, 1]])
EVEN = np.ones(3) / 3  # a prior, of which this bandit makes nothing


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)


# --- by hand -------------------------------------------------------------------------------------------------------


def test_the_first_simulation_by_hand(interpreted):
    # gamma(1) = 1: both draw uniformly, p = 1/2; both are at their root, d = 0: f = 1.7^-9 = 0.008433; so the logarithm of
    # the chosen weight becomes f * (+-1) / (1/2)
    search = MMCTS(PENNIES, seed=1).run(iterations=1)
    assert search.infosets == 2
    worth = []
    for actions, memory in sets_of(search).values():
        assert actions == [0, 1]
        times = memory[HEAD + 4 :].tolist()
        assert sorted(times) == [0, 1]
        chosen = times.index(1)
        assert memory[HEAD + 1 - chosen] == 0
        worth.append(memory[HEAD + chosen] * 1.7**9 / 2)
        assert memory[HEAD + 2 + chosen] == math.exp(memory[HEAD + chosen])
    assert sorted(worth) == pytest.approx([-1, 1], abs=1e-12)


def test_two_draws_and_updates_by_hand():
    # gamma 0.5, no decay, f(d) = 2^(d - 1): at d = 2 it is 2. Weights 1 1; a reward of 1 for action 0, drawn with 1/2, makes
    # them e^4 and 1; so p_0 = 0.5 e^4 / (e^4 + 1) + 0.25 = 0.741; then a reward of -1 takes 2 / p_0 = 2.6990 from 4.
    bandit, memory = DeepExp3(gamma=0.5, decay=0, base=2, depth=1), np.zeros(HEAD + 6)
    bandit.begin(memory, 2, 2, EVEN)
    assert memory.tolist() == [0, 2, 0, 0, 1, 1, 0, 0]
    bandit.learn(memory, 2, 0, 0.5, 1.0)
    assert memory.tolist() == [0, 2, 4, 0, math.exp(4), 1, 1, 0]
    now = bandit.at(7)
    assert now.gamma == 0.5
    wanted = {0: 0.5 * math.exp(4) / (math.exp(4) + 1) + 0.25, 1: 0.5 / (math.exp(4) + 1) + 0.25}
    random, drawn = dice.seeded(1), {0: 0, 1: 0}
    with np.errstate(over="ignore"):
        for _ in range(2_000):
            chosen, probability = now.choose(memory, 2, random)
            assert probability == pytest.approx(wanted[chosen], rel=1e-14)
            drawn[chosen] += 1
    assert drawn[0] / 2_000 == pytest.approx(wanted[0], abs=0.04)  # four standard deviations
    bandit.learn(memory, 2, 0, wanted[0], -1.0)
    assert memory[HEAD] == pytest.approx(4 - 2 / wanted[0]) and memory[HEAD] == pytest.approx(1.3010, abs=1e-4)
    out = np.zeros(2)
    bandit.policy(memory, 2, out)
    assert out.tolist() == [1, 0]
    bandit.mixture(memory, 2, out)
    assert out[0] == pytest.approx(1 / (1 + math.exp(-1.3010)), abs=1e-4)


def test_exploration_by_simulation_or_by_visits():
    by_simulation, by_node = DeepExp3(), DeepExp3(clock="node")
    assert by_simulation.at(1).gamma == 1 and by_simulation.at(5e7).gamma == pytest.approx(0.004902, abs=1e-6)
    memory = np.zeros(HEAD + 6)
    by_node.begin(memory, 2, 0, EVEN)
    memory[HEAD + 4] = 31  # visits, so this is the 32nd: gamma = 32^-0.3 = 2^-1.5
    memory[HEAD] = memory[HEAD + 2] = 0.0  # its weight is 0, as after a long fall: p is the exploration alone
    with np.errstate(over="ignore"):
        seen = dict(by_node.at(9).choose(memory, 2, dice.seeded(seed)) for seed in range(40))
    assert seen == {0: pytest.approx(2**-2.5), 1: pytest.approx(1 - 2**-2.5)}


def test_rewards():
    assert [DeepExp3().reward(x, -1, 1) for x in (-1, 0, 1)] == [-1, 0, 1]
    assert [DeepExp3().reward(x, 0, 4) for x in (0, 1, 4)] == [-1, -0.5, 1]
    assert [DeepExp3(aim="win").reward(x, -1, 1) for x in (-1, 0, 1)] == [0, 0, 1]


# --- nothing overflows ---------------------------------------------------------------------------------------------


def test_weights_far_beyond_floats_stay_finite_and_come_back():
    bandit, memory = DeepExp3(base=1), np.zeros(HEAD + 9)
    bandit.begin(memory, 3, 0, EVEN)
    for _ in range(1_000):
        bandit.learn(memory, 3, 1, 1e-3, 1.0)  # its logarithm grows by a thousand each time: to a million
    assert memory[HEAD + 1] == pytest.approx(1e6) and memory[REFERENCE] > 1e6 - 501
    assert np.isfinite(memory).all() and memory[HEAD + 3] == memory[HEAD + 5] == 0
    bandit.learn(memory, 3, 2, 1e-3, 1.0)
    assert memory[HEAD + 5] == 0  # still far below
    memory[HEAD + 2] = memory[HEAD + 1] - 1
    bandit.learn(memory, 3, 2, 0.5, 0.5)  # level with the leader again
    out = np.zeros(3)
    bandit.mixture(memory, 3, out)
    assert out.tolist() == pytest.approx([0, 0.5, 0.5])


@pytest.mark.parametrize(
    "bandit, depth", [(DeepExp3(depth=-1e6), 0), (DeepExp3(base=1e-300, depth=9), 1), (DeepExp3(), 2000)]
)
def test_rewards_that_count_without_measure_leave_numbers(bandit, depth):
    memory, random, out = np.zeros(bandit.slots(2)), dice.seeded(1), np.zeros(2)
    bandit.begin(memory, 2, depth, EVEN)
    with np.errstate(over="ignore"):
        for n in range(1, 50):
            chosen, probability = bandit.at(n).choose(memory, 2, random)
            bandit.learn(memory, 2, chosen, probability, 1.0 - 2.0 * chosen)
    bandit.mixture(memory, 2, out)
    assert np.isfinite(memory).all() and out.tolist() == [1, 0]


def test_weights_that_all_fall_keep_their_proportions():
    bandit, memory = DeepExp3(base=1), np.zeros(HEAD + 6)
    bandit.begin(memory, 2, 0, EVEN)
    memory[HEAD], memory[HEAD + 1] = -5_000, -5_001
    bandit.learn(memory, 2, 0, 0.5, -0.5)
    bandit.learn(memory, 2, 1, 0.5, -0.5)  # -5,001 and -5,002
    assert memory[HEAD + 2] == memory[HEAD + 3] == 0
    with np.errstate(over="ignore"):
        chosen, probability = bandit._replace(gamma=0.2).choose(memory, 2, dice.seeded(1))
    first = 1 / (1 + math.exp(-1))
    assert probability == pytest.approx(0.8 * (first, 1 - first)[chosen] + 0.1)


# --- two ways ------------------------------------------------------------------------------------------------------


class PlainMMCTS:
    """Algorithm 2 of Auger 2011 with a dictionary for each player's tree and weights as plain numbers."""

    def __init__(self, game, seed, bandit):
        self.game, self.bandit, self.random, self.shape = game, bandit, dice.seeded(seed), game.shape()
        self.trees = [{} for _ in range(self.shape.players)]  # view -> depth, weights, times
        self.n = 0

    def simulate(self):
        game, state = self.game, new_state(self.game)
        self.n += 1
        gamma = self.n**-0.3
        path = [[] for _ in self.trees]
        inside = [True for _ in self.trees]
        while (player := game.player(state)) != OVER:
            actions = legal(game, state)
            k = len(actions)
            if player == CHANCE:
                move = dice.pick(self.random, odds(game, state), k)
            elif k == 1:
                move = 0
            elif not inside[player]:
                move = dice.below(self.random, k)
            else:
                tree, view = self.trees[player], int(game.view(state, player))
                if view not in tree:
                    inside[player] = False
                    tree[view] = len(path[player]), [1.0] * k, [0] * k
                weight = tree[view][1]
                p = [(1 - gamma) * w / sum(weight) + gamma / k for w in weight]
                move = self.draw(weight, gamma)
                path[player].append((view, move, p[move]))
            game.step(state, actions[move])
        for player, steps in enumerate(path):
            reward = self.bandit.reward(game.payoff(state, player), self.shape.low, self.shape.high)
            for view, move, probability in steps:
                depth, weight, times = self.trees[player][view]
                weight[move] *= math.exp(1.7 ** (depth - 9) * reward / probability)
                times[move] += 1

    def draw(self, weight, gamma):
        at = dice.unit(self.random)
        if at < gamma:
            return int(at / gamma * len(weight))
        at = (at - gamma) / (1 - gamma) * sum(weight)
        edges = np.cumsum(weight)
        return int(np.searchsorted(edges[:-1], at, side="right"))


@pytest.mark.parametrize(
    "game, aim", [(Kuhn(), "zero-sum"), (TRIO, "win"), (PhantomTicTacToe(), "win")], ids=lambda x: str(x)[:6]
)
def test_logarithms_equal_plain_weights_where_these_do_not_overflow(game, aim, interpreted):
    bandit = DeepExp3(aim=aim)
    search, plain = MMCTS(game, bandit, 5), PlainMMCTS(game, 5, bandit)
    with np.errstate(over="ignore"):
        for _ in range(60):
            before = [len(tree) for tree in plain.trees]
            plain.simulate()
            assert all(len(tree) <= old + 1 for tree, old in zip(plain.trees, before, strict=True))
    search.run(iterations=60)
    found = sets_of(search)
    assert len(found) == sum(len(tree) for tree in plain.trees) and search.iterations == 60
    for (player, view), (actions, memory) in found.items():
        depth, weight, times = plain.trees[player][view]
        k = len(actions)
        assert memory[WEIGHT] == 1.7 ** (depth - 9)
        assert memory[HEAD : HEAD + k] == pytest.approx(np.log(weight), abs=1e-12)
        assert memory[HEAD + 2 * k :].tolist() == times
    assert dice_of(search) == plain.random.tolist()


@pytest.mark.parametrize(
    "game", [Kuhn(), pytest.param(Leduc(), marks=pytest.mark.slow)], ids=lambda game: type(game).__name__
)
def test_interpreted_and_compiled_give_the_same_trees(game, monkeypatch):
    compiled = MMCTS(game, seed=3).run(iterations=300)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert_identical(compiled, MMCTS(game, seed=3).run(iterations=300))
    assert (
        compiled.mixture().probability.tolist()
        == MMCTS(game, seed=3).run(iterations=300).mixture().probability.tolist()
    )


# --- what it does --------------------------------------------------------------------------------------------------


def test_roots_are_visited_in_every_simulation_and_a_tree_grows_by_one():
    search = MMCTS(Kuhn(), seed=1)
    for simulations in range(1, 4):
        search.run(iterations=1)
        assert search.infosets <= 2 * simulations
    search.run(iterations=2_997)
    first = [memory for (player, view), (_, memory) in sets_of(search).items() if memory[WEIGHT] == 1.7**-9]
    assert len(first) == 9  # three cards for the first player, three and what the first did for the second
    assert sum(memory[-2:].sum() for memory in first) == 6_000


def test_the_trees_are_the_same_however_the_simulations_are_cut():
    whole, cut = MMCTS(Leduc(), seed=2).run(iterations=5_000), MMCTS(Leduc(), seed=2)
    for simulations in (1, 0, 999, 4_000):
        cut.run(iterations=simulations)
    assert_identical(whole, cut)


@pytest.mark.parametrize("game, last", [(Kuhn(), 0.05), (Leduc(), 1.6)], ids=lambda x: str(x)[:5])
def test_exploitability_falls_as_simulations_grow(game, last):
    assert_falls(game, (1_000, 30_000, 1_000_000), last)


def test_exploitability_falls_in_goofspiel(interpreted):
    assert_falls(Goofspiel(3), (100, 1_000, 8_000), 0.4)


def assert_falls(game, marks, last):
    form, search, totals = sequence_form(game), MMCTS(game, seed=1), []
    for mark in marks:
        search.run(iterations=mark - search.iterations)
        totals.append(exploitability(form, search.strategy()).total)
    assert totals[0] > totals[1] > totals[2] and totals[2] < last


def test_frequencies_approach_equilibrium_and_the_final_mixture_does_not():
    search, form = MMCTS(Kuhn(), seed=1).run(iterations=1_000_000), sequence_form(Kuhn())
    assert exploitability(form, search.strategy()).total < 0.03 < 0.15 < exploitability(form, search.mixture()).total


def test_any_bandit_can_take_the_place_of_exp3(interpreted):
    search = MMCTS(Kuhn(), RegretMatching(), 1).run(iterations=5_000)
    assert exploitability(Kuhn(), search.strategy()).total < 0.4  # uniform play: 0.917
    assert exploitability(Kuhn(), search.mixture()).total < 0.917
    with pytest.raises(Invalid, match="UCT has no final mixture: a bandit needs a method `mixture`"):
        MMCTS(Kuhn(), UCT(), 1).run(iterations=50).mixture()


def test_at_its_cap_a_search_goes_on_within_its_trees(interpreted):
    search = MMCTS(Leduc(), seed=1, sets=101).run(iterations=300)
    assert 100 <= search.infosets <= 101 and search.iterations == 300
    assert search.note == f"the tree stopped growing at the cap of {search.infosets} information sets"


@pytest.mark.parametrize(
    "budget, sentence",
    [
        ({}, "give a number of iterations or of seconds"),
        ({"iterations": -1}, "iterations must be a whole number of 0 or more, not -1"),
        ({"iterations": 1, "threads": 0}, "threads must be a whole number of 1 or more, not 0"),
    ],
)
def test_a_bad_budget_is_one_sentence(budget, sentence):
    with pytest.raises(Invalid, match=sentence):
        MMCTS(Kuhn()).run(**budget)


def test_bad_parameters_are_one_sentence():
    with pytest.raises(Invalid, match=r"DeepExp3: gamma must be a number in \(0, 1\], not 0"):
        DeepExp3(gamma=0)
    with pytest.raises(Invalid, match="DeepExp3: clock must be simulation or node, not 'wall'"):
        DeepExp3(clock="wall")
    assert DeepExp3(clock="node").clock == Clock.NODE


def test_a_game_that_is_longer_than_it_says_is_refused(interpreted):
    class Hasty(Kuhn):
        def shape(self):
            return super().shape()._replace(moves=1)

    with pytest.raises(Broken, match=r"Hasty goes on after 1 moves, the most that shape\(\) allows"):
        MMCTS(Hasty()).run(iterations=100)


class Forced(NamedTuple):
    """Player 0 chooses 0, 1 or 2; player 1 must answer with 7 and gets what player 0 chose."""

    def shape(self):
        return Shape(2, 2, 8, 2, -2.0, 2.0)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        return 0 if state[0] < 0 else 1 if state[1] < 0 else OVER

    def actions(self, state, out):
        if state[0] < 0:
            out[:3] = 0, 1, 2
            return 3
        out[0] = 7
        return 1

    def odds(self, state, out):
        pass

    def step(self, state, action):
        assert action == 7 or state[0] < 0
        state[0 if state[0] < 0 else 1] = action

    def payoff(self, state, player):
        return float(state[0]) if player == 1 else -float(state[0])

    def view(self, state, player):
        return player


def test_a_forced_move_is_played_and_not_learned(interpreted):
    search = MMCTS(Forced(), seed=1).run(iterations=50)
    assert search.infosets == 1
