"""What the parameters of every selection function may be, in one table: its formula makes no sense elsewhere."""

import enum
import pathlib
import re

import pytest

from fogtree import Invalid
from fogtree.bandits import BANDITS, as_bandit
from fogtree.text.parameters import valid

SHARE, WEIGHT, COUNT = "a number in [0, 1]", "a number in [0, 1e+09]", "1 to 999999999"
SOME = "a number in (0, 1]"  # of the exploration: without any, an action that was never drawn would stay so
URGENCY = "a number in [-1e+09, inf]"

BOUNDS = {
    "uct": {"c": WEIGHT, "urgency": URGENCY},
    "tuned": {"width": WEIGHT, "urgency": URGENCY},
    "exp3": {"gamma": SOME, "decay": SHARE},
    "exp3-deep": {
        "gamma": SOME,
        "decay": SHARE,
        "clock": "simulation or node",
        "base": "a number in (0, 100]",
        "depth": "a number in [-1e+06, 1e+06]",
        "aim": "zero-sum or win",
    },
    "rm": {"gamma": SOME, "decay": SHARE},
    "rm+": {"gamma": SOME, "decay": SHARE},
    "greedy": {"epsilon": SHARE, "decay": "a number in [0, 1e+12]"},
    "uct-det": {"c": WEIGHT},
    "uct-eps": {"c": WEIGHT, "epsilon": WEIGHT},
    "uct-window": {"c": WEIGHT, "window": COUNT, "epsilon": WEIGHT},
    "uct-reset": {"c": WEIGHT, "epsilon": WEIGHT, "first": COUNT, "growth": "a number in (1, 100]", "restart": COUNT},
    "uct-wide": {"c": WEIGHT, "start": "a number in (0, 1e+09]", "growth": "a number in (1, 1000]"},
    "rave": {"bias": SHARE, "c": WEIGHT, "confidence": WEIGHT},
    "rave-hand": {"k": WEIGHT, "c": WEIGHT, "confidence": WEIGHT},
    "uniform": {},
}


def test_parameters_are_bounded_as_their_formulas_need():
    found = {
        name: {field: valid(rule) for field, rule in getattr(bandit, "accepts", {}).items()}
        for name, bandit in BANDITS.items()
    }
    assert found == BOUNDS


@pytest.mark.parametrize(
    "text", ["rm:gamma=0", "rm+:gamma=1.5", "rm+:decay=1.1", "uct-det:c=-0.5", "exp3:gamma=nan", "exp3-deep:depth=nan"]
)
def test_a_parameter_outside_is_refused(text):
    with pytest.raises(Invalid, match="must be a number in"):
        as_bandit(text)


PAGE = pathlib.Path(__file__).parents[2] / "docs/algorithms/bandits.md"


@pytest.mark.parametrize("name", BANDITS)
def test_the_defaults_are_those_of_the_table_in_the_documents(name):
    line = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{name}` |"))
    written = dict(re.findall(r"([\w-]+) \(([^)]*)\)", line.split("|")[3]))
    real = BANDITS[name]()._asdict()
    spoken = {key: value.name.lower().replace("_", "-") for key, value in real.items() if isinstance(value, enum.Enum)}
    numbers = {key: float(text) for key, text in written.items() if key not in spoken}
    assert numbers | {key: written[key] for key in spoken} == {
        key: spoken.get(key, value) for key, value in real.items()
    }
