"""A game of public actions and hidden cards as its betting tree and two matrices.

In poker everything that the players do is public; chance deals the cards, some at the start and some between the rounds. What
a player may do never depends on the cards. So the game is a *betting tree*, the same for all deals, and a *deal*: what each
player knows of the cards by the end, called the player's type. With the types i and j of the players 0 and 1, everything that
the cards do to the payoffs is in two matrices:

    joint[i, j]   the probability of the pair of types
    edge[i, j]    that probability times what player 0 expects to win at a showdown for a stake of 1

An end of the tree is a *fold*, where the payoff does not depend on the cards, or a *showdown*, where it is a stake times the
same number, win minus loss, for all showdowns. Payoffs of any other kind are refused.

Types are revealed stage by stage: at stage s, after chance has dealt s times in between, a player knows which part of the
types theirs is in. Types are numbered so that each part is a range: `cuts[player][stage]` says where the ranges begin. So a
matrix of an earlier stage is that of the last stage, summed over ranges.

`betting_tree` reads the tree from any such game by following a few random deals through it. `betting_form` also enumerates
all deals, for games that are small enough; the types are then the views of the players. For large games the matrices are
counted from boards (`deal_matrices.py`) and handed in.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER, identity, legal, new_state, odds
from ...kernels import kernel
from ...strategy import Strategy
from ..forms.sequence import require_zero_sum

SAMPLES = 6  # deals that are followed through the tree, or more until both players have won one
MOST_SAMPLES = 200
MOST_DEALS = 2_000_000  # that `betting_form` enumerates
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
    kind = [0 if node.player != OVER else 1 + (n in is_shown) for n, node in enumerate(nodes)]
    order = sorted(range(len(nodes)), key=lambda n: (nodes[n].stage, kind[n], n))
    place = {n: at for at, n in enumerate(order)}
    children: list[list[int]] = [[] for _ in nodes]
    for n, node in enumerate(nodes[1:], 1):
        children[place[node.parent]].append(place[n])
    stage = np.array([nodes[n].stage for n in order])
    kinds = np.array([kind[n] for n in order])

    def span(s: int, k: int) -> list[int]:
        return np.searchsorted(stage * 3 + kinds, [3 * s + k, 3 * s + k + 1]).tolist()

    return BettingTree(
        np.array([nodes[n].player for n in order]),
        stage,
        np.array([NONE] + [place[nodes[n].parent] for n in order[1:]]),
        np.array([nodes[n].action for n in order]),
        np.concatenate([[0], np.cumsum([len(below) for below in children])]),
        np.array([c for below in children for c in below], dtype=np.int64),
        scale[order],
        np.array([span(s, 1) for s in range(last + 1)]),
        np.array([span(s, 2) for s in range(last + 1)]),
    )


# --- all deals of a small game -------------------------------------------------------------------------------------


class Deals(NamedTuple):
    """All deals of a game, and what the players see of each at each stage."""

    cards: list[list[int]]
    probability: np.ndarray  # [deals]
    luck: np.ndarray  # [deals] what player 0 wins at a showdown for a stake of 1
    views: np.ndarray  # [player, deal, stage]


def all_deals(game: Any, tree: BettingTree) -> Deals:
    """Every deal, by following one line of betting to a showdown of the last stage."""
    low, high = tree.showdowns[-1]
    if low == high:
        raise Invalid(f"{identity(game)} has no showdown at its last stage, so the cards decide nothing")
    end = int(low + np.abs(tree.scale[low:high]).argmax())
    line = tree.line(end)
    cards, weights, paid, views = [], [], [], []
    work: list[tuple[np.ndarray, int, float, list[int], list[list[int]]]] = [(new_state(game), 0, 1.0, [], [])]
    while work:
        state, at, weight, dealt, seen = work.pop()
        if game.player(state) == CHANCE:
            for action, chance in zip(legal(game, state), odds(game, state), strict=True):
                after = state.copy()
                game.step(after, action)
                work.append((after, at, weight * chance, [*dealt, action], seen))
        elif game.player(state) == OVER:
            cards.append(dealt)
            weights.append(weight)
            paid.append(game.payoff(state, 0) / tree.scale[end])
            views.append([*seen, [len(dealt), *(int(game.view(state, player)) for player in (0, 1))]])
        else:
            mark = [len(dealt), *(int(game.view(state, player)) for player in (0, 1))]
            fresh = seen if seen and seen[-1][0] == mark[0] else [*seen, mark]  # the first decision of a stage
            after = state.copy()
            game.step(after, line[at])
            work.append((after, at + 1, weight, dealt, fresh))
        if len(cards) + len(work) > MOST_DEALS:
            raise Invalid(f"{identity(game)} has more than {MOST_DEALS:,} deals: count its matrices from sampled ones")
    seen_at = np.array([[mark[1:] for mark in marks[: tree.stages]] for marks in views])  # [deal, stage, player]
    return Deals(cards, np.array(weights), np.array(paid), seen_at.transpose(2, 0, 1))


class SmallForm(NamedTuple):
    """A betting form whose deals were all enumerated, so that its strategies are strategies of the game."""

    form: BettingForm
    game: Any
    cards: tuple[list[list[int]], list[list[int]]]  # [player][type] a deal that gives the player this type

    def strategy(self, tables: Any) -> Strategy:
        """A strategy of the game from tables: tables(node) is the probability [action, type] at a decision node."""

        def views(line: list[int], stage: int) -> np.ndarray:
            player = self._mover(line)
            begins = self.form.cuts[player][stage][:-1]
            states = (_follow(self.game, self.cards[player][begin], line) for begin in begins)
            return np.array([int(self.game.view(state, player)) for state in states])

        return strategy_of(self.game, self.form.tree, tables, views)

    def _mover(self, line: list[int]) -> int:
        return int(self.game.player(_follow(self.game, self.cards[0][0], line)))


def strategy_of(game: Any, tree: BettingTree, tables: Any, views: Any) -> Strategy:
    """A strategy of a game from tables(node), the probability [action, type], and views(line, stage), the view of each type
    after some betting."""
    players, seen, widths, actions, odds_of = [], [], [], [], []
    for node in np.flatnonzero(tree.player != OVER).tolist():
        below = tree.action[tree.below(node)]
        table = np.asarray(tables(node), np.float64).T  # [type, action]
        seen.append(views(tree.line(node), int(tree.stage[node])))
        players.append(np.full(len(table), tree.player[node]))
        widths.append(np.full(len(table), len(below)))
        actions.append(np.tile(below, len(table)))
        odds_of.append((table / table.sum(axis=1, keepdims=True)).ravel())
    first = np.concatenate([[0], np.cumsum(np.concatenate(widths))])
    player, view = np.concatenate(players), np.concatenate(seen)
    return Strategy(game, player, view, first, np.concatenate(actions), np.concatenate(odds_of))


def _follow(game, cards, line) -> np.ndarray:
    """The state after some betting, in a deal."""
    state, spent, at = new_state(game), 0, 0
    for _ in range(game.shape().moves):
        if game.player(state) == CHANCE:
            game.step(state, cards[spent])
            spent += 1
        elif at < len(line):
            game.step(state, line[at])
            at += 1
        else:
            break
    return state


def betting_form(game: Any) -> SmallForm:
    """A small game as a tree and two exact matrices. The types are what the players see of the cards."""
    tree = betting_tree(game)
    deals = all_deals(game, tree)
    numbers, cuts, samples = [], [], []
    for player in (0, 1):
        types, sample, number = np.unique(deals.views[player], axis=0, return_index=True, return_inverse=True)
        numbers.append(number.ravel())
        samples.append([deals.cards[d] for d in sample])
        cuts.append(tuple(_cuts(types[:, : s + 1]) for s in range(tree.stages)))
    shape = tuple(int(part[-1][-1]) for part in cuts)
    joint, edge = np.zeros(shape), np.zeros(shape)
    np.add.at(joint, tuple(numbers), deals.probability)
    np.add.at(edge, tuple(numbers), deals.probability * deals.luck)
    form = BettingForm(identity(game), tree, joint, edge, (cuts[0], cuts[1]))
    return SmallForm(form, game, (samples[0], samples[1]))


def _cuts(types) -> np.ndarray:
    """Where the ranges of equal rows begin."""
    change = np.flatnonzero((types[1:] != types[:-1]).any(axis=1)) + 1
    return np.concatenate([[0], change, [len(types)]])
