"""Boards seen from another side: turns by hand, and the turn after which a picture lies as another one does."""

import pytest

from fogtree.draw.turning import facing, turned
from fogtree.shapes import Cell, Typed

BOARD = [Cell(0, 0, place="a"), Cell(2, 0, place="b"), Cell(2, 1, place="c")]


def where(drawn):
    return [(shape.x, shape.y) for shape in drawn]


@pytest.mark.parametrize(
    ("quarters", "places"),
    [
        (0, [(0, 0), (2, 0), (2, 1)]),
        (1, [(0, 0), (0, 2), (-1, 2)]),
        (2, [(0, 0), (-2, 0), (-2, -1)]),
        (3, [(0, 0), (0, -2), (1, -2)]),
        (4, [(0, 0), (2, 0), (2, 1)]),
    ],
)
def test_a_quarter_turn_takes_what_is_on_the_right_down(quarters, places):
    assert where(turned(BOARD, quarters)) == places


def test_a_picture_with_typed_lines_stays_as_it_is():
    assert turned([*BOARD, Typed(0, 3, "words")], 2) == [*BOARD, Typed(0, 3, "words")]


@pytest.mark.parametrize("quarters", range(4))
def test_a_picture_is_turned_to_lie_as_another_one_that_may_lie_elsewhere(quarters):
    # 5 further to the right and 7 further down, and with a place that the picture does not have
    like = [shape._replace(x=shape.x + 5, y=shape.y + 7) for shape in turned(BOARD, quarters)]
    assert where(facing(BOARD, [Cell(0, 0, place="only there"), *like])) == where(turned(BOARD, quarters))
