"""A report over many boards: games that differ in their first cards alone, each solved as a piece of a run.

report = solve_boards([("spot/Td9d6h:...", 24.0), ...], target=0.5, store="fogtree-runs.sqlite")

The mean over boards weighs each by how many it stands for, and by how often both players can hold their hands there.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..game import identity
from ..runs import Run
from ..solvers.public.hand_solution import solve_hands
from ..text.naming import as_game
from ..walk.slices import Watcher


class Solved(NamedTuple):
    """One board, solved."""

    game: str
    weight: float  # its share in the mean
    equity: float  # of player 0
    values: tuple[float, float]  # what the players get out of the pot
    percent: float  # the certificate, of the pot
    actions: tuple[list[str], list[str]]  # [player] at their first decision: player 1's after player 0's first action
    frequency: tuple[list[float], list[float]]
    seconds: float  # of the processor


class Mean(NamedTuple):
    """All boards together."""

    equity: float
    values: tuple[float, float]
    percent: float
    frequency: tuple[list[float], list[float]]


def solve_boards(
    games: Sequence[tuple[str, float]],
    *,
    target: float,
    store: Any = None,
    cores: int | None = None,
    parameters: dict[str, Any] | None = None,
    progress: Watcher | None = None,
) -> list[Solved]:
    """Solve each of the games to a target in percent of the pot. They come with for how many boards each stands. What is
    done is stored, so that the same call goes on after a stop, and one for more boards does only those that are missing."""
    run = Run(store, "boards", solve_board, {"target": target} | (parameters or {}))
    pieces = [{"game": game, "target": target} for game, _ in games]
    return weighed(games, run.map(pieces, cores=cores, progress=progress))


def solve_board(game: str, target: float) -> dict[str, Any]:
    """One board, as a piece of a run."""
    began = time.process_time()
    found = solve_hands(game, target=target, threads=1)  # the pieces of a run are done side by side
    place = found.at()
    after = found.at(place.actions[0])
    places = (place, after) if after.player == 1 else (place,)
    told: dict[str, Any] = {
        "actions": [each.actions for each in places] + [[]] * (2 - len(places)),
        "frequency": [np.nan_to_num(each.frequency()).tolist() for each in places] + [[]] * (2 - len(places)),
    }
    return told | {
        "identity": identity(as_game(game)),
        "meetings": float(place.weight(0).sum()),
        "equity": found.equity()[0],
        "values": list(found.values),
        "percent": found.percent,
        "seconds": time.process_time() - began,
    }


def weighed(games: Sequence[tuple[str, float]], results: Sequence[dict[str, Any]]) -> list[Solved]:
    """Results with the shares of their boards in the mean."""
    weight = np.array([count * result["meetings"] for (_, count), result in zip(games, results, strict=True)])
    return [
        Solved(
            game,
            float(share),
            result["equity"],
            tuple(result["values"]),
            result["percent"],
            tuple(result["actions"]),
            tuple(result["frequency"]),
            result["seconds"],
        )
        for (game, _), result, share in zip(games, results, weight / weight.sum(), strict=True)
    ]


def mean(found: Sequence[Solved]) -> Mean:
    """The mean over the boards. What a player does is weighed by the boards, as if each came to the decision as often."""

    def over(values: Any) -> Any:
        return np.array([one.weight for one in found]) @ np.array(values) / sum(one.weight for one in found)

    frequency = tuple(over([one.frequency[p] for one in found]).tolist() for p in (0, 1))
    values = over([one.values for one in found])
    return Mean(
        float(over([one.equity for one in found])),
        (float(values[0]), float(values[1])),
        float(over([one.percent for one in found])),
        frequency,  # type: ignore[arg-type]
    )
