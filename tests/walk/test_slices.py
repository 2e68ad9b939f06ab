"""Budgets, progress and slices: what is valid, and when the work ends."""

import math

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.walk import slices
from fogtree.walk.slices import Budget, Progress, budget, in_slices, number, telling, whole

# --- budgets ---


def test_a_budget_is_iterations_or_seconds_or_both():
    assert budget(10) == Budget(10, math.inf) and budget(seconds=2) == Budget(math.inf, 2.0)
    assert budget(0, 0.5) == Budget(0, 0.5)
    with pytest.raises(Invalid, match=r"^give a number of matches or of seconds$"):
        budget(what="matches")


@pytest.mark.parametrize("given", [7, 7.0, np.int64(7), np.int8(7), np.float64(7)])
def test_a_count_is_a_whole_number_of_any_type(given):
    assert whole(given, "runs") == 7 and type(whole(given, "runs")) is int


@pytest.mark.parametrize("given", [-1, 2.5, math.inf, math.nan, "7", None, True])
def test_what_is_no_count_is_refused(given):
    with pytest.raises(Invalid, match=r"^runs must be a whole number of 0 or more, not"):
        whole(given, "runs")


def test_a_count_may_have_to_be_larger():
    assert whole(3, "runs", 3) == 3
    with pytest.raises(Invalid, match=r"^runs must be a whole number of 3 or more, not 2$"):
        whole(2, "runs", 3)


@pytest.mark.parametrize("given", [2, 2.0, np.int64(2), np.float32(2), np.float64(2)])
def test_a_number_may_be_of_any_type(given):
    assert number(given, "seconds") == 2.0 and type(number(given, "seconds")) is float


@pytest.mark.parametrize("given", [-1e-9, math.nan, "2", None, True, 1j])
def test_what_is_no_number_of_0_or_more_is_refused(given):
    with pytest.raises(Invalid, match=r"^seconds must be a number of 0 or more, not"):
        number(given, "seconds")


def test_a_number_may_have_to_be_above_a_bound_or_finite():
    assert number(math.inf, "seconds") == math.inf
    with pytest.raises(Invalid, match=r"^target must be a number above 0, not 0$"):
        number(0, "target", above=0)
    with pytest.raises(Invalid, match=r"^power must be a finite number of 0 or more, not inf$"):
        number(math.inf, "power", finite=True)


# --- slices ---


def test_exactly_as_many_iterations_are_done_as_the_budget_has():
    asked = []
    in_slices(lambda count: asked.append(count) or count, Budget(1000), first=3)
    assert asked[0] == 3 and sum(asked) == 1000


def test_the_clock_ends_the_work(monkeypatch):
    now = iter(range(1000))
    monkeypatch.setattr(slices, "clock", lambda: next(now))  # each look at the clock takes a second
    asked = []
    in_slices(lambda count: asked.append(count) or count, Budget(seconds=10.0))
    assert len(asked) == 5  # two looks a slice


def test_work_that_knows_its_own_end_is_asked_before_each_slice():
    done = []
    in_slices(lambda count: done.append(count) or count, Budget(), finished=lambda: len(done) == 4)
    assert len(done) == 4
    in_slices(lambda count: pytest.fail("it was finished"), Budget(), finished=lambda: True)


def test_work_that_lacks_room_gets_some_and_goes_on():
    room, done, told = [2], [0], []

    def work(count):
        fits = min(count, room[0] - done[0])
        done[0] += fits
        return fits

    def grow():
        room[0] += 2

    in_slices(work, Budget(7), tell=telling(told.append, lambda: Progress("steps", done[0])), grow=grow)
    assert done == [7] and room == [8] and told == [Progress("steps", n) for n in (2, 4, 6, 7)]


def test_nobody_is_told_where_nobody_watches():
    assert telling(None, lambda: pytest.fail("nobody asked")) is None
