"""A view that holds what is hidden, where that can be proved.

Two histories have the same number of moves. One player was told the same in both, at every move: by `show` and `draw`, by the
words heard, by `observe` and `public` where a game has them; it was the same player's turn; the player had the same legal
actions, with the same names, and chose the same. If the views differ all the same, the player sees in them what nothing has
told: either the view holds what is hidden, or `show` leaves out what the player sees.
"""

from typing import Any

import numpy as np

from ..observation import observed
from .asking import Asked
from .history import History

MOST = 200  # pairs of histories that are compared
Suspect = tuple[int, tuple[int, ...], tuple[int, ...]]  # a player, and two histories whose views differ


def prove_leaks(asked: Asked, suspects: list[Suspect]) -> None:
    """Raise `Broken` at the first pair that proves a leak."""
    for player, first, second in suspects[:MOST]:
        if len(first) != len(second):
            continue
        one, other = _root(asked), _root(asked)
        for a, b in zip(first, second, strict=True):
            if _told(asked, one, player, a) != _told(asked, other, player, b):
                break
            one, other = (_after(asked, history, move) for history, move in ((one, a), (other, b)))
        else:
            if _told(asked, one, player) == _told(asked, other, player):
                asked.broken(
                    other,
                    "view",
                    f"tells player {player} this from the history {asked.moves(first)}, although in both the player was told "
                    "the same at every move (show, draw, heard, label), had the same turns and legal actions and made the "
                    "same moves: the view holds what is hidden, or show leaves out what the player sees",
                )


def _root(asked: Asked) -> History:
    history = History(asked.row(asked.game.shape().words))
    asked.call(history, "start", history.state)
    return history


def _after(asked: Asked, history: History, move: int) -> History:
    return History(asked.step(history, move), (*history.moves, move))


def _told(asked: Asked, history: History, player: int, move: int | None = None) -> tuple[Any, ...]:
    """All that a player is told in a state, and of the move that is made there."""
    game, state = asked.game, history.state
    mover = asked.call(history, "player", state)
    found: list[Any] = [mover, asked.call(history, "show", state, player)]
    if asked.has("draw"):
        found.append(repr(asked.call(history, "draw", state, player)))
    if asked.has("public"):
        found.append(asked.call(history, "public", state))
    if asked.has("observe"):
        found.append(observed(game, state, player).tolist())
    if mover == player:
        legal = np.zeros(game.shape().actions, np.int64)
        count = int(asked.call(history, "actions", state, legal))
        found += [legal[:count].tolist(), move]
        if asked.has("label"):
            found.append([asked.call(history, "label", state, action) for action in legal[:count].tolist()])
    elif move is not None:
        found.append(_heard(asked, history, player, move))
    return tuple(found)


def _heard(asked: Asked, history: History, player: int, move: int) -> Any:
    """What a player hears of the move of somebody else, as `game.heard` says."""
    if asked.game.shape().open:
        return asked.call(history, "label", history.state, move) if asked.has("label") else move
    return asked.call(history, "heard", history.state, move, player) if asked.has("heard") else ""
