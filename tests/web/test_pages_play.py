"""What a page of a match offers in each of its conditions."""

import re
import urllib.parse
from types import SimpleNamespace

import pytest

from fogtree.web.desk import Desk, one, whole
from fogtree.web.html import Safe
from fogtree.web.offer import Offer
from fogtree.web.pages_choose import _link, invitation
from fogtree.web.pages_play import NUMBERS, _controls, _moves, _reel, _result, _reveal


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


@pytest.mark.parametrize(("made", "words"), [(0, []), (1, ["1 move"]), (2, ["All 2 moves"])])
def test_the_result_counts_the_moves(made, words):
    facts = {"status": "over", "payoffs": [0, 0], "names": ["a", "b"], "moves": [[0, "x"]] * made}
    shown = _result(None, SimpleNamespace(facts=facts))
    assert re.findall(r"<summary>([^<]*moves?)</summary>", shown) == words


def test_the_same_again_as_the_invitation_thinks_as_long():
    desk = Desk(Offer(), None, "token", "store", ())
    fields = {key: [value] for key, value in re.findall(r'name="([^"]+)" value="([^"]*)"', invitation(desk))}
    chosen = desk.agent_choice(fields, "against")
    again = {key: [value] for key, value in urllib.parse.parse_qsl(_link("/play", fields).partition("?")[2])}
    form = desk.agent_fields("against", "", {key: values[0] for key, values in again.items()}, one(fields, "game"), "")
    assert re.findall(r'name="iterations-against" value="(\d+)"', form) == [str(chosen.iterations)]


def test_the_slider_begins_at_the_first_position_and_has_no_other_yet():
    job = SimpleNamespace(address="/match/a", more={"view": "/watch"}, facts={"open": True})
    (slider,) = re.findall(r'<input[^>]*type="range"[^>]*>', _reel(job, Safe("")))
    assert re.findall(r'(min|max|value)="(\d+)"', slider) == [("min", "0"), ("max", "0"), ("value", "0")]


def test_every_form_of_a_match_is_sent_without_a_new_page():
    # the script sends forms that are marked so; without the mark the page is loaded anew, and the place on it is lost
    desk = Desk(*(None for _ in Desk._fields))
    facts = {"status": "yours", "actions": [("check", 0), ("bet", 1)], "turn": 2, "undo": True, "boarded": True}
    job = SimpleNamespace(address="/match/a", more={"view": "/play", "open": True}, facts=facts, ended="")
    for made, count in ((_moves(desk, job), 2), (_controls(desk, job), 3), (_reveal(desk, job), 1)):
        forms = re.findall(r"<form[^>]*>", made)
        assert len(forms) == count and all(" data-fetch" in form for form in forms)
