"""The ratings of search bootstrapping, and their order: TreeStrap(alpha-beta), TreeStrap(minimax), RootStrap, untrained."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...measure.intervals import NORMAL, student_half
from ..claims import Claim, unjudged
from ..laboratory import Lab
from ..report import Section
from .chess_runs import ANCHOR, BREAKTHROUGH, CHESS, DEEP, METHODS, SIZES, UNTRAINED, Measured, measure
from .printed import RATING_HALVES, RATINGS, TD_LEAF

ORDER = ("treestrap", "treestrap-minimax", "rootstrap", UNTRAINED)  # as the paper has it, the best first
TITLES = {CHESS: "chess", DEEP: "chess, deeper searches", BREAKTHROUGH: "Breakthrough 6 x 6"}
FILES = {CHESS: "chess", DEEP: "deep", BREAKTHROUGH: "breakthrough"}


def ratings(lab: Lab) -> Section:
    """What each method is rated, beside print, and whether the order is that of the paper."""
    claims, told = [], []
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {}
    for game, title in TITLES.items():
        found, size = measure(lab, game), SIZES[lab.scale][game]
        count = len(found.players)
        told.append(
            f"{title[0].upper() + title[1:]}: each run learned for {size.seconds:g} s of the processor, and the {count} "
            f"players met in {count * (count - 1) * size.pairs:,} games, searching {size.depth} plies deep. {verdict(found)}"
        )
        rated = rated_methods(found)
        if game != BREAKTHROUGH:
            printed = {by: (RATINGS[by], RATING_HALVES[by]) for by in RATINGS} | {"td-leaf": TD_LEAF}
            claims += [
                Claim(f"{by}, {title}", *printed_ours(printed[by], rated[by]), kind="amount", note=runs_note(found, by))
                for by in METHODS
            ]
        else:
            claims += [Claim(f"{by}, {title}", None, *rated[by], note=runs_note(found, by)) for by in METHODS]
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
    return Section(
        "chess-ratings",
        "Ratings of players that taught themselves chess",
        prose,
        unjudged(claims) if lab.quick else claims,
        tables,
    )


def pairs() -> list[tuple[str, str]]:
    """Each method with each one that the paper puts below it."""
    return list(itertools.combinations(ORDER, 2))


def printed_ours(printed: tuple[float, float], ours: tuple[float, float]) -> tuple[float, float, float, float]:
    """In the order of a claim's fields."""
    return printed[0], ours[0], ours[1], printed[1]


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
    header = [
        "player",
        "seconds",
        "games learned from",
        "moves learned from",
        "rating",
        "95 % half",
        "matches",
        "score",
    ]
    rows = []
    for k in found.ratings.order():
        player, rated = found.players[k], found.ratings
        learned = [round(player.seconds, 1), player.games, player.moves]
        numbers = [round(float(rated.rating[k]), 1), round(float(rated.half[k]), 1)]
        rows.append([player.name, *learned, *numbers, int(rated.matches[k]), round(float(rated.score[k]), 3)])
    return header, rows
