"""Sets of up to 64 members as words: what a processor does with them in one instruction.

Words are unsigned. In compiled code each function is one instruction, and interpreted it is the Python text below. A
digest of the cache sees that text only: if the compiled meaning here ever changes, FORMAT in cache.py must be raised.
"""

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

WORD = (1 << 64) - 1


def lowest(word):
    """The number of the lowest bit that is set; the word is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def highest(word):
    """The number of the highest bit that is set; the word is not 0."""
    return int(word).bit_length() - 1


def count(word):
    """How many bits are set."""
    return int(word).bit_count()


def times(a, b):
    """The product of two words, wrapped round to 64 bits: NumPy warns where a plain product of words does so."""
    return np.uint64(int(a) * int(b) & WORD)


NEVER_ZERO = ir.Constant(ir.IntType(1), 1)


def _instruction(generate):
    """An intrinsic of one word that returns a whole number."""

    @intrinsic
    def found(typing, word):
        return types.int64(types.uint64), lambda context, builder, signature, args: generate(builder, args[0])

    return found


_lowest = _instruction(lambda builder, word: builder.cttz(word, NEVER_ZERO))
_highest = _instruction(lambda builder, word: builder.xor(builder.ctlz(word, NEVER_ZERO), ir.Constant(word.type, 63)))
_count = _instruction(lambda builder, word: builder.ctpop(word))


@overload(lowest)
def _(word):
    return lambda word: _lowest(np.uint64(word))


@overload(highest)
def _(word):
    return lambda word: _highest(np.uint64(word))


@overload(count)
def _(word):
    return lambda word: _count(np.uint64(word))


@overload(times)
def _(a, b):
    return lambda a, b: np.uint64(a) * np.uint64(b)
