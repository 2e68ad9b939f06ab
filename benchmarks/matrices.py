"""Equilibria of zero-sum matrix games a second, by the compiled simplex, against HiGHS.

HiGHS is called directly, one object for all games, with the textbook's program: maximise v where x A >= v. Both sides see the
same games: payoffs drawn from -1, 0 and 1 as in Briedoň 2015, and from the normal distribution.
"""

import highspy
import numpy as np

from fogtree.solvers.exact.simplex import solve_matrices
from row import Row, rates

BAR = 100_000  # 3x3 games a second
BATCHES = {3: 10_000, 8: 2_000, 64: 10}  # size: games a call
FEW = {3: 100, 8: 50, 64: 1}  # for HiGHS
UNIT = "games/s"


def measure() -> list[Row]:
    random, rows = np.random.default_rng(1), []
    for size, batch in BATCHES.items():
        draws = {
            "whole": random.integers(-1, 2, (batch, size, size)).astype(np.float64),
            "normal": random.normal(size=(batch, size, size)),
        }
        for kind, games in draws.items():
            found = rates({"ours": ours(games), "HiGHS": highs(games[: FEW[size]])}, rounds=5)
            name = f"{size}x{size}, {kind} payoffs"
            if size == 3:
                rows.append(Row(name, found["ours"], bar=BAR, unit=UNIT))
            rows.append(Row(name, *found.values(), found["ours"] / found["HiGHS"], unit=UNIT, peer="HiGHS"))
    return rows


def ours(games):
    def solve():
        solve_matrices(games)
        return len(games)

    return solve


def highs(games):
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    programs = [program(payoffs) for payoffs in games]

    def solve():
        for each in programs:
            solver.passModel(each)
            solver.run()
            solver.getSolution()
        return len(programs)

    return solve


def program(payoffs):
    rows, columns = payoffs.shape
    matrix = np.vstack([np.hstack([payoffs.T, -np.ones((columns, 1))]), np.append(np.ones(rows), 0.0)])
    made = highspy.HighsLp()
    made.sense_ = highspy.ObjSense.kMaximize
    made.num_row_, made.num_col_ = matrix.shape
    made.col_cost_ = np.append(np.zeros(rows), 1.0)
    made.col_lower_ = np.append(np.zeros(rows), -np.inf)
    made.col_upper_ = np.full(rows + 1, np.inf)
    made.row_lower_ = np.append(np.zeros(columns), 1.0)
    made.row_upper_ = np.append(np.full(columns, np.inf), 1.0)
    made.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    made.a_matrix_.start_ = np.arange(0, matrix.size + 1, rows + 1)
    made.a_matrix_.index_ = np.tile(np.arange(rows + 1), columns + 1)
    made.a_matrix_.value_ = matrix.ravel()
    return made
