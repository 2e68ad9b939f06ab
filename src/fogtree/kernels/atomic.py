"""Changes of one word that no other lane can come between: for what lanes write together (`lanes.py`).

    add(array, place, amount)               array[place] += amount
    claim(array, place, expected, value)    array[place] = value if it holds what is expected; returns what it held

`array` is one row of 64-bit integers, and whole numbers can be added in any order. In compiled code each is one instruction
of the processor, on the CPU and on a GPU; interpreted it is the Python text below, where one lane runs at a time.
"""

from numba.core import types
from numba.extending import intrinsic, overload

ORDER = "monotonic"  # of one word; other words may be seen in another order


def add(array, place, amount):
    """Add to a word."""
    array[place] += amount


def claim(array, place, expected, value):
    """Write a word if it holds what is expected; returns what it held."""
    held = array[place]
    if held == expected:
        array[place] = value
    return held


def _word(context, builder, kind, array, place):
    """The address of a word of a row."""
    held = context.make_array(kind)(context, builder, array)
    return builder.gep(held.data, [place])


@intrinsic
def _add(typing, array, place, amount):
    def generate(context, builder, signature, args):
        builder.atomic_rmw("add", _word(context, builder, signature.args[0], *args[:2]), args[2], ORDER)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _claim(typing, array, place, expected, value):
    def generate(context, builder, signature, args):
        word = _word(context, builder, signature.args[0], *args[:2])
        return builder.extract_value(builder.cmpxchg(word, args[2], args[3], ORDER, ORDER), 0)

    return types.int64(array, types.int64, types.int64, types.int64), generate


@overload(add)
def _(array, place, amount):
    return lambda array, place, amount: _add(array, place, amount)


@overload(claim)
def _(array, place, expected, value):
    return lambda array, place, expected, value: _claim(array, place, expected, value)
