"""Sums over the hands of a player: by what they are called, and by whether another hand leaves room for them.

sums(found, place, player)               how often each sort of hand is held, what it expects, how it is played
blockers(found, place, player, hand)     which of the other's hands this hand makes impossible
hand_at(place, player, hand)             where a hand stands in the rows of a place

A *sort* is what people call a hand on a board: top pair, flush draw. The game's cards tell them (`sorts` in `cards.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...text.naming import name
from .cards import all_hands
from .hand_solution import HandSolution, Place

MADE = "made"  # what most poker players look at


class Sum(NamedTuple):
    """All hands of one sort."""

    name: str
    share: float  # of the player's hands at this place
    equity: float  # the share of the pot that they would win if nobody bet any more
    value: float  # what they expect from here on, in payoffs of the game
    frequency: np.ndarray  # [action] how often they take each; of who moves
    hands: np.ndarray  # where they stand in the rows of the place


class Blocked(NamedTuple):
    """What a hand takes away from the other's hands."""

    removed: np.ndarray  # [hand of the other] how much of its reach cannot be held, because a card is shared
    share: float  # all that, of the reach of all
    sums: list["Change"]


class Change(NamedTuple):
    """One sort of the other's hands."""

    name: str
    before: float  # which share of the other's hands is of this sort
    after: float  # and if one holds this hand


def sorts_at(found: HandSolution, place: Place, player: int, sort: str = MADE) -> tuple[tuple[str, ...], np.ndarray]:
    """The names of the sorts, and [hand] which of them each of a player's hands is."""
    tell = getattr(found.form.cards, "sorts", None)
    if tell is None:
        raise Invalid(f"{name(found.game)} does not tell what its hands are called")
    told = tell(place.cards)
    if sort not in told:
        raise Invalid(f"there is no sort '{sort}': choose from {', '.join(told)}")
    names, number = told[sort]
    return names, number[place.hands[player]]


def sums(found: HandSolution, place: Place, player: int, sort: str = MADE) -> list[Sum]:
    """A player's hands at a place by sorts, the best first; sorts that are not held are left out. The shares sum to 1."""
    names, number = sorts_at(found, place, player, sort)
    equity: Any = found.equity_at(place)[1 + player]
    weight = place.weight(player)
    whole = weight.sum()
    listed = []
    for i, called in enumerate(names):
        here = np.flatnonzero((number == i) & (weight > 0))
        if len(here):
            part = weight[here] / weight[here].sum()
            mixed = place.mix[:, here] @ part if place.player == player else np.zeros(0)
            share, value = float(weight[here].sum() / whole), float(part @ place.value[player][here])
            listed.append(Sum(called, share, float(part @ equity[here]), value, mixed, here))
    return listed


def blockers(found: HandSolution, place: Place, player: int, hand: int, sort: str = MADE) -> Blocked:
    """What a hand of a player, by its number, takes away from the other's hands at a place."""
    held = all_hands(found.form.cards.cards, found.form.cards.hole)
    other = 1 - player
    reach = place.reach[other]
    shared = np.isin(held[place.hands[other]], held[hand]).any(axis=1)
    removed = np.where(shared, reach, 0.0)
    left, whole = reach - removed, reach.sum()
    if whole <= 0:
        raise Invalid("the other player never gets there, so there is nothing to take away")
    names, number = sorts_at(found, place, other, sort)
    changes = []
    for i, called in enumerate(names):
        here = number == i
        if reach[here].sum() > 0:
            after = float(left[here].sum() / left.sum()) if left.sum() > 0 else float("nan")
            changes.append(Change(called, float(reach[here].sum() / whole), after))
    return Blocked(removed, float(removed.sum() / whole), changes)


def hand_at(place: Place, player: int, hand: Any) -> int:
    """Where a hand, by its number, stands in the rows of a player."""
    return row_of(place.hands[player], hand)


def row_of(hands: np.ndarray, hand: Any) -> int:
    """The same among the hands of a player."""
    here = np.flatnonzero(hands == hand)
    if not len(here):
        raise Invalid("this hand is not in the player's range, or shares a card with the board")
    return int(here[0])
