"""Lists of games, agents and bandits, with their parameters."""

import typing
from collections.abc import Iterable, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ...text.parameters import about, brief, valid


def games_table(games: Mapping[str, Any], sizes: dict[str, tuple[int | None, int | None]]) -> Table:
    table = Table("game", "what it is, parameters=defaults (what is valid)", box=SIMPLE_HEAD)
    for header in ("players", "infosets", "ends"):
        table.add_column(header, justify="right")
    for name, cls in games.items():
        sentence = about(cls)
        parameters = [f"  {field}={brief(cls._field_defaults[field])} ({rule})" for field, rule in rules(cls)]
        numbers = ["-" if number is None else f"{number:,}" for number in (cls().shape().players, *sizes[name])]
        table.add_row(name, Text("\n".join([sentence, *parameters])), *numbers)
    return table


def names_table(what: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Names, each with what it stands for."""
    table = Table(what, "what it is", box=SIMPLE_HEAD)
    for name, words in rows:
        table.add_row(Text(name), Text(words))
    return table


def parameters_table(game: Any) -> Table:
    table = Table("parameter", "here", "default", "valid", box=SIMPLE_HEAD)
    for field, rule in rules(type(game)):
        default = brief(game._field_defaults[field]) if field in game._field_defaults else "none"
        table.add_row(*map(Text, (field, brief(getattr(game, field)), default, rule)))
    return table


def rules(cls: Any) -> list[tuple[str, str]]:
    """Each parameter with the values that it accepts, in words. A class without `@accepts` lists the fields that can be
    given as text."""
    if rules := getattr(cls, "accepts", None):
        return [(field, valid(rules[field])) for field in cls._fields]
    hints = typing.get_type_hints(cls)
    return [(field, valid(hints[field])) for field in cls._fields if hints[field] in (bool, int, float)]
