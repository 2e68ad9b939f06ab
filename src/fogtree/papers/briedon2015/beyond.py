"""Briedoň 2015, beyond the thesis: which games of the 3x3 family defeat which bandit."""

from typing import Any

import numpy as np

from ...draw.panels import titled
from ...games.family import Family, member_name
from ...measure.track import schedule
from ...solvers.exact.support import Support, support
from ..laboratory import Lab
from ..report import Section
from .printed import EPSILON
from .sweeps import FAMILY, PROBLEM, STUBBORN, swept

BANDITS = (
    "uct-det",
    "uct:c=1.4142",
    EPSILON,
    "uct-eps",
    "uct-window:window=100000,epsilon=0.0001",
    "uct-reset",
    "tuned",
    "exp3",
    "rm",
    "rm+",
)
LOOKED_AT = ("uct-det", EPSILON, "rm")  # the bandits of the second picture and of the prose


def bandits(lab: Lab) -> Section:
    found = [swept(lab, bandit, "sets") for bandit in BANDITS]
    ends = np.array([sweep.exploitability[:, 0] for sweep in found])
    numbers = [trial.number for trial in found[0].trials]
    return compared(numbers, found[0].weights, ends, int(schedule(found[0].steps)[-1]))


def compared(numbers: list[int], weights: np.ndarray, ends: np.ndarray, simulations: int) -> Section:
    """Classes by the number of their first game and by their size, and where each bandit ends on each: [bandits, classes]."""
    family = Family()
    kinds = [support(family[number].payoffs) for number in numbers]
    summary = [
        [
            name,
            float(np.average(row > PROBLEM, weights=weights)),
            float(np.average(row > STUBBORN, weights=weights)),
            float(_median(row, weights)),
            float(np.average(row, weights=weights)),
            float(row.max()),
            member_name(FAMILY, numbers[int(row.argmax())]),
            *_pace(row, kinds),
        ]
        for name, row in zip(BANDITS, ends, strict=True)
    ]
    header = ["bandit", "share above 0.05", "share above 0.25", "median", "mean", "worst", "its worst game"]
    header += ["rank correlation with the distance, saddle points", "mixed"]
    groups, by_group = _by_group(kinds, ends, weights)
    columns = ["game", "games in its class", "value", "smaller support", "larger support", "saddle point", "distance"]
    each = [
        [
            member_name(FAMILY, number),
            int(weights[n]),
            float(kind.value),
            *kind.sizes,
            "yes" if kind.saddle else "no",
            "" if np.isnan(kind.distance) else float(kind.distance),
            *(float(end) for end in np.round(ends[:, n], 8)),
        ]
        for n, (number, kind) in enumerate(zip(numbers, kinds, strict=True))
    ]
    tables: dict[str, Any] = {
        "bandits": (header, summary),
        "bandits-by-kind": (["kind of equilibrium", "games", *(f"{name} above 0.05" for name in BANDITS)], by_group),
        "bandits-by-class": ([*columns, *BANDITS], each),
    }
    pictures = {"bandits": _map_of(ends, kinds, groups), "bandits-distance": _by_distance(ends, kinds)}
    prose = (
        "The thesis plays the family with one bandit and asks which games are hard and why. Here every bandit plays "
        f"{len(numbers)} classes ({int(weights.sum()):,} games), {simulations:,} simulations each, one run a class. A bandit "
        "fails on a game if it ends above 0.05. The distance is the least that an action outside every equilibrium "
        f"loses; the thesis suspects that it sets the pace.\n\n{_reading(ends, kinds, weights)}"
    )
    return Section("bandits", "Which games defeat which bandit", prose, (), tables, pictures)


def _median(values: np.ndarray, weights: np.ndarray) -> float:
    order = np.argsort(values)
    return float(values[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)])


def _group(kind: Support) -> tuple[int, int, bool]:
    return (*kind.sizes, kind.saddle)


def _by_group(kinds, ends, weights) -> tuple[list[tuple], list[list[Any]]]:
    """Classes by support sizes and saddle point: how much of each defeats each bandit."""
    groups, rows = sorted({_group(kind) for kind in kinds}, key=lambda g: (not g[2], g[:2])), []
    for group in groups:
        mine = np.array([_group(kind) == group for kind in kinds])
        words = f"{group[0]} and {group[1]} actions{', a saddle point' if group[2] else ''}"
        shares = [float(np.average(row[mine] > PROBLEM, weights=weights[mine])) for row in ends]
        rows.append([words, int(weights[mine].sum()), *shares])
    return groups, rows


def _map_of(ends, kinds, groups) -> Any:
    """Classes side by side, sorted by kind of equilibrium and then by how hard they are; a row is a bandit."""
    figure, one = titled(
        "Which games defeat which bandit", "", xlabel="classes of games, by kind of equilibrium", xscale="linear"
    )
    figure.set_size_inches(11, 4.2)
    place = {group: n for n, group in enumerate(groups)}
    rank = np.log(np.maximum(ends, 1e-6)).mean(axis=0)
    order = sorted(range(len(kinds)), key=lambda n: (place[_group(kinds[n])], rank[n]))
    image = one.imshow(
        np.log10(np.maximum(ends[:, order], 1e-6)),
        aspect="auto",
        cmap="magma",
        vmin=-5,
        vmax=0,
        interpolation="nearest",
    )
    one.set_yticks(range(len(ends)), list(BANDITS))
    one.grid(False)
    begins = [next(i for i, n in enumerate(order) if _group(kinds[n]) == group) for group in groups]
    for begin in begins[1:]:
        one.axvline(begin - 0.5, color="white", lw=0.8)
    middles = [(a + b - 1) / 2 for a, b in zip(begins, [*begins[1:], len(order)], strict=True)]
    one.set_xticks(middles, [f"{g[0]}+{g[1]}{'*' if g[2] else ''}" for g in groups], fontsize=7, rotation=60)
    figure.colorbar(image, label="log10 of exploitability")
    one.set_xlabel("support sizes of the two players; * with a saddle point")
    return figure


def _by_distance(ends, kinds) -> Any:
    """Exploitability against the distance of the nearest action outside, for games without a saddle point."""
    chosen = LOOKED_AT
    figure, sides = titled(
        "Exploitability by the distance of the nearest action outside",
        "exploitability",
        xlabel="distance (right: no action is outside)",
        xscale="linear",
        count=len(chosen),
    )
    distance = np.array([kind.distance for kind in kinds])
    at = np.where(np.isnan(distance), np.nanmax(distance) * 1.15 if np.isfinite(distance).any() else 1.0, distance)
    saddle = np.array([kind.saddle for kind in kinds])
    jitter = np.random.default_rng(0).uniform(-0.015, 0.015, len(at))
    for one, name in zip(sides, chosen, strict=True):
        row = ends[BANDITS.index(name)]
        for group, label in ((saddle, "with a saddle point"), (~saddle, "mixed equilibria alone")):
            one.semilogy((at + jitter)[group], np.maximum(row[group], 1e-6), ".", ms=4, label=label, rasterized=True)
        one.set_title(name, fontsize=9)
    sides[0].legend(frameon=False, fontsize=7)
    return figure


def _pace(row, kinds) -> tuple[float, float]:
    """The rank correlation of exploitability with the distance, in games with a saddle point and in those without."""
    from scipy.stats import spearmanr  # slow to load

    distance, saddle = np.array([kind.distance for kind in kinds]), np.array([kind.saddle for kind in kinds])
    known = ~np.isnan(distance)
    both = (known & saddle, known & ~saddle)
    settled, mixed = (float(spearmanr(distance[which], row[which]).statistic) for which in both)
    return settled, mixed


def _reading(ends, kinds, weights) -> str:
    """What the numbers say, in words made from them."""
    saddle = np.array([kind.saddle for kind in kinds])
    failed = ends > PROBLEM
    everywhere = failed.all(axis=0)
    parts = []
    for name in LOOKED_AT:
        row = failed[BANDITS.index(name)]
        hard = weights[row].sum()
        share = weights[row & saddle].sum() / hard if hard else 0.0
        parts.append(
            f"`{name}` fails on {hard / weights.sum():.1%} of the games, {share:.0%} of which have a saddle point"
        )
    everything = np.isnan([kind.distance for kind in kinds]) & ~saddle
    for name in LOOKED_AT[1:]:
        row = ends[BANDITS.index(name)]
        settled, mixed = _pace(row, kinds)
        parts.append(
            f"the rank correlation of the exploitability of `{name}` with the distance is {settled:+.2f} in games with a "
            f"saddle point and {mixed:+.2f} in the others"
        )
        if everything.any():
            parts.append(f"where no action is outside, its median is {np.median(row[everything]):.2g}")
    parts.append(f"{int(weights[everywhere].sum()):,} games defeat every bandit")
    return f"{'; '.join(parts)}."
