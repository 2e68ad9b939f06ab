"""Sets of up to 64 members as words: what a processor does with them in one instruction.

Words are unsigned. In compiled code each function but `nth` is one instruction, and interpreted it is the Python text
below. A digest of the cache sees that text only: if the compiled meaning here ever changes, FORMAT in cache.py must be
raised.
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


def nth(word, number):
    """The bit with this number among those that are set, counted from 0 and from the lowest; there are more than so many."""
    word, found = np.uint64(word), 0
    for width in (32, 16, 8, 4, 2, 1):
        low = count(word & np.uint64((1 << width) - 1))
        higher = number >= low
        number -= low if higher else 0
        word >>= np.uint64(width if higher else 0)
        found += width if higher else 0
    return found
