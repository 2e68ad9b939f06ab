"""A game of public actions and hidden cards as its betting tree and two matrices.

In poker everything that the players do is public; chance deals the cards, some at the start and some between the rounds. What
a player may do never depends on the cards. So the game is a *betting tree*, the same for all deals, and a *deal*: what each
player knows of the cards by the end, called the player's type. With the types i and j of the players 0 and 1, everything that
the cards do to the payoffs is in two matrices:

    joint[i, j]   the probability of the pair of types
    edge[i, j]    that probability times what player 0 expects to win at a showdown for a stake of 1

An end of the tree is a *fold*, where the payoff does not depend on the cards, or a *showdown*, where it is a stake times the
same number, win minus loss, for all showdowns. Payoffs of any other kind are refused where a followed deal shows them.

Types are revealed stage by stage: at stage s, after chance has dealt s times in between, a player knows which part of the
types theirs is in. Types are numbered so that each part is a range: `cuts[player][stage]` says where the ranges begin. So a
matrix of an earlier stage is that of the last stage, summed over ranges.

`betting_tree` reads the tree from any such game by following some random deals through it. The matrices come from all deals
of a small game (`small_form.py`), or are counted from boards (`deal_matrices.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER, identity, new_state
from ...kernels import kernel
from ..forms.sequence import require_zero_sum

SAMPLES = 64  # deals that are followed through the tree, or more until both players have won one
MOST_SAMPLES = 200
CLOSE = 1e-9  # payoffs that differ by less are equal
UNDRAWN = -1


class BettingTree(NamedTuple):
    """A public tree. Nodes are ordered by stage; within a stage decisions come first, each after those that lead to it, then
    folds, then showdowns. So parents come before their children, and the ends of a kind lie side by side."""

    player: np.ndarray  # [nodes] who moves, or OVER
    stage: np.ndarray  # [nodes] how many times chance has dealt in between
    parent: np.ndarray  # [nodes] NONE for the root, which is node 0
    action: np.ndarray  # [nodes] the action that leads here from the parent
    first: np.ndarray  # [nodes + 1] the children of node n are child[first[n]] to child[first[n + 1] - 1]
    child: np.ndarray  # [nodes - 1] in the order of their actions
    scale: np.ndarray  # [nodes] player 0's payoff at a fold, the stake at a showdown, 0 elsewhere
    folds: np.ndarray  # [stages, 2] from which node to which the folds of a stage go
    showdowns: np.ndarray  # [stages, 2]

    @property
    def stages(self) -> int:
        return len(self.folds)

    def decisions(self) -> np.ndarray:
        """[stages] how many decision nodes there are."""
        return np.bincount(self.stage[self.player != OVER], minlength=self.stages)

    def below(self, node: int) -> list[int]:
        """The children of a node, in the order of their actions."""
        return self.child[self.first[node] : self.first[node + 1]].tolist()

    def shown(self) -> np.ndarray:
        """[nodes] whether a node is a showdown."""
        found = np.zeros(len(self.player), bool)
        for low, high in self.showdowns:
            found[low:high] = True
        return found

    def line(self, node: int) -> list[int]:
        """The actions that lead to a node."""
        actions: list[int] = []
        for _ in range(len(self.player)):
            if self.parent[node] == NONE:
                break
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return actions[::-1]


class BettingForm(NamedTuple):
    """A game as a tree and two matrices."""

    name: str  # of the game, with how its matrices were made
    tree: BettingTree
    joint: np.ndarray  # [types of player 0, types of player 1] sums to 1
    edge: np.ndarray  # [types of player 0, types of player 1]
    cuts: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]  # [player][stage][types of the stage + 1]

    def types(self, player: int, stage: int) -> int:
        """How many types a player can tell apart at a stage."""
        return len(self.cuts[player][stage]) - 1

    def at_stage(self, matrix: np.ndarray, stage: int) -> np.ndarray:
        """A matrix summed over what is revealed later."""
        rows, columns = (self.cuts[player][stage][:-1] for player in (0, 1))
        if (len(rows), len(columns)) == matrix.shape:
            return matrix
        summed = np.add.reduceat(matrix, rows, axis=0, dtype=np.float64)
        return np.add.reduceat(summed, columns, axis=1).astype(matrix.dtype)


def nested(ranges: int, stages: int) -> tuple[np.ndarray, ...]:
    """The cuts of types that are split into so many parts at each stage: `ranges` ** `stages` types in all."""
    return tuple(np.arange(ranges ** (s + 1) + 1) * ranges ** (stages - 1 - s) for s in range(stages))


def infosets(tree: BettingTree, ranges: int) -> int:
    """How many information sets the tree has if each player's types are split into so many parts at each stage."""
    return sum(int(count) * ranges ** (s + 1) for s, count in enumerate(tree.decisions()))


# --- reading the tree ----------------------------------------------------------------------------------------------


class _Met(NamedTuple):
    """A node while the tree is read, with its state in each of the sampled deals."""

    player: int
    stage: int
    parent: int
    action: int
    states: np.ndarray  # [deals, words]
    spent: np.ndarray  # [deals] how many cards of a deal have been dealt


class _Sampled(NamedTuple):
    """The sampled deals, drawn card by card as they are needed, and scratch."""

    cards: np.ndarray  # [deals, moves] UNDRAWN where no card is needed yet
    random: np.ndarray
    choice: np.ndarray  # [deals, actions]
    count: np.ndarray  # type: ignore[assignment]  # [deals] actions
    mover: np.ndarray  # [deals]
    payoff: np.ndarray  # [deals]
    odds: np.ndarray  # [actions]


@kernel
def advance(game, states, spent, sampled, action, moves):
    """Play an action, if there is one, in all deals; let chance move by its cards until a player moves or the game is over;
    tell who moves, which actions there are, and payoffs. Returns whether chance has moved."""
    moved = False
    for d in range(states.shape[0]):
        state, choice = states[d], sampled.choice[d]
        if action != NONE:
            game.step(state, action)
        player = game.player(state)
        for _ in range(moves):
            if player != CHANCE:
                break
            if sampled.cards[d, spent[d]] == UNDRAWN:
                count = game.actions(state, choice)
                game.odds(state, sampled.odds)
                sampled.cards[d, spent[d]] = choice[dice.pick(sampled.random, sampled.odds, count)]
            game.step(state, sampled.cards[d, spent[d]])
            spent[d] += 1
            moved = True
            player = game.player(state)
        sampled.mover[d] = player
        sampled.count[d] = 0 if player == OVER else game.actions(state, choice)
        sampled.payoff[d] = game.payoff(state, 0) if player == OVER else 0.0
    return moved


def betting_tree(game: Any, *, seed: int = 0) -> BettingTree:
    """The betting tree of a game with public actions, read by following some random deals."""
    require_zero_sum(game)
    for deals in (SAMPLES, MOST_SAMPLES):
        nodes, payoffs = _met(game, deals, dice.seeded(seed, deals))
        if any(paid.max() > 0 > paid.min() for paid in payoffs.values()):
            break
    return _ordered(game, nodes, payoffs)


def _met(game, deals, random) -> tuple[list[_Met], dict[int, np.ndarray]]:
    """All nodes, breadth first, and the payoffs of the ends. The deals must agree on everything but the cards."""
    shape = game.shape()
    sampled = _Sampled(
        np.full((deals, shape.moves), UNDRAWN),
        random,
        np.zeros((deals, shape.actions), np.int64),
        np.zeros(deals, np.int64),
        np.zeros(deals, np.int64),
        np.zeros(deals),
        np.zeros(shape.actions),
    )
    nodes: list[_Met] = []
    payoffs: dict[int, np.ndarray] = {}
    states = np.array([new_state(game)] * deals)
    queue: list[tuple[int, int, np.ndarray, np.ndarray, int]] = [(NONE, NONE, states, np.zeros(deals, np.int64), 0)]
    for parent, action, states, spent, stage in queue:  # it grows
        moved = bool(advance(game, states, spent, sampled, action, shape.moves))
        if (sampled.mover != sampled.mover[0]).any():
            raise Invalid(f"{identity(game)}: who moves depends on the cards, so it has no betting tree")
        stage += moved and parent != NONE
        n, count = len(nodes), int(sampled.count[0])
        nodes.append(_Met(int(sampled.mover[0]), stage, parent, action, states, spent))
        if nodes[-1].player == OVER:
            payoffs[n] = sampled.payoff.copy()
            continue
        if (sampled.count != count).any() or (sampled.choice[:, :count] != sampled.choice[0, :count]).any():
            raise Invalid(f"{identity(game)}: what the players may do depends on the cards, so it has no betting tree")
        queue += [(n, act, states.copy(), spent.copy(), stage) for act in sampled.choice[0, :count].tolist()]
    return nodes, payoffs


def _ordered(game, nodes, payoffs) -> BettingTree:
    spread = {n: float(np.ptp(paid)) for n, paid in payoffs.items()}
    shown = [n for n, width in spread.items() if width > CLOSE]
    last = max(node.stage for node in nodes)
    if shown:
        model = max(shown, key=lambda n: (nodes[n].stage == last, spread[n]))
        luck = payoffs[model] / np.abs(payoffs[model]).max()
    scale = np.zeros(len(nodes))
    for n, paid in payoffs.items():
        scale[n] = paid[0] if spread[n] <= CLOSE else paid @ luck / (luck @ luck)
        if spread[n] > CLOSE and np.abs(paid - scale[n] * luck).max() > CLOSE * max(1.0, abs(scale[n])):
            raise Invalid(f"{identity(game)}: its showdowns do not all pay a stake times the same win or loss")
    is_shown = set(shown)
    facts: Any = [(node.player, node.stage, node.parent, node.action, n in is_shown) for n, node in enumerate(nodes)]
    player, stage, parent, action, end = (np.array(column) for column in zip(*facts, strict=True))
    return told_tree(player, stage, parent, action, end, scale)[0]


def told_tree(
    player: Any, stage: Any, parent: Any, action: Any, shown: Any, scale: Any
) -> tuple[BettingTree, np.ndarray]:
    """A betting tree from its nodes in any order in which parents come before their children and the children of a node in
    the order of their actions; and which node each node of the tree was."""
    kind = np.where(player != OVER, 0, 1 + shown.astype(np.int64))
    order = np.lexsort((np.arange(len(kind)), kind, stage))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    children: list[list[int]] = [[] for _ in order]
    for n in range(1, len(order)):
        children[place[parent[n]]].append(int(place[n]))
    last = int(stage.max())
    key = (stage * 3 + kind)[order]

    def span(s: int, k: int) -> list[int]:
        return np.searchsorted(key, [3 * s + k, 3 * s + k + 1]).tolist()

    above = parent[order]
    tree = BettingTree(
        player[order],
        stage[order],
        np.where(above == NONE, NONE, place[above]),
        action[order],
        np.concatenate([[0], np.cumsum([len(below) for below in children])]),
        np.array([c for below in children for c in below], dtype=np.int64),
        scale[order],
        np.array([span(s, 1) for s in range(last + 1)]),
        np.array([span(s, 2) for s in range(last + 1)]),
    )
    return tree, order
