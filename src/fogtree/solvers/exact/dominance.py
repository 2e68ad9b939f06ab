"""Dominated actions of matrix games, by pure and mixed strategies, once and iterated (Briedoň 2015, sections 2.2.4 and 4.3).

An action i of a player with payoffs u[action, answer] is dominated by a mix p of the player's other actions

    strictly   if  sum_k p_k u[k, j] >  u[i, j]  for each answer j,
    weakly     if  sum_k p_k u[k, j] >= u[i, j]  for each answer j, and > for one at least.

Whether such a p exists is a linear program for each action. Strict: maximise the least gain; that is the matrix game with the
payoffs u[k, j] - u[i, j], whose value must be above 0. Weak: maximise the sum of the gains while none is negative.

Iterated, dominated actions are removed and the rest is looked at again, round by round. Strict dominance ends with the same
game in any order and loses no equilibrium. Weak dominance does not: *what is left depends on the order*, and equilibria may
be lost, though never all of them, nor the value of a zero-sum game. So the order is fixed, and named in the result:

    turns      in each round player 0's dominated actions go, all at once; then player 1's, in the game that is left
    together   in each round all dominated actions of both players go at once, as Briedoň narrates

A matrix game has a method `matrices()`: what each player gets, by row and column. Its fields are matrices of that size, and
the game that is left is made of the rows and columns of them that stay.

The mix that is given as the reason uses only actions that stay: a finite game always has one.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from ...errors import Invalid
from ...text.naming import name
from .simplex import Unsolved, solve_matrix

STRICT, WEAK = "strict", "weak"
KINDS = (STRICT, WEAK)
ORDERS: dict[str, tuple[tuple[int, ...], ...]] = {"turns": ((0,), (1,)), "together": ((0, 1),)}
TIE = 1e-9  # differences up to this, relative to the spread of a player's payoffs, count as none
GAIN = 1e-7  # what the linear program must find, for it may violate its constraints by a little
FEASIBLE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


class Dominated(NamedTuple):
    """An action that is not worth playing, and why."""

    player: int
    action: int  # as numbered in the whole game
    kind: str
    by: dict[int, float]  # action: probability
    round: int

    def __str__(self) -> str:
        mix = " + ".join(f"{p:.4g} of {action}" for action, p in self.by.items())
        mix = mix if len(self.by) > 1 else f"action {next(iter(self.by))}"
        adverb = "strictly" if self.kind == STRICT else "weakly"
        return f"round {self.round}: action {self.action} of player {self.player} is {adverb} dominated by {mix}"


class Undominated(NamedTuple):
    """What is left of a game, and what was removed in which order."""

    game: Any
    actions: tuple[list[int], list[int]]  # [player] those left, as numbered in the whole game
    removed: list[Dominated]
    kind: str
    order: str

    def __str__(self) -> str:
        rows, columns = self.actions
        lines = [str(action) for action in self.removed]
        lines.append(f"left of player 0: {rows}, of player 1: {columns} ({self.kind} dominance, order: {self.order})")
        return "\n".join(lines)


def dominated(game: Any, kind: str = WEAK) -> list[Dominated]:
    """The dominated actions of both players in the game as it is; with `weak` the strictly dominated ones are among them."""
    _check(game, kind)
    everything = tuple(list(range(count)) for count in _payoffs(game)[0].shape)
    return [found for player in (0, 1) for found in _round(game, everything, player, kind, 1)]


def iterated_dominance(game: Any, kind: str = WEAK, order: str = "turns") -> Undominated:
    """Remove dominated actions until none is left."""
    _check(game, kind)
    if order not in ORDERS:
        raise Invalid(f"there is no order '{order}': valid are {', '.join(ORDERS)}")
    left = tuple(list(range(count)) for count in _payoffs(game)[0].shape)
    removed: list[Dominated] = []
    while True:
        before, number = len(removed), 1 + (removed[-1].round if removed else 0)
        for players in ORDERS[order]:
            found = [one for player in players for one in _round(game, left, player, kind, number)]
            gone = {(one.player, one.action) for one in found}
            left = tuple([a for a in left[player] if (player, a) not in gone] for player in (0, 1))
            removed += found
        if len(removed) == before:
            rows, columns = left
            small = type(game)(*(matrix[np.ix_(rows, columns)] for matrix in game))
            return Undominated(small, (rows, columns), removed, kind, order)


def _round(game, left, player, kind, number) -> list[Dominated]:
    """A player's dominated actions among those left."""
    payoffs = _payoffs(game)[player]
    payoffs = payoffs[np.ix_(left[player], left[1 - player])]
    payoffs = payoffs / ((payoffs.max() - payoffs.min()) or 1.0)
    every = range(len(payoffs))
    stay = [i for i in every if _dominator(payoffs, i, [k for k in every if k != i], kind) is None]
    found = []
    for i in sorted(set(every) - set(stay)):
        for others in (stay, [k for k in every if k != i]):  # the second only where rounding spoils the first
            if reason := _dominator(payoffs, i, others, kind):
                break
        mix, sort = reason
        by = {left[player][k]: float(p) for k, p in zip(others, mix, strict=True) if p > 0.0}
        found.append(Dominated(player, left[player][i], sort, by, number))
    return found


def _dominator(payoffs, i, others, kind):
    """A mix of the other actions that dominates action i, and how; pure where that is enough, or None."""
    if not others:
        return None
    gain = payoffs[others] - payoffs[i]  # [others, answers]
    pure = np.eye(len(others))
    if (strict := (gain > TIE).all(axis=1)).any():
        return pure[strict.argmax()], STRICT
    game = solve_matrix(gain)
    if game.value > TIE:
        return game.x, STRICT
    if kind == STRICT:
        return None
    if (weak := (gain >= -TIE).all(axis=1) & (gain > TIE).any(axis=1)).any():
        return pure[weak.argmax()], WEAK
    mix = _most_gain(gain)
    if (mix @ gain).min() >= -TIE and (mix @ gain).max() > GAIN:
        return mix, WEAK
    return None


def _most_gain(gain) -> np.ndarray:
    """The mix with the largest sum of gains among those without a loss; nothing at all where each has one."""
    count, answers = gain.shape
    stay = np.vstack([gain, np.zeros(answers)])  # with action i itself, so that there is always a solution
    found = linprog(
        -stay.sum(axis=1),
        A_ub=-stay.T,
        b_ub=np.zeros(answers),
        A_eq=np.ones((1, count + 1)),
        b_eq=[1.0],
        options=FEASIBLE,
    )
    if not found.success:
        raise Unsolved(f"the linear program of dominance failed: {found.message}")
    mix = np.where(found.x[:count] > TIE, found.x[:count], 0.0)
    return mix / (mix.sum() or 1.0)


def _payoffs(game) -> tuple[np.ndarray, np.ndarray]:
    """Each player's payoffs, by own action and the other's."""
    first, second = game.matrices()
    return first, second.T


def _check(game, kind):
    if not hasattr(game, "matrices"):
        raise Invalid(f"dominance is looked for in matrix and bimatrix games, not in {name(game)}")
    if kind not in KINDS:
        raise Invalid(f"there is no dominance called '{kind}': valid are {', '.join(KINDS)}")
