"""The transposition table: both bounds, replacement, clearing. All of it runs in plain Python too."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.search.transpositions import (
    AGE_MASK,
    LOST,
    LOWER,
    MISSING,
    UPPER,
    new_transpositions,
)

INF = np.inf


@pytest.fixture(autouse=True)
def wrapping():
    with np.errstate(over="ignore"):
        yield


def neighbours(table, many):
    """Keys that share a pair of places."""
    home = table.home(1)
    return [key for key in range(1, 10_000) if table.home(key) == home][:many]


def bounds(table, key):
    place = table.find(key)
    return tuple(table.real[place, [LOWER, UPPER]].tolist())


def test_an_entry_is_found_again():
    table = new_transpositions(1 << 12)
    assert table.find(77) == MISSING
    table.store(77, 5, True, -0.25, INF, 4096)
    place = table.find(77)
    assert (table.depth(place), table.is_open(place), table.action(place)) == (5, True, 4096)
    assert bounds(table, 77) == (-0.25, INF)
    table.store(-77, 1, False, -INF, 2.0**40, MISSING)
    assert table.action(table.find(-77)) == MISSING and not table.is_open(table.find(-77))
    assert bounds(table, -77) == (-INF, 2.0**40)


def test_bounds_of_one_depth_meet_and_those_of_another_replace_them():
    table = new_transpositions(1 << 12)
    table.store(5, 3, True, 0.25, INF, 8)
    table.store(5, 3, True, -INF, 0.5, MISSING)
    assert bounds(table, 5) == (0.25, 0.5) and table.action(table.find(5)) == 8
    table.store(5, 4, True, -INF, 0.75, MISSING)
    assert bounds(table, 5) == (-INF, 0.75) and table.action(table.find(5)) == 8


def test_the_first_of_two_places_keeps_the_deeper_entry():
    table = new_transpositions(1 << 10)
    a, b, c, d = neighbours(table, 4)
    for key, depth in ((a, 4), (b, 2), (c, 3)):  # c is not as deep as a, so it takes b's place
        table.store(key, depth, True, 0.0, 0.0, 1)
    assert table.find(b) == MISSING and table.find(a) != MISSING and table.find(c) != MISSING
    table.store(d, 4, True, 0.0, 0.0, 1)
    assert table.find(a) == MISSING and table.find(d) != MISSING
    assert table.used[LOST] == 2


def test_what_an_earlier_search_left_counts_and_is_overwritten_first():
    table = new_transpositions(1 << 10)
    a, b, c, _ = neighbours(table, 4)
    table.store(a, 9, True, 0.5, 0.5, 1)
    table.next_search()
    table.store(b, 1, True, 0.0, 0.0, 1)
    assert table.find(a) == MISSING and table.find(b) != MISSING and table.used[LOST] == 0
    table.next_search()
    assert table.find(b) != MISSING and table.find(c) == MISSING


def test_a_cleared_table_knows_nothing_even_after_very_many_searches():
    table = new_transpositions(1 << 10)
    for _ in range(AGE_MASK + 3):
        table.store(9, 2, True, 0.0, 0.0, 1)
        assert table.find(9) != MISSING
        table.clear()
        assert table.find(9) == MISSING


def test_a_table_of_no_memory_keeps_nothing():
    table = new_transpositions(0)
    table.store(9, 2, True, 0.0, 0.0, 1)
    assert table.find(9) == MISSING
    table.clear()
    table.next_search()
    table.store(9, 2, True, 0.0, 0.0, 1)
    assert table.find(9) == MISSING


@pytest.mark.parametrize("memory", [1, 127, -1])
def test_a_table_has_room_or_is_none(memory):
    with pytest.raises(Invalid, match="memory must be 0, for no table, or a number of bytes from 128 up"):
        new_transpositions(memory)
