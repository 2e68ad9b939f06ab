"""Sets as words: the machine's instructions and the Python text say the same."""

import random

import numpy as np
import pytest

from fogtree.kernels import kernel
from fogtree.kernels.bits import count, highest, lowest, nth, times

WORDS = [1, 2, 1 << 63, (1 << 64) - 1, 0x8000000000000001, *(random.Random(1).getrandbits(64) for _ in range(50))]


@kernel
def all_four(word, other):
    return lowest(word), highest(word), count(word), times(word, other)


@pytest.mark.parametrize("word", WORDS)
def test_compiled_and_interpreted_agree_and_mean_what_they_say(word):
    digits = f"{word:b}"[::-1]
    expected = digits.index("1"), len(digits) - 1, digits.count("1"), word * 12345 % 2**64
    one, other = np.uint64(word), np.uint64(12345)
    assert all_four(one, other) == expected
    assert all_four.interpreted(one, other) == expected


@kernel
def each_bit(word, out):
    for number in range(count(word)):
        out[number] = nth(word, number)


@pytest.mark.parametrize("word", WORDS)
def test_bits_by_their_number(word):
    members = [bit for bit in range(64) if word >> bit & 1]
    for run in (each_bit, each_bit.interpreted):
        out = np.zeros(len(members), np.int64)
        run(np.uint64(word), out)
        assert out.tolist() == members


def test_products_that_wrap_round_are_no_warning():
    with np.errstate(all="raise"):
        assert times(np.uint64(1 << 63), np.uint64(3)) == 1 << 63


def test_an_empty_set_has_no_members():
    assert count(np.uint64(0)) == 0 and all_four(np.uint64(1), np.uint64(0))[2] == 1
