"""The next card: what each card that may come does to both players, at a place where a card is to come.

cards = next_cards(found, "check, check")      of a solved game of public cards, as a list of `NextCard`
"""

from typing import NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE
from ...walk.slices import Progress, Watcher
from .hand_solution import HandSolution
from .places import find_place


class NextCard(NamedTuple):
    """What there is to see after one deal of public cards, when both follow the strategy."""

    cards: tuple[int, ...]  # that are dealt: in hold'em one after the flop
    chance: float  # how often they come, when these hands meet here
    equity: float  # of player 0: that of player 1 is the rest
    value: tuple[float, float]  # [player] what they expect from here on, in payoffs of the game
    player: int  # who moves first, CHANCE where nobody does before the next card, or OVER
    actions: list[str]
    frequency: np.ndarray  # [action] of who moves first


def next_cards(
    found: HandSolution, line: str = "", cards: str = "", *, progress: Watcher | None = None
) -> list[NextCard]:
    """All cards that may come after this betting on these cards, the highest first. Cards that are alike by their suits are
    looked at once. The means by `chance` are those of the place before."""
    form = found.form
    before = found.at(line, cards)
    if before.player != CHANCE:
        raise Invalid("no card is to come there: give the betting of a street to its end, as in 'check, check'")
    b, symmetry, gate = find_place(form, line, cards)
    node = int(form.betting.entry[np.flatnonzero(form.betting.gate == gate)[0]])
    alike = np.flatnonzero(form.boards.parent == b).tolist()
    whole = before.weight(0).sum() * form.chance[form.boards.stage[b]]
    listed = []
    for count, child in enumerate(alike):
        place = found.place(child, symmetry, node)
        weight = place.weight(0)
        chance = float(weight.sum() * form.chance[form.boards.stage[child]] / whole) if whole > 0 else float("nan")
        mixed = place.frequency() if place.player >= 0 else np.zeros(0)
        equity, value = found.equity_at(place)[0], (place.mean(0), place.mean(1))
        fresh = form.board[child][len(form.board[b]) :]
        for image in form.images[child]:
            dealt = tuple(sorted(int(symmetry[image[card]]) for card in fresh))
            listed.append(NextCard(dealt, chance, equity, value, place.player, place.actions, mixed))
        if progress:
            progress(Progress("next cards", count + 1, len(alike)))
    return sorted(listed, key=lambda one: one.cards, reverse=True)
