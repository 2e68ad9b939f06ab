"""What plain code tells the compiler: methods that a class may go without, functions that are copied into their callers."""

from collections.abc import Callable

STAND_INS: dict[str, Callable] = {}
INLINED = "fogtree_inlined"  # an attribute of functions


def optional(name: str, stand_in: Callable) -> None:
    """Let a class go without a method: compiled code that mentions it gets the stand-in instead."""
    STAND_INS[name] = stand_in


def inlined(function: Callable) -> Callable:
    """Mark a short function that compiled code copies into its callers, as it does with all methods: handing over tuples of
    arrays costs more than such a function does."""
    setattr(function, INLINED, True)
    return function
