"""Learning curves: what each method is rated after so many seconds of the processor."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...draw.panels import panels
from ...measure.intervals import student_half
from ..laboratory import Lab
from ..report import Section
from .chess_ratings import TITLES, verdict
from .chess_runs import METHODS, SIZES, TUNED, Measured, measure
from .chess_tuning import COLUMNS, PLAYED, PLAYED_COLUMNS, TRIED

NAMES = {
    "treestrap": "TreeStrap(alpha-beta)",
    "treestrap-minimax": "TreeStrap(minimax)",
    "rootstrap": "RootStrap",
    "td-leaf": "TD-Leaf",
}


def learning(lab: Lab) -> Section:
    """Curves of all methods on both games, and how the methods were tuned."""
    figure, axes = panels(len(TITLES))
    rows = []
    for panel, (game, title) in zip(axes, TITLES.items(), strict=True):
        found = measure(lab, game)
        for by in METHODS:
            points = curve(found, by, SIZES[lab.scale][game].shares)
            rows += [[game, by, *point] for point in points]
            seconds, mean, half = np.array([point[:3] for point in points]).T
            (line,) = panel.plot(seconds, mean, marker="o", markersize=3, label=NAMES[by])
            panel.fill_between(seconds, mean - half, mean + half, color=line.get_color(), alpha=0.12, lw=0)
        panel.set(xlabel="seconds of the processor", ylabel="rating; untrained is 250", title=title)
        panel.legend(frameon=False)
    sizes = SIZES[lab.scale]
    settings = [
        f"{title}: {sizes[game].runs} runs of each method, {sizes[game].seconds:g} s each, "
        + ", ".join(f"{NAMES[by]} at depth {tuned.depth} with step {tuned.step:g}" for by, tuned in TUNED[game].items())
        for game, title in TITLES.items()
    ]
    prose = f"""
        Each method teaches a linear evaluation by self-play, from random weights, for the same time of the processor. A
        method that prunes plays more moves in that time, or searches deeper. {". ".join(settings)}. Bands are 95 %
        intervals of the mean over runs (Student).

        {" ".join(f"{title[0].upper() + title[1:]}: {verdict(measure(lab, game))}" for game, title in TITLES.items())}

        What was tried is in the second and the third table. At first TreeStrap learned far less than RootStrap, and a reason
        is which positions teach. Most positions inside a tree come from a blunder, and the best answer is a capture. What it
        takes is in their value, and no feature can tell it, so they teach that men are worth little. Now a position whose
        best action is a capture teaches nothing, to TreeStrap and RootStrap alike. Errors are measured in expected results,
        tanh(4 H), and each weight's step is divided by the root of the sum of its squared gradients (AdaGrad), for all
        methods alike. Steps divided by a moving average instead (RMSProp) were tried before that, six runs of 20 s: in 40
        games against the evaluation set by hand none scored more than 9 %.

        Settings were chosen in two rounds. In the first, one run of 10 s each, the correlation with the judgement of a strong
        engine decided; the same setting twice gave 0.69 and 0.73, and the evaluation that was set by hand has 0.90. In the
        second, two runs of 20 s each, 120 games against the evaluation set by hand did, both searching two plies deep. All of
        Breakthrough was set by analogy. A search of chess that prunes plays about ten times as many moves in the same time
        as one by minimax.

        The paper's players searched for a second or more before each move, and learned from few moves. Two plies take half a
        millisecond here, so RootStrap learns from two thousand moves a second and is not short of lessons; that a search
        teaches more than its root matters less. Therefore the methods learn once more with searches of four plies, where
        there are fewer moves and each has a larger tree.
    """
    return Section(
        "chess",
        "Learning curves of search bootstrapping",
        prose,
        (),
        {
            "chess-curves": (["game", "method", "seconds", "rating", "95 % half", "games", "moves"], rows),
            "chess-tuning": (COLUMNS, [list(row) for row in TRIED]),
            "chess-tuning-games": (PLAYED_COLUMNS, [list(row) for row in PLAYED]),
        },
        {"chess": figure},
    )


def curve(found: Measured, by: str, shares: Sequence[float]) -> list[list[Any]]:
    """[seconds, rating, half of the interval, games, moves] at each snapshot, means over the runs."""
    points = []
    for share in shares:
        kept = [player for player in found.players if (player.by, player.share) == (by, share)]
        runs = found.runs(by, share)
        means = [float(np.mean([getattr(player, what) for player in kept])) for what in ("seconds", "games", "moves")]
        rated = [round(float(runs.mean()), 1), round(student_half(runs), 1)]
        points.append([round(means[0], 2), *rated, *map(round, means[1:])])
    return points
