"""The form of a spot: what it asks for, and the sentence beside each field that is wrong."""

import pytest

import fogtree
from fogtree.web.spot_form import EXAMPLES, USUAL, Wrong, fields_of, looked_at, read_form


def form(**more):
    texts = {**USUAL, **EXAMPLES["turn"][1], **{key.replace("_", "-"): text for key, text in more.items()}}
    return {key: [text] for key, text in texts.items()}


def test_the_three_known_spots_are_made_as_the_command_makes_them():
    # docs/poker.md
    bets = {"river": "50%, 100%, a; 3x; none", "turn": "60%; 2.5x; none", "flop": "50%; 50%; none"}
    for example, (_, texts) in EXAMPLES.items():
        wanted = read_form({key: [text] for key, text in {**USUAL, **texts}.items()})
        ours, theirs = fogtree.spot(**wanted.spot), fogtree.spot(**{**wanted.spot, "bets": bets[example]})
        assert (ours.amount == theirs.amount).all() and (ours.weight == theirs.weight).all()


def test_sizes_of_each_street_and_player_stand_in_their_places():
    wanted = read_form(form(turn_oop_bets="33%", turn_ip_raises="3x", river_oop_donks="10%", flop_oop_bets="1%"))
    assert wanted.spot["bets"] == "33%; 2.5x; none | 60%; 3x / 60%; 2.5x; 10% | 60%; 2.5x"
    assert "flop" not in wanted.spot["bets"] and wanted.spot["bets"].count("/") == 1


def test_a_spot_that_was_solved_fills_the_form_as_it_was():
    given = form(rake="5", cap="6", river_ip_bets="e, a", target="0.25")
    again = fields_of(*read_form(given))
    assert read_form({key: [text] for key, text in {**USUAL, **again}.items()}) == read_form(given)


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("board", "Td9d", "no board"),
        ("board", "Td9dTd", "card twice"),
        ("board", "", "choose three"),
        ("pot", "-1", "whole number of chips"),
        ("stack", "1.5", "whole number of chips"),
        ("oop", "AA,ZZ", "letter 4"),
        ("ip", "TdTs,9d9s", "no hand of this range of ip is left on this board"),
        ("pot", "100%", "whole number of chips"),
        ("target", "0,5", "percentage of the pot"),  # not 5: a comma stands between thousands
        ("rake", "5,5", "percentage"),
        ("turn-oop-bets", "50%; 3x", "without ';'"),
        ("river-ip-raises", "3y", "no size of a bet"),
        ("turn-ip-bets", "2.5x", "first bet"),
        ("rake", "101", "percentage"),
        ("target", "0", "percentage of the pot"),
        ("seconds", "nan", "number of seconds"),
        ("cap", "inf", "number of chips"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nowhere_else(field, text, words):
    given = form(**{field: text})
    with pytest.raises(Wrong) as caught:
        read_form(given)
    assert list(caught.value.fields) == [field] and words.lower() in caught.value.fields[field].lower()
    assert caught.value.fields[field].endswith(".") and looked_at(given)["wrong"] == caught.value.fields


def test_sizes_of_streets_that_are_over_are_not_looked_at():
    read_form(form(flop_oop_bets="nonsense"))


def test_a_donk_of_the_first_street_which_is_hidden_is_not_looked_at():
    assert read_form(form(turn_oop_donks="nonsense")) == read_form(form(turn_oop_donks="none"))


def test_thousands_may_stand_between_commas():
    assert read_form(form(pot="1,000", stack="1,234,000")).spot["stack"] == 1_234_000


def test_a_grid_shows_how_often_each_group_is_held_and_what_the_board_leaves_of_it():
    told = looked_at(form(oop="AA,KK,TT:0.5,AKs", ip="AhKh"))["ranges"]
    # two of four tens lie nowhere but one: three pairs of tens are left of six, each held half of the time
    assert told["oop"]["cells"] == {"AA": 1.0, "KK": 1.0, "TT": 0.5, "AKs": 1.0}
    assert told["oop"]["told"].startswith("17.5 combinations") and told["oop"]["text"] == "KK+,AKs,TT:0.5"
    assert told["ip"]["cells"] == {"AKs": 0.25}


def test_painting_hands_out_of_a_range_leaves_it_empty_and_says_so():
    told = looked_at(form(oop="AA,AA:0"))
    assert told["ranges"]["oop"] == {"cells": {}, "told": "no hands", "text": ""} and "oop" in told["wrong"]
