"""The accelerations of alpha-beta, as a table by hand: what is searched with less depth, and by how much."""

import pytest

from fogtree.search.open.pruning import Risky


@pytest.mark.parametrize(
    ("depth", "number", "promise", "less"),
    [
        (3, 4, 0, 1),
        (2, 4, 0, 0),  # too close to the end
        (3, 3, 0, 0),  # among the first
        (3, 4, 1, 0),  # promises something
        (3, 11, 0, 1),
        (3, 12, 0, 2),  # late
        (5, 12, 0, 2),
        (6, 4, 0, 2),  # deep
        (6, 12, 0, 3),
    ],
)
def test_late_actions_that_promise_nothing_are_searched_with_less_depth(depth, number, promise, less):
    assert Risky().reduction(depth, number, promise) == less


def test_a_free_move_costs_three_plies_and_one_more_for_each_six_and_its_proof_has_what_is_left():
    assert [Risky().rest(depth) for depth in (0, 2, 3, 5, 6, 11, 12)] == [0, 0, 3, 3, 4, 4, 5]
    assert [Risky().proof(depth) for depth in (0, 2, 3, 4, 6, 12)] == [0, 2, 0, 1, 2, 7]


def test_a_stored_value_of_more_depth_is_trusted_and_of_less_only_where_the_window_is_closed():
    assert [Risky().trusts(stored, 4, True) for stored in (3, 4, 5)] == [False, True, True]
    assert Risky().trusts(0, 4, False)
