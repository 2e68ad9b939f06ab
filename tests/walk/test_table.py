"""The table of information sets, against a Python dict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import Invalid
from fogtree.game import NONE
from fogtree.kernels import kernel
from fogtree.walk.table import MOST_PLAYERS, empty

LOW, HIGH = -(2**63), 2**63 - 1
views = st.integers(LOW, HIGH) | st.integers(-3, 3) | st.sampled_from([LOW, LOW + 1, -1, 0, 1, HIGH - 1, HIGH])
keys = st.tuples(views, st.integers(0, 3) | st.sampled_from([127, 128, MOST_PLAYERS - 1]))


@kernel
def add_all(table, view, player, number):
    for i in range(view.shape[0]):
        number[i] = table.add(view[i], player[i])


@kernel
def find_all(table, view, player, number):
    for i in range(view.shape[0]):
        number[i] = table.find(view[i], player[i])


def numbers(run, table, pairs):
    view = np.array([view for view, _ in pairs], np.int64)
    player = np.array([player for _, player in pairs], np.int64)
    number = np.zeros(len(pairs), np.int64)
    run(table, view, player, number)
    return number.tolist()


def numbered(pairs):
    """What a dict says: each pair's number is how many different pairs came before it first did."""
    known: dict = {}
    return [known.setdefault(pair, len(known)) for pair in pairs]


def filled(pairs, capacity=4):
    """A table with these pairs, grown as its users grow it."""
    table, found = empty(capacity), []
    for pair in pairs:
        if table.full():
            table = table.grown()
        found += numbers(add_all, table, [pair])
    return table, found


@given(st.lists(keys, max_size=60))
@settings(max_examples=60, deadline=None)
def test_numbers_are_those_of_a_dict(pairs):
    table, found = filled(pairs)
    assert found == numbered(pairs)
    assert table.used[0] == len(set(pairs))
    assert numbers(find_all, table, pairs) == found


@given(st.lists(keys, max_size=30, unique=True), st.lists(keys, max_size=30))
@settings(max_examples=60, deadline=None)
def test_what_was_never_added_is_not_found(pairs, others):
    table, _ = filled(pairs)
    expected = [pairs.index(pair) if pair in pairs else NONE for pair in others]
    assert numbers(find_all, table, others) == expected
    assert table.used[0] == len(pairs)


def test_the_same_view_of_two_players_is_two_sets():
    assert filled([(7, 0), (7, 1), (7, 255), (7, 0)])[1] == [0, 1, 2, 0]


def test_growth_keeps_the_numbers():
    random = np.random.default_rng(1)
    pairs = [(int(view), i & 1) for i, view in enumerate(random.integers(LOW, HIGH, 5000))]
    table = empty(1 << 13)
    assert numbers(add_all, table, pairs) == list(range(5000))
    for _ in range(3):
        table = table.grown()
        assert numbers(find_all, table, pairs) == list(range(5000))
        assert table.used[0] == 5000
    assert table.slot.shape == (1 << 16, 2)
    assert numbers(add_all, table, [*pairs[:10], (5, 9)]) == [*range(10), 5000]


def test_neighbouring_views_do_not_crowd():
    # views are often small consecutive numbers, or multiples of a power of two; probes must stay short for these too
    for stride in (1, 3, 7, 18, 64, 81, 1_000, 1 << 20, 1 << 32, 1 << 40, 10**12):
        table = empty(1 << 12)
        pairs = [(stride * i, i & 1) for i in range(2700)]
        numbers(add_all, table, pairs)
        assert table.used[0] == 2700 and not table.full()
        slots = {int(view): i for i, (view, owner) in enumerate(table.slot) if owner >= 0}
        with np.errstate(over="ignore"):
            steps = [(slots[view] - table.home(view, player)) % (1 << 12) for view, player in pairs]
        assert np.mean(steps) < 3  # linear probing at two thirds full: 1.0 on average where keys fall at random


def test_interpreted_equals_compiled():
    random = np.random.default_rng(2)
    pairs = [(int(view), i & 3) for i, view in enumerate(random.integers(-100, 100, 100))]
    tables = empty(256), empty(256)
    assert numbers(add_all, tables[0], pairs) == numbers(add_all.interpreted, tables[1], pairs)
    assert np.array_equal(tables[0].slot, tables[1].slot)
    with np.errstate(over="ignore"):
        assert [tables[0].find(view, player) for view, player in pairs] == numbers(find_all, tables[0], pairs)


def test_a_third_stays_free():
    for capacity in (4, 8, 1024):
        table, view = empty(capacity), 0
        while not table.full():
            numbers(add_all, table, [(view, 0)])
            view += 1
        assert 2 * capacity / 3 <= table.used[0] < capacity
        assert numbers(find_all, table, [(-1, 0), (view, 0)]) == [NONE, NONE]  # the search ends


@pytest.mark.parametrize("capacity", [-4, 0, 1, 2, 3, 5, 1000])
def test_a_capacity_is_a_power_of_two(capacity):
    with pytest.raises(Invalid, match=f"^the capacity of a table is a power of two from 4 up, not {capacity}$"):
        empty(capacity)


@given(st.lists(keys, max_size=60, unique=True))
@settings(max_examples=20, deadline=None)
def test_a_set_is_found_under_the_number_that_it_was_entered_with(pairs):
    table = empty(128)
    with np.errstate(over="ignore"):  # hashes wrap round
        for n, (view, player) in enumerate(pairs):
            table.enter(view, player, 1_000 - 7 * n)
    assert table.used[0] == len(pairs)
    assert numbers(find_all, table.grown(), pairs) == [1_000 - 7 * n for n in range(len(pairs))]
