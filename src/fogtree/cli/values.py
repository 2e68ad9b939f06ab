"""Reads the usual values of options without Pydantic, which Typer loads for every value: a quarter of a short command's time.

A value that is plainly right, a text or a number within its bounds, is taken as it is. All others go Typer's way, and
so do their errors. A version of Typer that works otherwise is left alone.
"""

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

WHOLE = re.compile(r"-?[0-9]{1,18}")
NOT_PLAIN = object()


class Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return [quick(option) for option in super().get_params(ctx)]


class Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return [quick(option) for option in super().get_params(ctx)]


def quick(option: Any) -> Any:
    """The same option, which reads plain values itself."""
    as_we_know_it = hasattr(option, "get_runtime_param") and hasattr(option, "type_descriptor")
    if as_we_know_it and not isinstance(getattr(option.get_runtime_param, "__self__", None), Quick):
        option.get_runtime_param = Quick(option).ready
    return option


class Quick:
    """Turns the values of one option into what its command takes."""

    def __init__(self, option: Any):
        self.slow = option.get_runtime_param  # Typer's own, which loads Pydantic when it is called
        self.said = option.type_descriptor

    def ready(self) -> "Quick":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs != 1
        taken = self.plain_texts(value) if several else self.plain(value)
        return self.slow().coerce(value, param=param, ctx=ctx) if taken is NOT_PLAIN else taken

    def plain(self, value: Any) -> Any:
        """A value that is plainly what the option takes."""
        if value is None:
            return None
        kind, info = self.said.annotation, self.said.parameter_info
        if info.parser is None and kind in (str, int, float):
            if kind is int and isinstance(value, str) and WHOLE.fullmatch(value):
                value = int(value)
            if type(value) is kind and (kind is str or _within(value, info.min, info.max)):
                return value
        return NOT_PLAIN

    def plain_texts(self, values: Any) -> Any:
        texts = isinstance(values, tuple) and values and all(isinstance(value, str) for value in values)
        return list(values) if texts and self.said.annotation == list[str] else NOT_PLAIN


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)
