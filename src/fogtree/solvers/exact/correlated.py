"""Correlated and coarse correlated equilibria of small games, by linear programming (Aumann 1974; Moulin and Vial 1978).

A mediator draws a profile of pure strategies by a distribution p that everybody knows, and tells each player their own
part.

* p is a **correlated equilibrium** (CE) if nobody who has been told a strategy a gains by playing some b in its place:
      sum over profiles s with s_i = a of p(s) (u_i(b, s_-i) - u_i(s)) <= 0      for all players i and strategies a, b
* p is a **coarse correlated equilibrium** (CCE) if nobody gains by deciding, before being told anything, to play b:
      sum over all profiles s of p(s) (u_i(b, s_-i) - u_i(s)) <= 0               for all players i and strategies b

Every Nash equilibrium is a CE, and every CE is a CCE. Regret minimisation comes close to a CCE in any game
(`general_cfr.py`). The conditions are linear in p, so the best distribution by any weights of the players' payoffs is a
linear program, which HiGHS solves. The strategies are those of the reduced strategic form (`strategic.py`): in a game
with several moves the mediator tells a player a whole strategy at the start.

The certificate does not come from the program: `deviations` goes through the payoffs once more and finds the most that
a player gains by any rule of deviating.
"""

from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...errors import FogtreeError, Invalid
from ...game import identity
from ...walk.slices import Watcher
from ..forms.strategic import StrategicForm, strategic_form

CE, CCE = "ce", "cce"
CONCEPTS = {CE: "correlated equilibrium", CCE: "coarse correlated equilibrium"}
MOST_CELLS = 5_000_000  # of the conditions, which are kept sparse
TINY = 1e-9  # probabilities below it are left out


class Correlated(NamedTuple):
    """A distribution over profiles of pure strategies, and what anybody gains by deviating."""

    game: str
    concept: str  # CE or CCE
    strategic: StrategicForm
    probability: np.ndarray  # [strategies of player 0, of player 1, ...]
    values: tuple[float, ...]  # [player] what each expects
    gains: tuple[float, ...]  # [player] the most by a rule of deviating: the certificate
    seconds: float

    @property
    def total(self) -> float:
        return sum(self.gains)

    def __str__(self) -> str:
        values = ", ".join(f"{value:.6f}" for value in self.values)
        return f"{self.game}: {CONCEPTS[self.concept]}, values {values}, largest gain {max(self.gains):.2g}"

    def profiles(self) -> list[tuple[float, tuple[str, ...]]]:
        """The profiles that are drawn, the likeliest first: their probability and the names of their strategies."""
        names = self.strategic.names()
        drawn = np.argwhere(self.probability > TINY).tolist()
        found = [
            (float(self.probability[tuple(which)]), tuple(names[p][k] for p, k in enumerate(which))) for which in drawn
        ]
        return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def correlated_equilibrium(
    game: Any, *, weights: Any = None, memory: float | None = None, progress: Watcher | None = None
) -> Correlated:
    """The correlated equilibrium with the largest weighted sum of payoffs. Every player weighs 1 by default."""
    return _best(game, CE, weights, memory, progress)


def coarse_correlated_equilibrium(
    game: Any, *, weights: Any = None, memory: float | None = None, progress: Watcher | None = None
) -> Correlated:
    """The coarse correlated equilibrium with the largest weighted sum of payoffs."""
    return _best(game, CCE, weights, memory, progress)


def _best(game, concept, weights, memory, progress) -> Correlated:
    from scipy.optimize import linprog  # it takes a while to load

    start = clock()
    strategic = strategic_form(game, memory=memory, progress=progress)
    payoffs = strategic.payoffs
    players, sizes = len(payoffs), payoffs.shape[1:]
    aims = np.ones(players) if weights is None else np.asarray(weights, np.float64)
    if aims.shape != (players,) or not np.isfinite(aims).all():
        raise Invalid(f"weights are {players} finite numbers, one for each player, not {weights!r}")
    conditions = _conditions(payoffs, concept)
    goal = _in_unit(np.tensordot(aims, payoffs, 1)).ravel()
    found = linprog(
        -goal,
        A_ub=conditions,
        b_ub=np.zeros(conditions.shape[0]),
        A_eq=np.ones((1, len(goal))),
        b_eq=[1.0],
        bounds=(0, None),
        method="highs",
    )
    if not found.success:
        raise FogtreeError(f"the linear program found no equilibrium: {found.message}")
    probability = np.maximum(found.x, 0.0).reshape(sizes)
    probability /= probability.sum()
    values = tuple(float((probability * payoffs[p]).sum()) for p in range(players))
    gains = deviations(payoffs, probability, concept)
    return Correlated(identity(strategic.form.game), concept, strategic, probability, values, gains, clock() - start)


def _conditions(payoffs: np.ndarray, concept: str) -> Any:
    """The conditions of a concept as a sparse matrix [conditions, profiles], each to be 0 or less."""
    from scipy import sparse

    players, sizes = len(payoffs), payoffs.shape[1:]
    profiles = int(np.prod(sizes))
    cells = profiles * sum(sizes)
    if cells > MOST_CELLS:
        raise Invalid(
            f"the conditions have {cells:,} numbers, more than the {MOST_CELLS:,} that are allowed: take a smaller game"
        )
    number = np.arange(profiles).reshape(sizes)
    parts = []
    for i in range(players):
        mine, which = np.moveaxis(_in_unit(payoffs[i]), i, 0), np.moveaxis(number, i, 0)
        for b in range(sizes[i]):
            gain = mine[b][None] - mine  # [own strategy, the others'] by playing b
            told = np.broadcast_to(np.arange(sizes[i])[:, None], (sizes[i], profiles // sizes[i]))
            row = told.ravel() if concept == CE else np.zeros(profiles, np.int64)
            shape = (sizes[i] if concept == CE else 1, profiles)
            parts.append(sparse.coo_matrix((gain.ravel(), (row, which.reshape(sizes[i], -1).ravel())), shape=shape))
    return sparse.vstack(parts).tocsr()


def _in_unit(payoffs: np.ndarray) -> np.ndarray:
    """Payoffs moved and scaled to lie in [0, 1], so that the tolerances of the program mean the same in every game."""
    spread = float(np.ptp(payoffs))
    return (payoffs - payoffs.min()) / spread if spread > 0.0 else np.zeros(payoffs.shape)


def deviations(payoffs: np.ndarray, probability: np.ndarray, concept: str) -> tuple[float, ...]:
    """[player] the most that a player gains by a rule of deviating: in a CE a rule says what to play in place of each
    strategy that the player is told, in a CCE it is one strategy for all. 0 in an equilibrium, up to rounding."""
    gains = []
    for i in range(len(payoffs)):
        mine = np.moveaxis(payoffs[i], i, 0).reshape(payoffs.shape[1 + i], -1)  # [own strategy, the others']
        drawn = np.moveaxis(probability, i, 0).reshape(mine.shape)
        told = drawn @ mine.T  # [told, played] what it gets, times how often it is told
        kept = np.diagonal(told)
        if concept == CE:
            gains.append(float((told.max(axis=1) - kept).sum()))
        else:
            gains.append(float(told.sum(axis=0).max() - kept.sum()))
    return tuple(gains)
