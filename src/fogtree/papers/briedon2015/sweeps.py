"""Briedoň 2015, 4.5 with Figures 4.6 to 4.8: all games of a family."""

from typing import Any

import numpy as np

from ...draw.panels import titled
from ...kernels.lanes import CPU
from ...measure.intervals import wilson_half
from ...measure.stubborn import Sweep, Sweeping, plan, play_piece
from ...measure.track import LONG, MIDDLE, SHORT, schedule
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .courses import STARTS
from .printed import EPSILON, QUICK_STEPS

FAMILY = "3x3"
STUBBORN, PROBLEM = 0.25, 0.05  # above these the thesis runs a game again, and speaks of problems of convergence
QUICK_SAMPLE = 24
RANDOM, RANDOM_GAMES, QUICK_RANDOM = "random/uniform:rows=4,columns=4,low=-8,high=8", 40, 6
_known: dict[tuple, Sweep] = {}


def play_part(
    bandit: str, family: str, games: int, steps: int, seed: int, start: str, plays: list[list[int]], device: str = CPU
) -> dict[str, Any]:
    """Some games of a family, begun as the library does or as search/trees/ismcts.py does."""
    return play_piece(bandit, family, games, steps, seed, plays, device, STARTS[start])


def swept(
    lab: Lab, bandit: str, start: str, *, steps: int = SHORT, family: str = FAMILY, games: int = 1, chosen: Any = None
) -> Sweep:
    """A sweep over the classes of a family, or over the chosen ones."""
    if lab.quick:
        steps = min(steps, QUICK_STEPS)
    key = (str(lab.store), lab.scale, lab.seed, lab.device, bandit, start, steps, family, games, tuple(chosen or ()))
    if key not in _known:
        work = plan(family, games, 1, lab.seed, True, QUICK_SAMPLE if lab.quick and chosen is None else None)
        if chosen is not None:
            work = _only(work, set(chosen))
        same = {"bandit": bandit, "family": family, "games": games, "steps": steps, "seed": lab.seed, "start": start}
        more, _ = work.on(lab.device, lab.cores)
        pieces = [same | more | {"plays": plays} for plays in work.pieces_on(more)]
        results = lab.map("sweep", same, play_part, pieces)
        _known[key] = work.gathered(bandit, steps, results)
    return _known[key]


def _only(work: Sweeping, numbers: set[int]) -> Sweeping:
    """A plan for the classes of these numbers alone."""
    kinds = [kind for kind in work.kinds if kind.first in numbers]
    members = {int(member) for kind in kinds for member in kind.members}
    plays = [[play] for piece in work.pieces for play in piece if play[0] in members]
    return work._replace(kinds=kinds, pieces=plays)


# --- 4.5 ---------------------------------------------------------------------------------------------------------


def figure_46(lab: Lab) -> Section:
    found = swept(lab, EPSILON, "library")
    games, classes = int(found.weights.sum()), len(found.trials)
    ends = found.exploitability.ravel()
    low, high = 0.0001, 0.0005
    summed = found.share(low / 2, high / 2), _half(found, low / 2, high / 2)
    fits = "this group of the printed figure fits the sum, its tails fit half of it: one convention does not give both"
    claims = [
        Claim("share of games above 0.05", 0.10, found.share(PROBLEM), _half(found, PROBLEM), kind="rate"),
        Claim("share above 0.5", 0.0, found.share(0.5)),
        Claim("share above 0.25", None, found.share(STUBBORN), _half(found, STUBBORN), kind="rate"),
        Claim("share between 0.0001 and 0.0005", 0.38, found.share(low, high), _half(found, low, high), kind="rate"),
        Claim("the same with the sum of both gains", 0.38, *summed, kind="rate", note=fits),
        Claim("the largest", None, float(ends.max()), note="printed: none above 0.5"),
    ]
    prose = (
        f"Nondeterministic UCT (`{EPSILON}`), {schedule(found.steps)[-1]:,} simulations. The thesis plays all "
        f"19,680 games; up to the names of actions and players there are 372 classes. Here one member of {classes} "
        f"classes is played, and weighed by the size of its class; they stand for {games:,} games. Intervals are "
        "those of so many classes."
    )
    figure, one = titled("Figure 4.6: where the games of the 3x3 family end", "share of games", xlabel="exploitability")
    edges = np.array([1e-7, 1e-6, 1e-5, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.25, 0.5])
    clipped = np.clip(ends, edges[0], edges[-1])
    shares = np.histogram(clipped, edges, weights=found.weights / found.weights.sum())[0]
    one.bar(edges[:-1], shares, width=np.diff(edges), align="edge", edgecolor="white")
    rows = [[f"{a:g}", f"{b:g}", float(share)] for a, b, share in zip(edges[:-1], edges[1:], shares, strict=True)]
    tables = {"figure4.6-shares": (["above", "up to", "share of games"], rows)}
    return Section("figure4.6", "Figure 4.6: all 3x3 games", prose, claims, tables, {"figure4.6": figure})


def _half(found: Sweep, above: float, up_to: float = np.inf) -> float:
    """The interval of a share, from as many classes as weigh as much as these."""
    weights = found.weights
    return wilson_half(found.share(above, up_to), max(1, round(weights.sum() ** 2 / (weights**2).sum())))


def reruns(lab: Lab) -> Section:
    found = swept(lab, EPSILON, "library")
    claims, rows, left = [], [], found.stubborn(STUBBORN)
    limits = ((MIDDLE, None), (LONG, 0.146))
    for steps, said in limits if not lab.quick else limits[:1]:
        games = sum(trial.weight for trial in left)
        claims.append(Claim(f"games above 0.25, to be run to {schedule(steps)[-1]:,}", None, games))
        if not left:
            break
        again = swept(lab, EPSILON, "library", steps=steps, chosen=[trial.number for trial in left])
        worst = float(again.exploitability.max())
        claims.append(Claim(f"the largest after {schedule(again.steps)[-1]:,}", said, worst, kind="amount"))
        rows += [
            [again.name(t), t.weight, f"{schedule(again.steps)[-1]:,}", float(t.exploitability[0])]
            for t in again.trials
        ]
        left = again.stubborn(STUBBORN)
    claims.append(Claim("games above 0.25 in the end", 0, sum(trial.weight for trial in left)))
    prose = (
        "As in the thesis, the games that end above 0.25 are run again from the start, longer and longer. One member "
        "of a class stands for all its games, though others of them, with another start, might end elsewhere."
    )
    header = ["game", "stands for", "simulations", "exploitability"]
    tables = {"section4.5-reruns": (header, rows)} if rows else {}
    return Section("section4.5", "4.5 The stubborn games, run longer", prose, claims, tables)


def _over(found: Sweep, low: float, high: float) -> float:
    """The mean share of direction changes between two numbers of simulations."""
    marks = schedule(found.steps)
    inside = (marks > low) & (marks <= high)
    return float(found.turned[inside].mean()) if inside.any() else float(found.turned[-12:].mean())


def figure_47(lab: Lab) -> Section:
    found = swept(lab, EPSILON, "library")
    marks = schedule(found.steps)
    begins = "share of changes at the beginning (300 to 1,000 simulations)"
    claims = [
        Claim(begins, 0.40, _over(found, 300, 1_000), kind="rate"),
        Claim("near 300,000 (200,000 to 400,000)", 0.12, _over(found, 2e5, 4e5), kind="rate"),
        Claim("at the end (above 2.5 million), printed as slightly higher", None, _over(found, 2.5e6, 4e6)),
    ]
    figure, one = titled("Figure 4.7: actions whose probability changed direction", "share of actions")
    one.plot(marks[2:], found.turned[2:], lw=0.9)
    one.set_ylim(0, None)
    prose = (
        "At each step of the schedule: the share of actions whose probability rose in the step before and fell in "
        "this one, or the other way round, over all games of the family (classes are weighed by their size). The "
        "zigzag comes from the schedule."
    )
    rows = [[int(mark), float(share)] for mark, share in zip(marks[2:], found.turned[2:], strict=True)]
    tables = {"figure4.7-changes": (["simulations", "share"], rows)}
    return Section("figure4.7", "Figure 4.7: changes of direction", prose, claims, tables, {"figure4.7": figure})


def figure_48(lab: Lab) -> Section:
    games = QUICK_RANDOM if lab.quick else RANDOM_GAMES
    bandits = {epsilon: f"uct-eps:epsilon={epsilon}" for epsilon in (0.1, 0.0001)}
    how: dict[str, Any] = {"steps": MIDDLE, "family": RANDOM, "games": games}
    found = {epsilon: swept(lab, bandit, "library", **how) for epsilon, bandit in bandits.items()}
    marks = schedule(found[0.1].steps)
    figure, one = titled("Figure 4.8: changes of direction in random 4x4 games", "share of actions")
    for epsilon, sweep in found.items():
        one.plot(marks[2:], sweep.turned[2:], lw=0.9, label=f"epsilon {epsilon}")
    one.set_ylim(0, None)
    one.legend(frameon=False)
    late = {epsilon: _over(sweep, 1e5, 1e9) for epsilon, sweep in found.items()}
    lowest = {e: float(np.convolve(sweep.turned[2:], np.ones(6) / 6, "valid").min()) for e, sweep in found.items()}
    often = "printed: more often than epsilon 0.0001"
    claims = [
        Claim("share at the beginning, epsilon 0.0001", 0.35, _over(found[0.0001], 300, 1_000), kind="rate"),
        Claim("the lowest mean of six steps, epsilon 0.0001", 0.05, lowest[0.0001], kind="rate"),
        Claim("the lowest mean of six steps, epsilon 0.1", None, lowest[0.1]),
        Claim("after 100,000 simulations, epsilon 0.1", None, late[0.1], note=often),
        Claim("after 100,000 simulations, epsilon 0.0001", None, late[0.0001]),
        Claim("share of games above 0.05 in the end, epsilon 0.1", None, found[0.1].share(PROBLEM)),
        Claim("share of games above 0.05 in the end, epsilon 0.0001", None, found[0.0001].share(PROBLEM)),
    ]
    prose = (
        f"{games} random games with whole payoffs from -8 to 8 (the thesis: 2,000), each to {marks[-1]:,} simulations "
        f"with both of {' and '.join(f'`{bandit}`' for bandit in bandits.values())}. The printed last point, "
        "14,130,108, is a misprint of 14,130,408."
    )
    rows = [
        [int(mark), *(float(found[e].turned[step]) for e in bandits)] for step, mark in enumerate(marks) if step > 1
    ]
    tables = {"figure4.8-changes": (["simulations", *(f"epsilon {e}" for e in bandits)], rows)}
    return Section("figure4.8", "Figure 4.8: two epsilons", prose, claims, tables, {"figure4.8": figure})
