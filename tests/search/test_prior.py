"""Priors and pruning: what a policy says of the actions of a new set."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from fogtree import Goofspiel, Invalid, TicTacToe, dice
from fogtree.bandits import RAVE, UCT, UniformRandom
from fogtree.game import legal, new_state
from fogtree.policy import Uniform
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mcts import MCTS
from fogtree.trouble import FOREIGN
from search.test_ismcts import sets_of


class Rising(NamedTuple):
    """Weighs an action by its number, so that action 0 has weight 0."""

    def weigh(self, game, state, player, choice, odds):
        count, total = game.actions(state, choice), 0.0
        for a in range(count):
            total += choice[a]
        for a in range(count):
            odds[a] = choice[a] / total
        return count


class Leaving(NamedTuple):
    """Leaves out all actions but the last `kept`."""

    kept: int

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        kept = min(self.kept, count)
        for a in range(kept):
            choice[a], odds[a] = choice[count - kept + a], 1.0 / kept
        return kept


class Foreign(NamedTuple):
    def weigh(self, game, state, player, choice, odds):
        return FOREIGN


class Noting(NamedTuple):
    """Chooses evenly and remembers the prior."""

    def slots(self, k):
        return k

    def reward(self, payoff, low, high):
        return payoff

    def begin(self, memory, k, depth, prior):
        for i in range(k):
            memory[i] = prior[i]

    def choose(self, memory, k, random):
        return dice.below(random, k), 1.0 / k

    def learn(self, memory, k, chosen, probability, reward):
        pass

    def policy(self, memory, k, out):
        UniformRandom().policy(memory, k, out)


def reached(game, search):
    """Every position that can be reached by the actions of the sets of a search, with those actions."""
    sets, states = sets_of(search), [new_state(game)]
    with np.errstate(over="ignore"):
        while states:
            state = states.pop()
            key = int(game.player(state)), int(game.view(state, game.player(state)))
            if key in sets:
                yield state, sets[key]
                for action in sets[key][0]:
                    child = state.copy()
                    game.step(child, action)
                    states.append(child)


def test_actions_of_weight_0_are_left_out_and_the_bandit_gets_the_weights(interpreted):
    game = TicTacToe()
    search = ISMCTS(game, Noting(), 1, prior=Rising()).run(iterations=300)
    seen = 0
    for state, (actions, weights) in reached(game, search):
        assert list(actions) == [action for action in legal(game, state) if action > 0]
        assert weights == pytest.approx([action / sum(actions) for action in actions])
        seen += 1
    assert seen > 100 and seen == search.infosets  # so every step was one of the set's own actions


def test_compiled_and_interpreted_pruning_agree(monkeypatch):
    found = []
    for off in (False, True):
        monkeypatch.setattr(numba.config, "DISABLE_JIT", off)
        found.append(ISMCTS(TicTacToe(), RAVE(), 1, prior=Rising()).run(iterations=200))
    compiled, plain = map(sets_of, found)
    assert compiled.keys() == plain.keys()
    for key, (actions, memory) in compiled.items():
        assert list(actions) == list(plain[key][0]) and memory.tolist() == plain[key][1].tolist()


def test_a_set_may_be_pruned_to_one_action(interpreted):
    state = new_state(TicTacToe())
    search = MCTS(TicTacToe(), UCT(), prior=Leaving(1)).think(state, iterations=20)
    assert search.best(state) == 8 and list(search.means(state)) == [8]
    assert search.search.infosets == 7  # cells 8 to 2: with the seventh move X has 6, 4 and 2, a row


def test_a_policy_that_leaves_nothing_prunes_nothing(interpreted):
    search = ISMCTS(TicTacToe(), Noting(), 1, prior=Leaving(0)).run(iterations=50)
    for state, (actions, weights) in reached(TicTacToe(), search):
        assert list(actions) == legal(TicTacToe(), state) and weights == pytest.approx(
            [1 / len(actions)] * len(actions)
        )


def test_a_uniform_prior_is_no_prior(interpreted):
    for game in (TicTacToe(), Goofspiel(3)):
        one, other = (ISMCTS(game, RAVE(), 2, prior=prior).run(iterations=200) for prior in (None, Uniform()))
        one, other = sets_of(one), sets_of(other)
        assert {key: memory.tolist() for key, (_, memory) in one.items()} == {
            key: memory.tolist() for key, (_, memory) in other.items()
        }


def test_threads_that_prune_alike_are_merged(interpreted):
    search = ISMCTS(TicTacToe(), UCT(), 1, prior=Rising()).run(iterations=200, threads=2)
    strategy = search.strategy()
    assert list(strategy[0, int(TicTacToe().view(new_state(TicTacToe()), 0))]) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_what_is_no_policy_is_refused(interpreted):
    with pytest.raises(Invalid, match="a strategy or a policy is needed"):
        ISMCTS(TicTacToe(), UCT(), prior=UCT())
    with pytest.raises(
        Invalid, match="the policy of the prior or of the judge lists an action that the game does not have"
    ):
        ISMCTS(TicTacToe(), UCT(), prior=Foreign()).run(iterations=5)


def test_with_a_waiting_room_a_set_is_entered_when_it_is_met_again(interpreted):
    start, game = new_state(TicTacToe()), TicTacToe()
    search = MCTS(game, UCT(), 1, waiting=1 << 12).think(start, iterations=1)
    assert search.search.infosets == 0 and search.search.iterations == 1
    search.think(start, iterations=1)
    assert search.search.infosets == 1
    search.think(start, iterations=8)  # the other first moves are tried once, and their positions wait
    assert search.search.infosets == 1
    search.think(start, iterations=9)
    assert 1 < search.search.infosets <= 10
    search.think(start, iterations=600)
    assert search.search.infosets < MCTS(game, UCT(), 1).think(start, iterations=600).search.infosets / 2


def test_a_small_waiting_room_forgets(interpreted):
    found = [MCTS(TicTacToe(), UCT(), 1, waiting=n).think(new_state(TicTacToe()), iterations=800) for n in (2, 1 << 12)]
    assert 1 <= found[0].search.infosets < found[1].search.infosets


def test_every_tree_has_a_waiting_room_of_its_own(interpreted):
    one = ISMCTS(TicTacToe(), UCT(), 1, waiting=64).run(iterations=100)
    both = ISMCTS(TicTacToe(), UCT(), 1, waiting=64).run(iterations=200, threads=2)
    tree, first = one.searchers[0].tree, both.searchers[0].tree
    assert tree.memory.tolist() == first.memory.tolist()


def test_waiting_is_a_number():
    with pytest.raises(Invalid, match="waiting must be a whole number of 0 or more"):
        ISMCTS(TicTacToe(), UCT(), waiting=-1)
