"""Intervals: their ends by other ways to the same numbers, and that no other file has numbers of its own."""

import math
import pathlib
import re

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

import fogtree
from fogtree.measure.intervals import (
    NORMAL,
    jackknife_half,
    mean_half,
    share_half,
    student,
    student_half,
    wilson,
    wilson_half,
)


@pytest.mark.parametrize(("share", "count"), [(0.5, 10), (0.0, 7), (1.0, 3), (0.83, 1000)])
def test_wilson_ends_where_the_score_test_does(share, count):
    """The interval holds the p with |share - p| <= z sqrt(p (1 - p) / count): solve for its ends."""

    def score(p):
        return (share - p) ** 2 * count - scipy.stats.norm.ppf(0.975) ** 2 * p * (1 - p)

    low, high = wilson(share, count)
    assert low == pytest.approx(0 if share == 0 else scipy.optimize.brentq(score, 0, share - 1e-12), abs=1e-6)
    assert high == pytest.approx(1 if share == 1 else scipy.optimize.brentq(score, share + 1e-12, 1), abs=1e-6)
    if 0 < share < 1:
        assert high - low == pytest.approx(2 * wilson_half(share, count), abs=1e-12)


def test_of_nothing_nothing_is_known():
    assert wilson(math.nan, 0) == (0, 1)
    assert mean_half(3.0, 9.0, 1) == math.inf == student_half([3.0])


def test_means_of_many_and_of_few_have_the_intervals_of_the_books():
    values = np.random.default_rng(3).normal(2, 5, 12)
    error = values.std(ddof=1) / math.sqrt(12)
    assert mean_half(values.sum(), (values**2).sum(), 12) == pytest.approx(scipy.stats.norm.ppf(0.975) * error)
    low, high = scipy.stats.t.interval(0.95, 11, values.mean(), error)
    assert 2 * student_half(values) == pytest.approx(high - low)
    assert student(20) == pytest.approx(2.093, abs=1e-4)  # printed in every table of Student's t
    assert student(np.array([2, 20])).tolist() == [student(2), student(20)]


def test_a_share_is_a_mean_of_zeros_and_ones():
    assert share_half(0.25, 400) == pytest.approx(NORMAL * math.sqrt(0.25 * 0.75 / 400))
    assert share_half(1.0, 400) == 0.0


def test_no_other_file_has_quantiles_of_its_own():
    own = re.compile(r"\b1\.9(6|599\d*)\b|\b2\.093\b|\bstdtrit\b")
    root = pathlib.Path(fogtree.__file__).parent
    found = [path.name for path in root.rglob("*.py") if own.search(path.read_text())]
    assert found == ["intervals.py"]


@pytest.mark.parametrize("values", [[1.0, 3.0], [0.2, 0.5, 0.9, 0.1]])
def test_the_jackknife_of_a_mean_is_student_s_interval(values):
    without = [(sum(values) - value) / (len(values) - 1) for value in values]
    assert jackknife_half(without) == pytest.approx(student_half(values))
    assert jackknife_half([1.0]) == math.inf
