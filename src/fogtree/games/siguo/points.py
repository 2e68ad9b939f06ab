"""Sets of points of a board of army chess: three words of 60 bits, as a tuple."""

import numpy as np

from ...kernels.bits import lowest
from .board import BIT, BITS, JOINED, RAILS, WORDS

NO_POINTS = (np.int64(0), np.int64(0), np.int64(0))


def either(one, other):
    """The points that are in one set or in the other."""
    return one[0] | other[0], one[1] | other[1], one[2] | other[2]


def both(one, other):
    """The points that are in one set and in the other."""
    return one[0] & other[0], one[1] & other[1], one[2] & other[2]


def without(one, other):
    """The points that are in one set and not in the other."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2]


def single(point):
    """The set of one point."""
    if point < BITS:
        return BIT[point], np.int64(0), np.int64(0)
    if point < 2 * BITS:
        return np.int64(0), BIT[point], np.int64(0)
    return np.int64(0), np.int64(0), BIT[point]


def any_of(points):
    """Whether there is a point in a set."""
    return (points[0] | points[1] | points[2]) != 0


def first_of(points):
    """The lowest point of a set that has one."""
    if points[0]:
        return lowest(points[0])
    if points[1]:
        return BITS + lowest(points[1])
    return 2 * BITS + lowest(points[2])


def after_first(points):
    """The set without its lowest point; it has one."""
    if points[0]:
        return points[0] & (points[0] - 1), points[1], points[2]
    if points[1]:
        return points[0], points[1] & (points[1] - 1), points[2]
    return points[0], points[1], points[2] & (points[2] - 1)


def words_from(row, first):
    """The set that three words of a row hold, such as a state."""
    return row[first], row[first + 1], row[first + 2]


def joined_to(board, point):
    """The points one step away."""
    return JOINED[board, point, 0], JOINED[board, point, 1], JOINED[board, point, 2]


def rails_from(board, point):
    """The points one step away on the railway."""
    return RAILS[board, point, 0], RAILS[board, point, 1], RAILS[board, point, 2]


def railway_from(board, origin, everybody):
    """Where an engineer can go to on the railway: everywhere, through points where nobody stands."""
    reached = rails_from(board, origin)
    ahead = without(reached, everybody)  # from where the way goes on
    while any_of(ahead):
        more = without(rails_from(board, first_of(ahead)), reached)
        reached = either(reached, more)
        ahead = either(after_first(ahead), without(more, everybody))
    return reached


def write_points(points, base, out, count):
    """Write the points of a set, ascending, each added to a base; how many numbers have been written then."""
    for word in range(WORDS):
        left = points[word]
        while left:
            out[count] = base + word * BITS + lowest(left)
            count += 1
            left &= left - 1
    return count
