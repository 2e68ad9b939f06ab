"""MoGo's patterns. The golden counts were made by an independent program from the same drawings."""

import importlib.util
import pathlib

import numpy as np
import pytest

from fogtree.games.go.board import BLACK, BORDER, EMPTY, WHITE
from fogtree.games.go.patterns import CODES, PATTERNS, TABLE, codes_that_exist, matches

GOLDEN = {
    "hane 1": 216,
    "hane 2": 144,
    "hane 3": 432,
    "hane 4": 72,
    "cut 1": 1462,
    "cut 2": 518,
    "edge 1": 144,
    "edge 2": 240,
    "edge 3": 200,
    "edge 4": 144,
    "edge 5": 24,
}
OFF_BOARD = sum((CODES >> 2 * k & 3 == BORDER).astype(int) for k in range(8))  # [neighbourhoods]
SIGNS = {"X": BLACK, "O": WHITE, ".": EMPTY, "#": BORDER}


def code(rows):
    """The code of a drawn neighbourhood: N E S W NE SE SW NW."""
    top, middle, bottom = rows.split()
    around = (top[1], middle[2], bottom[1], middle[0], top[2], bottom[2], bottom[0], top[0])
    return sum(SIGNS[sign] << 2 * k for k, sign in enumerate(around))


def test_there_are_as_many_neighbourhoods_as_stones_can_make():
    # eight, five or three points beside the candidate, four edges, four corners
    assert len(codes_that_exist()) == 3**8 + 4 * 3**5 + 4 * 3**3


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_a_pattern_matches_as_many_neighbourhoods_as_it_should(pattern):
    assert matches(pattern).sum() == GOLDEN[pattern.name]


def test_all_patterns_together_match_3252_neighbourhoods():
    for stone in (BLACK, WHITE):
        found = TABLE[CODES] & stone != 0
        assert [int(found[off == OFF_BOARD].sum()) for off in (0, 3, 5)] == [2620, 584, 48]
        assert np.count_nonzero(TABLE & stone) == 3252


@pytest.mark.parametrize(
    "rows, black, white",
    [
        ("XOX .+. ...", True, True),  # hane 1
        ("... .+. XOX", True, True),  # upside down
        ("XOO .+. ...", True, False),  # hane 4, the mover's alone
        ("OXX .+. ...", False, True),
        ("XO. O+. ...", True, True),  # cut 1
        ("XO. O+O ...", False, False),  # its exceptions
        ("XO. O+. .O.", False, False),
        ("XO. O+O .O.", True, True),
        (".OX X+O ###", True, True),  # edge 5 for black; for white it is edge 2 with the colours exchanged
        ("... .+. ...", False, False),
        ("##. #+. ...", False, False),
    ],
)
def test_drawn_neighbourhoods(rows, black, white):
    found = TABLE[code(rows)]
    assert (bool(found & BLACK), bool(found & WHITE)) == (black, white)


def test_the_pictures_are_what_their_script_draws():
    path = pathlib.Path(__file__).parents[2] / "docs" / "pictures" / "go_patterns.py"
    spec = importlib.util.spec_from_file_location("go_patterns_picture", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for pattern in PATTERNS:
        assert script.draw(pattern) == script.file_of(pattern).read_text()
