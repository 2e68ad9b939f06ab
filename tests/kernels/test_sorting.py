"""Sorting and running sums in lanes, against NumPy's."""

import numpy as np
import pytest

from fogtree.kernels.sorting import DIGIT, LEAST, RunningSums, sort_keys


@pytest.mark.parametrize("size", [0, 1, 2, LEAST + 1, 9_000])
@pytest.mark.parametrize(("low", "high"), [(0, 40), (20, 40), (0, 3)])
def test_keys_are_sorted_by_some_bits_and_equal_ones_stay_in_order(size, low, high):
    random = np.random.default_rng(size)
    key, load = random.integers(0, 1 << 40, size), np.arange(size, dtype=np.float64)
    key[::2] &= 0xFFFFF  # many are equal in their upper bits
    by = (key >> low) & ((1 << -(-(high - low) // DIGIT) * DIGIT) - 1)  # whole digits
    order = np.argsort(by, kind="stable")
    found, with_them = sort_keys("cpu", key.copy(), load.copy(), low, high)
    assert (found == key[order]).all() and (with_them == load[order]).all()


@pytest.mark.parametrize("size", [0, 1, LEAST, 5_000])
def test_each_number_becomes_the_sum_of_those_before_it(size):
    row = np.random.default_rng(size).integers(0, 9, size)
    found = row.copy()
    assert RunningSums("cpu", found).run(found) == row.sum()
    assert (found == np.cumsum(row) - row).all()
