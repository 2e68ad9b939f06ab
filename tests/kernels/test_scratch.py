"""Scratch: words of a method's own, the same compiled and interpreted."""

import numpy as np
import pytest

from fogtree import Uncompilable
from fogtree.kernels import kernel, scratch

SIZE = 5


def left_over(number):
    words, other = scratch(SIZE), scratch(3)
    found = words.sum() + other.sum()  # of those before, if they were not cleared
    words[number % SIZE] = other[number % 3] = 7
    return found


@kernel
def sums(out):
    for number in range(out.shape[0]):
        out[number] = left_over(number) + scratch(4).shape[0]


@kernel
def of_any_size(size):
    return scratch(size)[0]


def test_scratch_is_zeros_at_every_call():
    one, other = np.zeros(20, np.int64), np.zeros(20, np.int64)
    sums(one)
    sums.interpreted(other)
    assert one.tolist() == other.tolist() == [4] * 20


def test_the_size_of_scratch_is_known_when_it_is_compiled():
    with pytest.raises(Uncompilable, match=r"of_any_size .* cannot be compiled: .*scratch"):
        of_any_size(3)
