"""The transposition table: both bounds, replacement, clearing. All of it runs in plain Python too."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.search.open.transpositions import (
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


class Plain:
    """The same table in plain words: for each home two places, each empty or with a key and what is known of it."""

    def __init__(self, home):
        self.home, self.places, self.age, self.oldest, self.lost = home, {}, 1, 1, 0

    def find(self, key):
        for second in (0, 1):
            known = self.places.get((self.home(key), second))
            if known and known["key"] == key and known["age"] >= self.oldest:
                return known
        return None

    def store(self, key, depth, is_open, lower, upper, action):
        known = self.find(key)
        if known is None:
            first, second = ((self.home(key), n) for n in (0, 1))
            now = [self.places.get(place, {"age": 0})["age"] == self.age for place in (first, second)]
            place = second if now[0] and (not now[1] or self.places[first]["depth"] > depth) else first
            self.lost += now[place == second]
            known = self.places[place] = {}
        else:
            action = known["action"] if action == MISSING else action
            if known["depth"] == depth:
                lower, upper = max(lower, known["lower"]), min(upper, known["upper"])
                is_open = is_open or known["open"]
        known |= {"key": key, "depth": depth, "open": is_open, "lower": lower, "upper": upper, "action": action}
        known["age"] = self.age


def test_a_long_random_course_is_kept_as_in_plain_words():
    random, table = np.random.default_rng(3), new_transpositions(1 << 8)
    plain = Plain(lambda key: int(table.home(key)))
    keys = random.integers(-(2**62), 2**62, 14).tolist()
    for step in range(500):
        key, depth, action = random.choice(keys).item(), int(random.integers(0, 4)), int(random.integers(-1, 3))
        lower, upper = sorted(random.integers(-8, 9, 2).tolist())
        if step % 29 == 28:
            table.next_search()
            plain.age, plain.lost = plain.age + 1, 0
        if step % 151 == 150:
            table.clear()
            plain.age, plain.lost = plain.age + 1, 0
            plain.oldest = plain.age
        table.store(key, depth, bool(step % 3), lower, upper, action if action >= 0 else MISSING)
        plain.store(key, depth, bool(step % 3), lower, upper, action if action >= 0 else MISSING)
        assert table.used[LOST] == plain.lost
        for each in keys:
            place, known = table.find(each), plain.find(each)
            assert (place == MISSING) == (known is None)
            if known:
                found = (table.word[place, 0], table.depth(place), bool(table.is_open(place)), table.action(place))
                assert found == (each, known["depth"], known["open"], known["action"])
                assert bounds(table, each) == (known["lower"], known["upper"])
