"""Plans, and best responses to them, over the sequence form: where strategies and vectors meet."""

from typing import Any

import numpy as np

from ...errors import Invalid
from ...kernels import STEP, kernel
from ...strategy import Strategy
from ...trouble import FOREIGN, require_fine
from .infosets import EMPTY, best_actions, planned
from .sequence import SequenceForm, multiply_rows


def plan_of(form: Any, strategy: Strategy, player: int) -> tuple[np.ndarray, int]:
    """A player's plan under a strategy, and how many information sets it does not list. The form is of two players or of
    any number, here and below where its type is not given."""
    tree = form.trees[player]
    probability = np.ones(tree.sequences())
    missing = look_up.briefly(STEP * len(probability), tree, strategy.entries, player, probability)
    require_fine(missing, form.game, f"the strategy of {strategy.game}")
    return planned(tree, probability), missing


def best_answer(form: SequenceForm, plan: np.ndarray, player: int) -> tuple[np.ndarray, np.ndarray]:
    """The player's best answer to the other's plan: best sequence of each set, and worth of each sequence."""
    worth = _times(form, plan, player)
    best = np.empty(form.trees[player].infosets(), np.int32)
    best_actions.briefly(STEP * len(worth), form.trees[player], worth, best)
    return best, worth


def bounds_of(form: SequenceForm, x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """What player 0 gets at least by the plan x, and at most against the plan y: the value of the game lies between."""
    return -answer_value(form, x, 1), answer_value(form, y, 0)


def answer_value(form: SequenceForm, plan: np.ndarray, player: int) -> float:
    """What the player's best answer to the other's plan gets."""
    _, worth = best_answer(form, plan, player)
    return float(worth[EMPTY])


def behaviour(form: Any, probability: dict[int, np.ndarray]) -> Strategy:
    """A strategy from probabilities by sequence, for the players given."""
    parts = []
    for player, values in probability.items():
        tree = form.trees[player]
        owner, width = np.full(tree.infosets(), player), np.diff(tree.first)
        parts.append((owner, tree.view, width, tree.action[1:], values[1:]))
    return Strategy.joined(form.game, parts)


def strategy_of_plans(form: Any, plans: Any) -> Strategy:
    """The plans of all players as one strategy, uniform where they never go."""
    return behaviour(form, {player: average(form, player, plan) for player, plan in enumerate(plans)})


def pure(form: Any, player: int, best: np.ndarray) -> Strategy:
    """The strategy that plays the given sequence of each of a player's sets."""
    probability = np.zeros(form.trees[player].sequences())
    probability[best] = 1.0
    return behaviour(form, {player: probability})


def average(form: Any, player: int, plan: np.ndarray) -> np.ndarray:
    """The probabilities by sequence of a plan, up to any factor; uniform where the plan never goes."""
    tree = form.trees[player]
    probability = np.ones(len(plan))
    _split.briefly(STEP * len(plan), tree, plan, probability)
    return probability


def mixed(form: SequenceForm, strategies: list[Strategy], weights: list[float]) -> Strategy:
    """Play one of several strategies, drawn once before the game by the weights, as one strategy (Kuhn 1953)."""
    if len(strategies) != len(weights) or not strategies or min(weights) < 0 or sum(weights) <= 0:
        raise Invalid("a mixture needs one weight of 0 or more for each strategy, not all of them 0")
    for strategy in strategies:
        strategy.belongs_to(form.game)
    plans = {p: sum(w * plan_of(form, s, p)[0] for s, w in zip(strategies, weights, strict=True)) for p in (0, 1)}
    return behaviour(form, {p: average(form, p, np.asarray(plan)) for p, plan in plans.items()})


def value_of(form: SequenceForm, x: np.ndarray, y: np.ndarray) -> float:
    """What player 0 expects when the players follow these plans."""
    return float(x @ _times(form, y, 0))


def _times(form, plan, player) -> np.ndarray:
    matrix = form.rows if player == 0 else form.columns
    worth = np.empty(form.trees[player].sequences())
    multiply_rows.briefly(STEP * (len(matrix.value) + len(worth)), matrix, plan, 0, len(worth), worth)
    return worth if player == 0 else -worth


@kernel
def look_up(tree, entries, player, probability):
    """Write a strategy's probabilities by sequence; returns how many sets it does not list, or FOREIGN.

    A row may leave out actions that it never plays; it must not list any that the set does not have.
    """
    missing = 0
    for i in range(tree.parent.shape[0]):
        low, high = tree.first[i], tree.first[i + 1]
        begin, count = entries.find(tree.view[i], player)
        if count == 0:
            missing += 1
            for s in range(low, high):
                probability[s] = 1.0 / (high - low)
            continue
        k = begin
        for s in range(low, high):
            probability[s] = 0.0
            if k < begin + count and entries.action[k] == tree.action[s]:
                probability[s] = entries.probability[k]
                k += 1
        if k < begin + count:
            return FOREIGN
    return missing


@kernel
def _split(tree, plan, probability):
    for i in range(tree.parent.shape[0]):
        low, high = tree.first[i], tree.first[i + 1]
        total = 0.0
        for s in range(low, high):
            total += plan[s]
        for s in range(low, high):
            probability[s] = plan[s] / total if total > 0.0 else 1.0 / (high - low)
