"""Methods that a class may go without: compiled code that mentions one gets its stand-in instead."""

from collections.abc import Callable

STAND_INS: dict[str, Callable] = {}


def optional(name: str, stand_in: Callable) -> None:
    """Let a class go without a method: compiled code that mentions it gets the stand-in instead."""
    STAND_INS[name] = stand_in
