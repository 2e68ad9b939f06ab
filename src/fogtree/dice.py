"""Seeded random numbers for kernels: xoshiro256++ (Blackman and Vigna 2019) in an array of four words.

The generator is an argument, never a global: `random = dice.seeded(7)` and hand it in. The same seed gives the same
numbers interpreted, compiled, in threads and in processes. Streams split by path: `seeded(7, 2, 5)` is piece 5 of
part 2 of seed 7, independent of all others (NumPy's SeedSequence mixes seed and path).
"""

import operator

import numpy as np

from .errors import Invalid

LOW = np.uint64(0xFFFFFFFF)
HALF, S17, S23, S41, S45, S19, S11 = (np.uint64(n) for n in (32, 17, 23, 41, 45, 19, 11))
TO_UNIT = 2.0**-53
S30, S27, S31, FOUR = (np.uint64(n) for n in (30, 27, 31, 4))
GOLDEN, FIRST_MIX, SECOND_MIX = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
MOST_SEEDS, MOST_PIECES = 1 << 128, 1 << 32  # beyond these SeedSequence would give one stream to two paths


def seeded(seed: int, *path: int) -> np.ndarray:
    """A generator for this seed, and for this piece of the work where a path is given."""
    seed = _whole(seed, "a seed", MOST_SEEDS)
    path = tuple(_whole(part, "a part of a path", MOST_PIECES) for part in path)
    return np.random.SeedSequence(seed, spawn_key=path).generate_state(4, np.uint64)


def _whole(value, what, most):
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not 0 <= number < most:
        raise Invalid(f"{what} is a whole number from 0 to 2^{most.bit_length() - 1} - 1, not {value!r}")
    return number


def of_lane(seed, number, random):
    """Write the generator of lane `number` into `random`, out of the generator `seed`. Lanes are independent streams,
    whatever runs them: each word of the seed is mixed with the number (splitmix64, Steele, Lea and Flood 2014)."""
    for word in range(4):
        step = (np.uint64(number) * FOUR + np.uint64(word + 1)) * GOLDEN
        random[word] = _mixed(seed[word] ^ _mixed(step))


def _mixed(word):
    """A one-to-one scramble of 64 bits."""
    word = (word ^ (word >> S30)) * FIRST_MIX
    word = (word ^ (word >> S27)) * SECOND_MIX
    return word ^ (word >> S31)


def draw(random):
    """The next 64 random bits."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    mixed = s0 + s3
    result = ((mixed << S23) | (mixed >> S41)) + s0
    shifted = s1 << S17
    s2 ^= s0
    s3 ^= s1
    random[0] = s0 ^ s3
    random[1] = s1 ^ s2
    random[2] = s2 ^ shifted
    random[3] = (s3 << S45) | (s3 >> S19)
    return result


def below(random, count):
    """A whole number from 0 to count - 1, each equally likely (Lemire 2019, on 32 bits); count below 2^32."""
    bound = np.uint64(count)
    product = (draw(random) >> HALF) * bound
    if (product & LOW) < bound:
        # 2^32 is not a multiple of the bound: redraw the few values that would make some answers likelier
        spare = (LOW - bound + np.uint64(1)) % bound
        while (product & LOW) < spare:
            product = (draw(random) >> HALF) * bound
    return np.int64(product >> HALF)


def unit(random):
    """A real number in [0, 1), on a grid of 2^-53."""
    return np.float64(draw(random) >> S11) * TO_UNIT


def pick(random, odds, count):
    """An index below count, drawn in proportion to the weights in odds, which sum to 1. It never has weight 0."""
    left, index = unit(random), 0
    for i in range(count - 1):
        left -= odds[i]
        index += left >= 0.0  # once below 0 it stays there; a branch would be mispredicted
    if left >= odds[count - 1]:  # weights that sum to a little less than 1 leave a rest, nearly never drawn
        while index > 0 and odds[index] == 0.0:
            index -= 1
    return index
