"""The betting of a spot: who may bet what, from the street that it begins on to the end.

Player 0 is out of position and speaks first on each street. Both have the same stack: what one has more cannot be lost. A
bet is named by what it brings the player's chips on this street to. It is at least 1 chip, a raise at least as much more as
the bet before, and none is larger than the stack. Where all chips are in, the rest of the board is dealt.

    added       all in is added where it is at most so many times the pot
    forced      a bet becomes all in where a call would leave at most so many times the pot
    merged      of two sizes that are near, the smaller goes: where (1 + larger) / (1 + smaller) is below 1 + this, in pots
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE, OVER
from .sizes import ALL_IN, CHIPS, GEOMETRIC, SHARE, TIMES, Size, Sizes

FOLD, CHECK, CALL, BET, RAISE = range(5)
WORDS = ("fold", "check", "call", "bet", "raise to")
MOST_NODES = 500_000
MOST_ACTIONS = 16
RIVER = 5  # public cards


class Tree(NamedTuple):
    """The nodes, breadth first: the children of a node are neighbours."""

    mover: np.ndarray  # [nodes] who moves, or OVER
    need: np.ndarray  # [nodes] how many public cards must lie there
    first: np.ndarray  # [nodes] the first child
    count: np.ndarray  # type: ignore[assignment]  # [nodes] children
    parent: np.ndarray  # [nodes] NONE for the root
    word: np.ndarray  # [nodes] what was done to get here
    amount: np.ndarray  # [nodes] and to what it brought the player's chips on this street
    paid: np.ndarray  # [nodes] what each player has put in and the other has matched
    folded: np.ndarray  # [nodes] who has folded, or NONE
    full: np.ndarray  # [nodes] whether a bet has just brought a player all in


class Thresholds(NamedTuple):
    added: float = 0.0
    forced: float = 0.0
    merged: float = 0.0


class _Place(NamedTuple):
    street: int
    mover: int
    put: tuple[int, int]  # by each player since the spot began
    base: int  # by each before this street
    bets: int  # on this street
    spoken: bool  # whether the other has checked on this street
    called: bool  # whether player 0 has called on the street before
    shut: bool  # whether somebody is all in


def grow(pot: int, stack: int, known: int, sizes: list[tuple[Sizes, Sizes]], thresholds: Thresholds) -> Tree:
    """The tree, from a board of so many cards."""
    rows: dict[str, list[int]] = {name: [] for name in Tree._fields}
    queue: list[tuple[int, int, int, Any]] = [(NONE, NONE, 0, _Place(0, 0, (0, 0), 0, 0, False, False, False))]
    for parent, word, amount, place in queue:  # it grows
        if len(queue) > MOST_NODES:
            raise Invalid(f"the betting has more than {MOST_NODES:,} places: take fewer sizes")
        number = len(rows["mover"])
        rows["parent"].append(parent)
        rows["word"].append(word)
        rows["amount"].append(amount)
        rows["first"].append(len(queue))
        over = isinstance(place, _End)
        moves = [] if over else _moves(place, pot, stack, known, sizes, thresholds)
        if len(moves) > MOST_ACTIONS:
            raise Invalid(f"a player has {len(moves)} choices at once: at most {MOST_ACTIONS}, so take fewer sizes")
        rows["count"].append(len(moves))
        rows["mover"].append(OVER if over else place.mover)
        rows["need"].append(place.cards if over else known + place.street)
        rows["folded"].append(place.folded if over else NONE)
        rows["paid"].append(min(place.put))
        rows["full"].append(int(not over and place.shut))
        queue += [(number, *move) for move in moves]
    return Tree(**{name: np.array(row, np.int64) for name, row in rows.items()})


class _End(NamedTuple):
    put: tuple[int, int]
    folded: int
    cards: int


def _moves(
    at: _Place, pot: int, stack: int, known: int, sizes: list[tuple[Sizes, Sizes]], thresholds: Thresholds
) -> list[tuple[int, int, Any]]:
    """What the mover may do: the word, the amount, and where it leads."""
    me, other = at.mover, 1 - at.mover
    facing = at.put[other] > at.put[me]
    own = at.put[other] - at.base
    found: list[tuple[int, int, Any]] = []
    if facing:
        found.append((FOLD, 0, _End(at.put, me, known + at.street)))
        level = (at.put[other], at.put[other])
        found.append((CALL, own, _next(at, level, stack, known, len(sizes), me == 0)))
    elif at.spoken:
        found.append((CHECK, 0, _next(at, at.put, stack, known, len(sizes), False)))
    else:
        found.append((CHECK, 0, at._replace(mover=other, spoken=True, called=False)))
    if not at.shut:
        for amount in _amounts(at, pot, stack, sizes[at.street][me], len(sizes) - at.street, thresholds):
            put = list(at.put)
            put[me] = at.base + amount
            place = at._replace(
                mover=other, put=(put[0], put[1]), bets=at.bets + 1, spoken=False, called=False, shut=put[me] == stack
            )
            found.append((RAISE if facing else BET, amount, place))
    return found


def _next(at: _Place, put: tuple[int, int], stack: int, known: int, streets: int, called: bool) -> Any:
    """Where a street ends: on the next street, or at a showdown."""
    if put[0] == stack or at.street + 1 == streets:
        return _End(put, NONE, RIVER)
    return _Place(at.street + 1, 0, put, put[0], 0, False, called, False)


def _amounts(at: _Place, pot: int, stack: int, sizes: Sizes, streets: int, thresholds: Thresholds) -> list[int]:
    """To what the mover may bring their chips on this street, ascending."""
    me, other = at.mover, 1 - at.mover
    before, most = at.put[other] - at.base, stack - at.base
    least = min(max(before + at.put[other] - at.put[me], 1), most)
    after_call, left = pot + 2 * at.put[other], stack - at.put[other]
    facing = at.put[other] > at.put[me]
    offered = sizes.raises if facing else sizes.donks if at.called and me == 0 else sizes.bets
    wanted = [_amount(size, before, most, after_call, left, streets) for size in offered]
    if (offered or facing or sizes.bets) and most <= before + round_half(after_call * thresholds.added):
        wanted.append(most)
    found = set()
    for amount in wanted:
        amount = min(max(amount, least), most)
        rest = round_half((after_call + 2 * (amount - before)) * thresholds.forced)
        found.add(most if most <= amount + rest else amount)
    return _merged(sorted(found), before, most, after_call, thresholds.merged)


def _amount(size: Size, before: int, most: int, pot: int, left: int, streets: int) -> int:
    if size.kind == SHARE:
        return before + round_half(pot * size.number)
    if size.kind == TIMES:
        return round_half(before * size.number)
    if size.kind == CHIPS:
        return before + int(size.number)
    if size.kind == GEOMETRIC:
        share = ((2 * left / pot + 1) ** (1 / (size.number or streets)) - 1) / 2
        return before + round_half(pot * min(share, size.most))
    assert size.kind == ALL_IN
    return most


def _merged(amounts: list[int], before: int, most: int, pot: int, near: float) -> list[int]:
    if near <= 0:
        return amounts
    kept: list[int] = []
    for amount in reversed(amounts):
        share = 1 + (amount - before) / pot
        if not kept or (1 + (kept[-1] - before) / pot) / share >= 1 + near:
            kept.append(amount)
    return kept[::-1]


def round_half(number: float) -> int:
    """The nearest whole number; halves go up."""
    return int(number + 0.5)
