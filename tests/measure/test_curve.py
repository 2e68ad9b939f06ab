"""Curves: points and bands by hand, runs and files."""

import csv
import math
import threading
import time

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn, Leduc, sequence_form
from fogtree.bandits import UCT, RegretMatching, UniformRandom
from fogtree.measure.curve import Curve, curves, points, write_csv
from fogtree.search.trees.ismcts import ISMCTS

NAN = math.nan
RM = ("rm", RegretMatching())
MADE = Curve(
    "made",
    np.array([100, 178, 316, 562]),
    np.array([[0.1, 0.2, 0.4, NAN], [0.3, 0.4, NAN, NAN], [0.5, 0.6, NAN, NAN]]),
    np.array([[1.0, 5.0, 0.5, NAN], [2.0, 5.0, NAN, NAN], [3.0, 5.0, NAN, NAN]]),
)


# --- by hand -------------------------------------------------------------------------------------------------------


def test_points_are_four_a_decade_and_end_at_the_last_iteration():
    # 100 * 10^(i/4), rounded
    assert points(10_000) == [100, 178, 316, 562, 1_000, 1_778, 3_162, 5_623, 10_000]
    assert points(1_500) == [100, 178, 316, 562, 1_000, 1_500]
    assert points(100) == [100] and points(7) == [7] and points(1) == [1]


def test_no_iterations_have_no_points():
    with pytest.raises(Invalid, match="iterations must be a whole number of 1 or more, not 0"):
        points(0)


def test_a_mean_is_over_the_runs_that_reached_a_point():
    assert MADE.mean() == pytest.approx([2.0, 5.0, 0.5, NAN], nan_ok=True)
    assert MADE.mean_seconds() == pytest.approx([0.3, 0.4, 0.4, NAN], nan_ok=True)


def test_a_band_is_the_95_percent_interval_of_the_mean():
    # t(0.975, 2 degrees of freedom) = 4.302653 (any table); 1, 2, 3 deviate by 1: 4.302653 / sqrt(3) = 2.484138
    assert MADE.band() == pytest.approx([2.484138, 0, 0, 0], abs=1e-6)  # 0 where there are not two runs
    two = MADE._replace(total=np.array([[1.0], [4.0]]))  # t(0.975, 1) = 12.706205; 1.5 * sqrt(2) / sqrt(2) = 1.5
    assert two.band() == pytest.approx([19.059307], abs=1e-5)


# --- runs ----------------------------------------------------------------------------------------------------------


def test_a_run_is_a_search_measured_at_the_points():
    (curve,) = curves(Kuhn(), [RM], iterations=1_000, runs=3, seed=5)
    assert curve.name == "rm" and curve.iterations.tolist() == [100, 178, 316, 562, 1_000]
    for number in range(3):
        search = ISMCTS(Kuhn(), RegretMatching(), seed=5 + number)
        for point, mark in enumerate(curve.iterations.tolist()):
            search.run(iterations=mark - search.iterations)
            assert curve.total[number, point] == fogtree.exploitability(Kuhn(), search.strategy()).total
    assert (np.diff(curve.seconds, axis=1) > 0).all()


def test_threads_do_not_change_the_totals():
    form = sequence_form(Leduc())
    one = curves(form, [RM, ("uct", UCT())], iterations=2_000, runs=4, threads=1)
    many = curves(form, [RM, ("uct", UCT())], iterations=2_000, runs=4, threads=4)
    for mine, yours in zip(one, many, strict=True):
        assert mine.name == yours.name and mine.total.tolist() == yours.total.tolist()
    assert one[0].total[0].tolist() != one[0].total[1].tolist()  # each run has a seed of its own


def test_seconds_bound_a_run_and_points_not_reached_are_left_out():
    (curve,) = curves(Kuhn(), [RM], seconds=0.2, runs=2)
    assert 1 <= len(curve.iterations) < 35
    assert curve.iterations.tolist() == points(10**12)[: len(curve.iterations)]
    assert (~np.isnan(curve.total)).any(axis=0).all()
    assert np.nanmax(curve.seconds) < 5


def test_progress_sees_the_curves_grow():
    seen = []
    (curve,) = curves(Kuhn(), [RM], iterations=1_000, runs=2, progress=seen.append)
    assert seen[-1][:3] == ("points", 10, 10) and np.array_equal(seen[-1].detail[0].total, curve.total)


@pytest.mark.parametrize("budget", [{}, {"iterations": 100, "seconds": 1}])
def test_a_budget_is_iterations_or_seconds(budget):
    with pytest.raises(Invalid, match="give either a number of iterations or a number of seconds a run"):
        curves(Kuhn(), [RM], **budget)


def test_ctrl_c_stops_all_runs_at_once():
    def interrupt(so_far):
        raise KeyboardInterrupt

    before, began = threading.active_count(), time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        curves(Leduc(), [RM], iterations=10**11, runs=8, threads=2, progress=interrupt)
    assert time.perf_counter() - began < 30  # each would take hours
    assert threading.active_count() == before


def test_an_error_in_a_run_is_the_callers():
    class Faulty(UniformRandom):
        def slots(self, k):
            raise RuntimeError("out of slots")

    with pytest.raises(fogtree.Broken, match=r"Faulty\.slots raised RuntimeError: out of slots"):
        curves(Kuhn(), [RM, ("faulty", Faulty())], iterations=10**9, runs=2)


# --- files ---------------------------------------------------------------------------------------------------------


def test_a_csv_lists_every_run_at_every_point_that_it_reached(tmp_path):
    write_csv([MADE, MADE._replace(name="again")], tmp_path / "curve.csv")
    with open(tmp_path / "curve.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 7
    assert rows[0] == {"algorithm": "made", "run": "0", "iterations": "100", "seconds": "0.1", "total": "1"}
    assert rows[2] == {"algorithm": "made", "run": "0", "iterations": "316", "seconds": "0.4", "total": "0.5"}
    assert [row["algorithm"] for row in rows] == ["made"] * 7 + ["again"] * 7
    reached = {(str(run), mark) for run in range(3) for mark in ("100", "178")} | {("0", "316")}
    assert {(row["run"], row["iterations"]) for row in rows} == reached
