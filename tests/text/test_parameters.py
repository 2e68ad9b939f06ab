"""Parameters: what each rule admits, the sentence for what it does not, and the text form there and back."""

import copy
import enum
import math
import pickle
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogtree import GAMES, Invalid, load, name
from fogtree.text.parameters import accepts, as_value, build, real, spell, valid

GOOFSPIEL = GAMES["goofspiel"]  # loaded before Hypothesis takes the time


class Colour(enum.IntEnum):
    RED = 1
    DARK_BLUE = 2


def numbers(value):
    """a list of numbers"""
    return np.array(value, np.float64)


def undocumented(value):
    raise ValueError("something that nothing is")


class Pair(NamedTuple):
    left: int = 1
    right: int = 2


@accepts(cards=range(1, 14), even=range(2, 9, 2), colour=Colour, rate=real(0, 1, open_low=True), weights=numbers)
class Sample(NamedTuple):
    cards: int
    even: int = 2
    colour: Colour = Colour.RED
    rate: float = 0.5
    weights: Any = numbers([1, 2])
    open: bool = False
    shift: int = 0
    scale: float = 1.0
    pair: Pair = Pair()
    note: Any = None

    def problem(self):
        return "cards must not be the shift" if self.cards == self.shift else ""


@accepts(value=undocumented)
class Undocumented(NamedTuple):
    value: int = 0


def same(a, b):
    return type(a) is type(b) and all(
        np.array_equal(x, y) if isinstance(x, np.ndarray) else (x == y and type(x) is type(y))
        for x, y in zip(a, b, strict=True)
    )


def refusal(function, *args, **kwargs):
    with pytest.raises(Invalid) as caught:
        function(*args, **kwargs)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("field", "given_value", "kept"),
    [
        ("cards", 13, 13),
        ("cards", np.int64(4), 4),
        ("even", 8, 8),
        ("colour", Colour.DARK_BLUE, Colour.DARK_BLUE),
        ("colour", "dark-blue", Colour.DARK_BLUE),
        ("colour", "Dark_Blue", Colour.DARK_BLUE),
        ("rate", 1, 1.0),
        ("rate", np.float32(0.25), 0.25),
        ("open", np.True_, True),
        ("shift", -(2**63), -(2**63)),
        ("scale", 3, 3.0),
        ("scale", math.inf, math.inf),
        ("pair", Pair(3, 4), Pair(3, 4)),
        ("note", "anything", "anything"),
    ],
)
def test_a_good_value_is_kept_as_its_field_wants_it(field, given_value, kept):
    value = getattr(Sample(**{"cards": 5, field: given_value}), field)
    assert value == kept and type(value) is type(kept)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("cards", 0, "cards must be a whole number from 1 to 13, not 0"),
        ("cards", 14, "cards must be a whole number from 1 to 13, not 14"),
        ("cards", 3.0, "cards must be a whole number from 1 to 13, not 3.0"),
        ("cards", True, "cards must be a whole number from 1 to 13, not True"),
        ("cards", "4", "cards must be a whole number from 1 to 13, not '4'"),
        ("cards", None, "cards must be a whole number from 1 to 13, not None"),
        ("even", 3, "even must be a whole number from 2 to 8 in steps of 2, not 3"),
        ("colour", "green", "colour must be red or dark-blue, not 'green'"),
        ("colour", 1, "colour must be red or dark-blue, not 1"),
        ("rate", 0, "rate must be a number in (0, 1], not 0"),
        ("rate", 1.001, "rate must be a number in (0, 1], not 1.001"),
        ("rate", math.nan, "rate must be a number in (0, 1], not nan"),
        ("rate", True, "rate must be a number in (0, 1], not True"),
        ("rate", "half", "rate must be a number in (0, 1], not 'half'"),
        ("rate", 10**400, "rate must be a number in (0, 1], not 1" + 56 * "0" + "..."),
        ("weights", "x", "weights must be a list of numbers, not 'x'"),
        ("weights", [[1], [2, 3]], "weights must be a list of numbers, not [[1], [2, 3]]"),
        ("open", 1, "open must be true or false, not 1"),
        ("shift", 2**63, "shift must be a whole number of 64 bits, not 9223372036854775808"),
        ("shift", 1.0, "shift must be a whole number of 64 bits, not 1.0"),
        ("scale", "3", "scale must be a number, not '3'"),
        ("scale", None, "scale must be a number, not None"),
        ("scale", 1j, "scale must be a number, not 1j"),
        ("scale", False, "scale must be a number, not False"),
        ("pair", (1, 2), "pair must be a Pair, not (1, 2)"),
    ],
)
def test_a_bad_value_is_one_sentence(field, value, sentence):
    assert refusal(Sample, **{"cards": 5, field: value}) == f"Sample: {sentence}"


def test_a_function_without_words_speaks_through_its_error():
    assert refusal(Undocumented) == "Undocumented: value must be something that nothing is, not 0"


def test_fields_that_do_not_fit_together_are_a_problem():
    assert refusal(Sample, 3, shift=3) == "Sample: cards must not be the shift"


def test_every_way_to_make_an_instance_is_checked():
    sample = Sample(5)
    assert refusal(sample._replace, cards=14) == "Sample: cards must be a whole number from 1 to 13, not 14"
    assert refusal(Sample._make, [0]) == "Sample: cards must be a whole number from 1 to 13, not 0"
    assert sample._replace(cards=7).cards == 7
    assert type(sample._replace(cards=7)) is Sample


def test_an_unknown_argument_is_pythons_own_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'card'"):
        Sample(card=5)


def test_copies_and_pickles_are_the_same():
    sample = Sample(5, colour="dark-blue", weights=[3, 4])
    for twin in (copy.copy(sample), copy.deepcopy(sample), pickle.loads(pickle.dumps(sample))):
        assert same(twin, sample)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (range(3, 65), "3 to 64"),
        (range(2, 9, 2), "2 to 8 in steps of 2"),
        (Colour, "red or dark-blue"),
        (real(0, 1), "a number in [0, 1]"),
        (real(0, math.inf, open_low=True, open_high=True), "a number in (0, inf)"),
        (numbers, "a list of numbers"),
        (bool, "true or false"),
        (int, "a whole number of 64 bits"),
        (float, "a number"),
        (Pair, "a Pair"),
    ],
)
def test_a_rule_in_words(rule, words):
    assert valid(rule) == words


@given(low=st.floats(-10, 10), width=st.floats(0, 10), value=st.floats(), ends=st.tuples(st.booleans(), st.booleans()))
def test_real_admits_its_interval_and_nothing_else(low, width, value, ends):
    high, (open_low, open_high) = low + width, ends
    admit = real(low, high, open_low=open_low, open_high=open_high)
    inside = (low < value if open_low else low <= value) and (value < high if open_high else value <= high)
    if inside:
        assert admit(value) == value
    else:
        with pytest.raises(ValueError, match="a number in"):
            admit(value)


# --- text ------------------------------------------------------------------------------------------------------------


def test_text_is_read_by_the_same_rules():
    sample = build(Sample, " cards=5, colour=dark-blue ,rate=1e-3,weights=[1,2,3],open=YES,shift=-4,scale=inf", "s")
    assert same(sample, Sample(5, 2, Colour.DARK_BLUE, 0.001, numbers([1, 2, 3]), True, -4, math.inf))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "sample needs cards"),
        ("even=4", "sample needs cards"),
        ("cards", "sample: write cards=VALUE, not 'cards'"),
        ("cards=", "Sample: cards must be a whole number from 1 to 13, not ''"),
        ("cards=5=6", "Sample: cards must be a whole number from 1 to 13, not '5=6'"),
        ("cards=5,cards=6", "sample: cards is given twice"),
        ("5", "sample has no parameter '5'"),
        ("=5", "sample has no parameter ''"),
        ("cards=5,colours=red", "sample has no parameter 'colours': valid are cards, even, colour, rate"),
        ("cards=5,weights=[1,2", "Sample: weights must be a list of numbers, not '[1,2'"),
        ("cards=5,weights=1],even=2", "Sample: weights must be a list of numbers, not '1],even=2'"),
        ("cards=5,weights={[]:1}", "Sample: weights must be a list of numbers, not '{[]:1}'"),
        ("cards=5,weights=" + 300 * "[", "Sample: weights must be a list of numbers, not '[[["),
        ("cards=5,shift=" + 5000 * "9", "Sample: shift must be a whole number of 64 bits, not '999"),
        ("cards=5,scale=two", "Sample: scale must be a number, not 'two'"),
    ],
)
def test_bad_text_is_one_sentence(text, sentence):
    assert refusal(build, Sample, text, "sample").startswith(sentence)


def test_commas_inside_brackets_do_not_part():
    assert build(Sample, "cards=5,weights=[(1,2),(3,4)],even=4", "s").weights.tolist() == [[1, 2], [3, 4]]


def test_only_what_differs_from_the_defaults_is_spelled():
    assert spell(Sample(5)) == "cards=5"
    changed = Sample(5, colour="dark-blue", weights=[1, 2.5], open=True, rate=1e-7)
    assert spell(changed) == "cards=5,colour=dark-blue,rate=1e-07,weights=[1.0,2.5],open=true"


@given(
    st.builds(
        lambda **fields: Sample(**fields),
        cards=st.integers(6, 13),
        even=st.sampled_from([2, 4, 6, 8]),
        colour=st.sampled_from(Colour),
        rate=st.floats(0, 1, exclude_min=True),
        weights=st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5).map(numbers),
        open=st.booleans(),
        shift=st.integers(-(2**63), 5),
        scale=st.floats(allow_nan=False),
    )
)
def test_what_is_spelled_is_built_again(sample):
    assert same(build(Sample, spell(sample), "sample"), sample)


@pytest.mark.parametrize("known", GAMES)
def test_a_game_of_default_parameters_is_its_name(known):
    assert name(load(known)) == known


@given(st.integers(1, 13), st.booleans(), st.sampled_from(["decreasing", "increasing", "shuffled"]), st.booleans())
def test_a_games_name_loads_the_game(cards, hidden, prizes, points):
    game = GOOFSPIEL(cards, hidden, prizes, 1, points)
    assert load(name(game)) == game


def test_a_matrix_is_written_and_read():
    game = load("matrix:payoffs=[[1,-2],[-3,4.5]]")
    assert name(game) == "matrix:payoffs=[[1.0,-2.0],[-3.0,4.5]]"
    assert load(name(game)).payoffs.tolist() == [[1, -2], [-3, 4.5]]


@pytest.mark.parametrize("text", ["1if", "0x1for", "[1or 2]", r"'\d'"])
def test_what_python_thinks_of_a_text_is_not_printed(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_value(text) in (text, r"\d")
