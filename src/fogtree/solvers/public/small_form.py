"""The betting form (`betting.py`) of a small game, from all of its deals: the types are the views of the players.

small = betting_form(game)
cfr = MatrixCFR(small.form, "cfr+").run(iterations=1000)
small.strategy(cfr.table)
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, OVER, identity, legal, new_state, odds
from ...strategy import Strategy
from .betting import BettingForm, BettingTree, betting_tree

MOST_DEALS = 2_000_000  # that are enumerated


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
        tree = self.form.tree

        def views(node: int) -> np.ndarray:
            player, line = int(tree.player[node]), tree.line(node)
            begins = self.form.cuts[player][tree.stage[node]][:-1]
            states = (followed(self.game, self.cards[player][begin], line) for begin in begins)
            return np.array([int(self.game.view(state, player)) for state in states])

        return strategy_of(self.game, tree, tables, views)


def strategy_of(game: Any, tree: BettingTree, tables: Any, views: Any) -> Strategy:
    """A strategy of a game from tables(node), the probability [action, type], and views(node), the view of each type."""
    parts = []
    for node in np.flatnonzero(tree.player != OVER).tolist():
        below = tree.action[tree.below(node)]
        table = np.asarray(tables(node), np.float64).T  # [type, action]
        owner, width = np.full(len(table), tree.player[node]), np.full(len(table), len(below))
        mixes = (table / table.sum(axis=1, keepdims=True)).ravel()
        parts.append((owner, views(node), width, np.tile(below, len(table)), mixes))
    return Strategy.joined(game, parts)


def followed(game, cards, line) -> np.ndarray:
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
