"""Whether what is drawn comes as often as it was said to: by counting, with a bound that what is right hardly ever breaks.

Of n throws with the probability p, at least (or at most) the share f comes with a probability of at most exp(-n D), where
D = f ln(f / p) + (1 - f) ln((1 - f) / (1 - p)) (Chernoff). The dice are fixed, so what has passed once passes again.
"""

import math

SURE = math.log(1e13)  # a count passes if luck makes one like it more often: of ten thousand, one in a billion fails


def far_off(count: int, draws: int, probability: float) -> bool:
    """Whether so many of these draws cannot be luck."""
    share, p = count / draws, min(max(probability, 0.0), 1.0)
    return draws * (_part(share, p) + _part(1.0 - share, 1.0 - p)) > SURE


def _part(share: float, probability: float) -> float:
    if share == 0.0:
        return 0.0
    return share * math.log(share / probability) if probability > 0.0 else math.inf
