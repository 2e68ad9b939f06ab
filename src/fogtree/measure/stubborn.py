"""Which games of a family defeat a bandit: every game, or one of each kind, played by the bandit against itself.

    found = sweep("uct-eps:epsilon=0.0001", "3x3")
    found.stubborn(0.05)            the games that it failed on, the worst first

If a family knows which of its games are the same (`classes()`, see games/family.py), only one game of each class is played.
The member is drawn again for each run, so that no order of actions is favoured. Numbers about all games weight a class by
its size. Exploitability is half of what both best responses gain, after `steps` of measure/track.py: 3,190,936 games of
self-play unless said otherwise.
"""

import csv
import functools
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..bandits import load_bandit
from ..errors import Invalid
from ..files import appearing, refusing
from ..kernels.engines import chosen
from ..kernels.lanes import CPU
from ..runs import Run
from ..solvers.exact.support import MOST, Support, support
from ..text.naming import load_family, member_name
from ..walk.slices import Watcher
from .track import SHORT, schedule, tracks

PIECE = 25  # plays of self-play in a piece of a run: seconds
GPU_PIECE = 1 << 16  # the same on a GPU


class Trial(NamedTuple):
    """What came of one game, or of the games of a class."""

    number: int  # in the family; of a class the lowest
    weight: int  # games that it stands for
    exploitability: np.ndarray  # [runs]


class Failure(NamedTuple):
    """A game that a bandit failed on, and what may be to blame."""

    name: str
    stands_for: int  # games
    median: float  # exploitability over the runs
    above: float  # share of the runs above the threshold
    support: Support | None  # None where the game is too large to look for it


class Sweep(NamedTuple):
    """What a bandit reached in a family."""

    bandit: str
    family: str
    steps: int
    seed: int
    trials: list[Trial]
    turned: np.ndarray  # [steps] the share of actions that changed direction, over all games
    device: str = CPU  # what computed it

    @property
    def weights(self) -> np.ndarray:
        return np.array([trial.weight for trial in self.trials])

    @property
    def exploitability(self) -> np.ndarray:
        """[trials, runs]"""
        return np.array([trial.exploitability for trial in self.trials])

    def share(self, above: float, up_to: float = np.inf) -> float:
        """The share of games and runs whose exploitability is above the one and at most the other."""
        inside = (self.exploitability > above) & (self.exploitability <= up_to)
        return float(np.average(inside.mean(axis=1), weights=self.weights))

    def stubborn(self, threshold: float) -> list[Trial]:
        """The games whose median over the runs is above the threshold, the worst first."""
        failed = [trial for trial in self.trials if np.median(trial.exploitability) > threshold]
        return sorted(failed, key=lambda trial: -float(np.median(trial.exploitability)))

    def name(self, trial: Trial) -> str:
        return member_name(self.family, trial.number)

    def failures(self, threshold: float, games: int = 1000) -> list[Failure]:
        """The stubborn games with their equilibria."""
        known, found = _family(self.family, games), []
        for trial in self.stubborn(threshold):
            payoffs = known[trial.number].payoffs
            kind = support(payoffs) if max(payoffs.shape) <= MOST else None
            above = float((trial.exploitability > threshold).mean())
            found.append(Failure(self.name(trial), trial.weight, float(np.median(trial.exploitability)), above, kind))
        return found


def sweep(
    bandit: str,
    family: str = "3x3",
    *,
    games: int = 1000,
    steps: int = SHORT,
    runs: int = 1,
    seed: int = 0,
    classes: bool = True,
    store: Any = None,
    device: str = CPU,
    cores: int | None = None,
    progress: Watcher | None = None,
) -> Sweep:
    """Play a family through. `games` are those of a random family; `classes=False` plays every game though some are the same.
    The work is a run in the store, in pieces of some seconds; `progress` is called after each piece. On a GPU
    (`device="cuda"`) every game of every run is a lane."""
    load_bandit(bandit)
    work = plan(family, games, runs, seed, classes)
    piece = {"bandit": bandit, "family": family, "games": games, "steps": steps, "seed": seed}
    more, cores = work.on(device, cores)
    pieces = [piece | more | {"plays": plays} for plays in work.pieces_on(more)]
    run = Run(store, "stubborn", play_piece, piece, games=[_family(family, games)[0]])
    results = run.map(pieces, cores=cores, progress=progress)
    return work.gathered(bandit, steps, results)._replace(device=more.get("device", CPU))


class Same(NamedTuple):
    """Games that are the same but for names."""

    first: int  # the lowest number
    members: np.ndarray  # [games] numbers


class Sweeping(NamedTuple):
    """What a sweep plays: in each piece, plays of (number of the game, run, weight)."""

    family: str
    seed: int
    runs: int
    kinds: list[Same]
    pieces: list[list[list[int]]]

    def on(self, device: str, cores: int | None) -> tuple[dict[str, str], int | None]:
        """What pieces are told of the device, and on how many cores they run: those of a GPU share it, and are stored apart
        from the CPU's."""
        where = chosen(device, sum(map(len, self.pieces)))
        return ({}, cores) if where == CPU else ({"device": where}, 1)

    def pieces_on(self, more: dict[str, str]) -> list[list[list[int]]]:
        """The pieces, which are larger on a GPU."""
        if not more:
            return self.pieces
        plays = [play for piece in self.pieces for play in piece]
        return [plays[i : i + GPU_PIECE] for i in range(0, len(plays), GPU_PIECE)]

    def gathered(self, bandit: str, steps: int, results: Sequence[dict[str, Any]]) -> Sweep:
        """The results of the pieces as a sweep."""
        found = np.concatenate([result["exploitability"] for result in results]).reshape(len(self.kinds), self.runs)
        trials = [Trial(kind.first, len(kind.members), row) for kind, row in zip(self.kinds, found, strict=True)]
        weight = sum(len(kind.members) for kind in self.kinds) * self.runs
        turned = np.sum([result["turned"] for result in results], axis=0) / weight
        return Sweep(bandit, self.family, steps, self.seed, trials, turned)


def plan(family: str, games: int, runs: int, seed: int, classes: bool, sample: int | None = None) -> Sweeping:
    """What to play; a sample are so many classes or games drawn evenly over the family."""
    if runs < 1:
        raise Invalid(f"runs are 1 or more, not {runs}")
    known = _family(family, games)
    if classes and hasattr(known, "classes"):
        kinds = [Same(*kind) for kind in known.classes()]
    else:
        kinds = [Same(number, np.array([number])) for number in range(len(known))]
    if sample is not None and sample < len(kinds):
        chosen = np.linspace(0, len(kinds) - 1, sample).round().astype(int)
        kinds = [kinds[i] for i in chosen]
    plays = []
    for kind in kinds:
        drawn = np.random.default_rng([seed, kind.first]).choice(kind.members, runs)
        plays += [[int(number), run, len(kind.members)] for run, number in enumerate(drawn)]
    return Sweeping(family, seed, runs, kinds, [plays[i : i + PIECE] for i in range(0, len(plays), PIECE)])


def play_piece(
    bandit: str,
    family: str,
    games: int,
    steps: int,
    seed: int,
    plays: list[list[int]],
    device: str = CPU,
    how: Any = tracks,
) -> dict[str, Any]:
    """Play some games of a family; returns where each ended, and how often actions changed direction, in all."""
    known, made = _family(family, games), load_bandit(bandit)
    ended, turned = [], np.zeros(steps)
    listed = [(known[number], (seed, number, run)) for number, run, _ in plays]
    for found, (_, _, weight) in zip(how(listed, made, steps, device=device, cores=1), plays, strict=True):
        ended.append(float(found.exploitability[-1]))
        turned += weight * np.nan_to_num(found.turned())
    return {"exploitability": ended, "turned": turned.tolist()}


def simulations(steps: int) -> int:
    """How many games of self-play so many steps are."""
    if steps < 1:
        raise Invalid(f"steps are 1 or more, not {steps}")
    return int(schedule(steps)[-1])


def write_csv(failures: Sequence[Failure], path: str | os.PathLike) -> None:
    """The stubborn games, the worst first."""
    with refusing(path), appearing(path, "t") as file:
        out = csv.writer(file)
        out.writerow(["game", "stands for", "exploitability", "runs above", "value", "supports", "distance", "saddle"])
        for name, weight, median, above, kind in failures:
            row = [name, weight, f"{median:.9g}", above]
            if kind is not None:
                row += [f"{kind.value:.9g}", "+".join(map(str, kind.sizes)), kind.distance, kind.saddle]
            out.writerow(row)


def _family(text: str, games: int) -> Any:
    """A family, read again only when its file has changed."""
    return _loaded(text, games, os.stat(text).st_mtime_ns if os.path.isfile(text) else None)


@functools.lru_cache(maxsize=8)
def _loaded(text: str, games: int, changed: int | None) -> Any:
    return load_family(text, games)
