"""Briedoň 2015, beyond the thesis: other constants, and runs as long as the printed ones."""

from typing import Any

import numpy as np

from ...draw.panels import titled
from ...games.printed import CATALOGUE
from ...measure.track import LONGEST, SHORT, matrix_exploitability
from ..laboratory import Lab
from ..report import Section
from .courses import runs_of, runs_on
from .matrices import RESET
from .printed import (
    ATTRACTOR,
    DETERMINISTIC,
    EPSILON,
    LONG_RUNS,
    PRINTED_32,
    PRINTED_41,
    PRINTED_49,
    PRINTED_51,
    PRINTED_416,
    QUICK_STEPS,
)
from .rounds import WINDOW_416

TITLES = {"epsilons": "How large an epsilon?", "windows": "How long a window?"}
TRIED = {  # of each part: the axis, the bandit, its constants
    "epsilons": ("epsilon", "uct-eps:epsilon={}", ("0.00001", "0.0001", "0.001", "0.01", "0.05", "0.1", "0.3")),
    "windows": ("window", "uct-window:window={},epsilon=0.0001", ("1000", "10000", "70000", "300000", "1000000")),
}
THESIS = {
    "epsilons": "The thesis tries four values of epsilon on one game.",
    "windows": "The thesis tries one window a game.",
}
GAMES = {"epsilons": ("figure4.1", "figure4.9", "figure4.10"), "windows": ("figure4.1", "figure4.9", "figure4.16")}


def constants(lab: Lab, name: str) -> Section:
    """Where runs end, by a constant of the bandit and by game."""
    (axis, pattern, tried), title = TRIED[name], TITLES[name]
    rows: list[list[Any]] = []
    figure, one = titled(title, "exploitability: median and middle 90 %", xlabel=axis)
    bandits = {constant: pattern.format(constant) for constant in tried}
    for game in GAMES[name]:
        found = [runs_on(lab, game, bandit, SHORT, 10) for bandit in bandits.values()]
        quantiles = np.array([np.quantile(runs.ends, [0.05, 0.5, 0.95]) for runs in found])
        at = [float(constant) for constant in bandits]
        (line,) = one.plot(at, quantiles[:, 1], marker="o", ms=3, label=game)
        one.fill_between(at, quantiles[:, 0], quantiles[:, 2], color=line.get_color(), alpha=0.15, lw=0)
        for constant, runs, row in zip(bandits, found, quantiles.tolist(), strict=True):
            rows.append([game, bandits[constant], *row, float(runs.ends.min()), float(runs.ends.max())])
    one.set_yscale("log")
    one.legend(frameon=False)
    prose = f"{THESIS[name]} Exploitability at the end of {runs.length} of each bandit."
    header = ["game", "bandit", "5 %", "median", "95 %", "best", "worst"]
    return Section(name, title, prose, (), {name: (header, rows)}, {name: figure})


def ends(lab: Lab) -> Section:
    stuck = ((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    plain = PRINTED_41[DETERMINISTIC]
    of_plain = matrix_exploitability(CATALOGUE["figure4.1"].game.payoffs, *plain)  # which is not printed
    cases: list[tuple[str, str, float, Any]] = [
        ("figure4.1", EPSILON, 0.166, PRINTED_41[EPSILON]),
        ("figure4.9", EPSILON, 0.062, PRINTED_49),
        ("figure3.2", DETERMINISTIC, 0.1445, PRINTED_32),
        ("figure4.1", DETERMINISTIC, of_plain, plain),
        ("figure4.10", "uct-eps:epsilon=0.1", 0.0375, ATTRACTOR),
        ("figure4.14", EPSILON, 0.996, stuck),
        ("figure4.1", RESET, 0.1013 / 2, PRINTED_51),
        ("figure4.16", WINDOW_416, 1.463, PRINTED_416),
    ]
    rows: list[list[Any]] = []
    for name, bandit, said, place in cases:
        game = f"briedon2015/{name}"
        runs = runs_of(lab, game, bandit, QUICK_STEPS if lab.quick else LONGEST, LONG_RUNS)
        apart = runs.apart(*place)
        for run, (end, far) in enumerate(zip(runs.ends, apart, strict=True)):
            before = float(runs.exploitability[run, runs.at(3_190_936)])
            spent = float(runs.seconds[run])
            rows.append([name, bandit, lab.seed + run, float(said), before, float(end), float(far), spent])
    header = ["game", "bandit", "seed", "printed exploitability", "ours at 3,190,936", "at the end"]
    header += ["off the printed strategies", "seconds of a core"]
    prose = (
        f"Runs as long as those of the thesis, {runs.length} of each, to see whether the shorter ones above are a "
        "fair picture. Off the printed strategies: the largest difference of a probability."
    )
    return Section("ends", "The thesis' own end: 429,889,708 simulations", prose, (), {"ends": (header, rows)})
