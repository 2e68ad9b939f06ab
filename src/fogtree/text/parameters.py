"""Parameters of games and bandits: what each accepts, from Python and as text.

    @accepts(cards=(range(1, 14), "cards of each player"), prizes=Prizes)
    class Goofspiel(NamedTuple): ...

checks every construction, so that a bad parameter raises an error of one sentence where the object is made. The same rules
read the text form `name:key=value,key=value` of the command line, and `spell` writes it.
"""

import ast
import enum
import functools
import inspect
import json
import operator
import re
import sys
import typing
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import Invalid
from . import markup

INT64 = range(-(2**63), 2**63)
INFINITE = re.compile(r"[+-]?(inf|nan)", re.IGNORECASE)  # numbers that are names to Python

Rule = range | type[enum.IntEnum] | Callable[[Any], Any] | None


def accepts(**rules: Rule | tuple[Rule, str]):
    """Class decorator for a NamedTuple: a range, an IntEnum or a converting function for each field that needs one.
    A function raises ValueError where it does not convert, and its docstring says what it accepts. A field without a rule,
    or with None, must be what its annotation says: bool, int, float or a class. A pair is a rule and what the field means, in
    a few words, which help texts show. A method `problem()` of the class may return one sentence where the fields do not fit
    together."""
    words = {field: given[1] for field, given in rules.items() if isinstance(given, tuple)}
    valid_for = {field: given[0] if isinstance(given, tuple) else given for field, given in rules.items()}

    def decorate(cls):
        if not hasattr(cls, "_fields"):
            raise TypeError(f"{cls.__name__} is no NamedTuple: write class {cls.__name__}(NamedTuple)")
        if words and (unknown := set(words) ^ set(cls._fields)):
            raise TypeError(f"{cls.__name__}: {min(unknown)} is a field without a meaning, or no field")
        cls.meaning = words
        build = cls.__new__
        hints = typing.get_type_hints(cls)

        @functools.wraps(build)  # so that the signature is that of the fields, for people and for compiled code
        def __new__(kind, *args, **kwargs):
            raw = build(kind, *args, **kwargs)
            values = []
            for field, value in zip(cls._fields, raw, strict=True):
                rule = cls.accepts[field]
                try:
                    values.append(_admit(rule, value))
                except (TypeError, ValueError, OverflowError) as error:
                    words = f"a whole number from {valid(rule)}" if isinstance(rule, range) else valid(rule) or error
                    raise Invalid(f"{cls.__name__}: {field} must be {words}, not {_short(value)}") from None
            made = tuple.__new__(kind, values)
            if problem := made.problem() if hasattr(made, "problem") else "":
                raise Invalid(f"{cls.__name__}: {problem}")
            return made

        cls.__new__ = __new__
        cls._make = classmethod(lambda kind, values: kind(*values))  # what _replace makes is checked too
        cls.accepts = {field: valid_for.get(field) or hints[field] for field in cls._fields}
        return _described(cls)

    return decorate


def parameters(cls: Any) -> list[tuple[str, str, str, str]]:
    """The fields of a class: name, default, what is valid, meaning; as texts, empty where nothing is known."""
    rules, words = getattr(cls, "accepts", {}), getattr(cls, "meaning", {})
    defaults = {field: brief(value) for field, value in cls._field_defaults.items()}
    return [(f, defaults.get(f, ""), valid(rules[f]) if f in rules else "", words.get(f, "")) for f in cls._fields]


def summary(cls: Any) -> str:
    """The first sentence of a class's file, which says what it is."""
    text = sys.modules[cls.__module__].__doc__ or ""
    return " ".join(text.partition("\n\n")[0].split()).partition(" Rules version")[0]


def rule_book(cls: Any) -> str:
    """The docstring of a game's file, or else of its class."""
    return inspect.getdoc(sys.modules[cls.__module__]) or inspect.getdoc(cls) or cls.__name__


def about(cls: Any) -> str:
    """The first sentence of a game's rules."""
    return rule_book(cls).partition("\n")[0].partition(" Rules version")[0]


def pairs(values: dict[str, Any], most: int) -> str:
    """Names and values, as many as fit into so many characters."""
    text = ", ".join(f"{k}={v if isinstance(v, str) else json.dumps(v)}" for k, v in values.items())
    return text if len(text) <= most else f"{text[:most]} ..."


def brief(value: Any) -> str:
    """A value in a word or two."""
    if isinstance(value, np.ndarray):
        return " x ".join(map(str, value.shape)) + " matrix"
    return _write(value)


def _described(cls):
    """Give a class a docstring for `help`, which lists its fields, and a table for notebooks."""
    made = not cls.__doc__ or cls.__doc__.startswith(f"{cls.__name__}(")  # by NamedTuple itself
    lines = [f"{f} = {default}  ({rule}): {words}".rstrip(" :") for f, default, rule, words in parameters(cls)]
    cls.__doc__ = "\n".join([summary(cls) if made else inspect.cleandoc(cls.__doc__), "", *lines]).strip()
    cls._repr_html_ = _as_table
    return cls


def _as_table(self) -> str:
    rows = [(f, brief(getattr(self, f)), rule, words) for f, _, rule, words in parameters(type(self))]
    return markup.table(("parameter", "here", "valid", "meaning"), rows, summary(type(self)) or type(self).__name__)


def matrix(value: Any) -> np.ndarray:
    """a matrix of finite numbers, written [[1,-1],[-1,1]]"""
    words = matrix.__doc__
    try:
        payoffs = np.ascontiguousarray(value, np.float64)
    except (TypeError, ValueError):
        raise ValueError(words) from None
    if payoffs.ndim != 2 or payoffs.size == 0 or not np.isfinite(payoffs).all():
        raise ValueError(words)
    return payoffs


def real(low: float, high: float, *, open_low: bool = False, open_high: bool = False) -> Callable[[Any], float]:
    """A rule for real numbers in an interval, its ends included unless they are open."""
    words = f"a number in {'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"

    def admit(value):
        number = _admit(float, value)
        if not (low <= number <= high) or (open_low and number == low) or (open_high and number == high):
            raise ValueError(words)
        return number

    admit.__doc__ = words
    return admit


def valid(rule: Any) -> str:
    """What a rule accepts, in words."""
    if isinstance(rule, range):
        return f"{rule[0]} to {rule[-1]}" + (f" in steps of {rule.step}" if rule.step > 1 else "")
    if isinstance(rule, type) and issubclass(rule, enum.Enum):
        return " or ".join(map(_name, rule))
    if rule is bool:
        return "true or false"
    if rule is int:
        return "a whole number of 64 bits"
    if rule is float:
        return "a number"
    if rule is str:
        return "a word"
    if isinstance(rule, type):
        return "anything" if rule is Any else f"a {rule.__name__}"
    return " ".join((rule.__doc__ or "").split())


def build(cls: Any, text: str, name: str) -> Any:
    """An instance of a NamedTuple from the text of its parameters, `key=value,key=value`."""
    values = read_values(text, {field: field in cls._field_defaults for field in cls._fields}, name)
    if not hasattr(cls, "accepts"):
        _require_annotated(cls, values)
    return cls(**values)


def build_named(classes: dict[str, Any], text: str, problem: str) -> Any:
    """An instance of one of these classes from its name and its parameters, `mogo:careful=yes`."""
    name, _, given = text.partition(":")
    if name not in classes:
        raise Invalid(f"{problem} as {name!r}: valid are {', '.join(classes)}")
    return build(classes[name], given, name)


def _require_annotated(cls: Any, values: dict[str, Any]) -> None:
    """Refuse what is not of the type that a field's annotation names, where the class checks nothing itself."""
    hints = typing.get_type_hints(cls)
    for field, value in values.items():
        if hints.get(field) in (bool, int, float):
            try:
                values[field] = _admit(hints[field], value)
            except (TypeError, ValueError, OverflowError):
                raise Invalid(f"{cls.__name__}: {field} must be {valid(hints[field])}, not {_short(value)}") from None


def replaced(instance: Any, text: str, name: str) -> Any:
    """An instance with the values that a text gives; its other fields stay. A field without a rule keeps its type."""
    rules = getattr(type(instance), "accepts", {})
    values = read_values(text, dict.fromkeys(instance._fields, True), name)
    for field in values.keys() - rules.keys():
        kind = type(getattr(instance, field))
        try:
            values[field] = _admit(kind, values[field])
        except (TypeError, ValueError):
            raise Invalid(f"{name}: {field} must be {valid(kind)}, not {_short(values[field])}") from None
    return instance._replace(**values)


def merged(text: str, more: str) -> str:
    """The parameters of two texts; where both give one, the second text counts."""
    given = {_key(part) for part in parts(more)}
    return ",".join([*(part for part in parts(text) if _key(part) not in given), *parts(more)])


def _key(part: str) -> str:
    return part.partition("=")[0].strip().replace("-", "_")


def read_values(text: str, fields: dict[str, bool], name: str) -> dict[str, Any]:
    """The values that a text gives to these fields, {field: whether it may be left out}."""
    values: dict[str, Any] = {}
    for part in parts(text):
        _, equals, value = part.partition("=")
        key = _key(part)
        if key not in fields:
            raise Invalid(f"{name} has no parameter '{key}': valid are {', '.join(fields) or 'none'}")
        if not equals:
            raise Invalid(f"{name}: write {key}=VALUE, not '{part}'")
        if key in values:
            raise Invalid(f"{name}: {key} is given twice")
        values[key] = as_value(value.strip())
    if missing := [field for field, optional in fields.items() if not optional and field not in values]:
        raise Invalid(f"{name} needs {', '.join(missing)}")
    return values


def spell(instance: Any) -> str:
    """The text of the parameters that differ from their defaults; `build` reads it back."""
    parts = []
    for field, value in zip(instance._fields, instance, strict=True):
        default = instance._field_defaults.get(field)
        if not (np.array_equal(value, default) if isinstance(value, np.ndarray) else value == default):
            parts.append(f"{field}={_write(value)}")
    return ",".join(parts)


def _admit(rule, value):
    """The value as the rule wants it; ValueError or TypeError where it does not fit."""
    if isinstance(rule, range) or rule is int:
        number = operator.index(value)
        if isinstance(value, (bool, np.bool_)) or number not in (rule if isinstance(rule, range) else INT64):
            raise ValueError
        return number
    if isinstance(rule, type) and issubclass(rule, enum.Enum):
        if isinstance(value, str):
            named = [member for member in rule if _name(member) == value.lower().replace("_", "-")]
            value = named[0] if named else None
        if not isinstance(value, rule):
            raise ValueError
        return value
    if rule is bool:
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError
        return bool(value)
    if rule is float:
        if isinstance(value, (bool, np.bool_, str)):
            raise ValueError
        return float(value)
    if isinstance(rule, type) and rule is not Any:
        if not isinstance(value, rule):
            raise ValueError
        return value
    return value if rule is Any else rule(value)


def parts(text: str) -> list[str]:
    """Parts between commas, but not between those inside brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part for part in found if part.strip()]


def as_value(text: str) -> Any:
    """A value as it is written on the command line."""
    if text.lower() in ("true", "yes", "on"):
        return True
    if text.lower() in ("false", "no", "off"):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # Python would print its opinion of "1if"
            return float(text) if INFINITE.fullmatch(text) else ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _write(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return _name(value)
    if isinstance(value, np.ndarray):
        return str(value.tolist()).replace(" ", "")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _name(member: enum.Enum) -> str:
    return member.name.lower().replace("_", "-")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
