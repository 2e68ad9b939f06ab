"""A range as the shortest usual text: the other way round than `ranges.weights`, so that a painted range can be typed.

    spelled_range(weights("AsKs,AhKh,AdKd,AcKc,QQ,KK,AA"))      QQ+,AKs

Groups whose hands are all held equally often are written as groups, and neighbours as one part. Other hands are written by
their cards.
"""

from collections.abc import Iterator

import numpy as np

from ..holdem.cards import RANK_LETTERS
from .ranges import HANDS, class_of, spelled_hand

RANDOM = "random"
Ladder = list[tuple[str, str]]  # (group, what `+` needs as its top: the highest of the ladder first)


def classes() -> dict[str, list[int]]:
    """The hands of each of the 169 groups, by their names."""
    found: dict[str, list[int]] = {}
    for hand in range(HANDS):
        found.setdefault(class_of(hand), []).append(hand)
    return found


CLASSES = classes()


def spelled_range(weight: np.ndarray) -> str:
    """The text of a range, which `weights` reads as the same numbers; nothing for an empty one."""
    if (weight == 1.0).all():
        return RANDOM
    whole, single = dict[str, float](), list[int]()
    for group, hands in CLASSES.items():
        found = weight[hands]
        if (found == found[0]).all():
            whole[group] = float(found[0])
        else:
            single += [hand for hand in hands if weight[hand] > 0]
    parts = [
        _weighted(part, share)
        for share in sorted({share for share in whole.values() if share > 0}, reverse=True)
        for ladder in _ladders()
        for part in _runs(ladder, {group for group in ladder if whole.get(group) == share})
    ]
    return ",".join([*parts, *(_weighted(spelled_hand(hand), float(weight[hand])) for hand in single)])


def _ladders() -> Iterator[list[str]]:
    """Groups in which neighbours make one part, the highest first: pairs, then AKs to A2s, AKo to A2o, and so on."""
    ranks = RANK_LETTERS[::-1]
    yield [rank + rank for rank in ranks]
    for high in range(len(ranks) - 1):
        for kind in "so":
            yield [ranks[high] + ranks[low] + kind for low in range(high + 1, len(ranks))]


def _runs(ladder: list[str], held: set[str]) -> Iterator[str]:
    """The neighbours of a ladder as parts of a text."""
    at = 0
    while at < len(ladder):
        end = at
        while end < len(ladder) and ladder[end] in held:
            end += 1
        if end == at + 1:
            yield ladder[at]
        elif end > at:
            yield f"{ladder[end - 1]}+" if at == 0 else f"{ladder[at]}-{ladder[end - 1]}"
        at = end + 1


def _weighted(part: str, share: float) -> str:
    return part if share == 1 else f"{part}:{share:g}" if float(f"{share:g}") == share else f"{part}:{share!r}"
