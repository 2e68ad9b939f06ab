"""What a page of a match offers in each of its conditions."""

from types import SimpleNamespace

import pytest

from fogtree.web.pages_play import _moves


@pytest.mark.parametrize(
    ("status", "ended", "offered"),
    [
        ("over", "", ""),
        ("over", "its process is gone", ""),
        ("theirs", "its process is gone", ""),
        ("theirs", "", "None at"),
    ],
)
def test_moves_are_offered_until_the_match_is_over_or_its_process_ended(status, ended, offered):
    shown = _moves(None, SimpleNamespace(facts={"status": status}, ended=ended))
    assert offered in shown and bool(shown) == bool(offered)
