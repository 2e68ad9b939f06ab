"""A hand as a text that poker players know: the hand history of a poker room.

    *** FLOP *** [Td 9d 6h]
    OOP: checks
    IP: bets 30
    OOP: raises 60 to 90
    IP: folds
    Uncalled bet (60) returned to OOP
    OOP collected 120 from pot

What was played before the spot is not known, so the text begins with the pot that lay there. It tells of hands only those
that are dealt in the state.
"""

from collections.abc import Sequence
from typing import Any

from ...game import NONE, OVER, new_state
from ..betting import UNDEALT
from ..holdem.cards import category
from .betting import BET, CALL, CHECK, FOLD, RAISE
from .ranges import spelled_hand
from .rules import BOARD, DEALT, HAND, NODE, SHORT

STREETS = {3: "FLOP", 4: "TURN", 5: "RIVER"}


def history(game: Any, state: Any) -> str:
    """The hand so far, as a text of several lines."""
    cards, node = [int(card) for card in state[BOARD : BOARD + 5] if card != UNDEALT], int(state[NODE])
    over = int(game.mover[node]) == OVER and state[DEALT] >= game.need[node]
    path = [node]
    while game.parent[path[0]] != NONE:
        path.insert(0, int(game.parent[path[0]]))
    lines = ["Hold'em No Limit, from a spot by Fogtree", f"The pot is {game.pot:g}"]
    lines += [f"Seat {who + 1}: {SHORT[who]} ({game.stack:g} in chips)" for who in (0, 1)]
    for who in (0, 1):
        if state[HAND + who] != UNDEALT:
            lines.append(f"Dealt to {SHORT[who]} [{_spaced(spelled_hand(int(state[HAND + who])))}]")
    told = int(game.need[0])
    lines += [_street(game, cards, count) for count in range(3, told + 1)]
    for n in path[1:]:
        before = int(game.parent[n])
        lines += [_street(game, cards, count) for count in range(told + 1, int(game.need[before]) + 1)]
        told = max(told, int(game.need[before]))
        lines.append(f"{SHORT[game.mover[before]]}: {_done(game, n)}")
    shown = over and game.folded[node] == NONE
    if game.mover[node] == OVER and game.folded[node] != NONE:
        last = int(game.parent[node])
        back = _returned(game, last)
        lines.append(f"Uncalled bet ({back:g}) returned to {SHORT[1 - game.folded[node]]}")
    lines += [_street(game, cards, count) for count in range(told + 1, len(cards) + 1)]
    if over:
        lines += _ended(game, state, node, shown)
    elif game.mover[node] != OVER and state[DEALT] >= game.need[node]:
        lines.append(f"{SHORT[game.mover[node]]} is to act")
    return "\n".join(lines)


def history_of(game: Any, line: Sequence[int], cards: Sequence[int]) -> str:
    """The history of a line of betting, as numbers of choices, on a board, with nobody's hands known."""
    state = new_state(game)
    state[BOARD : BOARD + len(cards)] = cards
    state[DEALT] = len(cards)
    for action in line:
        state[NODE] = game.first[state[NODE]] + action
    return history(game, state)


def _done(game: Any, n: int) -> str:
    """What was done to get to a node."""
    word, amount, before = int(game.word[n]), int(game.amount[n]), int(game.parent[n])
    full = " and is all-in" if game.full[n] else ""
    if word == CALL:
        facing = _returned(game, before)
        return f"calls {facing:g}" + (" and is all-in" if game.full[before] else "")
    if word == RAISE:
        return f"raises {amount - int(game.amount[before])} to {amount}{full}"
    return {FOLD: "folds", CHECK: "checks", BET: f"bets {amount}{full}"}[word]


def _returned(game: Any, n: int) -> float:
    """What a player must add to call at a node, which is what comes back to the other if they fold."""
    above = int(game.parent[n])
    level = int(game.amount[above]) if above != NONE and game.word[above] in (BET, RAISE) else 0
    return int(game.amount[n]) - level


def _street(game: Any, cards: list[int], count: int) -> str:
    faces = [game.face(card) for card in cards[:count]]
    before = f"[{' '.join(faces[:-1])}] " if count > 3 else ""
    return f"*** {STREETS[count]} *** {before}[{faces[-1] if count > 3 else ' '.join(faces)}]"


def _ended(game: Any, state: Any, node: int, shown: bool) -> list[str]:
    pot = game.pot + 2 * float(game.paid[node])
    taken = min(pot * game.rake, game.cap)
    known = all(state[HAND + who] != UNDEALT for who in (0, 1))
    if not shown:
        won = [(1 - int(game.folded[node]), pot - taken)]
        lines = []
    elif not known:
        won, lines = [], ["*** SHOW DOWN ***"]
    else:
        values = [game.hand(state, who) for who in (0, 1)]
        lines = ["*** SHOW DOWN ***"]
        for who in (0, 1):
            hand = _spaced(spelled_hand(int(state[HAND + who])))
            lines.append(f"{SHORT[who]}: shows [{hand}] ({category(values[who])})")
        best = [who for who in (0, 1) if values[who] == max(values)]
        won = [(who, (pot - taken) / len(best)) for who in best]
    lines += [f"{SHORT[who]} collected {chips:g} from pot" for who, chips in won]
    rake = f" | Rake {taken:g}"
    return [*lines, "*** SUMMARY ***", f"Total pot {pot:g}{rake}"]


def _spaced(hand: str) -> str:
    return f"{hand[:2]} {hand[2:]}"
