"""Arenz 2012, section 3 (Veness and others 2009): evaluations that learn chess from their own search.

    chess             learning curves of the methods at equal time of the processor, on chess and on Breakthrough
    chess-ratings     a round robin of their snapshots, beside the printed ratings, and their order: TreeStrap(alpha-beta),
                      TreeStrap(minimax), RootStrap, untrained

chess_stockfish.py has the best of each against Stockfish.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...draw.panels import panels
from ...measure.intervals import NORMAL, student_half
from ..claims import Claim, unjudged
from ..laboratory import Lab
from ..report import Section, Table
from .chess_runs import ANCHOR, BREAKTHROUGH, CHESS, DEEP, METHODS, SIZES, TUNED, UNTRAINED, Measured, measure
from .chess_tuning import COLUMNS, PLAYED, PLAYED_COLUMNS, TRIED
from .printed import RATING_HALVES, RATINGS, TD_LEAF

ORDER = ("treestrap", "treestrap-minimax", "rootstrap", UNTRAINED)  # as the paper has it, the best first
TITLES = {CHESS: "chess", DEEP: "chess, deeper searches", BREAKTHROUGH: "Breakthrough 6 x 6"}
FILES = {CHESS: "chess", DEEP: "deep", BREAKTHROUGH: "breakthrough"}
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
    tables: dict[str, Table] = {
        "chess-curves": (["game", "method", "seconds", "rating", "95 % half", "games", "moves"], rows),
        "chess-tuning": (COLUMNS, TRIED),
        "chess-tuning-games": (PLAYED_COLUMNS, PLAYED),
    }
    return Section("chess", "Learning curves of search bootstrapping", prose, (), tables, {"chess": figure})


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


def ratings(lab: Lab) -> Section:
    """What each method is rated, beside print, and whether the order is that of the paper."""
    claims, told = [], []
    tables: dict[str, Table] = {}
    printed: dict[str, tuple[float, float]] = {by: (RATINGS[by], RATING_HALVES[by]) for by in RATINGS}
    printed["td-leaf"] = TD_LEAF
    for game, title in TITLES.items():
        found, size = measure(lab, game), SIZES[lab.scale][game]
        count = len(found.players)
        told.append(
            f"{title[0].upper() + title[1:]}: each run learned for {size.seconds:g} s of the processor, and the {count} "
            f"players met in {count * (count - 1) * size.pairs:,} games, searching {size.depth} plies deep. {verdict(found)}"
        )
        for by, ours in rated_methods(found).items():
            claim = Claim(f"{by}, {title}", None, *ours, note=runs_note(found, by))
            if game != BREAKTHROUGH:
                claim = claim._replace(printed=printed[by][0], printed_half=printed[by][1], kind="amount")
            claims.append(claim)
        claims += [
            Claim(f"{better} minus {worse}, {title}", None, *lead(found, better, worse), note="points")
            for better, worse in pairs()
        ]
        tables[f"chess-ratings-{FILES[game]}"] = table(found)
    prose = f"""
        Ratings by Davidson's model over all games, with the untrained player at {ANCHOR:g}, as in the paper. What a method
        is rated is the mean of its runs. Its interval joins that of the mean over runs (Student) and that of the games.
        The lead of a method over another is the mean over runs of the difference between two runs from the same seed.
        The players of the paper learned and played at one minute a game and one second a move; ours learned for seconds and
        look a few plies ahead. So the printed numbers stand here for their order.

        {" ".join(told)}
    """
    shown = unjudged(claims) if lab.quick else claims
    return Section("chess-ratings", "Ratings of players that taught themselves chess", prose, shown, tables)


def pairs() -> list[tuple[str, str]]:
    """Each method with each one that the paper puts below it."""
    return list(itertools.combinations(ORDER, 2))


def rated_methods(found: Measured) -> dict[str, tuple[float, float]]:
    """{method: (rating, half of its 95 % interval)} of the last snapshots."""
    rated = {}
    for by in METHODS:
        runs = found.runs(by)
        at = [k for k, player in enumerate(found.players) if (player.by, player.share) == (by, 1.0)]
        games = NORMAL * math.sqrt(max(float(found.ratings.covariance[np.ix_(at, at)].mean()), 0.0))
        rated[by] = float(runs.mean()), math.hypot(student_half(runs), games)
    return rated


def lead(found: Measured, better: str, worse: str) -> tuple[float, float]:
    """By how many points a method leads, and half of the 95 % interval."""
    if worse == UNTRAINED:
        rating, half = rated_methods(found)[better]
        return rating - ANCHOR, half
    apart = found.runs(better) - found.runs(worse)
    return float(apart.mean()), student_half(apart)


def verdict(found: Measured) -> str:
    """Whether the order of the paper came out, in a sentence."""
    leads = {(better, worse): lead(found, better, worse) for better, worse in pairs()}
    wrong = [f"{worse} came out above {better}" for (better, worse), (ahead, _) in leads.items() if ahead <= 0]
    unsure = [f"{better} over {worse}" for (better, worse), (ahead, half) in leads.items() if 0 < ahead <= half]
    if wrong:
        return f"The order of the paper did not come out: {' and '.join(wrong)}."
    if unsure:
        leads_told = " and of ".join(unsure)
        return f"The order of the paper came out, but not for sure: within its interval lies the lead of {leads_told}."
    return "The order of the paper came out, each lead beyond its interval."


def runs_note(found: Measured, by: str) -> str:
    return f"runs: {', '.join(f'{rating:.0f}' for rating in found.runs(by))}"


def table(found: Measured) -> tuple[list[str], list[list[Any]]]:
    """All players, strongest first."""
    learning_from = ["seconds", "games learned from", "moves learned from"]
    header = ["player", *learning_from, "rating", "95 % half", "matches", "score"]
    rows = []
    for k in found.ratings.order():
        player, rated = found.players[k], found.ratings
        learned = [round(player.seconds, 1), player.games, player.moves]
        numbers = [round(float(rated.rating[k]), 1), round(float(rated.half[k]), 1)]
        rows.append([player.name, *learned, *numbers, int(rated.matches[k]), round(float(rated.score[k]), 3)])
    return header, rows
