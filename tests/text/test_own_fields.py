"""Fields of a user's class that checks nothing itself: a text that names it gives each field what its annotation says."""

import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.text.parameters import accepts, build

OWN = """from typing import NamedTuple


class Half(NamedTuple):
    size: int = 3
    rate: float = 0.5
    deep: bool = False
    free: object = None

    def step(self, state, action):
        pass
"""


@pytest.fixture
def half(tmp_path):
    names = {"__name__": "half"}
    exec(OWN, names)
    return names["Half"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("size=many", "Half: size must be a whole number of 64 bits, not 'many'"),
        ("size=2.5", "Half: size must be a whole number of 64 bits, not 2.5"),
        ("size=true", "Half: size must be a whole number of 64 bits, not True"),
        ("rate=high", "Half: rate must be a number, not 'high'"),
        ("deep=3", "Half: deep must be true or false, not 3"),
    ],
)
def test_a_value_of_another_type_is_refused(half, text, sentence):
    with pytest.raises(Invalid, match=sentence):
        build(half, text, "half")


def test_what_fits_is_taken(half):
    assert build(half, "size=4,rate=1,deep=yes,free=word", "half") == half(4, 1.0, True, "word")


def test_accepts_says_that_a_class_is_no_named_tuple(tmp_path):
    with pytest.raises(TypeError, match=r"Bare is no NamedTuple: write class Bare\(NamedTuple\)"):

        @accepts(size=range(3))
        class Bare:
            size: int = 1

    file = tmp_path / "bare.py"
    file.write_text(
        "from fogtree.text.parameters import accepts\n@accepts(size=range(3))\nclass Bare:\n    size: int = 1\n"
    )
    with pytest.raises(Invalid, match=r"Bare is no NamedTuple: write class Bare\(NamedTuple\)"):
        ft.load(str(file))
