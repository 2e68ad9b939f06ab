"""95 % intervals, all in one place: of a share, of a mean whose spread is known, of a mean of a few values.

Wilson's interval holds every share p for which what was seen lies within NORMAL standard errors of p. Unlike the normal one
it has a width where all or none of a few were seen. Student's interval is wider than the normal one, for the spread of a few
values is itself uncertain.
"""

import math
from typing import Any

import numpy as np

NORMAL = 1.959963984540054  # standard errors to each side of a mean that make its 95 % interval: the 97.5 % quantile
UPPER = 0.975  # which quantile that is


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval (1927) of a share that was seen among so many; from 0 to 1 where there are none."""
    if not count:
        return 0.0, 1.0
    middle = (share + NORMAL**2 / (2 * count)) / (1 + NORMAL**2 / count)
    half = wilson_half(share, count)
    return max(0.0, middle - half), min(1.0, middle + half)


def wilson_half(share: float, count: int) -> float:
    """Half the width of Wilson's interval. Its middle is not the share but nearer to one half."""
    spread = share * (1 - share) / count + NORMAL**2 / (4 * count * count)
    return NORMAL * math.sqrt(spread) / (1 + NORMAL**2 / count)


def share_half(share: float, count: int) -> float:
    """Half the width of the normal interval of a share among so many, where they are many."""
    return NORMAL * math.sqrt(max(share * (1 - share), 0.0) / count)


def mean_half(total: float, squares: float, count: float) -> float:
    """Half the width of the normal interval of a mean, from the sum of so many values and the sum of their squares; infinite
    where there are not two values."""
    if count < 2:
        return math.inf
    spread = (squares - total * total / count) / (count - 1)
    return NORMAL * math.sqrt(max(spread, 0.0) / count)


def student(count: Any) -> Any:
    """The quantile of Student's t for the mean of so many values, 2 or more; of an array, each."""
    from scipy.special import stdtrit  # not on top: SciPy takes a while to load, and every command comes here

    return stdtrit(np.asarray(count) - 1, UPPER)


def student_half(values: Any) -> float:
    """Half the width of Student's interval (1908) of the mean of a few values; infinite where there are not two."""
    values = np.asarray(values, float)
    if len(values) < 2:
        return math.inf
    return float(student(len(values)) * values.std(ddof=1) / math.sqrt(len(values)))


def jackknife_half(without: Any) -> float:
    """Half the width of the interval of an estimate, from its values [runs] without each of the runs in turn (Tukey 1958)."""
    without = np.asarray(without, float)
    runs = len(without)
    if runs < 2:
        return math.inf
    spread = (runs - 1) / runs * ((without - without.mean()) ** 2).sum()
    return float(student(runs) * math.sqrt(spread))
