"""Agents from the texts of their parameters, `key=value,key=value`."""

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import dice
from ...errors import FogtreeError, Invalid
from ...text.parameters import build, parts, read_values


def no_parameters(name: str, text: str) -> None:
    """Refuse parameters of an agent that has none."""
    if text:
        raise Invalid(f"the agent {name} has no parameters: write {name}")


def keys(text: str) -> list[str]:
    """The parameters that a text gives, in its order."""
    return [part.partition("=")[0].strip().replace("-", "_") for part in parts(text)]


def shared_out(name: str, text: str, *fields: Sequence[str]) -> list[str]:
    """The parameters of a text, divided among classes that have these fields; one that nobody has is refused."""
    given, known = list(zip(keys(text), parts(text), strict=True)), [field for group in fields for field in group]
    if strange := [key for key, _ in given if key not in known]:
        raise Invalid(f"{name} has no parameter '{strange[0]}': valid are {', '.join(known)}")
    return [",".join(part for key, part in given if key in group) for group in fields]


def with_iterations(text: str, iterations: int) -> str:
    """The text of the parameters, with so many iterations a move unless it gives a budget."""
    if {"iterations", "seconds"} & set(keys(text)):
        return text
    return ",".join([*parts(text), f"iterations={iterations}"])


def build_agent(cls: Any, text: str, seed: int, *path: int) -> Any:
    """An agent of a user's own class. Its parameters are those that the constructor names; one called `seed` is a random
    whole number that depends on the seed and the path."""
    if hasattr(cls, "_fields"):
        return build(cls, text, cls.__name__)
    known = inspect.signature(cls).parameters
    named = [p for p in known.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "seed"]
    values = read_values(text, {p.name: p.default is not p.empty for p in named}, cls.__name__)
    if "seed" in known:
        values["seed"] = draw_seed(dice.seeded(seed, *path))
    try:
        return cls(**values)
    except FogtreeError:
        raise
    except (TypeError, ValueError) as error:
        raise Invalid(f"{cls.__name__}: {error}") from error
    except (Exception, SystemExit) as error:
        raise Invalid(f"{cls.__name__} raised {type(error).__name__}: {error}") from error


def draw_seed(random: Any) -> int:
    """A seed of 63 bits."""
    with np.errstate(over="ignore"):  # random bits wrap round
        return int(dice.draw(random) >> np.uint64(1))
