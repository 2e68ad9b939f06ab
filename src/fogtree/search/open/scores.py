"""Values inside a search of an open game. They are for the mover, and three kinds must not be mixed up:

    payoffs        of ends that decide nothing, a draw or a score: as they are
    evaluations    clamped to the payoffs' range, so that none looks like a decided game
    decided ends   a win is WON - n and a loss n - WON, where n is the number of plies from the root

An end decides when its payoff is the largest or the smallest that a zero-sum game of this shape can have. WON is far
above all payoffs, so quicker wins and slower losses are preferred among decided games and nothing else changes. A table keeps
decided values with n counted from the position; plies are small whole numbers, so nothing is rounded.
"""

from typing import Any, NamedTuple

from ...errors import Invalid
from ...game import Shape

WON = 2.0**40
DECIDED = 2.0**39  # values beyond are decided


class Worth(NamedTuple):
    """What a position is worth to the mover."""

    value: float  # in the unit of payoffs
    mate: int | None  # own moves until the game is won, or below 0 until it is lost; None where nothing is decided


def largest(shape: Shape) -> float:
    """The largest payoff that somebody in a zero-sum game can have, for the other gets as much below 0."""
    return float(min(shape.high, -shape.low))


def of_end(payoff, most, ply):
    """The value of an end, so many plies from the root. Where nobody can get more than 0, no end decides anything."""
    if most == 0.0:
        return payoff
    if payoff >= most:
        return WON - ply
    if payoff <= -most:
        return ply - WON
    return payoff


def clamp(value, most):
    """An evaluation within the range of payoffs."""
    return min(max(value, -most), most)


def seen_from(value, plies):
    """A value of the root as seen from a position so many plies below it; below 0, the way back."""
    if value > DECIDED:
        return value + plies
    if value < -DECIDED:
        return value - plies
    return value


def worth(value: float, most: float) -> Worth:
    """A value of a root, for people."""
    if abs(value) < DECIDED:
        return Worth(float(value) + 0.0, None)  # no -0.0
    moves = (int(WON - abs(value)) + 1) // 2
    return Worth(most, moves) if value > 0 else Worth(-most, -moves)


def check_shape(game: Any, sides: tuple[int, ...]) -> None:
    """Refuse a game that this kind of search is not for."""
    shape, kind = game.shape(), type(game).__name__
    if not shape.open:
        raise Invalid(f"{kind} does not say in its shape() that it is open, so alpha-beta cannot search it")
    if len(set(sides)) != 2 or not shape.zero_sum:
        raise Invalid(f"alpha-beta is for zero-sum games of two sides, which {kind} is not")
    if largest(shape) >= DECIDED:
        raise Invalid(f"{kind} has payoffs of {DECIDED:.3g} or more, which are too large to search")
