"""A game of public cards that was solved, and a place in it, as a notebook shows them: numbers, and the grid of hands.

The grid is that of two cards from 52. Other games show how often each action is taken.
"""

from typing import Any

from ..game import CHANCE, OVER
from ..games.spot.ranges import HANDS, class_of
from ..text import markup
from ..text.naming import name
from .hand_grid import HandCell, by_class, colours, hand_grid

HOLE, CARDS = 2, 52


def hands_table(found: Any) -> str:
    """The values of a solution with their certificate, and its first place."""
    first, second = found.values
    rows: list[tuple[Any, Any]] = [
        ("values", f"{first:.4f} and {second:.4f}"),
        ("exploitable by", f"{found.exploitable:.4g}" + (f", {found.percent:.3g} % of the pot" if found.pot else "")),
        ("equity of player 0", f"{found.equity()[0]:.4%}"),
        ("method", f"{found.method}, {found.iterations} iterations on {found.device}"),
    ]
    return markup.table(("", ""), [*rows, ("at the start", markup.Safe(place_table(found.at())))], name(found.game))


def place_table(place: Any) -> str:
    """How often each action is taken at a place, and the grid of who moves."""
    if not place.weight(0).any():
        return markup.table(("", ""), [], f"{_board(place)}no two hands come here")
    if not place.actions:
        who = "a card comes" if place.player == CHANCE else "nobody moves any more"
        rows = [(f"player {p}", f"expects {place.mean(p):+.4f}") for p in (0, 1)]
        return markup.table(("", ""), rows, f"{_board(place)}{who}")
    rows = [(a, f"{share:.2%}") for a, share in zip(place.actions, place.frequency(), strict=True)]
    drawn = place_grid(place) if _has_grid(place) else ""
    words = f"{_board(place)}{_seat(place)} to move, expects {place.mean(place.player):+.4f}"
    return f"<div>{markup.table(('action', 'share'), rows, words)}{drawn}</div>"


def place_grid(place: Any) -> str:
    """The 13 x 13 grid of who moves: how each kind of hand is played, and how many of its combinations get there."""
    who = max(place.player, 0)
    names, reach = [class_of(int(hand)) for hand in place.hands[who]], place.reach[who]
    held = dict.fromkeys(names, 0.0)
    for called, hand in zip(names, place.hands[who].tolist(), strict=True):
        held[called] += float(place.game.weight[who][hand]) if hasattr(place.game, "weight") else 1.0
    tones = colours(place.actions)
    cells = {}
    for called, mix in by_class(names, place.mix, reach).items():
        here = sum(one for one, each in zip(reach.tolist(), names, strict=True) if each == called)
        told = f"{called}: " + ", ".join(f"{a} {share:.0%}" for a, share in zip(place.actions, mix, strict=True))
        cells[called] = HandCell(list(zip(mix.tolist(), tones, strict=True)), min(1.0, here / held[called]), "", told)
    return hand_grid(cells, f"{_seat(place)} to move", list(zip(place.actions, tones, strict=True)))


def _has_grid(place: Any) -> bool:
    """Whether hands are two of 52 cards, numbered as `class_of` reads them."""
    cards = getattr(place.game, "public_cards", None)
    told = cards() if cards else None
    most = max(int(row.max(initial=0)) for row in place.hands)
    return (
        place.player != OVER and (getattr(told, "hole", 0), getattr(told, "cards", 0)) == (HOLE, CARDS) and most < HANDS
    )


def _board(place: Any) -> str:
    face = getattr(place.game, "face", None)
    return " ".join(face(card) for card in place.cards) + ": " if face and place.cards else ""


def _seat(place: Any) -> str:
    who = getattr(place.game, "who", None)
    return who(place.player) if who else f"player {place.player}"
