"""What a page of a match offers in each of its conditions."""

import re
from types import SimpleNamespace

import pytest

from fogtree.web.desk import whole
from fogtree.web.html import Safe
from fogtree.web.pages_play import NUMBERS, _moves, _reel


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


@pytest.mark.parametrize("action", [-(2**62), -1, 0, 2**62])
def test_an_action_may_have_any_number(action):
    assert whole({"action": [str(action)]}, "action", 0, **NUMBERS) == action


def test_the_slider_begins_at_the_first_position_and_has_no_other_yet():
    job = SimpleNamespace(address="/match/a", more={"view": "/watch"}, facts={"open": True})
    (slider,) = re.findall(r'<input[^>]*type="range"[^>]*>', _reel(job, Safe("")))
    assert re.findall(r'(min|max|value)="(\d+)"', slider) == [("min", "0"), ("max", "0"), ("value", "0")]
