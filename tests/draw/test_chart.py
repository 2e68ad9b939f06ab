"""Charts: where a number lies on an axis, and room for what stands beside the lines."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from fogtree.draw.chart import HIGH, LETTERS, WIDE, Axis, Trace, _axis, chart
from fogtree.draw.svg import UNIT, svg


def box(*names):
    made = chart([Trace(name, np.array([1, 100]), np.array([1.0, 0.1])) for name in names], x="x", y="y")
    return [float(number) / UNIT for number in ElementTree.fromstring(made).get("viewBox").split()]


def test_an_axis_begins_and_ends_a_twentieth_of_a_power_of_ten_beside_the_numbers():
    axis = _axis([np.array([1.0, 10.0]), np.array([10.0, 100.0])], 21.0)
    assert axis == pytest.approx((-0.05, 2.05, 21.0))
    assert [axis.at(value) for value in (1.0, 10.0, 100.0)] == pytest.approx([0.5, 10.5, 20.5])


def test_an_axis_of_equal_numbers_still_spans_half_a_power_of_ten():
    assert _axis([np.array([10.0, 10.0])], WIDE)[:2] == pytest.approx((0.95, 1.55))


@pytest.mark.parametrize(
    ("high", "ticks"), [(2.4, [1, 2, 5, 10, 20, 50, 100, 200]), (2.5, [1, 10, 100]), (0.3, [1]), (0.31, [1, 2])]
)
def test_few_powers_of_ten_are_divided(high, ticks):
    assert Axis(0.0, high, 1.0).ticks() == pytest.approx(ticks)


def test_the_longest_name_has_room_beside_the_lines():
    short, long = box("rm"), box("rm", "a name of many letters")
    assert long[2] - short[2] == pytest.approx(0.56 * LETTERS * (22 - 2), abs=0.05)
    assert short[2] > WIDE + 1.5 and short[3] > HIGH


def test_a_picture_is_an_image_and_one_with_moves_a_group():
    assert 'role="img"' in svg([], (0, 0, 1, 1), "a title") and 'role="group"' in svg([], (0, 0, 1, 1), "a title", "x")
