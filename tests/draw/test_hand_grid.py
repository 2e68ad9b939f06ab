"""The grid of 169 kinds of hands: where each stands, how wide its bars are, and that its letters can be read."""

from xml.etree import ElementTree

import pytest

from fogtree.draw.hand_grid import GROUND, HandCell, colours, hand_grid, kind, rgb, shade

SVG = "{http://www.w3.org/2000/svg}"


def test_pairs_are_on_the_diagonal_and_suited_hands_above_it():
    assert [kind(0, 0), kind(0, 1), kind(1, 0), kind(12, 12), kind(12, 0)] == ["AA", "AKs", "AKo", "22", "A2o"]


def test_a_bar_is_as_wide_as_the_action_is_played_and_as_high_as_the_hand_is_held():
    call, bet = colours(["call", "bet 10"])
    drawn = hand_grid({"AKs": HandCell([(0.25, call), (0.75, bet)], 0.5)}, "title")
    rects = {one.get("fill"): one for one in ElementTree.fromstring(drawn).iter(f"{SVG}rect")}
    ground, first, second = rects[GROUND], rects[rgb(call)], rects[rgb(bet)]
    assert float(first.get("width")) == pytest.approx(float(ground.get("width")) / 4, abs=0.02)
    assert float(second.get("width")) == pytest.approx(3 * float(first.get("width")), abs=0.05)
    assert float(second.get("x")) == pytest.approx(float(first.get("x")) + float(first.get("width")), abs=0.02)
    assert float(first.get("height")) == pytest.approx(float(ground.get("height")) / 2, abs=0.02)
    below = float(ground.get("y")) + float(ground.get("height"))
    assert float(first.get("y")) + float(first.get("height")) == pytest.approx(below, abs=0.02), (
        "it stands on the ground"
    )


def test_all_169_hands_are_named_once():
    texts = [one.text for one in ElementTree.fromstring(hand_grid({}, "title")).iter(f"{SVG}text")]
    assert len(texts) == len(set(texts)) == 169


def light(colour):
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_white_letters_can_be_read_on_every_colour():
    # 4.5 is the bar of WCAG's level AA
    used = colours(["fold", "check", *(f"bet {n}" for n in range(8))])
    used += [shade(n / 20) for n in range(21)]
    used += [*colours(["fold", "bet 1"]), tuple(int(GROUND[i : i + 2], 16) for i in (1, 3, 5))]
    assert min(1.05 / (light(colour) + 0.05) for colour in used) >= 4.5
