"""Equilibria by linear programming: exact up to rounding, in one step (Koller, Megiddo and von Stengel 1994).

With the plans x and y of the two players, the matrix A of player 0's payoffs and the flow equations E x = e, F y = f of the
plans (the empty sequence has probability 1, and each set's sequences together as much as the sequence that leads to it),
player 0 guarantees the most by

    maximise  q_0   subject to   (A' x)_t - (F' q)_t >= 0 for each sequence t of player 1,   E x = e,  x >= 0

where q_j is what player 0 gets after player 1's set j, as far as player 1's best answer to x leaves it, and q_0 that of the
whole game. The program is as large as the sequence form, not as the normal form, which is exponential in it; a matrix game
is the case of one set a player. The dual values of the inequalities are player 1's plan: one run gives both.

HiGHS solves it. We call it directly, because SciPy's interface to it is as fast but lets neither Ctrl-C nor progress through.
Its dual simplex and its interior points with crossover both end in a corner; which is faster depends on the game
(docs/algorithms/lp.md).

The result is checked: both plans are made exact (no negative numbers, flow conserved), and best responses to them bound the
value from both sides. If these bounds differ by more than AGREE of the range of payoffs, a note says so.
"""

from typing import Any, NamedTuple

import highspy
import numpy as np
import scipy.sparse

from ...clock import clock
from ...errors import Invalid
from ...game import Shape
from ...strategy import Strategy
from ...text.naming import name
from ...text.parameters import accepts, matrix
from ...walk.slices import Progress, Watcher, number
from ..forms.certificates import PlanPair
from ..forms.infosets import EMPTY, InfosetTree, planned
from ..forms.response import average, bounds_of, strategy_of_plans, value_of
from ..forms.sequence import SequenceForm, Sparse, sequence_form
from ..until import Pace
from .simplex import Equilibrium, Unsolved

METHODS = ("simplex", "ipm")
AGREE = 1e-8  # how far the bounds may lie apart, relative to the range of the payoffs
FEASIBLE = 1e-9  # by how much HiGHS may violate an equation
TINY = 1e-12  # a plan's probability that is taken for rounding
LOOK_SECONDS = 0.1  # between two looks at the clock while HiGHS works


class LPResult(NamedTuple):
    """An equilibrium with its certificate: player 0 gets `low` or more by plans[0], whatever player 1 does, and `high` or
    less against plans[1], whatever they do themselves."""

    form: SequenceForm
    plans: tuple[np.ndarray, np.ndarray]  # [player][sequence]
    low: float
    value: float  # what the plans give against each other
    high: float
    objective: float  # the value as HiGHS claims it
    iterations: int  # of all that HiGHS did: simplex, interior points, crossover
    seconds: float
    note: str  # what is wrong with the result; empty where primal and dual agree

    def bounds(self) -> tuple[float, float, float]:
        return self.low, self.value, self.high

    def strategy(self) -> Strategy:
        """The plans as a strategy of both players, uniform where they never go."""
        return strategy_of_plans(self.form, self.plans)


class LinearProgram:
    """The linear program as a work of the driver (`until.py`): its one run finishes it. `limit` are its seconds at most."""

    name, pace = "lp", Pace()

    def __init__(self, form: SequenceForm, limit: float | None = None):
        self.form, self.limit, self.iterations, self.finished = form, limit, 0, False

    def run(self, *, iterations: int, seconds: float | None, progress: Watcher | None) -> "LinearProgram":
        allowed = [each for each in (seconds, self.limit) if each is not None]
        self.result = solve_lp(self.form, seconds=min(allowed, default=None), progress=progress)
        self.iterations, self.finished = self.result.iterations, True
        return self

    def certificate(self) -> PlanPair:
        return PlanPair(self.form, *self.result.plans, self.result.low, self.result.high)


def solve_lp(
    game: Any, *, method: str = "simplex", seconds: float | None = None, progress: Watcher | None = None
) -> LPResult:
    """Solve a game or its `sequence_form`. `progress` is called with HiGHS's iterations ten times a second and may raise."""
    if method not in METHODS:
        raise Invalid(f"there is no method '{method}': valid are {', '.join(METHODS)}")
    if seconds is not None:
        seconds = number(seconds, "seconds", above=0)
    form = game if isinstance(game, SequenceForm) else sequence_form(game)
    began = clock()
    solver = _solver(method, seconds)
    unit = float(np.abs(form.rows.value).max(initial=0)) or 1.0  # so that tolerances mean the same anywhere
    solver.passModel(_program(form, unit))
    _run(solver, progress)
    status, info, found = solver.getModelStatus(), solver.getInfo(), solver.getSolution()
    if status == highspy.HighsModelStatus.kTimeLimit:
        raise Unsolved(
            f"{name(form.game)} was not solved within {seconds:g} s: give more, or use cfr+, which can stop anywhere"
        )
    if status != highspy.HighsModelStatus.kOptimal:
        raise Unsolved(f"the linear program of {name(form.game)} ended as '{solver.modelStatusToString(status)}'")
    x = exact_plan(form, 0, np.array(found.col_value[: form.trees[0].sequences()]))
    y = exact_plan(form, 1, -np.array(found.row_dual[: form.trees[1].sequences()]))
    low, high = bounds_of(form, x, y)
    shape = form.game.shape()
    agree = high - low <= AGREE * (shape.high - shape.low)
    note = "" if agree else f"primal and dual do not agree: all that is sure is a value from {low:.9g} to {high:.9g}"
    return LPResult(
        form,
        (x, y),
        low,
        value_of(form, x, y),
        high,
        info.objective_function_value * unit * form.rows.unit,
        info.simplex_iteration_count + info.ipm_iteration_count + info.crossover_iteration_count,
        clock() - began,
        note,
    )


@accepts(payoffs=matrix)
class Payoffs(NamedTuple):
    """A matrix of payoffs to player 0, with as much of a game as its sequence form needs."""

    payoffs: np.ndarray  # [rows, columns]

    def shape(self) -> Shape:
        low, high = float(self.payoffs.min()), float(self.payoffs.max())
        return Shape(2, 2, max(self.payoffs.shape), 2, min(low, -high), max(high, -low))


def solve_normal_form(payoffs: Any) -> Equilibrium:
    """The equilibrium of a matrix game by HiGHS; for small games `simplex.solve_matrix` is a thousand times faster."""
    given = Payoffs(payoffs).payoffs
    middle = (given.min() + given.max()) / 2
    found = solve_lp(normal_form(given - middle))  # tolerances, relative to payoffs, are then relative to their spread
    if found.note:
        raise Unsolved(found.note)
    return Equilibrium(found.value + middle, found.plans[0][1:], found.plans[1][1:])


def normal_form(payoffs: Any) -> SequenceForm:
    """A matrix game as a sequence form: one set a player, and a sequence for each row and each column."""
    game = Payoffs(payoffs)
    table = game.payoffs
    count, other = table.shape
    histories = 1 + count + table.size
    return SequenceForm(game, (_one_set(count), _one_set(other)), _dense(table), _dense(table.T), histories)


def exact_plan(form: SequenceForm, player: int, plan: np.ndarray) -> np.ndarray:
    """The plan next to one that is right up to rounding: nothing negative, and flow conserved at each set."""
    return planned(form.trees[player], average(form, player, np.where(plan > TINY, plan, 0.0)))


def _one_set(actions) -> InfosetTree:
    first, action = np.array([1, actions + 1], np.int32), np.arange(-1, actions, dtype=np.int32)
    return InfosetTree(np.zeros(1, np.int64), np.full(1, EMPTY, np.int32), first, action)


def _dense(matrix) -> Sparse:
    """Row and column 0 stand for the empty sequences, which meet no payoff."""
    rows, columns = matrix.shape
    start = np.concatenate([[0], np.arange(rows + 1) * columns])
    return Sparse(start, np.tile(np.arange(1, columns + 1, dtype=np.int32), rows), matrix.ravel().copy(), 1.0)


def _program(form, unit) -> highspy.HighsLp:
    """Variables: x by sequence of player 0, then q_0 and q by set of player 1. Rows: sequences of player 1, then E x = e."""
    x, q = int(form.trees[0].sequences()), form.trees[1].infosets() + 1
    t, flows = int(form.trees[1].sequences()), form.trees[0].infosets() + 1
    (set_0, sequence_0, sign_0), (set_1, sequence_1, sign_1) = _flow(form.trees[0]), _flow(form.trees[1])
    payoff = form.rows
    row = np.concatenate([payoff.column, sequence_1, t + set_0])
    column = np.concatenate([np.repeat(np.arange(x), np.diff(payoff.start)), x + set_1, sequence_0])
    value = np.concatenate([payoff.value / unit, -sign_1, sign_0])
    matrix = scipy.sparse.csc_array((value, (row, column)), shape=(t + flows, x + q))
    program = highspy.HighsLp()
    program.sense_ = highspy.ObjSense.kMaximize
    program.num_row_, program.num_col_ = matrix.shape
    program.col_cost_ = np.eye(1, x + q, x).ravel()
    program.col_lower_ = np.repeat([0.0, -np.inf], [x, q])
    program.col_upper_ = np.full(x + q, np.inf)
    program.row_lower_ = np.eye(1, t + flows, t).ravel()  # e: 1 for the empty sequence, 0 for each set
    program.row_upper_ = np.repeat([np.inf, 1.0, 0.0], [t, 1, flows - 1])
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_, program.a_matrix_.index_ = matrix.indptr, matrix.indices
    program.a_matrix_.value_ = matrix.data
    return program


def _flow(tree):
    """The flow equations, entry by entry: equation, sequence and sign. Equation 0 is that of the empty sequence; then, for
    each set, its own sequences minus the one that leads to it."""
    sets, sequences = tree.infosets(), int(tree.sequences())
    own = 1 + np.repeat(np.arange(sets), np.diff(tree.first))
    equation = np.concatenate([[0], own, 1 + np.arange(sets)])
    return equation, np.concatenate([np.arange(sequences), tree.parent]), np.repeat([1.0, -1.0], [sequences, sets])


def _solver(method, seconds) -> highspy.Highs:
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("solver", method)
    solver.setOptionValue("time_limit", float("inf" if seconds is None else seconds))
    solver.setOptionValue("primal_feasibility_tolerance", FEASIBLE)
    solver.setOptionValue("dual_feasibility_tolerance", FEASIBLE)
    return solver


def _run(solver, progress) -> None:
    """In a thread of its own, so that Ctrl-C and progress come through."""
    done = 0

    def note(event) -> None:
        nonlocal done
        counts = event.data_out.simplex_iteration_count, event.data_out.ipm_iteration_count
        done = sum(max(count, 0) for count in counts)  # HiGHS says -1 of what has not begun

    solver.HandleUserInterrupt = True
    solver.cbSimplexInterrupt += note
    solver.cbIpmInterrupt += note
    solver.startSolve()
    try:
        while not solver.wait(LOOK_SECONDS)[0]:
            if progress:
                progress(Progress("iterations", done))
    except BaseException:
        solver.cancelSolve()
        solver.wait()
        raise
