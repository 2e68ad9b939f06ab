"""What a game is: the keys of views."""

import itertools

import numpy as np
import pytest

from fogtree.game import seen
from fogtree.kernels import kernel

RADICES = [2, 3, 18, 63, 64, 65, 128, 256, 362, 512, 2048, 1 << 16, 1 << 22, 1 << 28, (1 << 31) - 1, 1 << 31]


@kernel
def key_of(symbols, radix):
    key = 1
    for symbol in symbols:
        key = seen(key, symbol, radix)
    return key


@kernel
def one_more(key, symbol, radix):
    return seen(key, symbol, radix)


def by_hand(symbols, radix):
    key = 1
    for symbol in symbols:
        key = key * radix + symbol
    return key


@pytest.mark.parametrize("radix", RADICES)
def test_a_key_is_exact_or_says_that_it_is_a_hash(radix):
    random = np.random.default_rng(radix)
    courses = [(radix - 1,) * 40, *(tuple(random.integers(0, radix, 40).tolist()) for _ in range(60))]
    for course in courses:
        keys = [int(key_of.interpreted(course[:length], radix)) for length in range(41)]
        exact = [key > 0 for key in keys]
        assert exact == sorted(exact, reverse=True)  # a hash stays one
        for length, key in enumerate(keys):
            spelled = by_hand(course[:length], radix)
            wrapped_round = (spelled + (1 << 63)) % (1 << 64) - (1 << 63)
            assert (key == spelled) == (key > 0) and (key == wrapped_round) == (key > 0)
    assert key_of(courses[1], radix) == key_of.interpreted(courses[1], radix)


@pytest.mark.parametrize(("radix", "symbol"), [*itertools.product((2, 3, 9, 18, 49, 64), (0, 1))])
def test_a_key_of_a_radix_up_to_64_is_what_it_always_was(radix, symbol):
    # keys are in stored strategies: below 2^57 a symbol is appended, from there on it is mixed in
    assert seen((1 << 57) - 1, symbol, radix) == ((1 << 57) - 1) * radix + symbol
    assert one_more.interpreted(1 << 57, symbol, radix) == (-6888778932776907005, -2479659808734224544)[symbol]


def test_two_long_courses_of_a_large_radix_have_different_keys():
    # five symbols of 11 bits fit; with the sixth, the first would be pushed out at the top
    keys = {key_of.interpreted((first, 0, 0, 0, 0, last), 2048) for first in range(0, 2048, 256) for last in (0, 1)}
    assert len(keys) == 8 * 2
