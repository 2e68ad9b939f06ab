"""A whole strategy at a glance: its information sets in a grid, found by following everything that a player may do.

How the grid is laid out follows from what the game shows, and no game is named here:

    hands     lines of the player's text that both players always see alike are public, the others private. Where there are
              both, few actions, and most hands in most situations, as in poker, each public situation is a row and each
              private hand a column
    boards    where the picture has a place for most actions, as in phantom games, each set is its board with the shares on it
    actions   else, as in Goofspiel, each set is a row and each action a column

Sets that play alike are shown once: rows and columns with the same shares, and boards that are turned or mirrored.
"""

import heapq
import itertools
import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..draw.mixed import mixed, placed
from ..game import OVER, images, label, new_state, show
from ..measure.told import shares

MOST, SECONDS = 20_000, 2.0  # histories that are walked, and for how long
ROWS, BOARDS = 150, 48  # that are shown
FEW = 5  # actions, up to which a cell shows all of them side by side
FULL = 0.5  # of a grid of hands, at least
ALIKE = 3  # digits in which the shares of equal sets agree
RANKS = "23456789TJQKA"
HANDS, BOARD, ACTIONS = "hands", "boards", "actions"


class Spot(NamedTuple):
    """An information set: how its player came there, a state of it, and what it is played."""

    view: int
    path: tuple[tuple[int, int], ...]  # (view, action) of the player's own moves before
    state: np.ndarray
    mix: dict[int, float]
    reach: list[float]  # one entry, summed over the histories: all players, and
    others: list[float]  # the same without the player's own moves


def spots(game: Any, plan: Any, player: int) -> tuple[list[Spot], bool]:
    """The player's information sets, in the order in which they are met, the likeliest first; and whether these are all."""
    number, found = itertools.count(), dict[int, Spot]()
    queue: list[Any] = [(-1.0, next(number), new_state(game), 1.0, ())]
    end = time.thread_time() + SECONDS  # of this thread alone, for the values may be computed beside it
    for _ in range(MOST):
        if not queue or time.thread_time() > end:
            break
        negative, _, state, own, path = heapq.heappop(queue)
        mover = int(game.player(state))
        if mover == OVER:
            continue
        mix = shares(game, plan, state, mover)
        onward = path
        if mover == player and len(mix) > 1:
            view = int(game.view(state, player))
            spot = found.setdefault(view, Spot(view, path, state, mix, [0.0], [0.0]))
            spot.reach[0] -= negative * own
            spot.others[0] -= negative
        for action, share in mix.items():
            after = state.copy()
            game.step(after, action)
            if mover == player:
                onward = (*path, (view, action)) if len(mix) > 1 else path
                heapq.heappush(queue, (negative, next(number), after, own * share, onward))
            else:
                heapq.heappush(queue, (negative * share, next(number), after, own, onward))
    return list(found.values()), not queue


def overview(
    game: Any, plan: Any, player: int, value: Callable[[Spot], float | None], merge: bool = True
) -> dict[str, Any]:
    """The grid of a player's strategy, as a worker tells it. `value` says what a set is worth, where that is known. Sets that
    play alike are merged, unless each is to be looked at."""
    found, complete = spots(game, plan, player)
    actions = sorted({action for spot in found for action in spot.mix})
    names: dict[int, list[str]] = {action: [] for action in actions}
    for spot in found:
        for action in spot.mix:
            if (word := label(game, spot.state, action)) not in names[action]:
                names[action].append(word)
    parted = _parted(game, player, found) if len(actions) <= FEW else None
    if parted is not None:
        kind, made = HANDS, _hands(found, parted, actions, value, merge)
    elif found and _on_board(game, player, found):
        kind, made = BOARD, _boards(game, player, found, value, merge)
    else:
        kind, made = ACTIONS, _rows(game, player, found, actions, value, merge)
    legend = [" / ".join(names[action][:3]) for action in actions]
    return {"kind": kind, "legend": legend, "complete": complete, "sets": len(found), **made}


def _reached_first(spot: Spot) -> Any:
    """By the number of own moves, the likeliest first; what the strategy never comes to is last."""
    return spot.reach[0] <= 0, len(spot.path), -spot.reach[0]


# --- hands ---


def _parted(game: Any, player: int, found: list[Spot]) -> list[tuple[str, str]] | None:
    """[spot] the public and the private part of what the player sees; None where there are not both."""
    texts = [[show(game, spot.state, who).split("\n") for who in (player, _other(game, player))] for spot in found]
    if not texts or len({len(lines) for both in texts for lines in both}) > 1:
        return None
    count = len(texts[0][0])
    public = [n for n in range(count) if all(mine[n] == theirs[n] for mine, theirs in texts)]
    if not public or len(public) == count:
        return None
    cut = [_varying([mine[n] for mine, _ in texts]) for n in range(count)]
    parts = []
    for mine, _ in texts:
        pieces = [", ".join(cut[n](mine[n]) for n in some) for some in (public, _rest(public, count))]
        parts.append((pieces[0], pieces[1]))
    rows, columns = len({public for public, _ in parts}), len({hand for _, hand in parts})
    return parts if len(set(parts)) >= FULL * rows * columns else None


def _other(game: Any, player: int) -> int:
    return (player + 1) % game.shape().players


def _rest(some: list[int], count: int) -> list[int]:
    return [n for n in range(count) if n not in some]


def _varying(lines: list[str]) -> Callable[[str], str]:
    """Cuts off the words before a colon, where all lines of a place have the same ones and only one line needs a name."""
    heads = {line.partition(": ")[0] for line in lines}
    if len(heads) == 1 and all(": " in line for line in lines) and next(iter(heads)).startswith("your "):
        return lambda line: line.partition(": ")[2]
    return lambda line: re.sub(r"\s{2,}", ", ", line)


def _hands(
    found: list[Spot], parted: list[tuple[str, str]], actions: list[int], value: Any, merge: bool
) -> dict[str, Any]:
    columns = sorted({hand for _, hand in parted}, key=_by_rank)
    rows: dict[str, dict[str, Any]] = {}
    for spot, (public, hand) in zip(found, parted, strict=True):
        row = rows.setdefault(public, {"head": [public], "cells": {}, "reach": 0.0, "depth": len(spot.path)})
        row["cells"].setdefault(hand, _cell(spot, actions, value))
        row["reach"] += spot.reach[0]
    made = sorted(rows.values(), key=lambda row: (row["depth"], -row["reach"]))
    groups = _merged_columns(columns, made) if merge else [[hand] for hand in columns]
    table = [{"head": row["head"], "cells": [_first(row["cells"], group) for group in groups]} for row in made[:ROWS]]
    shown = _merged_rows(table) if merge else table
    return {"columns": [" ".join(group) for group in groups], "rows": shown, "more": max(0, len(made) - ROWS)}


def _by_rank(hand: str) -> Any:
    """Hands as a deck has them: numbers by size, ranks from the 2 to the ace."""
    return [RANKS.find(letter) for letter in hand.replace("10", "T")], hand


def _first(cells: dict[str, Any], group: list[str]) -> Any:
    return next((cells[hand] for hand in group if hand in cells), None)


def _merged_columns(columns: list[str], rows: list[dict[str, Any]]) -> list[list[str]]:
    """Hands that play alike in every row stand in one column."""
    found: dict[Any, list[str]] = {}
    for hand in columns:
        key = tuple(_look(row["cells"].get(hand)) for row in rows)
        found.setdefault(key, []).append(hand)
    return list(found.values())


def _merged_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows that play alike are one row, with all their heads."""
    found: dict[Any, dict[str, Any]] = {}
    for row in rows:
        key = tuple(_look(cell) for cell in row["cells"])
        if key in found:
            found[key]["head"] += row["head"]
        else:
            found[key] = row
    return list(found.values())


def _look(cell: Any) -> Any:
    """What makes cells alike."""
    return (
        None
        if cell is None
        else tuple(round(share or 0.0, ALIKE) if share is not None else -1 for share in cell["mix"])
    )


def _cell(spot: Spot, actions: list[int], value: Any) -> dict[str, Any]:
    return {
        "view": str(spot.view),  # as a text, for it has more digits than a number of the browser
        "path": [[str(view), str(action)] for view, action in spot.path],
        "mix": [spot.mix.get(action) for action in actions],
        "reach": spot.reach[0],
        "value": value(spot),
    }


# --- boards ---


def _on_board(game: Any, player: int, found: list[Spot]) -> bool:
    """Whether the picture has a place for most actions of the first sets."""
    some = found[:5]
    return hasattr(game, "draw") and all(
        2 * len(spot.mix.keys() & placed(game, spot.state, player).keys()) > len(spot.mix)
        and len({y for _, y in placed(game, spot.state, player).values()}) > 1  # a row of cards is no board
        for spot in some
    )


def _boards(game: Any, player: int, found: list[Spot], value: Any, merge: bool) -> dict[str, Any]:
    """Each board once."""
    kept: dict[int, dict[str, Any]] = {}
    for spot in sorted(found, key=_reached_first):
        twins = _images(game, player, spot) if merge else {}
        same = next((view for view in twins if view in kept and _same_mix(kept[view]["mix"], spot, twins[view])), None)
        if same is not None:
            kept[same]["count"] += 1
            kept[same]["told"]["reach"] += spot.reach[0]
        elif len(kept) < BOARDS:
            drawn = mixed(game, spot.state, player, spot.mix)
            kept[spot.view] = {"mix": spot.mix, "count": 1, "told": _cell(spot, [], value) | {"picture": drawn}}
    rows = [one["told"] | {"count": one["count"]} for one in kept.values()]
    return {"boards": rows, "more": len(found) - sum(row["count"] for row in rows)}


def _images(game: Any, player: int, spot: Spot) -> dict[int, dict[int, int]]:
    """{view: {action: the action there}} of the same set on the turned and mirrored boards, itself included."""
    found: dict[int, dict[int, int]] = {spot.view: {action: action for action in spot.mix}}
    for action in spot.mix:
        for view, there in images(game, player, spot.view, action):
            found.setdefault(view, {})[action] = there
    return found


def _same_mix(mix: dict[int, float], spot: Spot, moved: dict[int, int]) -> bool:
    near = 10.0**-ALIKE
    return all(abs(share - mix.get(moved.get(action, -1), -1.0)) < near for action, share in spot.mix.items())


# --- actions ---


def _rows(game: Any, player: int, found: list[Spot], actions: list[int], value: Any, merge: bool) -> dict[str, Any]:
    ordered = sorted(found, key=_reached_first)
    rows = []
    for spot in ordered[:ROWS]:
        head = ", ".join(line.strip() for line in show(game, spot.state, player).split("\n") if line.strip())
        rows.append({"head": [head], "cells": [_cell(spot, actions, value)]})
    return {"rows": _merged_rows(rows) if merge else rows, "more": max(0, len(ordered) - ROWS)}
