"""Sizes of bets as poker players write them: `33%, 75%, 2.5x, e, a`.

    50%        of the pot; for a raise, of the pot after calling
    2.5x       times the bet that is raised: a raise to so much
    40c        so many chips, or so many more than the bet that is raised
    e  2e      the size that, bet on each street that is left (or on so many), puts all in by the last: geometric; e80% caps
    it a          all in

A text says what the players may bet on each street:

    50%                              one size for all bets and raises
    50%, a; 3x                       bets; raises
    50%; 3x; 33%                     bets; raises; bets of the player out of position who called on the street before (donks)
    33% | 75%; 2.5x                  out of position | in position
    33% / 75% / 150%, a              flop / turn / river; if there are fewer, the last goes for the rest
    none                             no bet

Amounts are whole chips.
"""

import re
from typing import NamedTuple

from ...errors import Invalid

SHARE, TIMES, CHIPS, GEOMETRIC, ALL_IN = range(5)
SIZE = re.compile(
    r"(?:(?P<share>[\d.]+)%|(?P<times>[\d.]+)x|(?P<chips>\d+)c|(?P<streets>\d?)e(?:(?P<most>[\d.]+)%)?|a|all-?in)"
)
MOST_SHARE, MOST_TIMES = 10_000.0, 1_000.0  # percent of the pot, and times a bet: nobody means more
MOST_CHIPS = 1e9
NOTHING = ("none", "-", "0")


class Size(NamedTuple):
    """One size of bets or raises."""

    kind: int
    number: float = 0.0  # a share of the pot, a factor, chips, or streets: 0 for all that are left
    most: float = float("inf")  # of the pot, for geometric sizes


class Sizes(NamedTuple):
    """What a player may bet on a street."""

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]
    donks: tuple[Size, ...]


def read_sizes(text: str, streets: int) -> list[tuple[Sizes, Sizes]]:
    """[street][player] from the first street that is played."""
    parts = " ".join(text.split()).split("/")
    if len(parts) > streets:
        raise Invalid(
            f"'{text}' has sizes for {len(parts)} streets, but {streets} {'is' if streets == 1 else 'are'} left to play"
        )
    found = []
    for part in parts + parts[-1:] * (streets - len(parts)):
        sides = part.split("|")
        if len(sides) > 2:
            raise Invalid(f"'{part.strip()}' has more than one |: write out of position | in position")
        first, second = (_sizes(side) for side in (sides * 2)[:2])
        found.append((first, second))
    return found


def _sizes(text: str) -> Sizes:
    groups = [_list(part) for part in text.split(";")]
    if len(groups) > 3:
        raise Invalid(f"'{text.strip()}' has more than two semicolons: write bets; raises; donks")
    bets = tuple(size for size in groups[0] if size.kind != TIMES)
    firsts = [(groups[0], 0)] if len(groups) > 1 or not bets else []
    for group, at in [*firsts, *((group, 2) for group in groups[2:])]:
        if any(size.kind == TIMES for size in group):
            raise Invalid(f"a first bet cannot be so many times a bet: '{text.split(';')[at].strip()}'")
    raises = groups[1] if len(groups) > 1 else groups[0]
    return Sizes(bets, raises, groups[2] if len(groups) > 2 else bets)


def _list(text: str) -> tuple[Size, ...]:
    if text.strip().lower() in ("", *NOTHING):
        return ()
    return tuple(_size(word.strip().lower()) for word in text.split(","))


def _size(word: str) -> Size:
    match = SIZE.fullmatch(word)
    try:
        if match is None:
            raise ValueError
        if word.startswith("a"):
            return Size(ALL_IN)
        share, times, chips = match["share"], match["times"], match["chips"]
        limits = (share, MOST_SHARE, "% of the pot"), (times, MOST_TIMES, "x the bet"), (chips, MOST_CHIPS, " chips")
        for told, most, what in limits:
            if told is not None and float(told) > most:
                raise Invalid(f"'{word}' is too large: a size is at most {most:g}{what}; a is all in")
        if share is not None and float(share) > 0:
            return Size(SHARE, float(share) / 100)
        if times is not None and float(times) > 1:
            return Size(TIMES, float(times))
        if chips is not None and int(chips) > 0:
            return Size(CHIPS, float(chips))
        if match["streets"] is None or match["streets"] == "0" or (match["most"] and not float(match["most"]) > 0):
            raise ValueError
        most = float("inf") if match["most"] is None else float(match["most"]) / 100
        return Size(GEOMETRIC, float(match["streets"] or 0), most)
    except ValueError as error:
        if isinstance(error, Invalid):
            raise
        raise Invalid(
            f"'{word}' is no size of a bet: write 50% of the pot, 2.5x the bet, 40c chips, e or a (all in)"
        ) from None
