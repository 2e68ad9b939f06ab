"""Subgames as games: what follows a public state, with our reach, and the gadgets that make it safe to solve it alone.

All histories with one public key (`public` in `game.py`), and what follows them, are a subgame: no information set of anybody
leads out of it. Its first histories are the roots. We, the player who searches, bring along how likely each root is by the
odds of chance and by our own moves. The other player, the foe, knows their own moves: roots with the same last decision and
action of the foe are a group, and the foe knows the group. (To tell the foe more would be safe too, and ask more than is
needed: what a best response gets in the whole game depends on these groups alone.)

    Subgame     chance draws a group, then a root. To solve this is unsafe: our part of the result may lose far more than
                before in the whole game, for a foe who knows it would come here with other groups than the weights say.
    Resolve     chance draws a group; the foe enters, or leaves with what is kept for the group: `value`, what the foe got
                there at most against our old strategy (Burch, Johanson and Bowling 2014, CFR-D). Where one group is
                all there is, nobody leaves.
    Maxmargin   the foe chooses a group, and all payoffs below are less by what is kept for it, so that the least margin is
                maximised (Moravčík et al. 2016).
    Reach       the same, but the foe has given something away already by coming here instead of taking the best action
                before. That gift is added to what is kept, so that we may give as much back (Brown and Sandholm 2017).

With values of best responses, our part of a solution of `Resolve` or `Maxmargin` is never more exploitable in the whole game
than the strategy that the values come from, and nor is that of `Reach` with gifts as in `solvers/forms/marked.py`.

State: that of the game, then the group of the foe, then the stage.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import CHANCE, HASHED, NONE, OVER, Shape, label, seen, show

GROUP, STAGE = -2, -1  # words behind those of the game
GROUPS, ANSWER, ROOTS, INSIDE, LEFT = range(5)  # a group is drawn | the foe answers | a root is drawn | the game | over
ENTER, LEAVE = 0, 1
FEWEST = 2  # actions that there is always room for
OUTSIDE, GROUP_RADIX = np.int64(HASHED + 1), 1 << 31  # views before the game goes on are hashes of these
DEALING = 3  # moves before the game goes on


class Roots(NamedTuple):
    """The first histories of a public state, group by group."""

    state: np.ndarray  # [roots, words]
    share: np.ndarray  # [roots] the probability of a root in its group, by chance and by our own moves
    first: np.ndarray  # [groups + 1] group g has the roots first[g] to first[g + 1] - 1
    mass: np.ndarray  # [groups] the probability of a group, by chance and by our own moves
    value: np.ndarray  # [groups] what is kept for the foe, as an expected payoff if the group is entered
    gift: np.ndarray  # [groups] what the foe has given away to get there, in the same unit


class Subgame(NamedTuple):
    """Chance draws a group and a root, and the game goes on from there."""

    game: Any
    foe: int
    roots: Roots

    def shape(self):
        inner = self.game.shape()
        widest = (self.roots.first[1:] - self.roots.first[:-1]).max()
        most = max(max(inner.actions, FEWEST), max(widest, self.roots.mass.shape[0]))
        low, high = self.bounds(inner.low, inner.high)
        return Shape(inner.players, inner.words + 2, int(most), inner.moves + DEALING, low, high, True, False)

    def bounds(self, low, high):
        return float(low), float(high)

    def start(self, state):
        state[:] = 0
        state[GROUP], state[STAGE] = NONE, GROUPS

    def player(self, state):
        if state[STAGE] == INSIDE:
            return self.game.player(state[:GROUP])
        return CHANCE

    def actions(self, state, out):
        if state[STAGE] == INSIDE:
            return self.game.actions(state[:GROUP], out)
        count = self.roots.mass.shape[0]
        if state[STAGE] == ANSWER:
            count = 2
        elif state[STAGE] == ROOTS:
            count = self.roots.first[state[GROUP] + 1] - self.roots.first[state[GROUP]]
        for a in range(count):
            out[a] = a
        return count

    def odds(self, state, out):
        if state[STAGE] == INSIDE:
            self.game.odds(state[:GROUP], out)
        elif state[STAGE] == GROUPS:
            for g in range(self.roots.mass.shape[0]):
                out[g] = self.roots.mass[g]
        else:
            begin, end = self.roots.first[state[GROUP]], self.roots.first[state[GROUP] + 1]
            for k in range(begin, end):
                out[k - begin] = self.roots.share[k]

    def step(self, state, action):
        if state[STAGE] == INSIDE:
            self.game.step(state[:GROUP], action)
        elif state[STAGE] == GROUPS:
            state[GROUP], state[STAGE] = action, self.after_the_group()
        elif state[STAGE] == ANSWER:
            state[STAGE] = ROOTS if action == ENTER else LEFT
        else:
            k = self.roots.first[state[GROUP]] + action
            for word in range(self.roots.state.shape[1]):
                state[word] = self.roots.state[k, word]
            state[STAGE] = INSIDE

    def after_the_group(self):
        return ROOTS

    def payoff(self, state, player):
        return self.game.payoff(state[:GROUP], player)

    def view(self, state, player):
        if state[STAGE] == INSIDE:
            return self.game.view(state[:GROUP], player)
        if player == self.foe:
            return seen(seen(OUTSIDE, state[GROUP] + 1, GROUP_RADIX), state[STAGE], GROUP_RADIX)
        return OUTSIDE

    def public(self, state):
        return self.game.public(state[:GROUP] if state[STAGE] == INSIDE else self.roots.state[0])

    # --- for Python ---

    def lowered(self, states: np.ndarray) -> np.ndarray:
        """What the foe's payoffs below each of some states, which are behind the gadget, are lowered by."""
        return np.zeros(len(states))

    def chosen(self, states: np.ndarray) -> np.ndarray:
        """The probability of the group of each of these states, where the foe and not chance has chosen it."""
        return np.ones(len(states))

    def show(self, state, player):
        if state[STAGE] == INSIDE:
            return show(self.game, state[:GROUP], player)
        return f"group {state[GROUP]}" if state[GROUP] != NONE and player == self.foe else "before the subgame"

    def label(self, state, action):
        if state[STAGE] == INSIDE:
            return label(self.game, state[:GROUP], action)
        return ("enter", "leave")[action] if state[STAGE] == ANSWER else str(action)


class Resolve(Subgame):
    """The foe enters a group that chance has drawn, or leaves with what is kept for it."""

    __slots__ = ()

    def bounds(self, low, high):
        most = np.abs(self.roots.value).max()
        return float(min(low, -most)), float(max(high, most))

    def player(self, state):
        if state[STAGE] == INSIDE:
            return self.game.player(state[:GROUP])
        if state[STAGE] == ANSWER:
            return self.foe
        return OVER if state[STAGE] == LEFT else CHANCE

    def after_the_group(self):
        return ANSWER if self.roots.mass.shape[0] > 1 else ROOTS

    def payoff(self, state, player):
        if state[STAGE] == INSIDE:
            return self.game.payoff(state[:GROUP], player)
        value = self.roots.value[state[GROUP]]
        return value if player == self.foe else -value


class Maxmargin(Subgame):
    """The foe chooses a group, and gets what lies above the value that is kept for it."""

    __slots__ = ()

    def bounds(self, low, high):
        most = max(abs(low), abs(high)) + np.abs(self.roots.value).max() + np.abs(self.roots.gift).max()
        return float(-most), float(most)

    def player(self, state):
        if state[STAGE] == INSIDE:
            return self.game.player(state[:GROUP])
        return self.foe if state[STAGE] == GROUPS else CHANCE

    def payoff(self, state, player):
        kept = self.kept(state[GROUP])
        return self.game.payoff(state[:GROUP], player) - (kept if player == self.foe else -kept)

    def kept(self, group):
        return self.roots.value[group]

    def lowered(self, states):
        return self.kept(states[:, GROUP])

    def chosen(self, states):
        return self.roots.mass[states[:, GROUP]]


class Reach(Maxmargin):
    """Maxmargin, where what the foe has given away on the way to a group is added to what is kept for it."""

    __slots__ = ()

    def kept(self, group):
        return self.roots.value[group] + self.roots.gift[group]


def roots_of(state: np.ndarray, weight: np.ndarray, group: np.ndarray, value: np.ndarray, gift: np.ndarray) -> Roots:
    """The roots of a subgame, from its first states, their weights by chance and by our own moves, and the group of each, a
    number of `value` and `gift`. What has no weight is left out."""
    kept = np.flatnonzero(weight > 0.0)
    order = kept[np.argsort(group[kept], kind="stable")]
    names, first = np.unique(group[order], return_index=True)
    total = np.add.reduceat(weight[order], first) if len(order) else np.zeros(0)
    size = np.diff(np.append(first, len(order)))
    return Roots(
        np.ascontiguousarray(state[order]),
        weight[order] / np.repeat(total, size),
        np.append(first, len(order)),
        total / total.sum(),
        value[names],
        gift[names],
    )
