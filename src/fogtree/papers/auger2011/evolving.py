"""Auger 2011, Figures 2 and 3: fixed players against an opponent that evolves."""

from typing import Any

import numpy as np

from ...draw.panels import panels
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .pieces import evolve, exact
from .printed import GAME, READINGS, SIZES, VALUE


def figure2(lab: Lab) -> Section:
    return _evolving(lab, "figure2", "Figure 2: fixed first players against an evolving second", seat=1)


def figure3(lab: Lab) -> Section:
    return _evolving(lab, "figure3", "Figure 3: fixed second players against an evolving first", seat=0)


def against_fixed(lab: Lab) -> dict[tuple[str, int], float]:
    """(player, seat of the best response) -> the first player's payoff, exactly; takes minutes."""
    if lab.quick:
        return {}
    setting: dict[str, Any] = {"game": GAME, "aim": "win", "clock": "simulation", "simulations": 0, "seed": 0}
    pieces = [{**setting, "player": player, "seat": seat} for player in ("random", "belief") for seat in (0, 1)]
    runs = lab.map("exact-fixed", setting, exact, pieces)
    return {
        (piece["player"], piece["seat"]): run["value"] * (1 - 2 * piece["seat"])
        for piece, run in zip(pieces, runs, strict=True)
    }


def resisting(ends: dict[str, dict[str, float]], seat: int) -> str:
    """Which fixed player keeps the most against an evolving opponent in a seat; `ends` are rewards -> player -> payoff."""
    better = max if seat == 1 else min  # the first player wants a high payoff, the second a low one
    best = [f"with {aim} rewards {better(mine, key=lambda name: mine[name])}" for aim, mine in ends.items()]
    return f"Here the player that resists best is {', '.join(best)}."


def _evolving(lab: Lab, name: str, title: str, seat: int) -> Section:
    trained, simulations = (SIZES[-1] // 500, 10**5) if lab.quick else (SIZES[-1], 10**7)
    setting = {"game": GAME, "seat": seat, "trained": trained, "simulations": simulations}
    pieces = [
        {**setting, "player": player, "aim": aim, "clock": clock, "seed": lab.seed + run}
        for run in range(1 if lab.quick else 2)
        for aim, clock in READINGS.items()
        for player in ("mmcts", "belief", "random")
    ]
    runs = lab.map(name, setting, evolve, pieces)
    rows, claims, levels = list[Any](), list[Claim](), against_fixed(lab)
    ends: dict[str, dict[str, float]] = {aim: {} for aim in READINGS}
    figure, sides = panels(2, sharey=True)
    for panel, aim in zip(sides, READINGS, strict=True):
        for player in ("mmcts", "belief", "random"):
            mine = [
                np.array(run["curve"])
                for piece, run in zip(pieces, runs, strict=True)
                if (piece["aim"], piece["player"]) == (aim, player)
            ]
            curve = np.mean(mine, axis=0)
            label = {"mmcts": f"MMCTS {trained:,}", "belief": "Belief Sampler", "random": "Random"}[player]
            (line,) = panel.plot(curve[:, 0], curve[:, 1], label=label)
            note = "the last tenth of a decade"
            if level := levels.get((player, seat)):
                panel.axhline(level, color=line.get_color(), linestyle=":", linewidth=1)
                note = f"against an exact best response: {level:.5f}"
            ends[aim][label] = float(curve[-1, 1])
            what = f"{label}, {aim} rewards, after {simulations:,} simulations"
            claims.append(Claim(what, None, ends[aim][label], note=note))
            rows += [[aim, player, int(n), f"{payoff:.5g}"] for n, payoff in curve]
        panel.axhline(VALUE, color="black", linestyle="--", linewidth=1, label="value of the game")
        panel.set(xscale="log", xlabel="simulations of the evolving opponent", title=f"{aim} rewards")
        panel.grid(alpha=0.3)
    sides[0].legend(frameon=False, fontsize=8)
    sides[0].set(ylabel="first player's wins less second's")
    seeds = len({piece["seed"] for piece in pieces})
    prose = f"""
        One player is fixed; the other evolves from nothing by a one-sided search with the same EXP3. The curves are
        means over consecutive windows of simulations, as payoffs of the first player. Seeds: {seeds}. Dotted: the
        payoff against an exact best response. The paper prints no numbers in these figures, so nothing is judged; it
        finds that MMCTS resists best as the first player, and that the Belief Sampler resists better than MMCTS as
        the second. {resisting(ends, seat)}
    """
    return Section(
        name,
        title,
        prose,
        claims,
        {f"{name}-curves": (["aim", "fixed", "simulations", "payoff"], rows)},
        {name: figure},
    )
