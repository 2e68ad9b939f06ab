"""Sets of up to 64 members as words: what a processor does with them in one instruction.

Words are unsigned. In compiled code each function is one instruction, and interpreted it is the Python text below. A
digest of the cache sees that text only: if the compiled meaning here ever changes, FORMAT in cache.py must be raised.
"""

import numpy as np

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
