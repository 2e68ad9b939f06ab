"""A subgame with a depth limit: some moves after our next decision, play ends with a leaf.

The limit counts from our first decision outside the public state in which the subgame begins, so that all that is carried
to the next decision lies above it. What a leaf is worth says a `NamedTuple` with two methods:

    ways()                      how many ways to go on the foe may choose from
    value(game, state, way)     what player 0 may expect if the foe goes on so

`Valued(evaluation)` has one way: an evaluation of the state. In hidden games that is a guess, for what a state is worth
depends on what everybody believes. `continuations(...)` is the known remedy (Brown, Sandholm and Amos 2018): the foe
chooses among a few fixed ways to go on, not knowing more than they know. The foe plays by a policy as it is, or leans to
the first or to the last of their actions; we play by the policy. The value is the mean of some random games, drawn by dice
that the state itself seeds: a leaf is always worth the same.

State: that of the game, then one word: 0, or how many moves we are past our next decision, or which way the foe has chosen.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..game import CHANCE, HASHED, OVER, Shape, label, seen, show
from ..policy import Uniform
from .published import row_key

NOT_YET = 0
LEAF = np.int64(HASHED + 3)  # the foe's view of a choice between ways begins with it
RADIX = 1 << 31
AS_IT_IS, FIRST, LAST = 0, 1, 2  # ways to go on
WAYS = 3
LEAN = 10.0  # how many times as often an action is played to which somebody leans


class Valued(NamedTuple):
    """A leaf is worth what an evaluation says."""

    evaluation: Any

    def ways(self):
        return 1

    def value(self, game, state, way):
        return self.evaluation.value(game, state)


class Continuations(NamedTuple):
    """A leaf is worth what random games bring in which the foe goes on in one of several ways."""

    policy: Any
    foe: int
    many: int  # ways, from 1 to WAYS
    games: int
    moves: int  # in one game, at most
    row: np.ndarray  # [words] scratch, and so are the next three
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    random: np.ndarray  # [4]

    def ways(self):
        return self.many

    def value(self, game, state, way):
        seed = np.uint64(row_key(state))
        for word in range(4):
            self.random[word] = seed + np.uint64(word + 1)
        for _ in range(8):
            dice.draw(self.random)  # the first numbers are those of a poor seed
        total = 0.0
        for _ in range(self.games):
            for word in range(state.shape[0]):
                self.row[word] = state[word]
            for _ in range(self.moves):
                player = game.player(self.row)
                if player == OVER:
                    break
                if player == CHANCE:
                    count = game.actions(self.row, self.choice)
                    game.odds(self.row, self.odds)
                else:
                    count = self.policy.weigh(game, self.row, player, self.choice, self.odds)
                    if player == self.foe and way != AS_IT_IS:
                        self.lean(count, way)
                game.step(self.row, self.choice[dice.pick(self.random, self.odds, count)])
            if game.player(self.row) == OVER:
                total += game.payoff(self.row, 0)
        return total / self.games

    def lean(self, count, way):
        """Play the first or the last action more often."""
        at = 0 if way == FIRST else count - 1
        mass = 1.0 + (LEAN - 1.0) * self.odds[at]
        self.odds[at] *= LEAN
        for a in range(count):
            self.odds[a] /= mass


def continuations(game: Any, foe: int, policy: Any = None, *, ways: int = WAYS, games: int = 10) -> Continuations:
    """The leaves of a game. The policy is uniform play by default."""
    shape = game.shape()
    scratch = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
    policy = Uniform() if policy is None else policy
    return Continuations(policy, foe, ways, games, shape.moves, *scratch, np.zeros(4, np.uint64))


class Limited(NamedTuple):
    """A game that ends with a leaf, so many moves after our first decision outside a public state."""

    game: Any
    me: int
    here: int  # the public key of that state
    depth: int  # moves, 1 or more
    leaves: Any

    def shape(self):
        inner = self.game.shape()
        actions = max(inner.actions, self.leaves.ways())
        return Shape(inner.players, inner.words + 1, actions, inner.moves + 1, inner.low, inner.high, True, False)

    def start(self, state):
        self.game.start(state[:-1])
        state[-1] = NOT_YET

    def player(self, state):
        mover = self.game.player(state[:-1])
        if mover == OVER or state[-1] <= self.depth:
            return mover
        return 1 - self.me if self.leaves.ways() > 1 and state[-1] == self.depth + 1 else OVER

    def actions(self, state, out):
        if state[-1] <= self.depth:
            return self.game.actions(state[:-1], out)
        for way in range(self.leaves.ways()):
            out[way] = way
        return self.leaves.ways()

    def odds(self, state, out):
        self.game.odds(state[:-1], out)

    def step(self, state, action):
        if state[-1] > self.depth:
            state[-1] += 1 + action
            return
        if state[-1] > NOT_YET:
            state[-1] += 1
        elif self.game.player(state[:-1]) == self.me and self.game.public(state[:-1]) != self.here:
            state[-1] = NOT_YET + 1
        self.game.step(state[:-1], action)

    def payoff(self, state, player):
        if self.game.player(state[:-1]) == OVER:
            return self.game.payoff(state[:-1], player)
        value = self.leaves.value(self.game, state[:-1], max(0, state[-1] - self.depth - 2))
        return value if player == 0 else -value

    def view(self, state, player):
        view = self.game.view(state[:-1], player)
        if state[-1] > self.depth and player != self.me and self.game.player(state[:-1]) != OVER:
            return seen(seen(LEAF, view, RADIX), state[-1] - self.depth, RADIX)
        return view

    def public(self, state):
        return self.game.public(state[:-1])

    # --- for Python ---

    def show(self, state, player):
        return show(self.game, state[:-1], player)

    def label(self, state, action):
        return label(self.game, state[:-1], action) if state[-1] <= self.depth else f"way {action}"
