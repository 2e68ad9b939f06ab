"""What a bandit overhears: worked out by hand, and by a second way over whole games."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from fogtree import OVER, Goofspiel, Shape, TicTacToe, dice
from fogtree.bandits import UniformRandom
from fogtree.game import legal, new_state
from fogtree.search.trees.ear import MARKS, new_ear
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mmcts import MMCTS
from search.test_ismcts import sets_of

pytestmark = pytest.mark.usefixtures("interpreted")  # compiling would take longer than all of it


class Listening(NamedTuple):
    """Chooses evenly. Memory: for each action how often it was heard, and the sum of the rewards then."""

    def slots(self, k):
        return 2 * k

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        return dice.below(random, k), 1.0 / k

    def learn(self, memory, k, chosen, probability, reward):
        pass

    def policy(self, memory, k, out):
        UniformRandom().policy(memory, k, out)

    def overhear(self, memory, k, heard, reward):
        for i in range(k):
            if heard[i]:
                memory[2 * i] += 1.0
                memory[2 * i + 1] += reward


class Replayed:
    """The same search by a dictionary: every move of a simulation is kept, and each set looks at what comes after it."""

    def __init__(self, game, seed):
        self.game, self.random, self.heard = game, dice.seeded(seed), {}

    def iterate(self):
        game, state, trail, path, inside = self.game, new_state(self.game), [], [], True
        while (player := int(game.player(state))) != OVER:
            actions = legal(game, state)
            if inside and len(actions) > 1:
                key = player, int(game.view(state, player))
                new = key not in self.heard
                self.heard.setdefault(key, {a: [0, 0.0] for a in actions})
                action = actions[dice.below(self.random, len(actions))]
                path.append((key, len(trail)))
                inside = not new
            elif inside:
                action = actions[0]  # forced moves in the tree throw no dice
            else:
                action = actions[dice.below(self.random, len(actions))]
            trail.append((player, action))
            game.step(state, action)
        for (player, view), at in path:
            first = {}
            for who, action in trail[at:]:
                first.setdefault(action, who)
            for action, found in self.heard[player, view].items():
                if first.get(action) == player:
                    found[0] += 1
                    found[1] += game.payoff(state, player)


@pytest.mark.parametrize("game", [TicTacToe(), Goofspiel(4)], ids=lambda game: type(game).__name__)
def test_a_set_hears_what_its_player_played_first(game, monkeypatch):
    search = ISMCTS(game, Listening(), 3).run(iterations=300)
    plain = Replayed(game, 3)
    with np.errstate(over="ignore"):
        for _ in range(300):
            plain.iterate()
    found = {
        key: dict(zip(actions, memory.reshape(-1, 2).tolist(), strict=True))
        for key, (actions, memory) in sets_of(search).items()
    }
    assert found == {key: {a: [float(n), u] for a, (n, u) in heard.items()} for key, heard in plain.heard.items()}
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    again = ISMCTS(game, Listening(), 3).run(iterations=300)
    for key, (_, memory) in sets_of(search).items():
        assert memory.tolist() == sets_of(again)[key][1].tolist()


class Far(NamedTuple):
    """Two moves each; the action numbers are far apart."""

    def shape(self):
        return Shape(2, 5, 2, 4, -1.0, 1.0, open=True)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return OVER if state[0] == 4 else state[0] & 1

    def actions(self, state, out):
        out[0], out[1] = 7, 5_000_000
        return 2

    def step(self, state, action):
        state[1 + state[0]] = action
        state[0] += 1

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        key = 1
        for move in range(state[0]):
            key = key * 2 + (state[1 + move] > 7)
        return key


def test_marks_grow_with_the_action_numbers(interpreted):
    search = ISMCTS(Far(), Listening(), 1).run(iterations=50)
    assert search.iterations == 50 and len(search.searchers[0].tree.room.ear.mark) > 5_000_000 > MARKS
    _, memory = sets_of(search)[0, 1]
    assert memory[0] + memory[2] >= 50  # at least what it chose itself, every time


def test_all_players_of_multiple_trees_listen(interpreted):
    search = MMCTS(TicTacToe(), Listening(), 1).run(iterations=100)
    assert all(memory[::2].sum() > 0 for _, memory in sets_of(search).values())


def test_without_a_listener_nothing_is_kept():
    assert ISMCTS(TicTacToe(), UniformRandom()).searchers[0].tree.room.ear == ()


def test_an_ear_has_room_for_action_numbers_below_its_marks():
    ear = new_ear(Far().shape(), Listening())
    ear.note(0, MARKS - 1)
    assert ear.has_room()
    ear.note(1, MARKS)
    assert not ear.has_room()
    ear.fresh()
    assert not ear.has_room() and ear.time() == 0  # the next simulation may meet it again


@pytest.mark.parametrize("cap", [{"sets": 1}, {"memory": 0}])
def test_marks_grow_whatever_limit_the_tree_has_reached(cap):
    # the far action needs more marks than the limit leaves bytes for, or is met when the tree is full
    def stop(done):
        calls.append(done)
        assert len(calls) < 100, "the search stands still"

    calls = []
    assert ISMCTS(Far(), Listening(), 1, **cap).run(iterations=50, progress=stop).iterations == 50
