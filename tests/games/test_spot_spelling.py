"""A range is written in the shortest usual way, and read back as the same numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.games.spot.ranges import HANDS, weights
from fogtree.games.spot.spelling import CLASSES, spelled_range


@pytest.mark.parametrize(
    ("typed", "short"),
    [
        ("AA,KK,QQ", "QQ+"),
        ("AKs,AQs,AJs,KQo", "AJs+,KQo"),
        ("A2s,A3s,A4s,99,88", "99-88,A4s-A2s"),
        ("KQs:0.5,KJs:0.5,AA", "AA,KJs+:0.5"),
        ("AhKd,AhKh", "AhKh,AhKd"),
        ("AhKh,AdKd,AsKs,AcKc", "AKs"),
        ("random", "random"),
        ("22+,A2+,K2+,QQ:0", "KK+,JJ-22,A2s+,A2o+,K2s+,K2o+"),
    ],
)
def test_a_range_is_written_as_players_write_it(typed, short):
    text = spelled_range(weights(typed))
    assert sorted(text.split(",")) == sorted(short.split(","))


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(list(CLASSES)), st.sampled_from([1.0, 0.5, 0.25, 1 / 3]), min_size=1),
    st.dictionaries(st.integers(0, HANDS - 1), st.floats(0.001, 1.0), max_size=4),
)
def test_what_is_written_is_read_back_as_the_same_numbers(groups, single):
    range_ = np.zeros(HANDS)
    for group, share in groups.items():
        range_[CLASSES[group]] = share
    for hand, share in single.items():
        range_[hand] = share
    assert (weights(spelled_range(range_)) == range_).all()


def test_no_hands_are_an_empty_text():
    assert spelled_range(np.zeros(HANDS)) == ""
