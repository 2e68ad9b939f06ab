"""Double oracle: grow a small game inside a large one by best responses (McMahan et al. 2003, Bosansky et al. 2014).

Most equilibria use few of a game's sequences. So each player starts with one action a set, the default, which is a best
response to uniform play. Then, until the bounds meet:

    1. solve the restricted game, in which a set offers the actions admitted so far
    2. answer each plan of the solution as well as possible in the whole game: this bounds the value from both sides
    3. at each set that the restricted game can reach, admit the answer's action if it beats all that are admitted there

At a set where only the default is admitted there is nothing to decide, so the restricted game leaves the set out, and play
goes on by defaults until there is a choice again. So each sequence of the whole game that can be played is a sequence of the
restricted game, which we call its home, followed by defaults. A sequence with an action that is not admitted has no home, and
is never played. The restricted matrix is the whole one in which the rows of the same home are added up, and the columns too.
(Bosansky et al. cut the game where a default would act, and put a temporary value there. Here nothing is cut: a plan of the
restricted game is a plan of the whole game.)

What is admitted stays, and a round that admits nothing is the last; so it ends, at worst with the whole game. Actions that
only tie are not admitted, or sets that do not matter would fill up.

A matrix game (`lp.normal_form`) has one set a player, its actions the rows or columns: this is then McMahan's algorithm.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from ...clock import clock
from ...game import NONE
from ...kernels import kernel
from ...strategy import Strategy
from ...walk.slices import Ended, Progress, Watcher, number, whole
from ..forms.certificates import PlanPair
from ..forms.infosets import EMPTY, InfosetTree
from ..forms.response import best_answer, plan_of, strategy_of_plans, value_of
from ..forms.sequence import SequenceForm, Sparse, sequence_form
from ..regret.cfr import CFR
from ..until import EACH, Limits, iterate_until
from .lp import AGREE, solve_lp
from .simplex import solve_matrix

BETTER = 1e-12  # by how much an action must beat those admitted, relative to the range of the payoffs
CFR_ITERATIONS = 1000

TwoPlans = tuple[np.ndarray, np.ndarray]  # [player] [sequence]


class OracleRound(NamedTuple):
    """One round: how large the restricted game was, and what its solution guarantees in the whole game."""

    sequences: tuple[int, int]  # [player]
    entries: int  # of the matrix
    low: float
    value: float
    high: float
    seconds: float  # since the start


class OracleResult(NamedTuple):
    """The best plans that were found, with their certificate, and how it went."""

    form: SequenceForm
    plans: TwoPlans
    low: float  # what player 0 gets at least by plans[0]
    value: float
    high: float  # what player 0 gets at most against plans[1]
    rounds: list[OracleRound]
    seconds: float
    note: str  # what is wrong with the result; empty where the bounds met
    ended: Ended  # by the target, or because a round admitted nothing, or by a limit, or by Ctrl-C

    def bounds(self) -> tuple[float, float, float]:
        return self.low, self.value, self.high

    def sequences(self) -> tuple[int, int]:
        """The size of the whole game, to compare with that of the last round."""
        return _sizes(self.form)

    def strategy(self) -> Strategy:
        """The plans as a strategy of both players, uniform where they never go."""
        return strategy_of_plans(self.form, self.plans)


# --- what is admitted, and where the rest of the game belongs ------------------------------------------------------


@kernel
def admit_better(tree, worth, best, margin, admitted, reached):
    """Admit the best action of each reached set if it beats the admitted ones; returns how many. `reached` is scratch."""
    added = 0
    reached[EMPTY] = True
    for i in range(tree.parent.shape[0]):
        here, top, known = reached[tree.parent[i]], best[i], -np.inf
        for s in range(tree.first[i], tree.first[i + 1]):
            if admitted[s]:
                known = max(known, worth[s])
        if here and worth[top] > known + margin:
            admitted[top] = True
            added += 1
        for s in range(tree.first[i], tree.first[i + 1]):
            reached[s] = here and admitted[s]
    return added


@kernel
def settle(tree, admitted, home, width):
    """Write each sequence's home, or NONE, and how many sequences each set has in the restricted game; returns how many
    there are in all. Sets come after those that lead to them, so a parent's home is known."""
    home[EMPTY], count = EMPTY, EMPTY + 1
    for i in range(tree.parent.shape[0]):
        before, choices = home[tree.parent[i]], 0
        for s in range(tree.first[i], tree.first[i + 1]):
            choices += admitted[s]
        width[i] = choices if before != NONE and choices > 1 else 0
        for s in range(tree.first[i], tree.first[i + 1]):
            if before == NONE or not admitted[s]:
                home[s] = NONE
            elif choices == 1:
                home[s] = before
            else:
                home[s] = count
                count += 1
    return count


def restricted(form: SequenceForm, payoffs: scipy.sparse.csr_array, admitted: list) -> tuple[SequenceForm, list]:
    """The game of the admitted actions, and the homes of the whole game's sequences in it."""
    trees, homes, gather = [], [], []
    for tree, mask in zip(form.trees, admitted, strict=True):
        home, width = np.empty(len(mask), np.int32), np.empty(tree.infosets(), np.int32)
        count = settle(tree, mask, home, width)
        kept = width > 0
        first = np.cumsum(np.append(1, width[kept]), dtype=np.int32)
        own = np.append(True, np.repeat(kept, np.diff(tree.first))) & mask
        trees.append(InfosetTree(tree.view[kept], home[tree.parent[kept]], first, tree.action[own]))
        homes.append(home)
        at = np.flatnonzero(home != NONE)
        gather.append((at, scipy.sparse.csr_array((np.ones(len(at)), (at, home[at])), shape=(len(mask), count))))
    (at, by_row), (_, by_column) = gather
    rows = (by_row[at].T @ (payoffs[at].astype(np.float64) @ by_column)).tocsr()
    rows.eliminate_zeros()
    small = SequenceForm(form.game, tuple(trees), _sparse(rows, form), _sparse(rows.T.tocsr(), form), 0)  # type: ignore[arg-type]
    return small, homes


def _sparse(matrix, form) -> Sparse:
    matrix.sort_indices()
    return Sparse(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data, form.rows.unit)


# --- the loop ------------------------------------------------------------------------------------------------------


def by_lp(form: SequenceForm) -> TwoPlans:
    """The restricted game's plans, exactly."""
    return solve_lp(form).plans


def by_simplex(form: SequenceForm) -> TwoPlans:
    """The restricted matrix game's plans, exactly and fast. A player left with one action has only the empty sequence."""
    matrix = scipy.sparse.csr_array((form.rows.value, form.rows.column, form.rows.start), shape=_sizes(form)).toarray()
    skip = [tree.infosets() for tree in form.trees]
    found = solve_matrix(matrix[skip[0] :, skip[1] :] * form.rows.unit)
    x, y = (np.append(np.ones(count), mix) for count, mix in zip(skip, (found.x, found.y), strict=True))
    return x, y


def by_cfr(form: SequenceForm) -> TwoPlans:
    """The restricted game's plans, nearly: for restricted games too large for the linear program."""
    return CFR(form, "cfr+").run(iterations=CFR_ITERATIONS).plans()


class DoubleOracle:
    """The rounds, one after the other: a work of the driver (`until.py`), whose iterations are rounds.

    `solve` solves a restricted game; by default it is `by_simplex` for matrix games and `by_lp` for others.
    """

    name, pace = "oracle", EACH

    def __init__(self, form: SequenceForm, solve: Callable[[SequenceForm], TwoPlans] | None = None):
        self.form, self.began, self.finished = form, clock(), False
        self.spread = form.game.shape().high - form.game.shape().low
        self.payoffs = scipy.sparse.csr_array((form.rows.value, form.rows.column, form.rows.start), shape=_sizes(form))
        self.solve = solve or (by_simplex if max(tree.infosets() for tree in form.trees) <= 1 else by_lp)
        self.admitted = [_defaults(form, player) for player in (0, 1)]
        self.rounds = list[OracleRound]()
        self.last: PlanPair | None = None

    @property
    def iterations(self) -> int:
        return len(self.rounds)

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> "DoubleOracle":
        """So many rounds. A round is always finished."""
        for _ in range(iterations):
            self._play_round()
        return self

    def _play_round(self) -> None:
        small, homes = restricted(self.form, self.payoffs, self.admitted)
        solved = self.solve(small)
        x, y = (np.where(home == NONE, 0.0, plan[home]) for home, plan in zip(homes, solved, strict=True))
        high, added_0 = self._answer(0, y)
        below, added_1 = self._answer(1, x)
        self.last = PlanPair(self.form, x, y, -below, high)
        size, value, spent = _sizes(small), value_of(small, *solved), clock() - self.began
        self.rounds.append(OracleRound(size, len(small.rows.column), -below, value, high, spent))
        self.finished = not added_0 + added_1 or self.last.total <= AGREE * self.spread

    def _answer(self, player: int, plan: np.ndarray) -> tuple[float, int]:
        """What the player's best answer gets, and how many of its actions are newly admitted."""
        best, worth = best_answer(self.form, plan, player)
        reached, margin = np.empty(len(worth), np.bool_), BETTER * self.spread
        added = admit_better(self.form.trees[player], worth, best, margin, self.admitted[player], reached)
        return float(worth[EMPTY]), added

    def certificate(self) -> PlanPair:
        assert self.last is not None
        return self.last


def double_oracle(
    game: Any,
    *,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    solve: Callable[[SequenceForm], TwoPlans] | None = None,
    progress: Watcher | None = None,
) -> OracleResult:
    """Solve a game or its `sequence_form` until high - low <= target, by default about the size of rounding errors.

    An iteration is a round. After each round the limits are checked and `progress` is called. Ctrl-C ends the work, and the
    result has the rounds that were finished. For `solve` see `DoubleOracle`.
    """
    rounds = None if iterations is None else whole(iterations, "iterations", 1)
    limit = None if seconds is None else number(seconds, "seconds")
    form = game if isinstance(game, SequenceForm) else sequence_form(game)
    work = DoubleOracle(form, solve)
    target = AGREE * work.spread if target is None else number(target, "target")
    limits = Limits(work.began, target, rounds, limit)

    def tell(now: Progress) -> None:
        if progress:
            progress(Progress("rounds", now.done, now.goal, work.rounds[-1]))

    found = iterate_until(work, limits, progress=tell)
    best = found.best
    sure = f"all that is sure is a value from {best.low:.9g} to {best.high:.9g}"
    note = "" if best.total <= target else f"stopped early: {sure}"
    plans, bounds = (best.x, best.y), (best.low, best.value(), best.high)
    return OracleResult(form, plans, *bounds, work.rounds, limits.spent(), note, found.ended)


def _defaults(form, player) -> np.ndarray:
    """Admit in each set the action of a best response to uniform play."""
    uniform, _ = plan_of(form, Strategy.uniform(form.game), 1 - player)
    admitted = np.zeros(form.trees[player].sequences(), np.bool_)
    admitted[EMPTY] = True
    admitted[best_answer(form, uniform, player)[0]] = True
    return admitted


def _sizes(form) -> tuple[int, int]:
    return int(form.trees[0].sequences()), int(form.trees[1].sequences())
