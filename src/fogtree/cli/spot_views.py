"""What `fogtree spot` shows of a place: each view as what is printed, and as the rows of a table for a file."""

from typing import Any

import numpy as np
import typer

from ..game import CHANCE
from ..games.spot.ranges import class_of, read_hand, spelled_hand
from ..games.spot.rules import SHORT
from ..solvers.public.hand_classes import MADE, blockers, hand_at, sorts_at, sums
from ..solvers.public.hand_solution import HandSolution, Place
from ..solvers.public.next_cards import NextCard
from .screen.figures import facts
from .screen.spotted import action_table, blocker_table, class_table

POT = typer.Option(metavar="CHIPS", help="Chips in the pot, a whole number.")
STACK = typer.Option(metavar="CHIPS", help="Chips that each player has behind.")
DRAW = "draw"
RIVER = 5
MOST_BLOCKED = 12  # kinds of the other's hands that are named

Rows = list[list[Any]]
View = tuple[list[Any], Rows]


def typed(chips: str) -> Any:
    """A number as it was typed. What is no whole number is refused by the spot, which says what to do about it."""
    for kind in (int, float):
        try:
            return kind(chips)
        except ValueError:
            pass
    return chips


def hand_rows(found: HandSolution, place: Place) -> Rows:
    """Hand by hand: the weight, the equity, what it expects out of the pot, and how often it takes each action."""
    game: Any = found.game
    me = place.player
    equity: Any = found.equity_at(place)[1 + me]
    rows: Rows = [["hand", "kind", "weight", "equity", "value", *place.actions]]
    for h in np.argsort(-place.reach[me], kind="stable").tolist():
        hand = int(place.hands[me][h])
        numbers = [place.reach[me][h], equity[h], place.value[me][h] + game.pot / 2, *place.mix[:, h]]
        rows.append([spelled_hand(hand), class_of(hand), *(f"{number:.6g}" for number in numbers)])
    return rows


def cards_rows(found: HandSolution, cards: list[NextCard]) -> Rows:
    """The next cards."""
    game: Any = found.game
    half = game.pot / 2
    actions = cards[0].actions if cards else []
    rows: Rows = [["card", "comes", "equity of OOP", "value of OOP", "value of IP", *actions]]
    for one in cards:
        numbers = [one.chance, one.equity, one.value[0] + half, one.value[1] + half, *one.frequency]
        rows.append(["".join(game.face(card) for card in one.cards), *(f"{number:.6g}" for number in numbers)])
    return rows


def by_sorts(found: HandSolution, place: Place, coloured: bool, width: int) -> View:
    """Both players' hands by what they have made and what they draw to."""
    game: Any = found.game
    parts: list[Any] = []
    rows: Rows = [["player", "sort", "hands", "share", "equity", "value", *place.actions]]
    order = (0, 1) if place.player == CHANCE else (place.player, 1 - place.player)
    for player in order:
        for sort in (MADE, DRAW) if len(place.cards) < RIVER else (MADE,):
            listed = sums(found, place, player, sort)
            actions = place.actions if player == place.player else []
            title = f"{SHORT[player]}: {'made hands' if sort == MADE else 'draws'}; shares in percent"
            title += f", weighted by what {SHORT[1 - player]} may hold"
            parts.append(class_table(game, title, listed, actions, coloured, width))
            for one in listed:
                numbers = [one.share, one.equity, one.value + game.pot / 2, *one.frequency]
                rows.append([SHORT[player], sort, one.name, *(f"{number:.6g}" for number in numbers)])
    return parts, rows


def one_hand(found: HandSolution, place: Place, text: str) -> View:
    """One hand of who moves: what it is, what its actions are worth, and which of the other's hands it takes away."""
    game: Any = found.game
    me, hand = place.player, read_hand(text)
    h = hand_at(place, me, hand)
    called = []
    for sort in (MADE, DRAW):
        names, number = sorts_at(found, place, me, sort)
        called.append(names[number[h]])
    equity: Any = found.equity_at(place)[1 + me]
    half = game.pot / 2
    told = blockers(found, place, me, hand)
    names, number = sorts_at(found, place, 1 - me, "start")
    removed = np.bincount(number, told.removed, len(names))
    most = sorted((i for i in range(len(names)) if removed[i] > 0), key=lambda i: -removed[i])
    listed = ", ".join(f"{names[i]} {100 * removed[i] / place.reach[1 - me].sum():.1f} %" for i in most[:MOST_BLOCKED])
    more = f" and {len(most) - MOST_BLOCKED} more kinds" if len(most) > MOST_BLOCKED else ""
    against = [("meets", f"no hand of {SHORT[1 - me]} that comes there")]
    if place.met[me][h] > 0:
        against = [("equity", f"{100 * equity[h]:.2f} %"), ("expects", f"{place.value[me][h] + half:.3f} chips")]
    lines = [
        ("hand", f"{spelled_hand(hand)}: {called[0]}" + (f", {called[1]}" if len(place.cards) < RIVER else "")),
        ("gets there", f"{100 * place.reach[me][h]:.2f} % of the time that it is dealt, by the range and the line"),
        *against,
        ("takes away", f"{100 * told.share:.1f} % of what {SHORT[1 - me]} holds: {listed or 'nothing'}{more}"),
    ]
    rows: Rows = [["action", "plays", "value"]]
    for action, share, worth in zip(place.actions, place.mix[:, h], place.worth[:, h], strict=True):
        rows.append([action, f"{share:.6g}", f"{worth + half:.6g}"])
    table = action_table(game, place.actions, place.mix[:, h], place.worth[:, h])
    return [facts(lines), table, blocker_table(SHORT[1 - me], told.sums)], rows
